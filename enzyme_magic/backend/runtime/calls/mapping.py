"""Scalar functions over arrays: one generated native loop, NumPy's broadcasting.

Invariant: `Map(code, …)(xs, …)` equals calling the function element by element on the broadcast arguments; dtypes are the C types',
results are fresh 64-byte aligned arrays of the broadcast shape. The loop is compiled once per function: the function's own body is
linked in as an available_externally copy, so LLVM inlines and vectorizes it; two versions are made, for arrays without gaps
and for any strides, and a constant argument is passed by value.

Arguments are converted exactly, as scalars are: see scalars.py. Functions with pointer or struct parameters are refused.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from enzyme_magic.backend.frontend.c_types import CType
from enzyme_magic.backend.llvm.objects import jit
from enzyme_magic.backend.runtime.calls import invoke, loops
from enzyme_magic.backend.runtime.calls.callable import Pack
from enzyme_magic.backend.runtime.calls.invoke import Code
from enzyme_magic.backend.runtime.contents import NamedByContent
from enzyme_magic.backend.runtime.native import loop_text, map_loop
from enzyme_magic.backend.runtime.values import buffers, layout
from enzyme_magic.backend.runtime.values.arguments import ArgumentBinder
from enzyme_magic.errors import ArgumentError, user_frames
from enzyme_magic.progress import step

NOT_INLINED = loops.Inlined()


class Map(NamedByContent):
    """`code` applied to every element of its broadcast arguments.

    inlined: the text of the function's program; without it the loop calls the function.
    wrt: the parameters whose gradients are given back, in order (none for the C function itself).
    pack: makes the result of the value array (or None) and the gradient arrays. owner: what has this as `map`; pickles carry it.
    """

    # without a dictionary, which functools.update_wrapper would copy to an object that is pickled
    __slots__ = (
        "__weakref__", "_lock", "_loops", "arguments", "code", "inlined", "outputs", "owner", "pack", "types", "wrt",
    )  # fmt: skip

    def __init__(
        self,
        code: Code,
        arguments: ArgumentBinder,
        pack: Pack,
        *,
        wrt: Sequence[int] = (),
        inlined: loops.Inlined = NOT_INLINED,
        owner: Any = None,
    ) -> None:
        """ArgumentError EM318 when the function is not one of plain numbers."""
        self.code = code
        self.arguments = arguments
        self.pack = pack
        self.wrt = tuple(wrt)
        self.inlined = inlined
        self.owner = owner
        self.types: list[CType] = [parameter.type for parameter in code.signature.parameters]
        self._refuse_others()
        self.outputs = map_loop.outputs_of(code)
        self._loops: dict[tuple[bool, ...], tuple[Any, jit.Library]] = {}
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        return getattr, (self.owner, "map")

    def _refuse_others(self) -> None:
        name = self.code.signature.name
        kinds = [f"{called} is a {type_}" for called, type_ in zip(self.arguments.names, self.types, strict=True)]
        other = [kind for kind, type_ in zip(kinds, self.types, strict=True) if not _is_plain(type_)]
        if not other and any(slot.kind == "arguments" for slot in self.code.entry.slots):
            result = self.code.signature.result
            other = ["it has no prototype" if _is_plain(result) else f"it returns a {result}"]
        if other:
            raise ArgumentError(
                f"{name}.map: {other[0]}; map applies functions of plain numbers",
                code="EM318",
                hint=f"call {name} directly, or write the loop in C",
            )
        if not self.types or not (self.code.entry.result or self.code.entry.fields):
            missing = "no parameters" if not self.types else "no result"
            raise ArgumentError(f"{name}.map: {name} has {missing}", code="EM318", hint=f"call {name} directly")

    @user_frames
    def __call__(self, /, *args: Any, **named: Any) -> Any:
        """Arrays, or numbers that stay the same, for every parameter; NumPy's broadcasting rules."""
        import numpy as np

        raw = self.arguments.bind(args, named)
        columns = [self._column(index, value) for index, value in enumerate(raw)]
        try:
            shape = np.broadcast_shapes(*(column.shape for column in columns))
        except ValueError:
            shapes = ", ".join(f"{n}{c.shape}" for n, c in zip(self.arguments.names, columns, strict=True))
            raise ArgumentError(
                f"{self.code.signature.name}.map: shapes do not fit together: {shapes}",
                code="EM319",
                hint="NumPy's broadcasting rules apply",
            ) from None
        empty: Callable[..., Any] = buffers.empty
        if self.code.isolated:
            from enzyme_magic.backend.runtime.isolation import shared

            empty, columns = shared.shared_empty, [shared.copy_of(column) for column in columns]
        made = [empty(shape, loop_text.dtype_of_word(output.word)) for output in self.outputs]
        with step(f"{self.code.signature.name}.map"):
            self._run(columns, made)
        return self._result(made)

    def _result(self, made: list[Any]) -> Any:
        arrays = [array[()] if array.shape == () else array for array in made]
        value = next(
            (array for array, output in zip(arrays, self.outputs, strict=True) if output.kind == "value"), None
        )
        gradients = {o.parameter: array for array, o in zip(arrays, self.outputs, strict=True) if o.kind == "gradient"}
        return self.pack(value, [gradients[index] for index in self.wrt])

    def _column(self, index: int, value: Any) -> Any:
        called = f"{self.code.signature.name}.map"
        return exact_array(called, self.arguments.names[index], value, layout.dtype_of(self.types[index]))

    def _run(self, columns: list[Any], made: list[Any]) -> None:
        import numpy as np

        uniform = tuple(column.size == 1 for column in columns)
        native = self._loop(uniform)
        varying = [column for column, same in zip(columns, uniform, strict=True) if not same]
        context = invoke.context(self.code.entry)
        access: Any = [["readonly"]] * len(varying) + [["writeonly"]] * len(made)
        chunks = np.nditer([*varying, *made], flags=["external_loop", "zerosize_ok"], op_flags=access)
        for chunk in chunks:
            parts = chunk if isinstance(chunk, tuple) else (chunk,)
            rest = iter(parts)
            passed: list[Any] = [parts[0].size, *context]
            for column, same in zip(columns, uniform, strict=True):
                part = column if same else next(rest)
                passed += [buffers.address_of(part)] if same else [buffers.address_of(part), part.strides[0]]
            for part in rest:
                passed += [buffers.address_of(part), part.strides[0]]
            native(*passed)

    def _loop(self, uniform: tuple[bool, ...]) -> Any:
        with self._lock:
            if uniform not in self._loops:
                self._loops[uniform] = self._compile(uniform)
            return self._loops[uniform][0]

    def _compile(self, uniform: tuple[bool, ...]) -> tuple[Any, jit.Library]:
        text = map_loop.text_of(self.code, self.types, self.outputs, uniform)
        words = map_loop.loop_words(self.code, self.outputs, uniform)
        return loops.loaded(self.code, self.inlined, text, map_loop.SYMBOL, map_loop.OWN, words)


