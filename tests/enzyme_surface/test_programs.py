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
    text = HEADER + (SOURCES / f"{name}.c").read_text()
    line = em.compile(text, opt=opt, name=name).check()
    assert line == 0, f"{name}.c: {text.splitlines()[line - 1].strip()}"


def test_a_wrong_expectation_is_found() -> None:
    program = em.compile(HEADER + "int check(void) {\n    EXPECT(1.0, 1.0);\n    EXPECT(1.0, 2.0);\n    return 0;\n}\n")
    assert program.check() == HEADER.count("\n") + 3
