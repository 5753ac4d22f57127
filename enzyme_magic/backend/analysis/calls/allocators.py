"""Allocators that the program registers (rules/allocators.py), as the analyses see them: like malloc and free.

Invariant: after `close` they are declarations in the engine's own copy of the program (the code itself is compiled from the text),
and their summaries say what was promised: fresh memory that nobody else knows; a release that ends it. Of what their bodies do
besides, the globals they read and write by name are kept: code between calls may look at those.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from enzyme_magic.backend.ir.attributes import Attribute
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.library.summary import GLOBAL, NEW, Place, Summary, argument
from enzyme_magic.backend.rules.allocators import Allocator

if TYPE_CHECKING:
    from enzyme_magic.backend.analysis.calls.effects import Effects

LIKE = "like"  # kind of allocation
_MAKES, _ENDS, _READS, _WRITES = "em-allocator", "em-deallocator", "em-reads", "em-writes"


def close(allocators: Iterable[Allocator], effects: Effects) -> None:
    """Make the functions of `allocators` declarations that say what they do, in place. effects: of the module before."""
    for allocator in allocators:
        _close(allocator.function, Attribute(_MAKES, str(allocator.size), quoted=True), effects)
        _close(allocator.release, Attribute(_ENDS, str(allocator.released), quoted=True), effects)


def _close(function: Function, word: Attribute, effects: Effects) -> None:
    if is_closed(function):
        return
    named = ((_READS, effects.summary(function).reads), (_WRITES, effects.summary(function).writes))
    words = [Attribute(key, " ".join(sorted(_globals(places))), quoted=True) for key, places in named]
    function.attributes = function.attributes.with_(word, *words)
    function.blocks.clear()


def _globals(places: Iterable[Place]) -> set[str]:
    return {place.name for place in places if place.kind == GLOBAL}


def is_closed(function: Function) -> bool:
    """Whether `close` has seen it."""
    return _MAKES in function.attributes or _ENDS in function.attributes


def summary_of(function: Function) -> Summary | None:
    """What a function does that was closed; None for any other function."""
    if not is_closed(function):
        return None
    makes = _MAKES in function.attributes
    return Summary(
        reads=_places(function, _READS),
        writes=_places(function, _WRITES),
        frees=frozenset() if makes else frozenset([argument(_number(function, _ENDS))]),
        returns=frozenset([NEW]) if makes else frozenset(),
        allocates=LIKE if makes else "",
        may_exit=True,
        repeatable=False,
        reason="it is registered as an allocator" if makes else "it is registered with an allocator",
    )


def size_argument(function: Function) -> int:
    """The argument of an allocator that is the number of bytes."""
    return _number(function, _MAKES)


def _number(function: Function, key: str) -> int:
    return int(_text(function, key))


def _text(function: Function, key: str) -> str:
    found = function.attributes.get(key)
    assert found is not None
    return found.value or ""


def _places(function: Function, key: str) -> frozenset[Place]:
    return frozenset(Place(GLOBAL, name=name) for name in _text(function, key).split())
