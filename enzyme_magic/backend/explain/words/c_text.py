"""IR values as C expressions, with the user's names: `x > 0`, `a[i]`, `s*y[0] + x[i]`, `pow(x, 3)`.

Invariant: read with C's precedence, the text means what the value is, up to conversions C makes by itself. A value without words of
its own is written as IR writes it (`%12`) beside IR, and as "…" for people who look at C; nothing here ever fails. `expression`
looks into a value even where it has a name (what is assigned to `s`), `value` uses the name (what `s` is used in).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping

from enzyme_magic.backend.analysis.counts.affine import Evolution
from enzyme_magic.backend.explain.words import arithmetic
from enzyme_magic.backend.explain.words.arithmetic import added, clipped, converted, number, opposite, same_test, string
from enzyme_magic.backend.explain.words.c_operators import (
    ADDITIVE,
    BINARY,
    CONVERSIONS,
    FUNCTIONS,
    LOGICAL_AND,
    LOGICAL_OR,
    MULTIPLICATIVE,
    POSTFIX,
    SIGNED,
    TERNARY,
    UNARY,
    UNSIGNED,
    Text,
    asserted,
    chosen,
    compared,
    compared_floats,
    infix,
    mentions,
    stepped,
    wrap,
)
from enzyme_magic.backend.explain.words.connectives import connective
from enzyme_magic.backend.explain.words.handed_on import HandedOn, Modifies
from enzyme_magic.backend.explain.words.merges import Merges
from enzyme_magic.backend.explain.words.places import Places, scaled_by_shifts
from enzyme_magic.backend.explain.words.transfers import transferred
from enzyme_magic.backend.explain.words.variables import FLOATS, Variables, function_name
from enzyme_magic.backend.frontend.c_types import Array
from enzyme_magic.backend.ir import intrinsics
from enzyme_magic.backend.ir.instructions import (
    Alloca,
    Binary,
    Branch,
    Call,
    Cast,
    Compare,
    Freeze,
    GetElementPtr,
    Instruction,
    Load,
    Phi,
    Return,
    Select,
    Store,
    Switch,
    Unary,
)
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.locations import stands_in_own_line
from enzyme_magic.backend.ir.module import Function, GlobalValue, GlobalVariable
from enzyme_magic.backend.ir.names import Names
from enzyme_magic.backend.ir.predicates import INVERSE
from enzyme_magic.backend.ir.text.print_values import ValueWriter
from enzyme_magic.backend.ir.types import I1, Type
from enzyme_magic.backend.ir.values import ConstantFloat, ConstantInt, ConstantKeyword, ConstantString, Value
from enzyme_magic.backend.rules import registry
from enzyme_magic.errors import InternalError

DEEPEST = 6
UNNAMED = "…"
LONGEST = 72  # characters; a longer expression goes by its name
INTEGERS = {**SIGNED, **UNSIGNED}


class CText:
    """Writes the values of one function. `places` is set once the evolution of addresses is known (they need each other).

    ir_names: what has no name in C goes by its name in the IR. `wrote`: whether the user called that function there. `turned`: sums
    and products with operands exchanged, as in the source. as_written: the source's words for what has none of its own. spelled: a
    call as it stands in C, where parameters of it are gone."""

    def __init__(self, function: Function, variables: Variables, layout: DataLayout, *, ir_names: bool = True) -> None:
        self.variables = variables
        self.names: Callable[[Value], str | None] = Names(function).get if ir_names else lambda value: None
        self.layout = layout
        self.places: Places | None = None
        self.handed_on: HandedOn | None = None
        self.wrote: Callable[[Instruction, str], bool] = lambda instruction, name: True
        self.turned: set[Instruction] = set()
        self.as_written: Mapping[Value, Text] = {}
        self.spelled: Callable[[Call], str | None] = lambda call: None
        self.leading = False  # constants stand before other factors, where LLVM has put them behind
        self._of_helper = True  # names of inlined functions' variables are known where the text is written
        self._operands: dict[tuple[Value, int, bool], Text] = {}
        self._found: dict[tuple[Value, int, str], str | None] = {}
        self.merges = Merges(function, variables, self._place_of, self.value, self.condition)

    # --- what others ask for

    def value(self, value: Value) -> str:
        """The value as an operand: a variable's name where it has one."""
        return self._written(value, self._operand)[0]

    def factor(self, value: Value) -> str:
        """The same, in parentheses where it would not stand in a product."""
        return wrap(self._written(value, self._operand), UNARY)

    def expression(self, value: Value) -> str:
        """What the value is computed from, one operation at least."""
        return self.operation(value)[0]

    def operation(self, value: Value) -> Text:
        """`expression` with its precedence."""
        text = self._written(value, self._operation)
        return self._as_compared(value, text) or text

    def _as_compared(self, value: Value, text: Text) -> Text | None:
        """A comparison in the source's words: a variable that holds what is compared may get it only behind."""
        if not isinstance(value, Compare) or not stands_in_own_line(value):
            return None
        written = self.as_written.get(value)
        return written if written and same_test(text[0], written[0], whole=value.opcode == "icmp") else None

    def turn(self, instruction: Instruction, known: Container[str]) -> bool:
        """Exchanges the operands of a sum or product where the text is a known one then: LLVM orders them as it likes."""
        if not isinstance(instruction, Binary) or instruction.opcode not in ("fadd", "fmul"):
            return False
        self.turned.add(instruction)
        if self.expression(instruction) not in known:
            self.turned.discard(instruction)
            return False
        self._operands.clear()  # what is made of it
        return True

    def statement(self, instruction: Instruction) -> str:
        """What an instruction does: `a[i] = x`, `return s`, `x > 0` of a branch; "" of a jump."""
        if isinstance(instruction, Store):
            place = self.place_of(instruction.pointer, instruction.value.type)
            stored = self.stored(instruction.value)
            return place if stored == place else f"{place} = {stored}"  # kept in a register, and written down now
        if isinstance(instruction, Return):
            return f"return {self.value(instruction.operands[0])}" if instruction.operands else "return"
        if isinstance(instruction, Branch):
            return self.condition(instruction.operands[0]) if instruction.operands else ""
        if isinstance(instruction, Switch):
            return self.value(instruction.operands[0])
        return self.expression(instruction)

    def stored(self, value: Value) -> str:
        """What is written down: a read is named by the variable that holds it, for what lies there may be overwritten by now; where
        none does, by what was read, and not by where it is written to."""
        named = isinstance(value, Load) and value in self.variables.held
        return self.value(value) if named else self.expression(value)

    def condition(self, value: Value, holds: bool = True) -> str:
        """A truth value, or its opposite."""
        text = self._written(value, lambda v, depth: self._truth(v, holds, depth))
        return (self._as_compared(value, text) or text)[0]

    def place_of(self, pointer: Value, type_: Type) -> str:
        """The memory at `pointer` that a read or a write of that type touches."""
        return self.place(pointer, self.layout.store_size(type_), _wanted(type_))

    def place(self, pointer: Value, size: int, wanted: str = "") -> str:
        """The memory at `pointer`: `a[i]`; `*%12` where C has no words. wanted: see `Places.place`."""
        found, _ = self._written(pointer, lambda v, _: (self._place(v, size, wanted) or "", POSTFIX))
        return found or (f"*{name}" if (name := self.names(pointer)) else UNNAMED)

    def _place_of(self, pointer: Value, held: Value) -> str | None:
        return self._place(pointer, self.layout.store_size(held.type), _wanted(held.type))

    def _place(self, pointer: Value, size: int, wanted: str = "") -> str | None:
        key = pointer, size, wanted
        if key not in self._found:
            self._found[key] = None  # what lies there gives it no name
            self._found[key] = self.places.place(pointer, size, wanted) if self.places is not None else None
        return self._found[key]

    # --- operands and operations

    def _written(self, value: Value, write: Callable[[Value, int], Text]) -> Text:
        """What `write` makes of a value; its name where that is too long, or where a type has no size."""
        outside, self._of_helper = self._of_helper, self._of_helper and not stands_in_own_line(value)
        try:
            text = write(value, DEEPEST)
        except InternalError:
            return self._name(value)
        finally:
            self._of_helper = outside
        if UNNAMED in text[0] and not isinstance(value, Compare):
            text = self.as_written.get(value) or (self._name(value) if value in self.variables.held else text)
        if len(text[0]) <= LONGEST:
            return text
        name = self._name(value)
        return name if name[0] != UNNAMED else (f"{text[0][:LONGEST]}{UNNAMED}", text[1])

    def _name(self, value: Value) -> Text:
        variable = self.variables.held.get(value)
        place = self.merges.stored(value) if variable is None and not isinstance(value, Phi) else None
        if place:
            return place, UNARY if place.startswith("*") else POSTFIX
        shifted = self.variables.shifted.get(value) if variable is None and isinstance(value, Phi) else None
        if shifted is not None:
            return stepped(shifted[0].name, -shifted[1])
        return (variable.name if variable else self.names(value) or UNNAMED), POSTFIX

    def _operand(self, value: Value, depth: int) -> Text:
        key = value, depth, self._of_helper
        if key not in self._operands:
            self._operands[key] = self._find_operand(value, depth)
        return self._operands[key]

    def _find_operand(self, value: Value, depth: int) -> Text:
        variable = self.variables.held.get(value)
        if variable is not None and variable.inlined and not self._of_helper:
            without = self._operation(value, depth)
            if UNNAMED not in without[0] and len(without[0]) <= LONGEST and not mentions(without[0], variable.name):
                return without
        if variable is not None and not self.variables.steps(value, variable.name):
            return variable.name, POSTFIX
        if isinstance(value, Phi) and len(value.operands) == 1 and (held := self.variables.held.get(value.operands[0])):
            left = value.operands[0]  # what a loop leaves behind
            known = isinstance(left, Select) and (self._of_helper or not held.inlined)
            return (held.name, POSTFIX) if known else self._operand(left, depth)
        if written := self.merges.stored(value, first=True):
            return written, UNARY if written.startswith("*") else POSTFIX
        text = self._operation(value, depth)
        return text if len(text[0]) <= LONGEST else self._name(value)

    def _operation(self, value: Value, depth: int) -> Text:
        if not isinstance(value, Instruction):
            return self._leaf(value)
        writer = _WRITERS.get(type(value))
        written = writer(self, value, depth - 1) if writer is not None and depth > 0 else None
        return written or self._name(value)

    def _leaf(self, value: Value) -> Text:
        if isinstance(value, ConstantInt):
            return ("true" if value.value else "false") if value.type == I1 else str(value.value), POSTFIX
        if isinstance(value, ConstantFloat):
            return number(value), POSTFIX
        if isinstance(value, ConstantKeyword):
            return {"null": "NULL", "zeroinitializer": "0"}.get(value.keyword, value.keyword), POSTFIX
        if isinstance(value, GlobalVariable):
            if value.constant and isinstance(value.initializer, ConstantString):
                return string(value.initializer), POSTFIX
            return self._at(value) or (value.name, POSTFIX)
        if isinstance(value, Function):
            return function_name(value), POSTFIX
        if isinstance(value, GlobalValue):
            return value.name, POSTFIX
        known = self._name(value)
        return known if known[0] != UNNAMED else (clipped(ValueWriter().text(value)), POSTFIX)

    # --- shapes

    def _binary(self, i: Instruction, depth: int) -> Text | None:
        if i.type == I1 and i.opcode in ("and", "or", "xor"):
            return self._truth(i, True, depth)
        operator = BINARY.get(i.opcode)
        if operator is None:
            return None
        scaled = scaled_by_shifts(i, self.variables.is_int)
        if scaled is not None:
            inner = self._operand(scaled[0], depth)
            return inner if scaled[1] == 1 else (f"{wrap(inner, MULTIPLICATIVE)}*{scaled[1]}", MULTIPLICATIVE)
        sign, precedence = operator
        if i.opcode == "fadd" and (less := self._less(i, depth)) is not None:
            return less
        left, right = reversed(i.operands) if i in self.turned and i.opcode == "fadd" else i.operands
        if i.opcode == "xor" and isinstance(right, ConstantInt) and right.value == -1:
            return "~" + wrap(self._operand(left, depth), UNARY), UNARY
        if i.opcode == "shl" and isinstance(right, ConstantInt) and 0 <= right.value < 32:
            return f"{wrap(self._operand(left, depth), MULTIPLICATIVE)}*{1 << right.value}", MULTIPLICATIVE
        if i.opcode == "or" and "disjoint" in i.flags:
            sign, precedence = BINARY["add"]
        a, b = self._balanced(i, left, right, depth)
        if i.opcode == "fmul":
            return arithmetic.multiplied(a, b, right, i in self.turned, self.leading)
        return added(a, b) if sign == "+" else infix(sign, precedence, a, b)

    def _less(self, i: Instruction, depth: int) -> Text | None:
        """`a - 2*b`, the same number, where LLVM adds `b*-2` to `a`."""
        left, right = i.operands
        for product, other in ((right, left), (left, right)):
            if isinstance(product, Binary) and product.opcode == "fmul":
                taken = self._taken(product.operands[0], product.operands[1], depth, i in self.turned)
                if taken is not None and self._operand(product, depth) == self._operation(product, depth):
                    return infix("-", ADDITIVE, self._operand(other, depth), taken)
        return None

    def _taken(self, a: Value, b: Value, depth: int, turned: bool = False) -> Text | None:
        """The opposite of a product that has a minus: `2*b` of `b*-2`, `n*x` of `-n*x`; None of others."""
        found = opposite(a, b)
        if found is None:
            return None
        minus, other = found
        if isinstance(minus, ConstantFloat):
            return arithmetic.once((number(minus).removeprefix("-"), POSTFIX), self._operand(other, depth), turned)
        if self._operand(minus, depth) != self._operation(minus, depth):
            return None
        (inner,) = minus.operands
        kept = converted(inner) if converted(other) is None else None  # C converts by itself beside a floating factor
        return infix("*", MULTIPLICATIVE, self._operand(kept or inner, depth), self._operand(other, depth))

    def _balanced(self, i: Instruction, left: Value, right: Value, depth: int) -> tuple[Text, Text]:
        """Both operands; a conversion that C makes by itself, because the other operand has the type already, is left out."""
        kept = [converted(left), converted(right)]
        if all(v is not None for v in kept) or i.opcode not in ("fadd", "fsub", "fmul", "fdiv", "call"):
            return self._operand(left, depth), self._operand(right, depth)
        return self._operand(kept[0] or left, depth), self._operand(kept[1] or right, depth)

    def _unary(self, i: Instruction, depth: int) -> Text:
        (inner,) = i.operands
        product = isinstance(inner, Binary) and inner.opcode == "fmul" and inner not in self.variables.held
        taken = self._taken(inner.operands[0], inner.operands[1], depth) if product else None  # type: ignore[attr-defined]
        return taken or arithmetic.negated(self._operand(inner, depth))

    def _cast(self, i: Instruction, depth: int) -> Text | None:
        inner = self._operand(i.operands[0], depth)
        if i.opcode in ("sext", "zext", "trunc", "ptrtoint", "inttoptr", "bitcast", "addrspacecast"):
            return inner if i.opcode != "bitcast" else None
        return f"({CONVERSIONS.get(str(i.type), str(i.type))}){wrap(inner, UNARY)}", UNARY

    def _select(self, i: Instruction, depth: int) -> Text:
        condition, a, b = i.operands
        if i.type == I1:
            return self._truth(i, True, depth)
        return chosen(self._truth(condition, True, depth), self._operand(a, depth), self._operand(b, depth))

    def _phi(self, i: Instruction, depth: int) -> Text | None:
        assert isinstance(i, Phi)
        distinct = list(dict.fromkeys(i.operands))
        if len(distinct) == 1:
            return self._operand(distinct[0], depth) if i not in self.variables.held else None
        place = self.merges.place(i)
        if place:
            return place, UNARY if place.startswith("*") else POSTFIX
        handed = self.handed_on.place(i) if self.handed_on is not None and i not in self.variables.held else None
        here = self.places.beyond(*handed, self.layout.store_size(i.type)) if handed and self.places else None
        if here is not None:
            return here, UNARY if here.startswith("*") else POSTFIX
        if (before := self.merges.previous(i)) is not None:
            return before, POSTFIX
        following = self.merges.following(i, distinct)
        if following is not None:
            return self._operand(following, depth)
        counted = self.places.stepped(i) if self.places is not None and not self.names(i) else None
        return (counted, POSTFIX if counted.isidentifier() else ADDITIVE) if counted is not None else None

    def _load(self, i: Instruction, depth: int) -> Text | None:
        found = self._place(i.operands[0], self.layout.store_size(i.type), _wanted(i.type))
        return (found, UNARY if found.startswith("*") else POSTFIX) if found else None

    def _address(self, i: Instruction, depth: int) -> Text | None:
        assert isinstance(i, GetElementPtr)
        size, element = self.layout.size_of(i.source_type), self.places.element_size(i) if self.places else None
        whole = self.places.whole(i, element) if self.places and size == 1 and element else None
        found = whole or self._place(i, size, _wanted(i.source_type))
        if found and found.startswith("*("):
            return found[1:], UNARY
        return (found[1:], POSTFIX) if found and found.startswith("*") else (f"&{found}", UNARY) if found else None

    def _at(self, memory: Value) -> Text | None:
        """The address of a variable; an array is its own."""
        variable = self.variables.of_memory(memory)
        if variable is None:
            return None
        return (variable.name, POSTFIX) if isinstance(variable.type, Array) else (f"&{variable.name}", UNARY)

    def _call(self, i: Instruction, depth: int) -> Text | None:
        assert isinstance(i, Call)
        if (spelled := self.spelled(i)) is not None:
            return spelled, POSTFIX
        arguments = [self._operand(argument, depth) for argument in i.arguments]
        operation = registry.operation_of(i)
        if operation == "fmuladd" or operation == "fma":
            taken = self._taken(i.arguments[0], i.arguments[1], depth)
            if taken is not None:
                return infix("-", ADDITIVE, arguments[2], taken)
            (a, b), c = self._balanced(i, i.arguments[0], i.arguments[1], depth), arguments[2]
            terms = arithmetic.multiplied(a, b, i.arguments[1], False, self.leading), c
            return added(*sorted(terms, key=lambda term: term[0].startswith("-")))
        called = i.called_function
        name = operation or (function_name(called) if called is not None else None)
        if name is not None and name.startswith("llvm."):
            kind, name = intrinsics.transfer_of(name), intrinsics.word(name)
            if kind is not None and not self.wrote(i, kind):
                return transferred(i, kind, self.places, lambda v: self._operand(v, depth)[0]), TERNARY
            arguments = arguments[:3] if kind is not None else arguments
        name = FUNCTIONS.get(name, name) if name else None
        if not name:
            return None
        front = f"{name[:-1]}, " if name.endswith(")") else f"{name}("  # what a request asks for is its first argument
        return f"{front}{', '.join(text for text, _ in arguments)})", POSTFIX

    # --- truth values

    def _truth(self, value: Value, holds: bool, depth: int) -> Text:
        if isinstance(value, ConstantInt):
            return ("true" if bool(value.value) == holds else "false"), POSTFIX
        if depth > 0 and isinstance(value, Compare):
            return self._comparison(value, holds, depth - 1)
        if depth > 0 and isinstance(value, (Binary, Select)) and (both := self._connective(value, holds, depth - 1)):
            return both
        if depth > 0 and isinstance(value, Phi) and (joined := self._short_circuit(value, holds, depth - 1)):
            return joined
        if depth > 0 and isinstance(value, Freeze):
            return self._truth(value.operands[0], holds, depth)
        return asserted(self._name(value), holds)

    def _comparison(self, i: Compare, holds: bool, depth: int) -> Text:
        a, b = (self._operand(operand, depth) for operand in i.operands)
        if i.opcode == "fcmp":
            return self._float_comparison(i, a, b, holds)
        sign = INTEGERS[i.predicate if holds else INVERSE[i.predicate]]
        if sign in ("==", "!=") and b[0] == "0" and i.operands[0].type == I1:
            return self._truth(i.operands[0], sign == "!=", depth)
        return compared(sign, a, b)

    def _float_comparison(self, i: Compare, a: Text, b: Text, holds: bool) -> Text:
        if i.predicate in ("ord", "uno"):
            test = f"isnan({a[0]})" if b[0] in (a[0], "0") else f"isunordered({a[0]}, {b[0]})"
            return asserted((test, POSTFIX), (i.predicate == "uno") == holds)
        return compared_floats(i.predicate, a, b, holds) or self._name(i)

    def _connective(self, i: Instruction, holds: bool, depth: int) -> Text | None:
        """a && b, a || b, !a; the opposite by De Morgan."""
        parts = connective(i)
        if parts is None:
            return None
        kind, a, b = parts
        if b is None:
            return self._truth(a, not holds, depth)
        sign, precedence = ("&&", LOGICAL_AND) if (kind == "and") == holds else ("||", LOGICAL_OR)
        return infix(sign, precedence, self._truth(a, holds, depth), self._truth(b, holds, depth))

    def _short_circuit(self, phi: Phi, holds: bool, depth: int) -> Text | None:
        """a && b as clang writes it: false from the block that found a false, b from the one that went on to it; likewise ||."""
        early = [(v, block) for v, block in phi.incoming if isinstance(v, ConstantInt)]
        late = [v for v, _ in phi.incoming if not isinstance(v, ConstantInt)]
        if len(late) != 1 or not early or len({v for v, _ in early}) != 1:
            return None
        left = bool(early[0][0].value)
        sign, precedence = ("&&", LOGICAL_AND) if left != holds else ("||", LOGICAL_OR)
        parts: list[Text] = []
        for _, block in early:
            branch = block.terminator
            if not isinstance(branch, Branch) or not branch.operands:
                return None
            here = (branch.targets[0] is phi.parent) == left  # the condition holds when the shortcut says `left`
            parts.append(self._truth(branch.operands[0], here == holds, depth))
        parts.append(self._truth(late[0], holds, depth))
        return f" {sign} ".join(wrap(part, precedence) for part in parts), precedence


