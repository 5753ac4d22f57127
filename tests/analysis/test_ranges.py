"""What a call is certain to touch: formulas, and the accesses themselves at the edge of a page that may not be touched."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import enzyme_magic as em
from enzyme_magic.backend.native import MemoryNeed

SOURCE = """
#include <stddef.h>
#include <string.h>
typedef struct { double x; int k; } P;
double dot(const double *x, const double *y, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i]*y[i]; return s; }
double unsigned_index(const float *x, unsigned n) { double s = 0; for (unsigned i = 0; i < n; i++) s += x[i]; return s; }
double size(const double *x, size_t n) { double s = 0; for (size_t i = 0; i < n; i++) s += x[i]; return s; }
double matrix(const double *A, int n, int m) {
    double s = 0;
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s += A[i*m + j];
    return s;
}
double packed(const double *A, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) s += A[i*(i + 1)/2 + j];
    return s;
}
double below(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) s += x[j];
    return s;
}
double fixed(const double *x) { return x[3]; }
double guarded(const double *x, int n) { if (n > 4) return x[n]; return 0; }
double pairs(const double *x, int n, int m) { if (n < m && m > 2) return x[m - n]; return 0; }
void zero(double *x, int n) { for (int i = 0; i < n; i++) x[i] = 0; }
void copy(double *x, const double *y, size_t n) { memcpy(x, y, n*sizeof *x); }
double backwards(const double *x, int n) { double s = 0; for (int i = n - 1; i >= 0; i--) s += x[i]; return s; }
double every_second(const double *x, int n) { double s = 0; for (int i = 0; i < n; i += 2) s += x[i]; return s; }
void stencil(const double *x, double *y, int n) { for (int i = 1; i < n - 1; i++) y[i] = x[i-1] - 2*x[i] + x[i+1]; }
double walking(const double *x, int n) { double s = 0; while (n-- > 0) s += *x++; return s; }
double to_the_end(const double *x, int n) { double s = 0; for (const double *e = x + n; x != e; x++) s += *x; return s; }
double halves(const double *x, int n) { double s = 0; for (int i = 0; i < n/2; i++) s += x[2*i + 1]; return s; }
double once(const double *x, int n) { double s = 0; int i = 0; do { s += x[i]; i++; } while (i < n); return s; }
double shorter(const double *x, int n, int m) { double s = 0; for (int i = 0; i < n && i < m; i++) s += x[i]; return s; }
double fields(const P *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i].k; return s; }
double asserted(const double *x, int n) { assert(n < 100); double s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }
double second_loop(const double *x, const double *y, int n, int m) {
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i];
    for (int j = 0; j < m; j++) s -= y[j];
    return s;
}
double extended(const long double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }
double wraps(const double *x, size_t n, size_t m) { if (n - 1 < m) return x[m]; return 0; }

double search(const double *x, int n) { for (int i = 0; i < n; i++) if (x[i] < 0) return x[i]; return 0; }
double chosen(const double *x, const int *k, int n) { double s = 0; for (int i = 0; i < n; i++) if (k[i]) s += x[i]; return s; }
double indirect(const double *x, const int *k, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[k[i]]; return s; }
double early(const double *x, const double *y, int n) { if (x[0] < 0) return 0; return y[n]; }
double length(const char *x) { return (double)strlen(x); }
double doubling(const double *x, int n) { double s = 0; for (int i = 1; i < n; i *= 2) s += x[i]; return s; }
"""
LEVELS = (0, 1, 2, 3)
# function: {parameter: elements needed by the integer arguments in order}
NEEDED = {
    "dot": {"x": lambda n: n, "y": lambda n: n},
    "unsigned_index": {"x": lambda n: n},
    "size": {"x": lambda n: n},
    "matrix": {"A": lambda n, m: n * m},
    "packed": {"A": lambda n: n * (n + 1) // 2},
    "below": {"x": lambda n: max(n - 1, 0)},
    "fixed": {"x": lambda: 4},
    "guarded": {"x": lambda n: n + 1 if n > 4 else 0},
    "pairs": {"x": lambda n, m: m - n + 1 if n < m and m > 2 else 0},
    "zero": {"x": lambda n: n},
    "copy": {"x": lambda n: n, "y": lambda n: n},
    "backwards": {"x": lambda n: n},
    "every_second": {"x": lambda n: (n - 1) // 2 * 2 + 1 if n else 0},
    "stencil": {"x": lambda n: n if n > 2 else 0, "y": lambda n: n - 1 if n > 2 else 0},
    "walking": {"x": lambda n: n},
    "to_the_end": {"x": lambda n: n},
    "halves": {"x": lambda n: n // 2 * 2},
    "once": {"x": lambda n: max(n, 1)},
    "shorter": {"x": lambda n, m: min(n, m)},
    "fields": {"x": lambda n: n},
    "asserted": {"x": lambda n: n},
    "second_loop": {"x": lambda n, m: n, "y": lambda n, m: m},
    "extended": {"x": lambda n: n},
}
UNKNOWN = ("search", "chosen", "indirect", "early", "length", "doubling")


@pytest.fixture(scope="module", params=LEVELS)
def p(request):
    return em.compile_c(SOURCE, opt=request.param)


def needs_of(p, function) -> tuple[MemoryNeed, ...]:
    return p.compiled.primal(function).needs


def elements(p, function, parameter, sizes) -> int:
    """The largest number of elements that some need asks for."""
    from enzyme_magic.backend.runtime.values.needs import _compiled

    signature = p.compiled.signatures[function]
    names = [q.name for q in signature.parameters]
    given = dict(zip([q.name for q in signature.parameters if not str(q.type).endswith("*")], sizes, strict=True))
    item = p[function].dtypes[parameter].itemsize
    asked = [
        _compiled(need, signature, names)(*[given[name] for name in need.names])
        for need in needs_of(p, function)
        if names[need.parameter] == parameter
    ]
    return -(-max(asked, default=0) // item)


def grid(function):
    count = next(iter(NEEDED[function].values())).__code__.co_argcount
    return (
        [()] if not count else [(n,) for n in range(8)] if count == 1 else [(n, m) for n in range(5) for m in range(5)]
    )


@pytest.mark.parametrize("function", NEEDED)
def test_what_is_needed(p, function):
    for parameter, wanted in NEEDED[function].items():
        found = [elements(p, function, parameter, sizes) for sizes in grid(function)]
        if function == "shorter" and not any(found):
            continue  # at level 0 the two tests are one value, which is not looked into
        assert found == [wanted(*sizes) for sizes in grid(function)], (parameter, needs_of(p, function))


@pytest.mark.parametrize("function", UNKNOWN)
def test_what_depends_on_data_is_not_asked_for(p, function):
    """Only what comes before the first look at data is certain."""
    assert elements(p, function, "x", (5,) if function != "length" else ()) <= 1
    if function == "early":
        assert elements(p, function, "y", (5,)) == 0


SCRIPT = """
import ctypes, itertools, json, os, signal, sys
import enzyme_magic as em
sys.path.insert(0, sys.argv[2])
source, needed, level = open(sys.argv[1]).read(), json.loads(sys.argv[3]), int(sys.argv[4])
p = em.compile_c(source, opt=level)
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
PAGE = 4096
def region():
    start = libc.mmap(None, 2*PAGE, 3, 0x22, -1, 0)
    assert libc.mprotect(start + PAGE, PAGE, 0) == 0
    return start + PAGE
