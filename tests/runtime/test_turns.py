"""Gradients from several threads at once, of functions that keep static data."""

from __future__ import annotations

import threading

import pytest

import enzyme_magic as em

SOURCE = r"""
#include <math.h>
static double table[256];
static void fill(double x) { for (int i = 0; i < 256; i++) table[i] = sin(x*i); }
double through_static(double x, int n) {
    double sum = 0;
    for (int k = 0; k < n; k++) {
        fill(x + k);
        for (int i = 0; i < 256; i++) sum += table[i]*table[255 - i];
    }
    return sum;
}
double without(double x) { return x*x; }
"""


@pytest.mark.parametrize("opt", [0, 2])
def test_threads_do_not_mix_their_numbers(opt: int) -> None:
    p = em.compile_c(SOURCE, opt=opt)
    points = [0.1 * k for k in range(1, 5)]
    expected = [p.through_static.grad(x, 50) for x in points]
    values = [p.through_static(x, 50) for x in points]
    wrong: list[str] = []

    def work(k: int) -> None:
        for _ in range(20):
            if p.through_static.grad(points[k], 50) != expected[k]:
                wrong.append(f"gradient at {points[k]}")
            if p.through_static(points[k], 50) != values[k]:
                wrong.append(f"value at {points[k]}")

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_only_what_writes_static_data_takes_turns() -> None:
    p = em.compile_c(SOURCE)
    assert p.compiled.primal("through_static").entry.takes_turns
    assert not p.compiled.primal("without").entry.takes_turns
