"""The analyses of one program, made when first needed and kept. Nothing here writes IR."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from enzyme_magic.backend.analysis.calls.address_parameters import address_parameters, passed_as_addresses
from enzyme_magic.backend.analysis.calls.effects import Effects
from enzyme_magic.backend.analysis.derivatives import activity as activity_analysis
from enzyme_magic.backend.analysis.derivatives import converted_digits, float_bits, presence
from enzyme_magic.backend.analysis.derivatives import demand as demand_analysis
from enzyme_magic.backend.analysis.derivatives import flow as flow_analysis
from enzyme_magic.backend.analysis.derivatives.activity import Activity
from enzyme_magic.backend.analysis.derivatives.mixed_registers import MixedUses, mixed_registers
from enzyme_magic.backend.analysis.derivatives.passed_integers import pass_unknown, passed_integers
from enzyme_magic.backend.analysis.memory import kept_addresses, tbaa
from enzyme_magic.backend.analysis.types import moved_bytes
from enzyme_magic.backend.analysis.types.inference import Types
from enzyme_magic.backend.analysis.types.type_tree import Contents, Unknown
from enzyme_magic.backend.autodiff import preparation
from enzyme_magic.backend.autodiff.calls.request import FunctionRequest
from enzyme_magic.backend.autodiff.decided_by_bits import Deciders
from enzyme_magic.backend.autodiff.ends import inputs, outputs
from enzyme_magic.backend.autodiff.facts import CallMemory, Facts, may_carry_float
from enzyme_magic.backend.autodiff.planning import made_pointers
from enzyme_magic.backend.autodiff.planning.address_integers import AddressIntegers
from enzyme_magic.backend.autodiff.retyped import retyped
from enzyme_magic.backend.autodiff.subject import Subject
from enzyme_magic.backend.autodiff.sweeps.leaves import Leaf, leaves
from enzyme_magic.backend.autodiff.sweeps.value_leaves import (
    boundary_leaves,
    holds_integers,
    value_leaves,
)
from enzyme_magic.backend.autodiff.texts import Texts
from enzyme_magic.backend.ir.instructions import Instruction, Load, Store
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.text import parser, printer
from enzyme_magic.backend.ir.values import Value
from enzyme_magic.backend.prepare.bits import in_memory, mixed_memory, moved_pointers
from enzyme_magic.backend.prepare.prepared import Prepared
from enzyme_magic.backend.rules import custom
from enzyme_magic.backend.rules.custom import Registrations

if TYPE_CHECKING:
    from enzyme_magic.backend.autodiff.planning.plan import DerivativePlan

PLANS_KEPT = 16


@dataclass(slots=True, eq=False, repr=False)
class Analyses:
    """The analyses of one program, made when first needed and kept; `plans`: of the latest derivatives."""

    module: Module
    layout: DataLayout
    effects: Effects
    custom: Registrations = field(default_factory=Registrations)
    is_wary: bool = False
    _types: Types | None = None
    _facts: dict[tuple[str, frozenset[int]], Facts] = field(default_factory=dict)
    _singular: frozenset[str] | None = None
    _kept: frozenset[str] | None = None
    _retyped: frozenset[Instruction] | None = None
    _crossing: converted_digits.Crossing | None = None
    _texts: Texts | None = None
    _deciders: Deciders | None = None
    _makes_pointers: bool | None = None
    _address_integers: AddressIntegers | None = None
    _address_parameters: dict[str, frozenset[int]] | None = None
    _called: frozenset[str] = frozenset()
    plans: dict[object, DerivativePlan] = field(default_factory=dict)
    _wary: Analyses | None = None
    _in_memory: Analyses | None = None
    _words: Analyses | None = None
    _numbers: MixedUses | None = None

    @classmethod
    def of(cls, module: Module, custom: Registrations | None = None, *, wary: bool = False) -> Analyses:
        """`custom`: what the module registers about its derivatives."""
        return cls(module, DataLayout.of(module), Effects.of(module), custom or Registrations(), wary)

    @property
    def types(self) -> Types:
        """What bytes hold. A program that nobody differentiates is not asked."""
        if self._types is None:
            self._types = Types.of(self.module, self.layout, wary=self.is_wary)
        return self._types

    def wary(self) -> Analyses:
        """The same, without trust in unions to be read as what they were written: for derivatives that ask the run."""
        if self._wary is None:
            self._wary = Analyses.of(self.module, self.custom, wary=True).with_words()
        return self._wary

    def with_words(self) -> Analyses:
        """The same, of the program whose registers that may hold a number or a pointer are memory; itself where it has none."""
        if self._words is None:
            found = {f.name: mixed_registers(f, self.types) for f in self.module.definitions()}
            self.numbers_as_addresses()  # what is said of functions by themselves, later on, does not count
            self._words = self._with_words(found).with_words() if any(found.values()) else self
        return self._words

    def _with_words(self, found: Mapping[str, Collection[Instruction]]) -> Analyses:
        module = parser.parse(printer.print_module(self.module))
        for name, members in found.items():
            function = module.functions[name]
            pairs = zip(self.module.functions[name].instructions(), list(function.instructions()), strict=True)
            chosen = [copy for original, copy in pairs if original in members]
            if chosen:
                mixed_memory.to_memory(module, function, chosen)
        return Analyses.of(module, custom.read(module), wary=self.is_wary)

    def in_memory(self) -> Analyses | None:
        """The same as `wary`, of the program whose integers that may hold numbers are passed in memory; None: it has none."""
        wary = self.wary()
        if wary._in_memory is None:
            stays = (
                self.custom.any() or self._become_digits()
            )  # what is registered is registered for a function, not for its copy
            wary._in_memory = (None if stays else self._passing_in_memory()) or wary
        return None if wary._in_memory is wary else wary._in_memory

    def pass_unknown(self) -> bool:
        """Whether functions are given integers of which it is not known whether they are numbers."""
        return pass_unknown(self.module, self.types, self.layout, self.numbers_as_addresses().of_passed)

    def numbers_as_addresses(self) -> MixedUses:
        """Where numbers may be addresses, and go on as such."""
        if self._numbers is None:
            self._numbers = MixedUses.of_program(self.module, self.types)
        return self._numbers

    def _become_digits(self) -> bool:
        """Whether integers that are no bits of numbers become digits of some: of these in memory nobody would know."""
        known, places = self.crossing(), self.types.seeds.places
        return any(converted_digits.found(f, known, places, self.layout) for f in self.module.definitions())

    def _passing_in_memory(self) -> Analyses | None:
        text, chosen, analyses = printer.print_module(self.module), in_memory.Passings(), self.wary()
        while True:
            addresses, numbers = analyses.address_parameters(), analyses.numbers_as_addresses().of_passed
            found = in_memory.joined(
                chosen, passed_integers(analyses.module, analyses.types, self.layout, addresses, numbers)
            )
            if found == chosen:
                return analyses if chosen else None
            module = parser.parse(text)
            in_memory.pass_in_memory(module, found, self.layout)
            chosen, analyses = found, Analyses.of(module, custom.read(module), wary=True).with_words()

    def keep_plan(self, key: object, plan: DerivativePlan) -> None:
        """Keep a plan for who asks for it again."""
        if key not in self.plans and len(self.plans) >= PLANS_KEPT:
            self.plans.clear()
        self.plans[key] = plan

    def facts(self, function: Function, separate: frozenset[int] = frozenset()) -> Facts:
        """separate: parameters to whose memory no other way leads."""
        known = self._facts.get((function.name, separate))
        if known is None:
            prepared = preparation.prepared(function, self.effects, self.layout, separate)
            self._move_pointers_as_bits(prepared)
            self.types.include(prepared.function, prepared.origin)
            _without_wrong_tags(prepared.function, self.types, self.layout)
            alias = preparation.with_last_stores(prepared, self.effects, self.layout, self._retyped_in(prepared))
            bits = float_bits.tainted(prepared.function, self.types.loaded_from, self.layout)
            moved = moved_bytes.moved(
                prepared.function,
                lambda load: (
                    (tbaa.scalar_name(load) not in tbaa.INTEGERS or self.types.may_miss(load))
                    and self.types.is_storage(load.pointer, self.layout.store_size(load.type))
                ),
            )
            bits |= moved
            kept = self.kept_variables()
            converted = converted_digits.found(prepared.function, self.crossing(), self.types.seeds.places, self.layout)
            flow = flow_analysis.build(
                prepared.function,
                CallMemory(alias, kept),
                lambda v: v in bits or may_carry_float(self.types, v),
                self.types.holds_number,
                converted,
                lambda call: passed_as_addresses(call, self.address_parameters(), self.effects),
            )
            known = self._facts[function.name, separate] = Facts(
                prepared, alias, self.types, flow, moved, kept, converted
            )
        return known

    def _move_pointers_as_bits(self, prepared: Prepared) -> None:
        """Those that may be numbers, and that nobody follows; and numbers that may be others, and that nobody computes with."""

        def is_suspect(load: Load) -> bool:
            original = prepared.origin.get(load)
            return isinstance(original, Load) and self.types.may_be_number(original)

        moved_pointers.to_integers(
            prepared.function, moved_bytes.moved_pointers(prepared.function, is_suspect), self.layout
        )

        def is_other(load: Load) -> bool:
            original = prepared.origin.get(load)
            return isinstance(original, Load) and bool(self.types.seeds.other_formats(original))

        moved_pointers.numbers_to_integers(
            prepared.function, moved_bytes.moved_numbers(prepared.function, is_other), self.layout
        )

    def crossing(self) -> converted_digits.Crossing:
        """Where integers made of numbers become digits of numbers in another function."""
        if self._crossing is None:
            self._crossing = converted_digits.crossing(self.module, self.types.seeds.places, self.layout)
        return self._crossing

    def address_parameters(self) -> dict[str, frozenset[int]]:
        """The parameters that functions use as addresses and nothing else."""
        if self._address_parameters is None:
            self._address_parameters = address_parameters(self.module, self.effects)
        return self._address_parameters

    def texts(self) -> Texts:
        """What functions do with text and files."""
        if self._texts is None:
            self._texts = Texts.of(self.module, self.types)
        return self._texts

    def deciders(self) -> Deciders:
        """What the functions of the program decide by bits of numbers."""
        if self._deciders is None:
            self._deciders = Deciders.of(self.module, self.types)
        return self._deciders

    def makes_pointers(self) -> bool:
        """Whether the program may make pointers of integers."""
        if self._makes_pointers is None:
            self._makes_pointers = made_pointers.are_made(self.module, self.types, self.effects, self.layout)
        return self._makes_pointers

    def address_integers(self) -> AddressIntegers:
        """Which integers are addresses."""
        if self._address_integers is None:
            self._address_integers = AddressIntegers(self.effects, self.types, self.layout)
        return self._address_integers

    def kept_variables(self) -> frozenset[str]:
        """The variables whose addresses memory may hold when a function begins."""
        if self._kept is None:
            self._kept = kept_addresses.variables(self.module, self.effects)
        return self._kept

    def _retyped_in(self, prepared: Prepared) -> frozenset[Instruction]:
        """The accesses of a prepared function to memory that is used under several types, one after the other."""
        if self._retyped is None:
            self._retyped = retyped(self.module, self.types, self.layout)
        known = self._retyped
        return frozenset(i for i in prepared.function.instructions() if prepared.origin.get(i, i) in known)

    def parameter_leaves(self, function: Function, index: int) -> tuple[Leaf, ...]:
        """The floating leaves of a function's parameter, as its derivatives take them."""
        type_ = function.function_type.parameters[index]
        if not holds_integers(self.layout, type_) or self._is_closed(function):
            return leaves(type_, self.layout.resolve)
        return boundary_leaves(self.types, self.layout, self.facts(function).prepared.function.arguments[index])

    def result_leaves(self, function: Function) -> tuple[Leaf, ...]:
        """The floating leaves of a function's result."""
        type_ = function.function_type.result
        known = not holds_integers(self.layout, type_) or self._is_closed(function)
        returned = None if known else self._returned(function)
        if returned is None:
            return leaves(type_, self.layout.resolve)
        return boundary_leaves(self.types, self.layout, returned)

    def _is_closed(self, function: Function) -> bool:
        """Whether its body is not differentiated."""
        return function.is_declaration or function.name in self.custom.rules

    def _returned(self, function: Function) -> Value | None:
        block = self.facts(function).prepared.return_block
        operands = block.terminator.operands if block is not None else []
        return operands[0] if operands else None

    def unknown_bits(self, function: Function, index: int | None) -> Unknown | None:
        """Why it is not known which floating numbers a parameter (None: the result) holds in its integers."""
        value = self._returned(function) if index is None else self.facts(function).prepared.function.arguments[index]
        found = value_leaves(self.types, self.layout, value) if value is not None else ()
        return found if isinstance(found, Unknown) else None

    def subject(self, request: FunctionRequest) -> Subject:
        """Analyse the function of `request` for it."""
        facts = self.facts(self.module.functions[request.function], request.separate)
        activity = self.activity(request)
        demand = demand_analysis.analyse(facts.prepared, activity)
        return Subject(request, facts, activity, demand, elsewhere=self._singular_elsewhere(request.function))

    def _singular_elsewhere(self, function: str) -> bool:
        """Whether code that may share numbers with a function does singular operations."""
        if self._singular is None:
            self._singular = presence.singular_functions(self.module)
            self._called = presence.called_functions(self.module)
        return bool(self._singular - {function}) or (function in self._singular and function in self._called)

    def activity(self, request: FunctionRequest) -> Activity:
        """What carries derivatives under `request`."""
        facts = self.facts(self.module.functions[request.function], request.separate)
        return activity_analysis.analyse(
            facts.flow, inputs(facts.prepared, facts.alias, request), outputs(facts.prepared, facts.alias, request)
        )


def _without_wrong_tags(function: Function, types: Types, layout: DataLayout) -> None:
    """An access that C calls one to an integer, where a number lies (copies by words), breaks C's aliasing rules: neither our
    analyses nor LLVM may conclude from it that it is apart from accesses to numbers."""
    for i in function.instructions():
        if not isinstance(i, (Load, Store)) or tbaa.scalar_name(i) not in tbaa.INTEGERS:
            continue
        type_ = i.type if isinstance(i, Load) else i.value.type
        found = types.loaded_from(i.pointer, layout.store_size(type_))
        if isinstance(found, Contents) and found.floats:
            i.metadata = {kind: node for kind, node in i.metadata.items() if kind != "tbaa"}
