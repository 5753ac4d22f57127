"""The child of a campaign: units of work in (lines of JSON), outcomes out (lines of JSON), many units in one process.

A line `{"begin": [seed, opt, mode]}` comes before each piece, flushed, so that the parent knows what a death belongs to.
A work line names the unit and what of it is done already. What the C code prints goes nowhere.
"""

from __future__ import annotations

import json
import os
import sys
from typing import IO, Any

from enzyme_magic.backend.pipeline import CompiledProgram
from enzyme_magic.errors import EnzymeError
from tests.autodiff.syntax import Program

from . import levels
from .judging import CRASH, LEVELS, MODES, Outcome, Way, judge
from .programs import programs_of, text_of


def way_of(unit: int) -> Way:
    """Cache plan and optimization after AD of a unit: in turn, mostly without the slow passes after AD."""
    return Way(unit % 3 != 2, 3 if unit % 8 == 7 else 0)


def main() -> int:
    """Serve until the input ends."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    levels.alone_here()
    for line in sys.stdin:
        work = json.loads(line)
        done = {(seed, opt, mode) for seed, opt, mode in work["done"]}
        _unit(work["unit"], done, out)
        _say(out, {"finished": work["unit"]})
    return 0


def _say(out: IO[str], message: dict[str, Any]) -> None:
    out.write(json.dumps(message) + "\n")
    out.flush()


def _unit(unit: int, done: set[tuple[int, int, str]], out: IO[str]) -> None:
    programs, way = programs_of(unit), way_of(unit)
    source = text_of(programs)
    compiled = {}
    for opt in LEVELS:
        _say(out, {"begin": [programs[0].seed, opt, "compile"]})
        try:
            compiled[opt] = levels.compiled(source, opt, way.post_opt)
        except EnzymeError as error:
            _alone(programs, way, done, out, opt, error)
            return
    for program in programs:
        _judge(program, source, compiled, way, done, out)


def _judge(
    program: Program,
    source: str,
    compiled: dict[int, CompiledProgram],
    way: Way,
    done: set[tuple[int, int, str]],
    out: IO[str],
) -> None:
    todo = [(opt, mode) for opt in compiled for mode in MODES if (program.seed, opt, mode) not in done]
    for found in judge(program, source, compiled, way, todo):
        if isinstance(found, Outcome):
            _say(out, {"outcome": found.as_json()})
        else:
            _say(out, {"begin": [program.seed, *found]})


def _alone(
    programs: list[Program], way: Way, done: set[tuple[int, int, str]], out: IO[str], opt: int, error: EnzymeError
) -> None:
    """A unit that does not compile: each program by itself, so that one of them spoils no other."""
    for program in programs:
        source = text_of([program])
        compiled = {}
        for level in LEVELS:
            _say(out, {"begin": [program.seed, level, "compile"]})
            try:
                compiled[level] = levels.compiled(source, level, way.post_opt)
            except EnzymeError as raised:
                for mode in MODES:
                    outcome = Outcome(program.seed, level, mode, CRASH, raised.code or "", "", str(raised)[:1000])
                    if (program.seed, level, mode) not in done:
                        _say(out, {"outcome": outcome.as_json()})
        _judge(program, source, compiled, way, done, out)


if __name__ == "__main__":
    sys.exit(main())
