"""One call of a function, watched: which instructions truly carried a derivative in it.

The program's IR is executed in memory of its own, by an interpreter that carries a mark and a tangent beside every value and
remembers what each marked value came from. It is a judge of the static analyses and shares nothing with them: neither
activity nor flow nor types (a test reads the imports). What it cannot follow ends in `NotDecided` with the reason; it never
guesses. It makes no code and touches no memory of the caller.

`memory.py`: bytes and their marks; `numbers.py`: LLVM's operations on numbers; `mathematics.py`: functions of numbers with their
derivatives; `library.py`: functions that move, make or set memory; `machine.py`: the execution; `record.py`: what it found.
"""
