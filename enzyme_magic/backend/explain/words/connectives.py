"""Which instructions are C's `&&`, `||` and `!`.

LLVM has no operators of truth: `select`, `and`, `or` and `xor` of one bit stand for them. What is not one of the three is None. It
says nothing about how the operands are written.
"""

from __future__ import annotations

from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.instructions import Binary, Instruction, Select
from enzyme_magic.backend.ir.types import I1
from enzyme_magic.backend.ir.values import Value


def connective(i: Instruction) -> tuple[str, Value, Value | None] | None:
    """("and", a, b), ("or", a, b), ("not", a, None)."""
    if i.type != I1:
        return None
    if isinstance(i, Select):
        condition, a, b = i.operands
        if b == constants.FALSE:
            return "and", condition, a
        return ("or", condition, b) if a == constants.TRUE else None
    if not isinstance(i, Binary) or i.opcode not in ("and", "or", "xor"):
        return None
    a, b = i.operands
    if i.opcode == "xor":
        return ("not", a, None) if b == constants.TRUE else None
    return i.opcode, a, b
