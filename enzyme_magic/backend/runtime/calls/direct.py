"""Functions and gradients that Python calls without ctypes: which can be, and how they are made.

Invariant: what is made here gives what the general callables of callable.py give, and hands every call to them that is not as plain
as it gets (native/direct_text.py). A function is left to them altogether where more happens around a call than a guard: output in
order, turns, static data put back, working copies of what is written; where a type is no plain number, array of numbers, or formula
of sizes; and where CPython or NumPy are not as they are known to be.

One piece of native code serves all functions of the same signature; it stays for the rest of the process. The interpreter lock is
free during a call of a function that may wait for others. One that does little keeps it. One with loops keeps it where calls of
that size were short: one that was not costs the next thousand calls their turn with the lock.
"""

from __future__ import annotations

import ast
import ctypes
import platform
import struct
import sys
import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import Any

from enzyme_magic.backend.frontend.c_types import Array, Pointer, Void
from enzyme_magic.backend.llvm.bounded import Effort
from enzyme_magic.backend.llvm.objects import jit
from enzyme_magic.backend.native import MemoryNeed
from enzyme_magic.backend.runtime import arena, exits
from enzyme_magic.backend.runtime.calls import handlers, invoke
from enzyme_magic.backend.runtime.calls.invoke import Code
from enzyme_magic.backend.runtime.native import direct_shared, direct_text, direct_writer, kept_objects, texts
from enzyme_magic.backend.runtime.native.direct_form import ByValue, Direct, Formula, Least, Memory, Piece
from enzyme_magic.backend.runtime.values import layout, needs, objects
from enzyme_magic.backend.runtime.values.arguments import ArgumentBinder
from enzyme_magic.errors import ArgumentError

CALLS = 100  # before a function is worth it: making one takes 10 to 20 milliseconds
_WORDS = ("double", "float")
_LOCKS = {
    Effort.LITTLE: "kept",
    Effort.ALONE: "measured" if platform.machine() == "x86_64" else "free",
    Effort.UNKNOWN: "free",
}
_ARITHMETIC = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}
_lock = threading.RLock()
_libraries: dict[tuple[str, bool], jit.Library] = {}


@dataclass(frozen=True, slots=True)
class Form:
    """What the user gets. wrt: the parameters whose gradients come back, in order, as a tuple of type `kind`, or bare where it is
    None; value: the function's value comes before. None of a C function itself: its result."""

    wrt: tuple[int, ...] | None = None
    kind: type[Any] | None = None
    value: bool = False


class _Not(Exception):
    """There is no direct way to call this."""


def made(
    code: Code,
    arguments: ArgumentBinder,
    form: Form,
    out: Mapping[int, Any],
    fallback: Callable[..., Any],
    *,
    work: Effort,
) -> Callable[..., Any] | None:
    """The function as a built-in of Python; None where there can be none. out: the caller's arrays for gradients; fallback: what is
    called for everything else; work: how much a call can do."""
    try:
        direct = _direct(code, arguments, form, out, _LOCKS[work])
        library = _library(direct)
    except _Not:
        return None
    dtypes = [pointers.dtype if (pointers := arguments.pointers.get(k)) else None for k in range(len(arguments.names))]
    given = [out.get(k) for k in range(len(arguments.names))]
    held = [form.kind, *dtypes, *given]
    times = (ctypes.c_int64 * 2)(-1, 0)
    own = [code.address, ctypes.addressof(times)]
    words = struct.pack(f"<{2 + len(held)}Q", *own, *(0 if one is None else id(one) for one in held))
    state = (words, fallback, code, library, times, held)
    function: Callable[..., Any] = _new_function()(library.address(direct_text.METHOD), state, None)
    return function


class Often:
    """What several objects are called by: `general`, until it has been called often; then, where there is one, its direct way.

    make: gives that, or None. An object that is given to `serve` has a slot `_direct`, and its `__call__` calls its `_call`.
    """

    __slots__ = ("_direct", "_make", "_served", "call", "general")

    def __init__(
        self, general: Callable[..., Any], make: Callable[[Callable[..., Any]], Callable[..., Any] | None]
    ) -> None:
        self.general = general
        self._make = make
        self._direct: Callable[..., Any] | None = None
        self._served: weakref.WeakSet[Any] = weakref.WeakSet()
        calls = count(1)

        def call(*args: Any, **named: Any) -> Any:
            if next(calls) == CALLS:
                self._go_direct()
            return general(*args, **named)

        self.call: Callable[..., Any] = call

    def serve(self, holder: Any) -> None:
        """Calls of `holder` are calls of this from now on."""
        with _lock:
            if self.call is not self.general:
                self._served.add(holder)
            self._arrange(holder)

    def _go_direct(self) -> None:
        made = self._make(self._for_user)
        with _lock:
            self._direct, self.call = made, self.general
            for holder in list(self._served):
                self._arrange(holder)
            self._served.clear()

    def _arrange(self, holder: Any) -> None:
        holder._call = self.call
        if self._direct is not None:
            holder._direct = self._direct
            kind: Any = type(holder)
            if "_direct" in kind.__dict__:
                holder.__class__ = directly_called(kind)

    def _for_user(self, /, *args: Any, **named: Any) -> Any:
        __tracebackhide__ = True
        try:
            return self.general(*args, **named)
        except ArgumentError as error:
            raise error.for_user() from error.__cause__


