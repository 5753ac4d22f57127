"""LLVM, text in and text out: the only room that imports llvmlite.

binding: the door (parsing, verification, host facts). optimize: pipelines before and after differentiation. opaque: bodies
of functions with a rule kept from the optimizer. link: joining modules, statics shared between libraries. attributes: what
generated functions may promise. codegen: object code. jit: object code loaded into the process. irtext, moduletext,
debuginfo, elf: readers of text and object files, without LLVM.
"""
