"""The gradient as C text: LLVM IR made readable (`lowering`; with helpers `in_place` where they have tapes of their own), its
memory from C's heap (`own_memory`; frames of functions that call themselves: `frames`), its control flow restored (`structure`),
its values named, each written as an expression or a variable (`spelling`, `plan`), statements moved and joined (`bodies`,
`statements`, `counted`), and the whole as text (`writer`).

Invariant: a text means what the gradient's IR means, or there is none: what has no sure C words raises `NotInC` with the reason.
"""
