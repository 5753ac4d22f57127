"""Compiled functions, called: Python's values as C's and back (`values`), addresses as callables (`calls`), code of ours that
they call (`native`), a worker process that calls for us (`isolation`), and what survives a call: exits and signals, tape
memory, static data put back, what C prints.

It knows C types and object code, and no IR.
"""
