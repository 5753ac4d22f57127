"""What bytes hold: the talk's memcpy problem, unions, structs with padding, packed floats, pointers to pointers, calls."""

from __future__ import annotations

import pytest

from enzyme_magic.backend.analysis.types.type_tree import (
    ANYTHING,
    INTEGER,
    PADDING,
    POINTER,
    UNKNOWN,
    Concrete,
    Contents,
    TypeTree,
    Unknown,
    floating,
    merge,
)
from enzyme_magic.backend.ir.instructions import Call, Instruction, Load
from enzyme_magic.backend.ir.types import IntType

from .compiled import LEVELS, Compiled, both, compiled

DOUBLE, FLOAT = floating("double"), floating("float")


def _copies(program: Compiled, name: str = "f") -> list[Contents | Unknown]:
    return [
        program.types.copied(call) for call in program.calls(name, "llvm.memcpy") + program.calls(name, "llvm.memmove")
    ]


def _segments(contents: Contents | Unknown) -> list[tuple[int, int, Concrete]]:
    assert isinstance(contents, Contents), contents
    return [(s.offset, s.size, s.kind) for s in contents]


def _integer_loads(program: Compiled, name: str = "f", bits: int = 64) -> list[Load]:
    return [i for i in program.loads(name, floating=False) if isinstance(i.type, IntType) and i.type.bits == bits]


# --- the lattice and the trees


def test_merge() -> None:
    kinds = [UNKNOWN, PADDING, INTEGER, POINTER, FLOAT, DOUBLE, ANYTHING]
    for a in kinds:
        assert merge(a, a) == a
        assert merge(a, UNKNOWN) == a
        assert merge(a, ANYTHING) == ANYTHING or a in (UNKNOWN, PADDING)
        for b in kinds:
            assert merge(a, b) == merge(b, a)
    assert merge(FLOAT, DOUBLE) is None
    assert merge(INTEGER, POINTER) is None
    assert str(DOUBLE) == "Float@double"


def test_a_tree_answers_by_path() -> None:
    tree = TypeTree((((0,), POINTER), ((0, -1), DOUBLE)))
    assert str(tree) == "{[0]:Pointer, [0,-1]:Float@double}"
    assert tree.at(0) == POINTER
    assert tree.at(0, 40) == DOUBLE
    assert tree.at(8) == UNKNOWN
    assert tree.pointee == TypeTree((((-1,), DOUBLE),))


def test_a_verdict_is_no_truth_value() -> None:
    program = compiled("int f(int x) { return x; }", 0)
    with pytest.raises(TypeError, match="yes, no or unknown"):
        bool(program.types.carries_float(program.function("f").arguments[0]))


# --- the memcpy problem


@pytest.mark.parametrize("kind", ["float", "double", "long double", "int", "long", "double _Complex"])
@pytest.mark.parametrize("level", LEVELS)
def test_memcpy_of_arrays(kind: str, level: int) -> None:
    source = f"#include <string.h>\nvoid f({kind} *a, const {kind} *b, int n) {{ memcpy(a, b, n * sizeof *a); }}"
    program = compiled(source, level)
    (contents,) = _copies(program)
    expected = {
        "float": [(0, 4, FLOAT)],
        "double": [(0, 8, DOUBLE)],
        "long double": [(0, 10, floating("x86_fp80"))],
        "int": [(0, 4, INTEGER)],
        "long": [(0, 8, INTEGER)],
        "double _Complex": [(0, 8, DOUBLE)],  # two to an element
    }
    assert _segments(contents) == expected[kind]
    assert isinstance(contents, Contents)
    assert contents.period == {"float": 4, "int": 4, "long double": 16}.get(kind, 8)


def test_memcpy_of_a_constant_size_and_in_the_middle() -> None:
    source = """#include <string.h>
    void f(float *a, const float *b, int i) { memcpy(a + i, b + 3, 100 * sizeof *a); }
    void g(double *a, const double *b) { memmove(a + 1, b, 16000); }"""
    for program in both(source):
        assert _segments(_copies(program)[0]) == [(0, 400, FLOAT)]
        (moved,) = _copies(program, "g")
        assert isinstance(moved, Contents)
        assert (moved.period, moved.only()) == (8, DOUBLE)


