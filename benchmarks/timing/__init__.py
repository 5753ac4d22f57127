"""How a gradient is timed: kernels and their arguments, the ways to their gradients, one process per measurement, ratios of pairs.

Invariant: a gradient is compared with the one by hand before it is timed, and nothing here judges a time.
"""
