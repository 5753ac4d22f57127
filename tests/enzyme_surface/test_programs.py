"""Each program of `sources` checks itself: `check()` gives 0, or the C line of the first expectation that does not hold."""

from __future__ import annotations

from pathlib import Path

import pytest

import enzyme_magic as em

SOURCES = Path(__file__).parent / "sources"
HEADER = (SOURCES / "check.h").read_text()
PROGRAMS = sorted(path.stem for path in SOURCES.glob("*.c"))


@pytest.mark.parametrize("opt", [0, 1, 2, 3])
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_program_finds_what_it_expects(name: str, opt: int) -> None:
    text = (SOURCES / f"{name}.c").read_text()
    program = em.compile(f"{HEADER}#line 1\n{text}", opt=opt, name=name)
    line = program.check()
    assert line == 0, f"{name}.c, line {line}: {text.splitlines()[line - 1]}"
