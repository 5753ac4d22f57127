"""Summaries of functions and calls: from bodies, attributes, the table of the C library; and the call graph below them."""

from __future__ import annotations

import pytest

from enzyme_magic.backend.analysis.calls.declared import MemoryEffects, captures_nothing, returns_argument
from enzyme_magic.backend.ir.attributes import Attribute, AttributeSet
from enzyme_magic.backend.ir.graphs.callgraph import CallGraph
from enzyme_magic.backend.library import libc
from enzyme_magic.backend.library.summary import ANYWHERE, ERRNO_PLACE, NEW, Summary, argument, reachable

from .compiled import LEVELS, both, compiled


def _names(functions: object) -> list[str]:
    return sorted(f.name for f in functions)  # type: ignore[attr-defined]


# --- call graph


def test_components_come_bottom_up() -> None:
    source = """
    __attribute__((noinline)) static int leaf(int x) { return x * x + 1; }
    int odd(int n);
    __attribute__((noinline)) int even(int n) { return n == 0 ? leaf(n) : odd(n - 1); }
    __attribute__((noinline)) int odd(int n) { return n == 0 ? 0 : even(n - 1); }
    int main_(int n) { return even(n) + leaf(n); }"""
    graph = CallGraph.of(compiled(source, 0).module)
    groups = [_names(c) for c in graph.sccs]
    assert groups.index(["leaf"]) < groups.index(["even", "odd"]) < groups.index(["main_"])
    assert _names(graph.recursive) == ["even", "odd"]
    leaf = graph.module.functions["leaf"]
    assert _names(graph.callers[leaf]) == ["even", "main_"]
    assert len(graph.call_sites[leaf]) == 2


def test_indirect_calls_reach_address_taken_functions_of_their_type() -> None:
    source = """
    static double f(double x) { return x; } static double g(double x) { return 2 * x; } static int h(int x) { return x; }
    double (*table[2])(double) = {f, g}; int (*other)(int) = h;
    double call(int k, double x) { return table[k](x); }"""
    module = compiled(source, 0).module
    graph = CallGraph.of(module)
    assert _names(graph.callees[module.functions["call"]]) == ["f", "g"]
    assert _names(graph.address_taken) == ["f", "g", "h"]


# --- attributes


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("none", MemoryEffects((False, False), (False, False), (False, False), (False, False))),
        ("read", MemoryEffects((True, False), (True, False), (True, False), (True, False))),
        ("argmem: readwrite", MemoryEffects((True, True), (False, False), (False, False), (False, False))),
        ("read, argmem: readwrite", MemoryEffects((True, True), (True, False), (True, False), (True, False))),
        ("errnomem: write", MemoryEffects((False, False), (False, False), (False, True), (False, False))),
    ],
)
def test_memory_attribute(text: str, expected: MemoryEffects) -> None:
    assert MemoryEffects.of(AttributeSet((Attribute("memory", text),))) == expected


@pytest.mark.parametrize(
    ("text", "captured", "returned"),
    [
        ("none", False, False),
        ("address", False, False),
        ("address, provenance", True, True),
        ("ret: address, provenance", False, True),
        ("address, ret: address, provenance", False, True),
        ("address, read_provenance, ret: none", True, False),
    ],
)
def test_captures_attribute(text: str, captured: bool, returned: bool) -> None:
    attributes = AttributeSet((Attribute("captures", text),))
    assert captures_nothing(attributes) != captured
    assert returns_argument(attributes) == returned


# --- the table of the C library


def test_the_table_reads_as_it_is_written() -> None:
    table = libc.table()
    copy = table["memcpy"]
    assert copy.reads == {argument(1)}
    assert copy.writes == {argument(0)}
    assert copy.write_extents[0].factors == (2,)
    assert copy.pointers_to_arguments == {0}
    assert not copy.captures
    assert table["malloc"].returns == {NEW}
    assert table["calloc"].allocates == "calloc"
    assert table["realloc"].frees == {argument(0)}
    assert table["posix_memalign"].stores == {(argument(0), NEW)}
    assert table["exit"].may_exit
    assert table["printf"].prints
    assert table["printf"].reads == {argument(0), argument(-1)}
    assert table["qsort"].callbacks == (3,)
    assert table["strtod"].stores == {(argument(1), argument(0))}
    assert not table["rand"].repeatable
    assert "error code" in table["longjmp"].refused


