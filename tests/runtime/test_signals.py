"""Signals in compiled C code are errors; signals elsewhere are what they were; children that C forks end."""

from __future__ import annotations

import subprocess
import sys
import textwrap

C = r"""
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/wait.h>
#include <signal.h>
double store(double x, long at) { *(volatile double *)at = x; return x * x; }
int divide(int a, int b) { volatile int c = a; return c / b; }
double loop(double x) { double s = 0; for (unsigned i = 9; i >= 0; i--) s += x; return s; }
double null(double x) { *(double *)0 = x; return x; }
double undefined(double x) { __builtin_unreachable(); }
double choose(double x, int k) { switch (k) { case 0: return x; case 1: return x * x; } __builtin_unreachable(); }
double trap(double x) { __builtin_debugtrap(); return x; }
double (*nobody)(double);
double nowhere(double x) { return nobody(x) * 2; }
double last(double x) { return nobody(x); }
double large(double x) {
  double a[1300][1000];
  for (int i = 0; i < 1300; i++) a[i][i % 1000] = x;
  double s = 0;
  for (int i = 0; i < 1300; i++) s += a[i][(i * 7) % 1000];
  return s;
}
static int status_of(int pid) { int status; waitpid(pid, &status, 0); return status; }
int returns(void) { int pid = fork(); if (pid == 0) return 3; return status_of(pid); }
int exits(void) { int pid = fork(); if (pid == 0) { printf("of the child\n"); exit(7); } return WEXITSTATUS(status_of(pid)); }
int shares(void) { int pid = vfork(); if (pid == 0) _exit(9); return WEXITSTATUS(status_of(pid)); }
int aborts(void) { int pid = fork(); if (pid == 0) abort(); return WTERMSIG(status_of(pid)); }
double endless(double x) { double a[4]; for (int i = 0; i < 100000; i++) a[i] = x; return a[2]; }
double forever(double x, int k) { if (k) for (;;) ; return x * x; }
double raises(double x, int s) { raise(s); return x; }
double kills(double x, int s, int whom) { kill(whom < 0 ? getpid() : whom, s); return x; }
static volatile int seen;
static void note(int s) { seen = s; }
int handles(int s) { signal(s, note); seen = 0; raise(s); int was = seen; signal(s, SIG_DFL); return was; }
int acts(int s) { struct sigaction a = {0}, b; a.sa_handler = note; sigaction(s, &a, 0); seen = 0; kill(getpid(), s);
  sigaction(s, 0, &b); a.sa_handler = SIG_DFL; sigaction(s, &a, 0); return b.sa_handler == note ? seen : -1; }
double disarms(double x, long at) { signal(SIGSEGV, SIG_DFL); signal(SIGINT, note); *(volatile double *)at = x; return x; }
int child(int s) { int pid = fork(); if (pid == 0) { raise(s); _exit(0); } return WTERMSIG(status_of(pid)); }
__attribute__((noinline)) void smash(double *a, int n, double x) { for (int i = 0; i < n; i++) a[i] = x; }
double smashed(double x, int n) { double a[4]; smash(a, n, x); return a[2]; }
double frees_local(double x, int k) { double a[4] = {x, x, x, x}, *p = malloc(80), *q = k ? a : p; q[0] = x * x;
  double r = q[0]; free(q); if (k) free(p); return r; }
double frees_odd(double x, long k) { char *volatile p = malloc(80); *(double *)p = x; double r = *(double *)p * x; free(p + k);
  return r; }
double moves_local(double x, int k) { double a[2] = {x, x}, *p = k ? a : malloc(16); p[0] = x; p = realloc(p, 160);
  double r = p[0] * x; free(p); return r; }
double good(double x) { return x * x * x; }
"""

START = f"""
import sys
import threading
import enzyme_magic as em
from enzyme_magic.errors import ExecutionError

def ends(call, *arguments):
    try:
        return f"value {{call(*arguments)}}"
    except ExecutionError as error:
        return f"{{error.code}} {{error.message}}"

p = em.compile_c({C!r})
"""


def answers(script: str, status: int = 0) -> tuple[list[str], str]:
    """What a script prints after START, line by line, and its standard error."""
    program = START + textwrap.dedent(script)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
    assert done.returncode == status, done.stderr
    return done.stdout.splitlines(), done.stderr


