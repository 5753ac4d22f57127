"""Random programs checked, one translation unit at a time."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from dataclasses import dataclass

from enzyme_magic.errors import CompileError, DifferentiationError

from .harness import CUTS, LEVELS, Inconclusive, check
from .random_programs import arguments, generate, translation_unit
from .syntax import Program

UNIT = 25  # programs in one translation unit
ATTEMPTS = 4  # points tried for a program whose differences do not settle
OK, UNSETTLED, REFUSED, WRONG, BROKEN = "ok", "unsettled", "refused", "wrong", "broken"


@dataclass(frozen=True, slots=True)
class Outcome:
    """status: ok; unsettled (everything agrees, but differences do not settle at any point tried); refused
    (DifferentiationError); wrong (a number); broken (any other error, of the generator or the engine)."""

    seed: int
    status: str
    message: str = ""

    @property
    def kind(self) -> str:
        """The message without numbers and places: what a shrunk program must still show."""
        return f"{self.status} {self.message.partition('|')[0]}"


def programs_of(unit: int) -> list[Program]:
    """The programs of a translation unit."""
    return [generate(seed) for seed in range(unit * UNIT, (unit + 1) * UNIT)]


@dataclass(frozen=True, slots=True)
class Ways:
    """How each program is differentiated: optimization levels before AD, cache plans, level after AD."""

    levels: tuple[int, ...] = LEVELS
    cuts: tuple[bool, ...] = CUTS
    post_opt: int = 3


def check_unit(programs: Sequence[Program], ways: Ways) -> list[Outcome]:
    """Every program of one translation unit, compiled together."""
    source = translation_unit(programs)
    return [check_program(source, program, ways) for program in programs]


def check_program(source: str, program: Program, ways: Ways) -> Outcome:
    """One program of a compiled unit at a point where the differences settle."""
    message = ""
    for attempt in range(ATTEMPTS):
        try:
            at = arguments(program, attempt)
            check(source, program.name, at, levels=ways.levels, cuts=ways.cuts, post_opt=ways.post_opt)
        except Inconclusive as error:
            message = str(error)
        except DifferentiationError as error:
            return Outcome(program.seed, REFUSED, f"{error.code}|{error}")
        except CompileError as error:
            return Outcome(program.seed, BROKEN, f"does not compile|{error}")
        except AssertionError as error:
            return Outcome(program.seed, WRONG, f"|{error}")
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            return Outcome(program.seed, BROKEN, f"{type(error).__name__} in {place.name}|{error}")
        else:
            return Outcome(program.seed, OK)
    return Outcome(program.seed, UNSETTLED, f"|{message}")
