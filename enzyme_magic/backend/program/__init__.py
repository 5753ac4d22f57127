"""Facts about a compiled program: its module, how its functions are called from outside, which arrays they read, write and are
certain to touch, which static data a derivative puts back, and its texts for people. Nothing here changes the program.
"""
