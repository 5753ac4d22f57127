"""Derivatives that a program brings along: rules registered in C or from Python, and the functions that call their handlers."""
