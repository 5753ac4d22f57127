"""Facts about a compiled program: its module, how its functions are called from outside, what they need, and its texts for
people.
"""
