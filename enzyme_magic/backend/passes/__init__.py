"""Rewrites of a whole program around differentiation: requests that C makes, registrations, stack checks, results in memory, the
support code.
"""
