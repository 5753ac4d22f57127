"""Long tables of constants: nobody walks or hashes those that are numbers alone, and each element's type is the one it has."""

from __future__ import annotations

import math
import struct

import pytest

from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.graphs import callgraph
from enzyme_magic.backend.ir.text import parser, printer
from enzyme_magic.backend.ir.values import ConstantAggregate, Value

ROW = "{ double, [2 x i32], ptr }"
ODD = "{ [2 x ptr], [2 x ptr addrspace(1)], [2 x ptr] }"
TABLE = f"""@g = global i32 1
@numbers = constant [2 x {ROW}] [{ROW} {{ double 1.5, [2 x i32] [i32 1, i32 2], ptr null }}, {ROW} zeroinitializer]
@mixed = constant [2 x {ROW}] [{ROW} zeroinitializer, {ROW} {{ double 2.5, [2 x i32] [i32 3, i32 4], ptr @g }}]
@odd = constant {ODD} {{ [2 x ptr] zeroinitializer, [2 x ptr addrspace(1)] zeroinitializer, [2 x ptr] [ptr @g, ptr null] }}
"""


def initializer(name: str) -> Value:
    found = parser.parse(TABLE).variables[name].initializer
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("name", "plain", "mentioned"), [("numbers", True, []), ("mixed", False, ["g"]), ("odd", False, ["g"])]
)
def test_tables_that_mention_nothing_are_known(name: str, plain: bool, mentioned: list[str]) -> None:
    value = initializer(name)
    assert isinstance(value, ConstantAggregate)
    assert value.plain == plain
    assert [item.name for item in callgraph.globals_in(value)] == mentioned


def test_they_are_read_as_they_are_written() -> None:
    module = parser.parse(TABLE)
    text = printer.print_module(module)
    assert printer.print_module(parser.parse(text)) == text
    assert "ptr addrspace(1)] zeroinitializer, [2 x ptr] [ptr @g, ptr null]" in text


@pytest.mark.parametrize("value", [0.0, -0.0, 1.25, 5e-324, -1.7976931348623157e308, math.inf, math.pi])
def test_doubles_are_their_own_bits(value: float) -> None:
    assert constants.encode(constants.FORMATS["double"], value) == struct.unpack("<Q", struct.pack("<d", value))[0]
