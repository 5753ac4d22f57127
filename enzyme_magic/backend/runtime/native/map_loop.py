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

from enzyme_magic.backend.frontend.c_types import CType
from enzyme_magic.backend.native import FieldKind, ResultField, Slot
from enzyme_magic.backend.runtime.calls import invoke, loops
from enzyme_magic.backend.runtime.calls.invoke import Code
from enzyme_magic.backend.runtime.native import loop_text
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


def loop_words(code: Code, outputs: Sequence[LoopOutput], uniform: Sequence[bool]) -> list[str]:
    """Types of the loop's parameters: count, what the runtime supplies, (pointer, stride) per array, pointer per constant."""
    words = ["ptr"] * bool(loops.put_back(code))
    words += ["i64"] + ["ptr"] * len(invoke.context_slots(code.entry))
    for same in uniform:
        words += ["ptr"] if same else ["ptr", "i64"]
    return words + ["ptr", "i64"] * len(outputs)


def text_of(code: Code, types: Sequence[CType], outputs: Sequence[LoopOutput], uniform: Sequence[bool]) -> str:
    """A module with @em.map, its two loops, and the declaration of the function they call."""
    writer = _LoopWriter(code, list(types), list(outputs), list(uniform))
    loops = [writer.loop("dense", dense=True), writer.loop("strided", dense=False)]
    return "\n".join([loop_text.declaration(code, writer.put_back), writer.dispatch(), *loops])


class _LoopWriter:
    """Writes the loop over one function's scalar parameters."""

    def __init__(self, code: Code, types: list[CType], outputs: list[LoopOutput], uniform: list[bool]) -> None:
        self.code = code
        self.outputs = outputs
        self.uniform = uniform
        self.words = [layout.word_of(type_) for type_ in types]
        self.context = invoke.context_slots(code.entry)
        self.put_back = loops.put_back(code)

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
            (f"%s{index}", loop_text.SIZES[loop_text.split(word)[0]])
            for index, (word, same) in enumerate(zip(self.words, self.uniform, strict=True))
            if not same
        ]
        sizes += [
            (f"%t{index}", loop_text.SIZES[loop_text.split(output.word)[0]])
            for index, output in enumerate(self.outputs)
        ]
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
        before, body = [], []
        for index, (word, same) in enumerate(zip(self.words, self.uniform, strict=True)):
            if same:
                before += loop_text.load(f"v{index}", word, f"%a{index}")
            else:
                body += self._place(f"p{index}", f"%a{index}", f"%s{index}", word, dense)
                body += loop_text.load(f"v{index}", word, f"%p{index}")
        body += loop_text.call(self.code, _given) + loop_text.restored(self.put_back)
        for index, output in enumerate(self.outputs):
            body += self._place(f"q{index}", f"%o{index}", f"%t{index}", output.word, dense)
            body += loop_text.store(f"w{index}", self.code, output.word, output.offset, f"%q{index}")
        head = f"define internal void @{SYMBOL}.{name}({self._parameters()})"
        return loop_text.counted(head, self.code, before, body)

    def _place(self, name: str, base: str, stride: str, word: str, dense: bool) -> list[str]:
        if dense:
            plain, _ = loop_text.split(word)
            element = "i8" if plain == "i1" else plain
            return [f"  %{name} = getelementptr inbounds {element}, ptr {base}, i64 %i"]
        return [
            f"  %{name}.o = mul i64 %i, {stride}",
            f"  %{name} = getelementptr i8, ptr {base}, i64 %{name}.o",
        ]


def _given(slot: Slot, word: str) -> str:
    if slot.kind == "primal":
        return f"%v{slot.parameter}"
    if slot.kind == "results":
        return "%block"
    if slot.kind == "seed":
        return {"x86_fp80": "0xK3FFF8000000000000000"}.get(word, "1.0")
    return f"%{slot.kind}"
