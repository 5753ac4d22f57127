"""Native loops around a native function: compiled with the function's own body at hand, loaded, and callable.

Invariant: the loop's callable obeys what a single call obeys (invoke.py): a guard where the function may leave, output in order,
turns, static data put back after each call. `text` is the function's program with its statics externalized; its definitions can be
inlined, and no code is made for them. Without it, or where a copy would have variables of its own, the loop calls the function.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from enzyme_magic.backend.llvm import link, moduletext, optimize
from enzyme_magic.backend.llvm.objects import jit, tuning
from enzyme_magic.backend.llvm.objects.elsewhere import Elsewhere, Image, refused
from enzyme_magic.backend.native import Slot, Static
from enzyme_magic.backend.runtime import statics
from enzyme_magic.backend.runtime.calls import invoke, turns
from enzyme_magic.backend.runtime.calls.invoke import Code
from enzyme_magic.backend.runtime.native import loop_text, support
from enzyme_magic.errors import Span

# what gives the lines of a loop, from its code and from what makes the same code of the inlined text with debug info
Told = Callable[[bytes, Callable[[str], bytes]], Callable[[str, int], "Span | None"]]
_LOCAL = re.compile(r"(?:define |@.*? = )(?:internal|private) ")


@dataclass(frozen=True, slots=True)
class Inlined:
    """text: of the function's program, to be inlined, with its statics externalized; None: it is called. cpu: what for."""

    text: str | None = None
    cpu: str = ""
    told: Told | None = None


def put_back(code: Code) -> tuple[Static, ...]:
    """The static data that a loop puts back after each call."""
    return statics.reachable(code.entry.statics, code.keep) if code.entry.puts_back else ()


def loaded(
    code: Code, inlined: Inlined, loop: str, symbol: str, own: frozenset[str], words: Sequence[str]
) -> tuple[Any, jit.Library]:
    """The loop as a callable, and the library that has to live as long.

    loop: the text of a module with the functions `own`, of which `symbol` has parameters of these words; where static data is put
    back, the first of them is the copy of it.
    """
    text = inlined.text if inlined.text is not None and not _has_local_state(inlined.text) else None
    image = _object_code(loop, text, inlined.cpu, own)
    native, library = _loaded(code, image, symbol, words)
    if text is not None and inlined.told is not None:
        library.lines = inlined.told(
            image, lambda again: _object_code(loop_text.with_debug_info(loop), again, inlined.cpu, own, lines=True)
        )
    return native, library


def _object_code(loop: str, text: str | None, cpu: str, own: frozenset[str], *, lines: bool = False) -> bytes:
    if text is not None:
        loop = link.borrow(link.link([text, loop]), own | _locals_of(text))
    with tuning.tuned_for(cpu):
        return jit.compile_object(optimize.post_ad(loop, 3, keep_debug=lines))


def _loaded(code: Code, image: bytes, symbol: str, words: Sequence[str]) -> tuple[Any, jit.Library]:
    if isinstance(code.keep, Elsewhere):
        return _elsewhere(code, code.keep, image, symbol, words)
    symbols = {code.entry.symbol: code.address}
    if invoke.leaves(code.entry):
        symbols |= {**support.symbols(), **support.arena_symbols()}
    library = jit.Library.load([image], [symbol], needs=tuple(_needs(code)), symbols=symbols, of=code.entry.symbol)
    kept = put_back(code)
    kinds: list[Any] = [ctypes.c_int64 if word == "i64" else ctypes.c_void_p for word in words]
    if kept:
        kinds[0] = ctypes.c_char_p
    guard, prints = invoke.leaves(code.entry), code.entry.prints
    native = invoke.native(library.address(symbol), None, kinds, "void", words, guard=guard, prints=prints)
    if kept:
        native = statics.put_back_each_time(native, statics.places(kept, code.keep))
    return (turns.taken(native) if code.entry.takes_turns or kept else native), library


def _elsewhere(
    code: Code, owner: Elsewhere, image: bytes, symbol: str, words: Sequence[str]
) -> tuple[Any, jit.Library]:
    """The loop in a worker process; arrays must lie in shared memory."""
    from enzyme_magic.backend.runtime.isolation.remote import Remote

    if put_back(code):
        raise refused(owner.called)
    library = Elsewhere(Image(image, (symbol,), of=code.entry.symbol), owner.called, {}, tuple(_needs(code)))
    context = invoke.context_slots(code.entry)
    kinds = [Slot("count" if word == "i64" else "stride") for word in words]
    slots = (kinds[0], *context, *kinds[1 + len(context) :])  # the order of a loop's parameters
    entry = replace(code.entry, symbol=symbol, slots=slots, result=None, fields=(), size=0, statics=(), puts_back=False)
    return Remote(entry, code.signature, library), library


def _needs(code: Code) -> list[jit.Library]:
    """The function's library and, because its code may be inlined, those it uses itself."""
    if not isinstance(code.keep, jit.Library):
        return []
    found = [code.keep]
    for library in found:
        found += [needed for needed in library.needs if needed not in found]
    return found


def _locals_of(text: str) -> frozenset[str]:
    """Functions and variables that exist in `text` only: their library does not export them, so the loop's has its own."""
    items = moduletext.split(text)
    return frozenset(item.name for item in items if item.defines and _LOCAL.match(item.text))


def _has_local_state(text: str) -> bool:
    """Whether `text` holds a writable variable that its library does not export: a copy would be another variable."""
    local = [item for item in moduletext.split(text) if item.kind == "variable" and _LOCAL.match(item.text)]
    return any(" constant " not in item.text.split("[", 1)[0] for item in local)
