"""Each case of what a kernel survives, in one real kernel: how the case ends, that the next cell is answered, and that the case
without its fault compiles and differentiates right. A refusal alone is no survival.

Here are the cases of one cell each. Those beside a call (timers, threads, descriptors): test_kernel_beside.py. Interrupts and what
is isolated by a magic: test_kernel.py. Killed kernels: test_isolation.py, tests/frontend/test_orphans.py. Ways in which files are
damaged: tests/artifacts/test_store.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.runtime.test_kernel import Kernel, started

START = """
import gc, glob, os, pickle, threading, time
import numpy as np
import enzyme_magic as em

def ends(call, *arguments):
    try:
        call(*arguments)
    except em.EnzymeError as error:
        return error.code
    except KeyboardInterrupt:
        return "interrupted"
    return "a value"

def in_a_thread(call, *arguments):
    said = []
    thread = threading.Thread(target=lambda: said.append(ends(call, *arguments)))
    thread.start()
    thread.join()
    return said[0]

def wait():
    # while timers run out: of time, and of time spent
    until = time.monotonic() + 0.1
    while time.monotonic() < until:
        pass

def limited(call, *arguments):
    with em.time_limit(0.05):
        call(*arguments)
"""
# What most cases ask: the function, and its gradient.
BOTH = "print(ends(p.f, 3.0, 0), ends(em.grad(p.f, wrt='x'), 3.0, 0))"
SQUARE = "print(p.f(3.0, 1), em.grad(p.f, wrt='x')(3.0, 1))"


@dataclass(frozen=True, slots=True)
class Case:
    """text: C with a fault, between « and », and behind a | what stands there in the repaired text. asked: Python that
    prints how it ends. options: of both compilations."""

    text: str
    ends: str
    asked: str = BOTH
    options: str = ""
    repaired: str = SQUARE
    value: str = "9.0 6.0"

    @property
    def texts(self) -> tuple[str, str]:
        faulty = fixed = self.text
        while "«" in fixed:
            before, _, rest = fixed.partition("«")
            inside, _, after = rest.partition("»")
            fixed = before + inside.partition("|")[2] + after
        while "«" in faulty:
            before, _, rest = faulty.partition("«")
            inside, _, after = rest.partition("»")
            faulty = before + inside.partition("|")[0] + after
        return faulty, fixed


F = "double f(double x, int k) {{ {} }}"
LOOPS = "for (volatile long n = 0; «1|n < 10»; n++) ; return x * x;"
COMPILED = "print(ends(em.compile_c, text))"  # is refused
CASES = {
    # 1: by compiling
    "a loop that never ends": Case(
        F.format("for («unsigned|int» i = 9; i >= 0; i--) x += «i|0»; return x * x;"), "EM408 EM408"
    ),
    "a store to null": Case(F.format("«*(double *)0 = x;|» return x * x;"), "EM408 EM408"),
    "what is unreachable": Case(F.format("«__builtin_unreachable();|» return x * x;"), "EM408 EM408"),
    "a label of LLVM": Case(
        'double g(double) «__asm__("llvm.foo")|»; double g(double x) { return x; }' + F.format("return x * x;"),
        "EM123",
        COMPILED,
    ),
    "a name of the linker": Case(f"double «__dso_handle|own» = 3; {F.format('return x * x;')}", "EM123", COMPILED),
    "a section of the linker": Case(
        'double g __attribute__((section("«.text|own»"))) = 3; ' + F.format("return x * x;"), "EM123", COMPILED
    ),
    "matrices": Case(
        "«typedef double m __attribute__((matrix_type(2, 2)));|» "
        + F.format("«m a; for (int i = 0; i < 4; i++) a[i / 2][i % 2] = x; return (a * a)[0][1];|return x * x;»"),
        "EM125",
        "print(ends(lambda: em.compile_c(text, compile_args=['-fenable-matrix'])))",
        "compile_args=['-fenable-matrix']",
    ),
    "IR with a fault": Case(
        F.format("return x * x;"),
        "True True",
        "ir = em.compile_c(text).compiled.record.input_ir\n"
        "broken = ir.replace('ret double', 'ret float'), ir.replace('fmul double', 'fmul <3 x i7>')\n"
        "print(*(ends(em.compile_ir, one).startswith('EM') for one in broken))",
    ),
    "a pickle with a fault": Case(
        F.format("return x * x;"),
        "True",
        "data = pickle.dumps(em.compile_c(text))\n"
        "broken = data.replace(b'ret double', b'ret dauble')\nprint(data == broken or ends(pickle.loads, broken).startswith('EM'))",
        repaired="p = pickle.loads(pickle.dumps(p))\n" + SQUARE,
    ),
    "no report": Case(
        F.format("return x * x;"),
        "EM334",
        "print(ends(em.Report.from_json, '[' * 100_000))",
        repaired="print(em.Report.from_json(p.f.report.to_json()) == p.f.report)",
        value="True",
    ),
    "an error that clang would have found": Case(
        '«__attribute__((error("never"))) |»void g(void) «;|{}» ' + F.format("g(); return x * x;"), "EM125", COMPILED
    ),
    "an included device": Case('«#include "/dev/zero"\n|»' + F.format("return x * x;"), "EM115", COMPILED),
    # 2: signals
    "SIGSEGV": Case(F.format("«*(volatile double *)8 = x;|» return x * x;"), "EM408 EM408"),
    "SIGFPE": Case(F.format("return x * x * (2 / «k|(k + 1)»);"), "EM408 EM408"),
    "SIGBUS": Case("#include <signal.h>\n" + F.format("«raise(SIGBUS);|» return x * x;"), "EM408 EM408"),
    "SIGILL": Case(F.format("«__builtin_trap();|» return x * x;"), "EM408 EM408"),
    "SIGTRAP": Case(F.format("«__builtin_debugtrap();|» return x * x;"), "EM408 EM408"),
    "SIGABRT": Case("#include <signal.h>\n" + F.format("«raise(SIGABRT);|» return x * x;"), "EM408 EM408"),
    "abort": Case("#include <stdlib.h>\n" + F.format("«abort();|» return x * x;"), "EM402 EM402"),
    "a failed assert": Case("#include <assert.h>\n" + F.format("assert(k «|+ 1»); return x * x;"), "EM403 EM403"),
    "exit": Case("#include <stdlib.h>\n" + F.format("«exit(3);|» return x * x;"), "EM401 EM401"),
    "an end by err": Case("#include <err.h>\n" + F.format('«errx(3, "bad");|» return x * x;'), "EM401 EM401"),
    "an end by a system call": Case(
        "#include <unistd.h>\n#include <sys/syscall.h>\n" + F.format("«syscall(SYS_exit_group, 3);|» return x * x;"),
        "EM401 EM401",
    ),
    "another program": Case(
        "#include <unistd.h>\n" + F.format('«execl("/bin/true", "true", (char *)0);|» return x * x;'), "EM401 EM401"
    ),
    "a signal by a system call": Case(
        "#include <unistd.h>\n#include <signal.h>\n#include <sys/syscall.h>\n"
        + F.format("«syscall(SYS_tgkill, getpid(), (int)syscall(SYS_gettid), SIGTERM);|» return x * x;"),
        "EM408 EM408",
    ),
    "signals that are blocked": Case(
        "#include <signal.h>\n"
        + F.format(
            "sigset_t s; sigfillset(&s); sigprocmask(SIG_BLOCK, &s, 0); «*(volatile int *)8 = 1;|» sigemptyset(&s); "
            "sigprocmask(SIG_SETMASK, &s, 0); return x * x;"
        ),
        "EM408 EM408",
    ),
    **{
        f"a constructor that {name}": Case(
            "#include <stdlib.h>\nstatic double w; __attribute__((constructor)) static void first(void) { w = 1; "
            f"«{body}|» }} " + F.format("return x * x * w;"),
            code,
            "print(ends(p.f, 3.0, 1))",
        )
        for name, body, code in (
            ("crashes", "*(volatile int *)8 = 1;", "EM408"),
            ("ends the process", "exit(3);", "EM401"),
            ("aborts", "abort();", "EM402"),
        )
    },
    "a constructor that never ends": Case(
        "__attribute__((constructor)) static void first(void) { for (volatile int k = «1|0»; k; ) ; } "
        + F.format("return x * x;"),
        "EM410",
        "print(ends(limited, p.f, 3.0, 0))",
    ),
    "the end of a thread": Case(
        "#include <pthread.h>\n" + F.format("«pthread_exit(0);|» return x * x;"),
        "EM401 EM401 EM401",
        "print(ends(p.f, 3.0, 0), ends(em.grad(p.f, wrt='x'), 3.0, 0), in_a_thread(p.f, 3.0, 0))",
    ),
    "a jump to nowhere": Case(F.format("«((void (*)(void))8)();|» return x * x;"), "EM408 EM408"),
    "a jump that nobody has prepared": Case(
        "#include <setjmp.h>\nstatic jmp_buf b; " + F.format("«if (!k) longjmp(b, 1);|» return x * x;"),
        "EM408",
        "print(ends(p.f, 3.0, 0))",
    ),
    "a return address that is overwritten": Case(
        "static __attribute__((noinline)) void g(long *k) { «((void *volatile *)__builtin_frame_address(0))[1] = (void *)k[0];|» }"
        + F.format("long to[] = {16}; g(to); return x * x;"),
        "EM408",
        "print(ends(p.f, 3.0, 0))",
    ),
    "in another thread": Case(
        F.format("«*(volatile double *)8 = x;|» return x * x;"),
        "EM408 EM408",
        "print(in_a_thread(p.f, 3.0, 0), in_a_thread(p.f.grad, 3.0, 0))",
    ),
    "behind faulthandler": Case(
        F.format("«*(volatile double *)8 = x;|» return x * x;"),
        "EM408 EM408",
        "import faulthandler\nfaulthandler.enable()\n" + BOTH,
    ),
    "a deep recursion": Case(
        "static double g(double x, long n) { return n ? g(x, n - 1) + 0 * g(x / 2, n / 2) : x; }"
        + F.format("return g(x, «1l << 40|3») * x;"),
        "EM406 EM406",
    ),
    "a large array": Case(
        F.format("volatile double a[«1100][1100|11][11»]; a[k][1] = x; double y = a[k][1]; return y * x;"),
        "EM406",
        "print(ends(p.f, 3.0, 0))",
        repaired="print(p.f(3.0, 1))",
        value="9.0",
    ),
    "an array that is too large for its gradient": Case(
        F.format(
            "double a[«800][800|8][8»]; for (int i = 0; i < 8; i++) for (int j = 0; j < 8; j++) a[i][j] = x + k * i; "
            "for (int i = 0; i < 7; i++) for (int j = 0; j < 7; j++) a[i][j] *= a[j][i + 1] / x; return a[k][0] * x;"
        ),
        "EM406",
        "print(ends(em.grad(p.f, wrt='x'), 3.0, 0))",
        repaired="print(em.check_grads(p.f, (3.0, 1)) is not None)",
        value="True",
    ),
    "an array of variable length": Case(
        F.format("volatile double a[«(1l << 21) + k|9 + k»]; a[k] = x; return a[k] * x;"),
        "EM406",
        "print(ends(p.f, 3.0, 0))",
        repaired="print(p.f(3.0, 1))",
        value="9.0",
    ),
    "free of a variable": Case(
        "#include <stdlib.h>\n"
        + F.format(
            "double a[2] = { x, x }, *p = malloc(16); p[0] = p[1] = x; "
            "double *q = «k ? p : a|p», y = q[0] * q[1]; free(q); return y;"
        ),
        "EM414 EM414",
    ),
    "realloc of a variable": Case(
        "#include <stdlib.h>\n"
        + F.format(
            "double a[2] = { x, x }, *p = malloc(16); p[0] = p[1] = x; "
            "double *q = realloc(«k ? p : a|p», 64), y = q[0] * q[1]; free(q); return y;"
        ),
        "EM414 EM414",
    ),
    # 3: limits
    "a limit of time": Case(
        F.format(LOOPS),
        "EM410 EM410 EM410 EM410 EM410",
        "print(*(ends(limited, *call) for call in ((p.f, 3.0, 0), (p.f.grad, 3.0, 0), (p.f.map, [3.0, 4.0], 0), "
        "(em.check_grads, p.f, (3.0, 0)), "
        "(em.vmap(p.f, in_axes=(0, None)), np.ones(2), 0))))",
    ),
    "a limit of time in another thread": Case(F.format(LOOPS), "EM410", "print(in_a_thread(limited, p.f, 3.0, 0))"),
    # 4: isolated
    "isolated: a block given back twice": Case(
        "#include <stdlib.h>\n" + F.format("char *volatile p = malloc(9); free(p); «free(p);|» return x * x;"),
        "EM411 EM411",
        options="isolate=True",
    ),
    "isolated: a crash in printf": Case(
        "#include <stdio.h>\n" + F.format('static char b[9]; snprintf(b, 9, "%s", «(char *)8|"1"»); return x * x;'),
        "EM411 EM411",
        options="isolate=True",
    ),
    "isolated: a limit of time": Case(
        F.format(LOOPS), "EM410", "print(ends(limited, p.f, 3.0, 0))", options="isolate=True"
    ),
    "isolated: a thread of C's that crashes": Case(
        "#include <pthread.h>\nstatic void *run(void *p) { «*(volatile int *)8 = 1;|» return p; }"
        + F.format("pthread_t t; pthread_create(&t, 0, run, 0); pthread_join(t, 0); return x * x;"),
        "EM408",
        "print(ends(p.f, 3.0, 0))",
        options="isolate=True",
        repaired="print(p.f(3.0, 1))",
        value="9.0",
    ),
    "isolated: a constructor that ends the process": Case(
        "extern void _exit(int); __attribute__((constructor)) static void first(void) { «_exit(7);|» } "
        + F.format("return x * x;"),
        "EM411 EM411",
        options="isolate=True",
    ),
    # 5: fork
    "a child that C forks": Case(
        "#include <unistd.h>\n#include <sys/wait.h>\n"
        + F.format("«int s = 0; if (!fork()) return 0; wait(&s); return WEXITSTATUS(s) ? 1 : x * x;|return x * x;»"),
        "9.0",
        "print(p.f(3.0, 0))",
    ),
    # 6: options
    "a shape that is none": Case(
        "double f(double *x, int k) { return x[0] * x[0]; }",
        "True True",
        "print(*(ends(lambda: em.compile_c(text, shape={'x': shape})).startswith('EM') for shape in ('n+', '9**9**9')))",
        "shape={'x': 'k'}",
        "print(p.f(np.array([3.0]), 1), p.f.grad(np.array([3.0]), 1))",
        "9.0 [6.]",
    ),
    # 7: the sanitizer
    "checked: an index": Case(
        F.format("double a[2] = { x, x }; return a[k «+ 2|»] * x;"), "EM413 EM413", options="sanitize=True"
    ),
    "checked: an index of an array parameter": Case(
        "double f(int n, const double x[n]) { double s = 0; for (int i = 0; i «<=|<» n; i++) s += x[i] * x[i]; return s; }",
        "EM413 EM413",
        "print(ends(p.f, np.ones(3)), ends(p.f.grad, np.ones(3)))",
        "sanitize=True",
        "print(p.f(np.ones(3)), p.f.grad(np.ones(3)))",
        "3.0 [2. 2. 2.]",
    ),
    "checked: a division": Case(F.format("return x * x * (1 / «k|1»);"), "EM413 EM413", options="sanitize=True"),
    "checked: a shift": Case(F.format("return x * x * (1 << («40 +|0 *» k));"), "EM413 EM413", options="sanitize=True"),
    "checked: a sum": Case(
        F.format("return x * x * ((«2147483647|0» + k + 1) > 0);"), "EM413 EM413", options="sanitize=True"
    ),
    "checked: what was never written": Case(
        F.format("double y«|= 0»; if (k) y = x; return x * y;"), "EM413 EM413", options="sanitize=True"
    ),
    "checked: what was never written of a block": Case(
        "#include <stdlib.h>\n"
        + F.format("double *p = malloc(16); if (k «|>= 0») p[1] = x; double y = p[1]; free(p); return x * y;"),
        "EM413 EM413",
        options="sanitize=True",
    ),
    # 8: the disk
    **{
        name: Case(
            F.format("return x * x;"),
            "9.0 6.0",
            "em.compile_c(text).f(3.0, 1)\n"
            "kept = glob.glob(os.path.join(os.environ['ENZYME_MAGIC_CACHE_DIR'], '**', 'manifest*'), recursive=True)\nassert kept\n"
            f"for place in kept:\n    os.unlink(place)\n    {damaged}\np = em.compile_c(text)\n{SQUARE}",
        )
        for name, damaged in {
            "a manifest that is a pipe": "os.mkfifo(place)",
            "a manifest that is a link": "os.symlink('/dev/zero', place)",
            "a manifest that is deeply nested": "open(place, 'w').write('[' * 60_000)",
            "a manifest that is huge": "os.truncate(os.open(place, os.O_CREAT | os.O_RDWR, 0o600), 1 << 40)",
        }.items()
    },
    # 9: memory
    "programs that nobody refers to": Case(
        F.format("return x * x;"),
        "True",
        "from enzyme_magic.backend.llvm.objects import code_ranges\ngc.collect()\nbefore = len(code_ranges._known)\n"
        "for k in range(5):\n    q = em.compile_c(text + f'int g(void) {{ return {k}; }}')\n    q.f.grad(3.0, 1)\n"
        "del q\ngc.collect()\nprint(len(code_ranges._known) <= before)",
    ),
    # 11: errors that are ours
    "another name in assembly": Case(
        'double f(double x, int k) «__asm__("other")|»; ' + F.format("return x * x;"),
        "EM",
        "print(ends(em.compile_c, text)[:2])",
    ),
    "clones for processors": Case(
        '«__attribute__((target_clones("avx2", "default")))|» ' + F.format("return x * x;"), "9.0 6.0", SQUARE
    ),
    "a choice between functions": Case(
        "static double g(double x, int k) { return x * x; } "
        '«static double (*choice(void))(double, int) { return g; } double f(double, int) __attribute__((ifunc("choice")));|'
        "double f(double x, int k) { return g(x, k); }»",
        "EM123",
        COMPILED,
    ),
    "registers for arguments": Case(
        "double g(double x) { return x; } «__attribute__((regcall))|» " + F.format("return x * x;"),
        "True",
        "p = em.compile_c(text)\nprint('f' not in p)",
    ),
    "an integer of 128 bits": Case(
        "double f(double x, «__int128|int» k) { return x * x; }",
        "EM EM",
        "print(ends(p.f, 3.0, 1)[:2], ends(p.f.grad, 3.0, 1)[:2])",
    ),
    "an integer of 77 bits": Case(
        "double f(double x, «_BitInt(77)|int» k) { return x * x; }",
        "EM EM",
        "print(ends(p.f, 3.0, 1)[:2], ends(p.f.grad, 3.0, 1)[:2])",
    ),
    "a float of 128 bits": Case(
        "double f(«__float128|double» x, int k) { return x * x; }",
        "EM EM",
        "print(ends(p.f, 3.0, 1)[:2], ends(lambda: p.f.grad(3.0, 1))[:2])",
    ),
    "a setting with a unit that is none": Case(
        F.format("return x * x;"),
        "EM 8589934592",
        "from enzyme_magic.config import read_settings\nlimits = [{'ENZYME_MAGIC_TAPE_LIMIT': word} for word in ('8X', '8G')]\n"
        "print(ends(read_settings, limits[0])[:2], read_settings(limits[1]).tape_limit)",
    ),
    "a name that is not ASCII": Case(
        "double f(double x, int k) { double größe = x; return größe * «größer|größe»; }",
        "EM",
        "print(ends(em.compile_c, text)[:2])",
    ),
    "a definition that is none": Case(
        F.format("return x * x;"), "EM", "print(ends(lambda: em.compile_c(text, define=3))[:2])"
    ),
    "an option that takes a word": Case(
        F.format("return x * x;"),
        "EM117 EM117",
        "print(*(ends(lambda: em.compile_c(text, compile_args=words)) for words in "
        "(['-dependency-file'], ['-Xclang', '-dependency-file'])))",
    ),
    "a long line": Case(F.format("return x * «" + "y" * 20_000 + "|x»;"), "EM", "print(ends(em.compile_c, text)[:2])"),
    # 12: numerical health
    "a NaN": Case(
        "#include <math.h>\n" + F.format("return «sqrt(x - 4)|x» * x;"),
        "True",
        "print('sqrt' in str(p.f.trace_nan(3.0, 0)))",
    ),
    "a NaN in the gradient": Case(
        "#include <math.h>\n"
        + F.format(
            "return «sqrt(x - 3)|x» * x * (x «- 3|»);",
        ),
        "True",
        "print('sqrt' in str(p.f.trace_nan(3.0, 0)))",
        value="27.0 27.0",
    ),
}


# Inside the C library, which may hold a lock, nothing can be left: only a worker can be given up.
IN_THE_LIBRARY = """#include <stdio.h>
#include <stdlib.h>
double twice(double x) { char *volatile p = malloc(9); free(p); free(p); return x; }
double says(double x) { printf("%s", (char *)8); return x; }
double good(double x) { return x * x; }"""


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    folder = tmp_path_factory.mktemp("home")
    with started(folder, ENZYME_MAGIC_CACHE_DIR=str(folder / "kept")) as made:
        assert made.answer(START) == ("ok", "")
        yield made


def survives(kernel: Kernel, case: Case) -> None:
    faulty, fixed = case.texts
    compiles = f"p = em.compile_c(text, {case.options})\n" if "p." in case.asked and "p = " not in case.asked else ""
    status, said = kernel.answer(f"text = {faulty!r}\n{compiles}{case.asked}")
    assert (status, case.ends in said.splitlines()) == ("ok", True), said  # a worker may have said something, too
    assert kernel.answer("print('here')") == ("ok", "here\n")
    assert kernel.answer(f"text = {fixed!r}\np = em.compile_c(text, {case.options})\n{case.repaired}") == (
        "ok",
        f"{case.value}\n",
    )


@pytest.mark.parametrize("name", CASES)
def test_the_kernel_survives(kernel: Kernel, name: str) -> None:
    survives(kernel, CASES[name])


# What must be inlined grows as the powers of two; told when LLVM begins.
GROWS = """
from enzyme_magic.backend.llvm.apart import worker
def told(*asked, work=worker.work, **options):
    print("running", flush=True)
    return work(*asked, **options)