def _wanted(type_: Type) -> str:
    """The C type of a number that is read or written; "" of anything else."""
    return FLOATS.get(str(type_), "")


_WRITERS: dict[type[Instruction], Callable[[CText, Instruction, int], Text | None]] = {
    Binary: CText._binary,
    Unary: CText._unary,
    Compare: lambda text, i, depth: text._truth(i, True, depth),
    Cast: CText._cast,
    Select: CText._select,
    Phi: CText._phi,
    Load: CText._load,
    GetElementPtr: CText._address,
    Alloca: lambda text, i, depth: text._at(i),
    Call: CText._call,
    Freeze: lambda text, i, depth: text._operand(i.operands[0], depth),
}


def text_of(
    function: Function,
    variables: Variables,
    layout: DataLayout,
    evolution: Evolution,
    arrays: frozenset[str] = frozenset(),
    extents: Mapping[str, tuple[str, ...]] | None = None,
    *,
    ir_names: bool = True,
    modifies: Modifies = lambda instruction, pointer, size: True,
) -> CText:
    """The texts of a function; `evolution` and `variables` belong to it. modifies: what may write where (see `HandedOn`)."""
    made = CText(function, variables, layout, ir_names=ir_names)
    made.places = Places(variables, evolution, made.factor, arrays, extents)
    made.handed_on = HandedOn(evolution, layout, modifies)
    return made
