"""A seed that fails, made small: `python -m tests.campaign.minimise SEED OPT MODE` prints what is left and how it still fails."""

from __future__ import annotations

import sys

from enzyme_magic.errors import EnzymeError
from tests.autodiff.shrinking import shrink
from tests.autodiff.syntax import Program

from . import levels
from .judging import CRASH, Outcome, judge
from .programs import UNIT, program, text_of
from .worker import way_of


def outcome_of(one: Program, opt: int, mode: str) -> Outcome:
    """What becomes of a program by itself."""
    source, way = text_of([one]), way_of(one.seed // UNIT)
    try:
        compiled = {opt: levels.compiled(source, opt, way.post_opt)}
    except EnzymeError as error:
        return Outcome(one.seed, opt, mode, CRASH, error.code or "", "", "does not compile")
    *_, last = judge(one, source, compiled, way, [(opt, mode)])
    assert isinstance(last, Outcome)
    return last


def main(arguments: list[str]) -> int:
    seed, opt, mode = int(arguments[0]), int(arguments[1]), arguments[2]
    one = program(seed)
    first = outcome_of(one, opt, mode)

    def fails(candidate: Program) -> bool:
        found = outcome_of(candidate, opt, mode)
        return (found.status, found.code, found.place) == (first.status, first.code, first.place)

    small = shrink(one, fails, int(arguments[3]) if len(arguments) > 3 else 300)
    print(text_of([small])[text_of([]).__len__() :])
    print("//", outcome_of(small, opt, mode))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
