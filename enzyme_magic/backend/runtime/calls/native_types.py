"""Native functions as data: the code, and its native parameters and result as ctypes and LLVM see them.

Invariant: one answer per Entry and Signature; slots are in the order of C. Nothing is called here: see invoke.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from enzyme_magic.backend.frontend.c_types import Signature
from enzyme_magic.backend.llvm.objects.elsewhere import Elsewhere
from enzyme_magic.backend.llvm.objects.jit import Library
from enzyme_magic.backend.native import Entry, Slot
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

    @property
    def isolated(self) -> bool:
        """Whether it is called in another process."""
        return isinstance(self.keep, Elsewhere)


def code_of(entry: Entry, signature: Signature, library: Library) -> Code:
    """A function that a library has; in another process it has no address here."""
    return Code(entry, 0 if isinstance(library, Elsewhere) else library.address(entry.symbol), signature, library)


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


def ctype_of_slot(slot: Slot, entry: Entry, signature: Signature) -> Any:
    word = slot_word(slot, entry, signature)
    if word == "ptr" or slot.parameter is None:
        return layout.ctype_of_word(word)
    return layout.ctype_of(signature.parameters[slot.parameter].type)


def context_slots(entry: Entry) -> tuple[Slot, ...]:
    """The native parameters the runtime itself supplies, the same for all calls of one thread."""
    return tuple(slot for slot in entry.slots if slot.kind == "arena")
