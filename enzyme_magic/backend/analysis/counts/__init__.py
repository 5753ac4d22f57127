"""Integers: how often loops and blocks run, what addresses step by, as polynomials and formulas in the function's own
parameters.
"""
