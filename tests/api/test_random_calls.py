"""Random calls of the Python interface, against complex steps through the same functions in NumPy.

Drawn: the function, shapes, which parameters (`wrt`, in any order, bare or named), tangents and cotangents with None, the
transform, its options, and batches with axes and gaps. Nothing that is given is modified, unless it is donated. In float32 and for
structs the same derivatives are wanted, and second derivatives are compared with differences of the first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import enzyme_magic as em

SOURCE = """
double q(const double *w, const double *x, int n, double b) {
    double s = b*b;
    for (int i = 0; i < n; i++) s += sin(w[i]*x[i])*b;
    return s;
}
double step(double *s, int n, double h) {
    double e = 0;
    for (int i = 0; i < n; i++) { s[i] += h*s[i]*s[i]; e += exp(s[i]); }
    return e;
}
void layer(int m, int n, const double W[m][n], const double x[n], double y[m]) {
    for (int i = 0; i < m; i++) {
        y[i] = 0;
        for (int k = 0; k < n; k++) y[i] += W[i][k]*x[k];
        y[i] = sin(y[i]);
    }
}
double two(double a, double b) { return a*exp(a*b) + b*b; }
"""


def step(s: Any, h: Any) -> Any:
    s = s + h * s * s
    return np.exp(s).sum(), s


@dataclass(frozen=True)
class Case:
    """inputs: active parameters with their shapes. outputs: their names. arguments: the call, from the inputs by name."""

    name: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    native: Callable[..., Any]
    shapes: Callable[[int, int], dict[str, tuple[int, ...]]]
    arguments: Callable[[dict[str, Any], int, int], tuple[Any, ...]]


CASES = (
    Case(
        "q",
        ("w", "x", "b"),
        ("result",),
        lambda w, x, b: (b * b + (np.sin(w * x) * b).sum(),),
        lambda n, m: {"w": (n,), "x": (n,), "b": ()},
        lambda v, n, m: (v["w"], v["x"], n, v["b"]),
    ),
    Case(
        "step",
        ("s", "h"),
        ("result", "s"),
        step,
        lambda n, m: {"s": (m, n), "h": ()},
        lambda v, n, m: (v["s"], m * n, v["h"]),
    ),
    Case(
        "layer",
        ("W", "x"),
        ("y",),
        lambda W, x: (np.sin(W @ x),),
        lambda n, m: {"W": (m, n), "x": (n,)},
        lambda v, n, m: (m, n, v["W"], v["x"], np.full(m, np.nan)),
    ),
    Case(
        "two",
        ("a", "b"),
        ("result",),
        lambda a, b: (a * np.exp(a * b) + b * b,),
        lambda n, m: {"a": (), "b": ()},
        lambda v, n, m: (v["a"], v["b"]),
    ),
)


@pytest.fixture(scope="module")
def p() -> em.Program:
    return em.compile_c(SOURCE)


@dataclass(frozen=True)
class Point:
    """One call: values by name, the arguments, and the derivative of every output with respect to every input."""

    case: Case
    values: dict[str, Any]
    arguments: tuple[Any, ...]
    outputs: tuple[Any, ...]
    slopes: dict[tuple[str, str], Any]

    def arguments_by_name(self, f: em.CFunction) -> dict[str, Any]:
        return dict(zip(f.arguments().names, self.arguments, strict=True))


def point(case: Case, n: int, m: int, seed: int) -> Point:
    random = np.random.default_rng(seed)
    made = {name: random.normal(size=shape) / 2 for name, shape in case.shapes(n, m).items()}
    values = {name: value if value.shape else float(value) for name, value in made.items()}
    return Point(
        case,
        values,
        case.arguments(values, n, m),
        tuple(map(np.asarray, case.native(**values))),
        complex_steps(case, values),
    )


def complex_steps(case: Case, values: dict[str, Any]) -> dict[tuple[str, str], Any]:
    outputs = case.native(**values)
    found = {
        (o, i): np.zeros((*np.shape(out), *np.shape(values[i])))
        for o, out in zip(case.outputs, outputs, strict=True)
        for i in case.inputs
    }
    for name in case.inputs:
        for place in np.ndindex(np.shape(values[name])):
            moved = np.array(values[name], dtype=complex)
            moved[place] += 1e-30j
            for output, out in zip(case.outputs, case.native(**{**values, name: moved}), strict=True):
                found[output, name][(..., *place)] = np.imag(out) / 1e-30
    return found


def close(given: Any, wanted: Any) -> None:
    assert np.shape(given) == np.shape(wanted)
    np.testing.assert_allclose(given, wanted, rtol=1e-11, atol=1e-11)


def entries(made: Any, names: tuple[str, ...], bare: bool) -> dict[str, Any]:
    """What came out, by name; bare or in a named tuple of exactly these."""
    if bare:
        assert not isinstance(made, em.Gradients | em.Outputs)
        return {names[0]: made}
    assert tuple(made.asdict()) == names
    return dict(made.asdict())


@st.composite
def calls(draw: st.DrawFn) -> tuple[Case, int, int, int, Any, tuple[str, ...], bool]:
    """case, n, m, seed, wrt, the names that it stands for, whether the gradient is bare."""
    case = draw(st.sampled_from(CASES))
    n, m, seed = draw(st.integers(1, 4)), draw(st.integers(1, 3)), draw(st.integers(0, 99))
    names = draw(st.permutations(case.inputs))[: draw(st.integers(1, len(case.inputs)))]
    kind = draw(st.sampled_from(["all", "bare", "tuple"]))
    if kind == "all":
        return case, n, m, seed, None, case.inputs, len(case.inputs) == 1
    if kind == "bare":
        return case, n, m, seed, names[0], (names[0],), True
    return case, n, m, seed, tuple(names), tuple(names), False


def weighted(at: Point, weights: dict[str, Any], name: str) -> Any:
    """The derivative of a weighted sum of the outputs."""
    total = np.zeros(np.shape(at.values[name]))
    for output, weight in weights.items():
        if weight is not None:
            total = total + np.tensordot(weight, at.slopes[output, name], np.ndim(weight))
    return total


def moved(at: Point, tangents: dict[str, Any], output: str) -> Any:
    """How an output moves."""
    total = np.zeros(np.shape(at.outputs[at.case.outputs.index(output)]))
    for name, tangent in tangents.items():
        if tangent is not None:
            total = total + np.tensordot(at.slopes[output, name], tangent, np.ndim(tangent))
    return total


@dataclass(frozen=True)
class Asked:
    """One question: a point, the C function, `wrt`, its names, whether the gradient is bare, and what else is drawn."""

    at: Point
    f: em.CFunction
    wrt: Any
    names: tuple[str, ...]
    bare: bool
    kind: str
    data: st.DataObject

    def some(self, of: dict[str, Any], seed: int) -> dict[str, Any]:
        """Directions like these values, some of them None."""
        random = np.random.default_rng(seed)
        made = {k: random.normal(size=np.shape(v)) for k, v in of.items()}
        return {
            k: (np.asarray(d) if np.shape(d) else float(d)) if self.data.draw(st.booleans()) else None
            for k, d in made.items()
        }


def check_gradient(ask: Asked) -> None:
    at, options = ask.at, {}
    if ask.kind == "out":
        options["out"] = {k: np.empty_like(at.values[k]) for k in ask.names if np.ndim(at.values[k])}
    given = tuple(np.copy(a) if np.ndim(a) else a for a in at.arguments)  # those may be donated
    value, made = em.value_and_grad(ask.f, ask.wrt, donate=ask.kind == "donate", **options)(*given)
    close(value, at.outputs[0])
    for name, gradient in entries(made, ask.names, ask.bare).items():
        close(gradient, at.slopes["result", name])
        assert name not in options.get("out", {}) or gradient is options["out"][name]


def check_jvp(ask: Asked) -> None:
    at = ask.at
    tangents = ask.some({name: at.values[name] for name in ask.names}, 1)
    given = {k: t for k, t in tangents.items() if t is not None or ask.data.draw(st.booleans())}
    value, tangent = em.jvp(ask.f, at.arguments_by_name(ask.f), given, wrt=ask.wrt)
    outputs = at.case.outputs
    for output, part in entries(tangent, outputs, len(outputs) == 1).items():
        close(part, moved(at, tangents, output))
    for output, part in entries(value, outputs, len(outputs) == 1).items():
        close(part, at.outputs[outputs.index(output)])


def check_jacobian(ask: Asked) -> None:
    made, outputs = getattr(em, ask.kind)(ask.f, ask.wrt)(*ask.at.arguments), ask.at.case.outputs
    rows = {outputs[0]: made} if len(outputs) == 1 else entries(made, outputs, False)
    for output, row in rows.items():
        for name, part in entries(row, ask.names, ask.bare).items():
            close(part, ask.at.slopes[output, name])


def check_vjp(ask: Asked) -> None:
    at, outputs = ask.at, ask.at.case.outputs
    weights = ask.some(dict(zip(outputs, at.outputs, strict=True)), 2)
    value, pullback = em.vjp(ask.f, *at.arguments, wrt=ask.wrt)
    for _ in range(2):
        made = pullback(tuple(weights.values()) if len(outputs) > 1 else weights[outputs[0]])
        for name, part in entries(made, ask.names, ask.bare).items():
            close(part, weighted(at, weights, name))
    for output, part in entries(value, outputs, len(outputs) == 1).items():
        close(part, at.outputs[outputs.index(output)])


KINDS = {"grad": check_gradient, "out": check_gradient, "donate": check_gradient, "jvp": check_jvp, "vjp": check_vjp}


@given(call=calls(), kind=st.sampled_from([*KINDS, "jacfwd", "jacrev"]), data=st.data())
def test_derivatives(p: em.Program, call: Any, kind: str, data: st.DataObject) -> None:
    case, n, m, seed, wrt, names, bare = call
    at = point(case, n, m, seed)
    before = [np.copy(a) for a in at.arguments]
    check = KINDS.get(kind, check_jacobian)
    check = check_vjp if check is check_gradient and "result" not in case.outputs else check
    check(Asked(at, p[case.name], wrt, names, bare, kind, data))
    for a, b in zip(at.arguments, before, strict=True):
        np.testing.assert_array_equal(a, b)


@given(call=calls(), data=st.data())
def test_batches(p: em.Program, call: Any, data: st.DataObject) -> None:
    case, n, m, seed, wrt, names, bare = call
    examples, f = data.draw(st.integers(0, 4), label="examples"), p[case.name]
    base = point(case, n, m, seed)
    mapped = {k: data.draw(st.booleans(), label=k) for k in case.inputs}
    mapped[case.inputs[0]] |= not any(mapped.values())
    axes = {
        k: data.draw(st.integers(-np.ndim(base.values[k]) - 1, np.ndim(base.values[k])))
        for k, on in mapped.items()
        if on
    }
    points = [point(case, n, m, seed + 100 * (k + 1)) for k in range(examples)]
    values = dict(base.values)
    for name, axis in axes.items():
        shape = np.shape(base.values[name])
        stacked = np.array([at.values[name] for at in points]).reshape(examples, *shape)
        wide = np.repeat(np.moveaxis(stacked, 0, axis), 2, axis=-1)[..., ::2]  # with gaps
        values[name] = wide
    single = [{k: (points[e].values[k] if mapped[k] else base.values[k]) for k in case.inputs} for e in range(examples)]
    arguments = case.arguments(values, n, m)
    places = {name: k for k, name in enumerate(f.arguments().names)}
    in_axes = tuple(axes.get(name) for name in places)
    if case.name in ("layer",) or data.draw(st.booleans()):
        made = em.vmap(f, in_axes)(*arguments)
        parts = made if len(case.outputs) > 1 else (made,)
        for part, k in zip(parts, range(len(case.outputs)), strict=True):
            assert part.shape == (examples, *np.shape(base.outputs[k]))
            for e in range(examples):
                close(part[e], case.native(**single[e])[k])
        return
    made = entries(em.vmap(em.grad(f, wrt), in_axes)(*arguments), names, bare)
    for name in names:
        assert made[name].shape == (examples, *np.shape(base.values[name]))
        for e in range(examples):
            close(made[name][e], complex_steps(case, single[e])["result", name])


# Second order, float32, structs ------------------------------------------------------------------------------------------

NARROW = SOURCE.replace("double", "float").replace("sin(", "sinf(").replace("exp(", "expf(")
WITH_STRUCTS = """
typedef struct { int kind; double b; float c[2]; } item;
double items(const item *p, int n, double a) {
    double s = 0;
    for (int i = 0; i < n; i++) s += p[i].kind*p[i].b*p[i].b*a + p[i].c[1]*sin(a);
    return s;
}
double item_of(item p, double a) { return items(&p, 1, a); }
"""
H = 1e-6


@pytest.fixture(scope="module")
def narrow() -> em.Program:
    return em.compile_c(NARROW)


@given(call=calls(), backwards=st.booleans())
def test_float32(narrow: em.Program, call: Any, backwards: bool) -> None:
    case, n, m, seed, wrt, names, bare = call
    at = point(case, n, m, seed)
    arguments = [a.astype("f4") if np.ndim(a) else a for a in at.arguments]
    made = (em.jacrev if backwards else em.jacfwd)(narrow[case.name], wrt)(*arguments)
    rows = {case.outputs[0]: made} if len(case.outputs) == 1 else entries(made, case.outputs, False)
    for output, row in rows.items():
        for name, part in entries(row, names, bare).items():
            assert np.asarray(part).dtype == np.float32
            assert np.shape(part) == np.shape(at.slopes[output, name])
            np.testing.assert_allclose(part, at.slopes[output, name], rtol=1e-4, atol=1e-5)


@given(call=calls(), data=st.data())
def test_second_order(p: em.Program, call: Any, data: st.DataObject) -> None:
    case, n, m, seed, wrt, names, bare = call
    if "result" not in case.outputs or case.name == "step":  # (what is left in place is an output of step, too)
        return
    at, f = point(case, n, m, seed), p[case.name]
    second = {  # of the result, by the two inputs: central differences of complex steps
        (i, k): np.stack(
            [
                (complex_steps(case, up)["result", i] - complex_steps(case, down)["result", i]) / (2 * H)
                for up, down in around(at.values, k)
            ],
            axis=-1,
        ).reshape((*np.shape(at.values[i]), *np.shape(at.values[k])))
        for i in names
        for k in names
    }
    if data.draw(st.booleans(), label="whole"):
        made = em.hessian(f, wrt)(*at.arguments)
        for i, row in entries(made, names, bare).items():
            for k, part in entries(row, names, bare).items():
                np.testing.assert_allclose(part, second[i, k], rtol=1e-6, atol=1e-7)
        return
    random = np.random.default_rng(3)
    vector = {k: random.normal(size=np.shape(at.values[k])) for k in names}
    given = {k: v if v.shape else float(v) for k, v in vector.items()}
    made = em.hvp(f, at.arguments_by_name(f), given, wrt=wrt)
    for i, part in entries(made, names, bare).items():
        wanted = sum(np.tensordot(second[i, k], vector[k], vector[k].ndim) for k in names)
        np.testing.assert_allclose(part, wanted, rtol=1e-6, atol=1e-7)


def around(values: dict[str, Any], name: str) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """The values with each number of `name` moved up, and down."""
    pairs = []
    for place in np.ndindex(np.shape(values[name])):
        step = np.zeros(np.shape(values[name]))
        step[place] = H
        pairs.append(({**values, name: values[name] + step}, {**values, name: values[name] - step}))
    return pairs


@pytest.fixture(scope="module")
def structs() -> em.Program:
    return em.compile_c(WITH_STRUCTS)


@given(n=st.integers(0, 4), seed=st.integers(0, 99), way=st.sampled_from(["grad", "vjp", "jvp", "by value", "vmap"]))
def test_structs(structs: em.Program, n: int, seed: int, way: str) -> None:
    random, f = np.random.default_rng(seed), structs.items
    rows = np.zeros((3, n), f.dtypes["p"])
    rows["kind"], rows["b"] = random.integers(-3, 4, (3, n)), random.normal(size=(3, n))
    rows["c"], a = random.normal(size=(3, n, 2)).astype("f4"), float(random.normal())
    p, weight = rows[0], float(random.normal())
    wanted = np.zeros_like(rows)  # kind: 0
    wanted["b"], wanted["c"][..., 1] = 2 * rows["kind"] * rows["b"] * a, np.sin(a)
    by_a = (p["kind"] * p["b"] ** 2).sum() + p["c"][:, 1].astype(float).sum() * np.cos(a)
    if way == "vmap":
        same(em.vmap(em.grad(f, "p"), (0, None, None))(rows, n, a), wanted)
    elif way == "by value":
        for one, expected in zip(p, wanted[0], strict=True):
            same(structs.item_of.grad(one, a).p, expected)
    elif way == "jvp":
        tangent = np.zeros_like(p)
        tangent["kind"], tangent["b"], tangent["c"] = 7, random.normal(size=n), random.normal(size=(n, 2))
        moved = em.jvp(f, (p, n, a), (tangent, None, weight))[1]
        along = (wanted[0]["b"] * tangent["b"] + wanted[0]["c"][:, 1] * tangent["c"][:, 1].astype(float)).sum()
        np.testing.assert_allclose(moved, along + weight * by_a, rtol=1e-6, atol=1e-6)
    else:
        made = f.grad(p, n, a) if way == "grad" else f.vjp(p, n, a)[1](weight)
        scale = 1.0 if way == "grad" else weight
        np.testing.assert_allclose(made.a, scale * by_a, rtol=1e-12, atol=1e-12)
        expected = wanted[0].copy()
        expected["b"], expected["c"] = scale * expected["b"], scale * expected["c"].astype(float)
        same(made.p, expected)


def same(made: Any, wanted: Any) -> None:
    assert made.dtype == wanted.dtype
    assert np.shape(made) == np.shape(wanted)
    for member in wanted.dtype.names:
        np.testing.assert_allclose(made[member], wanted[member], rtol=1e-6, atol=1e-6)
