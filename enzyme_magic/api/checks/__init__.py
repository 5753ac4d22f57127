"""Questions about a function at a point: checks, one call watched or followed, what it keeps, why a gradient is zero."""
