"""A gradient's optimization, pass by pass, as a record for people.

Invariant: the texts are LLVM's for the module, the level and the processor of the JIT; the last one is the stage
"gradient-optimized", or there is none (InternalError EM924).
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from enzyme_magic.backend import deriving
from enzyme_magic.backend.autodiff.calls.request import Request
from enzyme_magic.backend.explain.passes import captions, marks, summary
from enzyme_magic.backend.explain.passes.changes import changes
from enzyme_magic.backend.explain.passes.listing import functions
from enzyme_magic.backend.llvm.apart.printed_passes import Printed, printed_passes
from enzyme_magic.backend.pipeline import CompiledProgram
from enzyme_magic.errors import InternalError
from enzyme_magic.report import Passes, PassStep, TextChange


def passes(program: CompiledProgram, request: Request) -> Passes:
    """What the optimizer did to the gradient of this request. Raises what making the gradient raises; ToolchainError EM125."""
    with program.tuned():
        texts, known = _texts(program, request)
    if texts[-1].text != program.derivative(request).gradient_optimized_ir.strip("\n") + "\n":
        raise InternalError("the passes do not end in the text of the stage gradient-optimized", code="EM924")
    runs: list[summary.Run] = []
    steps = tuple(_steps(texts, known, runs))
    return Passes(texts[0].text, steps, summary.optimizations(runs))


def _texts(program: CompiledProgram, request: Request) -> tuple[tuple[Printed, ...], tuple[marks.Origin, ...]]:
    program = program.told(request)
    record, strict = program.record, program.options.strict
    derivation, derivative = deriving.write(program.module, request, record, strict)
    found = marks.origins(derivative)
    entry = deriving.add_entry(derivation, derivative, request, record)
    text = deriving.with_supports(derivation)
    known = marks.describe(derivation, found)
    described = deriving.with_supports(derivation)
    return printed_passes(text, program.options.post_opt, [entry.symbol], described), known


def _steps(texts: Sequence[Printed], known: Sequence[marks.Origin], runs: list[summary.Run]) -> Iterator[PassStep]:
    """One after the other, so that only two texts are read at a time. runs: what is told of each is added."""
    before = _text(texts[0], known, {})
    for earlier, later in pairwise(texts):
        after = _text(later, known, _placed(before))
        found = changes(before.functions, after.functions)
        runs.append(summary.run(later.name, found, before, after))
        yield PassStep(
            later.name,
            captions.title(later.name),
            captions.about(later.name),
            later.on,
            captions.caption(later.name, found, before, after),
            tuple(_edits(earlier.text.split("\n"), later.text.split("\n"))),
            found.counts[1],
        )
        before = after


def _placed(text: captions.Text) -> dict[tuple[str, str], str]:
    """Where loops are, as far as this text or those before it know."""
    found = {
        (function.name, loop.header): captions.lines_of(text, function, loop)
        for function in text.functions.values()
        for loop in (function.loops if text.origins else ())
    }
    return {**text.places, **{loop: place for loop, place in found.items() if place}}


def _text(printed: Printed, known: Sequence[marks.Origin], places: Mapping[tuple[str, str], str]) -> captions.Text:
    origins = {place.line: known[place.column - 1] for place in printed.places if 0 < place.column <= len(known)}
    names = {place.line: place.name for place in printed.places}
    return captions.Text(functions(printed.text, names), origins, places)


def _edits(before: list[str], after: list[str]) -> Iterator[TextChange]:
    """From one text to the next, from its end to its beginning, so that the numbers of lines stay right."""
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    middle = difflib.SequenceMatcher(
        None, before[start : len(before) - end], after[start : len(after) - end], autojunk=False
    )
    for tag, i1, i2, j1, j2 in reversed(middle.get_opcodes()):
        if tag != "equal":
            yield TextChange(start + i1, i2 - i1, tuple(after[start + j1 : start + j2]))
