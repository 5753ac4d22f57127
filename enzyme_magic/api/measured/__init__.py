"""Measured points: a function along one number, errors of differences by their step, times."""
