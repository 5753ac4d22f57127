"""A call of a gradient, step by step: forward values, adjoints, the tape as it grows and shrinks.

A derivative that is watched (autodiff/sweeps/watch.py) is compiled beside the ordinary one and called by whoever has
arguments; what it told is put into words here. Invariant: every number is one that the derivative computed in that call;
nothing is evaluated here.

Not shown: what called functions do inside, addresses, whole numbers other than loop counters and comparisons.
"""

from __future__ import annotations

import dataclasses
import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field

from enzyme_magic.backend import deriving
from enzyme_magic.backend.analysis.derivatives.recompute import Need
from enzyme_magic.backend.autodiff.calls.request import Request
from enzyme_magic.backend.autodiff.sweeps.reverse import Derivative
from enzyme_magic.backend.autodiff.sweeps.watch import (
    ADD,
    ENTER,
    LEAVE,
    PUSH,
    READ,
    ROOM,
    STEP,
    TAKE,
    VALUE,
    Watch,
    WatchEvent,
)
from enzyme_magic.backend.explain.scene import Scene
from enzyme_magic.backend.explain.tape.breakdown import Cache
from enzyme_magic.backend.explain.words.c_text import UNNAMED
from enzyme_magic.backend.explain.words.counts import Counts
from enzyme_magic.backend.ir.graphs.def_use import users
from enzyme_magic.backend.ir.instructions import Compare, Instruction, Load, Phi, Return, Store
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.types import I1, FloatType, IntType
from enzyme_magic.backend.ir.values import Argument, ConstantFloat, Value
from enzyme_magic.backend.llvm import link, optimize
from enzyme_magic.backend.llvm.objects import jit
from enzyme_magic.backend.pipeline import CompiledProgram, load_derivative
from enzyme_magic.backend.store.persist import DerivativeRecord
from enzyme_magic.errors import DifferentiationError
from enzyme_magic.report import TapeEntry, Trace, TraceStep

LEVEL = 1
NO_NAME = "a value without a name in C"


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """A watched derivative, loaded: call `entry` at `address`, then ask for the trace."""

    scene: Scene
    watch: Watch
    record: DerivativeRecord
    library: jit.Library

    @classmethod
    def of(cls, program: CompiledProgram, request: Request) -> Rehearsal:
        """Raises DifferentiationError where there is no derivative, ToolchainError where the program is isolated."""
        program.require_here()
        program = program.told(request)
        watch = Watch(program.primal(request.function).entry.symbol)
        derivation, derivative = deriving.write(
            program.module, request, program.record, program.options.strict, watch=watch
        )
        if not isinstance(derivative, Derivative):
            raise DifferentiationError("only reverse sweeps are followed", code="EM220")
        scene = Scene.around(program, request, derivation, derivative)
        text, entry = deriving.with_entry(derivation, derivative, request, program.record)
        whole = link.link([text, watch.support()])
        with program.tuned():
            optimized = optimize.post_ad(whole, LEVEL, exports=[entry.symbol])
            code = jit.compile_object(optimized, LEVEL)
        record = DerivativeRecord(entry, "", optimized, deriving.mentions_program(program.module, optimized))
        library = load_derivative(code, record, program.libraries if record.needs_program else ())
        return cls(scene, watch, record, library)

    @property
    def address(self) -> int:
        return self.library.address(self.record.entry.symbol)

    def trace(self, call: str, arguments: Sequence[tuple[str, str]], sizes: Sequence[int | None]) -> Trace:
        """What the last call told. sizes: bytes of each array argument."""
        made = Trace(call, tuple(arguments))
        story = _Story(self.scene, sizes)
        for event in self.watch.events():
            story.hear(event)
        if self.watch.count > ROOM:
            count = f"{self.watch.count:,}"
            made = dataclasses.replace(
                made, reason=f"these are the first {ROOM:,} of {count} events; smaller arguments show all"
            )
        return dataclasses.replace(made, steps=tuple(story.steps), tape=story.tape())


@dataclass(slots=True)
class _Entry:
    need: Need
    value: str
    pushed: int
    read: list[int] = field(default_factory=list)


