"""Python functions that C code calls: the handlers of custom rules.

Invariant: a handler gets numbers and gives numbers. Native code cannot be left by a Python exception: when a handler raises, the
native call goes on with NaN, and the exception is raised when it has returned (`raise_pending`, per thread). A handler stays alive
as long as the process, because code that calls it may.

The names under which native code calls them are of this process alone. Text that leaves it carries the functions themselves, and is
renamed where it arrives (`used_in`, `renaming`).

One native signature serves all: (format of the arguments, the arguments, how many numbers are wanted, where to).
"""

from __future__ import annotations

import ctypes
import re
import struct
import threading
from collections.abc import Callable, Mapping, Sequence
from numbers import Real
from typing import Any

from enzyme_magic.backend.native import PYTHON_HANDLER
from enzyme_magic.errors import ArgumentError

PENDING: dict[int, BaseException] = {}
_PROTOTYPE = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p)
_KNOWN: dict[Callable[..., Any], str] = {}
_NATIVE: dict[str, Any] = {}
_LOCK = threading.Lock()
_SYMBOL = re.compile(rf"{re.escape(PYTHON_HANDLER)}\d+\b")


def symbol_of(function: Callable[..., Any]) -> str:
    """The name under which native code calls `function`; the same for the same function."""
    with _LOCK:
        if function not in _KNOWN:
            symbol = f"{PYTHON_HANDLER}{len(_KNOWN)}"
            _NATIVE[symbol] = _PROTOTYPE(_native(function))
            _KNOWN[function] = symbol
        return _KNOWN[function]


def symbols() -> dict[str, int]:
    """What programs with Python handlers are linked with: name -> address."""
    return {name: ctypes.cast(native, ctypes.c_void_p).value or 0 for name, native in _NATIVE.items()}


def function_of(symbol: str) -> Callable[..., Any]:
    """The function that native code calls by `symbol` in this process."""
    return next(function for function, known in _KNOWN.items() if known == symbol)


def used_in(text: str) -> dict[str, Callable[..., Any]]:
    """The functions whose names a text mentions."""
    return {symbol: function_of(symbol) for symbol in sorted(set(_SYMBOL.findall(text)))}


def renamed(text: str, name: Callable[[Callable[..., Any]], str]) -> str:
    """Text with another name for each function it mentions."""
    return _SYMBOL.sub(lambda found: name(function_of(found[0])), text)


def renaming(carried: Mapping[str, Callable[..., Any]]) -> Callable[[str], str]:
    """What makes text of another process, which came with `carried`, text of this one."""
    here = {there: symbol_of(function) for there, function in carried.items()}
    return lambda text: _SYMBOL.sub(lambda found: here[found[0]], text)


def raise_pending() -> None:
    """Raise what a handler raised in this thread's last native call."""
    error = PENDING.pop(threading.get_ident(), None)
    if error is not None:
        raise error


def _native(function: Callable[..., Any]) -> Callable[[bytes, int, int, int], None]:
    def call(form: bytes, arguments: int, count: int, results: int) -> None:
        try:
            given = struct.unpack(form, ctypes.string_at(arguments, struct.calcsize(form)))
            numbers = _numbers(function(*given), count, function)
        except BaseException as error:  # also KeyboardInterrupt: nothing may pass through native code
            PENDING.setdefault(threading.get_ident(), error)
            numbers = [float("nan")] * count
        ctypes.memmove(results, struct.pack(f"={count}d", *numbers), 8 * count)

    return call


def _numbers(result: Any, count: int, function: Callable[..., Any]) -> Sequence[float]:
    several = isinstance(result, (tuple, list))
    given = list(result) if several else [] if result is None else [result]
    if len(given) != count:
        name = getattr(function, "__name__", str(function))
        raise ArgumentError(
            f"{name} gave {len(given)} number{'s' if len(given) != 1 else ''}, {count} are wanted",
            code="EM333",
            hint="one for each floating parameter, as a tuple",
        )
    return [_real(number, result, function) for number in given]


def _real(value: Any, result: Any, function: Callable[..., Any]) -> float:
    """The double nearest to a real number, also one in an array of rank 0. `result`: what the handler gave, for the message."""
    number = value
    known = getattr(getattr(value, "dtype", None), "kind", "f") in "biuf" and not getattr(value, "mask", False)
    if known and getattr(value, "shape", None) == () and hasattr(value, "item"):
        number = value.item()
    if not known or not isinstance(number, Real):
        raise ArgumentError(
            f"the rule {getattr(function, '__name__', function)} gave {result!r}, where real numbers are wanted",
            code="EM333",
            hint="one for each floating parameter",
        )
    try:
        return float(number)
    except OverflowError:
        raise ArgumentError(
            f"the rule {getattr(function, '__name__', function)} gave a number that no double holds",
            code="EM333",
            hint="one real number for each floating parameter",
        ) from None
