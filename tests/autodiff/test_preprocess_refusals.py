"""The closed list of refusals: every row of docs/refusals.md, at every level, in the modes it names; and nothing else is there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from enzyme_magic.backend import pipeline
from enzyme_magic.backend.autodiff.calls.request import Request
from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.config import Options
from enzyme_magic.errors import DifferentiationError

from .harness import LEVELS
from .runs import settings

PAGE = Path(__file__).resolve().parents[2] / "docs" / "refusals.md"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Differentiating f of `source` with respect to its first parameter gives `code` at `line`."""

    code: str
    line: int
    source: str
    modes: tuple[str, ...] = ("reverse", "forward")
    language: str = "c"
    compile_args: tuple[str, ...] = ()


OWN_SHADOWS = """
double norm(const double *x) { return x[0]; }
double augment_norm(const double *x, double *dx) { return x[0]; }
void gradient_norm(const double *x, double *dx, double seed) { dx[0] += seed; }
void *__enzyme_register_gradient_norm[3] = {norm, augment_norm, gradient_norm};
"""
REFUSALS = {
    "exception": Refusal(
        "EM212",
        5,
        """void other(int);
static int count; static void done(double *p) { count++; }
double f(double x) {
    __attribute__((cleanup(done))) double t = x*2;
    other(1);
    return t*x;
}""",
        compile_args=("-fexceptions",),
    ),
    "computed_goto": Refusal(
        "EM213",
        4,
        """double f(double x, int n) {
    static void *labels[] = {&&a, &&b, &&c};
    int i = 0;
    goto *labels[n % 3];
a:  x = x*x; i++; if (i > 4) return x; goto *labels[(n + i) % 3];
b:  x = x + 1; i++; if (i > 4) return x; goto *labels[(n*i) % 3];
c:  return x;
}""",
    ),
    "setjmp": Refusal(
        "EM214",
        4,
        """#include <setjmp.h>
static jmp_buf place;
double f(double x) {
    if (setjmp(place)) return x*x;
    if (x > 1) longjmp(place, 1);
    return x;
}""",
    ),
    "longjmp_in_callee": Refusal(
        "EM214",
        5,
        """#include <setjmp.h>
jmp_buf place;
__attribute__((noinline)) static void leave(double x) { if (x > 1) longjmp(place, 1); }
double f(double x) {
    leave(x);
    return x*x;
}""",
    ),
    "builtin_setjmp": Refusal(
        "EM214",
        4,
        """static void *place[5];
__attribute__((noinline)) static void leave(void) { __builtin_longjmp(place, 1); }
double f(double x) {
    if (__builtin_setjmp(place)) return x*x;
    if (x > 1) leave();
    return x;
}""",
    ),
    "signal_handler": Refusal(
        "EM214",
        4,
        """#include <signal.h>
static void handler(int s) {}
double f(double x) {
    signal(3, handler);
    return x*x;
}""",
    ),
    "thread": Refusal(
        "EM214",
        5,
        """#include <pthread.h>
static void *work(void *p) { *(double *)p *= 2; return p; }
double f(double x) {
    pthread_t t;
    pthread_create(&t, 0, work, &x);
    pthread_join(t, 0);
    return x;
}""",
    ),
    "fork": Refusal("EM214", 2, "#include <unistd.h>\ndouble f(double x) { fork(); return x*x; }"),
    "atexit": Refusal(
        "EM214",
        4,
        """#include <stdlib.h>
static int count; static void last(void) { count++; }
double f(double x) {
    atexit(last);
    return x*x;
}""",
    ),
    "dlsym": Refusal(
        "EM214",
        4,
        """#define _GNU_SOURCE
#include <dlfcn.h>
double f(double x) {
    double (*g)(double) = dlsym(RTLD_DEFAULT, "sin");
    return g(x);
}""",
    ),
    "context": Refusal(
        "EM214", 3, "#include <ucontext.h>\nstatic ucontext_t c;\ndouble f(double x) { getcontext(&c); return x*x; }"
    ),
    "asm_goto": Refusal(
        "EM215",
        2,
        """double f(double x) {
    asm goto("jmp %l0" :::: there);
    return x;
there:
    return x*x;
}""",
    ),
    "address_space": Refusal(
        "EM216", 2, "double f(__attribute__((address_space(1))) double *x) {\n    return x[0]*x[0];\n}"
    ),
    "segment": Refusal("EM216", 3, "double f(double x) {\n    __seg_gs double *p = 0;\n    return *p*x;\n}"),
    "scalable_vector": Refusal(
        "EM218",
        7,
        """define double @f(double %x) !dbg !3 {
  %v = insertelement <vscale x 2 x double> poison, double %x, i64 0, !dbg !6
  %w = fmul <vscale x 2 x double> %v, %v, !dbg !6
  %r = extractelement <vscale x 2 x double> %w, i64 0, !dbg !6
  ret double %r, !dbg !6
}
""",
        language="llvm",
    ),
    "coroutine": Refusal(
        "EM219",
        7,
        """declare void @llvm.coro.end.async(ptr, i1, ...)
declare token @llvm.coro.id(i32, ptr, ptr, ptr)
declare ptr @llvm.coro.begin(token, ptr)
define double @f(double %x) !dbg !3 {
  %id = call token @llvm.coro.id(i32 0, ptr null, ptr null, ptr null), !dbg !6
  %h = call ptr @llvm.coro.begin(token %id, ptr null), !dbg !6
  ret double %x, !dbg !6
}
""",
        language="llvm",
    ),
    "fixed_address": Refusal(
        "EM230", 3, "double f(double x) {\n    double *p = (double *)4096;\n    *p = x*x;\n    return *p*x;\n}"
    ),
    "assembly": Refusal(
        "EM215",
        3,
        """double f(double x) {
    double y;
    __asm__("movsd %1, %0" : "=x"(y) : "x"(x));
    return y*x;
}""",
    ),
    "assembly_on_memory": Refusal(
        "EM215",
        3,
        """double f(double *x) {
    double a = x[0];
    __asm__ volatile("nop" ::: "memory");
    return a*x[0];
}""",
    ),
    "variable_arguments": Refusal(
        "EM217",
        10,
        """#include <stdarg.h>
__attribute__((noinline)) static double sum(int n, ...) {
    va_list a;
    va_start(a, n);
    double s = 0;
    for (int i = 0; i < n; i++) s += va_arg(a, double)*i;
    va_end(a);
    return s;
}
__attribute__((optnone, noinline)) double f(double x) { return ((double (*)(int, double, double))sum)(2, x, x*x); }""",
    ),
    "volatile_variable": Refusal(
        "EM220", 3, "double f(double x) {\n    volatile double y = x;\n    return y*y;\n}", ("reverse",)
    ),
    "volatile_memory": Refusal(
        "EM220",
        3,
        "double f(volatile double *x) {\n    double a = x[0];\n    x[1] = a*a; return x[1];\n}",
        ("reverse",),
    ),
    "atomic_load": Refusal(
        "EM220", 3, "double f(double *x) {\n    double y;\n    __atomic_load(x, &y, 5); return y*y;\n}", ("reverse",)
    ),
    "atomic_update": Refusal("EM220", 3, "double f(double x) {\n    _Atomic double y = x;\n    y += x*x; return y;\n}"),
    "atomic_exchange": Refusal(
        "EM220",
        3,
        "double f(double x) {\n    double r, y = 2;\n    __atomic_exchange(&y, &x, &r, 5);\n    return r*y;\n}",
    ),
    "atomic_exchange_of_a_constant": Refusal(
        "EM220",
        3,
        "double f(double *x) {\n    double r, z = 2;\n    __atomic_exchange(x, &z, &r, 5);\n    return r*x[0];\n}",
    ),
    "arithmetic_on_bits": Refusal(
        "EM220",
        4,
        """typedef union { float f; unsigned u; } Pun;
float f(float x) {
    Pun p = {x};
    p.u = 0x5f3759df - (p.u >> 1);
    return p.f*(1.5f - 0.5f*x*p.f*p.f);
}""",
    ),
    "external_function": Refusal("EM221", 2, "double other(double);\ndouble f(double x) { return other(x)*x; }"),
    "library_sort": Refusal(
        "EM222",
        4,
        """void qsort(void *, unsigned, unsigned, int (*)(const void *, const void *));
static int order(const void *a, const void *b) { double x = *(double *)a, y = *(double *)b; return (x > y) - (x < y); }
double f(double *x, long n) {
    qsort(x, n, sizeof *x, order);
    double s = 0;
    for (long i = 0; i < n; i++) s += x[i]*i;
    return s;
}""",
    ),
    "numbers_behind_a_header": Refusal(
        "EM224",
        7,
        """#include <stdlib.h>
#include <string.h>
struct header { double total; long n; };
double f(const double *x, int n) {
    struct header *h = malloc(sizeof *h + n*8), *g = malloc(sizeof *h + n*8); h->total = x[0]; h->n = n;
    for (int i = 0; i < n; i++) ((double *)(h + 1))[i] = x[i]*x[i];
    memcpy(g, h, sizeof *h + n*8);
    double s = g->total;
    for (int i = 0; i < n; i++) s += ((double *)(g + 1))[i];
    free(h); free(g);
    return s;
}"""
        + OWN_SHADOWS,
        modes=("reverse",),
    ),
    "array_of_one_that_is_longer": Refusal(
        "EM224",
        7,
        """#include <stdlib.h>
#include <string.h>
struct list { long n; double v[1]; };
double f(const double *x, int n) {
    struct list *h = malloc(sizeof *h + n*8), *g = malloc(sizeof *h + n*8); h->n = n;
    for (int i = 0; i < n; i++) h->v[i] = x[i]*x[i];
    memcpy(g, h, sizeof *h + n*8);
    double s = 0;
    for (int i = 0; i < n; i++) s += g->v[i]*g->n;
    free(h); free(g);
    return s;
}"""
        + OWN_SHADOWS,
        modes=("reverse",),
    ),
    "pointer_from_memory_of_integers": Refusal(
        "EM230",
        4,
        """#include <stdint.h>
double f(double *x, uintptr_t *kept) {
    kept[0] = (uintptr_t)x;
    for (int i = 1; i < 3; i++) kept[i] = kept[i - 1] + 8;
    double *p = (double *)kept[2];
    return p[0]*x[0];
}""",
    ),
    "function_pointer_from_outside": Refusal(
        "EM240",
        3,
        "double f(double x, long address) {\n    double (*g)(double) = (double (*)(double))address;\n    return g(x)*x;\n}",
    ),
}
DEBUG = """
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!5}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "test.c", directory: "/")
!2 = !DISubroutineType(types: !{})
!3 = distinct !DISubprogram(name: "f", file: !1, line: 6, type: !2, unit: !0, spFlags: DISPFlagDefinition)
!5 = !{i32 2, !"Debug Info Version", i32 3}
!6 = !DILocation(line: 7, column: 3, scope: !3)
"""


