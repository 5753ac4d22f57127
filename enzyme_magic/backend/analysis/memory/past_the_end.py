"""Of which variables may the program keep a pointer one past the end?

    static double a[4], *end = a + 4;          such a pointer is the address of whatever variable lies behind `a`

Theorem: memory holds only pointers that an instruction stored, an initializer put there or a copy moved. If no stored pointer into
a variable and no initializer is made by arithmetic that may leave it (or end at its end), every pointer in memory that is its
end's address leads into another variable.

Invariant: what is not named is a proof. What is allowed is listed: addresses of variables and their fields at known places,
pointers from memory, merges of these, blocks of allocators, parameters and results whose every source is one of these. Not here:
pointers that C does not allow (out of bounds by more), and what the caller of the program stores.
"""

from __future__ import annotations

from enzyme_magic.backend.analysis.calls.effects import Effects
from enzyme_magic.backend.ir.graphs.callgraph import globals_in
from enzyme_magic.backend.ir.instructions import (
    Alloca,
    AtomicRMW,
    Call,
    Cast,
    Compare,
    CompareExchange,
    Freeze,
    GetElementPtr,
    Instruction,
    Invoke,
    Load,
    Phi,
    Return,
    Select,
    Store,
)
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Function, GlobalVariable, Module
from enzyme_magic.backend.ir.types import FloatType, IntType, NamedType, StructType, VectorType
from enzyme_magic.backend.ir.values import (
    Argument,
    ConstantAggregate,
    ConstantExpression,
    ConstantFloat,
    ConstantInt,
    ConstantKeyword,
    ConstantSplat,
    ConstantString,
    Value,
)
from enzyme_magic.backend.library.summary import NEW

_PLAIN = (ConstantInt, ConstantFloat, ConstantKeyword, ConstantString, Function)


def variables(module: Module, layout: DataLayout, effects: Effects) -> frozenset[str]:
    """The names of the variables to whose ends some memory may hold a pointer."""
    return frozenset(_Search(module, layout, effects).found())


class _Search:
    def __init__(self, module: Module, layout: DataLayout, effects: Effects) -> None:
        self.module = module
        self.layout = layout
        self.effects = effects
        self.asked: set[Value] = set()
        self.calls: dict[Function, list[Call]] = {}
        self.taken: set[Value] = set()

    def found(self) -> set[str]:
        names: set[str] = set()
        for content in (v.initializer for v in self.module.variables.values() if v.initializer is not None):
            self.taken.update(globals_in(content))
            names |= self._ends_in(content)
        for function in self.module.definitions():
            for i in function.instructions():
                self._note(i)
        for function in self.module.definitions():
            for i in function.instructions():
                names |= self._let_out(function, i)
        return names

    def _let_out(self, function: Function, i: Instruction) -> set[str]:
        """The variables to whose ends the pointer may lead that `i` lets out."""
        self.asked.clear()
        if not self._keeps(i):
            return set()
        points_to = self.effects.points_to(function)
        mask = points_to.mask(i.value) if isinstance(i, Store) else -1
        objects = list(points_to.members(mask)) if mask >= 0 else []
        if mask >= 0 and all(o.local or o.kind == "global" for o in objects):
            return {o.name for o in objects if o.kind == "global"}
        return set(self.module.variables)

    def _note(self, i: Instruction) -> None:
        """Who is called where, and which functions are called through pointers."""
        operands = i.operands
        if isinstance(i, Call) and i.called_function is not None:
            self.calls.setdefault(i.called_function, []).append(i)
            operands = i.arguments
        for operand in operands:
            self.taken.update(globals_in(operand))

    def _keeps(self, i: Instruction) -> bool:
        if isinstance(i, (AtomicRMW, CompareExchange, Invoke)):
            return True
        if isinstance(i, Cast) and i.opcode in ("ptrtoint", "ptrtoaddr"):
            return not self._only_compared(i)
        if not isinstance(i, Store) or isinstance(i.value.type.scalar, (FloatType, IntType)):
            return False
        return isinstance(i.value.type, VectorType) or self._past(i.value)

    def _only_compared(self, address: Instruction) -> bool:
        home = address.parent.parent if address.parent is not None else None
        users = [i for i in home.instructions() if address in i.operands] if home is not None else []
        return all(isinstance(i, Compare) or i.opcode == "sub" for i in users)

    def _past(self, value: Value) -> bool:
        """Whether the pointer may lead to the end of a variable."""
        if value in self.asked:
            return False  # answered, or being asked
        self.asked.add(value)
        if isinstance(value, Argument):
            return self._parameter(value)
        if not isinstance(value, Instruction):
            return self._constant(value)
        if isinstance(value, (Load, Alloca)):
            return False
        if isinstance(value, (Phi, Freeze)):
            return any(map(self._past, value.operands))
        if isinstance(value, Select):
            return any(map(self._past, value.operands[1:]))
        if isinstance(value, GetElementPtr):
            return self._element(value)
        return not isinstance(value, Call) or self._result(value)

    def _element(self, gep: GetElementPtr) -> bool:
        offset = self.layout.constant_offset(gep)
        base = gep.pointer
        if offset is None:
            return True
        if isinstance(base, (GlobalVariable, Alloca)):
            type_ = base.value_type if isinstance(base, GlobalVariable) else base.allocated_type
            return not 0 <= offset < self.layout.size_of(type_)
        return not (offset == 0 or self._is_field(gep)) or self._past(base)

    def _is_field(self, gep: GetElementPtr) -> bool:
        """A field of a struct lies inside of it."""
        type_ = self.layout.resolve(gep.source_type) if isinstance(gep.source_type, NamedType) else gep.source_type
        first, *rest = gep.indices
        return isinstance(type_, StructType) and isinstance(first, ConstantInt) and not first.value and len(rest) == 1

    def _parameter(self, argument: Argument) -> bool:
        function = next((f for f in self.module.definitions() if argument in f.arguments), None)
        if function is None or function in self.taken:
            return True
        return any(self._past(call.arguments[argument.index]) for call in self.calls.get(function, ()))

    def _result(self, call: Call) -> bool:
        called = call.called_function
        if called is None:
            return True
        if called.is_declaration:
            return self.effects.summary(called).returns != {NEW}  # memory that it allocates begins where it points
        return any(self._past(v) for i in called.instructions() if isinstance(i, Return) for v in i.operands)

    def _constant(self, value: Value) -> bool:
        return bool(self._ends_in(value))

    def _ends_in(self, value: Value) -> set[str]:
        """The variables to whose ends a constant leads, or may lead."""
        if isinstance(value, ConstantAggregate):
            return {name for element in value.elements for name in self._ends_in(element)}
        if isinstance(value, ConstantSplat):
            return self._ends_in(value.element)
        if isinstance(value, (*_PLAIN, GlobalVariable)):
            return set()
        base = value.operands[0] if isinstance(value, ConstantExpression) and value.opcode == "getelementptr" else None
        offset = self.layout.constant_offset(value)
        if isinstance(base, GlobalVariable) and offset is not None:
            return set() if 0 <= offset < self.layout.size_of(base.value_type) else {base.name}
        return {found.name for found in globals_in(value) if isinstance(found, GlobalVariable)} or {""}
