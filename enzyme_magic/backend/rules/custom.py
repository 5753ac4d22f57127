"""What a C program itself says about derivatives: registrations by global variables and by attributes.

    void *__enzyme_register_gradient_f[3] = {f, augmented, reverse};
    __attribute__((enzyme("gradient", reverse))) double f(double x);

Both are globals of the module (attributes are entries of `llvm.global.annotations`), so they survive optimization and static
functions keep their identity. Invariant: a name that looks like a registration is one, or an error; nothing that a program
says about its derivatives is dropped in silence. How a rule is called is decided in autodiff (custom_calls), not here.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations

from enzyme_magic.backend.ir.attributes import Attribute
from enzyme_magic.backend.ir.locations import file_of
from enzyme_magic.backend.ir.metadata import MDRecord, MDTuple
from enzyme_magic.backend.ir.module import Function, GlobalVariable, Module
from enzyme_magic.backend.ir.types import PointerType, is_floating
from enzyme_magic.backend.ir.values import ConstantAggregate, ConstantExpression, ConstantInt, ConstantString, Value
from enzyme_magic.backend.rules import allocators, registry
from enzyme_magic.backend.rules.allocators import Allocator
from enzyme_magic.backend.rules.registry import INACTIVE, LIKE
from enzyme_magic.errors import CompileError, Span

RECOMPUTE = "enzyme_shouldrecompute"
ANNOTATIONS = "llvm.global.annotations"
_PREFIX = "__enzyme_"
KEEPS = "em-keeps-what-it-reads"  # of a gradient of ours: whoever wrote it has seen to what it reads


@dataclass(frozen=True, slots=True, eq=False)
class RegisteredRule:
    """The functions that stand for the derivative of `function`. gradient: the reverse sweep's; augmented: the forward sweep's
    before it (None: `function` itself); derivative: forward mode's; split: (augmented, derivative with tape)."""

    function: Function
    gradient: Function | None = None
    augmented: Function | None = None
    derivative: Function | None = None
    split: tuple[Function, Function] | None = None
    span: Span | None = None


@dataclass(slots=True)
class Registrations:
    """All that one module registers. `rules`, `like` and `allocators` by name of the function."""

    rules: dict[str, RegisteredRule] = field(default_factory=dict)
    like: dict[str, str] = field(default_factory=dict)
    inactive: set[str] = field(default_factory=set)
    inactive_globals: set[str] = field(default_factory=set)
    nofree: set[str] = field(default_factory=set)
    recompute: set[str] = field(default_factory=set)
    allocators: dict[str, Allocator] = field(default_factory=dict)

    def any(self) -> bool:
        """Whether the module registers anything."""
        return any(
            (self.rules, self.like, self.inactive, self.inactive_globals, self.nofree, self.recompute, self.allocators)
        )

    @property
    def take_pointers(self) -> bool:
        """Whether handlers of the program may write shadow memory."""
        parameters = [type_ for rule in self.rules.values() for type_ in rule.function.function_type.parameters]
        return any(isinstance(type_, PointerType) for type_ in parameters)

    @property
    def opaque(self) -> frozenset[str]:
        """Functions whose calls must reach differentiation: not inlined, not folded, whatever their bodies say."""
        releases = {allocator.release.name for allocator in self.allocators.values()}
        return frozenset({*self.rules, *self.like, *self.inactive, *self.allocators, *releases})


def present(text: str) -> bool:
    """Whether IR text may register anything: a quick look that saves reading it."""
    return _PREFIX in text or f"@{ANNOTATIONS}" in text


def read(module: Module) -> Registrations:
    """Everything `module` registers. Raises CompileError EM126 for a registration that cannot be understood."""
    found = Registrations()
    for variable in module.variables.values():
        kind = next((word for word in _BY_GLOBAL if word in variable.name), None)
        if kind is not None:
            _BY_GLOBAL[kind](
                found, RegistrationWords(_elements(variable.initializer), _span_of(variable), variable.name)
            )
        elif _PREFIX in variable.name:
            raise _unknown(variable)
    for words, attribute in _annotations(module):
        _BY_ATTRIBUTE[attribute](found, words)
    _refuse_contradictions(found)
    return found


def _refuse_contradictions(found: Registrations) -> None:
    """A function has its derivative from one source: from its rule, from an operation that it is like, or it has none."""
    sources: tuple[tuple[Collection[str], str], ...] = (
        (found.rules, "has a derivative of its own"),
        (found.like, "is like another function"),
        (found.inactive, "is inactive"),
    )
    for (names, first), (others, second) in combinations(sources, 2):
        for name in names:
            if name in others:
                raise CompileError(
                    f"{name} {first}, and it {second}: these contradict each other",
                    code="EM126",
                    hint="register one of the two",
                    span=found.rules[name].span if name in found.rules else None,
                )


