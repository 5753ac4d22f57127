"""The gradient as C text: LLVM IR made readable (`lowering`), its control flow restored (`structure`, `shapes`), its values named
(`names`, `places`), each written as an expression or a variable (`plan`, `expressions`), and the whole as text (`writer`).

Invariant: a text means what the gradient's IR means, or there is none: what has no sure C words raises `NotInC` with the reason.
"""
