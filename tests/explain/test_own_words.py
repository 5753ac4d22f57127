"""Words of C that optimized code makes hard: pointers that walk, lines whose work the optimizer has moved, helpers."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

import enzyme_magic as em
from enzyme_magic.backend import explain, pipeline
from enzyme_magic.backend.autodiff.calls.request import Request
from enzyme_magic.report import Report
from enzyme_magic.workshop.course.programs import NORMALIZE

WALK = """#include <math.h>
struct node { double x; struct node *next; };
static double length(const struct node *n) {
  double total = 0;
  for (; n && n->next; n = n->next)
    total += exp(n->x - n->next->x);
  return total;
}
double path(struct node *first, double scale) { return scale*length(first); }
"""
CHAIN = """double smooth(double *a, const double *w, int n) {
  double s = 0;
  for (int i = 1; i < n; i++) {
    a[i] = a[i]*a[i-1] + w[i];
    if (a[i] > 1.0)
      s += a[i]*a[i];
  }
  return s;
}
"""


def report(compiled: Callable[..., pipeline.CompiledProgram], text: str, request: Request, opt: int) -> Report:
    return explain.assumed(compiled(text, opt), request, {})


@pytest.mark.parametrize("opt", [1, 2, 3])
def test_a_pointer_that_walks_has_its_name_only_once_it_is_there(
    opt: int, compiled: Callable[..., pipeline.CompiledProgram]
) -> None:
    """LLVM keeps n->x in a register, and what it reads behind n->next is the next iteration's n->x."""
    found = report(compiled, WALK, Request("path", wrt=(0, 1)), opt)
    texts = {row.expression for row in found.cache.rows if row.line == 6}
    assert texts <= {"exp(n->x - n->next->x)", "n->x - n->next->x", "n->x", "n->next->x", "total"}
    assert "exp(n->x - n->next->x)" in texts
    assert "total + exp(n->x - n->next->x)" in found.source[5].note


@pytest.mark.parametrize("opt", [1, 2, 3])
def test_what_was_just_stored_goes_by_its_place(opt: int, compiled: Callable[..., pipeline.CompiledProgram]) -> None:
    """Also where the next iteration gets it in a register; so that the line that reads it again is told apart."""
    found = report(compiled, CHAIN, Request("smooth", wrt=(0, 1)), opt)
    deciding, adding = found.source[4], found.source[5]
    assert (deciding.mark, deciding.note) == ("inactive", "a[i] > 1 decides which branch, carries no derivative")
    assert adding.mark == "active"
    assert "a[i]*a[i] + s" in adding.note


def test_the_gradient_as_c_has_the_same_lines() -> None:
    """The statement of the adjoint names the line that the activity of its instruction names."""
    text = CHAIN.replace("a[i] > 1.0", "exp(a[i]) > 2.72")
    found = em.compile_c(f"#include <math.h>\n{text}").smooth.report
    assert found.gradient_c is not None
    statements = re.findall(r"/\* line (\d+): (d \(.*?)(?:;.*)? \*/$", found.gradient_c.text, re.MULTILINE)
    told = {(int(line), rule) for line, rule in statements}
    assert told
    assert told <= {(row.line, row.rule) for row in found.activity.rows() if row.rule}


@pytest.mark.parametrize("opt", [1, 2])
def test_a_sum_of_a_helper_goes_by_its_name_behind_its_loop(opt: int) -> None:
    """And not by its last step: x[i]*x[i] + s has another i."""
    function = em.compile_c(NORMALIZE, opt=opt).normalize
    assert str(function.why(9)).splitlines()[0] == "line 9 is active: out[i] = x[i]/sqrt(s)"
