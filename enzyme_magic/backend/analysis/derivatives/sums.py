"""Which numbers does a loop only add to?

    for (j …) s += l[j]*x[j];

Definition: a floating number that a loop carries is a sum in it if the one use of it in the loop is the addition, subtraction or
fused product and sum that makes its next value, as what is added to, and nothing else in the loop uses the next value. Nothing
then sees a partial sum, so the terms may be added in any order as far as exact numbers go. (Kahan's compensated sum is none: it
looks at what it has so far. Running sums that are stored are none either.)
"""

from __future__ import annotations

from enzyme_magic.backend.ir.graphs.loops import Loop
from enzyme_magic.backend.ir.instructions import Binary, Call, Instruction, Phi
from enzyme_magic.backend.ir.types import FloatType

_FUSED = ("llvm.fmuladd.", "llvm.fma.")


def summed(phi: Phi, loop: Loop) -> Instruction | None:
    """The instruction that makes the next value of `phi` of the header of `loop`, if the phi is a sum in it."""
    following = phi.value_from(loop.latch)
    if not isinstance(phi.type, FloatType) or not isinstance(following, Instruction):
        return None
    inside = [i for block in loop.blocks for i in block.instructions]
    users = [i for i in inside if phi in i.operands or following in i.operands]
    alone = len(users) == 2 and phi in users and following in users
    return following if alone and _adds_to(following, phi) else None


def _adds_to(i: Instruction, phi: Phi) -> bool:
    if isinstance(i, Binary):
        return (i.opcode == "fadd" and i.operands.count(phi) == 1) or (
            i.opcode == "fsub" and i.operands[0] is phi and i.operands[1] is not phi
        )
    called = i.called_function if isinstance(i, Call) else None
    return isinstance(i, Call) and called is not None and called.name.startswith(_FUSED) and phi not in i.arguments[:2]
