"""What ends beside a call, or outlives it, and would take the kernel along: timers and their handlers, threads that C starts,
signals to other threads, descriptors and limits of the process. The rows are those of test_kernel_rows.py."""

from __future__ import annotations

import pytest

from tests.runtime.test_kernel import Kernel
from tests.runtime.test_kernel_rows import Case, F, kernel, survives

__all__ = ["kernel"]

CASES = {
    # signals that come later, or to another thread
    "a timer that nobody handles": Case(
        "#include <unistd.h>\n" + F.format("«ualarm(20000, 0); for (volatile int go = 1; go; ) ;|» return x * x;"),
        "EM408",
        "print(ends(p.f, 3.0, 0))",
    ),
    "a timer whose handler exits while the program sleeps": Case(
        "#include <stdlib.h>\n#include <signal.h>\n#include <unistd.h>\nstatic void quit(int s) { exit(s); }"
        + F.format("«signal(SIGALRM, quit); ualarm(20000, 0); sleep(9);|» return x * x;"),
        "EM401",
        "print(ends(p.f, 3.0, 0))",
    ),
    **{
        f"{name} when the call is over": Case(
            "#include <signal.h>\n#include <unistd.h>\n#include <sys/time.h>\n#include <time.h>\n"
            "static void note(int s) { *(volatile int *)8 = s; } static void tick(union sigval v) { note(0); } "
            + F.format("«" + body + "|» return x * x;"),
            "9.0",
            f"print(p.f(3.0, 0)){after}\nwait()",
        )
        for name, body, after in (
            ("a timer", "ualarm(20000, 0);", ""),
            (
                "a timer of time spent",
                "struct itimerval t = {{0, 9999}, {0, 9999}}; setitimer(ITIMER_PROF, &t, 0);",
                "",
            ),
            ("a handler that crashes", "signal(SIGALRM, note); ualarm(20000, 0);", ""),
            ("a handler that is unloaded", "signal(SIGALRM, note); ualarm(90000, 0);", "\ndel p\ngc.collect()"),
            *(
                (
                    f"a timer's {what}",
                    f"timer_t t; struct sigevent e = {{ .sigev_notify = {how}, .sigev_signo = SIGRTMIN }}; "
                    "e.sigev_notify_function = tick; timer_create(CLOCK_MONOTONIC, &e, &t); "
                    "struct itimerspec w = {{0, 0}, {0, 20000000}}; timer_settime(t, 0, &w, 0);",
                    "\nwait()\nprint(ends(p.f, 3.0, 0))",
                )
                for what, how in (("signal", "SIGEV_SIGNAL"), ("thread", "SIGEV_THREAD"))
            ),
        )
    },
    "a signal to the number of another thread": Case(
        "#include <signal.h>\n" + F.format("«if (k) kill(k, SIGTERM);|» return x * x;"),
        "EM408",
        "got = threading.Event()\nother = threading.Thread(target=got.wait)\nother.start()\n"
        "print(ends(p.f, 3.0, other.native_id))\ngot.set()",
    ),
    **{
        f"a thread of C's that {name}": Case(
            "#include <assert.h>\n#include <pthread.h>\n#include <signal.h>\n#include <stdlib.h>\n#include <unistd.h>\n"
            f"static void *run(void *p) {{ «{body}|*(double *)p *= 3;» return p; }}"
            + F.format("pthread_t t; double y = x; pthread_create(&t, 0, run, &y); pthread_join(t, 0); return y;"),
            code,
            "print(ends(p.f, 3.0, 0))",
            repaired="print(p.f(3.0, 1))",
            value="9.0",
        )
        for name, body, code in (
            ("crashes", "*(volatile int *)8 = 1;", "EM408"),
            ("exits", "exit(3);", "EM401"),
            ("aborts", "abort();", "EM402"),
            ("fails an assert", "assert(!p);", "EM403"),
            ("sends a signal", "kill(getpid(), SIGTERM);", "EM408"),
        )
    },
    "a standard thread of C's that crashes": Case(
        "#include <threads.h>\nstatic int run(void *p) { «*(volatile int *)8 = 1;|» return 3; }"
        + F.format("thrd_t t; int y; thrd_create(&t, run, 0); thrd_join(t, &y); return y * x;"),
        "EM408",
        "print(ends(p.f, 3.0, 0))",
        repaired="print(p.f(3.0, 1))",
        value="9.0",
    ),
    "a thread that crashes when its call is over": Case(
        "#include <pthread.h>\n#include <unistd.h>\n"
        "static void *run(void *p) { usleep(20000); «*(volatile int *)8 = 1;|» return p; }"
        + F.format("pthread_t t; pthread_create(&t, 0, run, 0); pthread_detach(t); return x * x;"),
        "EM408 a value",
        "p.f(3.0, 0)\nrun = p.f\ndel p\nwait()\nq = em.compile_c('double g(double x) { return x; }')\n"
        "print(ends(q.g, 3.0), ends(q.g, 3.0))",
        repaired="print(p.f(3.0, 1))",
        value="9.0",
    ),
    "threads that would write to the stack of a call that was left": Case(
        "#include <pthread.h>\n"
        "static void *fills(void *p) { for (volatile int go = 1; go; ) *(volatile double *)p += 1; return p; } "
        "static void *run(void *p) { *(volatile int *)8 = 1; return p; }"
        + F.format(
            "«double a[64] = {0}; pthread_t t, u; for (int i = 0; i < 4; i++) pthread_create(&t, 0, fills, a + i); "
            "pthread_create(&u, 0, run, 0); pthread_join(u, 0);|» return x * x;"
        ),
        "EM408",
        "print(ends(p.f, 3.0, 0))",
        repaired="print(p.f(3.0, 1))",
        value="9.0",
    ),
    "a thread that never ends": Case(
        "#include <pthread.h>\nstatic void *run(void *p) { for (volatile int go = «1|0»; go; ) ; return p; }"
        + F.format("pthread_t t; pthread_create(&t, 0, run, 0); pthread_join(t, 0); return x * x;"),
        "EM410",
        "print(ends(limited, p.f, 3.0, 0))",
        repaired="print(p.f(3.0, 1))",
        value="9.0",
    ),
    # what belongs to the kernel
    **{
        f"{name} is closed": Case(
            "#define _GNU_SOURCE\n#include <fcntl.h>\n#include <stdio.h>\n#include <sys/resource.h>\n#include <unistd.h>\n"
            "#include <sys/syscall.h>\nint close_range(unsigned, unsigned, int);\n"
            + F.format(f"«{body}|» return x * x;"),
            "EM415",
            "print(ends(p.f, 3.0, 0))",
        )
        for name, body in (
            ("the standard input", "close(0);"),
            ("what Python opened", "for (int i = 3; i < 1024; i++) close(i);"),
            ("a range", "close_range(3, ~0u, 0);"),
            ("a range, by a system call,", "syscall(SYS_close_range, 3, ~0u, 0);"),
            ("the standard output", "fclose(stdout);"),
            ("what a copy is put upon", 'dup2(open("/dev/null", O_RDWR), 2);'),
            ("a descriptor, by a system call,", "syscall(SYS_close, 1);"),
            ("the time of the processor", "struct rlimit r = {1, 1}; setrlimit(RLIMIT_CPU, &r);"),
        )
    },
    "what C itself has opened": Case(
        "#include <fcntl.h>\n#include <stdio.h>\n#include <unistd.h>\n"
        + F.format(
            '«int a = open("/dev/null", O_RDWR), b = dup(a), p[2]; pipe(p); dup2(a, b); FILE *f = fopen("/dev/null", "w"); '
            "return x * x + fclose(f) + close(a) + close(b) + close(p[0]) + close(p[1]);|return x * x;»"
        ),
        "9.0",
        "print(p.f(3.0, 0))",
    ),
    "isolated: all descriptors are closed": Case(
        "#include <unistd.h>\n" + F.format("«for (int i = 0; i < 1024; i++) close(i);|» return x * x;"),
        "EM411",
        "print(ends(p.f, 3.0, 0))",
        "isolate=True",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_kernel_survives(kernel: Kernel, name: str) -> None:
    survives(kernel, CASES[name])
