"""The child of the campaign of mutated texts: each is a program or an error of ours, within the limits, and ends no process.

A seed is two texts: C (mode "reverse" of a campaign's file) and IR (mode "forward"). Of what compiles two functions are
differentiated; nothing is called, because what a mutant computes is its own affair. Lines in and out are those of
`tests.campaign.worker`. A text that takes longer than `SECONDS` of processor time is a crash, and so is any other error than an
EnzymeError.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from random import Random
from typing import IO, Any

import enzyme_magic as em

from .judging import CRASH, MODES, REFUSED, RIGHT, Outcome
from .mutations import mutated_c, mutated_ir
from .parent import Plan
from .programs import program, text_of

PLAN = Plan(("-W", "ignore", "-m", "tests.campaign.mutated"), 20, (0,))
SECONDS = 120.0
_ORIGINALS = 40  # programs that are mutated


@cache
def _c(number: int) -> str:
    return text_of([program(number)])


@cache
def _ir(number: int) -> str:
    return em.compile_c(_c(number)).compiled.record.input_ir


def judge(seed: int, mode: str) -> Outcome:
    """What becomes of one text."""
    random = Random(f"mutated {seed} {mode}")
    number = random.randrange(_ORIGINALS)
    start = time.process_time()
    status, code, said = RIGHT, "", ""
    try:
        options: dict[str, Any] = {"opt": random.choice((0, 2)), "post_opt": random.choice((0, 3)), "force": True}
        if mode == MODES[0]:
            made = em.compile_c(mutated_c(_c(number), random), **options)
        else:
            made = em.compile_ir(mutated_ir(_ir(number), random), **options)
        for name in list(made)[:2]:
            made[name].ir("gradient-optimized")
    except em.EnzymeError as error:
        status, code = REFUSED, error.code or ""
        if code.startswith("EM9"):
            said = str(error)[:300]
    except Exception as error:
        status, said = CRASH, f"{type(error).__name__}: {error}"[:1000]
    if (taken := time.process_time() - start) > SECONDS:
        status, said = CRASH, f"took {taken:.0f} s"
    return Outcome(seed, 0, mode, status, code, "", said)


def main(arguments: Sequence[str] = ()) -> int:
    """Serve until the input ends. arguments: how many seeds a unit has."""
    plan = replace(PLAN, size=int(arguments[0])) if arguments else PLAN
    out = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ENZYME_MAGIC_CACHE_DIR"] = folder
        for line in sys.stdin:
            work = json.loads(line)
            done = {(seed, opt, mode) for seed, opt, mode in work["done"]}
            for seed, opt, mode in plan.pieces(work["unit"]):
                if (seed, opt, mode) not in done:
                    _say(out, {"begin": [seed, opt, mode]})
                    _say(out, {"outcome": judge(seed, mode).as_json()})
            _say(out, {"finished": work["unit"]})
    return 0


def _say(out: IO[str], message: dict[str, object]) -> None:
    out.write(json.dumps(message) + "\n")
    out.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
