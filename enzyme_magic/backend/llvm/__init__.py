"""LLVM, text in and text out: the only room that imports llvmlite.

`binding` is the door: parsing, verification, facts of the host. `optimize` has the pipelines before and after
differentiation, `printed_passes` the second one pass by pass; `opaque` keeps bodies with a rule from them, `vector_library`
names libm's forms for vectors, `traps` says what undefined behaviour becomes. `link` joins modules and shares statics.
`objects` makes, reads and loads object code. `rehearsal` does LLVM's work in a process of its own first, where it might end
ours. `names` refuses what a program may not define, `attributes` is what generated functions may promise, `blocks` the live
heap blocks of programs that keep some. `irtext`, `moduletext`, `debuginfo`, `reachable` and `bounded` read text without
LLVM.

It knows nothing of our own IR classes, and nothing about derivatives.
"""
