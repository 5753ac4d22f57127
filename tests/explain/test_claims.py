"""What pictures say of random programs, recomputed: from the C text, from a call that is watched, and from bytes that are measured.

The judges share nothing with what writes the sentences: the watched run is an interpreter of the IR (`backend/tracing`), bytes are
those of the arena, and a variable that "nothing reads" is given another number in the C text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.api.function import CFunction
from enzyme_magic.errors import EnzymeError
from enzyme_magic.report import Report, SourceLine
from tests.autodiff.random_programs import arguments, generate, translation_unit
from tests.autodiff.syntax import Program

PROGRAMS, UNIT = 200, 5
EVERY_CHANGE = frozenset({0, 1})  # the shortest; all of them every night
RUNS = re.compile(r"runs (at most )?(once|(.*) times)$")
CONDITION = re.compile(r"(?:^|; )([^;]*?) (?:decides|decide) (?:which|how often)")
IR_NAME = re.compile(r"(?<![\w)\]…])%[\w.]|\blcssa|\.i\d*\b|indvars|\bem\.")
NOBODY = re.compile(r"^optimized away: nothing reads (\w+)$")


@dataclass(frozen=True)
class Told:
    """A function, what is said of it, and a call."""

    function: CFunction
    report: Report
    call: list[Any]
    numbers: Mapping[str, int]  # whole numbers of the call, by parameter


@cache
def programs() -> list[Program]:
    return sorted((generate(seed) for seed in range(PROGRAMS)), key=lambda program: len(program.text()))


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(unit, marks=() if unit in EVERY_CHANGE else pytest.mark.nightly)
        for unit in range(PROGRAMS // UNIT)
    ],
)
def unit(request: pytest.FixtureRequest) -> list[Told]:
    chosen = programs()[request.param * UNIT : (request.param + 1) * UNIT]
    compiled = em.compile_c(translation_unit(chosen), opt=(2, 0, 1, 3)[request.param % 4], post_opt=0)
    found = []
    for program in chosen:
        function, call = compiled[program.name], arguments(program)
        whole = {name: value for (kind, name), value in zip(program.parameters, call, strict=True) if kind == "int"}
        try:
            report = function.report
        except EnzymeError:
            continue  # refusals have tests of their own
        found.append(Told(function, report, call, whole))
    assert len(found) >= UNIT // 2
    return found


def copied(call: list[Any]) -> list[Any]:
    return [value.copy() if isinstance(value, np.ndarray) else value for value in call]


def lines(told: Told) -> Iterator[SourceLine]:
    return (line for line in told.report.source if line.note)


def value(formula: str, numbers: Mapping[str, int]) -> float:
    return float(eval(formula, {"__builtins__": {}, "max": max, "min": min}, dict(numbers)))


def test_runs_are_those_of_a_call(unit: list[Told]) -> None:
    checked = 0
    for told in unit:
        watched = told.function.activity(at=copied(told.call)).report.watched
        executed = {row.identifier: row.executed for row in watched.rows} if watched is not None else {}
        for block in told.report.activity.blocks:
            said = RUNS.match(block.runs or "")
            counts = {executed[row.identifier] for row in block.instructions if row.identifier in executed}
            if said is None or not counts:
                continue
            formula = "1" if said[2] == "once" else said[3]
            if not set(re.findall(r"[A-Za-z_]\w*", formula)) <= {*told.numbers, "max", "min"}:
                continue
            known, checked = value(formula, told.numbers), checked + 1
            assert max(counts) <= known if said[1] else counts == {known}, (
                told.report.function,
                block.name,
                block.runs,
            )
    if not checked:
        pytest.skip("no block of these programs runs a number of times that is known before the call")


def test_lines_that_carry_nothing_carry_nothing(unit: list[Told]) -> None:
    for told in unit:
        watched = told.function.activity(at=copied(told.call)).report.watched
        carried = {row.identifier for row in watched.rows if row.carried} if watched is not None else set()
        rows = {row.identifier: row for row in told.report.activity.rows()}
        for line in lines(told):
            if line.mark == "inactive" and "decide" not in line.note:
                acting = {
                    i for i in line.instructions if rows[i].opcode not in ("phi", "select", "load", "getelementptr")
                }
                assert not acting & carried, (told.report.function, line)


def test_bytes_are_those_of_a_call(unit: list[Told]) -> None:
    for told in unit:
        try:
            found = told.function.cache(at=copied(told.call)).measured
        except EnzymeError:
            continue  # no number to differentiate
        if found is None or found.predicted is None:
            continue
        right = found.predicted <= found.kept if found.bound else found.predicted == found.kept
        assert right, (told.report.function, found)


def test_conditions_stand_on_their_lines(unit: list[Told]) -> None:
    """With the source's own operands, whatever LLVM has made of them: each name and number of a condition is on its line, or on
    those before it, where an expression began."""
    for told in unit:
        texts = [line.text for line in told.report.source]
        for line in lines(told):
            here = " ".join(texts[max(line.number - 4, 0) : line.number])
            for condition in CONDITION.findall(line.note):
                words = re.findall(r"[A-Za-z_]\w*", condition)
                assert all(re.search(rf"\b{word}", here) for word in words if word not in ("NULL", "double")), line


def test_nothing_reads_what_nothing_reads(unit: list[Told]) -> None:
    """The variables are given another number there, and the value stays the same."""
    for told in unit:
        source = [line.text for line in told.report.source]
        gone = [
            (line, name[1]) for line in lines(told) if (name := NOBODY.match(line.note)) and _is_number(line, name[1])
        ]
        if not gone:
            continue
        changed = list(source)
        for line, name in gone:
            changed[line.number - 1] += f" {name} = 0.125;"
        again = em.compile_c("\n".join(changed), opt=1, post_opt=0)[told.report.function]
        expected, found = told.function(*copied(told.call)), again(*copied(told.call))
        assert np.allclose(expected, found, rtol=1e-12) if expected is not None else found is None, (
            told.report.function,
            gone,
        )


def _is_number(line: SourceLine, name: str) -> bool:
    """Whether the line is one statement that ends with giving a number to the variable."""
    return re.fullmatch(rf"\s*(?:(?:long )?double|float)?\s*{name} = [^;]*;\s*", line.text) is not None


def test_people_read_c(unit: list[Told]) -> None:
    for told in unit:
        report = told.report
        texts = [line.note for line in report.source] + [fact.sentence for fact in report.facts]
        texts += [edge.label or "" for edge in report.activity.edges] + [row.c for row in report.activity.rows()]
        texts += [part for row in report.cache.rows for part in (row.expression, row.reason, row.count, row.bytes)]
        texts += [report.cache.sentence, report.cache.total, *report.cache.hints, report.why_not_called, *report.notes]
        assert [text for text in texts if IR_NAME.search(text)] == []


def test_places_that_are_overwritten_are_written_there(unit: list[Told]) -> None:
    """ "line 3 overwrites a[i]": that line assigns, steps, or calls something."""
    for told in unit:
        texts = [line.text for line in told.report.source]
        for row in told.report.cache.stored():
            if row.overwritten_line:
                text = texts[row.overwritten_line - 1]
                assert re.search(r"[^=!<>]=[^=]|\+\+|--|\w+\(", text), (told.report.function, row, text)
