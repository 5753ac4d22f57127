"""What the user calls the values of a function: names and C types of parameters and variables, from debug records.

Invariant: a name stands for the value the variable holds at some point; several values may have one name. A value that several
variables hold goes by the first of the function itself, then by one of an inlined function.

Without debug records (generated functions) arguments keep their own names and nothing else has one.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from typing import TypeGuard

from enzyme_magic.backend.autodiff.calls.request import ASKS, STATIC_PREFIX
from enzyme_magic.backend.frontend import c_types
from enzyme_magic.backend.frontend.signature import TypeReader
from enzyme_magic.backend.ir import locations
from enzyme_magic.backend.ir.instructions import Binary, Call, Cast, Instruction, Load, Phi, Select, Unary
from enzyme_magic.backend.ir.metadata import DebugRecord, MDRecord, MDString, Metadata, ValueAsMetadata
from enzyme_magic.backend.ir.module import Function, GlobalVariable
from enzyme_magic.backend.ir.types import IntType, PointerType
from enzyme_magic.backend.ir.values import Argument, Constant, ConstantInt, Value

FLOATS = {"float": "float", "double": "double", "x86_fp80": "long double"}  # LLVM's types by C's
_NUMBERED = re.compile(r"(?<=\w)\.\d+$")
_CLANGS_OWN = "__vla_expr"  # clang's name for the length of an array of variable length: nobody wrote it


@dataclass(frozen=True, slots=True)
class Variable:
    """`name` in C: `x`, or `p.x` for a part of a struct kept in registers. `inlined`: it belongs to an inlined function."""

    name: str
    type: c_types.CType
    inlined: bool = False


@dataclass(slots=True, eq=False)
class Variables:
    """`held`: the variable whose value a value is; `memory`: the variable that lies at an address (an alloca, a global)."""

    held: dict[Value, Variable] = field(default_factory=dict)
    memory: dict[Value, Variable] = field(default_factory=dict)
    shifted: dict[Value, tuple[Variable, int]] = field(
        default_factory=dict
    )  # the variable holds the value plus a number
    counts: dict[Value, tuple[Variable, int]] = field(
        default_factory=dict
    )  # the phi of a loop whose variable is the phi plus a number, though the phi may be another variable, too
    _shifted_at: dict[Value, Instruction] = field(default_factory=dict)  # the place in the text from which that is so
    also: dict[Value, set[str]] = field(
        default_factory=dict
    )  # the function's variables that hold a value at some point
    elsewhere: dict[Value, set[tuple[str, str]]] = field(
        default_factory=dict
    )  # the same for inlined functions: function and variable
    constant: set[tuple[str, str]] = field(
        default_factory=set
    )  # variables that hold a constant at some point ("": its own)
    types: dict[str, c_types.CType] = field(default_factory=dict)  # the function's own variables by name
    inlined: dict[str, c_types.CType] = field(default_factory=dict)  # those of inlined functions
    structs: dict[str, c_types.Struct] = field(default_factory=dict)  # by the name other structs mention them with
    reader: TypeReader = field(default_factory=TypeReader)

    @classmethod
    def of(cls, function: Function) -> Variables:
        found = cls()
        for instruction in function.instructions():
            for record in instruction.debug_records:
                found._read(record, instruction)
        for argument in function.arguments:
            if argument.name and argument not in found.held:
                found.held[argument] = Variable(argument.name, c_types.VOID)
        found._inherit(function)
        return found

    def renamed(self, values: Mapping[Value, Value]) -> Variables:
        """The same for a copy of the function; `values` leads from the original to the copy."""
        held = {values[v]: variable for v, variable in self.held.items() if v in values}
        memory = {values.get(v, v): variable for v, variable in self.memory.items()}
        shifted = {values[v]: found for v, found in self.shifted.items() if v in values}
        made = Variables(held, memory, shifted, structs=self.structs, reader=self.reader)
        made.counts = {values[v]: found for v, found in self.counts.items() if v in values}
        made.types, made.inlined = self.types, self.inlined
        made.also = {values[v]: names for v, names in self.also.items() if v in values}
        made.elsewhere = {values[v]: names for v, names in self.elsewhere.items() if v in values}
        made.constant = self.constant
        return made

    def of_memory(self, pointer: Value) -> Variable | None:
        """The variable that lies at `pointer`."""
        if isinstance(pointer, GlobalVariable) and pointer not in self.memory:
            self.memory[pointer] = self._global(pointer)
        return self.memory.get(pointer)

    def steps(self, value: Value, name: str) -> bool:
        """Whether a whole number is made from an earlier one of that variable: what is stepped with `i + 1` is used beside
        `i`."""
        if not isinstance(value.type, IntType):
            return False
        pending, seen = [(value, 3)], 0
        while pending and seen < 32:
            current, depth = pending.pop()
            seen += 1
            if current is not value and (held := self.held.get(current)) is not None and held.name == name:
                return True
            if depth and isinstance(current, Instruction) and not isinstance(current, (Phi, Load)):
                pending.extend((operand, depth - 1) for operand in current.operands)
        return False

    def is_int(self, value: Value) -> bool:
        """Whether a variable of C's type int holds the value."""
        held = self.held.get(value)
        return held is not None and isinstance(held.type, c_types.Scalar) and held.type.base == "int"

    def _read(self, record: DebugRecord, before: Instruction) -> None:
        if record.kind not in ("value", "declare") or len(record.operands) < 3:
            return
        place, variable, expression = record.operands[:3]
        if not isinstance(place, ValueAsMetadata) or not isinstance(variable, MDRecord):
            return
        inlined = isinstance(record.operands[-1], MDRecord) and "inlinedAt" in record.operands[-1].fields
        if not isinstance(place.value, (Instruction, Argument)):
            if (named := _owned(variable, inlined)) is not None:
                self.constant.add(named)
            return  # a constant is nobody's own
        arguments = expression.arguments if isinstance(expression, MDRecord) else ()
        shift = _shift(arguments)
        if shift is not None:
            plain = self._variable(variable, (), inlined)
            if plain is not None:
                self.shifted.setdefault(place.value, (plain, shift))
                self._shifted_at.setdefault(place.value, before)
            return
        found = self._variable(variable, arguments, inlined)
        if found is None:
            return
        in_memory = record.kind == "declare" or arguments[:1] == ("DW_OP_deref",)
        if in_memory or not _assigned_late(place.value, before):
            self._name(place.value, found, inlined, in_memory)
            if inlined and not in_memory and (named := _owned(variable, inlined)) is not None:
                self.elsewhere.setdefault(place.value, set()).add((named[0], found.name))

    def _name(self, value: Value, found: Variable, inlined: bool, in_memory: bool) -> None:
        table = self.memory if in_memory else self.held
        if not in_memory:
            found = _of_union(found, value)
            if not inlined:
                self.also.setdefault(value, set()).add(found.name)
        known = table.get(value)
        if known is None or (known.inlined and not inlined):
            table[value] = found
        (self.inlined if inlined else self.types).setdefault(found.name, found.type)

    def _variable(self, node: MDRecord, expression: tuple[Metadata | int | str, ...], inlined: bool) -> Variable | None:
        name = node.fields.get("name")
        if not isinstance(name, MDString) or name.text.startswith(_CLANGS_OWN):
            return None
        type_ = self.reader.read(_field(node, "type"))
        self._note_structs(type_)
        if not expression or expression == ("DW_OP_deref",):
            return Variable(name.text, type_, inlined)
        if expression[0] == "DW_OP_LLVM_fragment" and isinstance(expression[1], int):
            if half := c_types.complex_part(type_, expression[1] // 8, _bytes_of(expression)):
                return Variable(f"{half}({name.text})", c_types.VOID, inlined)
            path, part = member(type_, expression[1] // 8)
            return Variable(name.text + path, part, inlined) if path else None
        return None

    def _note_structs(self, type_: c_types.CType) -> None:
        pending = [type_]
        while pending:
            found = pending.pop()
            if isinstance(found, c_types.Pointer):
                pending.append(found.to)
            elif isinstance(found, c_types.Array):
                pending.append(found.element)
            elif isinstance(found, c_types.Struct) and found.name not in self.structs:
                self.structs[found.name] = found
                pending.extend(member_.type for member_ in found.fields)

    def _inherit(self, function: Function) -> None:
        """Values LLVM made of a variable keep its name before the dot: `%s.0.lcssa`. They keep it, too, when it computed something
        of them in advance; then not all that flows in is a value of the variable."""
        for instruction in function.instructions():
            stem, dot, _ = instruction.name.partition(".")
            if self._is_stepped(instruction):
                variable, shift = self.shifted.pop(instruction)
                self.held.setdefault(instruction, variable)
                if isinstance(instruction, Binary):
                    self.counts[instruction.operands[0]] = variable, shift
            known = instruction in self.held or instruction in self.shifted
            type_ = self.types.get(stem) or self.inlined.get(stem)
            if not isinstance(instruction, Phi) or known:
                continue
            if (shifted := self._shifted_alike(instruction, stem)) is not None:
                self.shifted[instruction] = shifted
                continue
            if dot and type_ is None and (part := self._part(stem, instruction)) is not None:
                self.held[instruction] = part
            if not dot or type_ is None:
                continue
            if all(self._is(stem, value) for value in instruction.operands):
                self.held[instruction] = Variable(stem, type_, inlined=stem not in self.types)

    def _part(self, stem: str, phi: Phi) -> Variable | None:
        """The member of a struct in registers that all values which arrive are at some point: LLVM names them after the struct."""
        known = [self._parts(stem, value) for value in phi.operands]
        shared = frozenset.intersection(*known) if known else frozenset()
        name = next(iter(shared)) if len(shared) == 1 else None
        return Variable(name, self.types[name]) if name in self.types else None

    def _parts(self, stem: str, value: Value) -> frozenset[str]:
        while isinstance(value, Phi) and len(value.operands) == 1:
            value = value.operands[0]
        held = self.held.get(value)
        names = {*self.also.get(value, ()), *([held.name] if held is not None else ())}
        return frozenset(name for name in names if name.startswith(f"{stem}."))

    def forget(self, names: Container[str]) -> None:
        """Values that go by one of these names of the function's, though they are none of its constants: LLVM keeps the name of a
        choice (`x < lo ? 1 : 2`) for what it makes of it (`x < lo ? x : 2*x`)."""
        named = {value for value, variable in self.held.items() if variable.name in names and not variable.inlined}
        for value in named:
            if not is_constant(value):
                del self.held[value]
                self.also.pop(value, None)

    def _is_stepped(self, value: Instruction) -> bool:
        """Whether the variable is the value itself, and the value plus a number only once it has been stepped."""
        if value not in self.shifted:
            return False
        if isinstance(value, Phi):
            return self._is_stepped_phi(value)
        return isinstance(value, Binary) and self._steps_along(value)

    def _steps_along(self, step: Binary) -> bool:
        """LLVM counts one further: `for (i = n - 1; i >= 0; i--)` from n, by a phi that goes down with `i`. What it comes to is
        `i`, and that less 1 is `i` once it has been stepped, because both go by the same number."""
        phi, number = step.operands
        counts = step.opcode == "add" and isinstance(phi, Phi) and step in phi.operands
        return counts and isinstance(number, ConstantInt) and number.value == self.shifted[step][1]

    def _is_stepped_phi(self, phi: Phi) -> bool:
        """What arrives from the iteration before is the variable, and the phi is used before the step."""
        variable, shift = self.shifted[phi]
        if phi.parent is None:
            return False
        stepped = (self._is_step(value, phi, variable.name, shift) for value in phi.operands)
        if not any(stepped):
            return False
        for instruction in phi.parent.instructions:
            if instruction is self._shifted_at[phi]:
                return False
            if phi in instruction.operands and not isinstance(instruction, (Phi, Binary)):
                return True
        return False

    def _is_step(self, value: Value, phi: Phi, name: str, shift: int) -> bool:
        held = self.held.get(value)
        if isinstance(value, Instruction) and held is not None and held.name == name:
            return True
        step = value.operands[1] if isinstance(value, Binary) and value.operands[0] is phi else None
        return isinstance(step, ConstantInt) and step.value == shift

    def _shifted_alike(self, phi: Phi, stem: str) -> tuple[Variable, int] | None:
        """The variable and number where all values that arrive are one variable's but for that number (LLVM counts from elsewhere).
        Constants may arrive where LLVM named the merge after the variable."""
        arriving = [value for value in phi.operands if value is not phi]
        found = {self.shifted[value] for value in arriving if value in self.shifted}
        if len(found) != 1 or not isinstance(phi.type, IntType):
            return None
        variable, shift = found.pop()
        rest = [value for value in arriving if value not in self.shifted]
        fits = all(isinstance(value, ConstantInt) for value in rest) and (not rest or variable.name == stem)
        return (variable, shift) if fits else None

    def _is(self, stem: str, value: Value) -> bool:
        """Whether a value may be one of the variable: not when it is a computed value of no variable or of another. A whole number
        that LLVM has made wider or narrower is the same one."""
        while (isinstance(value, Phi) and len(value.operands) == 1) or _is_resized(value):
            if isinstance(value, Cast) and (value in self.held or value in self.also):
                break
            value = value.operands[0]
        if isinstance(value, Phi) and value.name.partition(".")[0] == stem:
            return True
        held = self.held.get(value)
        if stem in self.also.get(value, ()):
            return True
        return held.name == stem if held is not None else not isinstance(value, (Binary, Call, Cast, Unary))

    def _global(self, variable: GlobalVariable) -> Variable:
        node = variable.metadata.get("dbg")
        described = _field(node, "var") if isinstance(node, MDRecord) and "var" in node.fields else node
        if isinstance(described, MDRecord):
            name = described.fields.get("name")
            if isinstance(name, MDString):
                return Variable(name.text, self.reader.read(_field(described, "type")))
        return Variable(variable.name.rpartition(".")[2] or variable.name, c_types.VOID)


def is_constant(value: Value, deep: int = 8) -> bool:
    """Whether a value is a constant, or chosen from constants."""
    if isinstance(value, (Cast, Phi, Select)) and deep:
        chosen = value.operands[1:] if isinstance(value, Select) else value.operands
        return all(is_constant(option, deep - 1) for option in chosen)
    return isinstance(value, Constant)


def _owned(variable: MDRecord, inlined: bool) -> tuple[str, str] | None:
    """The function of a variable, "" for the one that is looked at, and its name."""
    name, function = variable.fields.get("name"), locations.function_around(variable) if inlined else ""
    return (function, name.text) if isinstance(name, MDString) and function is not None else None


def _is_resized(value: Value) -> TypeGuard[Cast]:
    """Whether it is another value with more bits, or with fewer."""
    return isinstance(value, Cast) and value.opcode in ("sext", "zext", "trunc")


def _assigned_late(value: Value, before: Instruction) -> bool:
    """Whether a pointer that arrives at a block is used there before the variable is given it (`n = n->next`): until then the
    variable is another one."""
    if not isinstance(value, Phi) or not isinstance(value.type, PointerType) or before.parent is not value.parent:
        return False
    inside = before.parent.instructions if before.parent is not None else []
    earlier = inside[: next(k for k, i in enumerate(inside) if i is before)]
    return any(value in i.operands for i in earlier if not isinstance(i, Phi))


def _of_union(variable: Variable, value: Value) -> Variable:
    """The member of a union that a number in a register is; the variable itself where there is no such one."""
    if not isinstance(variable.type, c_types.Struct) or not variable.type.union:
        return variable
    base = FLOATS.get(str(value.type))
    fits = (f for f in variable.type.fields if isinstance(f.type, c_types.Scalar) and f.type.base == base and f.name)
    field_ = next(fits, None)
    return variable if field_ is None else Variable(f"{variable.name}.{field_.name}", field_.type, variable.inlined)


def _bytes_of(fragment: tuple[Metadata | int | str, ...]) -> int:
    return fragment[2] // 8 if len(fragment) > 2 and isinstance(fragment[2], int) else 0


def _shift(expression: tuple[Metadata | int | str, ...]) -> int | None:
    """The number a debug expression adds to the value, if it does nothing else."""
    match expression:
        case ("DW_OP_plus_uconst", int(number), "DW_OP_stack_value"):
            return number
        case ("DW_OP_constu" | "DW_OP_consts", int(number), "DW_OP_plus", "DW_OP_stack_value"):
            return number
        case ("DW_OP_constu" | "DW_OP_consts", int(number), "DW_OP_minus", "DW_OP_stack_value"):
            return -number
    return None


def function_name(function: Function) -> str:
    """What C calls a function: statics carry a prefix in the IR, and an answer to a request is `__enzyme_autodiff(f)`."""
    asks = function.attributes.get(ASKS)
    if asks is not None:
        return str(asks.value)
    node = function.subprogram
    name = node.fields.get("name") if node is not None else None
    return name.text if isinstance(name, MDString) else plain(function.name.removeprefix(STATIC_PREFIX))


def plain(name: str) -> str:
    """`qsort` of `qsort.1`, one of several bodies that a function of the library has: no name of C has a dot."""
    return _NUMBERED.sub("", name)


def _field(node: MDRecord, key: str) -> Metadata | None:
    found = node.fields.get(key)
    return found if isinstance(found, Metadata) else None


def member(type_: c_types.CType, offset: int) -> tuple[str, c_types.CType]:
    """The scalar `offset` bytes into a `type_`: (".x[2]", its type); ("", type_) where there is none or it is the object itself."""
    path = ""
    while True:
        if isinstance(type_, c_types.Struct):
            inside = [f for f in type_.fields if f.offset <= offset]
            if not inside or type_.union:
                return path, type_
            found = inside[-1]
            path, type_, offset = f"{path}.{found.name}" if found.name else path, found.type, offset - found.offset
            continue
        if isinstance(type_, c_types.Array):
            size = c_types.size_of(type_.element)
            if not size:
                return path, type_
            path, type_, offset = f"{path}[{offset // size}]", type_.element, offset % size
            continue
        return path, type_
