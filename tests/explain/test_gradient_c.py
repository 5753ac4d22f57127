"""The gradient as C: compiled through the same toolchain it gives what the gradient itself gives."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.backend.frontend.c_types import Pointer
from tests.explain.gradient_programs import SAMPLES, Sample

CALLS = 12
WARNINGS = ["-Wall", "-Werror", "-Wno-unused-command-line-argument"]  # the last: of the driver, not of the text
NUMBERS = {"double": ctypes.c_double, "float": ctypes.c_float, "int": ctypes.c_int, "long": ctypes.c_long}


def compiled(sample: Sample, strict: bool) -> tuple[Any, Any, Any]:
    """The C function, its native gradient's entry, and the C text compiled (its address and the program that holds it)."""
    function = em.compile_c(sample.source, strict=strict)[sample.name]
    made = function.gradient_c(mode=sample.mode)
    assert made.available, made.reason
    declared = sample.source.split(f"double {sample.name}(")[0] if "struct" in sample.source else ""
    program = em.compile_c(
        declared + made.text, compile_args=["-Wall", "-Werror", "-Wno-unused-command-line-argument"], strict=True
    )
    name = next(n for n in program if n.startswith(("diffe_", "fwddiffe_")))
    derived = function.derived(function.request(None, mode=sample.mode))
    return function, derived.entry, (program, program[name])


def call(function: Any, entry: Any, written: Any, arguments: list[Any], tangents: list[float]) -> dict[str, Any]:
    """What the compiled C text gives: adjoints by parameter name; in forward mode the tangent as "result"."""
    types: list[Any] = []
    values: list[Any] = []
    found: dict[str, Any] = {}
    buffer = (ctypes.c_char * max(entry.size, 1))()
    pending = list(tangents)
    for slot in entry.slots:
        parameter = function.c_signature.parameters[slot.parameter] if slot.parameter is not None else None
        if slot.kind == "arena":
            continue
        if slot.kind == "results":
            types.append(ctypes.c_void_p)
            values.append(ctypes.addressof(buffer))
        elif slot.kind == "tangent":
            types.append(ctypes.c_double)
            values.append(pending.pop(0))
        elif isinstance(parameter.type, Pointer):
            array = arguments[slot.parameter]
            if slot.kind == "shadow":
                array = found[parameter.name] = np.zeros_like(array)
            types.append(ctypes.c_void_p)
            values.append(array.ctypes.data)
        else:
            types.append(NUMBERS[parameter.type.base])
            values.append(arguments[slot.parameter])
    result = NUMBERS[entry.result.type] if entry.result is not None else None
    native = ctypes.CFUNCTYPE(result, *types)(written[1].address)
    given = native(*values)
    if entry.result is not None:
        key = (
            "result" if entry.result.parameter is None else function.c_signature.parameters[entry.result.parameter].name
        )
        found[key] = given
    for field in entry.fields:
        assert field.type == "double"
        name = function.c_signature.parameters[field.parameter].name
        found[name] = ctypes.c_double.from_buffer(buffer, field.offset).value
    return found


def expected(function: Any, sample: Sample, arguments: list[Any], tangents: list[float]) -> dict[str, Any]:
    if sample.mode == "forward":
        return {"result": em.jvp(function, tuple(arguments), tuple(tangents))[1]}
    names = [p.name for p in function.c_signature.parameters]
    wrt = [names[k] for k in function.choose(None).indices]
    gradients = em.grad(function, wrt=tuple(wrt))(*arguments)
    return dict(zip(wrt, gradients, strict=True))


def floats(value: Any) -> np.ndarray:
    array = np.asarray(value)
    if array.dtype.names:
        parts = [array[n].ravel() for n in array.dtype.names if array.dtype[n].base.kind == "f"]
        return np.concatenate(parts)
    return array.ravel()


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda s: s.name)
@pytest.mark.parametrize("strict", [True, False], ids=["strict", "reassociated"])
def test_the_c_text_gives_the_gradient(sample: Sample, strict: bool) -> None:
    """Bit for bit where nothing may be reassociated, otherwise within 4 units in the last place of the largest entry."""
    function, entry, written = compiled(sample, strict)
    random = np.random.default_rng(7)
    for _ in range(CALLS):
        arguments = sample.inputs(random)
        tangents = [float(t) for t in random.normal(size=4)][: sum(s.kind == "tangent" for s in entry.slots)]
        wanted = expected(
            function, sample, [np.copy(a) if isinstance(a, np.ndarray) else a for a in arguments], tangents
        )
        found = call(function, entry, written, arguments, tangents)
        assert set(found) == set(wanted)
        for name in wanted:
            a, b = floats(found[name]).astype(np.float64), floats(wanted[name]).astype(np.float64)
            if strict:
                assert np.array_equal(a, b), (name, a, b)
            else:
                step = np.spacing(floats(wanted[name])).astype(np.float64)
                scale = np.maximum(np.abs(step), np.abs(step).max(initial=0) / 4)
                assert np.all(np.abs(a - b) <= 4 * scale), (name, a, b)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda s: s.name)
