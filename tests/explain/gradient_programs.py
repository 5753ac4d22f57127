"""Twelve and more C functions whose gradients are written as C, each of another kind, with inputs to compare both on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Inputs = Callable[[np.random.Generator], list[Any]]


@dataclass(frozen=True)
class Sample:
    """`mode` as in `f.request`. `inputs` gives one call's arguments."""

    name: str
    source: str
    inputs: Inputs
    mode: str = "reverse"
    brief: bool = True  # at most four times as long as its source


def vector(random: np.random.Generator, size: int) -> Any:
    return random.uniform(0.5, 2.0, size)


SAMPLES = (
    Sample(
        "straight",
        """
double straight(double x, double y) {
  double a = x * y + 3.0;
  double b = a / x;
  return b * b - a;
}
""",
        lambda r: [*r.uniform(0.5, 2, 2)],
    ),
    Sample(
        "guard",
        """
double guard(double x) {
  if (x > 1.0)
    return x * x * x;
  else
    return 2.0 * x - x * x;
}
""",
        lambda r: [r.uniform(0, 2)],
    ),
    Sample(
        "loop",
        """
double loop(const double *x, const double *y, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * y[i];
  return s;
}
""",
        lambda r: [vector(r, 7), vector(r, 7), int(r.integers(0, 8))],
    ),
    Sample(
        "nested",
        """
double nested(const double *a, const double *x, int n, int m) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double row = 0;
    for (int j = 0; j < m; j++)
      row += a[i * m + j] * x[j];
    s += row * row;
  }
  return s;
}
""",
        lambda r: [vector(r, 24), vector(r, 6), int(r.integers(0, 5)), int(r.integers(0, 7))],
    ),
    Sample(
        "triangular",
        """
double triangular(const double *l, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      double v = l[i * n + j];
      s += v * v;
    }
  }
  return s;
}
""",
        lambda r: [vector(r, 16), int(r.integers(0, 5))],
    ),
    Sample(
        "triangular_tape",
        """
double triangular_tape(const double *l, int n) {
  double s = 1;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      double v = l[i * n + j];
      s += v * v * s;
    }
  }
  return s;
}
""",
        lambda r: [vector(r, 16), int(r.integers(0, 5))],
        brief=False,
    ),
    Sample(
        "tape",
        """
#include <math.h>
double tape(const double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; i++)
    s *= sin(x[i]);
  return s;
}
""",
        lambda r: [vector(r, 9), int(r.integers(0, 10))],
    ),
    Sample(
        "inplace",
        """
double inplace(double *a, int n) {
  double s = 0;
  for (int i = 1; i < n; i++) {
    a[i] = a[i] * a[i - 1];
    s += a[i];
  }
  return s;
}
""",
        lambda r: [vector(r, 8), int(r.integers(0, 9))],
    ),
    Sample(
        "helper",
        """
static double square(double v) { return v * v; }
static double norm(double a, double b) { return square(a) + square(b); }
double helper(double a, double b) {
  double u = norm(a, b);
  return u * norm(b, 2.0 * a);
}
""",
        lambda r: [*r.uniform(-1, 1, 2)],
    ),
    Sample(
        "library",
        """
#include <math.h>
double library(double x, double y) {
  double r = sqrt(x * x + y * y);
  double t = atan2(y, x);
  return exp(-r) * cos(t) + log(1.0 + r) * pow(x, 2.5);
}
""",
        lambda r: [*r.uniform(0.5, 2, 2)],
    ),
    Sample(
        "particle",
        """
struct particle { double mass; double x[3]; int charge; double v; };
double particle(const struct particle *p) {
  double r2 = p->x[0] * p->x[0] + p->x[1] * p->x[1] + p->x[2] * p->x[2];
  return 0.5 * p->mass * p->v * p->v + p->mass / r2;
}
""",
        lambda r: [_particle(r)],
    ),
    Sample(
        "newton",
        """
double newton(double a) {
  double x = a;
  while (x * x - a > 1e-9)
    x = 0.5 * (x + a / x);
  return x;
}
""",
        lambda r: [r.uniform(0.5, 9)],
        brief=False,
    ),
    Sample(
        "grow",
        """
double grow(double x) {
  double y = x;
  while (y < 100.0) {
    y = y * y + 1.0;
  }
  return y;
}
""",
        lambda r: [r.uniform(0.5, 3)],
    ),
    Sample(
        "tangent",
        """
#include <math.h>
double tangent(double x, double y) {
  double s = x;
  for (int i = 0; i < 4; i++)
    s = sin(s) * y + x;
  return s;
}
""",
        lambda r: [*r.uniform(0.5, 2, 2)],
        mode="forward",
    ),
    Sample(
        "single",
        """
float single(const float *x, int n) {
  float s = 0;
  for (int i = 0; i < n; i++)
    s = s * 0.5f + x[i] * x[i];
  return s;
}
""",
        lambda r: [vector(r, 6).astype(np.float32), int(r.integers(0, 7))],
    ),
)


def _particle(random: np.random.Generator) -> Any:
    one = np.zeros(1, np.dtype([("mass", "f8"), ("x", "f8", 3), ("charge", "i4"), ("v", "f8")], align=True))
    one["mass"], one["x"], one["v"] = random.uniform(1, 2), random.uniform(1, 2, 3), random.uniform(1, 2)
    return one
