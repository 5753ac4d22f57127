"""Masks on the sign bit of a floating number become the operations they are.

    memcpy(&u, &x, 8);  u & 0x7fff…  becomes  fabs(x),   u | 0x8000…  -fabs(x),   u ^ 0x8000…  -x,
    (u & 0x7fff…) | (v & 0x8000…)  copysign(x, y)

LLVM's optimizations from -O1 on do the same; this is for -O0. All of these are exact, for NaN and zeros too.

Not done: any other arithmetic on the bits of a number. Where a derivative would flow through it, it is refused.
"""

from __future__ import annotations

from collections.abc import Callable

from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs.def_use import replace_uses
from enzyme_magic.backend.ir.instructions import Binary, Cast
from enzyme_magic.backend.ir.module import Module
from enzyme_magic.backend.ir.types import FunctionType, Type
from enzyme_magic.backend.ir.values import ConstantInt, Value

WIDTHS = {"half": 16, "float": 32, "double": 64}


def to_operations(module: Module) -> int:
    """Rewrite every number made of such masks in the definitions of `module`, in place; gives back how many."""
    count = 0
    for function in list(module.definitions()):
        replaced: dict[Value, Value] = {}
        for block in function.blocks:
            for cast in [i for i in block.instructions if isinstance(i, Cast) and _gives_number(i)]:
                builder = Builder(block, cast)
                builder.debug_location = cast.metadata.get("dbg")
                number = _Numbers(module, builder, cast.type).of(cast.operands[0])
                if number is not None:
                    replaced[cast] = number
                    block.instructions.remove(cast)
        if replaced:
            replace_uses(function, {old: _last(new, replaced) for old, new in replaced.items()})
            count += len(replaced)
    return count


def _gives_number(cast: Cast) -> bool:
    """A bitcast of masked bits to float or double."""
    return cast.opcode == "bitcast" and str(cast.type) in WIDTHS and isinstance(cast.operands[0], Binary)


def _last(value: Value, replaced: dict[Value, Value]) -> Value:
    while value in replaced:
        value = replaced[value]
    return value


class _Numbers:
    """Writes the number that an integer's bits are."""

    def __init__(self, module: Module, builder: Builder, type_: Type) -> None:
        self.module, self.builder, self.type = module, builder, type_
        self.bits = WIDTHS[str(type_)]
        self.suffix = f"f{self.bits}"

    def of(self, bits: Value) -> Value | None:
        """None where nothing tells; what was written till then is dead code."""
        if isinstance(bits, Cast):
            return bits.operands[0] if bits.opcode == "bitcast" and bits.operands[0].type == self.type else None
        if not isinstance(bits, Binary):
            return None
        left, right = bits.operands
        if bits.opcode == "and" and _is_rest(right, self.bits):
            return self._call("fabs", self.of(left))
        if bits.opcode == "or" and _is_sign(right, self.bits):
            return self._minus(self._call("fabs", self.of(left)))
        if bits.opcode == "xor" and _is_sign(right, self.bits):
            return self._minus(self.of(left))
        if bits.opcode == "or":
            for magnitude, sign in ((left, right), (right, left)):
                if _masked(magnitude, _is_rest, self.bits) and _masked(sign, _is_sign, self.bits):
                    assert isinstance(sign, Binary)
                    return self._call("copysign", self.of(magnitude), self.of(sign.operands[0]))
        return None

    def _minus(self, value: Value | None) -> Value | None:
        return None if value is None else self.builder.fneg(value)

    def _call(self, name: str, *values: Value | None) -> Value | None:
        known = [v for v in values if v is not None]
        if len(known) < len(values):
            return None
        type_ = FunctionType(self.type, (self.type,) * len(known))
        return self.builder.call(self.module.declared(f"llvm.{name}.{self.suffix}", type_), known)


def _masked(value: Value, mask: Callable[[Value, int], bool], bits: int) -> bool:
    return isinstance(value, Binary) and value.opcode == "and" and mask(value.operands[1], bits)


def _is_sign(value: Value, bits: int) -> bool:
    return isinstance(value, ConstantInt) and value.unsigned == 1 << (bits - 1)


def _is_rest(value: Value, bits: int) -> bool:
    return isinstance(value, ConstantInt) and value.unsigned == (1 << (bits - 1)) - 1
