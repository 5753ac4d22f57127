"""Adjoints that are sums of many terms: free in pieces only, because LLVM takes more than quadratic time over a long free sum."""

from __future__ import annotations

import re

import enzyme_magic as em
from enzyme_magic.backend.autodiff.sweeps.adjoints import CHAIN

USES = 5 * CHAIN
BODY = "".join(f"  s = s*0.5 + x*{k}.25;\n" for k in range(USES))
SOURCE = f"double f(double x) {{\n  double s = 0;\n{BODY}  return s;\n}}"


def _sums(program: em.Program) -> list[str]:
    """The flags of the additions of the gradient before it is optimized, in their order."""
    return re.findall(r"= fadd ((?:\w+ )*)double", str(program.f.ir("gradient")).partition("}")[0])


def test_a_long_sum_is_free_in_pieces() -> None:
    program = em.compile(SOURCE, opt=0)
    flags = ["reassoc" in found for found in _sums(program) if "nsz" in found]
    assert len(flags) >= USES - 1
    pieces = "".join("f" if free else " " for free in flags).split()
    assert max(map(len, pieces)) < CHAIN
    assert len("".join(pieces)) > len(flags) // 2
    weights = [0.5 ** (USES - 1 - k) * (k + 0.25) for k in range(USES)]
    assert abs(program.f.grad(2.0) - sum(weights)) < 1e-12 * sum(weights)