def test_through_void_pointers_and_calls() -> None:
    source = """#include <string.h>
    __attribute__((noinline)) static void copy(void *a, const void *b, long n) { memcpy(a, b, n); }
    void f(float *x, float *y, int n) { copy(x, y, n * 4); }"""
    for program in both(source):
        assert _segments(_copies(program, "copy")[0]) == [(0, 4, FLOAT)]


def test_a_helper_used_for_two_types_is_unknown_inside_and_known_outside() -> None:
    source = """#include <string.h>
    __attribute__((noinline)) static void copy(void *a, const void *b, long n) { memcpy(a, b, n); }
    void f(float *x, float *y, double *k, double *l, int n) {
      copy(x, y, n * 4); copy(k, l, n * 8); memcpy(x, y, 8); memcpy(k, l, 16); }"""
    program = compiled(source, 0)
    assert isinstance(_copies(program, "copy")[0], Unknown)
    assert [_segments(c)[0][2] for c in _copies(program)] == [FLOAT, DOUBLE]


def test_bytes_nobody_typed_are_unknown() -> None:
    source = "#include <string.h>\nvoid f(void *a, void *b, char *c) { memcpy(a, b, 16); memcpy(a, c, 24); }"
    program = compiled(source, 0)
    for answer in _copies(program):
        assert isinstance(answer, Unknown)
        assert "nothing tells" in answer.reason


def test_malloc_is_typed_by_what_is_done_with_it() -> None:
    source = """#include <stdlib.h>
    #include <string.h>
    double f(double *b, int n) { void *p = malloc(n * 8); memcpy(p, b, n * 8); double *q = malloc(n * 8); memcpy(q, p, n * 8);
      double s = 0; for (int i = 0; i < n; i++) s += q[i]; free(p); free(q); return s; }
    float g(int n) { void *p = malloc(n), *q = malloc(n); for (int i = 0; i < n; i++) ((float *)p)[i] = i;
      memcpy(q, p, n * 4); float s = 0; for (int i = 0; i < n; i++) s += ((float *)q)[i]; return s; }"""
    program = compiled(source, 0)
    assert [_segments(c) for c in _copies(program)] == [[(0, 8, DOUBLE)], [(0, 8, DOUBLE)]]
    assert [_segments(c) for c in _copies(program, "g")] == [[(0, 4, FLOAT)]]


def test_realloc_in_a_structure() -> None:
    source = """#include <stdlib.h>
    #include <string.h>
    struct v { int n; double *data; };
    void push(struct v *v, double x) { v->data = realloc(v->data, (v->n + 1) * 8); v->data[v->n++] = x; }
    void copy(struct v *to, struct v *from) { memcpy(to->data, from->data, from->n * 8); }"""
    for program in both(source):
        (contents,) = _copies(program, "copy")
        assert _segments(contents) == [(0, 8, DOUBLE)]


# --- structs, padding, unions


def test_a_struct_copy_leaves_the_padding_out() -> None:
    source = """struct s { int n; double x[3]; float *p; char name[5]; struct { float u; char c; } in; };
    void f(struct s *a, struct s *b) { *a = *b; }"""
    for program in both(source):
        (contents,) = _copies(program)
        assert _segments(contents) == [
            (0, 4, INTEGER),
            (8, 24, DOUBLE),
            (32, 8, POINTER),
            (40, 5, INTEGER),
            (48, 4, FLOAT),
            (52, 1, INTEGER),
        ]
        assert isinstance(contents, Contents)
        assert [s.offset for s in contents.floats] == [8, 48]
        assert [s.offset for s in contents.pointers] == [32]
        assert contents.only() is None


def test_an_array_of_structs_repeats() -> None:
    source = """#include <string.h>
struct s { int n; double x; }; void f(struct s *a, struct s *b, int n) {
    memcpy(a, b, n * sizeof *a); }"""
    for program in both(source):
        (contents,) = _copies(program)
        assert _segments(contents) == [(0, 4, INTEGER), (8, 8, DOUBLE)]
        assert isinstance(contents, Contents)
        assert contents.period == 16


def test_one_member_that_is_an_array() -> None:
    source = """#include <string.h>
    struct s { int n; double x[10]; float y[10]; };
    void f(struct s *a, double *b, int k) { memcpy(b, a->x, sizeof a->x); memcpy(a->x + k, b, 48); memcpy(a->y, a->y + 5, 20); }"""
    program = compiled(source, 0)
    assert [_segments(c) for c in _copies(program)] == [[(0, 80, DOUBLE)], [(0, 48, DOUBLE)], [(0, 20, FLOAT)]]


