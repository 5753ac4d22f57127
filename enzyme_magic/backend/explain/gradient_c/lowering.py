"""The gradient's IR as it is written down in C: optimized, but not vectorized or unrolled, its tape in plain blocks of the heap.

The module is written afresh (our IR has identity: nothing that was compiled is touched), renamed after the user's variables, and
given debug locations that survive LLVM: the line is the C line, the column an index into `Lowered.sources`. They serve comments
only. Runtime services that C text cannot have (frames of split pairs, handlers) raise NotInC.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from enzyme_magic.backend import deriving
from enzyme_magic.backend.analysis.counts.tripcount import LONGEST
from enzyme_magic.backend.autodiff.cache import tape
from enzyme_magic.backend.autodiff.calls.request import STATIC_PREFIX, Request
from enzyme_magic.backend.autodiff.derivation import Derivation, declaration_of
from enzyme_magic.backend.autodiff.sweeps import tangent_rules
from enzyme_magic.backend.autodiff.sweeps.forward import ForwardDerivative
from enzyme_magic.backend.autodiff.sweeps.reverse import Derivative
from enzyme_magic.backend.explain.blocks import MOVES
from enzyme_magic.backend.explain.gradient_c import own_memory
from enzyme_magic.backend.explain.gradient_c.frames import open_frames
from enzyme_magic.backend.explain.gradient_c.in_place import APART
from enzyme_magic.backend.explain.gradient_c.refusal import refuse
from enzyme_magic.backend.explain.gradient_c.spelling.names import telling
from enzyme_magic.backend.explain.gradient_c.tables import table
from enzyme_magic.backend.explain.words.variables import Variable, Variables
from enzyme_magic.backend.ir import intrinsics
from enzyme_magic.backend.ir.attributes import Attribute
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs import cfg
from enzyme_magic.backend.ir.graphs.callgraph import CallGraph
from enzyme_magic.backend.ir.graphs.cfg import phis
from enzyme_magic.backend.ir.graphs.def_use import replace_uses, users
from enzyme_magic.backend.ir.instructions import (
    Alloca,
    Binary,
    Call,
    Cast,
    Compare,
    Freeze,
    GetElementPtr,
    Instruction,
    Load,
    Phi,
    Select,
    Store,
)
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.metadata import MDRecord, MDString, MDTuple, Metadata, ValueAsMetadata
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.text import parser, printer
from enzyme_magic.backend.ir.types import I1, I32, I64, VOID, FunctionType, IntType
from enzyme_magic.backend.ir.values import Block, ConstantInt, ConstantString, Value
from enzyme_magic.backend.llvm import link, optimize
from enzyme_magic.backend.native import Entry
from enzyme_magic.backend.pipeline import CompiledProgram
from enzyme_magic.backend.prepare.prepared import Prepared
from enzyme_magic.backend.program.program_module import ProgramModule
from enzyme_magic.backend.rules import registry

ASSUME = Function("llvm.assume", function_type=FunctionType(VOID, (I1,)))
KEPT = "kept for the reverse sweep"
TRUE = ConstantInt(I1, 1)
NOWHERE: Mapping[int, int] = MappingProxyType({})
Line = Callable[[Instruction], int | None]


@dataclass(frozen=True, slots=True)
class SourceOf:
    """What a statement of the gradient comes from. `rule`: of the derivative, or empty for a copy of the function's own."""

    line: int
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Lowered:
    """`function` is the gradient as C calls it: native parameters in the order of `entry.slots`."""

    module: Module
    function: Function
    entry: Entry
    sources: Mapping[int, SourceOf]

    def source(self, instruction: Instruction) -> SourceOf | None:
        """Where LLVM kept it."""
        location = instruction.metadata.get("dbg")
        column = location.fields.get("column") if isinstance(location, MDRecord) else None
        return self.sources.get(column) if isinstance(column, int) else None


@dataclass(frozen=True, slots=True)
class Unread:
    """A gradient before it is made readable. `text` has all that it calls; nothing here changes."""

    text: str
    entry: Entry
    sources: Mapping[int, SourceOf]
    strings: Mapping[str, Value] = field(default_factory=dict)  # what the program's constant strings and tables hold

    def readable(self, simple: bool) -> str:
        """simple: see `optimize.readable`."""
        return optimize.readable(self.text, [self.entry.symbol], simple)

    def lowered(self, text: str) -> Lowered:
        """`text`, made readable, as IR of its own."""
        module = parser.parse(text)
        function = module.functions[self.entry.symbol]
        for defined in module.definitions():
            _without_assumptions(defined)
            own_memory.objects_as_blocks(defined, DataLayout.of(module))
        for name, data in self.strings.items():
            if name in module.variables:
                module.variables[name].initializer, module.variables[name].constant = data, True
        return Lowered(module, function, self.entry, self.sources)