def test_each_signal_is_an_error_with_its_function_again_and_again():
    said, _ = answers(
        """
        calls = [
            (p.store, 1.0, 0), (p.store, 1.0, 8 << 40), (p.divide, 1, 0), (p.loop, 1.0), (p.null, 1.0), (p.undefined, 1.0),
            (p.trap, 1.0), (p.nowhere, 1.0), (p.large, 1.0), (p.store.grad, 1.0, 16), (p.last, 1.0),
        ]
        def all_of_them():
            return [ends(*call) for call in calls]
        first = all_of_them()
        print(*first, sep="\\n")
        for _ in range(20):
            assert all_of_them() == first
        others = []
        for _ in range(3):
            thread = threading.Thread(target=lambda: others.append(all_of_them()))
            thread.start()
            thread.join()
        assert [len(found) for found in others] == [11] * 3
        assert all(line.split()[:4] == mine.split()[:4] for found in others for line, mine in zip(found, first))
        print(p.good(2.0), p.good.grad(2.0), p.choose.grad(3.0, 1))
        """
    )
    assert said[0] == "EM408 SIGSEGV in store: invalid memory access at address 0x0"
    assert said[1] == "EM408 SIGSEGV in store: invalid memory access at address 0x80000000000"
    assert said[2].startswith("EM408 SIGFPE in divide: integer division by zero")
    for line, name in zip(said[3:6], ("loop", "null", "undefined"), strict=True):
        assert line.startswith(f"EM408 SIGILL in {name}: it came to where C leaves undefined")
    assert said[6].startswith("EM408 SIGTRAP in trap")
    assert said[7] == "EM408 SIGSEGV in nowhere: invalid memory access at address 0x0"
    assert said[8].startswith("EM406 the C stack of")
    assert said[9].startswith("EM408 SIGSEGV in the derivative of store: invalid memory access at address 0x10")
    assert said[10].startswith("EM408 SIGSEGV: a jump to where no code is")  # from last: nobody knows from where
    assert said[11].split() == ["8.0", "12.0", "6.0"]


def test_signals_elsewhere_go_to_the_earlier_handler():
    """faulthandler was there before, or comes later; either way both work."""
    for when in ("before", "later"):
        enable = "import faulthandler, ctypes; faulthandler.enable()"
        early, late = (enable, "") if when == "before" else ("", enable)
        said, errors = answers(
            f"""
            {early}
            print(ends(p.store, 1.0, 0))
            {late}
            q = em.compile_c("double again(double *x, int k) {{ return x[k]; }}  int other(int a) {{ return 7 / a; }}")
            print(ends(q.other, 0), ends(p.store, 1.0, 0), flush=True)
            ctypes.string_at(0)
            """,
            status=-11,
        )
        assert said[0].startswith("EM408 SIGSEGV in store")
        assert "EM408 SIGFPE in other" in said[1]
        assert "EM408 SIGSEGV in store" in said[1]
        assert errors.count("Fatal Python error: Segmentation fault") == 1
        assert "in string_at" in errors


def test_a_child_that_c_forks_ends_where_its_call_ends():
    said, _ = answers(
        """
        print("before", flush=True)
        print(p.returns(), p.exits(), p.shares(), p.aborts(), flush=True)
        print("after")
        """
    )
    assert said == ["before", "of the child", "0 7 9 6", "after"]


def test_signals_that_the_program_sends_itself_end_its_call() -> None:
    said, _ = answers(
        """
        import signal
        for number in (signal.SIGSEGV, signal.SIGFPE, signal.SIGABRT, signal.SIGTERM, signal.SIGKILL, signal.SIGSTOP):
            print(ends(p.raises, 1.0, number), "|", ends(p.kills, 1.0, number, -1))
        print(ends(p.raises, 1.0, signal.SIGCHLD), ends(p.kills, 2.0, 0, -1), ends(p.kills, 3.0, signal.SIGTERM, 0))
        print(*(ends(p.handles, n) for n in (signal.SIGSEGV, signal.SIGUSR1, signal.SIGTERM)))
        print(*(ends(p.acts, n) for n in (signal.SIGFPE, signal.SIGUSR2, signal.SIGINT)))
        print(*(ends(p.child, n) for n in (signal.SIGSEGV, signal.SIGUSR1)))
        for _ in range(3):
            print(ends(p.disarms, 1.0, 8))
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            print("interrupted")
        print(p.good(2.0), p.good.grad(2.0))
        """
    )
    names = ["SIGSEGV", "SIGFPE", "SIGABRT", "SIGTERM", "SIGKILL", "SIGSTOP"]
    sent = "EM408 {name} raised in {of}: it would have ended the kernel"
    assert said[:6] == [
        f"{sent.format(name=name, of='raises')} | {sent.format(name=name, of='kills')}" for name in names
    ]
    assert said[6] == f"value 1.0 value 2.0 {sent.format(name='SIGTERM', of='kills')}"
    assert said[7:10] == ["value 11 value 10 value 15", "value 8 value 12 value 2", "value 11 value 10"]
    assert said[10:13] == ["EM408 SIGSEGV in disarms: invalid memory access at address 0x8"] * 3
    assert said[13:] == ["interrupted", "8.0 12.0"]


