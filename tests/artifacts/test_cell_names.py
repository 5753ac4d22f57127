"""What is kept of a cell is found again under another execution number, and then speaks of the cell by its new name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from enzyme_magic.backend import explain
from enzyme_magic.backend.autodiff.calls.request import Request
from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.backend.pipeline import CompiledProgram, compile_program
from enzyme_magic.config import Options, Settings, read_settings

SOURCE = """static double square(double v) { return v*v; }
double f(const double *x, int n) {
    double s = 1, unused;
    for (int i = 0; i < n; i++)
        s *= square(x[i]);
    return s;
}
"""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return read_settings({"ENZYME_MAGIC_CACHE_DIR": str(tmp_path / "cache"), "HOME": str(tmp_path)})


def built(settings: Settings, name: str, text: str = SOURCE, force: bool = False) -> CompiledProgram:
    options = replace(Options(), compile_args=("-Wall",))
    return compile_program([Source(text, name)], options, settings, name, force=force)


def test_another_execution_number(settings: Settings) -> None:
    first, again = built(settings, "In[3]"), built(settings, "In[12]")
    assert not first.from_disk
    assert again.from_disk
    assert again.key == first.key
    request = Request("f", wrt=(0,))
    assert not first.derivative(request).from_disk
    assert again.derivative(request).from_disk
    assert again.signatures["f"].file == "In[12]"
    assert [d.span.file for d in again.diagnostics if d.span] == ["In[12]"]
    assert "In[3]" not in again.record.input_ir + again.record.optimized_ir


def test_the_report_is_that_of_the_new_cell(settings: Settings, tmp_path: Path) -> None:
    request = Request("f", wrt=(0,))
    explain.report(built(settings, "In[3]"), request)
    found = explain.report(built(settings, "In[12]"), request)
    elsewhere = read_settings({"ENZYME_MAGIC_CACHE_DIR": str(tmp_path / "other"), "HOME": str(tmp_path)})
    anew = explain.report(built(elsewhere, "In[12]"), request)
    assert replace(found, timings=()) == replace(anew, timings=())
    assert found.source_name == "In[12]"
    assert all(line.instructions for line in found.source if "s *=" in line.text)


def test_a_program_that_speaks_of_its_name_is_its_own(settings: Settings) -> None:
    text = "#include <assert.h>\ndouble f(double x) { assert(x > 0); return x*x; }\n"
    first, again = built(settings, "In[3]", text), built(settings, "In[4]", text)
    assert not again.from_disk
    assert again.key != first.key
    assert 'c"In[4]' in again.record.optimized_ir
    assert built(settings, "In[3]", text).from_disk


def test_force_replaces_what_is_kept(settings: Settings) -> None:
    request = Request("f", wrt=(0,))
    built(settings, "In[3]").derivative(request)
    forced = built(settings, "In[4]", force=True)
    assert not forced.from_disk
    assert not forced.derivative(request).from_disk
    assert built(settings, "In[5]").derivative(request).from_disk


def test_a_derivative_lives_no_longer_than_its_program(settings: Settings, tmp_path: Path) -> None:
    """An included header is edited: the text of the cell is the same, and nothing of the old program is used again."""
    header = tmp_path / "factor.h"
    found = []
    for factor in ("2.0", "31.0", "2.0"):
        header.write_text(f"#define FACTOR {factor}\n")
        program = built(settings, "In[1]", f'#include "{header}"\ndouble area(double x) {{ return FACTOR*x*x; }}\n')
        derivative, above = (
            program.derivative(Request("area", wrt=(0,))),
            program.gradient_program(Request("area", wrt=(0,))),
        )
        texts = (derivative.record.gradient_optimized_ir, above.record.optimized_ir)
        found.append((all("6.200000e+01" in text for text in texts), derivative.from_disk, above.from_disk))
    assert found == [(False, False, False), (True, False, False), (False, True, True)]