@cache
def directly_called(kind: Any) -> Any:
    """The same type, of which a call is one of what the slot `_direct` holds: then no code of Python runs for it."""
    own = kind.__dict__
    members = {name: own[name] for name in ("__module__", "__qualname__", "__doc__") if name in own}
    return type(kind.__name__, (kind,), {**members, "__slots__": (), "__call__": own["_direct"]})


# What is called ------------------------------------------------------------------------------------------------------


def _direct(code: Code, arguments: ArgumentBinder, form: Form, out: Mapping[int, Any], lock: str) -> Direct:
    entry, signature = code.entry, code.signature
    around = entry.prints or entry.takes_turns or (entry.puts_back and bool(entry.statics))
    if (
        code.isolated
        or code.uniform
        or around
        or not isinstance(code.keep, jit.Library)
        or not objects.numbers_are_known()
    ):
        raise _Not
    slots = tuple((slot.kind, -1 if slot.parameter is None else slot.parameter) for slot in entry.slots)
    if not {kind for kind, _ in slots} <= {"arena", "primal", "shadow", "seed", "results"}:
        raise _Not
    result, words = invoke.words(entry, signature)
    if any(kind == "seed" and word not in _WORDS for (kind, _), word in zip(slots, words, strict=True)):
        raise _Not
    shadowed = {index for kind, index in slots if kind == "shadow"}
    if not set(out) <= shadowed:
        raise _Not
    memory = {k: "given" if k in out else "fresh" for k in shadowed}
    parameters = tuple(_parameter(arguments, k, memory.get(k, "")) for k in range(len(arguments.names)))
    value, pieces = _pieces(code, form, frozenset(shadowed))
    return Direct(
        parameters=parameters,
        sizes=frozenset(arguments.names.index(name) for name in arguments.inferable),
        checked=not arguments.unchecked,
        least=tuple(_least(arguments, need) for need in arguments.checked_needs),
        slots=slots,
        words=words,
        result=result,
        block=entry.size,
        pieces=pieces,
        several=form.kind is not None,
        value=value,
        handlers=invoke.leaves(entry),
        lock=lock,
    )


def _parameter(arguments: ArgumentBinder, index: int, result: str) -> ByValue | Memory:
    type_ = arguments.signature.parameters[index].type
    if layout.is_real(type_) and layout.word_of(type_) in _WORDS:
        return ByValue(layout.word_of(type_))
    if layout.is_integer(type_):
        allowed = layout.integer_range(type_)
        return ByValue(layout.word_of(type_), allowed.start, allowed.stop - 1)
    pointer = arguments.pointers.get(index)
    if not isinstance(type_, (Pointer, Array)) or pointer is None or pointer.dtype is None:
        raise _Not
    declared = arguments.extents.arrays.get(arguments.names[index])
    extents = declared.extents if declared else ()
    formulas = tuple(None if extent is None else _formula(extent.tree, arguments) for extent in extents)
    return Memory(pointer.dtype.itemsize, pointer.written, formulas, result)


def _formula(tree: ast.expr, arguments: ArgumentBinder) -> Formula:
    """A formula of integer parameters, by the indices of these."""
    if isinstance(tree, ast.Constant) and type(tree.value) is int and abs(tree.value) < 1 << 62:
        return tree.value
    if isinstance(tree, ast.Name):
        return "parameter", arguments.index_of(tree.id)
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.USub):
        return "-", 0, _formula(tree.operand, arguments)
    if isinstance(tree, ast.BinOp) and type(tree.op) in _ARITHMETIC:
        return _ARITHMETIC[type(tree.op)], _formula(tree.left, arguments), _formula(tree.right, arguments)
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.func.id == "max" and len(tree.args) == 2:
        return "max", *(_formula(part, arguments) for part in tree.args)
    raise _Not


def _least(arguments: ArgumentBinder, need: MemoryNeed) -> Least:
    def formula(text: str) -> Formula:
        try:
            return _formula(ast.parse(text, mode="eval").body, arguments)
        except SyntaxError:  # a name that Python keeps for itself
            raise _Not from None

    names = tuple((index, needs.limit(arguments.signature, index)) for index in map(arguments.names.index, need.names))
    return Least(need.parameter, formula(need.size), tuple(map(formula, need.when)), names)


