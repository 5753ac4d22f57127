"""Python's values as C's and back: scalars, structs, arrays without a copy, extents, results."""
