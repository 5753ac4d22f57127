"""Gradients of programs whose control flow is no nest of loops: jumps into loops, Duff's device, state machines."""

from __future__ import annotations

import random

import numpy as np
import pytest

from .harness import check

SOURCE = """
#include <math.h>
double jump_into_while(double x, double y, long n, long inside) {
    double s = 1;
    long i = 0;
    if (inside) goto middle;
    while (i < n) {
        s = s*x + sin(s);
middle:
        s = s + y*s*0.1;
        i++;
    }
    return s;
}
double duffs_device(const double *x, long n) {
    double s = 0;
    long i = 0, r = (n + 3)/4;
    switch (n % 4) {
    case 0: do { s += x[i]*x[i]; i++;
    case 3:      s += sin(x[i])*s; i++;
    case 2:      s += x[i]; i++;
    case 1:      s = s*x[i] + 1; i++;
            } while (--r > 0);
    }
    return s;
}
double machine_of_gotos(const double *x, long n) {
    double a = 1, b = 0.5;
    long i = 0;
A:  if (i >= n) goto end;
    a = a*x[i] + b; i++;
    if (a > 1.3) goto B;
    goto C;
B:  if (i >= n) goto end;
    b = b + sin(a)*x[i]; i++;
    if (b < 1.2) goto A;
    goto C;
C:  if (i >= n) goto end;
    a = a*0.5 + b*x[i]; i++;
    if (a < 0.8) goto B;
    goto A;
end:
    return a*b;
}
double machine_of_states(const double *x, long n) {
    int state = 0;
    double a = 1, b = .5;
    for (long i = 0; i < n; i++)
        switch (state) {
        case 0: a = a*x[i] + b; state = a > 1.2 ? 1 : 2; break;
        case 1: b += sin(a)*x[i]; state = b < 1.1 ? 0 : 2; break;
        case 2: a = a*.5 + b*x[i]; state = a < .8 ? 1 : 0; break;
        }
    return a*b + a;
}
double jump_into_inner_loop(const double *x, long n, double k) {
    double s = 0.3;
    for (long i = 0; i < n; i++) {
        long j = 0;
        if (x[i] > .6) goto in;
        do {
            s = s*k + x[i];
            for (long q = 0; q < 3; q++) s += sin(s*x[q]);
in:         s = cos(s)*x[i];
            j++;
        } while (j < i);
        if (s > 3) break;
    }
    return s;
}
double in_place(double *x, long n, long start) {
    long i = start;
    if (start > 1) goto half;
again:
    x[i] = x[i]*x[(i + 1) % n];
half:
    x[(i + 2) % n] += sin(x[i]);
    if (++i < n) goto again;
    return x[0]*x[n - 1];
}
static double step(double a, double *b) { *b = *b*a + 0.1; return sin(a)*(*b); }
double calls_inside(const double *x, long n, long k) {
    double a = 0.4, b = x[0];
    long i = 0;
    if (k) goto second;
first:
    a = step(a*x[i % n], &b);
    if (++i > 6) return a*b;
second:
    b = step(b, &a) + x[(i + k) % n];
    if (++i % 3) goto second;
    goto first;
}
double leaves_from_within(const double *x, long n, long k) {
    double s = x[0];
    long i = 0, j = 0;
    if (k) goto deep;
    for (; i < n; i++) {
        for (j = 0; j <= i; j++) {
deep:
            s = s*x[i] + 0.3*x[j % n];
            if (s > 2.1) goto out;
            if (s < -5) return x[1]*s;
        }
        s *= 1.1;
    }
    return s*s;
out:
    return s*x[i];
}
double endless_until(double x, long n) {
    long i = 0;
    if (n > 4) goto b;
a:  x = x*0.9 + 0.2;
    if (i++ > n) return x*x;
b:  x = sin(x) + 0.1*i;
    if (i++ > 2*n) return x;
    goto a;
}
"""
X = np.array([0.3, 0.7, 1.1, 0.5, 0.9])
CASES = [
    ("jump_into_while", [0.7, 0.3, 5, 0]),
    ("jump_into_while", [0.7, 0.3, 5, 1]),
    ("jump_into_while", [0.7, 0.3, 0, 1]),
    *[("duffs_device", [X[: n or 4], n or 4]) for n in range(5)],
    ("machine_of_gotos", [X, 5]),
    ("machine_of_gotos", [X, 0]),
    ("machine_of_states", [X, 5]),
    ("jump_into_inner_loop", [X, 5, 0.9]),
    ("in_place", [X, 5, 0]),
    ("in_place", [X, 5, 2]),
    ("calls_inside", [X, 5, 0]),
    ("calls_inside", [X, 5, 2]),
    ("leaves_from_within", [X, 5, 0]),
    ("leaves_from_within", [X, 5, 1]),
    ("endless_until", [0.4, 3]),
    ("endless_until", [0.4, 6]),
]


