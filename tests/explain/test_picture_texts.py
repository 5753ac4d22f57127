"""Golden texts of the pictures of five programs, from C text to picture. EM_UPDATE_GOLDEN=1 writes them anew: look at the
difference then.

Times are masked, and what the processor decides: the last optimization of a loop (its panel is held for relu3 alone;
the others of the steps for one loop, as they repeat activity and gradient), and whether a
product and a sum are one `fma` (the C text is compared where they are). GMM's IR views have thousands of rows and are left out.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

import enzyme_magic as em
from enzyme_magic.backend.llvm import binding
from enzyme_magic.viz.drawing.svg import pixels
from enzyme_magic.viz.views import VIEWS, view

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
    "gmm": GMM.read_text().partition("#ifndef __cplusplus")[0].replace('#include "kernel.h"', "#include <math.h>"),
}
EVERYWHERE = ("dashboard", "source", "activity", "cache")
OF_SMALL = ("primal-stages", "gradient")
OF_RELU3 = ("steps", "stages")
MASKED = {
    r"\d+(\.\d)? ms: .*": "(times)",
    r"(gradient IR +[\d,]+ → )[\d,]+": r"\1(many)",
}
OPTIMIZED_LOOPS = r"(?s)\n4\. optimized\n.*"


def masked(text: str) -> str:
    for pattern, instead in MASKED.items():
        text = re.sub(pattern, instead, text)
    return text if "function to its gradient" not in text or "relu3" in text else re.sub(OPTIMIZED_LOOPS, "", text)


def views_of(name: str) -> tuple[str, ...]:
    small = OF_SMALL if name != "gmm" else ()
    return EVERYWHERE + small + {"relu3": OF_RELU3, "inplace": ("steps",)}.get(name, ())


def compare(path: Path, text: str) -> None:
    if os.environ.get("EM_UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8"), f"{path.name} differs; look, then EM_UPDATE_GOLDEN=1"


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_texts(name: str) -> None:
    report = em.compile_c(PROGRAMS[name], name=f"{name}.c")[name].report
    views = views_of(name)
    compare(FOLDER / f"{name}.txt", "\n".join(f"== {which}\n{masked(view(report, which).text)}\n" for which in views))
    # a mixture's is long; test_gradient_c_helpers.py runs one
    if name != "gmm" and "+fma" in binding.host_features().split(","):
        compare(FOLDER / f"{name}.gradient.c", view(report, "gradient-c").text + "\n")


@pytest.mark.parametrize("name", list(PROGRAMS))
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_view_is_drawn_within_the_limits(name: str, theme: str) -> None:
    report = em.compile_c(PROGRAMS[name], name=f"{name}.c")[name].report
    for which in VIEWS:
        data, _ = view(report, which, theme)._repr_mimebundle_()
        assert {"image/svg+xml", "text/plain"} <= set(data) <= {"image/svg+xml", "image/png", "text/plain"}, which
        assert sum(len(text.encode()) for text in data.values()) <= 300_000
        assert "<style" not in data["image/svg+xml"]


@pytest.mark.parametrize("name", list(PROGRAMS))
def test_the_first_screen_fits_a_projector(name: str) -> None:
    """In CSS pixels: as wide as a cell, and not longer than two pages of it; the cache is as wide as the issue says."""
    report = em.compile_c(PROGRAMS[name], name=f"{name}.c")[name].report
    width, height = pixels(view(report, "dashboard").svg)
    assert width <= 1050
    assert height <= 2200
    assert pixels(view(report, "cache").svg)[0] <= 1000
