"""What functions do that a program calls and does not define: one line of a table each. How they are differentiated is in
`rules`.
"""
