"""The C text of a gradient, or the reason why there is none.

The function takes what the native gradient takes, in the same order, but for the arena: the C parameters with a shadow behind each
active pointer (`dx` behind `x`), then, where several numbers come back, a struct for them. Its tape is memory of its own.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from enzyme_magic.backend.autodiff.calls.request import STATIC_PREFIX, Request
from enzyme_magic.backend.autodiff.sweeps.sweep import AUGMENTED, REVERSE
from enzyme_magic.backend.explain.gradient_c import lowering, plan, structure
from enzyme_magic.backend.explain.gradient_c.bodies import Bodies, is_put_aside
from enzyme_magic.backend.explain.gradient_c.counted import (
    CountedLoops,
    mark_down_counters,
    mark_nonnegative,
    shift_counters,
)
from enzyme_magic.backend.explain.gradient_c.frame_structs import frame_structs
from enzyme_magic.backend.explain.gradient_c.in_place import in_place
from enzyme_magic.backend.explain.gradient_c.lowering import Lowered
from enzyme_magic.backend.explain.gradient_c.own_memory import wants_frames
from enzyme_magic.backend.explain.gradient_c.refusal import NotInC, TooLong, refuse
from enzyme_magic.backend.explain.gradient_c.spelling.calls import CallTexts, Head
from enzyme_magic.backend.explain.gradient_c.spelling.expressions import Expressions
from enzyme_magic.backend.explain.gradient_c.spelling.lines import aligned, commented, joined
from enzyme_magic.backend.explain.gradient_c.spelling.names import CNames
from enzyme_magic.backend.explain.gradient_c.spelling.places import CPlaces
from enzyme_magic.backend.explain.gradient_c.spelling.scalars import c_type, of_known_size, scalar
from enzyme_magic.backend.explain.gradient_c.statements import (
    Declarations,
    If,
    LoopStatement,
    PlainStatement,
    Statement,
    mentioned,
    tidy,
    walk,
)
from enzyme_magic.backend.explain.gradient_c.tables import tables
from enzyme_magic.backend.explain.tape.breakdown import listed
from enzyme_magic.backend.frontend import c_types
from enzyme_magic.backend.frontend.c_types import Field, Pointer, Scalar, Signature, Struct, declare
from enzyme_magic.backend.ir.graphs import cfg
from enzyme_magic.backend.ir.graphs.def_use import users
from enzyme_magic.backend.ir.instructions import Alloca, Call, GetElementPtr, Instruction, Load, Store
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.types import ArrayType, IntType, PointerType, VoidType
from enzyme_magic.backend.ir.values import Argument, Value
from enzyme_magic.backend.pipeline import CompiledProgram
from enzyme_magic.errors import DifferentiationError, InternalError
from enzyme_magic.report import GradientC

Bare = dict[int, list[tuple[int, Value]]]  # what is declared without a value: by id of the list, place and variable
_ADDRESS = "void *"  # what memory holds that addresses are read from
LARGEST = 1500  # instructions of a gradient that is written as C


def gradient_c(program: CompiledProgram, request: Request, moved: Mapping[int, int] = lowering.NOWHERE) -> GradientC:
    """The gradient as C; where that cannot be, a result without text that says why. moved: better C lines than those of debug info,
    by the number of the instruction in the function."""
    try:
        return GradientC(_text(program, request, moved))
    except NotInC as no:
        return GradientC("", f"not available as C because {no.message}")
    except (InternalError, DifferentiationError) as no:
        return GradientC("", f"not available as C because the gradient cannot be written again: {no.message}")


def _text(program: CompiledProgram, request: Request, moved: Mapping[int, int]) -> str:
    """Of the program as it is; where it cannot be, of one with the bodies of helpers in place, then with functions of the text's
    own for those that call themselves."""
    if program.primal(request.function).uniform:
        raise refuse("structs, complex or vector values are passed by value")
    program = program.told(request)
    try:
        return _first_of(lowering.write(program, program.module, request, moved), program.signatures[request.function])
    except TooLong:
        raise
    except NotInC as why:
        try:
            return _in_place(program, request, why)
        except NotInC as reason:
            if not wants_frames(reason.message):
                raise
            unread = lowering.write(program, program.module, request, moved, frames=True)
            return _first_of(unread, program.signatures[request.function])


def _in_place(program: CompiledProgram, request: Request, why: NotInC) -> str:
    """why: there is no other text."""
    changed = in_place(program, program.primal(request.function).entry.symbol)
    if changed is None:
        raise why
    try:
        unread = lowering.write(program, changed.module, request, lowering.NOWHERE)
    except DifferentiationError:
        raise why from None
    text = _first_of(unread, program.signatures[request.function])
    return f"/* with the bodies of {listed(list(changed.helpers))} in the places of their calls */\n{text}"


def _first_of(unread: lowering.Unread, signature: Signature) -> str:
    """From IR as it reads best; where its control flow is too clever for C, from IR with less done to it; then with jumps. Where
    there is no text, the reason is that of the first with jumps."""
    texts: dict[bool, str] = {}
    reasons: list[NotInC] = []
    for simple, jumps in ((True, False), (False, False), (True, True), (False, True)):
        try:
            if simple not in texts:
                texts[simple] = unread.readable(simple)
            return _written(unread.lowered(texts[simple]), signature, jumps)
        except TooLong:
            raise
        except NotInC as no:
            reasons.append(no)
    raise reasons[2]


def _written(lowered: Lowered, signature: Signature, jumps: bool) -> str:
    if sum(1 for function in lowered.module.definitions() for _ in function.instructions()) > LARGEST:
        raise TooLong(f"it is long: C text is written up to {LARGEST} instructions")
    frames, heads = frame_structs(lowered.module), dict[str, Head]()
    helpers = [
        _Helper(replace(lowered, function=f), signature, jumps, frames, heads)
        for f in lowered.module.definitions()
        if f is not lowered.function
    ]
    return _together([*helpers, _Function(lowered, signature, jumps, frames, heads)], frames)


def _together(functions: Sequence[_Function], frames: Mapping[Value, Struct]) -> str:
    """The functions of a text, with all that they need before them; the gradient itself comes last."""
    texts = ["\n".join(function.definition()) for function in functions]
    gradient, helpers = functions[-1], functions[:-1]
    made = [f"#include <{header}>" for header in sorted(set().union(*(f.headers for f in functions)))]
    structs = dict.fromkeys([*frames.values(), *([gradient.result] if gradient.result is not None else [])])
    made += [f"{s} {{ {' '.join(f'{declare(f.type, f.name)};' for f in s.fields)} }};" for s in structs]
    made += dict.fromkeys(line for function in functions for line in function.declarations())
    made += [
        f"{helper.heading()};" for k, helper in enumerate(helpers) if any(f.calls_for(helper) for f in helpers[:k])
    ]
    made += ["#pragma STDC FP_CONTRACT OFF"] if any(f.expressions.contracts for f in functions) else []
    return "\n".join([*made, "\n\n".join(texts)]) + "\n"


class _Function:
    """One function being written."""

    def __init__(
        self,
        lowered: Lowered,
        signature: Signature,
        jumps: bool,
        frames: Mapping[Value, Struct],
        heads: dict[str, Head],
    ) -> None:
        """frames: what pointers to frames lead to; heads: the other functions of the text, filled as they are opened."""
        self.lowered, self.signature, self.frames, self.heads = lowered, signature, frames, heads
        function = lowered.function
        loops = structure.structure(function, jumps=jumps).loops
        mark_nonnegative(function, loops)
        mark_down_counters(loops)
        shift_counters(function, loops)
        unsigned = frozenset(self._unsigned())
        counts = CountedLoops.of(function, loops, unsigned)
        self.tree = structure.structure(function, jumps=jumps)
        loops = self.tree.loops
        self.plan = plan.plan(function, loops)
        by_header = {old.header: count for old, count in counts.found.items()}
        counts.found = {loop: by_header[loop.header] for loop in loops.loops if loop.header in by_header}
        self.uses = users(function)
        self.headers: set[str] = set()
        self.names: dict[Value, str] = {}
        self.naming = CNames(self._taken())
        self.result = _result_struct(lowered, signature)
        self.parameters = list(self._parameters())
        pairs = zip(function.arguments, self.pointed, strict=True)
        self.elements: dict[Value, c_types.CType] = {a: pointed for a, pointed in pairs if pointed is not None}
        self.elements.update(self._framed())
        known = tables(function)
        self.names.update({v: self.naming.unique(v.name.rpartition(".")[2]) for v in known})
        self.elements.update({v: made.element for v, made in known.items()})
        self.elements.update(self._inferred(self.elements))
        places = CPlaces(self.plan, DataLayout.of(lowered.module), self.elements, frozenset([*self.constant, *known]))
        self.expressions = Expressions(self.plan, counts, places, self.name, self.headers, {}, unsigned)
        self.calls = CallTexts(self.expressions, heads)
        self.tables = [made.definition(self.names[v], self.expressions.text) for v, made in known.items()]

    # Names and types

    def name(self, value: Value) -> str:
        variable = self.plan.variable(value)
        if variable not in self.names:
            if not isinstance(variable, Instruction):
                raise refuse(f"it uses {getattr(variable, 'name', '') or 'a constant'} as a value")
            held = [getattr(v, "name", "") for v in self.plan.members.get(variable, [variable])]
            self.names[variable] = self.naming.variable(variable.type, held)
        return self.names[variable]

    def _taken(self) -> list[str]:
        """Names that no variable may have."""
        return [p.name for p in self.signature.parameters]

    def _unsigned(self) -> Iterator[Value]:
        """Integer parameters that C declares without a sign."""
        for argument, slot in zip(self.lowered.function.arguments, self.lowered.entry.slots, strict=True):
            if slot.kind != "primal" or slot.parameter is None or not isinstance(argument.type, IntType):
                continue
            type_ = self._type_of(slot.parameter)
            if isinstance(type_, Scalar) and type_.kind not in ("int", "char", "bool"):
                yield argument

    def _parameters(self) -> Iterator[str]:
        """Declarations, in order; fills `names` and `pointed`."""
        self.pointed: list[c_types.CType | None] = []
        self.constant: list[Value] = []
        slots = self.lowered.entry.slots
        taken = {p.name for p in self.signature.parameters}
        for argument, slot in zip(self.lowered.function.arguments, slots, strict=True):
            if slot.kind == "arena":
                if self.uses.get(argument):
                    raise refuse("it needs memory of this package's runtime")
                self.pointed.append(None)
                continue
            if slot.kind == "results":
                assert self.result is not None
                self.pointed.append(self.result)
                self.names[argument] = self.naming.unique("results")
                yield declare(Pointer(self.result), self.names[argument])
                continue
            type_: c_types.CType = (
                Scalar(c_type(argument.type), "float", 8) if slot.kind == "seed" else self._type_of(slot.parameter)
            )
            if slot.kind == "primal" and argument.name in taken:
                self.names[argument] = argument.name
            else:
                self.names[argument] = self.naming.parameter(argument.name)
            if slot.kind == "shadow" and isinstance(type_, Pointer):
                type_ = Pointer(type_.to)
            self.pointed.append(type_.to if isinstance(type_, Pointer) else None)
            if isinstance(type_, Pointer) and type_.const:
                self.constant.append(argument)
            yield declare(type_, self.names[argument])

    def _type_of(self, parameter: int | None) -> c_types.CType:
        if parameter is None:
            raise refuse("it has a parameter that C has no name for")
        type_ = self.signature.parameters[parameter].type
        if isinstance(type_, Pointer):
            return replace(type_, to=of_known_size(type_.to))
        return type_.underlying if isinstance(type_, c_types.Enum) else type_

    def _inferred(self, known: dict[Value, c_types.CType]) -> dict[Value, c_types.CType]:
        """What pointer variables point to: what is read and written through them; of mixed ones nothing is said."""
        seen: dict[Value, set[str]] = {}
        for i in self.lowered.function.instructions():
            if isinstance(i, (Load, Store)):
                pointer, type_ = i.pointer, i.type if isinstance(i, Load) else i.value.type
                base = self._base(pointer)
                if base not in known:
                    word = _ADDRESS if isinstance(type_, PointerType) else c_type(type_)
                    seen.setdefault(self.plan.variable(base), set()).add(word)
        found: dict[Value, c_types.CType] = {}
        for base, types in seen.items():
            if len(types) == 1:
                word = types.pop()
                found[base] = Pointer(c_types.VOID) if word == _ADDRESS else scalar(word)
        self._spread(known, found, {base for base in seen if base not in found})
        return found

    def _spread(
        self, known: dict[Value, c_types.CType], found: dict[Value, c_types.CType], mixed: Collection[Value]
    ) -> None:
        """A pointer variable that only takes what another one holds points to the same."""
        pairs = [
            (self.plan.variable(phi), self.plan.variable(self._base(value)))
            for block in self.lowered.function.blocks
            for phi in cfg.phis(block)
            for value in phi.operands
            if isinstance(phi.type, PointerType) and isinstance(value, (Instruction, Argument))
        ]
        for _ in range(len(pairs)):
            before = len(found)
            for a, b in pairs:
                for one, other in ((a, b), (b, a)):
                    type_ = found.get(other) or known.get(other)
                    if type_ is not None and not any(one in told for told in (found, known, mixed)):
                        found[one] = type_
            if len(found) == before:
                break

    def _base(self, pointer: Value) -> Value:
        while isinstance(pointer, GetElementPtr) and pointer in self.plan.inlined:
            pointer = pointer.pointer
        return pointer

    # Text

    def definition(self) -> list[str]:
        labels = {
            block: self.naming.unique("at") for block in self.lowered.function.blocks if block in self.tree.labelled
        }
        bodies = Bodies(self.lowered, self.plan, self.expressions, self.uses, labels, self.calls)
        statements = tidy(bodies.statements(self.tree.nodes))
        if statements and isinstance(statements[-1], PlainStatement) and statements[-1].text == "return":
            statements.pop()
        local = [a for a in self.lowered.function.instructions() if isinstance(a, Alloca) and self.uses.get(a)]
        variables: set[Value] = {
            v
            for s in walk(statements)
            for v in mentioned(s)
            if isinstance(v, Instruction) and not isinstance(v, Alloca)
        }
        in_order = [i for i in self.lowered.function.instructions() if i in variables]
        in_order += sorted(filter(is_put_aside, variables), key=self.name)
        bare = Declarations(in_order).place(statements)
        lines = [f"    {self._array(a)};" for a in local]
        lines = joined([*lines, *self._lines(statements, bare, 1)])
        return [f"{self.heading()} {{", *aligned(lines), "}"]

    def heading(self) -> str:
        return f"{self._result()}{self.lowered.function.name}({', '.join(self.parameters) or 'void'})"

    def _result(self) -> str:
        type_ = self.lowered.function.function_type.result
        return "void " if isinstance(type_, VoidType) else f"{c_type(type_)} "

    def _framed(self) -> dict[Value, c_types.CType]:
        """Pointer variables that lead to frames."""
        found: dict[Value, c_types.CType] = {}
        for value in (*self.lowered.function.arguments, *self.lowered.function.instructions()):
            if value in self.frames:
                variable = self.plan.variable(value)
                if {self.frames.get(v) for v in self.plan.members.get(variable, [variable])} != {self.frames[value]}:
                    raise refuse("one variable leads to frames and to other memory")
                found[variable] = self.frames[value]
        return found

    def calls_for(self, other: _Function) -> bool:
        called = [i.called_function for i in self.lowered.function.instructions() if isinstance(i, Call)]
        return other.lowered.function in called

    def declarations(self) -> Iterator[str]:
        """Tables that it reads, functions of the program that it calls."""
        yield from self.tables
        for name, call in self.calls.declared.items():
            yield self._declaration(name, call)

    def _declaration(self, name: str, call: Call) -> str:
        if any(isinstance(t, PointerType) for t in (call.type, *(a.type for a in call.arguments))):
            raise refuse(f"it calls {name}, and C's types of its pointers are not known here")
        types = ", ".join(c_type(a.type) for a in call.arguments) or "void"
        return f"{'void' if isinstance(call.type, VoidType) else c_type(call.type)} {name}({types});"

    def _array(self, alloca: Alloca) -> str:
        type_ = alloca.allocated_type
        count = 1
        while isinstance(type_, ArrayType):
            count, type_ = count * type_.count, type_.element
        element = self.elements.get(alloca)
        if alloca.parent is not self.lowered.function.entry or element is None or str(element) != c_type(type_):
            raise refuse("it has a local object that is no array of numbers")
        return f"{element} {self.name(alloca)}[{count}]"

    def _lines(self, statements: list[Statement], bare: Bare, depth: int) -> Iterator[str]:
        indent = "    " * depth
        missing = bare.get(id(statements), [])
        for index, statement in enumerate(statements):
            for at, variable in missing:
                if at == index:
                    yield f"{indent}{self._declared(variable)} = {'NULL' if isinstance(variable.type, PointerType) else 0};"
            if isinstance(statement, PlainStatement) and statement.label:
                following = statements[index + 1] if index + 1 < len(statements) else None
                alone = following is None or (isinstance(following, PlainStatement) and following.declares)
                alone = alone or any(at == index + 1 for at, _ in missing)  # C has no label before a declaration
                yield f"{indent[4:]}{statement.text}:{';' if alone else ''}"
            elif isinstance(statement, PlainStatement):
                yield self._line(statement, indent)
            elif isinstance(statement, If):
                yield from self._if(statement, bare, depth)
            else:
                yield from self._loop(statement, bare, depth)

    def _declared(self, variable: Value) -> str:
        name = self.name(variable)
        if isinstance(variable.type, PointerType):
            element = self.elements.get(variable.operands[0] if is_put_aside(variable) else variable)
            return declare(Pointer(element), name) if element is not None else f"char *{name}"
        return f"{c_type(variable.type)} {name}"

    def _line(self, line: PlainStatement, indent: str) -> str:
        text = line.text
        if line.declares and line.writes is not None:
            text = f"{self._declared(line.writes)} = {line.value}"
        return commented(f"{indent}{text};", line.source)

    def _if(self, statement: If, bare: Bare, depth: int) -> Iterator[str]:
        indent = "    " * depth
        then, otherwise = statement.then, statement.otherwise
        ends = bool(then) and isinstance(then[-1], PlainStatement) and then[-1].ends
        if len(then) == 1 and ends and isinstance(then[0], PlainStatement) and len(then[0].text) < 12:
            yield commented(f"{indent}if ({statement.test}) {then[0].text};", then[0].source)
        else:
            inside = list(self._lines(then, bare, depth + 1))
            short = len(inside) == 1 and not otherwise and not isinstance(then[0], If)
            yield f"{indent}if ({statement.test})" + ("" if short else " {")
            yield from inside
            if otherwise and not ends:
                yield f"{indent}}} else {{"
                yield from self._lines(otherwise, bare, depth + 1)
            if not short:
                yield f"{indent}}}"
        if otherwise and ends:
            yield from self._lines(otherwise, bare, depth)

    def _loop(self, loop: LoopStatement, bare: Bare, depth: int) -> Iterator[str]:
        indent = "    " * depth
        inside = list(self._lines(loop.body, bare, depth + 1))
        if loop.kind == "for":
            step = f" {loop.step}" if loop.step else ""
            head = f"for ({self._start(loop)}; {loop.head};{step})"
        else:
            head = {"forever": "for (;;)", "do": "do", "while": f"while ({loop.head})"}[loop.kind]
        short = len(inside) == 1 and loop.kind != "do"
        yield commented(
            f"{indent}{head}{'' if short else ' {'}", loop.source if loop.kind in ("for", "while") else None
        )
        yield from inside
        if loop.kind == "do":
            yield commented(f"{indent}}} while ({loop.head});", loop.source)
        elif not short:
            yield f"{indent}}}"

    def _start(self, loop: LoopStatement) -> str:
        if loop.variable is None:
            return ""
        return f"{self._declared(loop.variable) if loop.declares else self.name(loop.variable)} = {loop.start}"


class _Helper(_Function):
    """One that is called by the gradient, or by itself."""

    def _taken(self) -> list[str]:
        return []

    def _unsigned(self) -> Iterator[Value]:
        return iter(())

    def _parameters(self) -> Iterator[str]:
        """Those that are used, of the types that IR says."""
        self.pointed, self.constant = [], []
        function = self.lowered.function
        inferred = self._inferred(self._framed())
        by_name = {a.name: inferred[a] for a in function.arguments if a in inferred}
        kept: list[tuple[int, str]] = []
        for argument in function.arguments:
            self.names[argument] = self.naming.parameter(argument.name)
            is_pointer = isinstance(argument.type, PointerType)
            beside = by_name.get(argument.name.removesuffix("_shadow"))  # a shadow has what the memory beside it has
            element = (self.frames.get(argument) or inferred.get(argument) or beside) if is_pointer else None
            self.pointed.append(element)
            if self.uses.get(argument):
                kept.append((argument.index, str(element or "char") if is_pointer else ""))
                yield (
                    f"{kept[-1][1]} *{self.names[argument]}"
                    if is_pointer
                    else f"{c_type(argument.type)} {self.names[argument]}"
                )
        self.heads[function.name] = Head(self._own_name(), tuple(kept))

    def _own_name(self) -> str:
        """No name of the program's own: the text may stand beside it."""
        name = re.sub(r"\W", "_", self.lowered.function.name.replace(STATIC_PREFIX, ""))
        return name if name.startswith((AUGMENTED, REVERSE, "diffe_", "fwddiffe_")) else f"primal_{name}"

    def heading(self) -> str:
        return f"static {self._result()}{self._own_name()}({', '.join(self.parameters) or 'void'})"


def _result_struct(lowered: Lowered, signature: Signature) -> Struct | None:
    """The struct that several results come back in: `d` and the parameter's name each."""
    fields: list[Field] = []
    for field in lowered.entry.fields:
        if field.type not in ("double", "float"):
            raise refuse("a result is long double" if field.type == "x86_fp80" else f"a result has type {field.type}")
        name = (
            "value"
            if field.kind == "value" or field.parameter is None
            else f"d{signature.parameters[field.parameter].name}"
        )
        while any(name == f.name for f in fields):
            name += "_"
        fields.append(Field(name, field.offset, scalar(field.type)))
    return Struct(f"struct {lowered.function.name}_results", tuple(fields), lowered.entry.size) if fields else None
