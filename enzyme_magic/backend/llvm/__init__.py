"""LLVM, text in and text out: the only room that imports llvmlite.

binding: the door (parsing, verification, host facts). optimize: pipelines before and after differentiation. opaque: bodies
of functions with a rule kept from the optimizer. link: joining modules, statics shared between libraries. attributes: what
generated functions may promise. codegen: object code. traps: what undefined behaviour becomes. names: names and sections that
are refused. rehearsal: LLVM's work in a process of its own first. jit: object code loaded into the process. code_ranges: where
it lies. irtext, moduletext, debuginfo, elf: readers of text and object files, without LLVM.
"""
