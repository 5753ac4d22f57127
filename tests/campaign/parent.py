"""The parent of a campaign: units handed to child processes, outcomes written down, children that die started again."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from .judging import CRASH, LEVELS, MODES, Outcome
from .programs import UNIT
from .tally import read

ROOT = Path(__file__).resolve().parents[2]
SILENCE = 300.0  # seconds without a line after which a child is ended
UNITS_OF_A_CHILD = 12  # then a fresh process: loaded code is never given back
DEATHS = 30  # of one unit; then the rest of it is left
# The C library fills what is allocated and what is freed, so that reading either gives a number that is plainly wrong.
HEAP_CHECK = "glibc.malloc.tcache_count=0:glibc.malloc.perturb=58"


@dataclass(frozen=True, slots=True)
class Plan:
    """What a child does: its command line behind Python's name, seeds of a unit, levels."""

    worker: tuple[str, ...] = ("-W", "ignore", "-m", "tests.campaign.worker")
    size: int = UNIT
    levels: tuple[int, ...] = LEVELS

    def pieces(self, unit: int) -> list[tuple[int, int, str]]:
        """(seed, opt, mode) of everything in a unit."""
        seeds = range(unit * self.size, (unit + 1) * self.size)
        return [(seed, opt, mode) for seed in seeds for opt in self.levels for mode in MODES]


@dataclass(slots=True)
class Campaign:
    """What all threads share: the units left, the file, the end."""

    plan: Plan
    units: Iterator[int]
    out: IO[str]
    end: float
    done: dict[tuple[int, int, str], dict[str, Any]]
    lock: threading.Lock = field(default_factory=threading.Lock)
    finished: int = 0

    def next_unit(self) -> int | None:
        with self.lock:
            return None if self.over() else next(self.units, None)

    def over(self) -> bool:
        return time.monotonic() > self.end

    def keep(self, outcome: dict[str, Any]) -> None:
        with self.lock:
            self.done[outcome["seed"], outcome["opt"], outcome["mode"]] = outcome
            self.out.write(json.dumps(outcome) + "\n")
            self.out.flush()

    def done_of(self, unit: int) -> list[tuple[int, int, str]]:
        with self.lock:
            return [key for key in self.done if key[0] // self.plan.size == unit]


def run(units: Sequence[int], jobs: int, minutes: float, path: Path, plan: Plan = Plan()) -> None:
    """Work on the units that the file does not hold completely, for at most some minutes (0: to the end)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    done = read(path)
    counts: dict[int, int] = {}
    for seed, _, _ in done:
        counts[seed // plan.size] = counts.get(seed // plan.size, 0) + 1
    left = [unit for unit in units if counts.get(unit, 0) < len(plan.pieces(unit))]
    start = time.monotonic()
    with path.open("a", encoding="utf-8") as out:
        campaign = Campaign(plan, iter(left), out, start + minutes * 60 if minutes else float("inf"), done)
        threads = [threading.Thread(target=_serve, args=(campaign, len(left), start)) for _ in range(max(1, jobs))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def _serve(campaign: Campaign, total: int, start: float) -> None:
    child: Child | None = None
    try:
        while (unit := campaign.next_unit()) is not None:
            deaths = 0
            while not campaign.over() and deaths < DEATHS:
                if child is None or child.units >= UNITS_OF_A_CHILD:
                    if child is not None:
                        child.close()
                    child = Child(campaign.plan)
                if child.work(campaign, unit):
                    campaign.finished += 1
                    passed = time.monotonic() - start
                    print(f"{campaign.finished} of {total} units, {passed:.0f} s", file=sys.stderr, flush=True)
                    break
                child.close()
                child, deaths = None, deaths + 1
    finally:
        if child is not None:
            child.close()


class Child:
    """One worker process."""

    def __init__(self, plan: Plan) -> None:
        environment = {**os.environ, "GLIBC_TUNABLES": HEAP_CHECK, "OMP_NUM_THREADS": "1"}
        command = [sys.executable, *plan.worker]
        self._process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._rest = b""
        self.units = 0

    def work(self, campaign: Campaign, unit: int) -> bool:
        """Whether the child finished the unit; its death is an outcome of what it had begun."""
        self.units += 1
        assert self._process.stdin is not None
        begun: list[Any] = [unit * campaign.plan.size, 0, "compile"]
        try:
            self._process.stdin.write(json.dumps({"unit": unit, "done": campaign.done_of(unit)}).encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            return False
        for message in self._messages(campaign):
            if "finished" in message:
                return True
            if "begin" in message:
                begun = message["begin"]
            if "outcome" in message:
                campaign.keep(message["outcome"])
        if not campaign.over():
            self._blame(campaign, begun)
        return False

    def _messages(self, campaign: Campaign) -> Iterator[dict[str, Any]]:
        """Lines until the child is dead, silent or the time is over."""
        assert self._process.stdout is not None
        heard = time.monotonic()
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            while not campaign.over() and time.monotonic() - heard < SILENCE:
                if not selector.select(1.0):
                    continue
                data = os.read(self._process.stdout.fileno(), 1 << 16)
                if not data:
                    return
                heard = time.monotonic()
                *lines, self._rest = (self._rest + data).split(b"\n")
                for line in lines:
                    yield json.loads(line)

    def _blame(self, campaign: Campaign, begun: list[Any]) -> None:
        """The piece it died at counts as a crash; a unit that cannot be compiled is one for all its programs."""
        seed, opt, mode = begun
        status = self._process.poll()
        how = "does not end" if status is None else f"ends with status {status}"
        whole = mode == "compile"
        pieces = campaign.plan.pieces(seed // campaign.plan.size) if whole else [(seed, opt, mode)]
        for s, o, m in pieces:
            campaign.keep(Outcome(s, o, m, CRASH, "process", "", f"the process {how}").as_json())

    def close(self) -> None:
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()
        try:
            self._process.wait(2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
