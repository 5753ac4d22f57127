"""C functions inside machine-learning frameworks, each an optional extra that is imported when its module is.

`torch`, `tensorflow`, `jax`, `scipy`: adapters, one file each. `operation` is what they share: a C function as a pure operation on
arrays, closed under reverse mode, forward mode and batching. No adapter knows a derivative.
"""
