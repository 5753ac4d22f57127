"""`("test.c", "f")` as an operation: the contract `void f(T *inp, integer n, T *out)` of the published framework bindings.

Invariant: a file is compiled once for as long as it and what it includes stay the same; the shape of `out` is that of `inp` unless
it is given.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from enzyme_magic.api.compilation import compile_c
from enzyme_magic.api.function import CFunction
from enzyme_magic.backend.frontend.c_types import Pointer, Void
from enzyme_magic.errors import ArgumentError
from enzyme_magic.integrations.contract import OutShape, Shape
from enzyme_magic.integrations.operation import Operation, operation


def file_operation(filename: str | os.PathLike[str], function: str, out_shape: OutShape = None) -> Operation:
    """The operation of one function of a C file.

    Raises CompileError (EM118: no such file), ArgumentError EM320 for a missing function, EM603 for another signature.
    """
    path = Path(filename)
    fixed: Any = tuple(out_shape) if isinstance(out_shape, list) else out_shape
    key = path, function, tuple(fixed.items()) if isinstance(fixed, Mapping) else fixed
    try:
        known = _made.get(key)
    except TypeError:
        raise ArgumentError(f"out_shape is {out_shape!r}", code="EM604", hint="a tuple of sizes") from None
    if known is not None and known[0] == _states(path, known[1]):
        return known[1]
    before = _state(path)
    made = _operation(path, function, fixed)
    if len(_made) >= MOST:
        _made.clear()
    _made[key] = (before, *_states(path, made)[1:]), made
    return made


MOST = 64  # operations that are kept
_made: dict[Any, tuple[tuple[Any, ...], Operation]] = {}


def _states(path: Path, made: Operation) -> tuple[Any, ...]:
    """Of the file and of what it includes: equal while nobody writes to them."""
    compiled: Any = made.contract.function.program.compiled
    return _state(path), *(_state(Path(name)) for name, _ in compiled.record.files)


def _state(path: Path) -> tuple[int, ...] | None:
    try:
        found = path.stat()
    except (OSError, ValueError):  # no name that a file can have
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def _operation(path: Path, name: str, out_shape: Any) -> Operation:
    function = compile_c(path)[name]
    first, _, last = _fitting(function)
    count = function.c_signature.parameters[1].name or "p1"

    return operation(function, shape={first: count}, out_shape=OfInput(out_shape), outputs=last)


@dataclass(frozen=True)
class OfInput:
    """The shape of `out`: what was asked for, else that of `inp`. (A class, because operations are pickled.)"""

    asked: Any = None

    def told(self) -> Any:
        """What it is made of (identity.py)."""
        return self.asked

    def __call__(self, inp: Shape) -> Any:
        chosen = self.asked(inp) if callable(self.asked) else self.asked
        return inp if chosen is None else chosen


def _fitting(function: CFunction) -> tuple[str, str, str]:
    """The names of the three parameters. ArgumentError EM603 where there are others."""
    signature = function.c_signature
    kinds = [parameter.type for parameter in signature.parameters]
    names = function.arguments().names
    fits = len(kinds) == 3 and isinstance(signature.result, Void)
    fits = (
        fits and isinstance(kinds[0], Pointer) and isinstance(kinds[2], Pointer) and not isinstance(kinds[1], Pointer)
    )
    if not fits or str(kinds[0]).replace("const ", "") != str(kinds[2]):
        raise ArgumentError(
            f"{signature} does not fit the contract of a layer from a file",
            code="EM603",
            hint=f"void {function.name}(float *inp, size_t n, float *out), or op(em.compile_c(…)[{function.name!r}]) for any other",
        )
    return names[0], names[1], names[2]
