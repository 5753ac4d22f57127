"""`enzyme_const` on memory of pointers that the function moves, beside memory that carries derivatives."""

from __future__ import annotations

import pytest

import enzyme_magic as em

PROGRAM = """
extern void __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);
extern int enzyme_const, enzyme_dup;
static double sum(double *x, long **cursor, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) { s += x[**cursor]*x[**cursor]*(i + 1); (*cursor)++; }
    return s;
}
double reverse(double x, int k) {
    long at[4] = {0, 1, 2, 1}, *cursor = at;
    double a[3] = {x, 2*x, x*x}, d[3] = {0};
    __enzyme_autodiff((void *)sum, enzyme_dup, a, d, enzyme_const, &cursor, enzyme_const, 4);
    return cursor == at + 4 ? d[k] : -1;
}
double forward(double x, int k) {
    long at[4] = {0, 1, 2, 1}, *cursor = at;
    double a[3] = {x, 2*x, x*x}, d[3] = {0};
    d[k] = 1;
    return __enzyme_fwddiff((void *)sum, enzyme_dup, a, d, enzyme_const, &cursor, enzyme_const, 4);
}
"""
LINKED = """
extern void __enzyme_autodiff(void *, ...);
extern int enzyme_const, enzyme_dup;
struct node { double v; struct node *next; };
static double linked(struct node *a, struct node *b) {
    a->next = b;
    double s = 0;
    for (struct node *p = a; p; p = p->next) s += p->v*p->v;
    return s;
}
double f(double x) {
    struct node a = {x, 0}, b = {3, 0}, d = {0, 0};
    __enzyme_autodiff((void *)linked, enzyme_dup, &a, &d, enzyme_const, &b);
    return d.v;
}
"""


@pytest.mark.parametrize("opt", [0, 2])
def test_a_cursor_is_moved_and_constant(opt: int) -> None:
    program = em.compile_c(PROGRAM, opt=opt)
    wanted = [2 * 1.5, 2 * 3.0 * (2 + 4), 2 * 2.25 * 3]
    assert [program.reverse(1.5, k) for k in range(3)] == pytest.approx(wanted)
    assert [program.forward(1.5, k) for k in range(3)] == pytest.approx(wanted)


def test_what_the_function_links_to_memory_with_derivatives_is_not_constant() -> None:
    with pytest.raises(em.CompileError) as caught:
        em.compile_c(LINKED, opt=0)
    assert caught.value.code == "EM144"
