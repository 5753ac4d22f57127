"""The parts `overwritten_after` stands on: polynomials of addresses, bounds of loops, TBAA, reachability, layouts."""

from __future__ import annotations

import itertools
import random

import pytest

from enzyme_magic.backend.analysis.counts.affine import Evolution, Polynomial, add, constant, multiply, split
from enzyme_magic.backend.analysis.counts.bounds import Bounds
from enzyme_magic.backend.analysis.counts.reach import Reach
from enzyme_magic.backend.analysis.memory import distance, tbaa
from enzyme_magic.backend.analysis.types.layouts import Layout, Part, array, float_layout, record, scalar
from enzyme_magic.backend.analysis.types.type_tree import INTEGER, PADDING, floating
from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.graphs.scc import components
from enzyme_magic.backend.ir.instructions import Load, Store

from .compiled import Compiled, both, compiled


def _words(evolution: Evolution, polynomial: Polynomial) -> dict[str, int]:
    def name(number: int) -> str:
        of = evolution.symbols[number].of
        return "iteration" if isinstance(of, Loop) else of.name  # type: ignore[attr-defined]

    return {"*".join(sorted(name(s) for s in monomial)): c for monomial, c in polynomial.items()}


def _stored(program: Compiled) -> dict[str, int]:
    (store,) = (i for i in program.function("f").instructions() if isinstance(i, Store))
    evolution = program.alias("f").evolution
    return _words(evolution, evolution.address(store.pointer).offset)


# --- polynomials


def test_arithmetic_of_polynomials() -> None:
    x, y = {(0,): 1}, {(1,): 2}
    assert add(add(x, y), x, -1) == y
    assert add(x, x, -1) == {}
    assert multiply(add(x, constant(1)), add(x, constant(-1))) == {(0, 0): 1, (): -1}
    assert multiply({(0, 0): 1}, {(1, 1): 1}) is None
    assert split({(): 3, (0,): 1}) == ({(0,): 1}, 3)


@pytest.mark.parametrize(
    ("loop", "place", "expected"),
    [
        ("for (long i = 0; i < n; i++)", "a[i]", {"iteration": 8}),
        ("for (long i = 3; i < n; i += 2)", "a[2 * i + 1]", {"": 56, "iteration": 32}),
        ("for (long i = n; i > 0; i--)", "a[i]", {"n": 8, "iteration": -8}),
        ("for (int i = 0; i < k; i++)", "a[i - 1]", {"": -8, "iteration": 8}),
        ("for (unsigned i = 0; i < u; i++)", "a[i]", {"iteration": 8}),
        ("for (double *p = a; p < a + n; p++)", "*p", {"iteration": 8}),
        ("for (long i = 0; i < n; i++)", "a[i * n + k]", {"iteration*n": 8, "k": 8}),
        ("for (long i = 0; i < n; i++)", "s[i].y", {"": 8, "iteration": 24}),
        ("for (long i = 0; i < n; i++)", "a[~i]", {"": -8, "iteration": -8}),
    ],
)
def test_addresses_in_loops(loop: str, place: str, expected: dict[str, int]) -> None:
    source = f"""struct s {{ double x, y; int k; }};
    void f(double *a, struct s *s, long n, int k, unsigned u) {{ {loop} {place} = 1; }}"""
    assert _stored(compiled(source, 0)) == expected


@pytest.mark.parametrize(
    ("loop", "place"),
    [
        ("for (unsigned char i = 0; i != k; i++)", "a[i]"),  # wraps
        ("for (unsigned i = 0; i != u; i += 3)", "a[i]"),  # may wrap
        ("for (long i = 1; i < n; i *= 2)", "a[i]"),
        ("for (long i = 0; i < n; i += s[i].k)", "a[i]"),
    ],
)
def test_what_is_no_recurrence_stays_a_symbol(loop: str, place: str) -> None:
    source = f"""struct s {{ double x, y; int k; }};
    void f(double *a, struct s *s, long n, int k, unsigned u) {{ {loop} {place} = 1; }}"""
    assert "iteration" not in _stored(compiled(source, 0))


