"""Golden texts of the pictures of five programs, from C text to picture. EM_UPDATE_GOLDEN=1 writes them anew: look at the
difference then.

Times and versions are in none of these views. The IR views are held for relu3 alone: those of the loops follow every change of the
optimizer and say nothing more.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import enzyme_magic as em
from enzyme_magic.viz.views import view

FOLDER = Path(__file__).with_name("golden")
GMM = Path(__file__).resolve().parents[2] / "benchmarks" / "kernels" / "gmm.c"
PROGRAMS = {
    "relu3": """\
double relu3(double x) {
    double result;
    if (x > 0)
        result = pow(x, 3);
    else
        result = 0;
    return result;
}
""",
    "inplace": """\
double inplace(size_t n, double a[n]) {
    double total = 0;
    for (size_t i = 0; i < n; i++) {
        total += a[i] * a[i];
        a[i] = sin(a[i]) * total;
    }
    return total;
}
""",
    "triangular": """\
double triangular(int n, const double l[n * n], double x[n]) {
    double total = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++)
            x[i] -= l[i * n + j] * x[j];
        x[i] = x[i] / l[i * n + i];
        total += x[i] * x[i];
    }
    return total;
}
""",
    "mlp": """\
double mlp(int n, int m, const double w[m * n], const double v[m], const double x[n], double y) {
    double out = 0;
    for (int i = 0; i < m; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += w[i * n + j] * x[j];
        out += v[i] * tanh(sum);
    }
    return (out - y) * (out - y);
}
""",
    "gmm": GMM.read_text().partition("void gmm_by_hand")[0].replace('#include "kernel.h"', "#include <math.h>"),
}
EVERYWHERE = ("source", "activity", "cache")
OF_RELU3 = ("steps", "stages")


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_texts(name: str) -> None:
    report = em.compile_c(PROGRAMS[name], name=f"{name}.c")[name].report
    views = EVERYWHERE + (OF_RELU3 if name == "relu3" else ())
    text = "\n".join(f"== {which}\n{view(report, which).text}\n" for which in views)
    path = FOLDER / f"{name}.txt"
    if os.environ.get("EM_UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8"), f"{path.name} differs; look, then EM_UPDATE_GOLDEN=1"


@pytest.mark.parametrize("name", list(PROGRAMS))
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_view_is_drawn_within_the_limits(name: str, theme: str) -> None:
    report = em.compile_c(PROGRAMS[name], name=f"{name}.c")[name].report
    for which in ("dashboard", *EVERYWHERE, *OF_RELU3):
        data, _ = view(report, which, theme)._repr_mimebundle_()
        assert {"image/svg+xml", "text/plain"} <= set(data) <= {"image/svg+xml", "image/png", "text/plain"}, which
        assert sum(len(text.encode()) for text in data.values()) <= 300_000
        assert "<style" not in data["image/svg+xml"]
