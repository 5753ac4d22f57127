"""C lines, through inlining and headers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from enzyme_magic.backend.ir.locations import file_of, function_span, inlined_chain, line_of, span
from enzyme_magic.backend.ir.module import Module
from enzyme_magic.backend.ir.text.parser import parse
from enzyme_magic.errors import Span

CELL = """#line 1 "cell"
#include "helper.h"
static double twice(double x) {
    return x +
           x;
}
double f(double x) {
    double a = twice(x * 3);
    return a - helped(x);
}
"""
HELPER = """
static inline double helped(double x) {
    return x / 7;
}
"""


@pytest.fixture(scope="module")
def module(clang: Callable[[Path, list[str]], str], tmp_path_factory: pytest.TempPathFactory) -> Module:
    folder = tmp_path_factory.mktemp("locations")
    (folder / "helper.h").write_text(HELPER)
    (folder / "cell.c").write_text(CELL)
    return parse(clang(folder / "cell.c", ["-O2", "-I", str(folder)]))


def by_opcode(module: Module):  # type: ignore[no-untyped-def]
    return {i.opcode: i for i in module.functions["f"].instructions()}


def test_lines_of_the_own_file_win(module: Module) -> None:
    found = by_opcode(module)
    assert line_of(found["fmul"]) == 7
    assert line_of(found["fadd"]) == 3  # inside twice, which is in the same file
    assert line_of(found["fsub"]) == 8


def test_what_comes_from_a_header_is_found_where_it_was_used(module: Module) -> None:
    division = by_opcode(module)["fdiv"]
    assert division.line == 3  # in the header
    assert line_of(division) == 8
    inner, outer = inlined_chain(division)
    header = file_of(inner)
    assert header is not None
    assert header.endswith("helper.h")
    assert file_of(outer) == "cell"
    assert line_of(division, header) == 3
    assert line_of(division, "somewhere else") is None


def test_spans(module: Module) -> None:
    assert span(by_opcode(module)["fsub"]) == Span("cell", 8, 14)
    assert function_span(module.functions["f"]) == Span("cell", 6)


def test_nothing_is_guessed(module: Module) -> None:
    instruction = by_opcode(module)["fmul"]
    del instruction.metadata["dbg"]
    assert line_of(instruction) is None
    assert span(instruction) is None
    bare = parse("define void @f() {\n  ret void, !dbg !0\n}\n!0 = !DILocation(line: 0, scope: !1)\n!1 = !{}")
    assert line_of(bare.functions["f"].entry.terminator) is None
    assert function_span(bare.functions["f"]) is None
