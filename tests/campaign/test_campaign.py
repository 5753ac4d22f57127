"""The campaign of random programs: its idioms, its judge and its parent. Thousands of seeds: `python -m tests.campaign`."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from enzyme_magic.backend import building
from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.backend.pipeline import compile_program
from enzyme_magic.config import Options
from tests.autodiff.random_expressions import Expressions, Scope
from tests.autodiff.random_programs import translation_unit
from tests.autodiff.random_writer import Writer
from tests.autodiff.runs import settings
from tests.autodiff.syntax import Expression, Function, Program, Statement

from . import csmith, levels, mutated, mutations, parent, points
from .idioms import IDIOMS
from .judging import CRASH, KINK, MODES, REFUSED, RIGHT, WRONG, Outcome, Way, judge
from .programs import HEADERS, UNIT, idiom_at, program, programs_of, text_of, use
from .tally import bad, read, tally


def alone(name: str, seed: int) -> Program:
    """A program of one idiom."""
    random = Random(f"{name} {seed}")
    w = Writer(random, f"g{list(IDIOMS).index(name)}_{seed}", "double", Expressions(random, "double"), [], [])
    body = tuple(use(w, Scope(reals=["x", "y"]), name))
    end = Statement("", ("return $0;",), (Expression("v1 + #0.3*x*y"),))
    function = Function(f"double {w.name}(double x, double y, int n)", (*body, end))
    parameters = (("real", "x"), ("real", "y"), ("int", "n"))
    return Program(seed, w.name, "double", (function,), parameters, supports=tuple(w.supports))


@pytest.mark.parametrize("opt", [0, 2])
def test_every_idiom_is_right_or_refused(opt: int) -> None:
    programs = [alone(name, opt) for name in IDIOMS]
    source = HEADERS + translation_unit(programs)
    compiled = compile_program([Source(source, "test.c")], Options(opt=opt, post_opt=0), settings(), "test.c")
    found = [
        outcome
        for one in programs
        for outcome in judge(one, source, {opt: compiled}, Way(), [(opt, mode) for mode in MODES])
        if isinstance(outcome, Outcome)
    ]
    assert [o for o in found if o.status not in (RIGHT, REFUSED, KINK)] == []
    assert sum(o.status == RIGHT for o in found) > len(found) // 2


def test_a_seed_is_one_program_and_idioms_are_frequent() -> None:
    assert text_of(programs_of(3)) == text_of(programs_of(3))
    drawn = [program(seed) for seed in range(300)]
    counts = {f"idiom: {name}": 0 for name in IDIOMS}
    for one in drawn:
        for construct in one.used() & counts.keys():
            counts[construct] += 1
    assert min(counts.values()) > 0
    assert math.fsum(counts.values()) > len(drawn)


def test_points_have_no_ties() -> None:
    for one in [program(seed) for seed in range(40)]:
        for attempt in range(2):
            made = points.without_ties(one, attempt)
            reals = np.concatenate([np.ravel(a).astype(float) for a in made if points.is_real(a)])
            cells = np.sort(np.concatenate([np.abs(reals) * points.CELLS, np.arange(points.CELLS * 2)]))
            assert np.diff(cells).min() > 0
            assert np.diff(np.sort(np.abs(reals))).min() >= points.TIE
            assert (reals.astype(np.float32) == reals).all()
            again = points.without_ties(one, attempt)
            assert all(np.array_equal(a, b) for a, b in zip(made, again, strict=True))


def test_levels_share_forms_and_are_what_each_is_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    text = text_of([program(3)])
    alone = [levels.compiled(text, opt, 0).record.primals for opt in (0, 3)]
    calls, forms = [], building._forms
    shared = levels.Shared(lambda *arguments: calls.append(1) or forms(*arguments))
    monkeypatch.setattr(building, "_forms", shared)
    assert [levels.compiled(text, opt, 0).record.primals for opt in (0, 3)] == alone
    assert len(calls) == 1


def test_the_line_of_a_refusal_says_its_idiom() -> None:
    text = text_of([alone("generic swap", 0)])
    lines = [idiom_at(text, k + 1) for k in range(len(text.splitlines()))]
    assert set(lines) == {"plain", "generic swap"}
    assert idiom_at(text, None) == "no line"


DYING = """
import json, sys
for line in sys.stdin:
    work = json.loads(line)
    first = work["unit"] * {unit}
    print(json.dumps({{"begin": [first, 1, "reverse"]}}), flush=True)
    if not any(opt == 1 for _, opt, _ in work["done"]):
        sys.exit(3)
    print(json.dumps({{"outcome": {{"seed": first, "opt": 2, "mode": "forward", "status": "right", "code": ""}}}}), flush=True)
    print(json.dumps({{"finished": work["unit"]}}), flush=True)
