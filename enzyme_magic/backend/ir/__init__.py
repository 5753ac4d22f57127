"""Our model of LLVM IR: text in, text out, and what one asks about the graph between.

The nodes are plain data with identity: `values`, `types`, `attributes`, `metadata`, `instructions`, `module`. `text` has
the parser and the printer (law: parse(print(m)) == m), `graphs` control flow, dominators, loops, uses and calls, `checks`
the verifier. `constants`, `builder` and `clone` make values; `layout`, `locations`, `intrinsics` and `elements` answer
questions about them.

It knows nothing about derivatives, and nothing about llvmlite.
"""