@pytest.mark.parametrize("name", ["sin", "sinf", "sinl", "pow", "hypot", "erfc", "fmaf", "nextafter", "cexp"])
def test_math_is_pure_but_for_errno(name: str) -> None:
    summary = libc.summary_of(name)
    assert summary is not None
    assert summary.pure
    assert summary.writes == {ERRNO_PLACE}


def test_every_entry_is_consistent() -> None:
    for name, summary in libc.table().items():
        assert isinstance(summary, Summary), name
        for extent in (*summary.read_extents, *summary.write_extents):
            assert argument(extent.index) in summary.reads | summary.writes, name
        fresh = {place for pair in summary.stores for place in pair} | summary.returns
        assert (NEW in fresh) == bool(summary.allocates), name
        assert summary.opaque == bool(summary.refused), name


def test_unknown_names_are_unknown() -> None:
    assert libc.summary_of("my_solver") is None


# --- functions


@pytest.mark.parametrize("level", LEVELS)
def test_reads_and_writes_of_arguments(level: int) -> None:
    source = """
    void f(const double *a, double *b, double *unused, int n) { for (int i = 0; i < n; i++) b[i] = a[i]; }
    struct s { double *p; }; void through(struct s *q) { q->p[0] = 1; }
    double pure(double x) { return x * x; }"""
    program = compiled(source, level)
    f = program.effects.summary(program.function("f"))
    assert f.reads == {argument(0)}
    assert f.writes == {argument(1)}
    assert not f.captures
    assert not f.opaque
    assert program.effects.written_arguments(program.function("f")) == {1}
    assert program.effects.read_arguments(program.function("f")) == {0}
    through = program.effects.summary(program.function("through"))
    assert through.writes == {reachable(0)}
    assert through.reads == {argument(0)}
    assert program.effects.written_arguments(program.function("through")) == frozenset()
    assert program.effects.summary(program.function("pure")).pure


def test_const_is_no_promise() -> None:
    source = "void f(const double *a) { *(double *)a = 2; }"
    for program in both(source):
        assert program.effects.written_arguments(program.function("f")) == {0}


def test_an_unknown_function_may_do_anything() -> None:
    source = "double g(double *p); double f(double *a, double *restrict b) { return g(a) + b[0]; }"
    for program in both(source):
        summary = program.effects.summary(program.function("f"))
        assert summary.opaque
        assert summary.may_exit
        assert "external function g" in summary.reason
        assert ANYWHERE in summary.writes
        assert summary.captures == {0}
        assert 1 not in program.effects.written_arguments(program.function("f"))
        assert 0 in program.effects.written_arguments(program.function("f"))


def test_globals_by_name() -> None:
    source = "double u, v; void f(void) { u = 2 * v; }"
    for program in both(source):
        summary = program.effects.summary(program.function("f"))
        assert summary.global_writes == {"u"}
        assert summary.global_reads == {"v"}


def test_captures_through_memory_and_returns() -> None:
    source = """
    double *kept; struct node { struct node *next; double x; };
    void keep(double *p) { kept = p + 1; }
    double *same(double *p, int i) { return p + i; }
    void link(struct node *a, struct node *b) { a->next = b; }
    double *load(double **p) { return *p; }"""
    for program in both(source):
        summaries = {name: program.effects.summary(program.function(name)) for name in ("keep", "same", "link", "load")}
        assert any(into.name == "kept" and what == argument(0) for into, what in summaries["keep"].stores)
        assert summaries["same"].returns == {argument(0)}
        assert (argument(0), argument(1)) in summaries["link"].stores
        assert summaries["load"].returns == {reachable(0)}


