"""A call of an entry point as a frozen request.

Enzyme's grammar: behind the function come its arguments in order; a marker says what the next one is, and where there is none
its type does. Reverse mode: numbers are `out`, memory is `dup`; forward mode: both are `dup`; everything else is `const`. A `dup`
argument is followed by its shadow (by N of them with `enzyme_width, N`).

Invariant: a request that comes out of here can be written: every operand fits its parameter without a guess. Everything else is a
CompileError at the C line of the call.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from enzyme_magic.backend.autodiff.calls.request import ACTIVE, CONSTANT, DUPLICATED, ActivityKind
from enzyme_magic.backend.autodiff.custom.custom_subjects import plain_name
from enzyme_magic.backend.autodiff.requests import entries, structs
from enzyme_magic.backend.autodiff.requests.entries import (
    AUGMENT_FORWARD,
    AUTODIFF,
    ERROR_ESTIMATE,
    FORWARD_DIFF,
    FORWARD_SPLIT,
    REVERSE,
)
from enzyme_magic.backend.autodiff.requests.given import MADE, GivenParameter
from enzyme_magic.backend.autodiff.sweeps.leaves import leaves
from enzyme_magic.backend.ir.instructions import Call
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import FloatType, IntType, PointerType, Type, VoidType
from enzyme_magic.backend.ir.values import Argument, ConstantInt, ConstantKeyword, Value
from enzyme_magic.errors import CompileError, Span

WIDEST = 64
TAPE_BYTES = 8  # a tape is a pointer
SPLIT_MODES = (AUGMENT_FORWARD, REVERSE, FORWARD_SPLIT)
FORWARD_MODES = (FORWARD_DIFF, FORWARD_SPLIT, ERROR_ESTIMATE)


@dataclass(frozen=True, slots=True)
class EntryRequest:
    """One request. result: the activity of the function's result. seeds: operand numbers of the adjoint of the result. tape: the
    operand that is the tape, or with tape_in_memory the address of the memory it lies in."""

    entry: str
    function: str
    given: tuple[GivenParameter, ...]
    width: int = 1
    result: ActivityKind = CONSTANT
    primal_return: bool = False
    noret: bool = False
    nofree: bool = False
    runtime_activity: bool = False
    seeds: tuple[int, ...] = ()
    tape: int | None = None
    tape_in_memory: bool = False


@dataclass(slots=True)
class Refusals:
    """Errors at the place of one call."""

    entry: str
    span: Span | None

    def error(self, what: str, hint: str | None, code: str) -> CompileError:
        return CompileError(f"{self.entry}: {what}", code=code, hint=hint, span=self.span)


@dataclass(slots=True)
class OperandReader:
    """Walks over the operands of one call."""

    call: Call
    entry: str
    function: Function
    layout: DataLayout
    refuse: Refusals
    carries_float: Callable[[Argument], bool]
    first: int
    given: list[GivenParameter] = field(default_factory=list)
    switches: set[str] = field(default_factory=set)
    values: dict[str, int] = field(default_factory=dict)
    rest: list[int] = field(default_factory=list)
    position: int = 0
    kept: bool = False

    @property
    def forward(self) -> bool:
        return self.entry in FORWARD_MODES

    @property
    def name(self) -> str:
        return plain_name(self.function.name)

    @property
    def end(self) -> int:
        return len(self.call.arguments)

    def operand(self, number: int) -> Value:
        return self.call.arguments[number]

    def read(self) -> None:
        self.position = self.first
        self._read_values()
        self.position = self.first
        if self.function.arguments and "sret" in self.function.arguments[0].attributes:
            self.given.append(structs.result(self, self.function.arguments[0]))
        while self.position < self.end:
            self._read_one()
        missing = len(self.function.arguments) - len(self.given)
        if missing > 0:
            parameter = self._parameter(len(self.given))
            raise self.refuse.error(
                f"{self.name} takes {len(self.function.arguments)} arguments, {len(self.given)} are given: "
                f"{parameter} is missing",
                "pass the arguments of the function, each `dup` one followed by its shadow",
                "EM143",
            )

    def _read_values(self) -> None:
        """Width first: it says how many shadows follow each argument, wherever it stands."""
        for number in range(self.first, self.end - 1):
            if entries.marker(self.operand(number)) == "width":
                self.values["width"] = number + 1

    @property
    def width(self) -> int:
        number = self.values.get("width")
        if number is None:
            return 1
        value = self.operand(number)
        if not isinstance(value, ConstantInt) or not 1 <= value.value <= WIDEST:
            raise self.refuse.error(
                f"enzyme_width is not a constant from 1 to {WIDEST}", "write the number of lanes itself", "EM146"
            )
        return value.value

    def _read_one(self) -> None:
        self.kept = False
        activity = self.read_markers()
        if self.position >= self.end:
            if activity is not None:
                what = f"enzyme_{activity} is the last argument: nothing follows it"
                raise self.refuse.error(what, "pass the argument it is about", "EM143")
        elif len(self.given) < len(self.function.arguments):
            self.given += self._argument(len(self.given), activity)
        elif activity is not None or self.entry not in (REVERSE, FORWARD_SPLIT):
            raise self.refuse.error(
                f"{self.name} takes {len(self.function.arguments)} arguments, more are given",
                "an argument is `dup` (a shadow follows) only if it is memory, or in forward mode a number",
                "EM142",
            )
        else:
            self.rest.append(self.take(""))

    def read_markers(self) -> str | None:
        """The markers at the current place; gives back what they say about the next argument."""
        activity: str | None = None
        while self.position < self.end and (word := self._marker()) is not None:
            if word in entries.ACTIVITIES:
                if activity is not None:
                    what = f"enzyme_{activity} is followed by enzyme_{word}"
                    raise self.refuse.error(what, "one marker for each argument", "EM141")
                activity = word
            elif word in entries.SWITCHES:
                self.switches.add(word)
            elif word in entries.VALUES:
                self.values[word] = self.take(f"a value behind enzyme_{word}")
            elif word in entries.PREFIXES:
                self.kept = True
            else:
                raise self._unknown(word)
        return activity

    def _unknown(self, word: str) -> CompileError:
        if word in entries.BATCHES:
            return self.refuse.error(f"enzyme_{word} belongs to __enzyme_batch", "leave it out", "EM141")
        if word in ("enzyme_byref", "enzyme_interleave"):
            what = f"{word} belongs to Enzyme's C++ wrappers, which are not known here"
            return self.refuse.error(what, "pass each argument as it is, followed by its shadow", "EM141")
        return self.refuse.error(
            f"{word} is no marker",
            f"the markers are {', '.join(sorted(entries.MARKERS))}, with enzyme_ before",
            "EM141",
        )

    def _marker(self) -> str | None:
        word = entries.marker(self.operand(self.position))
        if word is not None:
            self.position += 1
        return word

    def take(self, what: str) -> int:
        if self.position >= self.end:
            raise self.refuse.error(f"{what} is missing", "every `dup` argument is followed by its shadow", "EM143")
        word = entries.marker(self.operand(self.position))
        if word is not None:
            raise self.refuse.error(f"{what} is missing: enzyme_{word} stands there", None, "EM143")
        self.position += 1
        return self.position - 1

    # One argument

    def _parameter(self, index: int) -> str:
        name = self.function.arguments[index].name.partition(".coerce")[0]
        return f"parameter {name}" if name else f"parameter {index + 1}"

    def _parts(self, index: int) -> list[Argument]:
        """The registers in which C passes one argument: clang names those of a struct `s.coerce0`, `s.coerce1`."""
        first, *rest = self.function.arguments[index:]
        stem, is_part, _ = first.name.partition(".coerce")
        parts = [first]
        for parameter in rest if is_part else ():
            if parameter.name != f"{stem}.coerce{len(parts)}":
                break
            parts.append(parameter)
        return parts

    def _argument(self, index: int, marker: str | None) -> list[GivenParameter]:
        if "byval" in self.function.arguments[index].attributes:
            return [structs.argument(self, self.function.arguments[index], marker, self._parameter(index))]
        parts = self._parts(index)
        called = self._parameter(index)
        words = [self._word(part, marker, called) for part in parts]
        duplicated = any(word.startswith("dup") for word in words)
        if duplicated and "out" in words:
            what = f"{called} is a struct by value with pointers and numbers"
            raise self.refuse.error(what, "pass a pointer to it, or its fields", "EM149")
        stride = self.take("the stride of the shadows") if words[0] in ("dupv", "dupnoneedv") else None
        primals = self._take_all(parts, called)
        count = (1 if stride is not None else self.width) if duplicated else 0
        shadows = [self._take_all(parts, f"the shadow of {called}") for _ in range(count)]
        return [
            GivenParameter(
                self._activity(part, word),
                primals[k],
                tuple(lane[k] for lane in shadows) if word.startswith("dup") else (),
                stride,
                absent=self._is_null(primals[k]) and word.startswith("dupnoneed"),
                kept=self.kept,
            )
            for k, (part, word) in enumerate(zip(parts, words, strict=True))
        ]

    def _word(self, parameter: Argument, marker: str | None, called: str) -> str:
        word = marker or self._default(parameter)
        if marker != "const" and isinstance(parameter.type, IntType) and self.carries_float(parameter):
            what = f"{called} is a struct with integers and floating numbers in one register"
            raise self.refuse.error(what, "pass a pointer to it", "EM149")
        self._check_activity(parameter, word, called)
        return word

    def _activity(self, parameter: Argument, word: str) -> ActivityKind:
        if word == "const":
            return CONSTANT
        return ACTIVE if word == "out" or self._is_number(parameter) else DUPLICATED

    def _take_all(self, parts: list[Argument], called: str) -> list[int]:
        taken = []
        for part in parts:
            taken.append(self.take(called if called.startswith("the ") else f"the argument for {called}"))
            self.check_fits(taken[-1], part.type, called)
        return taken

    def _is_null(self, number: int) -> bool:
        value = self.operand(number)
        return isinstance(value, ConstantKeyword) and value.keyword == "null"

    def _is_number(self, parameter: Argument) -> bool:
        return bool(leaves(parameter.type, self.layout.resolve))

    def _default(self, parameter: Argument) -> str:
        if isinstance(parameter.type, PointerType):
            return "dup"
        if not self._is_number(parameter):
            return "const"
        return "dup" if self.forward else "out"

    def _check_activity(self, parameter: Argument, word: str, called: str) -> None:
        pointer, number = isinstance(parameter.type, PointerType), self._is_number(parameter)
        wrong = None
        if word == "out" and pointer:
            wrong = ("is memory and cannot be enzyme_out", "use enzyme_dup and pass its shadow")
        elif word == "out" and not number:
            wrong = (f"is an {parameter.type} and has no derivative", "use enzyme_const")
        elif word.startswith("dup") and number and not self.forward:
            wrong = ("is a number by value; its derivative is a result", "use enzyme_out, or no marker")
        elif word.startswith("dup") and not number and not pointer:
            wrong = (f"is an {parameter.type} and has no shadow", "use enzyme_const")
        elif word in ("dupv", "dupnoneedv") and not pointer:
            wrong = ("is no memory: a stride needs a pointer", f"use enzyme_{word.removesuffix('v')}")
        if wrong is not None:
            raise self.refuse.error(f"{called} {wrong[0]}", wrong[1], "EM144")

    def check_fits(self, number: int, type_: Type, called: str) -> None:
        value = self.operand(number)
        if not fits(value, type_):
            raise self.refuse.error(
                f"{called} is a {type_}, and a {value.type} is given", "cast it to the parameter's type", "EM144"
            )


def returned_struct(request: EntryRequest) -> GivenParameter | None:
    """The memory of a struct that the function returns, if it does."""
    first = request.given[0] if request.given else None
    return first if first is not None and first.primal == MADE else None


def fits(value: Value, type_: Type) -> bool:
    """Whether `value` can be passed for a parameter of `type_`: as it is, or as C's variable arguments promote it. A constant int
    that both signs read alike also stands for a longer integer."""
    if value.type == type_:
        return True
    if isinstance(value.type, FloatType) and isinstance(type_, FloatType):
        return value.type.kind == "double" and type_.kind in ("float", "half")
    if isinstance(value.type, IntType) and isinstance(type_, IntType):
        return value.type.bits >= type_.bits or (isinstance(value, ConstantInt) and value.value >= 0)
    return False


def parse(
    call: Call,
    entry: str,
    function: Function,
    layout: DataLayout,
    carries_float: Callable[[Argument], bool],
    span: Span | None,
) -> EntryRequest:
    """The request `call` makes for `function`. carries_float: whether an integer parameter holds bits of floating numbers."""
    refuse = Refusals(entry, span)
    first = position_of_function(call) + 1
    reader = OperandReader(call, entry, function, layout, refuse, carries_float, first)
    if function.is_declaration or function.function_type.variadic:
        why = "has variable arguments" if function.function_type.variadic else "is not defined here"
        raise refuse.error(f"{reader.name} {why}", "define the function in C, with fixed parameters", "EM140")
    reader.read()
    result = _result(reader)
    seeds, tape = _behind(reader, result)
    request = EntryRequest(
        entry,
        function.name,
        tuple(reader.given),
        reader.width,
        result,
        "primal_return" in reader.switches,
        "noret" in reader.switches,
        "nofree" in reader.switches,
        "runtime_activity" in reader.switches,
        seeds,
        tape,
        "tape" in reader.values,
    )
    _check_switches(reader, request)
    return request


def _check_switches(reader: OperandReader, request: EntryRequest) -> None:
    refuse, function = reader.refuse, reader.function
    if request.entry in SPLIT_MODES and request.primal_return:
        what = "the primal result comes from __enzyme_augmentfwd"
        raise refuse.error(what, "leave enzyme_primal_return out", "EM145")
    if request.entry == AUGMENT_FORWARD and request.width > 1 and request.result == DUPLICATED:
        what = f"{reader.name} returns memory, and there would be {request.width} shadows of it"
        raise refuse.error(what, "make one request for each lane", "EM146")
    if request.entry not in SPLIT_MODES and {"tape", "allocated"} & reader.values.keys():
        raise refuse.error("there is no tape here", "leave enzyme_tape out", "EM147")
    nothing = isinstance(function.function_type.result, VoidType) and returned_struct(request) is None
    if request.primal_return and nothing:
        raise refuse.error(
            f"{reader.name} returns nothing, so there is no primal result", "leave enzyme_primal_return out", "EM145"
        )


def _behind(reader: OperandReader, result: str) -> tuple[tuple[int, ...], int | None]:
    """What follows the arguments: the adjoint of the result, then the tape. Raises CompileError where they do not fit."""
    refuse, rest = reader.refuse, list(reader.rest)
    if reader.entry not in SPLIT_MODES:
        return (), None
    _check_tape_size(reader)
    tape = reader.values.get("tape")
    if tape is None and reader.entry != AUGMENT_FORWARD:
        if not rest:
            raise refuse.error("the tape is missing", "pass what __enzyme_augmentfwd returned last", "EM143")
        tape = rest.pop()
    if tape is not None and not isinstance(reader.operand(tape).type, PointerType):
        raise refuse.error(f"the tape is a pointer, and a {reader.operand(tape).type} is given", None, "EM147")
    if reader.entry != REVERSE or result != ACTIVE:
        if rest:
            raise refuse.error("more arguments than it takes", "the tape is the last one", "EM142")
        return (), tape
    type_ = reader.function.function_type.result
    wanted = [leaf.type for leaf in leaves(type_, reader.layout.resolve)] * reader.width
    given = [leaf.type for k in rest for leaf in leaves(reader.operand(k).type, reader.layout.resolve)]
    promoted = len(rest) == reader.width and all(fits(reader.operand(k), type_) for k in rest)
    fit = given == wanted or promoted
    if not fit:
        told = ", ".join(str(reader.operand(k).type) for k in rest) or "nothing"
        each = "" if reader.width == 1 else f" for each of the {reader.width} lanes"
        what = f"the adjoint of the result, a {type_}{each}, stands before the tape; given is {told}"
        raise refuse.error(what, "pass 1.0 for the gradient itself", "EM144" if rest else "EM143")
    return tuple(rest), tape


def _check_tape_size(reader: OperandReader) -> None:
    number = reader.values.get("allocated")
    if number is None:
        return
    size = reader.operand(number)
    if not isinstance(size, ConstantInt):
        raise reader.refuse.error("enzyme_allocated is not constant", "write the number of bytes", "EM147")
    if size.value < TAPE_BYTES:
        what = f"the tape needs {TAPE_BYTES} bytes, and there are {size.value}"
        raise reader.refuse.error(what, "__enzyme_augmentsize gives the size", "EM147")


def position_of_function(call: Call) -> int:
    """The operand that is the function: the first one that is not the memory of the result."""
    return 1 if call.argument_attributes and "sret" in call.argument_attributes[0] else 0


def _result(reader: OperandReader) -> ActivityKind:
    type_ = reader.function.function_type.result
    number = bool(leaves(type_, reader.layout.resolve))
    if "const_return" in reader.switches:
        return CONSTANT
    if "active_return" in reader.switches and not number:
        raise reader.refuse.error(f"{reader.name} returns no number", "leave enzyme_active_return out", "EM144")
    if isinstance(type_, PointerType):
        return DUPLICATED if reader.entry != AUTODIFF else CONSTANT
    return ACTIVE if number else CONSTANT
