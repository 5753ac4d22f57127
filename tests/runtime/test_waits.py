"""Calls that wait, for a worker or for the call of another thread, end by limits and by interrupts as calls that run do."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import threading
import time

import pytest

import enzyme_magic as em

C = r"""
#include <errno.h>
#include <stdio.h>
#include <unistd.h>
double kept;
double cube(double x) { return x * x * x; }
double remembers(double x) { kept += x; return x * x; }
double spins(double x) { for (volatile int on = 1; on;) ; return x; }
double sleeps(double x) { while (sleep(1000)) ; return x; }
double reads(double x) { int ends[2]; char one; if (pipe(ends)) return 0; while (read(ends[0], &one, 1) < 0) ; return x; }
double prints(double x) { printf("%g\n", x); return x * x; }
double holds(double x) { kept = x; for (volatile int on = 1; on;) ; return x; }
"""


@pytest.fixture(scope="module", params=[True, False], ids=["isolated", "here"])
def p(request: pytest.FixtureRequest) -> em.Program:
    return em.compile_c(C, isolate=request.param)


def test_a_limit_ends_calls_that_sleep_or_read(p: em.Program) -> None:
    for name in ("sleeps", "reads", "spins"):
        with pytest.raises(em.ExecutionError) as error, em.time_limit(0.2):
            p[name](1.0)
        assert error.value.code == "EM410", name
        assert (p.cube(2.0), p.cube.grad(2.0)) == (8.0, 12.0)


def test_a_limit_ends_a_wait_for_the_call_of_another_thread(p: em.Program) -> None:
    """In the kernel derivatives that write static data take turns; a worker has one call at a time."""
    assert (p.remembers(2.0), p.remembers.grad(2.0)) == (4.0, 4.0)
    said: list[str] = []

    def holds() -> None:
        try:
            with em.time_limit(1.5):
                p.holds.grad(1.0)
        except em.ExecutionError as error:
            said.append(error.code)

    thread = threading.Thread(target=holds)
    thread.start()
    time.sleep(0.5)
    begun = time.monotonic()
    with pytest.raises(em.ExecutionError) as error, em.time_limit(0.2):
        p.remembers.grad(2.0)
    assert error.value.code == "EM410"
    assert time.monotonic() - begun < 0.9
    thread.join()
    assert said == ["EM410"]
    assert (p.remembers(2.0), p.cube(2.0)) == (4.0, 8.0)


INTERRUPTED = f"""
import os, signal, sys, threading, time
import enzyme_magic as em
p = em.compile_c({C!r}, isolate=ISOLATED)
assert p.remembers(1.0) == p.cube(1.0) == 1.0
said = []

def runs(call, *arguments):
    try:
        call(*arguments)
    except (KeyboardInterrupt, em.ExecutionError) as error:
        said.append(type(error).__name__)

def interrupted(*calls):
    # What ends the calls of threads, when the main thread is in none and is interrupted.
    said.clear()
    threads = [threading.Thread(target=runs, args=(call, 1.0), daemon=True) for call in calls]
    for thread in threads:
        thread.start()
        time.sleep(0.5)
    begun = time.monotonic()
    try:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(30)
    except KeyboardInterrupt:
        pass
    for thread in threads:
        thread.join(20)
    print(*sorted(said), time.monotonic() - begun < 2, p.cube(2.0), p.cube.grad(2.0), p.remembers(2.0))
"""


def _said(isolated: bool, script: str) -> list[str]:
    words = [sys.executable, "-c", INTERRUPTED.replace("ISOLATED", repr(isolated)) + textwrap.dedent(script)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=150)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_an_interrupt_ends_isolated_calls_of_other_threads() -> None:
    said = _said(
        True,
        """
        q = em.compile_c("double spins(double x) { for (volatile int on = 1; on;) ; return x; }", isolate=True)
        interrupted(p.spins)
        interrupted(p.sleeps, q.spins)
        interrupted(p.spins, p.remembers)  # the second waits for the first
        signal.signal(signal.SIGINT, lambda number, frame: print("mine"))
        runs(lambda: threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start() or p.spins(1.0))
        print(said[-1])
        """,
    )
    good = "True 8.0 12.0 4.0"
    one = "InterruptedCall"
    assert said == [f"{one} {good}", f"{one} {one} {good}", f"{one} {one} {good}", "mine", one]


def test_an_interrupt_ends_waits_for_a_turn() -> None:
    said = _said(False, "p.remembers.grad(1.0)\ninterrupted(p.holds.grad, p.remembers.grad)")
    assert said == ["InterruptedCall KeyboardInterrupt True 8.0 12.0 4.0"]


def test_an_interrupt_of_the_main_threads_call_is_for_that_alone() -> None:
    said = _said(
        True,
        """
        q = em.compile_c("double spins(double x) { for (volatile int on = 1; on;) ; return x; }", isolate=True)
        def limited(x):
            with em.time_limit(3.0):
                p.spins(x)
        other = threading.Thread(target=runs, args=(limited, 1.0))
        other.start()
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        runs(q.spins, 1.0)
        print(said)
        other.join()
        print(said)
        """,
    )
    assert said == ["['InterruptedCall']", "['InterruptedCall', 'ExecutionError']"]