def write(
    program: CompiledProgram, module: ProgramModule, request: Request, moved: Mapping[int, int], *, frames: bool = False
) -> Unread:
    """NotInC where a service of the runtime is needed. module: of the program, or with helpers in place; moved: of `gradient_c`;
    frames: functions that keep values in a frame stay functions (`frames.py`)."""
    derivation, derivative = deriving.write(module, request, program.record, program.options.strict)
    located = _located(derivation, derivative, moved)
    entry = deriving.add_entry(derivation, derivative, request, program.record)
    if frames:
        split = [d for d in derivation.derivatives() if d.sweep.split]
        for other in split:
            if other is not derivative:
                own = moved if other.subject.request.function == request.function else NOWHERE
                located |= _located(derivation, other, own)
        open_frames(derivation.module, [(d.sweep.forward_function, d.sweep.reverse_function) for d in split])
    apart = CallGraph.of(derivation.module).recursive if frames else frozenset()
    for function in list(derivation.module.definitions()):
        own_memory.settle(function)
        if function.name != entry.symbol:
            word = "noinline" if function in apart else "alwaysinline"
            function.attributes = function.attributes.without((*APART, word)).with_(Attribute(word))
    _describe(derivation.module, located)
    support = any(
        isinstance(i, Call) and getattr(i.callee, "name", "") in (tape.RESERVE.name, own_memory.PUSH.name)
        for f in derivation.module.definitions()
        for i in f.instructions()
    )
    text = printer.print_module(derivation.module)
    supports = [part for part in (tangent_rules.support(text), own_memory.SUPPORT if support else "") if part]
    text = link.link([text, *supports]) if supports else text
    return Unread(text, entry, dict(enumerate(dict.fromkeys(located.values()), 1)), _strings(module))


def _strings(module: ProgramModule) -> dict[str, Value]:
    """A derivative declares them only, and constant tables, too."""
    known = {name: variable for name, variable in module.module.variables.items() if variable.constant}
    told = (name for name, v in known.items() if isinstance(v.initializer, ConstantString) or table(v) is not None)
    return {name: data for name in told if (data := known[name].initializer) is not None}


# Comments and names -------------------------------------------------------------------------------------------------------


def _located(
    derivation: Derivation, derivative: Derivative | ForwardDerivative, moved: Mapping[int, int]
) -> dict[Instruction, SourceOf]:
    """Where each instruction comes from; renames values on the way."""
    located: dict[Instruction, SourceOf] = {}
    subject = derivative.subject
    line = _lines(subject.prepared, moved)
    prepared = {old: new for new, old in subject.prepared.origin.items()}
    variables = Variables.of(subject.prepared.source).renamed(prepared)
    copies: Mapping[Value, Value]
    pairs: Iterable[tuple[Value, Value]]
    if isinstance(derivative, ForwardDerivative):
        copies, pairs = derivative.copies, derivative.tangents
    else:
        copies, pairs = derivative.sweep.copy.values, [(own, w) for w, own in derivative.sweep.written_for.items()]
    for own, copy in copies.items():
        _note(located, variables, own, copy, line)
    for own, written in pairs:
        if isinstance(written, Instruction) and isinstance(own, Instruction) and (at := line(own)):
            located[written] = SourceOf(at, _formula(own))
            if own in variables.held and isinstance(derivative, ForwardDerivative):
                written.name = f"d_{_plain(variables.held[own])}"
    if isinstance(derivative, Derivative):
        _name_slots(derivative, variables, located, line)
    if isinstance(derivative, Derivative):
        _shorten(derivative.function, set(copies.values()))
    return located


def _formula(own: Instruction) -> str:
    rule = registry.rule_for(own)
    return rule.formula if rule is not None else MOVES.get(type(own), "")


def _lines(prepared: Prepared, moved: Mapping[int, int]) -> Line:
    """The C line of an analysed instruction."""
    better: dict[Value, int | None] = {i: moved[k] for k, i in enumerate(prepared.source.instructions()) if k in moved}
    return lambda own: better.get(prepared.origin.get(own, own), own.line)


def _note(located: dict[Instruction, SourceOf], variables: Variables, own: Value, copy: Value, line: Line) -> None:
    if not isinstance(copy, Instruction) or not isinstance(own, Instruction):
        return
    if at := line(own):
        located[copy] = SourceOf(at)
    held = variables.held.get(own)
    if held is not None:
        copy.name = _plain(held)


def _plain(variable: Variable) -> str:
    return "".join(c if c.isalnum() else "_" for c in variable.name)


