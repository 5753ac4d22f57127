"""What a user holds: programs, C functions, gradients, and the functions that make them.

Invariant: sees the compiler and the runtime, never the picture room; imports NumPy and llvmlite only when something is called.
"""
