"""Compiled functions in this process: Python's values as C's and back (`values`), addresses as callables (`calls`), code of ours
that they call (`native`), and what survives a call: exits and signals, tape memory, static data put back.
"""
