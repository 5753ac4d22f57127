"""Where a derivative begins and ends: the parameters, the result and the memory that a request says vary and matter.

Invariant: memory counts if one way to it does, whoever knows the way: the caller, by what it says of each parameter and of globals
by name, or the function itself, by the pointers it stores. The order is fixed.
"""

from __future__ import annotations

from enzyme_magic.backend.analysis.derivatives.flow import RESULT, Node
from enzyme_magic.backend.analysis.memory.alias import Alias
from enzyme_magic.backend.analysis.memory.memory_objects import MemoryObject, PointsTo, bits_of
from enzyme_magic.backend.autodiff.calls.request import ACTIVE, ANY_GLOBAL, DUPLICATED, FunctionRequest
from enzyme_magic.backend.ir.module import GlobalVariable
from enzyme_magic.backend.prepare.prepared import Prepared
from enzyme_magic.backend.rules.registry import INACTIVE


def inputs(prepared: Prepared, alias: Alias, request: FunctionRequest) -> list[Node]:
    """What the derivative is with respect to: parameters, and memory that varies."""
    arguments = prepared.function.arguments
    nodes: list[Node] = [a for a, kind in zip(arguments, request.activities, strict=True) if kind == ACTIVE]
    return nodes + _memory(prepared, alias.points_to, request.varying, request.shallow, request.varying_globals)


def outputs(prepared: Prepared, alias: Alias, request: FunctionRequest) -> list[Node]:
    """What is differentiated: the result, and memory that matters."""
    nodes: list[Node] = [RESULT] if request.result == ACTIVE else []
    if request.result == DUPLICATED:
        nodes += _returned_memory(prepared, alias.points_to)
    return nodes + _memory(prepared, alias.points_to, request.mattering, request.shallow, request.mattering_globals)


def _returned_memory(prepared: Prepared, points_to: PointsTo) -> list[Node]:
    """What a returned pointer leads to."""
    block = prepared.return_block
    returned = block.terminator.operands if block is not None else []
    mask = points_to.closure(points_to.mask(returned[0])) if returned else 0
    return list(points_to.members(mask))


def behind_result(prepared: Prepared, alias: Alias) -> list[MemoryObject]:
    """What pointers in returned memory lead to: the caller may fill it with numbers, whatever is put there here."""
    block, points_to = prepared.return_block, alias.points_to
    returned = block.terminator.operands if block is not None else []
    given = points_to.mask(returned[0]) if returned else 0
    return [item for item in points_to.members(points_to.closure(given) & ~given) if not is_inactive(item)]


def _memory(
    prepared: Prepared,
    points_to: PointsTo,
    pointers: frozenset[int],
    shallow: frozenset[int],
    names: frozenset[str],
) -> list[Node]:
    """What can be reached from pointer parameters, and globals by name; in a fixed order. Of shallow ones what they point to: of
    what can be reached from there, before the call or after it, the caller has said that it does not count."""
    arguments = prepared.function.arguments
    mask = 0
    for k in pointers - shallow:
        mask |= points_to.closure(points_to.mask(arguments[k]))
    mask = _with_stored(points_to, _of_these(points_to, pointers, mask))
    for k in pointers & shallow:
        mask |= _of_these(points_to, pointers, points_to.mask(arguments[k]))
    mask |= _named(points_to, names)
    return [item for item in points_to.members(mask) if not is_inactive(item)]


def _of_these(points_to: PointsTo, pointers: frozenset[int], mask: int) -> int:
    """`mask` without memory of other parameters: whoever asks has said of each whether what it leads to varies or matters."""
    others = 0
    for number, item in enumerate(points_to.objects):
        if item.kind in ("argument", "reachable") and item.index not in pointers:
            others |= 1 << number
    return mask & ~others


def _with_stored(points_to: PointsTo, mask: int) -> int:
    """`mask` and what the function itself stores pointers to there."""
    stored = 0
    for number in bits_of(mask):
        stored |= points_to.stored[number]
    return mask | points_to.closure(stored)


def _named(points_to: PointsTo, names: frozenset[str]) -> int:
    """Globals by name. A name this function does not know apart, and ANY_GLOBAL, may be any memory outside."""
    mask = 0
    known = {o.name: number for number, o in enumerate(points_to.objects) if o.kind == "global"}
    for name in names:
        mask |= 1 << known[name] if name in known else points_to.outside_class | points_to.escaped
        if name == ANY_GLOBAL:
            for number in known.values():
                mask |= 1 << number
    return points_to.closure(mask)


def is_inactive(item: MemoryObject) -> bool:
    """Whether the program says that a global carries no derivative, or it is a constant, into which nothing is ever put."""
    return isinstance(item.value, GlobalVariable) and (item.constant or INACTIVE in item.value.attributes)
