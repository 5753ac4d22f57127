"""C functions inside machine-learning frameworks, each an optional extra that is imported when its module is.

`torch` (with `torch_dispatch`, `torch_levels`), `tensorflow`, `jax` (with `jax_handler` and others), `scipy`: the adapters.
What they share: `operation`, a C function as a pure operation on arrays, closed under reverse mode, forward mode and batching;
`contract` reads its signature, `kernels` writes its C, `identity` names it by what it computes, `effects` says whether its calls
have an order. No adapter knows a derivative.
"""
