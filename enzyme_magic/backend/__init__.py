"""From C text to the object code of a gradient.

`pipeline.py` is the order of the stages; `building.py` walks it from sources to a program, `deriving.py` from a request to a
derivative. The rooms, from the bottom up: `ir`, `llvm`, `frontend`, `rules`, `library`, `prepare`, `analysis`, `autodiff`;
beside them `passes`, `program`, `store`, `explain` and `runtime`.
"""
