"""The cache breakdown: what the reverse sweep needs of the forward sweep, and whether it is stored, computed again or still there.

Invariant: one row per value that some adjoint (or the reversed control flow) reads, and per value that is stored; decisions and
reasons are those of the plan that was carried out. Sizes are bytes on the tape; arrays on the tape grow by doubling, so the memory
taken may be up to twice that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from enzyme_magic.backend.analysis.counts.formula import Formula, number
from enzyme_magic.backend.analysis.derivatives.cache_plan import element_size
from enzyme_magic.backend.analysis.derivatives.recompute import PRIMAL, SHADOW, TAPE, Need
from enzyme_magic.backend.analysis.memory.alias import Overwrite
from enzyme_magic.backend.autodiff.custom.custom_subjects import plain_name
from enzyme_magic.backend.autodiff.sweeps.reverse import Derivative
from enzyme_magic.backend.explain.blocks import primals_needed
from enzyme_magic.backend.explain.facts import FactList
from enzyme_magic.backend.explain.scene import Scene
from enzyme_magic.backend.explain.tape.assigning import line_of
from enzyme_magic.backend.explain.tape.overwriting import overwritten
from enzyme_magic.backend.explain.tape.sliders import sliders
from enzyme_magic.backend.explain.tape.tapes import NONE, Bytes, Tapes
from enzyme_magic.backend.explain.tape.told_apart import told_apart
from enzyme_magic.backend.explain.words.added import Added
from enzyme_magic.backend.explain.words.c_text import UNNAMED
from enzyme_magic.backend.explain.words.counts import Counts
from enzyme_magic.backend.explain.words.excerpt import with_characters
from enzyme_magic.backend.explain.words.merges import either
from enzyme_magic.backend.explain.words.variables import function_name
from enzyme_magic.backend.ir import intrinsics, locations
from enzyme_magic.backend.ir.graphs.def_use import users
from enzyme_magic.backend.ir.instructions import Call, GetElementPtr, Instruction, Load, Phi, Store
from enzyme_magic.backend.ir.types import I1, FloatType, IntType, PointerType, Type
from enzyme_magic.backend.ir.values import Argument, Value
from enzyme_magic.report import AT_LEAST, CacheBreakdown, CacheRow

_C_TYPES = {"x86_fp80": "long double", "i1": "bool", "i8": "char", "i16": "short", "i32": "int", "i64": "long"}
MOST_NAMED = 3
POINTER = 8
_READ = "re-read"  # begins the reason of what is found in memory again
CHECKPOINTED = "it is kept now and then, and the iterations between run again in the reverse sweep"


@dataclass(slots=True)
class Cache:
    scene: Scene
    counts: Counts
    added: Added = field(init=False)
    tapes: Tapes | None = field(init=False)
    readers: dict[Value, Instruction] = field(init=False)  # the first instruction whose adjoint reads a parameter
    _users: Mapping[Value, list[Instruction]] = field(init=False)
    _words: dict[Need, str] | None = None

    def __post_init__(self) -> None:
        self.added = Added(self.scene, self.counts)
        self.readers = {}
        self._users = users(self.scene.prepared.function)
        made = self.scene.derivative
        named = self.counts.executions.called
        self.tapes = Tapes(self.scene.derivation, made, named) if isinstance(made, Derivative) else None
        if self.scene.request.mode == "forward":
            return
        for instruction in self.scene.prepared.function.instructions():
            if self.scene.activity.propagates(instruction):
                for value in primals_needed(instruction, self.scene):
                    if isinstance(value, Argument):
                        self.readers.setdefault(value, instruction)

    def slots(self) -> dict[Value, str]:
        """Cache slots by program value."""
        found: dict[Value, str] = {}
        for place, need in enumerate(self.scene.plan.stored):
            own = self.scene.origin(need.value)
            if own is not None:
                found.setdefault(own, f"s{place}")
        return found

    def breakdown(self, facts: FactList) -> CacheBreakdown:
        """The plan in words; the reasons of each decision are said among `facts`."""
        plan = self.scene.plan
        others = [need for need in plan.readers if self._is_shown(need)]
        others += [Need(PRIMAL, argument) for argument in self.readers]
        stored = [self._row(need, f"s{place}") for place, need in enumerate(plan.stored)]
        kept = [self._row(need, f"c{place}") for place, need in enumerate(others, len(stored))]
        reasoned = zip((*plan.stored, *others), (*stored, *kept), strict=True)
        rows = _told_once(replace(row, because=self._because(need, row, facts)) for need, row in reasoned)
        total = self._total(rows)
        known = self._of_calls().complete and not self.scene.program.checkpointed
        bound = "" if known else AT_LEAST
        said = tuple(self.scene.signature.parameters[k].name for k in self.scene.program.said)
        sentence = "; ".join([self._sentence(rows), *self._kinds()])
        return CacheBreakdown(rows, sentence, total, sliders=sliders(total, rows), bound=bound, separate=said)

    def _kinds(self) -> list[str]:
        """Memory that is no tape: marks of bytes of which no type tells what they are."""
        doubts = self.scene.derivation.doubts
        return [f"each byte of shadow memory has a mark, because {' and '.join(doubts)}"] if doubts else []

    def _because(self, need: Need, row: CacheRow, facts: FactList) -> tuple[int, ...]:
        """The decision, who needs the value, and what would be lost or what it is computed from."""
        value = need.value
        premises: list[int] = []
        reader = self._reader(need)
        if reader is not None:
            sentence = f"the adjoint of {facts.label(reader)} reads {row.expression}"
            premises.append(facts.say(("reads", (need, reader)), sentence, reader, self._active(reader, facts)))
        elif value in self.added.words:
            premises.append(facts.say(("reads", need), f"the reverse sweep takes the same way back: {row.expression}"))
        overwrite = self._overwrite(need) if row.decision == "store" else None
        if overwrite is not None and isinstance(value, Load):
            gone = overwrite.instruction
            key = ("overwritten", need)
            premises.append(facts.say(key, f"{row.expression} is read from memory that may change afterwards", value))
            premises.append(facts.say(("overwrites", (need, gone)), self._overwritten(need, overwrite), gone))
        sentence = f"{row.expression}{' is saved' if row.decision == 'store' else ''}: {row.reason}"
        return (facts.say(("cached", need), sentence, value, tuple(premises)),)

    def _active(self, reader: Instruction, facts: FactList) -> tuple[int, ...]:
        """Why the adjoint of an instruction runs at all."""
        activity = self.scene.activity
        return (facts.varies(reader), facts.matters(reader)) if activity.active(reader) else ()

    def known_total(self) -> Formula | None:
        """All bytes stored as a formula; None where a count is only recorded."""
        calls, layout = self._of_calls(), self.scene.program.module.analyses.layout
        total = calls.known
        if not calls.complete or self.scene.program.checkpointed:
            return None
        for need in self._in_loops():
            formula = self._formula(need)
            if formula is None:
                return None
            total += formula.times(element_size(need, layout))
        return total

    def _of_calls(self) -> Bytes:
        return self.tapes.of_calls() if self.tapes is not None else NONE

    def _in_loops(self) -> list[Need]:
        """What lies on the tape; outside of loops one function that holds both sweeps has it at hand."""
        return [need for need in self.scene.plan.stored if self.scene.prepared.loop_of(need.value) is not None]

    def _is_shown(self, need: Need) -> bool:
        """Addresses, loop counters and shadows are shown only when they are stored."""
        value = need.value
        if need.kind != PRIMAL or not isinstance(value, Instruction) or self.scene.plan.is_stored(need):
            return False
        return not isinstance(value.type.scalar, PointerType) and value not in self.scene.prepared.counter_phis()

    # --- rows

    def _row(self, need: Need, identifier: str) -> CacheRow:
        scene, value = self.scene, need.value
        if self._checkpoints(need) is not None:
            return self._row_of_checkpoints(need, identifier)
        decision = scene.plan.decisions.get(need, "available")
        size = element_size(need, scene.program.module.analyses.layout)
        count = self._count(need)
        reader = self._reader(need)
        words = self.added.words.get(value)
        overwrite = self._overwrite(need) if decision == "store" else None
        size_of_all, least = bytes_of(size, count), False
        if need.kind == TAPE and isinstance(value, Call):
            size_of_all, least = self._tape_of(value, size_of_all)
        return CacheRow(
            identifier=identifier,
            instruction=scene.identifier(value) if isinstance(value, Instruction) else None,
            expression=self.expression(need),
            decision=decision,
            line=words.line if words is not None else line_of(scene, need, self.counts),
            type=_type(need, value.type),
            count=count,
            bytes=size_of_all,
            size=size,
            least=least,
            reason=self._reason(need, decision, overwrite),
            overwritten_by=scene.identifier(overwrite.instruction) if overwrite and overwrite.instruction else None,
            overwritten_line=overwrite.line if overwrite else None,
            read_by=scene.identifier(reader) if reader is not None else None,
            read_line=scene.line(reader) if reader is not None else None,
        )

    def _row_of_checkpoints(self, need: Need, identifier: str) -> CacheRow:
        line = self._checkpoints(need)
        return CacheRow(
            identifier=identifier,
            instruction=self.scene.identifier(need.value) if isinstance(need.value, Instruction) else None,
            expression=self.expression(need),
            decision="store",
            line=line,
            type="state",
            count="1",
            bytes="0",
            size=0,
            least=True,
            reason=CHECKPOINTED,
        )

    def _checkpoints(self, need: Need) -> int | None:
        """The line of the loop that runs again from checkpoints, where these are what is needed (0 for a loop without a line)."""
        called = need.value.called_function if need.kind == TAPE and isinstance(need.value, Call) else None
        loops = self.scene.program.checkpointed
        name = plain_name(called.name) if called is not None else ""
        return (loops[name] or 0) if name in loops else None

    def _overwrite(self, need: Need) -> Overwrite | None:
        if isinstance(need.value, Load) and need.kind in (PRIMAL, SHADOW):  # a shadow is found where a pointer lies
            derivative = self.scene.derivative
            postponed = derivative.postponed if isinstance(derivative, Derivative) else frozenset()
            return self.scene.subject.alias.overwritten_after(need.value, postponed=postponed)
        return None

    def _reader(self, need: Need) -> Instruction | None:
        """The instruction whose adjoint reads the value; None where the reversed control flow does."""
        if need.value in self.added.words:
            return None
        readers = self.scene.plan.readers.get(need, ())
        return readers[0] if readers else self.readers.get(need.value)

    # --- sizes

    def _tape_of(self, call: Call, pointers: str) -> tuple[str, bool]:
        """The bytes of all tapes that a call leaves, with the pointers to them, which take room in a loop; and whether there may be
        more."""
        found = self.tapes.of_call(call) if self.tapes is not None else NONE
        if self.scene.prepared.loop_of(call) is None:
            return self.counts.written(found.known), not found.complete
        formula = self._formula(Need(TAPE, call))
        if formula is not None:
            return self.counts.written(found.known + formula.times(POINTER)), not found.complete
        beside = [self.counts.written(found.known)] if found.known.terms else []
        return " + ".join([*beside, pointers]), not found.complete

    def _formula(self, need: Need) -> Formula | None:
        """How many copies of a value there are."""
        if self.scene.prepared.loop_of(need.value) is None:
            return number(1)
        return self.counts.stored(need.value, self.scene.plan.repeated.get(need, ()))

    def _count(self, need: Need) -> str:
        formula, loop = self._formula(need), self.scene.prepared.loop_of(need.value)
        if formula is not None:
            return self.counts.written(formula)
        return self.counts.recorded(loop, self.scene.plan.repeated.get(need, ())) if loop is not None else "1"

    def _total(self, rows: tuple[CacheRow, ...]) -> str:
        """All bytes stored: one formula, and what is only recorded beside it."""
        known = self._of_calls().known
        recorded: dict[str, int] = {}
        for need, row in zip(self.scene.plan.stored, rows, strict=False):
            if self.scene.prepared.loop_of(need.value) is None:
                continue
            formula = self._formula(need)
            if formula is None:
                recorded[row.count] = recorded.get(row.count, 0) + row.size
            else:
                known += formula.times(row.size)
        parts = [self.counts.written(known)] if known.terms or not recorded else []
        return " + ".join([*parts, *(bytes_of(size, count) for count, size in recorded.items())])

    # --- words

    def expression(self, need: Need) -> str:
        """The value in C, or what it stands for in words; of several that would have the same, see `told_apart`."""
        if self._words is None:
            plan = self.scene.plan
            needs = dict.fromkeys([*plan.stored, *(need for need in plan.readers if self._is_shown(need))])
            words = {n: self._in_characters(n, self._expression(n)) for n in needs}
            self._words = told_apart(self.scene, words, self.added.words)
        return self._words.get(need) or self._expression(need)

    def _in_characters(self, need: Need, words: str) -> str:
        line, texts = self.scene.line(need.value), self.scene.source.lines
        return with_characters(words, texts[line - 1]) if line is not None and line <= len(texts) else words

    def in_words(self, need: Need, number: str) -> str:
        """A number that is kept of it, with what it counts: "24 B from the start of a", "3 times"."""
        words = self.added.words.get(need.value)
        if words is not None:
            return words.said(number)
        if need.kind != PRIMAL:
            return "an address"
        if not isinstance(need.value.type, IntType) or need.value.type == I1:
            return number
        address = self._address_by(need.value)
        if address is not None:
            base = self.scene.text.factor(address.pointer)
            return f"{number} B from {f'the start of {base}' if UNNAMED not in base else 'where it begins'}"
        return f"{number} B" if self._moved_by(need.value) is not None else number

    def _expression(self, need: Need) -> str:
        words = self.added.words.get(need.value)
        if words is not None:
            return words.text
        if need.kind == SHADOW:
            where, variable = self.scene.text.factor(need.value), self.scene.text.variables.of_memory(need.value)
            at = variable.name if variable is not None else f"*{where}" if where != UNNAMED else "memory"
            return f"where the adjoint of {at.removeprefix('*&')} lies"
        checkpoints = self._checkpoints(need)
        if checkpoints is not None:
            return f"the state of the loop at line {checkpoints}" if checkpoints else "the state of a loop"
        if need.kind == TAPE:
            called = need.value.called_function if isinstance(need.value, Call) else None
            return f"the tape of {function_name(called)}" if called is not None else "the tape of a call"
        place = self._place_at(need.value)
        if place is not None:
            return f"where {place} lies"
        moved = self._moved_by(need.value)
        if moved is not None:
            return f"how many bytes line {moved} moves"
        text, line = self.scene.text.expression(need.value), self.scene.line(need.value)
        own = isinstance(need.value.type, FloatType) and locations.stands_in_own_line(need.value)
        written = self.scene.text.as_written.get(need.value) if own and not isinstance(need.value, Load) else None
        if written is not None:
            return written[0]  # as the line has it that computes it
        if text != UNNAMED:
            return text
        chosen = either(need.value, self.scene.subject.alias.evolution.loops, self.scene.text.value)
        return chosen or (f"a value of line {line}" if line is not None else "an intermediate value")

    def _place_at(self, offset: Value) -> str | None:
        """What lies so many bytes behind a pointer, where a value is nothing but such an offset: no person wrote `(j + 1)*8`."""
        addresses = self._addresses_by(offset)
        accesses = [user for address in addresses for user in self._users[address] if isinstance(user, (Load, Store))]
        places = [self.scene.text.place_of(a.pointer, (a.value if isinstance(a, Store) else a).type) for a in accesses]
        return places[0] if places and UNNAMED not in places[0] else None

    def _addresses_by(self, offset: Value) -> list[GetElementPtr]:
        """The addresses that lie so many bytes behind a pointer, where a value is nothing but such an offset."""
        addresses = [user for user in self._users.get(offset, ()) if isinstance(user, GetElementPtr)]
        plain = len(addresses) == len(self._users.get(offset, ()))
        return addresses if plain and all(a.source_type == IntType(8) for a in addresses) else []

    def _address_by(self, offset: Value) -> GetElementPtr | None:
        """The one among them that `where … lies` speaks of."""
        addresses = self._addresses_by(offset)
        return addresses[0] if addresses and self._place_at(offset) is not None else None

    def _moved_by(self, length: Value) -> int | None:
        """The line whose copy or fill of memory has this length, where a value is nothing else."""
        moving = [u for u in self._users.get(length, ()) if intrinsics.transfer(u) and u.operands.index(length) == 2]
        lines = {self.scene.line(user) for user in moving}
        return lines.pop() if len(moving) == len(self._users.get(length, ())) and len(lines) == 1 else None

    def _reason(self, need: Need, decision: str, overwrite: Overwrite | None) -> str:
        reason = self._reason_of(need, decision, overwrite)
        repeated = self.scene.plan.repeated.get(need, ())
        if not repeated:
            return reason
        return f"{reason}; once for all iterations of {self.counts.loops(repeated)}"

    def _reason_of(self, need: Need, decision: str, overwrite: Overwrite | None) -> str:
        if isinstance(need.value, Argument):
            return "an argument and still available"
        if decision == "available":
            return "computed once and still at hand"
        if decision == "recompute":
            return self._recomputed(need)
        if overwrite is not None:
            return self._overwritten(need, overwrite)
        if need.value in self.added.words:
            return self.added.words[need.value].reason
        recipe = self.scene.plan.recipes.get(need)
        return (
            recipe.reason if recipe is not None and recipe.reason else "storing it is cheaper than computing it again"
        )

    def _overwritten(self, need: Need, overwrite: Overwrite) -> str:
        """The overwrite in words, with the value as the user writes it."""
        return overwritten(self.scene, need.value, overwrite, self.expression(need))

    def _recomputed(self, need: Need) -> str:
        recipe = self.scene.plan.recipes[need]
        if recipe.kind == "induction":
            return "counts down with the reverse loop"
        if recipe.load is not None:
            line = self.scene.line(recipe.load)
            return f"read again from where line {line} stores it" if line else "read again from where it was stored"
        if isinstance(need.value, Load):
            return f"{_READ}; never overwritten"
        used = [o.value for o in recipe.operands if o.kind == PRIMAL and isinstance(o.value, (Instruction, Argument))]
        names = _said(self.scene.text.value(value) for value in used)
        if recipe.kind == "branch":
            asked = self.scene.text.condition(recipe.operands[0].value)
            return f"follows from {asked}" if asked != UNNAMED else "its condition is computed again"
        if recipe.kind == "count":
            names = _said(self._counting(value) for value in used)
            return f"follows from {listed(names)}" if names else "known before the loop runs"
        return f"computed again from {listed(names)}" if names else "computed again"

    def _counting(self, value: Value) -> str:
        """The name of a number; also where LLVM keeps it plus or minus a constant."""
        text = self.scene.text
        if value in text.variables.shifted:
            return text.variables.shifted[value][0].name
        said = text.value(value)
        if said == UNNAMED and isinstance(value, Phi) and value.parent is not None and text.places is not None:
            return text.places.counting_at(value.parent) or said
        return said

    def _sentence(self, rows: tuple[CacheRow, ...]) -> str:
        if self.scene.request.mode == "forward":
            return "nothing saved: forward mode needs each value only once"
        stored = [row for row in rows if row.decision == "store"]
        if stored:
            return self._saved(stored)
        calls = self._of_calls()
        if calls.known.terms or not calls.complete:
            return f"{self.scene.request.function} itself saves nothing; what it calls in the reverse sweep does"
        if not rows:
            return "nothing saved: the reverse sweep needs no value of the forward sweep"
        at_hand = list(dict.fromkeys(row.expression for row in rows if row.decision == "available"))
        others = [row for row in rows if row.decision == "recompute"]
        read = list(dict.fromkeys(row.expression for row in others if row.reason.startswith(_READ)))
        again = list(dict.fromkeys(row.expression for row in others if not row.reason.startswith(_READ)))
        if len(rows) == 1 and at_hand:
            return f"nothing saved: {at_hand[0]} is {rows[0].reason}"
        said = [(at_hand, "still available"), (read, "read again"), (again, "computed again")]
        parts = [f"{listed(names)} {'is' if len(names) == 1 else 'are'} {what}" for names, what in said if names]
        return f"nothing saved: {', and '.join(parts)}"

    def _saved(self, stored: list[CacheRow]) -> str:
        """What is saved and why: one reason for all, or one behind each."""
        reasons = {row.expression: row.reason for row in stored}
        names = list(reasons)
        verb = "is" if len(names) == 1 else "are"
        if len(set(reasons.values())) == 1:
            why = ":" if len(names) == 1 else ", each because"
            return f"{listed(names)} {verb} saved{why} {stored[0].reason}"
        return f"{listed([f'{name} ({reasons[name]})' for name in names])} {verb} saved"


def _told_once(rows: Iterable[CacheRow]) -> tuple[CacheRow, ...]:
    """Without those that are not stored and say what another says: a loop that is left in two places has its count twice."""
    found: dict[object, CacheRow] = {}
    for row in rows:
        same = (row.expression, row.line, row.decision, row.reason)
        found.setdefault(row.identifier if row.decision == "store" else same, row)
    return tuple(found.values())


def _said(names: Iterable[str]) -> list[str]:
    """Each once, without those that have no words."""
    return [name for name in dict.fromkeys(names) if name != UNNAMED]


def bytes_of(size: int, count: str) -> str:
    """Bytes of `count` elements: "8*n", "8*(n + m)", "8 × iterations of the loop at line 4"."""
    if count.isdigit():
        return str(size * int(count))
    if count.startswith(("iterations", "tests")):
        return f"{size} × {count}" if size > 1 else count
    if size == 1:
        return count
    return f"{size}*({count})" if _needs_parentheses(count) else f"{size}*{count}"


def _needs_parentheses(count: str) -> bool:
    """Whether a formula needs parentheses in a product: its outermost operation is an addition (written with spaces) or a floor."""
    depth = 0
    for position, character in enumerate(count):
        depth += {"(": 1, ")": -1}.get(character, 0)
        following = count[position + 1 : position + 2]
        if depth == 0 and ((character in "+-" and following == " ") or (character == following == "/")):
            return True
    return False


def listed(names: list[str]) -> str:
    """ "a", "a and b", "a, b and c", "a, b, c and 2 more"."""
    shown = names[:MOST_NAMED]
    if len(names) > MOST_NAMED:
        return f"{', '.join(shown)} and {len(names) - MOST_NAMED} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def _type(need: Need, type_: Type) -> str:
    if need.kind != PRIMAL or isinstance(type_, PointerType):
        return "pointer"
    return _C_TYPES.get(str(type_), str(type_)) if isinstance(type_, (FloatType, IntType)) else str(type_)