worker.work = told
def text(levels):
    always = "static inline __attribute__((always_inline)) double"
    chain = "".join(f"{always} g{k + 1}(double x) {{ return g{k}(x) + g{k}(x + {k}); }}" for k in range(levels))
    return f"{always} g0(double x) {{ return x * x; }} {chain} double f(double x) {{ return g{levels}(x); }}"
"""


def test_an_interrupt_ends_llvm(kernel: Kernel) -> None:
    assert kernel.answer(GROWS) == ("ok", "")
    name, _ = kernel.answer("em.compile_c(text(24))", interrupt=True)
    assert name == "KeyboardInterrupt"
    assert kernel.answer("p = em.compile_c(text(1))\nprint(p.f(3.0), p.f.grad(3.0))") == ("ok", "18.0 12.0\n")


@pytest.mark.parametrize("times", [2, pytest.param(100, marks=pytest.mark.nightly)])
def test_crashes_inside_malloc_and_printf_again_and_again(kernel: Kernel, times: int) -> None:
    cell = f"p = em.compile_c({IN_THE_LIBRARY!r}, isolate=True)\nprint({{ends(p[name], 1.0) "
    cell += f"for name in ('twice', 'says') for _ in range({times})}})"
    status, said = kernel.answer(cell)
    assert (status, said.splitlines()[-1]) == ("ok", "{'EM411'}"), said
    assert kernel.answer("print(p.good(3.0), p.good.grad(3.0))") == ("ok", "9.0 6.0\n")
