"""From C text to the object code of a gradient.

`pipeline.py` is the order of the stages; `building.py` walks it from sources to a program, `deriving.py` from a request to
a derivative. The rooms, from the bottom up: `ir`, `llvm`, `frontend`, `library`, `rules`, `prepare`, `analysis`,
`autodiff`. Around them: `passes` (rewrites of a whole program), `checkpoints`, `program` (facts about a compiled one),
`store` (disk and pickles), `explain` (reports), `runtime` (calls), `tracing` (the judge of the analyses).

A derivative that is differentiated again starts in `higher.py` (a gradient as a function) or `asking_again.py` (a program
that asks for derivatives itself); `extending.py` adds C to a compiled program. Nothing here draws, and nothing knows
IPython.
"""