def test_pointers_that_are_followed_and_put_back() -> None:
    """Memory of an argument leads to what its own pointers lead to, and to what lies behind that only if it is put there."""
    source = """
    struct node { struct node *next, *other; };
    void pop(struct node **at) { *at = (*at)->next; }
    void lift(struct node **at) { (*at)->other = (*at)->next->next; }"""
    for program in both(source):
        stores = {name: program.effects.summary(program.function(name)).stores for name in ("pop", "lift")}
        assert (argument(0), reachable(0)) in stores["pop"]
        assert (reachable(0), reachable(0)) in stores["lift"]


def test_a_helper_that_links_locals_makes_nothing_escape() -> None:
    source = """
    void other(void); struct node { struct node *next; double x; };
    __attribute__((noinline)) static void link(struct node *a, struct node *b) { a->next = b; }
    double f(double x) { struct node a = {0, x}, b = {0, x}; link(&a, &b); other(); return a.next->x; }"""
    program = compiled(source, 0)
    last = program.loads("f")[-1]
    assert {str(o) for o in program.alias("f").base_objects(last.pointer)} == {"local variable b"}
    assert program.alias("f").overwritten_after(last) is None


def test_fresh_memory_from_a_helper() -> None:
    source = """#include <stdlib.h>
    __attribute__((noinline)) static double *make(int n) { double *p = malloc(n * 8); p[0] = n; return p; }
    double f(double *a, int n) { double *p = make(n), *q = make(n); q[0] = 1; a[0] = 2; return p[0]; }"""
    program = compiled(source, 0)
    make = program.effects.summary(program.function("make"))
    assert make.returns == {NEW}
    assert make.allocates == "malloc"
    alias = program.alias("f")
    p, q = program.calls("f", "make")
    assert not alias.may_alias(p, 8, q, 8)
    assert not alias.may_alias(p, 8, program.function("f").arguments[0], 8)


def test_recursion_reaches_a_fixpoint() -> None:
    source = """struct t { struct t *l, *r; double x; };
    __attribute__((noinline)) double sum(struct t *t) { return t ? t->x + sum(t->l) + sum(t->r) : 0; }
    __attribute__((noinline)) void scale(struct t *t, double k) { if (t) { t->x *= k; scale(t->l, k); scale(t->r, k); } }"""
    for program in both(source):
        summary = program.effects.summary(program.function("sum"))
        assert summary.reads == {argument(0), reachable(0)}
        assert not summary.writes
        assert program.effects.summary(program.function("scale")).writes == {argument(0), reachable(0)}


def test_an_indirect_call_whose_targets_are_all_known() -> None:
    source = """
    static void zero(double *p) { p[0] = 0; } static void one(double *p) { p[0] = 1; }
    void f(double *a, double *b, int k) { void (*g)(double *) = k ? zero : one; g(a); }
    void any(double *a, void (*g)(double *)) { g(a); }"""
    program = compiled(source, 0)
    known = program.effects.summary(program.function("f"))
    assert known.writes == {argument(0)}
    assert not known.opaque
    assert program.effects.summary(program.function("any")).opaque


def test_callbacks_of_the_library_run() -> None:
    source = """#include <stdlib.h>
    static int calls;
    static int less(const void *a, const void *b) { calls++; return *(const double *)a < *(const double *)b; }
    static int pure(const void *a, const void *b) { return *(const double *)a < *(const double *)b; }
    void f(double *a, int n) { qsort(a, n, 8, less); }
    void g(double *a, int n) { qsort(a, n, 8, pure); }
    void h(double *a, int n, int (*by)(const void *, const void *)) { qsort(a, n, 8, by); }"""
    program = compiled(source, 0)
    assert program.effects.summary(program.function("f")).global_writes == {"calls"}
    assert program.effects.summary(program.function("g")).global_writes == frozenset()
    assert program.effects.written_arguments(program.function("g")) == {0}
    assert program.effects.summary(program.function("h")).opaque


