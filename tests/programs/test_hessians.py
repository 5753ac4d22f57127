"""Second derivatives of the programs: forward over reverse, reverse over reverse and differences of gradients agree, and the
Hessian is symmetric.
"""

from __future__ import annotations

import pytest

import enzyme_magic as em
from enzyme_magic.backend.runtime.values.arguments import parameter_names
from tests import sampling

from . import (
    test_adbench,
    test_dynamics,
    test_fft,
    test_heap,
    test_interpreters,
    test_iteration,
    test_learning,
    test_matrices,
    test_order,
    test_records,
    test_single,
    test_stencils,
)
from .calls import SOURCES
from .checks import Case
from .second_order import check

MODULES = (
    *(test_adbench, test_dynamics, test_fft, test_heap, test_interpreters, test_iteration),
    *(test_learning, test_matrices, test_order, test_records, test_single, test_stencils),
)
PROGRAMS = [case for module in MODULES for case in module.CASES]


@pytest.mark.parametrize("case", PROGRAMS, ids=str)
def test_programs(case: Case) -> None:
    text = (SOURCES / f"{case.source}.c").read_text()
    post_opt = sampling.after(case.function, one_in=5)
    function = em.compile_c(text, opt=2, post_opt=post_opt, name=f"{case.source}.c")[case.function]
    names = parameter_names(function.c_signature)
    wrt = tuple(names[k] for k in function.choose(None).indices if k not in case.fixed)
    single = case.size == 4
    tolerance = 2e-2 if single else max(1e-6, 10 * case.tolerance)
    check(function, case.at(0), wrt=wrt, tolerance=tolerance, between=1e-4 if single else 1e-8)
