"""What the code of derivatives calls, and how it comes into a module: the arena, the tape, shadows of the heap, stack
checks, tangents that may be absent.

Invariant: a module gets what it mentions and nothing else; a text that mentions nothing comes back as it is.
"""

from __future__ import annotations

import re

from enzyme_magic.backend.autodiff.cache import tape
from enzyme_magic.backend.autodiff.memory import kinds, shadow_heap
from enzyme_magic.backend.autodiff.requests import iterations
from enzyme_magic.backend.autodiff.sweeps import tangent_rules
from enzyme_magic.backend.llvm import link
from enzyme_magic.backend.passes import kinds_text, primal_stack

_SUPPORT = re.compile(r"^(define |@em\.[\w.]+ = )linkonce_odr ((?:.* )?@em\.|constant )", re.MULTILINE)
_RELEASED_BY = re.compile(rf"@({re.escape(shadow_heap.RELEASE_BY)}[\w.]+)\(")
_ARENA = ("em.allocate(", "em.mark(", "em.release(", "em.tape.", "em.check_stack(", f"{primal_stack.CHECK}(")


def with_support(text: str) -> str:
    """A program's text with what the written derivatives call: the arena, the tape, shadows of the heap."""
    from enzyme_magic.backend.runtime.native.support import ARENA_INLINE

    supports = [tangents] if (tangents := tangent_rules.support(text)) else []
    heap = [part for part, names in shadow_heap.PARTS if any(f"@{name}(" in text for name in names)]
    if heap or any(f"@{name}(" in text for name in shadow_heap.NAMES):
        supports += [*heap, shadow_heap.SUPPORT]
    supports += map(shadow_heap.release_by_support, sorted(set(_RELEASED_BY.findall(text))))
    if "@em.shadow.require(" in text:
        supports.append(shadow_heap.GUARD)
    if f"@{kinds.PREFIX}" in text:
        supports.append(kinds_text.text())
    if f"@{primal_stack.CHECK}(" in text:
        supports.append(primal_stack.SUPPORT)
    if any(f"@{name}" in text for name in _ARENA):
        supports += [tape.SUPPORT, ARENA_INLINE]
    return iterations.settle(link.link([text, *supports]) if supports else text)


def with_own_support(text: str) -> str:
    """The same where the text is to be borrowed from: what is added belongs to the borrower, who gets a copy."""
    whole = with_support(text)
    return whole if whole is text else _SUPPORT.sub(r"\1internal \2", whole)


def uses_runtime(text: str) -> bool:
    """Whether the code of a program calls the runtime's arena."""
    return any(f"@{name}" in text for name in ("em.run.", "em.allocate(", "em.check_stack(", "em.shadow."))
