"""Thousands of random programs, each translation unit in a process of its own.

    python -m tests.autodiff.nightly --programs 5000 [--first 0] [--jobs 2] [--thorough]

Every program runs at all four levels, with one cache plan per unit in turn (--thorough: with both, and always optimized after
AD). Printed: refusals with their reasons, failures with seed and shrunk program, the histogram of constructs. The exit status is
1 after a wrong number, a crash or any error but a refusal, when more than 1 % are refused or 2 % do not settle, or when a
construct is in less than 5 % of the programs.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path

from .harness import LEVELS
from .random_checks import (
    BROKEN,
    OK,
    REFUSED,
    UNIT,
    UNSETTLED,
    WRONG,
    Outcome,
    Ways,
    check_program,
    check_unit,
    programs_of,
)
from .random_programs import generate, histogram, translation_unit
from .shrinking import shrink
from .syntax import Program

ROOT = Path(__file__).resolve().parents[2]
UNIT_SECONDS, PROGRAM_SECONDS, SHRINK_SECONDS = 1800, 240, 1800
# The C library fills what is allocated and what is freed, so that reading either gives a number that is plainly wrong.
HEAP_CHECK = "glibc.malloc.tcache_count=0:glibc.malloc.perturb=58"
REFUSALS, UNSETTLED_SHARE, RAREST = 0.01, 0.02, 0.05


def ways_of(unit: int, thorough: bool) -> Ways:
    """How the programs of a unit are differentiated."""
    if thorough:
        return Ways()
    return Ways(LEVELS, (unit % 2 == 0,), 3 if unit // 2 % 2 == 0 else 0)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--programs", type=int, default=5000, help="how many (rounded up to whole units of 25)")
    parser.add_argument("--first", type=int, default=0, help="the first seed (rounded down to a unit)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--thorough", action="store_true")
    parser.add_argument("--no-shrink", action="store_true")
    parser.add_argument("--unit", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--program", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--shrink", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.unit is not None:
        return _report(check_unit(programs_of(options.unit), ways_of(options.unit, options.thorough)))
    if options.program is not None:
        return _report([_alone(options.program, options.thorough)])
    if options.shrink is not None:
        return _shrink_one(Outcome(**json.loads(options.shrink)), options.thorough)
    return _all(options)


# In a process of its own


def _report(outcomes: Iterable[Outcome]) -> int:
    for outcome in outcomes:
        print(json.dumps(asdict(outcome)), flush=True)
    return 0


def _alone(seed: int, thorough: bool) -> Outcome:
    program = generate(seed)
    return check_program(translation_unit([program]), program, ways_of(seed // UNIT, thorough))


def _shrink_one(outcome: Outcome, thorough: bool) -> int:
    """Print the shrunk program of a failure and how it still fails."""
    program, ways = generate(outcome.seed), ways_of(outcome.seed // UNIT, thorough)

    def run(candidate: Program, narrow: Ways) -> Outcome:
        return check_program(translation_unit([candidate]), candidate, narrow)

    single = [replace(ways, levels=(level,), cuts=(cut,)) for level in ways.levels for cut in ways.cuts]
    narrow = next((w for w in single if run(program, w).kind == outcome.kind), ways)
    small = shrink(program, lambda candidate: run(candidate, narrow).kind == outcome.kind)
    print(f"// seed {outcome.seed}, levels {narrow.levels}, min-cut {narrow.cuts}, post_opt {narrow.post_opt}")
    print(small.text())
    print("//", run(small, narrow).message.replace("\n", "\n// "))
    return 0


# The parent


def _all(options: argparse.Namespace) -> int:
    first = options.first // UNIT
    units = range(first, first + -(-options.programs // UNIT))
    start, outcomes = time.monotonic(), []
    with ThreadPoolExecutor(max(1, options.jobs)) as pool:
        for unit, found in zip(units, pool.map(lambda u: _run_unit(u, options.thorough), units), strict=True):
            outcomes += found
            bad = Counter(o.status for o in found if o.status != OK)
            print(f"unit {unit}: {dict(bad) or 'ok'} ({time.monotonic() - start:.0f} s)", flush=True)
        failures = [o for o in outcomes if o.status in (WRONG, BROKEN)]
        texts = [] if options.no_shrink else list(pool.map(lambda o: _run_shrink(o, options.thorough), failures[:20]))
    programs = [program for unit in units for program in programs_of(unit)]
    return _conclude(outcomes, texts, histogram(programs))


def _command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "tests.autodiff.nightly", *arguments]


def _run(seconds: float, *arguments: str) -> tuple[int | None, str]:
    """Status (None after the time is over) and output of one child."""
    try:
        done = subprocess.run(
            _command(*arguments),
            cwd=ROOT,
            env={**os.environ, "GLIBC_TUNABLES": HEAP_CHECK},
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None, ""
    return done.returncode, done.stdout if done.returncode == 0 else done.stdout + done.stderr[-2000:]


def _run_unit(unit: int, thorough: bool) -> list[Outcome]:
    flags = ["--thorough"] if thorough else []
    status, output = _run(UNIT_SECONDS, "--unit", str(unit), *flags)
    if status == 0:
        return [Outcome(**json.loads(line)) for line in output.splitlines()]
    found = []
    for seed in range(unit * UNIT, (unit + 1) * UNIT):
        status, output = _run(PROGRAM_SECONDS, "--program", str(seed), *flags)
        if status == 0:
            found.append(Outcome(**json.loads(output)))
        else:
            how = "does not end" if status is None else f"ends with status {status}"
            found.append(Outcome(seed, BROKEN, f"the process {how}|{output[-500:]}"))
    return found


def _run_shrink(outcome: Outcome, thorough: bool) -> str:
    if outcome.message.startswith("the process"):
        return translation_unit([generate(outcome.seed)])
    flags = ["--thorough"] if thorough else []
    short = replace(outcome, message=outcome.message[:2000])
    return _run(SHRINK_SECONDS, "--shrink", json.dumps(asdict(short)), *flags)[1]


def _conclude(outcomes: Sequence[Outcome], texts: Sequence[str], constructs: dict[str, float]) -> int:
    count, statuses = len(outcomes), Counter(outcome.status for outcome in outcomes)
    print("\nConstructs (share of the programs):")
    for name, share in constructs.items():
        print(f"  {share:6.1%} {name}")
    refusals = Counter(outcome.message for outcome in outcomes if outcome.status == REFUSED)
    print(f"\nRefusals ({statuses[REFUSED]}):")
    for message, times in refusals.most_common(40):
        print(f"  {times} × {message}")
    for outcome in outcomes:
        if outcome.status in (WRONG, BROKEN):
            print(f"\nseed {outcome.seed} {outcome.status}: {outcome.message}")
    for text in texts:
        print("\n" + text)
    print(f"\n{count} programs: {dict(statuses)}")
    rare = [name for name, share in constructs.items() if share < RAREST]
    if rare and count >= 1000:
        print(f"too rare: {', '.join(rare)}")
    good = not statuses[WRONG] and not statuses[BROKEN] and not (rare and count >= 1000)
    good = good and statuses[REFUSED] <= REFUSALS * count and statuses[UNSETTLED] <= UNSETTLED_SHARE * count
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