@pytest.mark.parametrize(("name", "arguments"), CASES, ids=[f"{n}-{k}" for k, (n, _) in enumerate(CASES)])
def test_gradient(name: str, arguments: list[object]) -> None:
    check(SOURCE, name, arguments)


def random_jumps(seed: int) -> str:
    """Labels with arithmetic between them and jumps at random; no comparison is close to a tie."""
    rng = random.Random(seed)
    count = rng.randint(3, 8)
    lines = [
        f"double f{seed}(const double *x, long fuel) {{",
        "double a = 0.3, b = x[0], c = x[1]*x[2], t[4] = {.1, .2, .3, .4};",
    ]
    for number in range(count):
        lines.append(f"L{number}: if (fuel-- <= 0) goto end;")
        lines += [_statement(rng) for _ in range(rng.randint(0, 3))]
        lines += [f"if ({_condition(rng)}) goto L{rng.randrange(count)};" for _ in range(rng.randint(0, 2))]
        if rng.random() < 0.25:
            jumps = " ".join(f"case {k}: goto L{rng.randrange(count)};" for k in range(3))
            lines.append(f"switch (fuel % 4) {{ {jumps} }}")
        if rng.random() < 0.1:
            lines.append(f"if ({rng.choice('abc')} > 0.913) return a + b;")
        if rng.random() < 0.3:
            lines.append(f"goto L{rng.randrange(count)};")
    return "\n".join([*lines, "end: return a*b + c + t[1]*t[2]; }"])


def _statement(rng: random.Random) -> str:
    into, one, other = (rng.choice("abc") for _ in range(3))
    return rng.choice(
        [
            f"{into} = sin({one}) + 0.3*{other};",
            f"{into} = {one}*{other}*0.5 + x[fuel % 5];",
            f"{into} = {one} - 0.2*{other}*x[(fuel*3 + 1) % 5];",
            f"{into} = cos({one}*{other});",
            f"t[fuel % 4] = {one}*x[fuel % 5];",
            f"{into} += t[(fuel + 1) % 4];",
            f"for (int q = 0; q < {rng.randint(0, 3)}; q++) {into} = {into}*0.7 + {one}*x[q];",
            f"if ({one} > {other} + 0.01371) {into} = {into}*1.1;",
        ]
    )


def _condition(rng: random.Random) -> str:
    return rng.choice(
        [
            f"(fuel*{rng.randint(1, 7)} + {rng.randint(0, 5)}) % {rng.randint(2, 4)} == 0",
            f"{rng.choice('abc')} > {rng.choice('abc')} + 0.0317",
            f"x[fuel % 5] > 0.{rng.randint(2, 8)}31",
        ]
    )


SEEDS = range(8)
RANDOM = "#include <math.h>\n" + "\n".join(random_jumps(seed) for seed in SEEDS)


@pytest.mark.parametrize("seed", SEEDS)
def test_random_jumps(seed: int) -> None:
    check(RANDOM, f"f{seed}", [X, 17], levels=(0, 2))
