"""Native code of the runtime.

In C, in the folder `c`, with the LLVM text that clang makes of it: the arena, the tape, shadows of the heap. As LLVM text
that is written here: guards, leaving C code early, signals, loops over points, functions that Python calls without ctypes.
"""