def test_at_most_four_times_the_source(sample: Sample) -> None:
    made = em.compile_c(sample.source)[sample.name].gradient_c(mode=sample.mode)
    if not sample.brief:
        assert made.available, made.reason
        return
    assert len(made.text.splitlines()) <= 4 * len(sample.source.strip().splitlines())


def test_a_dozen_are_brief() -> None:
    assert sum(sample.brief for sample in SAMPLES) >= 12


def test_relu3_is_like_a_hand_written_one() -> None:
    source = "double relu3(double x) {\n  double r;\n  if (x > 0)\n    r = x*x*x;\n  else\n    r = 0;\n  return r;\n}\n"
    made = em.compile_c(source)["relu3"].gradient_c()
    code = [line.partition("/*")[0].strip() for line in made.text.splitlines()]
    assert code == ["double diffe_relu3(double x) {", "return x > 0.0 ? x*x*3.0 : 0.0;", "}"]
    assert ": d (x*y) = y dx + x dy" in made.text


REFUSED = {
    "a struct by value": ("struct p { double x, y; };\ndouble f(struct p a) { return a.x * a.y; }", "passed by value"),
    "long double": ("long double f(long double x) { return x * x; }", "long double"),
}


@pytest.mark.parametrize("case", list(REFUSED))
def test_no_text_where_it_is_not_certain(case: str) -> None:
    source, why = REFUSED[case]
    made = em.compile_c(source)["f"].gradient_c()
    assert not made.available
    assert made.reason.startswith("not available as C because")
    assert why in made.reason
    assert str(made) == made.reason


def test_loops_over_size_t_read_as_people_write_them() -> None:
    """The dot product of the README, rows of a matrix, and a loop that counts down."""
    source = """#include <stddef.h>
double dot(size_t n, const double x[n], const double y[n]) {
    double s = 0;
    for (size_t i = 0; i < n; i++) s += x[i]*y[i];
    return s;
}
double rows(size_t n, size_t m, const double *A) {
    double s = 0;
    for (size_t i = 0; i < n; i++) for (size_t j = 0; j < m; j++) s += A[i*m + j]*A[i*m + j];
    return s;
}
double down(size_t n, const double *x) {
    double s = 0;
    for (size_t i = n; i > 0; i--) s += x[i - 1]*x[i - 1];
    return s;
}
"""
    program = em.compile_c(source)
    texts = {name: program[name].gradient_c().text for name in ("dot", "rows", "down")}
    for text in texts.values():
        assert "unsigned long" not in text
        assert not re.search(r"\d{10}", text)
        assert "for (long i = n; i-- > 0;)" in text
    assert "y[i]" in texts["dot"]
    assert "for (long j = m; j-- > 0;)" in texts["rows"]


def test_numbers_are_added_as_people_add_them() -> None:
    """`x - 1.0` and not `x + -1.0`, `i` and not `i + 1 - 1`, `~k` and not `k ^ -1`; the same numbers, to the bit."""
    ten = em.compile_c(Path(__file__).with_name("ten_kernels.c").read_text(), cpu="x86-64-v3")
    clip = "double clip(int n, const double *a) {\ndouble s = 0;\nfor (int i = 0; i < n; i++) {\ndouble v = a[i];\n"
    clip += "if (v > 1.0) v = 1.0 + 0.1*(v - 1.0);\ns += v*v;\n}\nreturn s;\n}"
    texts = [str(ten[name].gradient_c()) for name in ("heat", "bisect", "gmm")] + [
        str(em.compile_c(clip).clip.gradient_c())
    ]
    assert any("- 1.0, 0.1" in text for text in texts), texts[-1]
    smooth = "double f(double *a, int n) { for (int i = 1; i < n; i++) a[i] *= a[i-1]; return a[n-1]; }"
    texts.append(str(em.compile_c(smooth).f.gradient_c()))
    assert "store_forwarded" not in texts[-1]
    for text in texts:
        assert not re.search(r"\+ -\d|\^ -1|[+-] \d+ [+-] \d+\]", text), text