def _pieces(code: Code, form: Form, shadowed: frozenset[int]) -> tuple[Piece | None, tuple[Piece, ...]]:
    """The value that comes first, and the parts of the result."""
    entry = code.entry
    fields = entry.fields if entry.result is None else (entry.result,)
    value: Piece | None = None
    numbers: dict[int | None, Piece] = {}
    for field in fields:
        if field.kind == "value":
            value = Piece("number", _word_of_value(code), field.offset)
        elif field.type in _WORDS:
            numbers[field.parameter] = Piece("number", field.type, field.offset)
        else:
            raise _Not
    if form.wrt is None:
        return None, (value,) if value else ()
    if form.value != (value is not None) or (form.kind is None and len(form.wrt) != 1):
        raise _Not
    if any(k not in numbers and k not in shadowed for k in form.wrt):
        raise _Not
    return value, tuple(numbers[k] if k in numbers else Piece("memory", "", k) for k in form.wrt)


def _word_of_value(code: Code) -> str:
    """LLVM's type of the C result, with a u before it where it is an integer without sign."""
    type_ = code.signature.result
    if isinstance(type_, Void) or not (layout.is_real(type_) or layout.is_integer(type_)):
        raise _Not
    word = layout.word_of(type_).split()[0]
    if layout.is_real(type_):
        if word not in _WORDS:
            raise _Not
        return word
    return f"u{word}" if word != "i1" and layout.integer_range(type_).start == 0 else word


# How it is made ------------------------------------------------------------------------------------------------------


def _library(direct: Direct) -> jit.Library:
    numpy = _with_numpy(direct)
    key = direct_text.text(direct), numpy
    with _lock:
        if key not in _libraries:
            _libraries[key] = _loaded(key[0], _guards(direct), numpy)
        return _libraries[key]


def _with_numpy(direct: Direct) -> bool:
    """Whether the function may know NumPy: it needs it, or somebody has loaded it."""
    pieces = (piece for piece in (direct.value, *direct.pieces) if piece is not None)
    needed = any(isinstance(p, Memory) for p in direct.parameters) or any(piece.word == "float" for piece in pieces)
    if needed and objects.arrays() is None:
        raise _Not
    return needed or ("numpy" in sys.modules and objects.arrays() is not None)


def _guards(direct: Direct) -> dict[str, jit.Library]:
    guards = {}
    if direct.lock != "kept":
        guards["em.run.guard_passed"] = exits.python_trampoline(direct.result, direct.words)
    if direct.lock != "free":
        guards["em.run.guard_kept"] = exits.python_trampoline(direct.result, direct.words, keeps_lock=True)
    return guards


def _loaded(text: str, guards: Mapping[str, jit.Library], numpy: bool) -> jit.Library:
    shared = _shared(numpy)
    symbols = {**_python(direct_writer.PYTHON), **_objects(numpy)}
    symbols |= {name: shared.address(name) for name in direct_shared.EXPORTS}
    symbols |= {name: guard.address("em.run.guard_passed") for name, guard in guards.items()}
    symbols["em.run.arena_current"] = arena.address_of_current()
    exports = [direct_text.SYMBOL, direct_text.METHOD]
    image = jit.runtime_object(text, level=0)  # it is made while somebody waits for it
    return jit.Library.load([image], exports, needs=(*guards.values(), shared), symbols=symbols, runtime=True)


@cache
def _shared(numpy: bool) -> jit.Library:
    symbols = {**_python(direct_shared.PYTHON), **_objects(numpy)}
    functions = objects.arrays() if numpy else None
    for name in direct_shared.NUMPY:  # without NumPy nothing calls them
        symbols[f"em.np.{name}"] = getattr(functions, name) if functions else symbols["Py_IncRef"]
    image = kept_objects.object_of(texts.text_of(direct_shared.PART))
    return jit.Library.load([image], direct_shared.EXPORTS, symbols=symbols, runtime=True)


def _objects(numpy: bool) -> dict[str, int]:
    """Addresses of objects that live as long as the process. Where there is no NumPy, a type of its own stands for its types."""
    held: dict[str, Any] = {"em.type.float": float, "em.type.int": int, "em.none": None}
    held |= {"em.pending": handlers.PENDING, "em.raise_pending": handlers.raise_pending}
    names = ("em.type.double", "em.type.array", "em.dtype.bytes", "em.dtype.single")
    if numpy:
        import numpy as np

        held |= zip(names, (np.float64, np.ndarray, np.dtype(np.uint8), np.dtype(np.float32)), strict=True)
    else:
        held |= dict.fromkeys(names, _Not)
    return {name: id(one) for name, one in held.items()}


def _python(names: Sequence[str]) -> dict[str, int]:
    found: dict[str, Any] = {name: getattr(ctypes.pythonapi, name, None) for name in names}
    if None in found.values():
        raise _Not
    return {name: ctypes.cast(function, ctypes.c_void_p).value or 0 for name, function in found.items()}


@cache
def _new_function() -> Any:
    function = ctypes.pythonapi.PyCFunction_NewEx
    function.restype, function.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.py_object, ctypes.py_object]
    return function