"""


def test_a_child_that_dies_ends_no_campaign(tmp_path: Path) -> None:
    path = tmp_path / "found.jsonl"
    parent.run([4], 1, 0, path, parent.Plan(("-c", DYING.format(unit=UNIT))))
    held = read(path)
    assert held[4 * UNIT, 1, "reverse"]["status"] == CRASH
    assert held[4 * UNIT, 2, "forward"]["status"] == RIGHT
    assert len(bad(held)) == 1
    assert "1 programs, 2 derivatives" in tally(held)


def test_a_half_written_line_is_left(tmp_path: Path) -> None:
    path = tmp_path / "found.jsonl"
    path.write_text(json.dumps(Outcome(1, 0, "reverse", RIGHT).as_json()) + '\n{"seed": 2, "op')
    assert list(read(path)) == [(1, 0, "reverse")]


def test_the_plain_program_judges_those_of_csmith(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "csmith.h").write_text("#define LEVEL 2\n")
    monkeypatch.setattr(csmith, "INCLUDES", (str(tmp_path),))
    text = '#include "csmith.h"\n'
    text += "static float g_1 = 2, g_2 = 1, *g_3 = &g_2;\nstatic void func_1(void) { *g_3 = g_1*g_1; g_1 += 3*g_2; }\n"
    text += "double f(double x) { g_1 = (float)x; func_1(); return (double)g_1 + (double)g_2; }\n"
    made = csmith.Case(0, text, ("g_1", "g_2"))
    program = csmith.plain(made, tmp_path)
    assert program is not None
    assert csmith.is_defined(made, tmp_path, program)
    assert not csmith.is_defined(replace(made, text=text.replace("3*", "4*")), tmp_path, program)
    slopes = csmith.slopes_of(program)
    assert slopes[0].slope == pytest.approx(1 + 8 * 1.25, rel=1e-5)
    outcomes = [csmith.judge(made, slopes, opt, mode).status for opt in csmith.LEVELS for mode in MODES]
    assert outcomes == 4 * [RIGHT]
    wrong = [replace(slopes[0], slope=3.0)]
    assert csmith.judge(made, wrong, 2, "reverse").status == RIGHT  # the watched run speaks for us
    assert csmith.judge(made, [replace(slopes[0], value=3.0)], 2, "reverse").status == WRONG


@pytest.mark.nightly
@pytest.mark.timeout(8 * 3600)
def test_five_hundred_programs_of_csmith(tmp_path: Path) -> None:
    from .__main__ import main

    if not csmith.present():
        pytest.skip("csmith is not installed")
    assert main(["--csmith", "--seeds", "0:500", "--out", str(tmp_path / "found.jsonl")]) == 0


@pytest.mark.nightly
@pytest.mark.timeout(8 * 3600)
def test_ten_thousand_programs(tmp_path: Path) -> None:
    from .__main__ import main

    assert main(["--out", str(tmp_path / "found.jsonl")]) == 0


def test_mutated_texts_are_programs_or_errors_of_ours_and_resumed(tmp_path: Path) -> None:
    out = tmp_path / "mutated.jsonl"
    plan = replace(mutated.PLAN, worker=(*mutated.PLAN.worker, "2"), size=2)
    parent.run(range(1), 1, 0.0, out, plan)
    held = read(out)
    assert len(held) == 4
    assert bad(held) == []
    parent.run(range(1), 1, 0.0, out, plan)
    assert len(out.read_text().splitlines()) == 4


def test_mutants_are_the_same_again() -> None:
    text = HEADERS + translation_unit([program(3)])
    for change in (mutations.mutated_c, mutations.mutated_ir):
        made = [change(text, Random(seed)) for seed in range(20)]
        assert made == [change(text, Random(seed)) for seed in range(20)]
        assert len({*made, text}) > 15
