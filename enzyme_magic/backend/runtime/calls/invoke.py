"""Native functions as ctypes calls.

Invariant: an invoker takes the native parameters of an Entry in slot order (numbers, addresses) and returns what the function
returns by value. Every function is called through a guard (exits.py): what would end the process raises ExecutionError instead; one
that may print is called with its output in order (output.py); those that write static data take turns
(turns.py), and static data that a derivative wrote is put back (statics.py). The interpreter lock is released during the call.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from enzyme_magic.backend.frontend.c_types import Signature
from enzyme_magic.backend.llvm.objects.elsewhere import Elsewhere
from enzyme_magic.backend.native import Entry
from enzyme_magic.backend.runtime import statics
from enzyme_magic.backend.runtime.calls import turns
from enzyme_magic.backend.runtime.calls.native_types import (
    Code,
    Native,
    code_of,
    context_slots,
    ctype_of_result,
    ctype_of_slot,
    result_word,
    slot_word,
    words,
)

__all__ = [
    "Code",
    "Native",
    "code_of",
    "context",
    "context_slots",
    "invoker",
    "leaves",
    "native",
    "result_word",
    "slot_word",
    "words",
]


def invoker(entry: Entry, address: int, signature: Signature, library: Any = None) -> Native:
    """The callable for the native function at `address`. Whoever holds it must also hold its Library. library: where static data
    is found that is to be put back; without it nothing is. Where it is in another process, so is the call."""
    if isinstance(library, Elsewhere):
        from enzyme_magic.backend.runtime.isolation.remote import Remote

        return Remote(entry, signature, library)
    result_type = ctype_of_result(entry, signature)
    parameters = [ctype_of_slot(slot, entry, signature) for slot in entry.slots]
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


def context(entry: Entry) -> list[int]:
    """Their values in this thread."""
    if not context_slots(entry):
        return []
    from enzyme_magic.backend.runtime import arena

    return [arena.current()]
