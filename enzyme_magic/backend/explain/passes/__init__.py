"""What the optimizer does to a gradient, pass by pass: the texts (`run`), what changed in them (`listing`, `changes`), in words
(`captions`).

Invariant: a caption is made of numbers that are counted in the texts before and after the pass, and of nothing else.
"""