def _is_plain(type_: CType) -> bool:
    return layout.is_real(type_) or layout.is_integer(type_)


def exact_array(function: str, name: str, value: Any, dtype: Any) -> Any:
    """`value` as an array of exactly `dtype`, or ArgumentError EM302 where an element would change.

    Like scalars: a finite float may be rounded to a narrower floating type, nothing else may change.
    """
    import numpy as np

    buffers.refuse_mask(value, f"{function}: {name}")

    def wrong(problem: str) -> ArgumentError:
        return ArgumentError(f"{function}: {name} {problem}", code="EM302", hint="np.array(…), of numbers")

    array = buffers.array_of(value, wrong)
    if array.dtype == dtype and array.dtype.isnative:
        return array
    if array.dtype.kind not in "biuf" or (
        array.dtype.kind == "f" and dtype.kind in "iub" and not np.isfinite(array).all()
    ):
        raise _inexact(function, name, array, dtype)
    with np.errstate(all="ignore"):
        converted = array.astype(dtype)
        if array.dtype.kind == "f" and dtype.kind == "f":
            same = np.isfinite(converted) | ~np.isfinite(array)
        else:
            same = _equal_numbers(converted, array)
    if not np.all(same):
        raise _inexact(function, name, array, dtype)
    return converted


def _equal_numbers(converted: Any, array: Any) -> Any:
    """Elementwise equality as numbers; comparing an int64 with a float64 directly would round the integer first."""
    import numpy as np

    if {converted.dtype.kind, array.dtype.kind} & {"f"}:
        whole, floating = (converted, array) if array.dtype.kind == "f" else (array, converted)
        wide = np.longdouble if np.finfo(np.longdouble).nmant >= 63 else object
        return whole.astype(wide) == floating.astype(wide)
    return np.equal(converted, array)


def _inexact(function: str, name: str, array: Any, dtype: Any) -> ArgumentError:
    return ArgumentError(
        f"{function}: {name} takes {dtype}, and not every element of this {array.dtype} array is exactly one",
        code="EM302",
        hint=f"{name}.astype(np.{dtype.name}) to accept the change",
    )
