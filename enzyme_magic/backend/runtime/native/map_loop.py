"""The text of the native loop behind `map`.

Invariant: @em.map(saved?, count, arena?, per parameter (pointer, stride) or a pointer to its constant, per result
(pointer, stride)) calls the function once per element, in order. Strides are bytes; where all of them are the elements'
sizes a loop with constant strides runs instead, which LLVM vectorizes. Result memory overlaps nothing.

`saved`: a copy of the static data that each call leaves as it was, where there is any.

This is text; mapping.py compiles and calls it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from enzyme_magic.backend.frontend.c_types import CType
from enzyme_magic.backend.native import FieldKind, ResultField, Static
from enzyme_magic.backend.runtime.calls import invoke, loops
from enzyme_magic.backend.runtime.calls.invoke import Code
from enzyme_magic.backend.runtime.values import layout

SYMBOL = "em.map"
OWN = frozenset([SYMBOL, f"{SYMBOL}.dense", f"{SYMBOL}.strided"])


@dataclass(frozen=True, slots=True)
class LoopOutput:
    """One result array. kind, parameter and offset as in ResultField; `word` is LLVM's type with its extension."""

    kind: FieldKind
    word: str
    parameter: int | None
    offset: int


def outputs_of(code: Code) -> list[LoopOutput]:
    """The results of a function that `map` gives back."""
    fields: tuple[ResultField, ...] = code.entry.fields if code.entry.result is None else (code.entry.result,)
    by_value = code.entry.result is not None
    return [
        LoopOutput(
            field.kind,
            invoke.result_word(code.entry, code.signature) if by_value else field.type,
            field.parameter,
            field.offset,
        )
        for field in fields
        if field.kind in ("value", "gradient")
    ]


_DTYPES = {"double": "f8", "float": "f4", "i1": "?", "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8"}
_SIZES = {"double": 8, "float": 4, "x86_fp80": 16, "i1": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8}


def dtype_of_word(word: str) -> Any:
    """The dtype of a result array."""
    import numpy as np

    plain, _, extension = word.partition(" ")
    if plain == "x86_fp80":
        return np.dtype(np.longdouble)
    dtype = np.dtype(_DTYPES[plain])
    return np.dtype(f"u{dtype.itemsize}") if extension == "zeroext" and dtype.kind == "i" else dtype


def loop_words(code: Code, outputs: Sequence[LoopOutput], uniform: Sequence[bool]) -> list[str]:
    """Types of the loop's parameters: count, what the runtime supplies, (pointer, stride) per array, pointer per constant."""
    words = ["ptr"] * bool(loops.put_back(code))
    words += ["i64"] + ["ptr"] * len(invoke.context_slots(code.entry))
    for same in uniform:
        words += ["ptr"] if same else ["ptr", "i64"]
    return words + ["ptr", "i64"] * len(outputs)


def loop_text(code: Code, types: Sequence[CType], outputs: Sequence[LoopOutput], uniform: Sequence[bool]) -> str:
    """A module with @em.map, its two loops, and the declaration of the function they call."""
    writer = _LoopWriter(code, list(types), list(outputs), list(uniform))
    loops = [writer.loop("dense", dense=True), writer.loop("strided", dense=False)]
    return "\n".join([declaration(code, writer.put_back), writer.dispatch(), *loops])


def restored(kept: Sequence[Static]) -> list[str]:
    """Instructions after which static data is as before the loop; %saved is the copy of it."""
    lines, at = [], 0
    for k, static in enumerate(kept):
        place = f'@"{static.symbol}"'
        if static.each_threads:
            lines.append(f"  %s{k}.own = call ptr @__emutls_get_address(ptr {place})")
            place = f"%s{k}.own"
        lines += [
            f"  %s{k}.to = getelementptr i8, ptr {place}, i64 {static.offset}",
            f"  %s{k}.from = getelementptr i8, ptr %saved, i64 {at}",
            f"  call void @llvm.memcpy.p0.p0.i64(ptr %s{k}.to, ptr %s{k}.from, i64 {static.size}, i1 false)",
        ]
        at += static.size
    return lines


def declaration(code: Code, kept: Sequence[Static]) -> str:
    """What a module with a loop declares."""
    result, words = invoke.words(code.entry, code.signature)
    plain, _, extension = result.partition(" ")
    lines = [f'declare {extension} {plain} @"{code.entry.symbol}"({", ".join(words)})']
    if kept:
        lines.append("declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)")
    if any(static.each_threads for static in kept):
        lines.append("declare ptr @__emutls_get_address(ptr)")
    return "\n".join([*lines, *(f'@"{name}" = external global i8' for name in dict.fromkeys(s.symbol for s in kept))])


