"""What the code of derivatives calls, and how it comes into a module: the arena, the tape, shadows of the heap, stack
checks, tangents that may be absent.

Invariant: a module gets what it mentions and nothing else; a text that mentions nothing comes back as it is.
"""

from __future__ import annotations

import re

from enzyme_magic.backend.autodiff.memory import kinds, shadow_heap
from enzyme_magic.backend.autodiff.requests import iterations
from enzyme_magic.backend.autodiff.sweeps import tangent_rules
from enzyme_magic.backend.llvm import link
from enzyme_magic.backend.passes import native_code
from enzyme_magic.backend.runtime.native.texts import text_of

_SUPPORT = re.compile(r"^(define |@em\.[\w.]+ = )linkonce_odr ((?:.* )?@em\.|constant )", re.MULTILINE)
_RELEASED_BY = re.compile(rf"@({re.escape(shadow_heap.RELEASE_BY)}[\w.]+)\(")


def with_support(text: str) -> str:
    """A program's text with what the written derivatives call: the arena, the tape, shadows of the heap."""
    supports = [tangents] if (tangents := tangent_rules.support(text)) else []
    supports += map(shadow_heap.release_by_support, sorted(set(_RELEASED_BY.findall(text))))
    if f"@{kinds.PREFIX}" in text:
        supports.append(text_of("kinds"))
    supports += native_code.needed("\n".join([text, *supports]))
    return iterations.settle(link.link([text, *supports]) if supports else text)


def with_own_support(text: str) -> str:
    """The same where the text is to be borrowed from: what is added belongs to the borrower, who gets a copy."""
    whole = with_support(text)
    return whole if whole is text else _SUPPORT.sub(r"\1internal \2", whole)