@cache
def compiled(name: str, level: int) -> pipeline.CompiledProgram:
    case = REFUSALS[name]
    options = Options(opt=level, compile_args=case.compile_args)
    return pipeline.compile_program([Source(case.source, "test.c")], options, settings(), "test.c")


def refusal_of_ir(text: str, mode: str) -> DifferentiationError:
    """The refusal of a function for which there is no C."""
    from enzyme_magic.backend.autodiff.calls.request import ACTIVE, COMBINED, FORWARD, FunctionRequest
    from enzyme_magic.backend.autodiff.derivation import Derivation
    from enzyme_magic.backend.program.program_module import ProgramModule

    program = ProgramModule.of(text + DEBUG, [Source("\n" * 20, "test.c")])
    derivation = Derivation(program.analyses, program.span_of)
    request = FunctionRequest("f", FORWARD if mode == "forward" else COMBINED, (ACTIVE,), ACTIVE)
    with pytest.raises(DifferentiationError) as caught:
        derivation.write_forward(request) if mode == "forward" else derivation.write(request)
    return caught.value


@pytest.mark.parametrize("name", REFUSALS)
def test_refused(name: str) -> None:
    case = REFUSALS[name]
    for level in LEVELS if case.language == "c" else LEVELS[:1]:
        for mode in case.modes:
            if case.language == "llvm":
                error = refusal_of_ir(case.source, mode)
            else:
                with pytest.raises(DifferentiationError) as caught:
                    compiled(name, level).derivative(Request("f", mode=mode, wrt=(0,)))
                error = caught.value
            assert (error.code, error.line) == (case.code, case.line), f"opt={level} {mode}: {error}"
            assert error.hint
            assert error.span is not None
            assert error.span.file == "test.c"


@pytest.mark.parametrize("name", [name for name, case in REFUSALS.items() if case.modes == ("reverse",)])
def test_forward_mode_takes_what_only_reverse_mode_refuses(name: str) -> None:
    compiled(name, 2).derivative(Request("f", mode="forward", wrt=(0,)))


def rows() -> list[tuple[str, str, set[str]]]:
    """(code, modes, test names) of every row of the page that names tests of this file."""
    found = []
    for line in PAGE.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")] if line.startswith("| EM") else []
        names = set(re.findall(r"`(\w+)`", cells[-1])) if len(cells) == 5 else set()
        if names:
            found.append((cells[0], cells[3], names))
    return found


def test_the_page_lists_these_refusals_and_no_other() -> None:
    listed = {name: (code, modes) for code, modes, names in rows() for name in names}
    assert set(listed) == set(REFUSALS)
    for name, (code, modes) in listed.items():
        assert code == REFUSALS[name].code, name
        assert (modes == "both") == (len(REFUSALS[name].modes) == 2) or name == "atomic_update", name
