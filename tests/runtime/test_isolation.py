"""Isolated programs: calls in a worker process. What would end the process ends a call, and the next one is answered."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.backend.runtime.isolation import shared

C = r"""
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
struct pair { double a, b; };
double cube(double x) { return x * x * x; }
long double wide(long double x, int k, float y) { return x * k + y; }
double dot(int n, const double x[n], const double y[n]) { double s = 0; for (int i = 0; i < n; i++) s += x[i] * y[i]; return s; }
void scale(int n, double x[n], double a) { for (int i = 0; i < n; i++) x[i] *= a; }
void half(int n, double x[n]) { for (int i = 0; i < n; i++) { x[i] = 7; if (i == n / 2) abort(); } }
double area(struct pair p) { return p.a * p.b * p.b; }
struct pair swapped(struct pair p) { struct pair q = { p.b, p.a }; return q; }
double seen; static int count;
int counted(void) { return ++count; }
double remembers(double x) { seen += x; return seen * x; }
double twice_freed(double x) { char *volatile p = malloc(10); free(p); free(p); return x; }
double store(double x, long at) { *(volatile double *)at = x; return x; }
double aborts(double x) { abort(); return x; }
double leaves(double x) { printf("leaving"); exit(3); return x; }
double leaves_at_once(double x) { syscall(SYS_exit_group, 4); return x; }
double says(double x) { printf("x is %g\n", x); fprintf(stderr, "aside\n"); return x; }
double spin(double flag[1]) { flag[0] = 1; volatile int on = 1; while (on) ; return flag[0]; }
double takes(double n) { char *p = malloc(n); if (!p) return -1; memset(p, 1, n); double s = p[0]; free(p); return s; }
double overlaps(const double *x, const double *y) { return (y - x) * x[1]; }
"""


@pytest.fixture(scope="module")
def isolated() -> em.Program:
    return em.compile_c(C, isolate=True)


@pytest.fixture(scope="module")
def here() -> em.Program:
    return em.compile_c(C)


X, Y = np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 6.0])


@pytest.mark.parametrize(
    "asked",
    [
        lambda p: p.cube(3.0),
        lambda p: p.wide(np.longdouble("1.1"), 3, 2.5),
        lambda p: p.cube.grad(3.0),
        lambda p: em.hessian(p.cube)(3.0),
        lambda p: p.dot(X, Y),
        lambda p: p.dot.grad(X, Y),
        lambda p: em.value_and_grad(p.dot, wrt="x")(X, Y),
        lambda p: p.dot.vjp(X, Y)[1](2.0),
        lambda p: p.dot.jvp((X, Y), (Y, X)),
        lambda p: p.scale.vjp(X.copy(), 2.0)[0],
        lambda p: p.scale.vjp(X.copy(), 2.0)[1](Y),
        lambda p: em.jacobian(p.scale)(X.copy(), 2.0),
        lambda p: p.cube.map(X),
        lambda p: p.cube.map(np.arange(12.0).reshape(3, 4)[:, ::2]),
        lambda p: p.cube.grad.map(X),
        lambda p: p.area((2.0, 3.0)),
        lambda p: p.area.grad((2.0, 3.0)),
        lambda p: p.swapped((2.0, 3.0)),
        lambda p: p.swapped.jvp(((2.0, 3.0),), ((1.0, 5.0),)),
    ],
)
def test_calls_and_derivatives_are_those_of_the_kernel(
    isolated: em.Program, here: em.Program, asked: Callable[[em.Program], Any]
) -> None:
    assert repr(asked(isolated)) == repr(asked(here))


def test_nothing_of_it_is_in_this_process(isolated: em.Program) -> None:
    for asked in (lambda: isolated.cube.address, lambda: em.vmap(isolated.dot)(np.stack([X, Y]), np.stack([Y, X]))):
        with pytest.raises(em.ToolchainError) as error:
            asked()
        assert error.value.code == "EM151"


def test_calls_that_are_many_stay_where_they_are(isolated: em.Program) -> None:
    for _ in range(250):
        assert (isolated.cube(2.0), isolated.cube.grad(2.0), isolated.dot(X, Y)) == (8.0, 12.0, 32.0)
    with pytest.raises(em.ExecutionError):
        isolated.aborts(1.0)


def test_variables_live_as_long_as_the_worker(isolated: em.Program) -> None:
    first = isolated.counted()
    assert [isolated.counted(), isolated.counted()] == [first + 1, first + 2]
    before = isolated.remembers(1.0)
    isolated.remembers.grad(5.0)  # puts back what it wrote
    assert isolated.remembers(1.0) == before + 1.0


@pytest.mark.parametrize(
    ("name", "args", "code", "said"),
    [
        ("twice_freed", (), "EM411", "SIGABRT"),
        ("store", (8,), "EM408", "SIGSEGV in"),
        ("aborts", (), "EM402", "abort"),
        ("leaves", (), "EM401", "exit(3)"),
        ("leaves_at_once", (), "EM401", "exit(4)"),
    ],
)
def test_what_would_end_the_process_ends_the_call(
    isolated: em.Program, name: str, args: tuple[int, ...], code: str, said: str
) -> None:
    for called in (isolated[name], isolated[name].grad):
        with pytest.raises(em.ExecutionError) as error:
            called(1.0, *args)
        assert error.value.code == code
        assert said in error.value.message
        assert isolated.cube.grad(2.0) == 12.0


def test_an_array_holds_what_it_held_where_the_call_does_not_return(isolated: em.Program) -> None:
    x = np.arange(5.0)
    with pytest.raises(em.ExecutionError):
        isolated.half(x)
    assert x.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]
    isolated.scale(x, 2.0)
    assert x.tolist() == [0.0, 2.0, 4.0, 6.0, 8.0]
    partly = em.shared_empty(5)
    partly[:] = 1
    with pytest.raises(em.ExecutionError):
        isolated.half(partly)
    assert partly.tolist() == [7.0, 7.0, 7.0, 1.0, 1.0]


def test_a_time_limit_ends_a_loop(isolated: em.Program) -> None:
    with pytest.raises(em.ExecutionError) as error, em.time_limit(0.2):
        isolated.spin(em.shared_empty(1))
    assert error.value.code == "EM410"
    assert isolated.cube(2.0) == 8.0


INTERRUPTED = """
import os, signal, threading, time, enzyme_magic as em
p = em.compile_c("double spin(double flag[1]) { flag[0] = 1; volatile int on = 1; while (on) ; return flag[0]; }", isolate=True)
flag = em.shared_empty(1)
flag[0] = 0
def interrupt():
    while not flag[0]:  # the call writes where we read
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
try:
    p.spin(flag)
