"""Numbers that `sscanf` reads into memory with derivatives: beside other numbers, over them, not all of them.

Nobody knew how many bytes it writes, so it was refused (EM221) wherever a derivative lies in the same memory.
"""

from __future__ import annotations

import pytest

import enzyme_magic as em
from enzyme_magic.backend.ir.text import parser
from enzyme_magic.backend.prepare import scanned_numbers

PROGRAM = r"""
#include <math.h>
#include <stdio.h>
#include <string.h>

double overwritten(double x) {
    static const char *lines[] = {"0,1.5", "1,2.25", "2,-0.5", "3,4e-1"};
    double t[4], y[4], s = 0;
    for (int i = 0; i < 4; i++) if (sscanf(lines[i], "%lf,%lf", &t[i], &y[i]) != 2) return -1;
    for (int i = 0; i < 4; i++) { double r = y[i] - x*exp(-x*t[i]); s += r*r; y[i] = r; }
    for (int i = 1; i < 4; i++) s += y[i]*y[i - 1];
    return s;
}
double over_numbers(double x) {
    double v[3] = {x, 2*x, x*x};
    int n = sscanf("1.5 none 3", "%lf %lf %lf", v, v + 1, v + 2);
    return v[0]*v[1]*v[2]*x + n;
}
typedef struct { int id; float w; char name[6]; double v; long double q; short h; } row;
double members(double x) {
    row r = {1, 0.5f, "zz", x, x, 3};
    int count = sscanf("7, hello 2.5 : 9 4.25", "%d, %5[a-z] %f : %hd %Lf", &r.id, r.name, &r.w, &r.h, &r.q);
    double s = r.id*x + r.w + r.v*r.h + (double)r.q*x + count + r.name[4];
    r.v *= x;
    return s*r.v;
}
double unread(double x) {
    double v = x; int n = 0, k = 4;
    int got = sscanf("", "%lf %d%n", &v, &k, &n);
    return v*x*k + got + n;
}
double skipped(double x) {
    double v = x, w = x; char text[8];
    int got = sscanf("1 2.5 abc 100%", "%*d %lf %7s %lf%%", &v, text, &w);
    return v*w*x + got + strlen(text) + v*x;
}
"""
NAMES = ("overwritten", "over_numbers", "members", "unread", "skipped")
X, STEP = 1.3, 1e-3


@pytest.fixture(scope="module", params=[0, 1, 2, 3])
def program(request: pytest.FixtureRequest) -> em.Program:
    return em.compile_c(PROGRAM, opt=request.param)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_read_has_no_derivative(program: em.Program, name: str) -> None:
    f = program[name]
    slope = (8 * (f(X + STEP) - f(X - STEP)) - (f(X + 2 * STEP) - f(X - 2 * STEP))) / (12 * STEP)
    assert f.grad(X) == pytest.approx(slope, rel=1e-6)
    assert em.jvp(f, (X,), (1.0,))[1] == pytest.approx(slope, rel=1e-6)


FORMATS = [
    ("%d%lf%n", 3, 1), ("%s %c%f", 3, 1), ("%9s%Lf", 2, 1), ("%*f %hhu", 1, 0), ("%1$lf", 1, 0), ("%ms %f", 2, 0), ("%p %lf", 2, 1),
    ("%f", 2, 0), ("%[^]x]%5lf%%", 2, 1), ("%ls%f", 2, 0), ("%e%f%g", 3, 3),
]  # fmt: skip


@pytest.mark.parametrize(("text", "arguments", "stored"), FORMATS)
def test_formats(text: str, arguments: int, stored: int) -> None:
    """How many variables a call gets of its own; none where a format is not understood."""
    given = ", ".join(f"ptr %p{k}" for k in range(arguments))
    size = len(text) + 1
    module = parser.parse(
        'target triple = "x86_64-unknown-linux-gnu"\n'
        f'@f = private constant [{size} x i8] c"{text}\\00"\n'
        "declare i32 @sscanf(ptr, ptr, ...)\n"
        f"define i32 @g(ptr %s, {given}) {{\n"
        f"  %n = call i32 (ptr, ptr, ...) @sscanf(ptr %s, ptr @f, {given})\n  ret i32 %n\n}}\n"
    )
    assert scanned_numbers.to_stores(module) == (1 if stored else 0)
    made = [i for i in module.functions["g"].instructions() if type(i).__name__ == "Alloca"]
    assert len(made) == stored
