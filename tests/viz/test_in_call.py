"""Predicted and actual activity in one picture: marks and counts are those of the watched call, counted here again."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.api.tables import ActivityTable
from enzyme_magic.viz.theme import MARKS
from enzyme_magic.viz.views import view

SOURCE = """double smooth(double *a, const double *w, int n) {
  double s = 0;
  for (int i = 1; i < n; i++) {
    a[i] = a[i] * a[i-1] + w[i];
    if (a[i] > 10.0)
      s += a[i] * a[i];
    else if (a[i] < -10.0)
      s += sin(a[i]) * w[i];
  }
  return s + a[0];
}
"""


@pytest.fixture(scope="module")
def table() -> ActivityTable:
    call = (np.array([1.0, 0.9, 0.5, 0.2]), np.array([0.1, 0.5, 0.2, 0.3]), 4)
    return em.compile_c(SOURCE).smooth.activity(at=call)


def test_marks_and_counts_are_those_of_the_call(table: ActivityTable) -> None:
    report = table.report
    assert report.watched is not None
    active = {row.identifier for row in report.activity.rows() if row.verdict.active}
    ran = [row for row in report.watched.rows if row.identifier in active]
    idle = {row.identifier for row in ran if not row.carried}
    assert idle
    assert len(idle) < len(ran)
    picture = view(report, "activity")
    marks = Counter(row.mark for row in picture.card.rows() if row.identifier in active)
    assert marks["idle"] == len(idle)
    assert marks["active"] == len(ran) - len(idle)
    assert marks["idle"] + marks["active"] + marks[""] == len(active)  # addresses have no mark
    assert (
        f"{len(ran) - len(idle)} of the {len(ran)} active instructions that give numbers carried a derivative; {len(idle)} were"
        in picture.text
    )
    assert MARKS["idle"].word in picture.text
    for row in ran:
        lines = [line for line in picture.text.split("\n") if f"carried {row.carried}×" in line]
        assert lines or not row.carried
    asleep = re.search(r"\((\d+) did not run\)", picture.text)
    assert sum(not row.executed for row in ran if row.identifier in idle) == int(asleep[1] if asleep else 0)


def test_without_a_call_the_picture_is_as_before(table: ActivityTable) -> None:
    report = em.compile_c(SOURCE).smooth.report
    text = view(report, "activity").text
    assert MARKS["idle"].word not in text
    assert "in this call" not in text


def test_what_was_not_followed_is_said(table: ActivityTable) -> None:
    found = em.compile_c("double f(long double x) { return x*x; }").f.activity(at=(2.0,))
    assert found.report.watched is not None
    assert found.report.watched.reason
    assert f"this call was not followed: {found.report.watched.reason}" in view(found.report, "activity").text
