"""Instructions that write no memory, end no call and wait for nobody, whatever they compute.

The list says which do not; anything else may. Between two accesses with nothing else between them memory is the same.
"""

from __future__ import annotations

from enzyme_magic.backend.ir.instructions import Instruction, Load

_QUIET = frozenset(
    """fneg fadd fsub fmul fdiv frem add sub mul udiv sdiv urem srem shl lshr ashr and or xor icmp fcmp select freeze phi
    getelementptr bitcast trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint inttoptr extractvalue insertvalue
    extractelement insertelement shufflevector alloca""".split()  # noqa: SIM905
)


def writes_nothing(i: Instruction) -> bool:
    """A plain load or an operation on values."""
    return i.opcode in _QUIET or (isinstance(i, Load) and not (i.volatile or i.ordering))
