"""Calls in derivatives: what a call is to differentiation, signatures of generated functions, and the entry that Python calls."""
