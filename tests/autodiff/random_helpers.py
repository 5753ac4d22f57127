"""Random helper functions, and the statements that call them.

A helper takes reals, an array of n, or a struct; it returns a real or a struct, or writes through pointers. Recursion is
bounded by a counter that the caller passes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .random_blocks import loop
from .random_expressions import Array, Scope
from .random_writer import Body, Helper, Maker, Writer
from .syntax import Expression, Function, Statement

PLACES = ("static inline", "static __attribute__((noinline))")


def call(w: Writer, scope: Scope, helper: Helper) -> list[Statement]:
    """A call of one helper, or nothing where the scope lacks what it takes."""
    return CALLS[helper.kind].make(w, scope, helper) if CALLS[helper.kind].needs(w, scope) else []


def call_any(w: Writer, scope: Scope, depth: int) -> list[Statement]:
    """A call of some helper that fits."""
    usable = [h for h in w.helpers if CALLS[h.kind].needs(w, scope)]
    return call(w, scope, w.random.choice(usable))


@dataclass(frozen=True, slots=True)
class Call:
    make: Callable[[Writer, Scope, Helper], list[Statement]]
    needs: Callable[[Writer, Scope], bool] = lambda w, s: True


def _call_of(construct: str, template: str, count: int) -> Callable[[Writer, Scope, Helper], list[Statement]]:
    """A call by template: {f} the helper, {t} a target, {a} an array of n, {s} a struct, {v} a fresh variable."""

    def make(w: Writer, scope: Scope, helper: Helper) -> list[Statement]:
        values = tuple(w.expressions.bounded(scope, depth=1) for _ in range(count))
        names = {"f": helper.name, "t": w.target(scope)}
        if "{a}" in template:
            names["a"] = w.random.choice([a.name for a in scope.arrays if a.length == "n" and a.writable])
        if "{s}" in template:
            names["s"] = w.random.choice([s for s in scope.structs if s.endswith(".")])[:-1]
        if "{v}" in template:
            names["v"] = w.fresh("v")
            scope.reals.append(names["v"])
        lines = tuple(template.format(**names).split("\n"))
        place = "inlined helper" if helper.inlined else "helper not inlined"
        marks = Expression("", (), 0.0, place)
        return [Statement(construct, lines, (*values, marks))]

    return make


def _has_n_array(w: Writer, s: Scope) -> bool:
    return any(a.length == "n" and a.writable for a in s.arrays)


def _has_struct(w: Writer, s: Scope) -> bool:
    return any(p.endswith(".") for p in s.structs)


CALLS = {
    "value": Call(_call_of("call with values", "{t} = {f}($0, $1, k);", 2)),
    "reduce": Call(_call_of("call with an array", "{t} = {f}({a}, n, $0);", 1), _has_n_array),
    "in place": Call(_call_of("call in place", "{f}({a}, n, $0);", 1), _has_n_array),
    "out": Call(_call_of("out parameters", "real {v} = #0.5;\n{f}($0, &{t}, &{v});", 1)),
    "struct": Call(_call_of("struct by value", "{s} = {f}({s}, $0);", 1), _has_struct),
    "struct pointer": Call(_call_of("struct by pointer", "{f}(&{s}, $0);", 1), _has_struct),
    "recursion": Call(_call_of("recursion", "{t} = {f}($0, $1, 3);", 2)),
    "recursion in place": Call(_call_of("recursion in place", "{f}({a}, n, 4);", 0), _has_n_array),
    "pointer": Call(_call_of("pointer returned", "*{f}({a}, k) = $0;", 1), _has_n_array),
}


def helper_function(w: Writer, kind: str) -> Function:
    """A helper of one kind; it may call those made before it."""
    inlined = w.chance(0.5)
    name = f"{w.name}_h{len(w.helpers) + 1}"
    place = PLACES[0 if inlined else 1]
    outer, w.returns = w.returns, False
    head, body = HELPERS[kind](w, name, place)
    w.returns = outer
    w.helpers.append(Helper(kind, name, inlined))
    return Function(head, body)


def _returned(w: Writer, scope: Scope) -> Statement:
    return Statement("", ("return $0;",), (w.expressions.bounded(scope),))


def _value_helper(w: Writer, name: str, place: str) -> tuple[str, Body]:
    scope = Scope(reals=["x", "y"], small=["k"])
    w.returns = True
    n = Statement("", ("const int n = 4; (void)n;",))
    return f"{place} real {name}(real x, real y, int k)", (n, *w.block(scope, 3, 2), _returned(w, scope))


def _reduce_helper(w: Writer, name: str, place: str) -> tuple[str, Body]:
    scope = Scope(reals=["f", "s"], arrays=[Array("p", "n", False)], small=["k"])
    w.returns = True
    start = Statement("", ("real s = #0.3; int k = 1; (void)k;",))
    return f"{place} real {name}(const real *p, int n, real f)", (
        start,
        *loop(w, scope, 2),
        *w.block(scope, 1, 2),
        _returned(w, scope),
    )


def _in_place_helper(w: Writer, name: str, place: str) -> tuple[str, Body]:
    scope = Scope(reals=["f"], arrays=[Array("p", "n")], small=["k"])
    start = Statement("", ("int k = 2; (void)k;",))
    return f"{place} void {name}(real *p, int n, real f)", (start, *loop(w, scope, 2), *w.block(scope, 1, 2))


def _out_helper(w: Writer, name: str, place: str) -> tuple[str, Body]:
    scope = Scope(reals=["x"], small=[])
    lines = ("*p = $0;", "*q = #0.5*$1 + #0.4**p;")
    values = (w.expressions.bounded(scope), w.expressions.bounded(scope))
    return f"{place} void {name}(real x, real *p, real *q)", (Statement("", lines, values),)


def _struct_helper(w: Writer, name: str, place: str) -> tuple[str, Body]:
    scope = Scope(reals=["f"], structs=["p."])
    local = scope.inner()
    body = (
        Statement("", ("const int n = 4, k = 1; (void)n; (void)k;",)),
        *w.block(local, 2, 1),
        Statement("", ("return p;",)),
    )
    return f"{place} pair {name}(pair p, real f)", body


def _struct_pointer_helper(w: Writer, name: str, place: str) -> tuple[str, Body]:
    scope = Scope(reals=["f"], structs=["p->"])
    first = Statement("", ("const int n = 4, k = 1; (void)n; (void)k;",))
    return f"{place} void {name}(pair *p, real f)", (first, *w.block(scope, 3, 1))


def _recursive_helper(w: Writer, name: str, place: str) -> tuple[str, Body]:
    scope = Scope(reals=["x", "y"], small=["d"])
    end, first, second = (w.expressions.bounded(scope, depth=2) for _ in range(3))
    scope.reals.append("r")
    again = f"r = #0.5*r + #0.5*{name}($1, $0, d - 1);" if w.chance(0.4) else "r = @sin(r)*y;"
    lines = ("if (d <= 0) return $2;", f"real r = {name}($0, $1, d - 1);", again)
    return f"static real {name}(real x, real y, int d)", (
        Statement("", lines, (first, second, end)),
        _returned(w, scope),
    )


def _recursive_in_place_helper(w: Writer, name: str, place: str) -> tuple[str, Body]:
    scope = Scope(arrays=[Array("p", "n")], small=["d"])
    before, after = w.expressions.bounded(scope), w.expressions.bounded(scope)
    lines = ("if (d <= 0) return;", "p[d % n] = $0;", f"{name}(p, n, d - 1);", "p[(d + 1) % n] = $1;")
    return f"static void {name}(real *p, int n, int d)", (Statement("", lines, (before, after)),)


def _pointer_helper(w: Writer, name: str, place: str) -> tuple[str, Body]:
    return f"{place} real *{name}(real *p, int k)", (Statement("", ("return p + (k & 3);",)),)


HELPERS: dict[str, Callable[[Writer, str, str], tuple[str, Body]]] = {
    "value": _value_helper,
    "reduce": _reduce_helper,
    "in place": _in_place_helper,
    "out": _out_helper,
    "struct": _struct_helper,
    "struct pointer": _struct_pointer_helper,
    "recursion": _recursive_helper,
    "recursion in place": _recursive_in_place_helper,
    "pointer": _pointer_helper,
}

CALL = Maker(call_any, 3, lambda w, s: any(CALLS[h.kind].needs(w, s) for h in w.helpers))
