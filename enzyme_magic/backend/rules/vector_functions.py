"""Functions of libm that a derivative may compute for several numbers at once, and how a call says that it may.

The C library brings them (libmvec); LLVM's loop vectorizer uses them where it finds that they pay. Their results may differ from
libm's in the last digits, at most 4 ulp (tests/autodiff/test_vector_math.py measures each). Invariant: only a call with the mark
is ever changed; which calls get it is decided in analysis/derivatives/vector_math.py.
"""

from __future__ import annotations

from enzyme_magic.backend.ir.attributes import Attribute, AttributeSet
from enzyme_magic.backend.ir.instructions import Call
from enzyme_magic.backend.ir.types import DOUBLE, FLOAT
from enzyme_magic.backend.rules import registry
from enzyme_magic.backend.rules.ir_basic import OWN

_OPERATIONS = "exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh erf erfc pow"
OPERATIONS = frozenset(_OPERATIONS.split())
# A small change of what they take is a small change of what they give: nothing is decided in them.
SMOOTH = OPERATIONS | {"sqrt", "cbrt", "fma", "fmuladd", "hypot", "asinh", "acosh", "atanh", "exp10"}
MARK = Attribute("vector-math", quoted=True)


def has_vector_form(call: Call) -> bool:
    """Whether a call is of libm's function, or LLVM's word for it, on one float or double, and there may be a form for vectors."""
    called = call.called_function
    if called is None or not called.is_declaration or OWN in called.attributes or call.type not in (DOUBLE, FLOAT):
        return False
    return registry.LIKE not in called.attributes and registry.operation_of(call) in OPERATIONS


def marked(attributes: AttributeSet, free: bool) -> AttributeSet:
    """Attributes of a call with the mark, or without it."""
    return attributes.with_(MARK) if free else attributes.without([MARK.name])