def test_loops_of_nothing_end() -> None:
    said, _ = answers(
        """
        print(ends(p.endless, 1.0)[:20])
        print(ends(p.forever, 2.0, 0), ends(p.forever.grad, 2.0, 0))
        print(ends(p.forever, 2.0, 1)[:20], "|", ends(p.forever.grad, 2.0, 1)[:30])
        """
    )
    assert said[0] == "EM408 SIGILL in endl"
    assert said[1] == "value 4.0 value 4.0"
    assert said[2] == "EM408 SIGILL in fore | EM408 SIGILL in the derivative"


def test_where_the_stack_is_overwritten_the_process_says_so_and_ends() -> None:
    for count in (60, 100000):
        _, error = answers(f"print(ends(p.smashed, 1.0, {count}))", status=-11)
        assert "isolate=True" in error


def test_a_fault_without_a_guard_says_so_and_ends() -> None:
    """In a thread that a library starts (here of asynchronous input), and in a call by address."""
    _, error = answers(
        """
        q = em.compile_c('''
        #include <aio.h>
        #include <fcntl.h>
        #include <signal.h>
        #include <unistd.h>
        static volatile int *nowhere;
        static void told(union sigval v) { *nowhere = 1; }
        static char held[4];
        static struct aiocb io;
        double f(double x) {
          io.aio_fildes = open("/dev/zero", O_RDONLY); io.aio_buf = held; io.aio_nbytes = 4;
          io.aio_sigevent.sigev_notify = SIGEV_THREAD; io.aio_sigevent.sigev_notify_function = told;
          aio_read(&io);
          sleep(9);
          return x;
        }
        ''')
        q.f(1.0)
        """,
        status=-11,
    )
    assert "in a thread of a library" in error
    call = "ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(p.null.address)"
    _, error = answers(f"import ctypes\nprint(ends(p.null, 1.0)[:5])\n{call}(1.0)", status=-4)
    assert error.count("called by its address") == 1


def test_isolated_an_overwritten_stack_costs_a_worker() -> None:
    said, _ = answers(
        """
        q = em.compile_c(p.sources[0].text, isolate=True)
        print(ends(q.smashed, 1.0, 60)[:5], ends(q.raises, 1.0, 9)[:28], q.good(2.0), q.good.grad(2.0))
        """
    )
    assert said == ["EM411 EM408 SIGKILL raised in rais 8.0 12.0"]


def test_what_no_block_can_be_is_not_given_back() -> None:
    said, _ = answers(
        """
        for f, good, bad in ((p.frees_local, 0, 1), (p.frees_local.grad, 0, 1), (p.frees_odd, 0, 3), (p.moves_local, 0, 1)):
            print(ends(f, 3.0, good), ends(f, 3.0, bad).split("(")[0])
        q = em.compile_c(p.sources[0].text, isolate=True)
        print(ends(q.moves_local, 3.0, 0), ends(q.moves_local, 3.0, 1).split("(")[0], q.good(2.0))
        """
    )
    wrong = "EM414 free or realloc in {} is given {} "
    local, odd = "the address of a local variable", "no address that a block can have"
    assert said == [
        f"value 9.0 {wrong.format('frees_local', local)}",
        f"value 6.0 {wrong.format('the derivative of frees_local', local)}",
        f"value 9.0 {wrong.format('frees_odd', odd)}",
        f"value 9.0 {wrong.format('moves_local', local)}",
        f"value 9.0 {wrong.format('moves_local', local)} 8.0",
    ]
