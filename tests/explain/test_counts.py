"""How often loop bodies run: the formula of the report against counting in Python, at opt 0 and 2."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from enzyme_magic.report import BlockRow, Report

# The body of each loop nest is a line of its own, so that its block is easy to find.
NESTS: dict[str, tuple[str, Callable[[int, int], int]]] = {
    "up": ("for (int i = 0; i < n; i++)", lambda n, m: n),
    "without_a_sign": ("for (unsigned i = 0; i < (unsigned)n; i++)", lambda n, m: n),
    "wide": ("for (size_t i = 0; i < (size_t)n; ++i)", lambda n, m: n),
    "inclusive": ("for (int i = 0; i <= n; i++)", lambda n, m: n + 1),
    "from_one": ("for (int i = 1; i < n; i++)", lambda n, m: max(n - 1, 0)),
    "down": ("for (int i = n - 1; i >= 0; i--)", lambda n, m: n),
    "tested_before": ("for (int i = n; i-- > 0;)", lambda n, m: n),
    "two_apart": ("for (int i = 0; i < n; i += 2)", lambda n, m: (n + 1) // 2),
    "three_apart": ("for (int i = 2; i < n - 1; i += 3)", lambda n, m: len(range(2, n - 1, 3))),
    "constant": ("for (int i = 0; i < 7; i++)", lambda n, m: 7),
    "half": ("for (int i = 0; i < n / 2; i++)", lambda n, m: n // 2),
    "rectangle": ("for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)", lambda n, m: n * m),
    "triangle": ("for (int i = 0; i < n; i++) for (int j = 0; j < i; j++)", lambda n, m: n * (n - 1) // 2),
    "with_its_edge": ("for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++)", lambda n, m: n * (n + 1) // 2),
    "upper": ("for (int i = 0; i < n; i++) for (int j = i + 1; j < n; j++)", lambda n, m: n * (n - 1) // 2),
    "tetrahedron": (
        "for (int i = 0; i < n; i++) for (int j = i; j < n; j++) for (int k = j; k < n; k++)",
        lambda n, m: n * (n + 1) * (n + 2) // 6,
    ),
}
UNKNOWN = {
    "doubling": "for (int i = 1; i < n; i *= 2)",
    "any_step": "for (int i = 0; i < n; i += m)",
    "sentinel": "for (int i = 0; a[i] > 0; i++)",
    "floating": "for (double t = 0; t < n; t += 0.1)",
}
BOUNDED = {
    "left_early": "for (int i = 0; i < n; i++) if (s > m) break; else",
    "now_and_then": "for (int i = 0; i < n; i++) if (a[i] > 0)",
}
LINES = 6  # of one function
FUNCTION = """double {name}(const double *a, int n, int m) {{
    double s = 1;
    {nest}
        s = s * a[0] + 1;
    return s;
}}
"""
EVERYTHING = {name: nest for name, (nest, _) in NESTS.items()} | UNKNOWN | BOUNDED
PROGRAM = "#include <stddef.h>\n" + "".join(FUNCTION.format(name=name, nest=nest) for name, nest in EVERYTHING.items())


def body(report: Report) -> BlockRow:
    """The block of the line that computes."""
    line = 2 + LINES * list(EVERYTHING).index(report.function) + 3
    found = [b for b in report.activity.blocks if any(r.line == line and r.opcode == "call" for r in b.instructions)]
    assert len(found) == 1
    return found[0]


def value(words: str | None, n: int, m: int) -> int:
    """ "runs n*(n+1)/2 times" for these sizes."""
    assert words is not None
    text = words.removeprefix("runs ").removesuffix(" times")
    assert "at most" not in text
    exact = eval(text.replace("//", "§").replace("/", "//").replace("§", "//"), {"max": max}, {"n": n, "m": m})
    return int(exact)


@pytest.mark.parametrize("opt", [0, 2])
@pytest.mark.parametrize("function", NESTS)
def test_body_of_a_nest(function: str, opt: int, explained) -> None:
    _, expected = NESTS[function]
    words = body(explained(PROGRAM, function, opt=opt)).runs
    for n, m in itertools.product(range(7), range(4)):
        assert value(words, n, m) == expected(n, m), (words, n, m)


@pytest.mark.parametrize("function", NESTS)
def test_stored_copies_are_those_of_the_body(function: str, explained) -> None:
    """At opt 2 the sum is stored once per run of the body, 8 bytes each."""
    _, expected = NESTS[function]
    report = explained(PROGRAM, function)
    (stored,) = [row for row in report.cache.stored() if row.type == "double"]
    sizes = eval(stored.bytes.replace("//", "§").replace("/", "//").replace("§", "//"), {"max": max}, {"n": 5, "m": 3})
    assert sizes == 8 * expected(5, 3)
    assert stored.size == 8


@pytest.mark.parametrize("opt", [0, 2])
@pytest.mark.parametrize("function", UNKNOWN)
def test_unknown_counts_are_recorded(function: str, opt: int, explained) -> None:
    """No formula is made up; the number of iterations is what the forward sweep records. Without optimization the test of the loop
    stands in front: it is passed once more, and so often is kept what the loop changes."""
    report = explained(PROGRAM, function, opt=opt)
    line = 2 + LINES * list(EVERYTHING).index(function) + 2
    assert body(report).runs is None
    (stored,) = [row for row in report.cache.stored() if row.type == "double"]
    assert stored.count == f"{'iterations' if opt else 'tests'} of the loop at line {line}"
    assert stored.bytes == f"8 × {stored.count}"


@pytest.mark.parametrize("opt", [0, 2])
@pytest.mark.parametrize("function", BOUNDED)
def test_bounded_bodies_run_at_most(function: str, opt: int, explained) -> None:
    words = body(explained(PROGRAM, function, opt=opt)).runs
    assert words in ("runs at most n times", "runs at most n + 1 times" if opt == 0 else None)


def test_a_loop_left_early_records_its_count(explained) -> None:
    report = explained(PROGRAM, "left_early")
    (stored,) = [row for row in report.cache.stored() if row.type == "double"]
    assert stored.count.startswith("iterations of the loop at line")
