"""`overwritten_after` on C as people write it: which loads must be kept for the reverse sweep, and which line is to blame."""

from __future__ import annotations

import pytest

from enzyme_magic.backend.ir.instructions import Call

from .compiled import LEVELS, Compiled, both, compiled

LOOP = "void f(double *a, double *b, int n) {{ for (int i = 1; i < n; i++) {} }}"


def _floats(program: Compiled, name: str = "f") -> list[bool]:
    return [overwrite is not None for overwrite in program.overwrites(name)]


@pytest.mark.parametrize(
    ("body", "kept"),
    [
        ("a[i] = a[i] * 2;", False),
        ("a[i+1] = a[i] * 2;", True),  # the next iteration reads what was written and writes further on
        ("a[i-1] = a[i] * 2;", False),  # hit by the next iteration
        ("a[i+3] = a[i] * 2;", True),
        ("a[i-5] = a[i] * 2;", False),
        ("a[2*i+1] = a[2*i] * 2;", True),  # odd and even elements
        ("a[2*i-2] = a[2*i] * 2;", False),
        ("a[0] = a[i] * 2;", True),  # i begins at 1
        ("a[4] = a[i] * 2;", False),
        ("a[n-i] = a[i] * 2;", False),
        ("b[i] = a[i] * 2;", False),  # the caller may pass the same array twice
    ],
)
@pytest.mark.parametrize("level", LEVELS)
def test_one_loop(body: str, kept: bool, level: int) -> None:
    program = compiled(LOOP.format(body), level)
    in_loop = [
        program.alias("f").overwritten_after(load)
        for load in program.loads("f")
        if program.alias("f").loops.of(load.parent) is not None
    ]
    if level == 2 and not in_loop:
        pytest.skip("the load was forwarded from iteration to iteration")
    assert all((overwrite is None) == kept for overwrite in in_loop)


def test_counting_down_turns_the_distances_round() -> None:
    for program in both("void f(double *a, int n) { for (int i = n - 1; i > 0; i--) a[i-1] = a[i] * 2; }"):
        assert not any(_floats(program))
    assert all(_floats(compiled("void f(double *a, int n) { for (int i = n - 1; i > 0; i--) a[i+1] = a[i] * 2; }", 0)))


def test_an_outer_loop_comes_back() -> None:
    source = "void f(double *a, int n) { for (int t = 0; t < n; t++) for (int i = 0; i < n; i++) a[i+1] = a[i] * 2; }"
    assert all(_floats(compiled(source, 0)))


def test_restrict_keeps_the_input() -> None:
    source = "void f(const double *restrict a, double *restrict b, int n) { for (int i = 0; i < n; i++) b[i] = a[i] * a[i]; }"
    for program in both(source):
        assert not any(_floats(program))


def test_rows_of_a_matrix() -> None:
    source = """void f(double *h, long T, long H) {
      for (long t = 1; t < T; t++)
        for (long j = 0; j < H; j++) {
          double s = 0;
          for (long k = 0; k < H; k++) s += h[(t-1)*H+k];
          h[t*H+j] = s;
        }
    }"""
    for program in both(source):
        assert not any(_floats(program))


def test_rows_longer_than_their_stride_are_not_rows() -> None:
    source = """void f(double *h, long T, long H, long M) {
      for (long t = 1; t < T; t++) for (long j = 0; j < M; j++) h[t*H+j] = h[(t-1)*H+j] * 2; }"""
    for program in both(source):
        assert all(_floats(program))


def test_rows_of_a_fixed_matrix() -> None:
    source = """double f(double m[8][8]) {
      for (int i = 1; i < 8; i++) for (int j = 0; j < 8; j++) { double s = 0;
        for (int k = 0; k < 8; k++) s += m[i-1][k]; m[i][j] = s; } return 0; }"""
    assert not any(_floats(compiled(source, 0)))


def test_a_loop_that_breaks_does_not_prove_its_bound() -> None:
    source = """void f(double *a, unsigned long n) {
      for (unsigned long i = 0; i != n; i++) { a[i + n] = a[i] * 2; if (a[i] > 3) break; } }"""
    assert _floats(compiled(source, 0))[0]


