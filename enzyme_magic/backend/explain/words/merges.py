"""Words for phis that no variable of the user's stands for.

Two kinds have them. LLVM keeps memory in a register over a loop: then every operand is read from one place or written there, and
the phi is what that place holds (`x[i]`). And it writes a number down where a branch has just found it out: then the phi is the
other operand (`i`, though 0 where `i == 0` holds).

Invariant: a phi of any other kind has no words here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from enzyme_magic.backend.explain.words.variables import Variables
from enzyme_magic.backend.ir.graphs.def_use import users
from enzyme_magic.backend.ir.graphs.loops import Loops
from enzyme_magic.backend.ir.instructions import Binary, Branch, Call, Cast, Instruction, Load, Phi, Store, Unary
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import I1, IntType
from enzyme_magic.backend.ir.values import Block, Constant, ConstantInt, ConstantKeyword, Value

_FIRST = re.compile(r"^(\w+)\[0\]$")
_FAR = 6  # branches that are looked at
_FEW, _MOST = 3, 60  # values, and characters of all, that a choice is told by


class Merges:
    """`place` spells the memory at a pointer that holds a value, `spell` a value, `condition` a truth value or its opposite."""

    def __init__(
        self,
        function: Function,
        variables: Variables,
        place: Callable[[Value, Value], str | None],
        spell: Callable[[Value], str],
        condition: Callable[[Value, bool], str],
    ) -> None:
        self._users = users(function)
        self._variables, self._place_of, self._spell, self._condition = variables, place, spell, condition
        self._places: dict[Phi, str | None] = {}
        self._same: dict[Phi, Value | None] = {}

    def uses(self, value: Value) -> Sequence[Instruction]:
        return self._users.get(value, ())

    def place(self, phi: Phi) -> str | None:
        """The memory whose value the phi is."""
        if phi not in self._places:
            self._places[phi] = None  # a phi cannot be explained by itself
            found = {b: self._kept(v) for v, b in phi.incoming if not isinstance(v, Constant) and v is not phi}
            places = [place for place in found.values() if place is not None]
            if len(places) == len(found):
                self._places[phi] = next(
                    (p for p in places if all(self._same_at(p, *way) for way in found.items())), None
                )
        return self._places[phi]

    def _same_at(self, place: str, block: Block, other: str | None) -> bool:
        """Whether two places are one behind a block: `x[i]` and `x[0]` where `i == 0` holds."""
        if place == other:
            return True
        known = (condition.partition(" == ") for condition in self._holding(block))
        put_in = (re.sub(rf"\b{a}\b", b, place) for a, equal, b in known if equal and a.isidentifier())
        return any(other in (found, _FIRST.sub(r"*\1", found)) for found in put_in)

    def previous(self, phi: Phi) -> str | None:
        """The memory that the iteration before has written, whose value LLVM hands on in a register instead of reading it again."""
        handed = [value for value in phi.operands if not isinstance(value, (Constant, Load))]
        loaded = [value for value in phi.operands if isinstance(value, Load)]
        if len(phi.operands) != 2 or len(handed) != 1 or len(loaded) != 1 or phi in self._variables.held:
            return None
        place = self.stored(handed[0])
        return f"(previous {place})" if place is not None else None

    def stored(self, value: Value, *, first: bool = False) -> str | None:
        """The memory a value is written to. first: only where that happens before anything else uses it; what is handed on to the
        next iteration leaves the block later."""
        uses = self._users.get(value, [])
        if first:
            uses = [u for u in uses if not isinstance(u, Phi) or u.parent is not _block(value)]
        user = next((u for u in uses[: 1 if first else None] if isinstance(u, Store) and u.value is value), None)
        return self._place_of(user.pointer, value) if isinstance(user, Store) else None

    def _kept(self, value: Value) -> str | None:
        """Where a value was read from or is written to."""
        if isinstance(value, Load):
            return self._place_of(value.pointer, value)
        if (place := self.stored(value)) is not None:
            return place
        for user in self._users.get(value, ()):
            if isinstance(user, Phi) and len(user.operands) == 1 and (place := self._kept(user)) is not None:
                return place  # stored behind the loop
        return self.place(value) if isinstance(value, Phi) and value not in self._variables.held else None

    def following(self, phi: Phi, operands: list[Value]) -> Value | None:
        """The value that says what a merge is."""
        return self.other_than_constant(phi) or self.computed_before(phi, operands) or self.alike(phi, operands)

    def other_than_constant(self, phi: Phi) -> Value | None:
        """The operand that the phi always equals."""
        if phi not in self._same:
            self._same[phi] = None
            self._same[phi] = self._other(phi)
        return self._same[phi]

    def _other(self, phi: Phi) -> Value | None:
        others = list(dict.fromkeys(v for v in phi.operands if not isinstance(v, ConstantInt)))
        if len(others) != 1 or not isinstance(phi.type, IntType) or phi.type == I1:
            return None
        text = self._spell(others[0])
        known = [(value, block) for value, block in phi.incoming if isinstance(value, ConstantInt)]
        same = all(f"{text} == {value.value}" in self._holding(block) for value, block in known)
        return others[0] if same else None

    def computed_before(self, phi: Phi, operands: list[Value]) -> Value | None:
        """`log(s)` where LLVM has computed it before the merge: of constants at once, so one operand says what it is."""
        others = [value for value in operands if not isinstance(value, Constant)]
        stem, variables = phi.name.partition(".")[0], self._variables
        named = (stem in variables.types or stem in variables.inlined) and phi not in variables.held
        return others[0] if named and len(others) == 1 and isinstance(others[0], (Binary, Call, Unary)) else None

    def alike(self, phi: Phi, operands: list[Value]) -> Value | None:
        """`i*n` where LLVM computes it on each way to the merge: any of them says what it is."""
        computed = all(isinstance(value, (Binary, Cast)) and not _is_made_of(value, phi) for value in operands)
        texts = {self._spell(value) for value in operands} if computed and isinstance(phi.type, IntType) else set()
        return operands[0] if len(texts) == 1 and not any("…" in text for text in texts) else None

    def _holding(self, block: Block) -> set[str]:
        """Conditions of the branches on the only way to a block."""
        found: set[str] = set()
        for _ in range(_FAR):
            branches = [u for u in self._users.get(block, ()) if u.is_terminator]
            branch = branches[0] if len(branches) == 1 else None
            if not isinstance(branch, Branch) or branch.parent is None:
                break
            if branch.operands:
                found.add(self._condition(branch.operands[0], branch.targets[0] is block))
            block = branch.parent
        return found


def either(value: Value, loops: Loops, spell: Callable[[Value], str]) -> str | None:
    """`low or middle`: the values of which the branch that was taken chose one, where all of them have words. At the head of a loop
    these are what arrives from before it and from the iteration before, through merges that have no words either."""
    if not isinstance(value, Phi):
        return None
    loop = loops.of(value.parent) if value.parent is not None else None
    at_head = loop is not None and loop.header is value.parent
    texts = list(dict.fromkeys(_options(value, spell) if at_head else map(spell, value.operands)))
    told = sum(map(len, texts)) <= _MOST and not any(sign in text for text in texts for sign in "…?")
    return " or ".join(texts) if told and (1 if at_head else 2) <= len(texts) <= _FEW else None


def _options(phi: Phi, spell: Callable[[Value], str]) -> Iterator[str]:
    """The words of what may arrive; what was never given a value arrives nowhere that anybody looks."""
    pending, seen = list(phi.operands), {phi}
    while pending:
        value = pending.pop(0)
        if isinstance(value, Phi) and "…" in spell(value):
            pending += value.operands if value not in seen else ()
            seen.add(value)
        elif not (isinstance(value, ConstantKeyword) and value.keyword in ("undef", "poison")):
            yield spell(value)


def _is_made_of(value: Value, phi: Phi, deep: int = 6) -> bool:
    """Whether a value is computed from the merge itself, as in a loop."""
    if value is phi:
        return True
    operands = value.operands if isinstance(value, Instruction) and not isinstance(value, Load) and deep else ()
    return any(_is_made_of(operand, phi, deep - 1) for operand in operands)


def _block(value: Value) -> Block | None:
    return value.parent if isinstance(value, Instruction) else None
