"""LLVM, text in and text out: the only room that imports llvmlite.

`binding` is the door: parsing, verification, facts of the host. `optimize` has the pipelines before and after
differentiation; `opaque` keeps bodies with a rule from them, `vector_library`
names libm's forms for vectors, `traps` says what undefined behaviour becomes. `link` joins modules and shares statics.
`objects` makes, reads and loads object code. `apart` does LLVM's work in another process, where it may end ours
or take long. `names` refuses what a program may not define, `attributes` is what generated functions may promise, `blocks` the live
heap blocks of programs that keep some. `irtext`, `moduletext`, `debuginfo`, `reachable` and `bounded` read text without
LLVM.

It knows nothing of our own IR classes, and nothing about derivatives.
"""
