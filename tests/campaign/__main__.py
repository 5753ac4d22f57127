"""Random programs in thousands, resumable, each judged at opt 0 to 3 in both modes.

    python -m tests.campaign --seeds 0:10000 --jobs 16 --minutes 20 [--out campaign.jsonl]

Each worker is a child process, which is started again after a crash; the crash is an outcome. Every (seed, opt, mode) is one line
of JSON in the file: right, refused (with code and the idiom of its C line), wrong, crash or kink-skipped. The same command again
goes on where the file ends. Printed: the tally, refusals by row. The exit status is 1 after a wrong number or a crash.
With --mutated the texts are C and IR with words changed, each a program or an error of ours (tests/campaign/mutated.py).
With --csmith the programs are csmith's, at opt 0 and 2 (without csmith: a sentence, and nothing more).
Needs the compiler's own dependencies and NumPy, no framework and no network.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from . import csmith, mutated
from .parent import Plan, run
from .programs import UNIT
from .tally import bad, read, tally


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaign", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seeds", default="0:10000", help=f"first:stop, in units of {UNIT}")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--minutes", type=float, default=0.0, help="stop after this time (0: when all are done)")
    parser.add_argument("--out", type=Path, default=Path("out/campaign.jsonl"))
    parser.add_argument("--csmith", action="store_true", help="programs of csmith, in units of one seed")
    parser.add_argument("--mutated", action="store_true", help="texts of C and IR with words changed")
    parser.add_argument("--tally", action="store_true", help="only print what the file holds")
    options = parser.parse_args(arguments)
    first, stop = (int(part) for part in options.seeds.split(":"))
    plan = csmith.PLAN if options.csmith else mutated.PLAN if options.mutated else Plan()
    if options.csmith and not csmith.present():
        print("csmith or its header (Debian: csmith, libcsmith-dev) is not installed: none of its programs are judged")
        return 0
    units = range(first // plan.size, -(-stop // plan.size))
    if not options.tally:
        run(units, options.jobs, options.minutes, options.out, plan)
    held = read(options.out)
    print(tally(held))
    return 1 if bad(held) else 0


if __name__ == "__main__":
    sys.exit(main())
