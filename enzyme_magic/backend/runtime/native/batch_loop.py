"""The text of the native loop over a batch: one function, called for each example with pointers into arrays.

Invariant: @em.batch(saved?, count, arena?, dims, bases, strides) calls the function `count` times, in the order of C (the last axis
first). The function's parameters but the runtime's own, then its results, are numbered as `places_of` numbers them; `bases` has an
address for each and `strides` bytes along each axis of the batch. A number is loaded from there, a pointer is passed.

`saved`: a copy of the static data that each call leaves as it was, where there is any. This is text; batch.py compiles it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

from enzyme_magic.backend.native import FieldKind, ResultField, Slot, SlotKind
from enzyme_magic.backend.runtime.calls import invoke, loops
from enzyme_magic.backend.runtime.calls.invoke import Code
from enzyme_magic.backend.runtime.native import loop_text

SYMBOL = "em.batch"
OWN = frozenset([SYMBOL])
BYTES = 8  # of an address, and of a stride


@dataclass(frozen=True, slots=True)
class BatchPlace:
    """A parameter or a result. kind, parameter: of its Slot or ResultField; word: LLVM's type; offset: in the results block."""

    kind: SlotKind | FieldKind
    parameter: int | None
    word: str
    offset: int = 0


def _is_given(slot: Slot) -> bool:
    return slot.kind not in ("arena", "results")


def places_of(code: Code) -> tuple[tuple[BatchPlace, ...], tuple[BatchPlace, ...]]:
    """What is given to each call, and what it gives back."""
    words = invoke.words(code.entry, code.signature)[1]
    given = [BatchPlace(s.kind, s.parameter, w) for s, w in zip(code.entry.slots, words, strict=True) if _is_given(s)]
    single: ResultField | None = code.entry.result
    if single is not None:
        word = invoke.result_word(code.entry, code.signature)
        return tuple(given), (BatchPlace(single.kind, single.parameter, word),)
    return tuple(given), tuple(BatchPlace(f.kind, f.parameter, f.type, f.offset) for f in code.entry.fields)


def loop_words(code: Code) -> list[str]:
    """Types of the loop's parameters."""
    return [
        *["ptr"] * bool(loops.put_back(code)),
        "i64",
        *["ptr"] * len(invoke.context_slots(code.entry)),
        *["ptr"] * 3,
    ]


def text_of(code: Code, rank: int) -> str:
    """A module with @em.batch for a batch of `rank` axes, and the declaration of the function that it calls."""
    kept = loops.put_back(code)
    given, made = places_of(code)
    places = (*given, *made)
    tables = [f"ptr noalias readonly %{name}" for name in ("dims", "bases", "strides")]
    context = [f"ptr %{slot.kind}" for slot in invoke.context_slots(code.entry)]
    parameters = ", ".join([*["ptr %saved"] * bool(kept), "i64 %count", *context, *tables])
    before = [line for axis in range(1, rank) for line in _read(f"n{axis}", "i64", "dims", axis)]
    for k in range(len(places)):
        before += _read(f"b{k}", "ptr", "bases", k)
        before += [line for axis in range(rank) for line in _read(f"s{k}.{axis}", "i64", "strides", k * rank + axis)]
    body = _positions(rank)
    for k in range(len(places)):
        body += _address(k, rank)
    for k, place in enumerate(given):
        body += loop_text.load(f"v{k}", place.word, f"%p{k}") if place.word != "ptr" else []
    body += [*_call(code), *loop_text.restored(kept)]
    for k, place in enumerate(made, len(given)):
        body += loop_text.store(f"v{k}", code, place.word, place.offset, f"%p{k}")
    loop = loop_text.counted(f"define void @{SYMBOL}({parameters})", code, before, body)
    return "\n".join([loop_text.declaration(code, kept), loop])


def _read(name: str, word: str, table: str, index: int) -> list[str]:
    return [
        f"  %{name}.p = getelementptr inbounds i8, ptr %{table}, i64 {index * BYTES}",
        f"  %{name} = load {word}, ptr %{name}.p",
    ]


def _positions(rank: int) -> list[str]:
    """%x0, %x1, …: where along each axis example %i lies."""
    lines, rest = [], "%i"
    for axis in range(rank - 1, 0, -1):
        lines += [f"  %x{axis} = urem i64 {rest}, %n{axis}", f"  %r{axis} = udiv i64 {rest}, %n{axis}"]
        rest = f"%r{axis}"
    return [*lines, f"  %x0 = add i64 {rest}, 0"]


def _address(k: int, rank: int) -> list[str]:
    lines, place = [], f"%b{k}"
    for axis in range(rank):
        name = f"%p{k}" if axis == rank - 1 else f"%p{k}.{axis}"
        lines += [
            f"  %o{k}.{axis} = mul i64 %x{axis}, %s{k}.{axis}",
            f"  {name} = getelementptr i8, ptr {place}, i64 %o{k}.{axis}",
        ]
        place = name
    return lines


def _call(code: Code) -> list[str]:
    numbers = count()

    def value(slot: Slot, word: str) -> str:
        if _is_given(slot):
            return f"{'%p' if word == 'ptr' else '%v'}{next(numbers)}"
        return "%block" if slot.kind == "results" else f"%{slot.kind}"

    return loop_text.call(code, value)


def parameters_used(places: Sequence[BatchPlace], kind: str) -> list[int]:
    """The parameters of which there are places of this kind, in order."""
    return [place.parameter for place in places if place.kind == kind and place.parameter is not None]