def test_fields_of_an_array_of_structs() -> None:
    source = """struct p { double x, y; int k; }; void f(struct p *s, int n) {
    for (int i = 0; i < n; i++) s[i].y = s[i].x * s[i].k; }"""
    for program in both(source):
        assert not any(_floats(program))


def test_a_table_of_rows_survives_stores_to_the_rows() -> None:
    source = (
        "void f(double **A, int n) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) A[i][j] = A[i][j] * 2; }"
    )
    for program in both(source):
        assert program.overwrites("f", floating=False) == [None] * len(program.loads("f", floating=False))
        assert all(_floats(program))


def test_strict_aliasing_can_be_switched_off() -> None:
    from enzyme_magic.backend.analysis.memory.alias import Alias

    program = compiled("void f(double **A, long n) { A[0][n] = 2; A[1][n] = 3; }", 0)
    alias = Alias.of(program.function("f"), program.effects, program.layout, strict_aliasing=False)
    second = program.loads("f", floating=False)[0]
    assert program.alias("f").overwritten_after(second) is None
    assert alias.overwritten_after(second) is not None


def test_a_local_array_nobody_else_knows() -> None:
    source = (
        "double f(double *a, int n) { double t[4] = {1, 2}; a[n] = 1; double s = t[n & 1]; a[n + 1] = s; return s; }"
    )
    for program in both(source):
        alias = program.alias("f")
        local = [
            load for load in program.loads("f") if any(o.kind == "alloca" for o in alias.base_objects(load.pointer))
        ]
        assert local or program.level == 2
        assert all(alias.overwritten_after(load) is None for load in local)


def test_a_local_array_that_escaped() -> None:
    source = """void other(void); double *saved;
    double f(int n) { double t[4] = {1, 2}; saved = t; double s = t[n]; other(); return s; }"""
    for program in both(source):
        (overwrite,) = program.overwrites("f")
        assert overwrite is not None
        assert "other may change" in overwrite.sentence


def test_a_local_array_only_lent() -> None:
    source = """__attribute__((noinline)) static double sum(const double *p) { return p[0] + p[1]; }
    void other(void);
    double f(double *a, int n) { double t[4] = {a[0], a[1]}; double s = sum(t) * t[n]; other(); return s; }"""
    for program in both(source):
        alias = program.alias("f")
        local = [load for load in program.loads("f") if any(o.local for o in alias.base_objects(load.pointer))]
        assert local
        assert all(alias.overwritten_after(load) is None for load in local)


def test_free_counts_as_overwriting() -> None:
    source = """#include <stdlib.h>
    double f(double x, int n) { double *p = malloc(n * 8); p[n-1] = x; double s = p[n-2]; free(p); return s; }"""
    for program in [compiled(source, 0)]:
        (overwrite,) = program.overwrites("f")
        assert overwrite is not None
        assert overwrite.line == 2
        assert "free may free" in overwrite.sentence


def test_memset_and_memcpy_overwrite_what_they_cover() -> None:
    source = """#include <string.h>
    double f(double *a) { double s = a[0] + a[3]; memset(a + 2, 0, 16); return s; }"""
    for program in both(source):
        first, second = program.overwrites("f")
        assert first is None
        assert second is not None
        assert second.sentence == "line 2: memset may change a[3]"


def test_a_memcpy_of_unknown_length_goes_upwards() -> None:
    source = """#include <string.h>
    double f(double *a, const double *restrict b, long n) { double s = a[1] + a[4]; memcpy(a + 2, b, n); return s; }"""
    first, second = compiled(source, 0).overwrites("f")
    assert first is None
    assert second is not None


def test_the_answer_names_line_and_memory() -> None:
    source = """double f(double *a, int n) {
      double s = 0;
      for (int i = 0; i < n; i++) {
        s += a[i];
        a[i] = s;
      }
      return s; }"""
    for program in both(source):
        (overwrite,) = program.overwrites("f")
        assert overwrite is not None
        assert overwrite.sentence == "line 5 overwrites a[i]"
        assert overwrite.instruction is not None
        assert overwrite.instruction.opcode == "store"