class _LoopWriter:
    """Writes the loop over one function's scalar parameters."""

    def __init__(self, code: Code, types: list[CType], outputs: list[LoopOutput], uniform: list[bool]) -> None:
        self.code = code
        self.outputs = outputs
        self.uniform = uniform
        self.words = [layout.word_of(type_) for type_ in types]
        self.context = invoke.context_slots(code.entry)
        self.put_back = loops.put_back(code)

    def _plain(self, word: str) -> str:
        return word.split()[0]

    def _callee(self) -> str:
        return f'"{self.code.entry.symbol}"'

    def _parameters(self) -> str:
        parts = ["ptr %saved"] * bool(self.put_back)
        parts += ["i64 %count"] + [f"ptr %{slot.kind}" for slot in self.context]
        for index, same in enumerate(self.uniform):
            parts.append(f"ptr %a{index}" if same else f"ptr %a{index}, i64 %s{index}")
        parts += [f"ptr noalias %o{index}, i64 %t{index}" for index in range(len(self.outputs))]
        return ", ".join(parts)

    def _arguments(self) -> str:
        return self._parameters().replace(" noalias", "")

    def dispatch(self) -> str:
        """@em.map: the loop for arrays without gaps where all strides are the elements' sizes."""
        lines = [f"define void @{SYMBOL}({self._parameters()}) {{", "  %d = add i1 true, false"]
        sizes = [
            (f"%s{index}", _SIZES[self._plain(word)])
            for index, (word, same) in enumerate(zip(self.words, self.uniform, strict=True))
            if not same
        ]
        sizes += [(f"%t{index}", _SIZES[self._plain(output.word)]) for index, output in enumerate(self.outputs)]
        dense = "%d"
        for index, (stride, size) in enumerate(sizes):
            lines += [f"  %e{index} = icmp eq i64 {stride}, {size}", f"  %d{index} = and i1 {dense}, %e{index}"]
            dense = f"%d{index}"
        lines += [
            f"  br i1 {dense}, label %dense, label %strided",
            "dense:",
            f"  call void @{SYMBOL}.dense({self._arguments()})",
            "  ret void",
            "strided:",
            f"  call void @{SYMBOL}.strided({self._arguments()})",
            "  ret void",
            "}",
        ]
        return "\n".join(lines)

    def loop(self, name: str, *, dense: bool) -> str:
        """One loop; dense: the strides are constants."""
        lines = [f"define internal void @{SYMBOL}.{name}({self._parameters()}) {{", "entry:"]
        if self.code.entry.size:
            lines.append(f"  %block = alloca [{self.code.entry.size} x i8], align 16")
        for index, word in enumerate(self.words):
            if self.uniform[index]:
                lines += self._load(index, word, f"%a{index}")
        lines += [
            "  %some = icmp sgt i64 %count, 0",
            "  br i1 %some, label %body, label %done",
            "body:",
            "  %i = phi i64 [ 0, %entry ], [ %next, %body ]",
        ]
        for index, word in enumerate(self.words):
            if not self.uniform[index]:
                lines += self._place(f"p{index}", f"%a{index}", f"%s{index}", word, dense)
                lines += self._load(index, word, f"%p{index}")
        lines += self._call() + restored(self.put_back)
        for index, output in enumerate(self.outputs):
            lines += self._place(f"q{index}", f"%o{index}", f"%t{index}", output.word, dense)
            lines += self._store(index, output)
        lines += [
            "  %next = add nuw nsw i64 %i, 1",
            "  %more = icmp slt i64 %next, %count",
            "  br i1 %more, label %body, label %done",
            "done:",
            "  ret void",
            "}",
        ]
        return "\n".join(lines)

    def _place(self, name: str, base: str, stride: str, word: str, dense: bool) -> list[str]:
        if dense:
            plain = self._plain(word)
            element = "i8" if plain == "i1" else plain
            return [f"  %{name} = getelementptr inbounds {element}, ptr {base}, i64 %i"]
        return [
            f"  %{name}.o = mul i64 %i, {stride}",
            f"  %{name} = getelementptr i8, ptr {base}, i64 %{name}.o",
        ]

    def _load(self, index: int, word: str, place: str) -> list[str]:
        plain = self._plain(word)
        if plain == "i1":
            return [f"  %v{index}.b = load i8, ptr {place}", f"  %v{index} = icmp ne i8 %v{index}.b, 0"]
        return [f"  %v{index} = load {plain}, ptr {place}"]

    def _call(self) -> list[str]:
        result, words = invoke.words(self.code.entry, self.code.signature)
        passed = []
        for slot, word in zip(self.code.entry.slots, words, strict=True):
            if slot.kind == "primal":
                value = f"%v{slot.parameter}"
            elif slot.kind == "results":
                value = "%block"
            elif slot.kind == "seed":
                value = {"x86_fp80": "0xK3FFF8000000000000000"}.get(word, "1.0")
            else:
                value = f"%{slot.kind}"
            passed.append(f"{word} {value}")
        assign = "" if result == "void" else "%r = "
        plain, _, extension = result.partition(" ")
        return [f"  {assign}call {extension} {plain} @{self._callee()}({', '.join(passed)})"]

    def _store(self, index: int, output: LoopOutput) -> list[str]:
        plain = self._plain(output.word)
        lines, value = [], "%r"
        if self.code.entry.result is None:
            value = f"%f{index}"
            lines = [
                f"  %f{index}.p = getelementptr inbounds i8, ptr %block, i64 {output.offset}",
                f"  {value} = load {plain}, ptr %f{index}.p",
            ]
        if plain == "i1":
            return [*lines, f"  %w{index} = zext i1 {value} to i8", f"  store i8 %w{index}, ptr %q{index}"]
        return [*lines, f"  store {plain} {value}, ptr %q{index}"]
