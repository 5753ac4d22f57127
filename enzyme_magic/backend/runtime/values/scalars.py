"""Python and NumPy numbers as C scalars, exactly.

Invariant: a number reaches C unchanged or the call is an ArgumentError: 2.5 or 300 for a `char`, 2**53 + 1 for a `double` and
NaN for an `int` are errors; an int for a double is fine. One exception, which C makes too: a finite number for a floating type
narrower than its own (0.1 for a `float`) is rounded once, because a literal could not be passed otherwise; overflow is an error.

It does not look at pointers (buffers.py), nor into structs (structs.py).
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import Any

from enzyme_magic.backend.frontend.c_types import CType, Scalar, Struct
from enzyme_magic.backend.runtime.values import layout
from enzyme_magic.backend.runtime.values.buffers import refuse_followed, refuse_mask
from enzyme_magic.backend.runtime.values.structs import StructConverter
from enzyme_magic.errors import ArgumentError

Converter = Callable[[Any], Any]


def converter(function: str, name: str, type_: CType) -> Converter:
    """What turns a Python object into the number ctypes passes for parameter `name` of C function `function`."""
    if layout.is_long_double(type_):
        return _Reporting(function, name, type_, _to_long_double)
    if layout.is_real(type_):
        assert isinstance(type_, Scalar)
        if type_.size == 8:
            return _quick(float, None, _Reporting(function, name, type_, _to_double))
        layout.ctype_of(type_)  # refuses those that have none
        return _Reporting(function, name, type_, _narrow(type_.size))
    if layout.is_integer(type_):
        allowed = layout.integer_range(type_)
        return _quick(int, allowed, _Reporting(function, name, type_, _to_integer(allowed)))
    if isinstance(type_, Scalar) and type_.kind == "complex":
        return _Reporting(function, name, type_, _to_complex(type_))
    if isinstance(type_, Struct):
        return StructConverter(function, name, type_, converter)
    raise ArgumentError(
        f"{function}: {name} has the C type {type_}, which cannot be passed from Python",
        code="EM313",
        hint="write a driver function in C that takes plain types",
    )


def _quick(exact: type, allowed: range | None, general: Converter) -> Converter:
    """`general`, without its checks for a plain Python number that needs none."""
    if allowed is None:
        return lambda value: value if type(value) is exact else general(value)
    return lambda value: value if type(value) is exact and value in allowed else general(value)


class _Reporting:
    """Calls `convert` and turns what it raises into an ArgumentError about one parameter."""

    __slots__ = ("convert", "function", "name", "type")

    def __init__(self, function: str, name: str, type_: CType, convert: Converter) -> None:
        self.function = function
        self.name = name
        self.type = type_
        self.convert = convert

    def __call__(self, value: Any) -> Any:
        refuse_mask(value, f"{self.function}: {self.name}")
        refuse_followed(value, f"{self.function}: {self.name}")
        try:
            return self.convert(scalar_of(value))
        except _NotAScalar:
            raise self._array_error(value) from None
        except (TypeError, ValueError, OverflowError, struct.error) as error:
            raise self._number_error(value, str(error)) from None

    def _array_error(self, value: Any) -> ArgumentError:
        shape = getattr(value, "shape", None)
        what = f"an array of shape {shape}" if shape is not None else f"a {type(value).__name__}"
        return ArgumentError(
            f"{self.function}: {self.name} is {_with_article(self.type)} scalar, got {what}",
            code="EM303",
            hint=f"{self.function}.map(…) applies a scalar function to every element of its arrays",
        )

    def _number_error(self, value: Any, reason: str) -> ArgumentError:
        shown = repr(value) if len(repr(value)) <= 60 else type(value).__name__
        return ArgumentError(
            f"{self.function}: {self.name} is {_with_article(self.type)}, and {shown} is not exactly one: {reason}",
            code="EM302",
            hint=f"pass a number that {_with_article(self.type)} can hold",
        )


def _with_article(type_: CType) -> str:
    return f"{'an' if str(type_)[:1] in 'aeiou' else 'a'} {type_}"


class _NotAScalar(Exception):
    pass


def scalar_of(value: Any) -> Any:
    """`value` itself, a Python number for a NumPy scalar or an array of rank 0; _NotAScalar for anything with elements."""
    if isinstance(value, (int, float, complex)):
        return value
    if isinstance(value, (str, bytes)) or value is None:
        raise TypeError(f"a {type(value).__name__} is not a number")
    shape = getattr(value, "shape", None)
    if shape == () or shape is None:
        if isinstance(value, (list, tuple, set, dict, bytearray, memoryview)) and not isinstance(value, tuple):
            raise _NotAScalar
        return value
    raise _NotAScalar


def _item(value: Any) -> Any:
    """The Python number inside a NumPy scalar, where there is one (a longdouble has none). TypeError for times and the like,
    whose insides are numbers of some unit."""
    kind = getattr(getattr(value, "dtype", None), "kind", "f")
    if kind not in "biufcO":
        raise TypeError(f"a {type(value).__name__} is not a number")
    item = getattr(value, "item", None)
    return item() if item is not None else value


def _finite_float(value: Any) -> float:
    """The float equal to `value`, or ValueError."""
    if isinstance(value, float):
        return float(value)
    value = _item(value)
    if isinstance(value, complex):
        raise TypeError("it is complex")
    if not hasattr(value, "__float__") and not hasattr(value, "__index__"):
        raise TypeError(f"a {type(value).__name__} is not a number")
    number = float(value)
    if number != value and not math.isnan(number):
        raise ValueError(f"the nearest double is {number!r}")
    return number


def _to_double(value: Any) -> float:
    return _finite_float(value)


def _narrow(size: int) -> Converter:
    """For float (4) and half (2): rounds floats as C does, refuses overflow and integers that do not fit."""
    code = {4: "<f", 2: "<e"}[size]

    def convert(value: Any) -> float:
        number = _finite_float(value)
        (rounded,) = struct.unpack(code, struct.pack(code, number))
        if isinstance(value, int) and rounded != value:
            raise ValueError(f"the nearest one is {rounded!r}")
        return number

    return convert


def _to_long_double(value: Any) -> layout.ExactLongDouble:
    return layout.long_double(_long_double(value))


def _long_double(value: Any) -> Any:
    """The numpy.longdouble equal to `value`, or ValueError."""
    import numpy as np

    value = _item(value)
    if not isinstance(value, (int, np.longdouble)):
        return np.longdouble(_finite_float(value))
    wide = np.longdouble(value)
    if isinstance(value, int) and int(wide) != value:
        raise ValueError(f"the nearest one is {wide}")
    return wide


def _to_integer(allowed: range) -> Converter:
    def convert(value: Any) -> int:
        number = _whole(value)
        if number not in allowed:
            raise OverflowError(f"it holds {allowed.start} … {allowed.stop - 1}")
        return number

    return convert


def _whole(value: Any) -> int:
    value = _item(value)
    if isinstance(value, int):
        return int(value)
    if hasattr(value, "__index__"):
        return int(value.__index__())
    if isinstance(value, float) or hasattr(value, "__float__"):
        number = float(value)
        if number.is_integer() and number == value:
            return int(number)
        raise ValueError("it has a fraction" if math.isfinite(number) else "it is not finite")
    raise TypeError(f"a {type(value).__name__} is not an integer")


def _to_complex(type_: Scalar) -> Converter:
    """The real and the imaginary part, each converted as a number of its own."""
    if "long double" in type_.base:
        return _to_long_complex
    part = _to_double if type_.size == 16 else _narrow(type_.size // 2)

    def convert(value: Any) -> complex:
        real, imaginary = _complex_parts(value)
        return complex(part(real), part(imaginary))

    return convert


def _to_long_complex(value: Any) -> Any:
    import numpy as np

    made = np.zeros((), np.clongdouble)
    made.real, made.imag = map(_long_double, _complex_parts(value))
    return made[()]


def _complex_parts(value: Any) -> tuple[Any, Any]:
    value = _item(value)
    kind = getattr(getattr(value, "dtype", None), "kind", "")  # (a clongdouble is not Python's complex)
    return (value.real, value.imag) if isinstance(value, complex) or kind == "c" else (value, 0)
