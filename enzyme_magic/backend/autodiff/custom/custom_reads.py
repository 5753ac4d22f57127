"""What the gradient of a custom rule reads again, and whether it is still there; the globals that its function shares with others.

A gradient may read primal memory through the pointers it is given. It runs in the reverse sweep: what was overwritten since the
call would give a wrong gradient, and only its author can keep it (in the tape). Invariant: an answer of False means that
every place the gradient is known to read holds what it held at the call. A gradient whose body is elsewhere is trusted, and
one that says so (`KEEPS`, checkpoints).
"""

from __future__ import annotations

from enzyme_magic.backend.analysis.calls.effects import Effects
from enzyme_magic.backend.autodiff.subject import Subject
from enzyme_magic.backend.ir.graphs.callgraph import globals_in
from enzyme_magic.backend.ir.instructions import Call
from enzyme_magic.backend.ir.module import Function, GlobalVariable
from enzyme_magic.backend.ir.types import IntType, PointerType
from enzyme_magic.backend.library.summary import ARGUMENT, GLOBAL, REACHABLE
from enzyme_magic.backend.rules.custom import KEEPS


def overwritten(subject: Subject, effects: Effects, call: Call, gradient: Function) -> bool:
    """Whether memory that `gradient` reads for `call` may have changed when the reverse sweep runs it."""
    return not subject.memory_unchanged_after(call, _read(subject, effects, call, gradient))


def shared_globals(effects: Effects, function: Function) -> frozenset[str]:
    """The global variables that a function reads or writes, and some function it does not call uses, too. What nobody else uses
    (a table, the last result) is its own affair."""
    summary, calls = effects.summary(function), effects.callgraph
    own = set(calls.reachable(function))
    others = (i for other in calls.module.definitions() if other not in own for i in other.instructions())
    elsewhere = {v.name for i in others for o in i.operands for v in globals_in(o) if isinstance(v, GlobalVariable)}
    used = summary.reads | summary.writes
    named = {place.name for place in used if place.kind == GLOBAL and place.name in elsewhere}
    return frozenset(name for name in named if not _is_counter(calls.module.variables.get(name)))


def _is_counter(variable: GlobalVariable | None) -> bool:
    """A variable that C declares as an integer holds no number."""
    return variable is not None and isinstance(variable.value_type, IntType)


def _read(subject: Subject, effects: Effects, call: Call, gradient: Function) -> int:
    """The memory objects, as the points-to analysis numbers them."""
    summary = effects.summary(gradient)
    if gradient.is_declaration or summary.opaque or KEEPS in gradient.attributes:
        return 0
    points_to = subject.alias.points_to
    primal = _primal_positions(call, gradient)
    mask = 0
    for place in summary.reads:
        argument = primal.get(place.index)
        if place.kind == ARGUMENT and argument is not None:
            mask |= points_to.mask(call.arguments[argument])
        elif place.kind == REACHABLE and argument is not None:
            pointer = points_to.mask(call.arguments[argument])
            mask |= points_to.closure(pointer) & ~pointer
        elif place.kind == GLOBAL:
            mask |= sum(1 << n for n, o in enumerate(points_to.objects) if o.kind == GLOBAL and o.name == place.name)
    constant = sum(1 << n for n, o in enumerate(points_to.objects) if o.constant)
    return mask & ~constant


def _primal_positions(call: Call, gradient: Function) -> dict[int, int]:
    """Parameter of the gradient → argument of the call, without the shadows in between."""
    positions: dict[int, int] = {}
    place = 1 if gradient.arguments and "sret" in gradient.arguments[0].attributes else 0
    for k, argument in enumerate(call.arguments):
        positions[place] = k
        place += 2 if isinstance(argument.type, PointerType) else 1
    return positions