def mark(module: Module, found: Registrations) -> None:
    """Put what the rule tables must know about functions and globals on themselves, as attributes."""
    for name, operation in found.like.items():
        _add(module.functions.get(name), LIKE, operation)
    for names, word in ((found.inactive, INACTIVE), (found.recompute, RECOMPUTE)):
        for name in names:
            _add(module.functions.get(name), word)
    for name in found.nofree:
        function = module.functions.get(name)
        if function is not None:
            function.attributes = function.attributes.with_(Attribute("nofree"))
    for name in found.inactive_globals:
        _add(module.variables.get(name), INACTIVE)


def _add(target: Function | GlobalVariable | None, word: str, value: str | None = None) -> None:
    if target is not None:
        target.attributes = target.attributes.with_(Attribute(word, value, quoted=True))


@dataclass(frozen=True, slots=True, eq=False)
class RegistrationWords:
    """What one registration lists, and where it stands."""

    values: tuple[Value, ...]
    span: Span | None
    name: str

    def function(self, index: int) -> Function:
        value = self.value(index)
        if not isinstance(value, Function):
            raise self.error(f"entry {index + 1} of {self.name} is not a function")
        return value

    def text(self, index: int) -> str:
        value = self.value(index)
        initializer = value.initializer if isinstance(value, GlobalVariable) else None
        if not isinstance(initializer, ConstantString):
            raise self.error(f"entry {index + 1} of {self.name} is not a text")
        return initializer.data.rstrip(b"\0").decode("utf-8", "replace")

    def value(self, index: int) -> Value:
        if index >= len(self.values):
            raise self.error(f"{self.name} has {len(self.values)} entries, and entry {index + 1} is missing")
        return self.values[index]

    def at_most(self, count: int) -> None:
        if len(self.values) > count:
            raise self.error(f"{self.name} has {len(self.values)} entries, {count} are expected")

    def error(self, what: str, hint: str | None = None) -> CompileError:
        return CompileError(what, code="EM126", hint=hint or _HINTS.get(_kind(self.name)), span=self.span)


_HINTS = {
    "register_gradient": "void *__enzyme_register_gradient_f[3] = {f, augmented, gradient};",
    "register_derivative": "void *__enzyme_register_derivative_f[2] = {f, derivative};",
    "register_splitderivative": "void *__enzyme_register_splitderivative_f[3] = {f, augmented, derivative_with_tape};",
    "allocation_like": 'void *__enzyme_allocation_like_f[4] = {f, (void *)SIZE_ARGUMENT, "-1", release};',
    "function_like": 'void *__enzyme_function_like_f[2] = {f, "log1p"};',
    "inactivefn": "void *__enzyme_inactivefn_f = f;",
    "inactive_global": "void *__enzyme_inactive_global_g = &g;",
}


def _kind(name: str) -> str:
    return next((word.removeprefix(_PREFIX) for word in _BY_GLOBAL if word in name), "")


def _with(found: Registrations, words: RegistrationWords, **parts: object) -> None:
    function = words.function(0)
    rule = found.rules.get(function.name) or RegisteredRule(function, span=words.span)
    for part, value in parts.items():
        known = getattr(rule, part)
        if known is not None and known is not value:
            raise words.error(f"{function.name} has two {part} functions", "register one of them")
    found.rules[function.name] = replace(rule, **parts)  # type: ignore[arg-type]


def _gradient(found: Registrations, words: RegistrationWords) -> None:
    words.at_most(3)
    _with(found, words, augmented=words.function(1), gradient=words.function(2))


def _derivative(found: Registrations, words: RegistrationWords) -> None:
    words.at_most(2)
    _with(found, words, derivative=words.function(1))


def _split_derivative(found: Registrations, words: RegistrationWords) -> None:
    words.at_most(3)
    _with(found, words, split=(words.function(1), words.function(2)))


def _augment_attribute(found: Registrations, words: RegistrationWords) -> None:
    _with(found, words, augmented=words.function(1))


def _gradient_attribute(found: Registrations, words: RegistrationWords) -> None:
    _with(found, words, gradient=words.function(1))


def _like(found: Registrations, words: RegistrationWords) -> None:
    words.at_most(2)
    function, operation = words.function(0), words.text(1)
    plain = operation if operation in registry.RULES or operation[-1:] not in ("f", "l") else operation[:-1]
    rule = registry.RULES.get(plain)
    if rule is None:
        close = difflib.get_close_matches(plain, registry.RULES, 1)
        raise words.error(
            f"no derivative is known for {operation}",
            f"did you mean {close[0]}?" if close else "name a function of math.h",
        )
    type_ = function.function_type
    if len(type_.parameters) != rule.operands or not all(is_floating(t) for t in (type_.result, *type_.parameters)):
        count = f"{rule.operands} floating argument{'s' if rule.operands != 1 else ''}"
        raise words.error(
            f"{function.name} cannot be like {operation}, which takes {count}", "the types must be those of math.h"
        )
    found.like[function.name] = plain


