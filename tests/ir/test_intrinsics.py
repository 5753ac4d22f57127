"""Intrinsics are known by whole words of their names, in one file."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from enzyme_magic.backend.ir import intrinsics

BACKEND = Path(intrinsics.__file__).parents[1]
BY_NAME = re.compile(
    r"llvm\.(mem\w*|lifetime|invariant|assume|dbg|experimental\.noalias\.scope\.decl|donothing|sideeffect|stack\w*|expect)\.?"
)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("llvm.memcpy.p0.p0.i64", "memcpy"),
        ("llvm.memcpy.inline.p0.p0.i64", "memcpy"),
        ("llvm.memmove.element.unordered.atomic.p0.p0.i32", "memmove"),
        ("llvm.memset.p0.i64", "memset"),
        ("memcpy", None),
        ("llvm.memcpyx.p0", None),
        ("llvm.smax.i32", None),
    ],
)
def test_transfers(name: str, expected: str | None) -> None:
    assert intrinsics.transfer_of(name) == expected
    assert intrinsics.is_copy(name) == (expected in ("memcpy", "memmove"))


@pytest.mark.parametrize(
    "name",
    ["lifetime.start.p0", "invariant.end.p0", "assume", "dbg.value", "experimental.noalias.scope.decl", "prefetch.p0"],
)
def test_markers(name: str) -> None:
    assert intrinsics.is_marker(f"llvm.{name}")
    assert not intrinsics.is_marker(name)
    assert not intrinsics.passes_on(f"llvm.{name}")


@pytest.mark.parametrize("name", ["launder.invariant.group.p0", "expect.i64", "trap", "assume2", "is.constant.i32"])
def test_what_has_a_result_or_an_end_is_no_marker(name: str) -> None:
    assert not intrinsics.is_marker(f"llvm.{name}")


def test_no_other_file_knows_them_by_a_part_of_their_name() -> None:
    found = [
        f"{path.relative_to(BACKEND)}:{node.lineno}: {node.value}"
        for path in sorted(BACKEND.rglob("*.py"))
        if path != Path(intrinsics.__file__)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and BY_NAME.fullmatch(node.value)
    ]
    allowed = ("explain/gradient_c/lowering.py",)  # declares the function
    assert not [line for line in found if not line.startswith(allowed)]
