"""Native code of the runtime.

In C, in the folder `c`, with the LLVM text that clang makes of it: the arena, the tape, shadows of the heap, leaving C code early,
signals, interrupts and limits, Python's objects. As LLVM text that is written here, because each is made for the types of one
function: guards, loops over points, functions that Python calls without ctypes. Object code is kept on disk.
"""