def _inactive(found: Registrations, words: RegistrationWords) -> None:
    value = words.values[0] if words.values else None
    if isinstance(value, Function):
        found.inactive.add(value.name)
    elif isinstance(value, GlobalVariable):
        found.inactive_globals.add(value.name)
    else:
        raise words.error(f"{words.name} names neither a function nor a global variable")


def _nofree(found: Registrations, words: RegistrationWords) -> None:
    found.nofree.add(words.function(0).name)


def _recompute(found: Registrations, words: RegistrationWords) -> None:
    found.recompute.add(words.function(0).name)


def _allocator(found: Registrations, words: RegistrationWords) -> None:
    allocator = allocators.read(words)
    found.allocators[allocator.function.name] = allocator


_Reader = Callable[[Registrations, RegistrationWords], None]
_BY_GLOBAL: dict[str, _Reader] = {
    "__enzyme_register_gradient": _gradient,
    "__enzyme_register_derivative": _derivative,
    "__enzyme_register_splitderivative": _split_derivative,
    "__enzyme_inactivefn": _inactive,
    "__enzyme_inactive_global": _inactive,
    "__enzyme_function_like": _like,
    "__enzyme_allocation_like": _allocator,
    "__enzyme_nofree": _nofree,
    "__enzyme_shouldrecompute": _recompute,
}
_BY_ATTRIBUTE: dict[str, _Reader] = {
    "enzyme_augment": _augment_attribute,
    "enzyme_gradient": _gradient_attribute,
    "enzyme_derivative": _derivative,
    "enzyme_inactive": _inactive,
    "enzyme_function_like": _like,
    "enzyme_nofree": _nofree,
    "enzyme_shouldrecompute": _recompute,
}


def _unknown(variable: GlobalVariable) -> CompileError:
    close = difflib.get_close_matches(variable.name, _BY_GLOBAL, 1, 0.5)
    return CompileError(
        f"{variable.name} looks like a registration, but there is none of this name",
        code="EM126",
        hint=f"did you mean {close[0]}…?" if close else f"there are {', '.join(_BY_GLOBAL)}",
        span=_span_of(variable),
    )


def _annotations(module: Module) -> Iterator[tuple[RegistrationWords, str]]:
    """The Enzyme attributes of the module: the target and the attribute's arguments, and its name."""
    table = module.variables.get(ANNOTATIONS)
    for entry in _elements(table.initializer) if table is not None else ():
        if len(members := _elements(entry)) != 5:
            continue  # not clang's
        target, name, file, line, arguments = members
        attribute = _text(name)
        if not attribute.startswith("enzyme_"):
            continue
        span = Span(_text(file), line.value) if isinstance(line, ConstantInt) else None
        values = _elements(arguments.initializer) if isinstance(arguments, GlobalVariable) else ()
        words = RegistrationWords(
            (_bare(target), *values), span, f'the attribute "{attribute.removeprefix("enzyme_")}"'
        )
        if attribute not in _BY_ATTRIBUTE:
            known = ", ".join(word.removeprefix("enzyme_") for word in _BY_ATTRIBUTE)
            raise words.error(f"{words.name} is not known", f"there are {known}")
        yield words, attribute


def _text(value: Value) -> str:
    initializer = value.initializer if isinstance(value, GlobalVariable) else None
    return initializer.data.rstrip(b"\0").decode("utf-8", "replace") if isinstance(initializer, ConstantString) else ""


def _elements(value: Value | None) -> tuple[Value, ...]:
    if value is None:
        return ()
    elements = value.elements if isinstance(value, ConstantAggregate) else (value,)
    return tuple(_bare(element) for element in elements)


def _bare(value: Value) -> Value:
    while isinstance(value, ConstantExpression) and value.opcode in ("bitcast", "addrspacecast"):
        value = value.operands[0]
    return value


def _span_of(variable: GlobalVariable) -> Span | None:
    """Where a global variable is declared, from its debug info."""
    node = variable.metadata.get("dbg")
    for expression in node.operands if isinstance(node, MDTuple) else (node,):
        record = expression.fields.get("var") if isinstance(expression, MDRecord) else None
        line = record.fields.get("line") if isinstance(record, MDRecord) else None
        if isinstance(record, MDRecord) and isinstance(line, int):
            return Span(file_of(record) or "<C source>", line)
    return None