@pytest.mark.parametrize(
    ("loop", "expected"),
    [
        ("for (long i = 0; i < n; i++)", {"n": 1, "": -1}),
        ("for (long i = 0; i <= n; i++)", {"n": 1}),
        ("for (long i = 2; i != n; i++)", {"n": 1, "": -3}),
        ("for (long i = n; i > 2; i--)", {"n": 1, "": -3}),
        ("for (long i = n - 1; i >= 0; i--)", {"n": 1, "": -1}),
        ("for (unsigned i = 0; i < u; i++)", {"u": 1, "": -1}),
        ("for (long i = 0; n > i; i++)", {"n": 1, "": -1}),
        ("for (long i = 0; i < n; i += 2)", None),
        ("for (long i = 0; i * i < n; i++)", None),
    ],
)
def test_bounds_of_loops(loop: str, expected: dict[str, int] | None) -> None:
    program = compiled(f"void f(double *a, long n, unsigned u) {{ {loop} a[i] = 1; }}", 0)
    alias = program.alias("f")
    (found,) = alias.loops.loops
    (store,) = (i for i in program.function("f").instructions() if isinstance(i, Store))
    assert store.parent is not None
    most = Bounds(alias.evolution).most(found, store.parent)
    assert (None if most is None else _words(alias.evolution, most)) == expected
    if expected is not None:
        header = Bounds(alias.evolution).most(found, found.header)
        assert header is not None
        assert distance.difference(most or {}, header) == 1


def test_a_bound_needs_the_only_exit() -> None:
    source = "void f(double *a, unsigned long n) { for (unsigned long i = 0; i < n; i++) { if (a[i] > 0) break; a[i] = 1; } }"
    alias = compiled(source, 0).alias("f")
    (loop,) = alias.loops.loops
    assert Bounds(alias.evolution).most(loop, loop.latch) is None


@pytest.mark.parametrize("seed", range(20))
def test_solving_for_the_iteration_agrees_with_trying(seed: int) -> None:
    draw = random.Random(seed)
    start, stride = draw.randint(-40, 40), draw.choice([-12, -8, -3, 3, 8, 12, 24])
    below, above, last = draw.randint(-20, -1), draw.randint(1, 20), draw.choice([None, 1, 3, 7])
    tried = any(below < start + stride * d < above for d in range(1, 50 if last is None else last + 1))
    assert distance._hits(start, stride, below, above, last) == tried


# --- TBAA


def _pairs(body: str, declarations: str = "") -> bool:
    """Whether the tags of the two stores in `body` allow them to touch."""
    program = compiled(f"{declarations}\nvoid f(void *p, void *q) {{ {body} }}", 0)
    a, b = (i for i in program.function("f").instructions() if isinstance(i, Store))
    answer = tbaa.may_alias(tbaa.tag_of(a), tbaa.tag_of(b))
    assert answer == tbaa.may_alias(tbaa.tag_of(b), tbaa.tag_of(a))
    return answer


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("*(int *)p = 1; *(double *)q = 2;", False),
        ("*(int *)p = 1; *(unsigned *)q = 2;", True),
        ("*(int *)p = 1; *(char *)q = 2;", True),
        ("*(int *)p = 1; *(long *)q = 2;", False),
        ("*(double **)p = 0; *(double *)q = 2;", False),
        ("*(double **)p = 0; *(float **)q = 0;", False),
        ("*(void **)p = 0; *(float **)q = 0;", True),
        ("((struct s *)p)->x = 1; *(double *)q = 2;", True),
        ("((struct s *)p)->x = 1; ((struct s *)q)->y = 2;", False),
        ("((struct s *)p)->x = 1; ((struct t *)q)->s.x = 2;", True),
        ("((struct s *)p)->x = 1; ((struct t *)q)->s.y = 2;", False),
        ("((struct s *)p)->x = 1; ((struct u *)q)->x = 2;", False),
        ("((union v *)p)->i = 1; ((union v *)q)->d = 2;", True),
        ("((union v *)p)->i = 1; *(float *)q = 2;", True),
    ],
)
def test_type_based_aliasing(body: str, expected: bool) -> None:
    declarations = """struct s { int n; double x, y; }; struct t { float f; struct s s; }; struct u { int n; double x; };
    union v { int i; double d; };"""
    assert _pairs(body, declarations) == expected


# --- graphs


