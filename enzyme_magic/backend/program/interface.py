"""How a C function is called from outside, and what it does to the arrays it is given.

Invariant: `written` and `read` do not depend on the level of optimization: they are proved on the program as it is written
(`Forms`); they may hold too much, never too little. A need is proved on the optimized program, and is real. A buffer that is
written before it is read is not `read`, unless the data may decide that a part of it is not written: then what it holds before the
call is in it afterwards. Where that cannot be seen as it is written (a helper function writes it, checks of the sanitizer stand
where numbers are counted), the program at level 2 is asked too, whatever the level is.

Parameters are those of C. Where structs are among them, positions differ between C and the IR; but clang gives an argument its
parameter's name, and a pointer parameter that is not found so counts as written and read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from enzyme_magic.backend.analysis.calls.runtime_calls import is_runtime, keeps_state
from enzyme_magic.backend.analysis.counts import ranges
from enzyme_magic.backend.analysis.counts.visits import Visits
from enzyme_magic.backend.analysis.memory import entry_content, survival
from enzyme_magic.backend.frontend.c_types import Enum, Pointer, Scalar, Signature, Void, innermost, size_of
from enzyme_magic.backend.frontend.entry import SUFFIX
from enzyme_magic.backend.ir.instructions import Call
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import POINTER, IntType
from enzyme_magic.backend.ir.values import Argument
from enzyme_magic.backend.library.summary import Summary
from enzyme_magic.backend.native import Entry, MemoryNeed, ResultField, Slot
from enzyme_magic.backend.program import statics
from enzyme_magic.backend.program.needs import Pointee, needs
from enzyme_magic.backend.program.program_module import ProgramModule
from enzyme_magic.backend.program.remembering import outside_of, variables_of
from enzyme_magic.backend.store.persist import Primal


@dataclass(frozen=True, slots=True)
class Forms:
    """A program before optimization, and at level 2 (made when it is asked for)."""

    as_written: ProgramModule
    simplified: Callable[[], ProgramModule]


def primal(program: ProgramModule, signature: Signature, forms: Forms | None = None) -> Primal:
    """How to call a function of the program, and what that does to its arrays. forms: other than the program itself."""
    functions = program.module.functions
    uniform, own = functions.get(f"{signature.name}{SUFFIX}"), functions.get(signature.name)
    function = uniform or functions[signature.name]
    effects = program.analyses.effects
    summary = effects.summary(function)
    may_exit = summary.may_exit or effects.callgraph.may_recurse(function)  # too deep recursion ends the call
    takes_turns = _takes_turns(program, function, summary)
    if uniform is not None:
        size = 0 if isinstance(signature.result, Void) else getattr(signature.result, "size", 8)
        slots: tuple[Slot, ...] = (Slot("arguments"), Slot("results"))
        entry = Entry(uniform.name, slots, None, (), size, may_exit, summary.prints, takes_turns)
    else:
        slots = tuple(Slot("primal", k) for k in range(len(signature.parameters)))
        word = str(function.function_type.result)
        result = None if isinstance(signature.result, Void) else ResultField("value", word)
        entry = Entry(function.name, slots, result, may_exit=may_exit, prints=summary.prints, takes_turns=takes_turns)
    arrays = _Arrays.of(program, own, signature, uniform is not None)
    entry = replace(entry, statics=statics.put_back(program, function, summary))
    forms = forms or Forms(program, lambda: program)

    def seen_in(form: ProgramModule) -> _Arrays:
        if form is program:
            return arrays
        return _Arrays.of(form, form.module.functions.get(signature.name), signature, uniform is not None)

    first = seen_in(forms.as_written)
    written, read = first.written(), set(first.read())
    doubtful = {k for k in written if k in read or first.keeps(k)}
    if doubtful:
        form = seen_in(forms.simplified())
        again = set(form.read())
        read = (read - doubtful) | {k for k in doubtful if k in again or form.keeps(k)}
    held = variables_of(program, function, summary, writes=takes_turns)
    inputs, is_uniform = tuple(sorted(read)), uniform is not None
    asked = outside_of(function)
    made = Primal(entry, written, inputs, is_uniform, arrays.needs(), held.reads, held.writes, held.remembers)
    return replace(made, outside=asked.calls, draws=asked.draws)


def _takes_turns(program: ProgramModule, function: Function, summary: Summary) -> bool:
    """Whether it may write static data. Of the runtime's functions the analyses know less than that they write no variable of C."""
    if _keeps_kinds(program, function):
        return True
    if summary.global_writes is not None:
        return bool(summary.global_writes)
    module, effects = program.module, program.analyses.effects
    if any(not variable.constant for variable in module.variables.values()) or module.aliases:
        return True
    calls = (i for f in module.functions.values() for i in f.instructions() if isinstance(i, Call))
    called = {call.called_function for call in calls}
    foreign = [f for f in called if f is not None and not f.blocks and not is_runtime(f.name)]
    return None in called or any(effects.summary(f).global_writes != frozenset() for f in foreign)