class _Story:
    """Events become steps, one after the other."""

    def __init__(self, scene: Scene, sizes: Sequence[int | None]) -> None:
        self.scene, self.sizes = scene, sizes
        self.cache = Cache(scene, Counts.of(scene))
        self.slots = {need: f"s{k}" for k, need in enumerate(scene.plan.stored)}
        self.layout = DataLayout.of(scene.program.module.module)
        self.users = users(scene.prepared.function)
        self.steps: list[TraceStep] = []
        self.entries: list[_Entry] = []
        self.open: dict[tuple[Need, int], _Entry] = {}
        self.values: dict[Value, float | int] = {}
        self.arguments: list[tuple[Argument, int]] = []
        self.merges: dict[Value, int] = {}  # phis whose adjoint was taken and is not yet given on
        self.visits: dict[Value, list[str]] = {}  # elements that a load or store touched; met again backwards
        self.places: dict[Value, str] = {}  # the one of the visit that is told about
        self.now: int | None = None  # the step that contributions belong to
        self.at: Value | None = None
        self.depth = 0

    def hear(self, event: WatchEvent) -> None:
        if event.kind in (ENTER, LEAVE):
            self.depth += 1 if event.kind == ENTER else -1
        if self.depth > 1 or event.kind in (ENTER, LEAVE):
            return
        if event.kind in (PUSH, READ):
            assert isinstance(event.subject, Need)
            (self._push if event.kind == PUSH else self._read)(event.subject, event)
            return
        assert not isinstance(event.subject, Need)
        if event.kind == STEP:
            self.at = event.subject
            if self.at is not None and self.visits.get(self.at):
                self.places[self.at] = self.visits[self.at].pop()
            self.now = self.merges.pop(event.subject, None) if isinstance(event.subject, Phi) else None
        elif event.subject is not None:
            {VALUE: self._value, TAKE: self._take, ADD: self._add}[event.kind](event.subject, event)

    # The forward sweep

    def _value(self, value: Value, event: WatchEvent) -> None:
        self.values[value] = event.number
        if isinstance(value, Argument):
            self.arguments.append(
                (value, int(event.number)) if not isinstance(value.type, (FloatType, IntType)) else (value, 0)
            )
            return
        assert isinstance(value, Instruction)
        place = self._place(value, event.place)
        if isinstance(value, (Load, Store)):
            self.visits.setdefault(value, []).append(place)
        if not self._is_shown(value):
            return
        text, number = self._text(value, place), self._number(event.number, value)
        if isinstance(value, Compare) and not isinstance(value.operands[0].type, FloatType):
            text = self._as_written(value, text)
        if UNNAMED in text and not self.scene.activity.active(value):
            text = self._variable(value)
        if text not in ("", UNNAMED):  # what LLVM alone computes is no step of the C text
            kink, here = self._kink(value)
            self._say("forward", value, text, number, place, kink, here)

    def _as_written(self, value: Compare, text: str) -> str:
        """A comparison of whole numbers, where the line asks just that; "" where it is LLVM's own, of numbers that are no variables
        there (`hits < 5` of the number before `hits++`)."""
        line = self.scene.line(value)
        written = self.scene.written.conditions.get(line, ()) if line is not None else ()
        return text if any(text == condition.text for condition in written) else ""

    def _variable(self, value: Instruction) -> str:
        """The variable that gets a value which has no words; "" where none does."""
        held = self.scene.text.variables.held.get(value)
        return held.name if held is not None and not isinstance(value, Compare) else ""

    def _is_shown(self, value: Instruction) -> bool:
        if self.scene.origin(value) is None:
            return False
        if isinstance(value, Store):
            return isinstance(value.value.type, FloatType)
        if isinstance(value, Phi) and isinstance(value.type, IntType):
            return value in self.scene.text.variables.held
        return isinstance(value.type, FloatType) or isinstance(value, Compare)

    def _text(self, value: Instruction, place: str) -> str:
        if isinstance(value, Store):
            return place or self.scene.text.place_of(value.pointer, value.value.type)
        if isinstance(value, Phi):
            return self.scene.text.value(value)
        return self.scene.text.expression(value)

    def _place(self, value: Instruction, address: int) -> str:
        if not isinstance(value, (Load, Store)):
            return ""
        type_ = value.value.type if isinstance(value, Store) else value.type
        size = self.layout.store_size(type_)
        for argument, base in self.arguments:
            length = self.sizes[argument.index] if argument.index < len(self.sizes) else None
            if base and length is not None and base <= address < base + length:
                return f"{argument.name}[{(address - base) // size}]"
        return ""

    def _kink(self, value: Instruction) -> tuple[str, bool]:
        """Where a comparison of numbers that depend on active parameters changes its answer."""
        if not isinstance(value, Compare) or not isinstance(value.operands[0].type, FloatType):
            return "", False
        left, right = value.operands
        if not any(operand in self.scene.activity.varies for operand in (left, right)):
            return "", False
        a, b = self._known(left), self._known(right)
        return f"{self.scene.text.value(left)} = {self.scene.text.value(right)}", a is not None and a == b

    def _known(self, value: Value) -> float | int | None:
        return _constant(value) if isinstance(value, ConstantFloat) else self.values.get(value)

    # The tape

    def _push(self, need: Need, event: WatchEvent) -> None:
        if (need, event.place) in self.open:
            return  # the same again: an iteration of a loop in which the value repeats
        value = self.cache.in_words(need, self._number(event.number, need.value))
        entry = _Entry(need, value, max(0, len(self.steps) - 1))
        self.entries.append(entry)
        self.open[need, event.place] = entry

    def _read(self, need: Need, event: WatchEvent) -> None:
        entry = self.open.get((need, event.place))
        if entry is not None:
            entry.read.append(len(self.steps) if self.now is None else self.now)

    def tape(self) -> tuple[TapeEntry, ...]:
        """In the order in which it grew."""
        last = len(self.steps) - 1
        return tuple(
            TapeEntry(
                self.slots.get(entry.need, ""),
                self.cache.expression(entry.need),
                entry.value,
                entry.pushed,
                tuple(sorted({min(step, last) for step in entry.read})),
            )
            for entry in self.entries
        )

    # The reverse sweep

    def _take(self, value: Value, event: WatchEvent) -> None:
        """The adjoint of a value is complete; contributions to others follow. A phi gives its own on when all are taken."""
        end = isinstance(value, Argument)
        place, number = self.places.get(value, ""), self._number(event.number, value)
        self._say("end" if end else "reverse", value, self._name(value), number, place)
        if place:  # a load gives its adjoint to the memory that it read
            self.steps[-1] = dataclasses.replace(self.steps[-1], added=(("", place, number),))
        if isinstance(value, Phi):
            self.merges[value] = len(self.steps) - 1
            self.now = None
        else:
            self.now = len(self.steps) - 1

    def _add(self, value: Value, event: WatchEvent) -> None:
        if self.now is None:
            self.now = self._begin()
        step = self.steps[self.now]
        if isinstance(self.at, Store) and not step.value:
            step = dataclasses.replace(step, value=self._number(event.number, value))
        identifier = self.scene.identifier(value) or ""
        visits = self.visits.get(value)
        name = (visits[-1] if visits else "") or self._name(value)
        added = (*step.added, (identifier, name, self._number(event.number, value)))
        self.steps[self.now] = dataclasses.replace(step, added=added)

    def _begin(self) -> int:
        """A step of an instruction that has no adjoint of its own: the return, a store, a call."""
        at = self.at
        if isinstance(at, Store):
            self._say("reverse", at, self._name(at), "", self.places.get(at, ""))
        elif isinstance(at, Return):
            self._say("reverse", at, "the result", "1")
        else:
            self._say("reverse", at, self._name(at) if at is not None else "", "")
        return len(self.steps) - 1

    def _name(self, value: Value) -> str:
        found = self._named(value)
        return found if found != UNNAMED else NO_NAME

    def _named(self, value: Value) -> str:
        if isinstance(value, (Load, Store)) and self.places.get(value):
            return self.places[value]
        if isinstance(value, Store):
            return self._text(value, "")
        if isinstance(value, (Argument, Phi)):
            return self.scene.text.value(value)
        return self.scene.text.expression(value)

    # Both

    def _say(
        self,
        sweep: str,
        value: Value | None,
        text: str,
        number: str,
        place: str = "",
        kink: str = "",
        here: bool = False,
    ) -> None:
        identifier = self.scene.identifier(value) if value is not None else None
        line = self._line(value) if value is not None else None
        self.steps.append(TraceStep(sweep, identifier, text, number, line, place, (), kink, here))

    def _line(self, value: Value) -> int | None:
        """Its own; of what a loop hands on to its next iteration, that of the loop; of what LLVM computes earlier than C, and gives
        no line, that of who uses it."""
        own = self.scene.line(value)
        if own is not None or not isinstance(value, Instruction) or value.parent is None:
            return own
        if not isinstance(value, Phi):
            lines = (self.scene.line(user) for user in self.users.get(value, ()))
            return next((line for line in lines if line is not None), None)
        loop = self.scene.loops.of(value.parent)
        return self.cache.counts.line(loop) if loop is not None and loop.header is value.parent else None

    def _number(self, number: float | int, value: Value) -> str:
        if isinstance(number, float):
            return "nan" if math.isnan(number) else f"{number:.6g}"
        type_ = value.value.type if isinstance(value, Store) else value.type
        if type_ == I1:
            return "true" if number else "false"
        return str(number) if isinstance(type_, IntType) else "an address"


def _constant(value: ConstantFloat) -> float | None:
    formats = {"double": ("<Q", "<d"), "float": ("<I", "<f")}
    found = formats.get(str(value.type))
    if found is None:
        return None
    number: float = struct.unpack(found[1], struct.pack(found[0], value.bits))[0]
    return number
