"""Single calls followed: step by step, which way they went, and whether a function may be called unasked."""
