"""Functions of libm that a derivative may compute for several numbers at once, and how a call says that it may.

The C library brings them (libmvec); LLVM's loop vectorizer uses them where it finds that they pay. Their results may differ from
libm's in the last digits, at most 4 ulp (tests/autodiff/test_vector_math.py measures each). The table of the C library names them.
Invariant: only a call with the mark is ever changed; which calls get it is decided in analysis/derivatives/vector_math.py.
"""

from __future__ import annotations

from enzyme_magic.backend.ir.attributes import Attribute, AttributeSet
from enzyme_magic.backend.ir.instructions import Call
from enzyme_magic.backend.library import libc
from enzyme_magic.backend.rules import registry
from enzyme_magic.backend.rules.ir_basic import OWN

MARK = Attribute("vector-math", quoted=True)


def has_vector_form(call: Call) -> bool:
    """Whether a call is of libm's function, or LLVM's word for it, on one float or double, and there may be a form for vectors."""
    called = call.called_function
    if called is None or not called.is_declaration or OWN in called.attributes or registry.LIKE in called.attributes:
        return False
    known = libc.operations().get(registry.operation_of(call) or "")
    return known is not None and str(call.type) in known.vectored


def is_smooth(call: Call) -> bool:
    """Whether a call is of a function of libm, or LLVM's word for it, in which nothing is decided."""
    called, operation = call.called_function, registry.operation_of(call)
    if called is None or not called.is_declaration or operation is None:
        return False
    known = libc.operations().get(operation)
    return operation == "fmuladd" or (known is not None and known.smooth)


def marked(attributes: AttributeSet, free: bool) -> AttributeSet:
    """Attributes of a call with the mark, or without it."""
    return attributes.with_(MARK) if free else attributes.without([MARK.name])