def _name_slots(
    derivative: Derivative, variables: Variables, located: dict[Instruction, SourceOf], line_of: Line
) -> None:
    """Memory of the derivative's own goes by what it holds: `d_s`, `s_tape`, and counters by the loop's own variable."""
    said = {name: _plain(held) for v, held in variables.held.items() if (name := getattr(v, "name", ""))}
    tapes: dict[Value, Instruction] = {}
    for made in derivative.sweep.tape.loops.values():
        for slot in made.slots:
            value = slot.need.value
            called = (
                str(getattr(value.callee, "name", "")).removeprefix(STATIC_PREFIX) if isinstance(value, Call) else ""
            )
            word = (
                said.get(getattr(value, "name", ""))
                or _word(called)
                or _array(value)
                or telling(getattr(value, "name", "").split(".")[0])
            )
            word = word or ("count" if isinstance(value.type, IntType) else "value")
            slot.data.name, slot.capacity.name = f"{word}_tape", f"{word}_capacity"
            if isinstance(value, Instruction):
                tapes[slot.data] = value
    for i in derivative.function.instructions():
        if isinstance(i, Alloca) and i.name.endswith("_adjoint.slot"):
            of = i.name.removesuffix("_adjoint.slot")
            i.name = f"d_{said.get(of) or of.split('.')[0]}"
        elif isinstance(i, Alloca) and i.name.endswith(".counter"):
            header = i.name.removesuffix(".counter")
            i.name = next(filter(None, (_stepped(b, said) for b in _blocks(derivative) if b.name == header)), "k")
        elif isinstance(i, Store) and isinstance(i.pointer, GetElementPtr) and isinstance(i.pointer.pointer, Load):
            kept = tapes.get(i.pointer.pointer.pointer)
            line = _line(kept, line_of) if kept is not None else None
            if line:
                located[i] = SourceOf(line, KEPT)


def _line(kept: Instruction, line_of: Line) -> int | None:
    """The C line of a value; of a phi, which has none, that of what follows it."""
    following = kept.parent.instructions if kept.parent is not None else []
    return line_of(kept) or next((i.line for i in following if i.line), None)


def _blocks(derivative: Derivative) -> list[Block]:
    return derivative.subject.prepared.function.blocks


def _stepped(header: Block, said: Mapping[str, str]) -> str | None:
    """The variable that a loop counts with."""
    return next((said[p.name] for p in phis(header) if isinstance(p.type, IntType) and p.name in said), None)


def _array(value: Value) -> str:
    """The array that a value was read from."""
    pointer = value.pointer if isinstance(value, Load) else None
    while isinstance(pointer, GetElementPtr):
        pointer = pointer.pointer
    return str(getattr(pointer, "name", "")).split(".")[0]


def _word(called: str) -> str:
    word = intrinsics.word(called) or called
    return "" if word in ("fma", "fmuladd") else word  # no function that somebody called


def _without_longest(function: Function) -> set[Value]:
    """Numbers of iterations without their limit, which LLVM is told instead, see `_shorten`; gives the numbers."""
    limited: dict[Value, Value] = {}
    readers = users(function)
    for i in list(function.instructions()):
        if isinstance(i, Select) and LONGEST in i.operands and isinstance(i.operands[0], Compare):
            number = next((o for o in i.operands[1:] if o != LONGEST), None)
            if number is not None and i.operands[0].operands == [number, LONGEST]:
                limited[i] = limited.get(number, number)
                _assume_short(i, limited[i], readers)
    replace_uses(function, limited)
    if limited and function.parent is not None:
        function.parent.add(declaration_of(ASSUME))
    return set(limited.values())


def _assume_short(limit: Select, number: Value, readers: Mapping[Value, list[Instruction]]) -> None:
    """Where it is asked for in some cases only, as by a loop that may not run, it may be anything in the others."""
    choices = _choices(limit, readers)
    for choice, value in choices:
        assert choice.parent is not None
        builder = Builder(choice.parent, choice)
        short, chosen = builder.icmp("ult", number, LONGEST), choice.operands[0]
        cases = (short, TRUE) if value is choice.operands[1] else (TRUE, short)
        builder.call(ASSUME, [builder.select(chosen, *cases)])
    if not choices:
        assert limit.parent is not None
        builder = Builder(limit.parent, limit)
        builder.call(ASSUME, [builder.icmp("ult", number, LONGEST)])