except em.ExecutionError as error:
    assert isinstance(error, KeyboardInterrupt)
    print(error.code)
"""


def test_an_interrupt_ends_a_loop() -> None:
    child = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=300, check=True)
    assert child.stdout == "EM412\n"


def test_output_arrives_in_order(isolated: em.Program, capsys: pytest.CaptureFixture[str]) -> None:
    print("before")
    isolated.says(2.0)
    print("after")
    assert capsys.readouterr() == ("before\nx is 2\nafter\n", "aside\n")


def test_shared_arrays_are_not_copied(isolated: em.Program) -> None:
    both = em.shared_empty((2, 3))
    both[:] = [X, Y]
    assert isolated.dot.grad(both[0], both[1]).x.tolist() == Y.tolist()
    isolated.scale(both[0], 3.0)
    assert both[0].tolist() == [3.0, 6.0, 9.0]
    kinds = np.dtype([("a", "f8"), ("b", "i4")])
    assert em.shared_empty(3, kinds).dtype == kinds
    assert em.shared_empty((0, 2)).shape == (0, 2)
    for shape, dtype in ((-1, float), (2, object)):
        with pytest.raises(em.ArgumentError, match="EM354"):
            em.shared_empty(shape, dtype)


def test_memory_that_is_given_back_is_used_again() -> None:
    region = shared.region()
    first = region.take(5 << 20)
    place = first.address
    np.asarray(em.shared_empty(10))[:] = 1
    del first
    assert region.take(5 << 20).address == place
    zeros = shared.zeros((4,), np.float64)
    zeros[:] = 1
    del zeros
    assert shared.zeros((4,), np.float64).tolist() == [0.0] * 4


def test_arrays_that_overlap_overlap_in_the_worker(isolated: em.Program) -> None:
    x = np.arange(6.0)
    assert isolated.overlaps(x, x[2:]) == 2.0


def test_pickles(isolated: em.Program) -> None:
    p = em.compile_c("double f(double x) { return x * x; }", isolate=True)
    assert pickle.loads(pickle.dumps(p)).f.grad(3.0) == 6.0
    isolated.counted()
    with pytest.raises(em.ToolchainError) as error:
        pickle.dumps(isolated)
    assert error.value.code == "EM151"


def test_a_constructor_costs_only_the_worker() -> None:
    p = em.compile_c(
        "#include <stdlib.h>\nextern int _exit(int);\n"
        "__attribute__((constructor)) static void first(void) { _exit(7); }\ndouble f(double x) { return x * x; }",
        isolate=True,
    )
    for _ in range(2):
        with pytest.raises(em.ExecutionError, match="status 7"):
            p.f(1.0)


def test_rules_in_python_are_refused() -> None:
    rule = em.custom_vjp("f", lambda x: 2 * x)
    with pytest.raises(em.ArgumentError, match="EM353"):
        em.compile_c("double f(double x) { return x * x; }", isolate=True, custom=rule)


CHILD = """
import os, sys, enzyme_magic as em
p = em.compile_c('''{c}''', isolate=True)
assert p.takes(1e6) == 1 and p.takes(1e9) == -1
pid = os.fork()
if pid == 0:
    ok = p.cube(2.0) == 8.0 and p.counted() == 1  # a worker of its own
    os._exit(0 if ok else 1)
assert os.waitpid(pid, 0)[1] == 0 and p.counted() == 1
from enzyme_magic.backend.runtime.isolation import remote
print(next(iter(remote._homes))._worker.process.pid, flush=True)
sys.stdin.read()
"""


def test_the_worker_has_a_limit_and_ends_with_a_killed_kernel() -> None:
    text = textwrap.dedent(CHILD).replace("{c}", C.replace("\\", "\\\\"))
    env = {**os.environ, "ENZYME_MAGIC_ISOLATE_MEMORY": "512M"}
    with subprocess.Popen(
        [sys.executable, "-c", text], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        worker = int(child.stdout.readline())
        assert _lives(worker)
        child.kill()
    end = time.monotonic() + 60
    while _lives(worker) and time.monotonic() < end:
        time.sleep(0.05)
    assert not _lives(worker)


def _lives(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
