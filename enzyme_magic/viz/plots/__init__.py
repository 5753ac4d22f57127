"""Measured points as pictures with a text twin: curves, errors of differences, times."""