def test_a_flexible_array() -> None:
    source = """#include <string.h>
    struct s { int n; double data[]; }; void f(struct s *a, double *b) { memcpy(b, a->data, a->n * 8); }
    void whole(struct s *a, struct s *b, long n) { memcpy(a, b, n); }"""
    program = compiled(source, 0)
    assert _segments(_copies(program)[0]) == [(0, 8, DOUBLE)]
    assert isinstance(_copies(program, "whole")[0], Unknown)


def test_copying_part_of_a_number_is_unknown() -> None:
    source = "#include <string.h>\nvoid f(double *a, double *b) { memcpy(a, b, 12); }"
    (contents,) = _copies(compiled(source, 0))
    assert isinstance(contents, Unknown)
    assert "inside of one Float@double" in contents.reason


def test_a_union_is_unknown_until_an_access_settles_it() -> None:
    declare = "union u { int i; float f; }; "
    for program in both(declare + "void f(union u *a, union u *b) { *a = *b; }"):
        if program.level == 0:
            assert isinstance(_copies(program)[0], Unknown)
        else:
            (load,) = _integer_loads(program, bits=32)
            assert program.types.carries_float(load).answer == "unknown"
    settled = declare + "void f(union u *a, union u *b, float x) { b->f = x; *a = *b; }"
    assert _segments(_copies(compiled(settled, 0))[0]) == [(0, 4, FLOAT)]


def test_a_union_whose_members_agree() -> None:
    source = "union u { double x[2]; struct { double re, im; } z; }; void f(union u *a, union u *b) { *a = *b; }"
    assert _segments(_copies(compiled(source, 0))[0]) == [(0, 16, DOUBLE)]


def test_bit_fields_are_integers() -> None:
    source = "struct s { unsigned a : 3, b : 7; double x; }; void f(struct s *a, struct s *b) { *a = *b; }"
    contents = _copies(compiled(source, 0))[0]
    assert _segments(contents)[-1] == (8, 8, DOUBLE)
    assert _segments(contents)[0][2] == INTEGER


# --- integers that carry floats


def test_eight_bytes_moved_as_an_integer() -> None:
    source = """#include <string.h>
    void f(double *a, const double *b) { memcpy(a, b, 8); }
    void g(float *a, const float *b) { memcpy(a, b, 8); }
    void h(long *a, const long *b) { memcpy(a, b, 8); }
    void p(double **a, double **b) { memcpy(a, b, 8); }
    void v(void *a, void *b) { memcpy(a, b, 8); }"""
    program = compiled(source, 2)
    answers = {n: [program.types.carries_float(load).answer for load in _integer_loads(program, n)] for n in "fghpv"}
    assert answers == {"f": ["yes"], "g": ["yes"], "h": ["no"], "p": ["no"], "v": ["unknown"]}


def test_the_sign_bit_flipped_by_hand() -> None:
    source = """#include <string.h>
    #include <stdint.h>
    void f(double *a, int n) { for (int i = 0; i < n; i++) { uint64_t b; memcpy(&b, a + i, 8); b ^= 1ull << 63;
      memcpy(a + i, &b, 8); } }"""
    program = compiled(source, 0)
    flipped = [i for i in program.function("f").instructions() if i.opcode == "xor"]
    loaded = _integer_loads(program)
    assert [program.types.carries_float(i).answer for i in [*flipped, *loaded]] == ["yes", "yes"]
    assert program.types.memory_at(program.function("f").arguments[0], None) != UNKNOWN
    assert _segments(program.types.memory_at(program.function("f").arguments[0], None)) == [(0, 8, DOUBLE)]


def test_bits_that_are_read_as_a_double() -> None:
    source = """#include <string.h>
    double f(void *p, int k) { unsigned long b; memcpy(&b, (char *)p + k, 8);
      b &= ~(1ul << 63); double x; memcpy(&x, &b, 8); return x; }"""
    program = compiled(source, 0)
    assert [program.types.carries_float(load).answer for load in _integer_loads(program)] == ["yes"]


