"""What it costs that the run says what bytes hold: ring buffers with helpers for each type, and with one pair that uses `memcpy`.

    python -m benchmarks.doubtful

Prints the time of the gradient by the time of the function for both, and their quotient: the price of kinds. The goal is at most 3.
A figure of this file is a measurement, never a test.
"""

from __future__ import annotations

import timeit

SOURCE = r"""
#include <stdlib.h>
#include <string.h>
#define APART static __attribute__((noinline))
typedef struct { double p; int id; } E;
APART void put_e(E *q, const E *e, int i) { q[i] = *e; }
APART void get_e(const E *q, E *e, int i) { *e = q[i]; }
APART void put_d(double *q, const double *e, int i) { q[i] = *e; }
APART void get_d(const double *q, double *e, int i) { *e = q[i]; }
double typed(double x, int n) { E *q = malloc(64*sizeof(E)); double *v = malloc(64*sizeof(double)), s = 0;
    for (int i = 0; i < n; i++) { E e = {x*i, i}, f; double d = x + i, g; put_e(q, &e, i & 63); put_d(v, &d, i & 63);
        get_e(q, &f, (i >> 1) & 63); get_d(v, &g, (i >> 1) & 63); s += f.p*f.p*f.id*g; }
    free(q); free(v); return s; }
APART void put(char *q, const void *e, size_t size, int i) { memcpy(q + i*size, e, size); }
APART void get(const char *q, void *e, size_t size, int i) { memcpy(e, q + i*size, size); }
double doubtful(double x, int n) { char *q = malloc(64*sizeof(E)), *v = malloc(64*sizeof(double)); double s = 0;
    for (int i = 0; i < n; i++) { E e = {x*i, i}, f; double d = x + i, g;
        put(q, &e, sizeof e, i & 63); put(v, &d, sizeof d, i & 63);
        get(q, &f, sizeof f, (i >> 1) & 63); get(v, &g, sizeof g, (i >> 1) & 63); s += f.p*f.p*f.id*g; }
    free(q); free(v); return s; }
"""
COUNT = 10_000


def main() -> None:
    import enzyme_magic as em

    program = em.compile_c(SOURCE, name="doubtful")
    times: dict[str, float] = {}
    for name in ("typed", "doubtful"):
        f = program[name]
        for what, call in (("function", f), ("gradient", f.grad)):
            call(1e-3, COUNT)
            timed = timeit.repeat(lambda call=call: call(1e-3, COUNT), number=20, repeat=7)
            times[f"{name} {what}"] = min(timed) / 20
    for name in ("typed", "doubtful"):
        value, gradient = times[f"{name} function"], times[f"{name} gradient"]
        print(f"{name:10} function {value * 1e6:8.1f} µs   gradient {gradient * 1e6:8.1f} µs")
    print(f"price of kinds {times['doubtful gradient'] / times['typed gradient']:.1f}")


if __name__ == "__main__":
    main()
