"""Memory that holds numbers of several formats: a union of a double and floats, a block that is used as one and then as the other.

    union { double d; float f[2]; } u;   u.d = x;   … u.f[1] …      digits of x, and no number with its derivative

Where each number is read as what it was stored as, derivatives are those of any memory. No type tells whether it is, so the run is
asked: in reverse mode by the kinds of adjoints (memory/kinds.py), in forward mode by marks of the tangents that are stored.

Not here: numbers whose bits are computed with as integers (bit_operations.py); memory of which nothing tells where in it a number
lies; programs that pass unions in registers, where bits of any member are loaded and stored as those of one.
"""

from __future__ import annotations

from enzyme_magic.backend.autodiff.calls.request import FORWARD
from enzyme_magic.backend.autodiff.context import SweepContext
from enzyme_magic.backend.autodiff.memory import kinds
from enzyme_magic.backend.autodiff.subject import Subject
from enzyme_magic.backend.autodiff.sweeps.leaves import leaves
from enzyme_magic.backend.ir.instructions import Load
from enzyme_magic.backend.ir.types import FloatType

SEVERAL = "these bytes may hold a number of another format: numbers of several formats lie in this memory"
HINT = "keep numbers of different formats in members of their own, and not in a union or one block"


def check(context: SweepContext, subject: Subject) -> None:
    """Raise DifferentiationError for the first number with a derivative that may be read as another one, where the run is not asked
    about it yet."""
    types, forward = subject.facts.types, subject.request.mode == FORWARD
    if (context.formats if forward else context.kinds) or types.seeds.passes_unions:
        return
    loads = (i for block in subject.prepared.order for i in block.instructions if isinstance(i, Load))
    for load in loads:
        others = types.seeds.other_formats(load) if subject.activity.active(load) else frozenset[str]()
        if others:
            raise _asked(context, load, others, forward)


def _asked(context: SweepContext, load: Load, others: frozenset[str], forward: bool) -> Exception:
    """The error where the run cannot be asked; else what lets it be."""
    error = context.fail(load, SEVERAL, HINT, "EM224")
    own = [leaf.type for leaf in leaves(load.type, context.layout.resolve)]
    if not kinds.are_marked([*own, *map(FloatType, others)]):
        return error
    if not forward:
        return kinds.doubt(context, error)
    context.mixed |= context.may_doubt
    return error
