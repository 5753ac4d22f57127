"""Interrupts and limits of time end calls of C code, and nothing else."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor

import pytest

import enzyme_magic as em
from enzyme_magic.backend.runtime import arena
from enzyme_magic.errors import ArgumentError, ExecutionError

FOREVER = 10**15
C = r"""
#include <stdio.h>
#include <unistd.h>
double cube(double x) { return x * x * x; }
double spin(double x, long n) { double s = 0; for (long i = 0; i < n; i++) s += x / (1 + s); return s; }
double tape(double x, long n) { double s = 1; for (long i = 0; i < n; i++) s = s * x + 1 / (1 + s * s); return s; }
double line(double x, long n) { double s = 0; for (long i = 0; i < n; i++) s += x * i; return s; }
double naps(double x, long n) { for (long i = 0; i < n; i++) if (sleep(1000) == 0) return 0; return x; }
double prints(double x, long n) { char text[40]; for (long i = 0; i < n; i++) snprintf(text, 40, "%g", x + i); return x; }
"""


@pytest.fixture(scope="module")
def p():
    return em.compile_c(C)


@pytest.mark.parametrize("name", ["spin", "naps", "prints"])
def test_a_limit_ends_a_call(p, name):
    function = getattr(p, name)
    for _ in range(3):
        with pytest.raises(ExecutionError, match=r"the time limit of 0\.05 s") as raised, em.time_limit(0.05):
            function(1.0, FOREVER)
        assert raised.value.code == "EM410"
        assert p.cube(2.0) == 8.0
        assert p.cube.grad(2.0) == 12.0


def test_a_limit_ends_gradients_maps_and_many_short_calls(p):
    tape = p.tape.grad
    assert tape(0.5, 10) == pytest.approx(tape(0.5, 10))
    for call in (
        lambda: _again(tape, 0.5, 10**7),
        lambda: p.spin.map([1.0, 2.0], FOREVER),
        lambda: _again(p.cube, 2.0),
    ):
        with pytest.raises(ExecutionError, match="the time limit"), em.time_limit(0.05):
            call()
    assert arena.statistics().in_use == 0
    with em.time_limit(0.05), pytest.raises(ExecutionError, match="the time limit"):
        em.check_grads(p.line, (1.0, FOREVER))


def _again(function, *arguments):
    while True:
        function(*arguments)


def test_the_nearest_of_several_limits_holds_until_its_block_ends(p):
    with em.time_limit(0.05):
        with pytest.raises(ExecutionError, match=r"0\.05 s"), em.time_limit(1000):
            p.spin(1.0, FOREVER)
        with pytest.raises(ExecutionError, match=r"0\.05 s"):
            p.cube(2.0)
    with em.time_limit(1000):
        with pytest.raises(ExecutionError, match=r"0\.06 s"), em.time_limit(0.06):
            p.spin(1.0, FOREVER)
        assert p.cube(2.0) == 8.0
    assert p.cube(3.0) == 27.0


def test_a_limit_is_one_of_its_thread(p):
    with em.time_limit(0.05), ThreadPoolExecutor(1) as pool:
        assert pool.submit(p.spin, 1.0, 10**6).result() > 0
        with pytest.raises(ExecutionError, match="the time limit"):
            p.spin(1.0, FOREVER)
        assert pool.submit(p.cube, 2.0).result() == 8.0


@pytest.mark.parametrize("seconds", [0, -1.0, float("nan"), float("inf"), "2", None, True])
def test_a_limit_is_a_time(seconds):
    with pytest.raises(ArgumentError) as raised:
        em.time_limit(seconds)
    assert raised.value.code == "EM352"


INTERRUPTED = f"""
import os, signal, sys, threading, time
from concurrent.futures import ThreadPoolExecutor
import enzyme_magic as em
from enzyme_magic.backend.runtime import arena, stops
from enzyme_magic.errors import ExecutionError

p = em.compile_c({C!r})
FOREVER = {FOREVER}
interrupt = lambda: os.kill(os.getpid(), signal.SIGINT)

def ends(call, busy=None, count=1):
    # How a call ends that is interrupted when `count` threads are in C code. busy: their slots; otherwise this thread's.
    slots = [stops._thread()[0]] if busy is None else busy
    def send():
        while sum(bool(slot.frame) for slot in slots) < count:
            time.sleep(0.01)
        interrupt()
    later = threading.Thread(target=send)
    try:
        later.start()
        said = f"value {{call()}}"
    except (KeyboardInterrupt, ExecutionError) as error:
        said = type(error).__name__
    later.join()
    return said

"""


def interrupted(script: str) -> list[str]:
    """What a process prints, whose main thread is its own to interrupt."""
    words = [sys.executable, "-c", INTERRUPTED + textwrap.dedent(script)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=150)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_an_interrupt_ends_calls_gradients_maps_checks_and_other_threads():
    said = interrupted(
        """
        tape = p.tape.grad
        tape(0.5, 10)
        def gradients():
            while True:
                tape(0.5, 10**7)
        busy = []
        def worker(x):
            busy.append(stops._thread()[0])
            return p.spin(x, FOREVER)
        def threads():
            with ThreadPoolExecutor(2) as pool:
                return list(pool.map(worker, [1.0, 2.0]))
        calls = [lambda: p.spin(1.0, FOREVER), lambda: p.naps(1.0, FOREVER), lambda: p.prints(1.0, FOREVER), gradients,
                 lambda: p.spin.map([1.0, 2.0], FOREVER), lambda: em.check_grads(p.line, (1.0, FOREVER))]
        for _ in range(2):
            for call in calls:
                print(ends(call))
            busy.clear()
            print(ends(threads, busy, 2))
        print(arena.statistics().in_use, p.cube(2.0), p.cube.grad(2.0))
        """
    )
    assert said == ["KeyboardInterrupt"] * 14 + ["0 8.0 12.0"]


def test_handlers_of_others_are_left_alone_and_children_have_their_own():
    said = interrupted(
        """
        p.cube(2.0)
        reading, writing = os.pipe2(os.O_NONBLOCK)
        ours = signal.set_wakeup_fd(writing)
        stops.listen()
        print(ends(lambda: p.spin(1.0, FOREVER)), os.read(reading, 10))
        assert signal.set_wakeup_fd(-1) == ours
        print(ends(lambda: p.spin(1.0, FOREVER)))
        stops.listen()

        signal.signal(signal.SIGINT, lambda number, frame: print("mine"))
        print(ends(lambda: p.spin(1.0, FOREVER)))
        signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.stdout.flush()

        with em.time_limit(1000):
            pid = os.fork()
            if pid == 0:
                try:
                    with em.time_limit(0.05):
                        p.spin(1.0, FOREVER)
                except ExecutionError as error:
                    print(error.code, ends(lambda: p.spin(1.0, FOREVER)), flush=True)
                os._exit(0)
            os.waitpid(pid, 0)
            print("value", p.spin(1.0, 10**6) > 0)
        """
    )
    assert said == [
        "KeyboardInterrupt b'\\x02'",
        "KeyboardInterrupt",
        "mine",
        "KeyboardInterrupt",
        "EM410 KeyboardInterrupt",
        "value True",
    ]