def _keeps_kinds(program: ProgramModule, function: Function) -> bool:
    """Whether the kinds of bytes are asked in a call of the function: all threads share them."""
    if not any(map(keeps_state, program.module.functions)):
        return False
    seen, pending = {function}, [function]
    while pending:
        for call in pending.pop().instructions():
            if not isinstance(call, Call):
                continue
            called = call.called_function
            if called is None or keeps_state(called.name):
                return True
            if called not in seen:
                seen.add(called)
                pending.append(called)
    return False


@dataclass(frozen=True, slots=True)
class _Arrays:
    """The pointer parameters of one function, and what is known of its loops."""

    program: ProgramModule
    function: Function | None
    signature: Signature
    arguments: dict[int, Argument]  # by C parameter
    visits: Visits | None

    @classmethod
    def of(cls, program: ProgramModule, function: Function | None, signature: Signature, uniform: bool) -> _Arrays:
        named = {parameter.name: k for k, parameter in enumerate(signature.parameters) if parameter.name}
        integers: dict[Argument, str] = {}
        pointers: dict[int, Argument] = {}
        for argument in function.arguments if function is not None else ():
            index = named.get(argument.name) if uniform else argument.index
            if index is None or {"byval", "sret"} & {attribute.name for attribute in argument.attributes}:
                continue
            parameter = signature.parameters[index]
            if argument.type == POINTER and isinstance(parameter.type, Pointer):
                pointers[index] = argument
            elif isinstance(argument.type, IntType) and isinstance(parameter.type, (Scalar, Enum)) and parameter.name:
                integers[argument] = parameter.name
        visits = Visits.of(function, program.analyses.layout, integers) if function is not None and pointers else None
        return cls(program, function, signature, pointers, visits)

    @property
    def _all(self) -> list[int]:
        return [k for k, parameter in enumerate(self.signature.parameters) if isinstance(parameter.type, Pointer)]

    def written(self) -> tuple[int, ...]:
        """Parameters whose memory the function may write."""
        return tuple(k for k in self._all if k not in self.arguments or self._writes(self.arguments[k]))

    def _writes(self, argument: Argument) -> bool:
        assert self.function is not None
        return self.program.analyses.effects.summary(self.function).writes_argument(argument.index)

    def read(self) -> tuple[int, ...]:
        """Parameters whose content before the call the function may read."""
        return tuple(k for k in self._all if k not in self.arguments or self._reads(self.arguments[k]))

    def _reads(self, argument: Argument) -> bool:
        assert self.function is not None
        effects = self.program.analyses.effects
        if not effects.summary(self.function).reads_argument(argument.index):
            return False
        if not self._writes(argument) or self.visits is None:
            return True
        return entry_content.matters(self.visits, effects, argument)

    def keeps(self, index: int) -> bool:
        """Whether a parameter that is written may, as the data decide, still hold after the call what it held before."""
        if self.visits is None or index not in self.arguments:
            return True
        return survival.survives(self.visits, self.program.analyses.effects, self.arguments[index])

    def needs(self) -> tuple[MemoryNeed, ...]:
        """How much of the arrays a call is certain to touch."""
        if self.visits is None:
            return ()
        parameters = self.signature.parameters
        pointees = {
            argument: Pointee(k, parameters[k].name, _element_size(parameters[k].type))
            for k, argument in self.arguments.items()
            if parameters[k].name
        }
        touches = ranges.touches(self.visits)
        spans = [self.program.span_of(touch.instruction) for touch in touches]
        return needs(touches, pointees, [parameter.name for parameter in parameters], spans)


def _element_size(type_: object) -> int:
    """Bytes of what a pointer points to; 1 where that is not known."""
    return (size_of(innermost(type_.to)) if isinstance(type_, Pointer) else None) or 1
