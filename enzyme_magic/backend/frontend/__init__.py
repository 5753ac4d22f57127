"""C text to LLVM IR text: sources and what is added to them, one run of clang, C signatures from debug info.

What knows clang as a process lies in `clang`. Nothing here differentiates, and nothing needs LLVM beyond its text.
"""