end, free = region(), region() - 2048
survived = []
for function, parameter, item, sizes, wanted in needed:
    f = p[function]
    rest = iter(sizes)
    arguments = []
    for q in f.c_signature.parameters:
        if str(q.type).endswith("*"):
            short = q.name == parameter
            arguments.append(ctypes.c_void_p(end - item*(wanted - 1) if short else free))
        else:
            arguments.append(ctypes.c_size_t(next(rest)))
    native = ctypes.CFUNCTYPE(ctypes.c_double, *[type(a) for a in arguments])(f.address)
    child = os.fork()
    if not child:
        native(*arguments)
        os._exit(0)
    if os.waitpid(child, 0)[1] & 127 not in (signal.SIGSEGV, signal.SIGBUS):
        survived.append([function, parameter, sizes, wanted])
print(json.dumps(survived))
"""


@pytest.mark.parametrize("level", LEVELS)
def test_one_element_less_is_a_crash(level, tmp_path):
    """What is asked for is really touched: with one element less, each call runs into the forbidden page behind it."""
    source = tmp_path / "source.c"
    source.write_text(SOURCE)
    p = em.compile_c(SOURCE, opt=level)
    cases = []
    for function, parameters in NEEDED.items():
        for parameter in parameters:
            item = p[function].dtypes[parameter].itemsize
            for sizes in grid(function):
                wanted = elements(p, function, parameter, sizes)
                if wanted:
                    cases.append([function, parameter, item, sizes, wanted])
    assert len(cases) > 180
    root = str(Path(__file__).resolve().parents[2])
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(source), root, json.dumps(cases), str(level)],
        capture_output=True,
        text=True,
        check=True,
        cwd=root,
    )
    assert json.loads(done.stdout) == []


def test_unsigned_differences_that_wrap_ask_for_nothing(p):
    """n - 1 is huge for n = 0, so the access does not happen."""
    assert elements(p, "wraps", "x", (0, 5)) == 0
    assert elements(p, "wraps", "x", (1, 5)) in (0, 6)


def test_sizes_beyond_half_the_range_ask_for_nothing(p):
    assert elements(p, "unsigned_index", "x", (2**31,)) == 0
    assert elements(p, "size", "x", (2**63,)) == 0


def test_the_place_is_the_line_with_its_subscript(p):
    (need,) = [need for need in needs_of(p, "matrix") if need.parameter == 0]
    line = next(k for k, text in enumerate(SOURCE.splitlines(), 1) if "A[i*m + j]" in text)
    assert need.place == f"line {line} reads A[i*m + j]"
    assert need.elements in ("n*m", "m*n")
    (x, _) = needs_of(p, "dot")
    assert x.place.endswith("reads x[i], i < n")
    assert {need.place.split(" ", 2)[2] for need in needs_of(p, "stencil")} >= {"writes y[i], i < n - 1"}