def _choices(value: Value, readers: Mapping[Value, list[Instruction]]) -> list[tuple[Select, Value]]:
    """The selects in which it is asked for what is computed of a value, and by which name; none where it is asked for anyway."""
    found: list[tuple[Select, Value]] = []
    pending = [value]
    while pending:
        current = pending.pop()
        for reader in readers.get(current, []):
            if isinstance(reader, Select) and reader.operands[0] is not current:
                found.append((reader, current))
            elif isinstance(reader, Binary) and reader.opcode in ("add", "sub"):
                pending.append(reader)
            else:
                return []
    return found


def _without_assumptions(function: Function) -> None:
    """What was said to LLVM, and what nothing else reads."""
    gone: set[Value] = {
        i for i in function.instructions() if isinstance(i, Call) and getattr(i.callee, "name", "") == ASSUME.name
    }
    pending = [o for i in gone if isinstance(i, Instruction) for o in i.operands]
    readers = users(function)
    while pending:
        value = pending.pop()
        if not isinstance(value, (Binary, Cast, Compare, Freeze, Load, Select)) or value in gone:
            continue
        if all(reader in gone for reader in readers.get(value, [])):
            gone.add(value)
            pending.extend(value.operands)
    for block in function.blocks:
        block.instructions[:] = [i for i in block.instructions if i not in gone]


def _counts_one_by_one(instruction: Binary) -> bool:
    """Whether it steps a number by one that starts at a constant: it would take as many iterations to wrap."""
    counter, by = instruction.operands
    if not isinstance(counter, Phi) or not isinstance(by, ConstantInt) or by.value != 1 or instruction.opcode != "add":
        return False
    starts = [value for value in counter.operands if value is not instruction]
    return len(starts) < len(counter.operands) and all(
        isinstance(start, ConstantInt) and 0 <= start.value < 1 << 62 for start in starts
    )


def _shorten(function: Function, copied: set[Value]) -> None:
    """Numbers of iterations are below 2^62: no computer counts further. What is computed of nothing else cannot wrap.

    copied: the program's own values, of which that is not known, nor of what is computed of them again.
    """
    counts = _without_longest(function)
    for block in cfg.reverse_postorder(function):
        for i in block.instructions:
            if i.type != I64:
                continue
            if isinstance(i, Load) and isinstance(i.pointer, Alloca) and i.pointer not in copied:
                counts.add(i)  # the tape's own bookkeeping
            elif isinstance(i, Phi) and (i.name.endswith(".count") or all(_is_count(o, counts) for o in i.operands)):
                counts.add(i)
            elif isinstance(i, Binary) and _counts_one_by_one(i):
                i.flags = ("nuw", "nsw")
            elif isinstance(i, Binary) and i.opcode in ("add", "sub") and all(_is_count(o, counts) for o in i.operands):
                i.flags = ("nuw", "nsw") if i.opcode == "add" else ("nsw",)
                counts.add(i)


def _is_count(value: Value, counts: set[Value]) -> bool:
    return value in counts or (isinstance(value, ConstantInt) and 0 <= value.value < 1 << 62)


def _describe(module: Module, located: Mapping[Instruction, SourceOf]) -> None:
    """Debug info: one subprogram a function, one location an instruction."""
    numbers = {source: k for k, source in enumerate(dict.fromkeys(located.values()), 1)}
    if len(numbers) >= 1 << 16:
        raise refuse("the function is too long")
    file = MDRecord("DIFile", {"filename": MDString("gradient.c"), "directory": MDString("")})
    unit = MDRecord(
        "DICompileUnit",
        {
            "language": "DW_LANG_C11",
            "file": file,
            "isOptimized": "true",
            "runtimeVersion": 0,
            "emissionKind": "FullDebug",
        },
        distinct=True,
    )
    type_ = MDRecord("DISubroutineType", {"types": MDTuple([])})
    module.named_metadata["llvm.dbg.cu"] = MDTuple([unit])
    flag = [ValueAsMetadata(ConstantInt(I32, 2)), MDString("Debug Info Version"), ValueAsMetadata(ConstantInt(I32, 3))]
    module.named_metadata["llvm.module.flags"] = MDTuple([MDTuple(list(flag))])
    for function in module.definitions():
        fields: dict[str, Metadata | int | str] = {
            "name": MDString(function.name),
            "scope": file,
            "file": file,
            "line": 1,
            "type": type_,
        }
        program = MDRecord("DISubprogram", {**fields, "spFlags": "DISPFlagDefinition", "unit": unit}, distinct=True)
        function.metadata["dbg"] = program
        places: dict[SourceOf | None, MDRecord] = {}
        for instruction in function.instructions():
            source = located.get(instruction)
            if source not in places:
                line, column = (source.line, numbers[source]) if source is not None else (0, 0)
                places[source] = MDRecord("DILocation", {"line": line, "column": column, "scope": program})
            instruction.metadata = {"dbg": places[source]}