def test_a_small_struct_in_one_register() -> None:
    source = """struct i { int a, b; }; struct m { int a; float b; };
    int f(struct i s) { return s.a + s.b; } float g(struct m s) { return s.a * s.b; }
    struct m h(struct m *p) { return *p; }"""
    for program in both(source):
        (f,) = program.function("f").arguments
        (g,) = program.function("g").arguments
        assert program.types.carries_float(f).no
        assert program.types.carries_float(g).yes
        for load in _integer_loads(program, "h"):
            assert program.types.carries_float(load).yes


def test_indices_and_counts_carry_no_float() -> None:
    source = """long f(const int *idx, const double *a, long n) { long s = 0;
      for (long i = 0; i < n; i++) s += idx[i] * (a[i] > 0); return s; }"""
    for program in both(source):
        integers = [i for i in program.function("f").instructions() if isinstance(i.type, IntType)]
        assert integers
        assert all(program.types.carries_float(i).no for i in integers)


def test_integers_from_the_library_and_from_calls() -> None:
    source = """#include <math.h>
    #include <stdlib.h>
    __attribute__((noinline)) static long twice(long n) { return 2 * n; }
    double f(double x, const char *s) { int e; double m = frexp(x, &e); return m + e + twice(lround(x)) + atoi(s); }"""
    for program in both(source):
        values = [i for i in program.function("f").instructions() if isinstance(i.type, IntType)]
        assert values
        assert all(program.types.carries_float(i).no for i in values)


def test_floats_never_lose_against_integers() -> None:
    """Memory declared as integers that receives doubles by copy holds doubles; halves of integers are no doubles."""
    source = """#include <string.h>
    void f(double *out, const double *x, int k) { unsigned long bits[4]; memcpy(bits, x, 32); bits[k] += bits[0] > 3;
      memcpy(out, bits, 32); }"""
    program = compiled(source, 0)
    assert [_segments(c) for c in _copies(program)] == [[(0, 32, DOUBLE)], [(0, 32, DOUBLE)]]
    halves = source.replace("unsigned long bits[4]", "unsigned bits[8]")
    first, second = _copies(compiled(halves, 0))
    assert _segments(first) == [(0, 32, DOUBLE)]
    assert isinstance(second, Unknown)
    assert second.conflict


# --- pointers, globals, trees


def test_linked_lists_and_pointers_to_pointers() -> None:
    source = """struct node { double x; struct node *next; float *w; };
    void f(struct node *a, struct node *b, double ***m) { *a->next = *b->next; m[0][1] = m[1][0]; }"""
    program = compiled(source, 0)
    assert _segments(_copies(program)[0]) == [(0, 8, DOUBLE), (8, 16, POINTER)]
    a, _, m = program.function("f").arguments
    assert program.types.of_value(a).at(0, 0) == DOUBLE
    assert program.types.of_value(a).at(0, 8, 8) == POINTER
    assert program.types.of_value(m).at(0, 0, 8) == POINTER


def test_globals() -> None:
    source = """#include <string.h>
    static double table[100]; struct s { float x; int k; } one; static int counts[4];
    void f(double *a, struct s *p, int *c, int n) { memcpy(table, a, n * 8); memcpy(p, &one, sizeof one);
      memcpy(c, counts, 16); counts[n]++; table[n]++; one.k++; }"""
    program = compiled(source, 0)
    assert [_segments(c) for c in _copies(program)] == [
        [(0, 8, DOUBLE)],
        [(0, 4, FLOAT), (4, 4, INTEGER)],
        [(0, 16, INTEGER)],
    ]


def test_trees_are_readable() -> None:
    source = "struct s { int n; double *x; }; void f(struct s *p, float *a, long n, double x) { p->x[n] = a[n] * x; }"
    for program in both(source):
        p, a, n, x = program.function("f").arguments
        assert str(program.types.of_value(a)) == "{[0]:Pointer, [0,-1]:Float@float}"
        assert str(program.types.of_value(n)) == "{[0]:Integer}"
        assert str(program.types.of_value(x)) == "{[0]:Float@double}"
        assert program.types.of_value(p).at(0, 0) == INTEGER
        assert program.types.of_value(p).at(0, 8, 16) == DOUBLE


def test_reasons_name_the_evidence() -> None:
    program = compiled("#include <string.h>\nvoid f(double *a, const double *b) { memcpy(a, b, 16); }", 0)
    (contents,) = _copies(program)
    assert isinstance(contents, Contents)
    assert contents.reason == "b points to double"


