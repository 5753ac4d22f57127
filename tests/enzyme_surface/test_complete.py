"""Nothing of Enzyme's surface is forgotten: every name has a program that checks itself, or is refused."""

from __future__ import annotations

import re

import pytest

from enzyme_magic.backend.autodiff.requests import entries
from enzyme_magic.backend.frontend import markers
from enzyme_magic.backend.rules import custom

from .test_programs import PROGRAMS, SOURCES

TEXTS = [re.sub(r"/\*.*?\*/", "", (SOURCES / f"{name}.c").read_text(), flags=re.S) for name in PROGRAMS]
ENTRIES = (*entries.ENTRIES, *entries.PROMISES)
MARKERS = tuple(sorted(f"enzyme_{word}" for word in entries.MARKERS))
OLDER = ("diffe_const", "diffe_dup", "diffe_dupnoneed", "diffe_out")
REGISTRATIONS = tuple(custom._BY_GLOBAL)
ATTRIBUTES = tuple(custom._BY_ATTRIBUTE)
REFUSED_ENTRIES = {  # other tools of the same family: EM149 (test_bad_requests.py)
    "__enzyme_truncate_mem_func",
    "__enzyme_truncate_op_func",
    "__enzyme_truncate_mem_value",
    "__enzyme_expand_mem_value",
    "__enzyme_todense",
}


def used(pattern: str) -> bool:
    """Whether a program has it, in code and not in a declaration of its own."""
    return any(re.search(pattern, text) for text in TEXTS)


@pytest.mark.parametrize("name", ENTRIES)
def test_entry_points_have_a_program(name: str) -> None:
    assert used(rf"(?:[=(,!;{{}}&|<>]|return|\)|\n)\s*{name}\w*\(\s*(?!void \*)")


@pytest.mark.parametrize("name", [*MARKERS, *OLDER])
def test_markers_have_a_program(name: str) -> None:
    assert used(rf"__enzyme_\w+\([^;]*\b{name}\b")


@pytest.mark.parametrize("name", REGISTRATIONS)
def test_registrations_have_a_program(name: str) -> None:
    assert used(rf"{name}\w*(?:\[\d*\])?\s*=")


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_attributes_have_a_program(name: str) -> None:
    kind = name.removeprefix("enzyme_")
    assert used(rf'enzyme\("{kind}"|__attribute__\(\([^;]*\b{name}\b')


def test_what_the_front_end_declares_is_known_or_refused() -> None:
    """The two lists of names, that of the front end and that of the lowering, are one."""
    assert {f"enzyme_{word}" for word in entries.MARKERS} | set(OLDER) >= markers.MARKERS - {
        "enzyme_byref",
        "enzyme_interleave",
    }
    assert {part for part, _ in markers.ENTRIES} - set(ENTRIES) == REFUSED_ENTRIES
