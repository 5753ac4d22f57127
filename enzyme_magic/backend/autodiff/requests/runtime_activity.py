"""`enzyme_runtime_activity`: memory whose shadow is the memory itself carries no derivative, and only the call can tell which does.

One derivative is written for every choice of what is active, and the answer compares the pointers. So at most `MOST` pointers are
chosen for at run time, and the function may not follow pointers that it finds in memory: of those nobody has compared the shadow.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from enzyme_magic.backend.autodiff.calls.request import CONSTANT, DUPLICATED
from enzyme_magic.backend.autodiff.requests.given import GivenParameter
from enzyme_magic.backend.autodiff.requests.parse import EntryRequest, Refusals
from enzyme_magic.backend.ir.graphs.callgraph import globals_in
from enzyme_magic.backend.ir.instructions import Load
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import PointerType

MOST = 4


def choices(request: EntryRequest, function: Function, refuse: Refusals) -> list[tuple[tuple[int, ...], EntryRequest]]:
    """(parameters that are inactive, the request for that) for each choice; the last one has all active."""
    pointers = [k for k, given in enumerate(request.given) if given.activity == DUPLICATED]
    if len(pointers) > MOST:
        what = f"{len(pointers)} pointers may be active or not, which makes 2^{len(pointers)} derivatives"
        raise refuse.error(what, f"mark all but {MOST} of them by enzyme_const where they are", "EM149")
    if request.width > 1:
        raise refuse.error("a width beside enzyme_runtime_activity", "make one request for each lane", "EM149")
    if any(
        isinstance(i, Load) and isinstance(i.type, PointerType) for f in _reached(function) for i in f.instructions()
    ):
        what = "the function follows pointers that it finds in memory, whose shadows are compared with nothing"
        raise refuse.error(what, "pass the memory behind them as parameters", "EM149")
    found = []
    for active in product((False, True), repeat=len(pointers)):
        inactive = tuple(k for k, is_active in zip(pointers, active, strict=True) if not is_active)
        given = tuple(_constant(g) if k in inactive else g for k, g in enumerate(request.given))
        found.append((inactive, replace(request, given=given, runtime_activity=False)))
    return found


def _constant(given: GivenParameter) -> GivenParameter:
    return replace(given, activity=CONSTANT, shadows=(), stride=None)


def _reached(start: Function) -> Iterator[Function]:
    seen = {start}
    pending = [start]
    while pending:
        current = pending.pop()
        yield current
        for i in current.instructions():
            for operand in i.operands:
                for found in globals_in(operand):
                    if isinstance(found, Function) and found not in seen:
                        seen.add(found)
                        pending.append(found)
