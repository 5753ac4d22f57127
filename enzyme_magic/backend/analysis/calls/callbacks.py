"""Which functions of a program may be called from where no call of them is seen?

A function whose address is taken is called through pointers, or handed to code that calls it back. Where the program was made free
of calls through pointers (`prepare/devirtualize.py`), the calls that it makes are all seen; what is left are functions that are
handed to others.

Invariant: a function that is not among the answers is called by the direct calls of the program, and by Python, alone. Code of
which nothing is known may call all functions whose address is taken, wherever it finds the pointer.
"""

from __future__ import annotations

from collections.abc import Iterator

from enzyme_magic.backend.analysis.calls import runtime_calls
from enzyme_magic.backend.ir.graphs.callgraph import address_taken, fits
from enzyme_magic.backend.ir.instructions import Call
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.values import InlineAsm, Value
from enzyme_magic.backend.library import libc


def called_unseen(module: Module) -> frozenset[Function]:
    """The functions that calls through pointers, and code from elsewhere, may reach."""
    taken = address_taken(module)
    if not taken:
        return frozenset()
    calls = (i for f in module.definitions() for i in f.instructions() if isinstance(i, Call))
    return frozenset(function for call in calls for function in _reached(call, taken))


def _reached(call: Call, taken: set[Function]) -> Iterator[Function]:
    callee = call.called_function
    if callee is None:
        yield from taken if isinstance(call.callee, InlineAsm) else (f for f in taken if fits(f, call))
    elif callee.is_declaration and not callee.name.startswith("llvm."):
        handed = _handed(call, callee)
        known = handed is not None and all(isinstance(value, Function) for value in handed)
        yield from (f for f in handed or () if isinstance(f, Function)) if known else taken


def _handed(call: Call, callee: Function) -> list[Value] | None:
    """What a function without a body is given to call; None where that is not known."""
    found = libc.find(callee.name)
    summary = found.summary if found is not None else runtime_calls.summary_of(callee.name)
    if summary is None or summary.opaque or any(k >= len(call.arguments) for k in summary.callbacks):
        return None
    return [call.arguments[k] for k in summary.callbacks]