def test_copies_made_later_can_be_asked_too() -> None:
    from enzyme_magic.backend.ir.clone import clone_function
    from enzyme_magic.backend.ir.values import Value

    source = """#include <string.h>
    __attribute__((noinline)) void f(void *a, const void *b, int n) { memcpy(a, b, n * 8); }
    void caller(double *a, const double *b, int n) { f(a, b, n); }"""
    program = compiled(source, 0)
    values: dict[Value, Value] = {}
    copy = clone_function(program.function("f"), "f", values)
    program.types.include(copy)
    call = next(
        i for i in copy.instructions() if isinstance(i, Call) and i.called_function.name.startswith("llvm.memcpy")
    )
    assert _segments(program.types.copied(call)) == [(0, 8, DOUBLE)]
    assert isinstance(call, Instruction)


def test_being_read_as_an_integer_makes_nothing_an_integer() -> None:
    source = """#include <string.h>
    void f(void *to, void *from, int k) { unsigned long w[2]; memcpy(w, from, 16); w[k] += w[1] * 31; memcpy(to, w, 16); }"""
    for program in both(source):
        first = program.types.memory_at(program.function("f").arguments[1], 16)
        assert isinstance(first, Unknown)
        assert "nothing tells" in first.reason
    assert isinstance(_copies(compiled(source, 0))[0], Unknown)


def test_moving_inside_of_one_array() -> None:
    source = """#include <string.h>
    void f(double *a, int n) { memmove(a + 1, a, (n - 1) * sizeof *a); a[0] = 2; }
    struct s { double x; unsigned long bits; }; void g(struct s *p, struct s *q) { memcpy(&p->bits, &p->x, 8); *q = *p; }"""
    program = compiled(source, 0)
    assert _segments(_copies(program)[0]) == [(0, 8, DOUBLE)]
    moved, whole = _copies(program, "g")
    assert _segments(moved) == [(0, 8, DOUBLE)]
    assert _segments(whole) == [(0, 16, DOUBLE)]  # bits holds a double


def test_longs_read_off_structs_that_hold_doubles() -> None:
    source = """struct s { double x; long k; };
    void f(long *out, struct s *p, int i) { long *all = (long *)p; out[0] = all[i]; out[1] = p[i].k; out[2] = p[3].k; }"""
    program = compiled(source, 0)
    verdicts = [program.types.carries_float(load).answer for load in _integer_loads(program)]
    assert verdicts == ["unknown", "no", "no"]


def test_doubles_kept_in_integers() -> None:
    source = """#include <string.h>
    void f(double *x, const double *a, int n, int k) { unsigned long t[8], u[8]; memcpy(t, a, n * 8);
      for (int i = 0; i < n; i++) u[i] = t[k - i]; memcpy(x, u, sizeof u); }"""
    program = compiled(source, 0)
    assert [program.types.carries_float(load).answer for load in _integer_loads(program)] == ["yes"]
    assert [_segments(c)[0][2] for c in _copies(program)] == [DOUBLE, DOUBLE]


def test_breaking_the_aliasing_rules_is_a_contradiction() -> None:
    source = """#include <string.h>
    void f(double *x, const double *a, int n) { unsigned long t[8]; const unsigned long *b = (const unsigned long *)a;
      for (int i = 0; i < n; i++) t[i] = b[i]; memcpy(x, t, sizeof t); }"""
    for program in both(source):
        there = program.types.memory_at(program.function("f").arguments[1], 64)
        assert isinstance(there, Unknown)
        assert there.conflict
        assert [program.types.carries_float(load).answer for load in _integer_loads(program)] in (["unknown"], [])


def test_a_copy_of_a_union_is_not_what_is_read_of_it_at_other_times() -> None:
    source = """typedef struct { int tag; union { double d; double *p; } u; } S;
    __attribute__((noinline)) void seen(S *s) { s->tag &= 1; }
    __attribute__((noinline)) double at(const S *s) { S e = *s; seen(&e); return e.tag ? %s : 0; }
    double f(double x) { S o; o.tag = 0; o.u.d = x; return o.u.d + at(&o); }"""
    (copied,) = _copies(compiled(source % "*e.u.p", 0), "at")
    assert isinstance(copied, Unknown)
    assert copied.conflict
    (copied,) = _copies(compiled(source % "e.u.d", 0), "at")
    assert _segments(copied) == [(0, 4, INTEGER), (8, 8, DOUBLE)]