@pytest.mark.parametrize("seed", range(10))
def test_components_and_reach_agree_with_searching(seed: int) -> None:
    draw = random.Random(seed)
    count = draw.randint(1, 12)
    successors = [[draw.randrange(count) for _ in range(draw.randint(0, 3))] for _ in range(count)]
    reached = []
    for start in range(count):
        seen, pending = set(), [start]
        while pending:
            for node in successors[pending.pop()]:
                if node not in seen:
                    seen.add(node)
                    pending.append(node)
        reached.append(seen)
    component, members = components(successors)
    for a, b in itertools.product(range(count), repeat=2):
        together = a == b or (a in reached[b] and b in reached[a])
        assert (component[a] == component[b]) == together
        if b in reached[a] and not together:
            assert component[b] < component[a]
    assert sorted(n for group in members for n in group) == list(range(count))


def test_reach_inside_and_across_iterations() -> None:
    source = """void f(double *a, int n) { for (int i = 0; i < n; i++) { if (a[i] > 0) a[i] = 1;
    else a[i] = 2; a[0] = 3; }
 a[1] = 4; }"""
    program = compiled(source, 0)
    alias = program.alias("f")
    one, two, three, four = (i.parent for i in program.function("f").instructions() if isinstance(i, Store))
    reach = Reach.of(program.function("f"))
    (loop,) = alias.loops.loops
    assert one is not None
    assert two is not None
    assert three is not None
    assert four is not None
    assert reach.after(one, two)
    assert not reach.same_iteration(one, two, loop)
    assert reach.same_iteration(one, three, loop)
    assert not reach.same_iteration(three, one, loop)
    assert reach.after(three, four)
    assert not reach.after(four, three)
    assert not reach.in_cycle(four)


# --- layouts


def _mixed() -> Layout:
    inner = record("in", 8, [Part(0, 1, float_layout("float")), Part(4, 1, scalar(INTEGER, 1))])
    return record(
        "mixed", 56, [Part(0, 1, scalar(INTEGER, 4)), Part(8, 1, array(float_layout("double"), 2)), Part(24, 4, inner)]
    )


def test_leaves_of_a_layout() -> None:
    layout = _mixed()
    found = [layout.leaf_at(position) for position in (0, 3, 4, 8, 17, 24, 36, 37, 56, 64)]
    assert [(f[0], str(f[1].concrete)) for f in found if f is not None] == [
        (0, "Integer"),
        (0, "Integer"),
        (4, "Padding"),
        (8, "Float@double"),
        (16, "Float@double"),
        (24, "Float@float"),
        (36, "Integer"),
        (37, "Padding"),
        (56, "Integer"),
        (64, "Float@double"),
    ]


def test_positions_known_up_to_a_multiple() -> None:
    layout = _mixed()
    same = layout.leaf_near(8, 56)
    assert same is not None
    assert same[1].concrete == floating("double")
    assert layout.leaf_near(24, 8) is None  # floats, doubles and an integer all lie at multiples of 8
    doubles = record("d", 24, [Part(0, 1, scalar(INTEGER, 4)), Part(8, 2, float_layout("double"))])
    found = doubles.leaf_near(8, 8)
    assert found is not None
    assert found[1].concrete == floating("double")
    assert doubles.leaf_near(0, 8) is None  # never an integer where a double may be
    middle = doubles.leaf_near(12, 8)
    assert middle is not None
    assert middle[0] == 8  # wherever it is, it is the middle of a double
    assert array(float_layout("float"), 6).leaf_near(4, 4) is not None


def test_padding_and_flexible_tails() -> None:
    layout = record("t", 8, [Part(0, 1, scalar(INTEGER, 4))], (8, float_layout("double")))
    assert [layout.leaf_at(p)[1].concrete for p in (0, 4, 8, 80)] == [
        INTEGER,
        PADDING,
        floating("double"),
        floating("double"),
    ]  # type: ignore[index]
    assert array(array(float_layout("double"), 3), 4).unit == 8
    assert array(_mixed(), 4).unit == 56


# --- scale


def test_straight_code_is_analysed_in_linear_time() -> None:
    lines = "\n".join(f"s += a[{k * 7 % 600}] * b[{k}]; a[{k}] = s;" for k in range(600))
    for program in both(f"double f(double *a, double *b) {{ double s = 0;\n{lines}\nreturn s; }}"):
        answers = program.overwrites("f")
        assert len(answers) > 900
        loads = [i for i in program.function("f").instructions() if isinstance(i, Load)]
        assert len(program.alias("f").evolution.symbols) <= len(loads)