def test_a_call_overwrites_through_its_argument() -> None:
    source = """__attribute__((noinline)) void set(double *p) { p[0] = 1; }
    double f(double *restrict a, double *restrict b) { double s = a[0] * b[0]; set(b); return s; }"""
    for program in both(source):
        first, second = program.overwrites("f")
        assert first is None
        assert second is not None
        assert "set may change *b" in second.sentence


def test_volatile_memory_may_change_at_any_time() -> None:
    (overwrite,) = compiled("double f(volatile double *a) { return *a; }", 0).overwrites("f")
    assert overwrite is not None
    assert "volatile" in overwrite.sentence


def test_constant_tables_never_change() -> None:
    source = "static const double t[3] = {1, 2, 3}; void g(void); double f(int i) { double s = t[i]; g(); return s; }"
    for program in both(source):
        assert program.overwrites("f") == [None]


def test_globals_change_in_unknown_calls_and_not_in_known_ones() -> None:
    source = """#include <math.h>
    double t[3]; void g(void);
    double f(int i) { double s = t[i]; return sin(s); }
    double h(int i) { double s = t[i]; g(); return s; }"""
    for program in both(source):
        assert program.overwrites("f") == [None]
        assert program.overwrites("h")[0] is not None


def test_what_the_caller_may_do_after_the_return() -> None:
    program = compiled("double f(double *a) { double t[2] = {1, 2}; int k = a[0] > 0; return t[k]; }", 0)
    alias = program.alias("f")
    argument, local = program.loads("f")
    assert alias.overwritten_after(argument) is None
    overwrite = alias.overwritten_after(argument, caller_may_write=True)
    assert overwrite is not None
    assert overwrite.instruction is None
    assert alias.overwritten_after(local, caller_may_write=True) is None


def test_what_the_caller_may_do_to_memory_that_is_given_back() -> None:
    source = """#include <stdlib.h>
    double **f(int k, double *o) { double **a = malloc(64), *b = malloc(64); a[k] = b; *o = b[k]; return a; }
    double g(int k) { double *b = malloc(64); double t = b[k]; free(b); return t; }"""
    program = compiled(source, 0)
    for name, changed in (("f", True), ("g", False)):
        (load,) = program.loads(name)
        frees = frozenset(i for i in program.alias(name).function.instructions() if isinstance(i, Call))
        found = program.alias(name).overwritten_after(load, caller_may_write=True, postponed=frees)
        assert (found is not None) is changed


def test_a_pointer_chosen_anew_in_each_iteration() -> None:
    source = """double f(double *a, double *b, int n) { double s = 0;
      for (int i = 0; i < n; i++) { double *p = i & 1 ? a : b; s += p[i]; p[i + 1] = s; } return s; }"""
    for program in both(source):
        assert any(_floats(program))


def test_goto_into_a_loop_is_answered_without_loops() -> None:
    source = """double f(double *a, double *b, int n) { double s = b[0]; int i = 0; if (n > 3) goto middle;
      top: s += a[i]; middle: a[i + 1] = s; i++; if (i < n) goto top; return s; }"""
    for program in both(source):
        loads = [program.alias("f").describe(load.pointer) for load in program.loads("f")]
        answers = dict(zip(loads, _floats(program), strict=True))
        assert answers["*b"]  # the two arrays may be one
        assert any(answers[name] for name in answers if name != "*b")


def test_restrict_survives_inlining_but_not_into_the_next_iteration() -> None:
    source = """static void axpy(double *restrict y, const double *restrict x) { y[0] = x[0] * x[0]; y[1] = x[1]; }
    void once(double *y, double *x) { axpy(y, x); }
    void often(double *p, int n) { for (int i = 0; i < n; i++) axpy(p + i, p + i + 2); }"""
    program = compiled(source, 2)
    assert program.calls("once", "axpy") == []
    assert not any(_floats(program, "once"))
    assert any(_floats(program, "often"))