def test_variadic_printing_reads_only() -> None:
    source = """#include <stdio.h>
    void f(double *a, const char *s) { printf("%s %g", s, a[0]); }
    void g(char *s, double x) { snprintf(s, 10, "%g", x); }"""
    for program in both(source):
        f = program.effects.summary(program.function("f"))
        assert f.prints
        assert not f.opaque
        assert program.effects.written_arguments(program.function("f")) == frozenset()
        assert program.effects.written_arguments(program.function("g")) == {0}


def test_inline_assembly_is_opaque() -> None:
    program = compiled('void f(double *a) { __asm__ volatile("" : : "r"(a) : "memory"); }', 0)
    assert program.effects.summary(program.function("f")).opaque


# --- points-to and pairs


def test_pointers_copied_as_integers_and_by_memcpy() -> None:
    source = """#include <string.h>
    #include <stdint.h>
    struct s { double *p; long n; };
    double f(double *a, double *b) {
      struct s x = {a, 3}, y; memcpy(&y, &x, sizeof x);
      uintptr_t u = (uintptr_t)b; double *q = (double *)(u + 8);
      return y.p[0] + *q; }
    void swap(double **p, double **q) { double *t; memcpy(&t, p, 8); memcpy(p, q, 8); memcpy(q, &t, 8); }"""
    for program in both(source):
        alias = program.alias("f")
        names = [{str(o) for o in alias.base_objects(load.pointer)} for load in program.loads("f")]
        assert "*a" in names[0]
        assert "*b" in names[1]
        assert ANYWHERE not in program.effects.summary(program.function("swap")).writes
        assert {argument(0), argument(1)} == program.effects.summary(program.function("swap")).writes


def test_may_alias_with_constant_offsets() -> None:
    source = """void f(double *a, double *b, double *restrict c, int i) {
    a[0] = 1; a[1] = 2; b[1] = 3; c[1] = 4; a[i] = 5; a[i+1] = 6; }"""
    program = compiled(source, 0)
    alias = program.alias("f")
    stores = [i for i in program.function("f").instructions() if i.opcode == "store"]
    a0, a1, b1, c1, ai, aj = (store.operands[1] for store in stores)
    assert not alias.may_alias(a0, 8, a1, 8)
    assert alias.may_alias(a0, 9, a1, 8)
    assert alias.may_alias(a1, 8, b1, 8)
    assert not alias.may_alias(a1, 8, c1, 8)
    assert alias.may_alias(a0, 8, ai, 8)
    assert not alias.may_alias(ai, 8, aj, 8)
    assert alias.may_alias(a0, 8, a1, None) is False
    assert alias.may_alias(a0, None, a1, 8)
    assert alias.modifies(stores[1], a1, 8) is not None
    assert alias.modifies(stores[1], a0, 8) is None
    reason = alias.modifies(stores[2], a1, 8)
    assert reason is not None
    assert str(reason).startswith("line 2 overwrites")


def test_the_same_pointer_in_different_iterations_is_not_one_address() -> None:
    source = "void f(double *a, int n) { for (int i = 0; i < n; i++) { a[i] = 1; a[i + 1] = 2; } }"
    program = compiled(source, 0)
    first, second = (i.operands[1] for i in program.function("f").instructions() if i.opcode == "store")
    alias = program.alias("f")
    assert alias.may_alias(first, 8, second, 8)
    assert not alias.may_alias(first, 8, second, 8, same_iteration=True)
    assert alias.may_alias(first, 8, first, 8, same_iteration=True)


def test_objects_of_calls_for_the_flow_graph() -> None:
    source = """__attribute__((noinline)) void mix(const double *a, double *b) { b[0] += a[0]; }
    void f(double *x, double *y) { mix(x, y); }"""
    program = compiled(source, 0)
    (call,) = program.calls("f", "mix")
    alias = program.alias("f")
    assert {str(o) for o in alias.objects_written(call)} == {"*y"}
    assert {str(o) for o in alias.objects_read(call)} == {"*x", "*y"}
    assert "*y" in {str(o) for o in alias.overlapping_objects(program.function("f").arguments[0])}
