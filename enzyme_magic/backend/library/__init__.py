"""What is known of functions that a program calls and does not define: the table of the C library (`functions.txt`, one line for
each function), its reader, and the summaries in which effects are said. The table knows no IR: which rule an operation has is said
in `rules`, and whether a declaration is meant by a name is asked there too.
"""
