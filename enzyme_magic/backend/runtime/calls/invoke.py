"""Native functions as ctypes calls.

Invariant: an invoker takes the native parameters of an Entry in slot order (numbers, addresses) and returns what the function
returns by value. Every function is called through a guard (exits.py): what would end the process raises ExecutionError instead; one
that may print is called with its output in order (output.py); those that write static data take turns
(turns.py), and static data that a derivative wrote is put back (statics.py). The interpreter lock is released during the call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from enzyme_magic.backend.frontend.c_types import Signature
from enzyme_magic.backend.native import Entry, Slot
from enzyme_magic.backend.runtime import statics
from enzyme_magic.backend.runtime.calls import turns
from enzyme_magic.backend.runtime.values import layout
from enzyme_magic.errors import InternalError

Native = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Code:
    """A native function, loaded. `keep` holds whatever must stay loaded as long as the address is used (a Library)."""

    entry: Entry
    address: int
    signature: Signature
    keep: Any = field(default=None, repr=False)

    @property
    def uniform(self) -> bool:
        """Whether it is called through a uniform entry."""
        return any(slot.kind == "arguments" for slot in self.entry.slots)


_POINTER_SLOTS = frozenset(["arena", "shadow", "results", "stride", "arguments", "shadow-arguments", "shadow-results"])


def slot_word(slot: Slot, entry: Entry, signature: Signature) -> str:
    """LLVM's type of one native parameter, with its extension attribute."""
    if slot.kind == "count":
        return "i64"
    if slot.kind in _POINTER_SLOTS:
        return "ptr"
    if slot.kind == "seed":
        return layout.word_of(signature.result)
    if slot.kind in ("primal", "tangent") and slot.parameter is not None:
        return layout.word_of(signature.parameters[slot.parameter].type)
    raise InternalError(f"{entry.symbol}: no native parameter of kind {slot.kind!r}", code="EM920")


def result_word(entry: Entry, signature: Signature) -> str:
    """LLVM's type of what the function returns, with its extension attribute."""
    if entry.result is None:
        return "void"
    return layout.word_of(signature.result) if entry.result.kind == "value" else entry.result.type


def words(entry: Entry, signature: Signature) -> tuple[str, tuple[str, ...]]:
    """Result and parameter types of a native function."""
    return result_word(entry, signature), tuple(slot_word(slot, entry, signature) for slot in entry.slots)


def ctype_of_result(entry: Entry, signature: Signature) -> Any:
    if entry.result is None:
        return None
    return (
        layout.ctype_of(signature.result) if entry.result.kind == "value" else layout.ctype_of_word(entry.result.type)
    )


def _ctype_of_slot(slot: Slot, entry: Entry, signature: Signature) -> Any:
    word = slot_word(slot, entry, signature)
    if word == "ptr" or slot.parameter is None:
        return layout.ctype_of_word(word)
    return layout.ctype_of(signature.parameters[slot.parameter].type)


def invoker(entry: Entry, address: int, signature: Signature, library: Any = None) -> Native:
    """The callable for the native function at `address`. Whoever holds it must also hold its Library. library: where static data
    is found that is to be put back; without it nothing is."""
    result_type = ctype_of_result(entry, signature)
    parameters = [_ctype_of_slot(slot, entry, signature) for slot in entry.slots]
    made = native(address, result_type, parameters, *words(entry, signature), guard=leaves(entry), prints=entry.prints)
    if entry.puts_back and entry.statics and library is not None:
        where = statics.places(entry.statics, library)
        return turns.taken(statics.put_back(made, where) if where else made)
    return turns.taken(made) if entry.takes_turns else made


def leaves(entry: Entry) -> bool:
    """Whether a call may end by a jump to its guard; a tape may reach its limit."""
    return entry.may_exit or any(slot.kind == "arena" for slot in entry.slots)


def native(
    address: int,
    result: Any,
    parameters: Sequence[Any],
    result_word: str,
    parameter_words: Sequence[str],
    *,
    guard: bool,
    prints: bool,
) -> Native:
    """The function at `address` with these ctypes and LLVM types."""
    from enzyme_magic.backend.runtime import exits

    wrap = exits.guarded if guard else exits.caught
    function: Native = wrap(address, result, parameters, result_word, parameter_words)
    if not prints:
        return function
    from enzyme_magic.backend.runtime import output

    return output.in_order(function)


def context_slots(entry: Entry) -> tuple[Slot, ...]:
    """The native parameters the runtime itself supplies, the same for all calls of one thread."""
    return tuple(slot for slot in entry.slots if slot.kind == "arena")


def context(entry: Entry) -> list[int]:
    """Their values in this thread."""
    if not context_slots(entry):
        return []
    from enzyme_magic.backend.runtime import arena

    return [arena.current()]
