"""Programs that use others: the same C text, declared where that can be, under the same options."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.errors import ArgumentError, CompileError

FIRST = """#include <stddef.h>
typedef double number;
struct pair { double a, b; };
static double hidden(double x) { return 5*x; }
number scaled(number x) { return 3*x; }
double total(size_t n, const double x[n]) { double s = 0; for (size_t i = 0; i < n; i++) s += hidden(x[i]); return s; }
double of_pair(struct pair p) { return p.a*p.b; }
double counted(double x) { static int calls; return ++calls*x; }
"""


@pytest.fixture(scope="module")
def first() -> em.Program:
    return em.compile_c(FIRST, name="In[1]")


def test_what_is_used_need_not_be_declared_and_is_differentiated(first: em.Program) -> None:
    text = "double model(double x, const double *w) { return scaled(x)*total(2, w); }"
    p = em.compile_c(text, name="In[2]", uses=[first.scaled, first.total])
    w = np.array([1.0, 2.0])
    assert p.model(2.0, w) == 6 * 15
    gradient = p.model.grad(2.0, w)
    assert gradient.x == 45.0
    assert gradient.w.tolist() == [30.0, 30.0]
    assert em.check_grads(p.model, (2.0, w)).worst < 1e-6
    notes = " ".join(p.notes)
    assert "declared double scaled(double x)" in notes
    assert "total(unsigned long n, const double *x)" in notes
    assert "of_pair" not in notes
    assert [s.name for s in p.sources] == ["In[2]", "In[1]"]
    assert p.model.why("line 1")  # the lines of each text are its own
    again = pickle.loads(pickle.dumps(p.model))
    assert again.grad(2.0, w).x == 45.0


def test_uses_of_uses_and_own_declarations(first: em.Program) -> None:
    middle = em.compile_c("double twice(double x) { return 2*scaled(x); }", name="In[2]", uses=first)
    last = em.compile_c(
        "double scaled(double);\ndouble all(double x) { return twice(x)*scaled(x); }",
        name="In[3]",
        uses=(middle, first),
    )
    assert last["all"].grad(1.0) == 36.0
    assert [s.name for s in last.sources] == ["In[3]", "In[2]", "In[1]"]


def test_structs_are_declared_by_those_who_call(first: em.Program) -> None:
    with pytest.raises(CompileError, match="of_pair"):
        em.compile_c("double f(double x) { return of_pair(x); }", uses=first)
    declared = "struct pair { double a, b; };\ndouble of_pair(struct pair);\n"
    text = declared + "double f(double x) { return of_pair((struct pair){x, x}); }"
    assert em.compile_c(text, uses=first).f.grad(3.0) == 6.0


def test_static_data_is_a_copy(first: em.Program) -> None:
    other = em.compile_c("double more(double x) { return counted(x); }", uses=first)
    assert first.counted(1.0) == 1.0
    assert first.counted(1.0) == 2.0
    assert other.more(1.0) == 1.0


def test_another_text_under_the_same_name_is_another_program(first: em.Program) -> None:
    text = "double model(double x) { return scaled(x); }"
    second = em.compile_c(FIRST.replace("3*x", "7*x"), name="In[1]")
    assert em.compile_c(text, uses=first).model(1.0) == 3.0
    assert em.compile_c(text, uses=second).model(1.0) == 7.0


@pytest.mark.parametrize("options", [{"define": "N=3"}, {"compile_args": "-ffast-math"}, {"strict_headers": True}])
def test_other_options_would_change_what_the_text_means(first: em.Program, options: dict[str, object]) -> None:
    with pytest.raises(ArgumentError) as caught:
        em.compile_c("double model(double x) { return scaled(x); }", uses=first, **options)
    assert caught.value.code == "EM343"


@pytest.mark.parametrize("wrong", [3, "scaled", [None], ["f"]])
def test_only_c_functions_and_programs_are_used(wrong: object) -> None:
    with pytest.raises(ArgumentError) as caught:
        em.compile_c("double f(double x) { return x; }", uses=wrong)  # type: ignore[arg-type]
    assert caught.value.code == "EM343"
