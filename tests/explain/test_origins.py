"""Where the gradient's instructions come from: every word is true of the text it stands beside."""

from __future__ import annotations

from collections import Counter

import pytest

import enzyme_magic as em
from enzyme_magic.report import ADJOINT, PRIMAL, SHADOW, Report, Stage

PROGRAMS = {
    "relu3": "double f(double x) { if (x > 0) return x*x*x; return 0; }",
    "in place": """
        double f(size_t n, double a[n]) {
            double t = 0;
            for (size_t i = 0; i < n; i++) { t += a[i]*a[i]; a[i] = sin(a[i])*t; }
            return t;
        }""",
    "early exit": """
        double f(size_t n, const double a[n]) {
            double p = 1;
            for (size_t i = 0; i < n; i++) { p *= a[i]; if (p > 100) break; }
            return p;
        }""",
    "helper": """
        static double power(double x, int n) { return n == 0 ? 1 : x*power(x, n - 1); }
        double f(double x, int n) { return power(x, n) + exp(x); }""",
    "local array": """
        double f(const double a[8]) {
            double b[8];
            for (int i = 0; i < 8; i++) b[(i*3) % 8] = a[i]*a[i];
            return b[1]*b[5] + b[2];
        }""",
}


def report(name: str, **wanted: str) -> Report:
    return em.compile_c(PROGRAMS[name], name=name, opt=1).f.make_report(**wanted)


def lines(stage: Stage, word: str) -> list[str]:
    pairs = [(line, origin) for block in stage.blocks for line, origin in zip(block.lines, block.origins, strict=True)]
    return [line.strip() for line, origin in pairs if origin == word]


def opcode(line: str) -> str:
    return line.partition(" = ")[2].split()[0] if " = " in line else line.split()[0]


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_the_function_is_all_there_and_once(name: str) -> None:
    found = report(name)
    stage = found.stage("gradient")
    primal = Counter(map(opcode, lines(stage, PRIMAL)))
    wanted = Counter(row.opcode for row in found.activity.rows())
    # preprocessing adds phis, counters and branches, and calls become calls of derivatives; the rest is copied as it is
    copied = ("load", "store", "alloca", "getelementptr", "fmul", "fadd", "fsub", "fcmp", "select")
    assert {name: primal[name] for name in copied} == {name: wanted[name] for name in copied}
    assert sum(primal[name] for name in copied) > 0


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_only_the_reverse_sweep_returns(name: str) -> None:
    stage = report(name).stage("gradient")
    assert [line for line in lines(stage, ADJOINT) if line.startswith("ret ")]
    assert not [line for word in (PRIMAL, SHADOW) for line in lines(stage, word) if line.startswith("ret ")]
    named = {word for block in stage.blocks for word in block.origins}
    assert named <= {PRIMAL, SHADOW, ADJOINT}


def test_what_is_added_to_the_forward_sweep() -> None:
    assert lines(report("relu3").stage("gradient"), SHADOW) == []
    added = lines(report("in place").stage("gradient"), SHADOW)
    assert any("@em.tape.reserve" in line for line in added)
    assert any("_adjoint.slot = alloca double" in line for line in added)
    shadows = lines(report("local array").stage("gradient"), SHADOW)
    assert any(opcode(line) == "alloca" for line in shadows), "the array's shadow"


def test_forward_mode_says_nothing() -> None:
    stage = report("relu3", mode="forward").stage("gradient")
    assert all(block.origins == () for block in stage.blocks)
