"""What a worker answers is not trusted: C code writes into its line, closes it, floods its output, or damages its memory."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.backend.runtime.isolation.answers import Raised, Unreadable, answer_in
from enzyme_magic.backend.runtime.isolation.protocol import DONE, HEADER, RAISED

C = r"""
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
double cube(double x) { return x * x * x; }
static void to_sockets(const void *bytes, long n) { for (int k = 3; k < 64; k++) send(k, bytes, n, MSG_DONTWAIT); }
double sends(const unsigned char *bytes, long n, double x) { to_sockets(bytes, n); return x * x; }
static void stays(void) { for (volatile int on = 1; on;) ; }
double sends_and_stays(const unsigned char *bytes, long n, double x) { to_sockets(bytes, n); stays(); return x; }
static void *later(void *p) { usleep(50000); to_sockets("much later, an answer comes", 27); return p; }
double sends_later(double x) { pthread_t t; pthread_create(&t, 0, later, 0); return x * x; }
double closes(double x) { for (int k = 3; k < 1000; k++) close(k); return x * x; }
double closes_and_stays(double x) { for (int k = 3; k < 1000; k++) close(k); for (volatile int on = 1; on;) ; return x; }
double ends_by(double x, int number) { sigset_t all; sigfillset(&all); sigprocmask(SIG_UNBLOCK, &all, 0);
  ((int (*)(int, int))dlsym(RTLD_DEFAULT, "kill"))(getpid(), number); sleep(1000); return x; }
double damages(double x) { void *p = dlsym(RTLD_DEFAULT, "PyFloat_Type"); if (!p) exit(9); memset(p, 0x55, 200); return x * x; }
double floods(double x) { for (volatile int on = 1; on;) puts("a line of what never ends"); return x; }
"""


@pytest.fixture(scope="module")
def p() -> em.Program:
    return em.compile_c(C, isolate=True)


def _is_well(p: em.Program) -> None:
    assert (p.cube(2.0), p.cube.grad(2.0)) == (8.0, 12.0)


def _again(first: Callable[[float], float], then: Callable[[float], float]) -> None:
    """Until something is raised; every answer is right."""
    first(3.0)
    while True:
        assert then(2.0) == 8.0


def _bytes(data: bytes) -> tuple[np.ndarray, int]:
    return np.frombuffer(data, np.uint8).copy(), len(data)


TOLD = json.dumps({"class": "ExecutionError", "message": "no", "code": "EM401", "hint": None}).encode()


@pytest.mark.parametrize(
    "data",
    [
        b"\0",
        b"\0" * HEADER.size,
        b"x" * 5_000,
        HEADER.pack(RAISED, 1, len(TOLD)) + TOLD,
        HEADER.pack(DONE, 1, 1 << 60),
    ],
)
def test_what_is_written_into_the_line_is_no_answer(p: em.Program, data: bytes) -> None:
    for name in ("sends", "sends_and_stays") if len(data) >= HEADER.size else ("sends",):
        _is_well(p)
        with pytest.raises(em.ExecutionError) as error:
            p[name](*_bytes(data), 3.0)
        assert error.value.code == "EM411", data
    _is_well(p)


def test_what_comes_after_an_answer_is_not_the_next_one(p: em.Program) -> None:
    _is_well(p)
    for _ in range(3):
        with pytest.raises(em.ExecutionError) as error:
            _again(p.sends_later, p.cube)
        assert error.value.code == "EM411"
        _is_well(p)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda p: p.closes(3.0), ""),
        (lambda p: p.closes_and_stays(3.0), "closed the line"),
        (lambda p: p.ends_by(1.0, 9), "the system"),
        (lambda p: p.ends_by(1.0, 37), "signal 37"),
        (lambda p: p.damages(1.0), ""),
    ],
)
def test_a_worker_that_is_gone_or_damaged_ends_the_call(
    p: em.Program, call: Callable[[em.Program], float], said: str
) -> None:
    _is_well(p)
    with pytest.raises(em.ExecutionError) as error:
        _again(lambda _: call(p), p.cube)
    assert error.value.code == "EM411"
    assert said in error.value.message
    _is_well(p)


def test_a_limit_ends_a_worker_that_never_stops_writing(p: em.Program, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(em.ExecutionError) as error, em.time_limit(0.3):
        p.floods(1.0)
    assert error.value.code == "EM410"
    assert "a line of what never ends" in capsys.readouterr().out
    _is_well(p)


GOOD = {"class": "ExecutionError", "message": "exit(3)", "code": "EM401", "hint": None, "file": "a.c", "line": 3}


def _answer(told: object, **head: int) -> bytes:
    data = told if isinstance(told, bytes) else json.dumps(told).encode()
    return HEADER.pack(head.get("status", RAISED), head.get("mark", 7), head.get("size", len(data))) + data


def test_an_error_arrives_as_it_was() -> None:
    found = answer_in(_answer(GOOD), 7)
    assert isinstance(found, Raised)
    assert (type(found.error), found.error.message, found.error.code, found.error.line) == (
        em.ExecutionError,
        "exit(3)",
        "EM401",
        3,
    )
    assert answer_in(_answer(b"", status=DONE), 7) is True
    assert not any(answer_in(_answer(GOOD)[:k], 7) for k in range(len(_answer(GOOD))))


@pytest.mark.parametrize(
    "answer",
    [
        _answer(GOOD, mark=6),
        _answer(GOOD, status=3),
        _answer(GOOD, size=-1),
        _answer(GOOD, size=1 << 40),
        _answer(GOOD) + b"x",
        _answer(b"x", status=DONE),
        _answer(b"\xff"),
        _answer(b"[" * 100_000),
        _answer(b"1" * 100_000),
        _answer([GOOD]),
        *(_answer({**GOOD, **wrong}) for wrong in (
            {"class": "KeyError"}, {"class": ["ExecutionError"]}, {"message": 3}, {"code": "x"}, {"code": None},
            {"hint": 3}, {"file": 3}, {"line": "3"}, {"line": -1}, {"line": 1e400}, {"line": True}, {"file": None},
        )),
    ],
)  # fmt: skip
def test_what_is_no_answer_is_told_apart(answer: bytes) -> None:
    with pytest.raises(Unreadable):
        answer_in(answer, 7)
