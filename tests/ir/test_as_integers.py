"""Bits are moved as what they are: printed IR of a few lines, before and after."""

from __future__ import annotations

import pytest

from enzyme_magic.backend.analysis.types.coerced import passed_facts
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.text import parser, printer
from enzyme_magic.backend.prepare.bits import as_integers, in_memory
from enzyme_magic.backend.prepare.bits.in_memory import RESULT, PassedPart, Passing

BODIES = {
    "%d = bitcast i64 %a to double\n store double %d, ptr %p": ["store i64 %a, ptr %p"],
    "%q = inttoptr i64 %a to ptr\n store ptr %q, ptr %p": ["store i64 %a, ptr %p"],
    "%d = load double, ptr %p\n %i = bitcast double %d to i64\n call void @use(i64 %i)": ["load i64, ptr %p"],
    "%q = load ptr, ptr %p\n %i = ptrtoint ptr %q to i64\n call void @use(i64 %i)": ["load i64, ptr %p"],
    "%i = load i64, ptr %p\n %q = inttoptr i64 %i to ptr\n %d = load double, ptr %q\n store double %d, ptr %p": [
        "load ptr, ptr %p"
    ],
    "%d = bitcast i64 %a to double\n %i = bitcast double %d to i64\n call void @use(i64 %i)": [
        "call void @use(i64 %a)"
    ],
}


@pytest.mark.parametrize("body", BODIES)
def test_casts_on_the_way(body: str) -> None:
    module = parser.parse(f"declare void @use(i64)\ndefine void @f(i64 %a, ptr %p) {{\n {body}\n ret void\n}}")
    as_integers.move(module.functions["f"])
    text = printer.print_module(module)
    assert all(line in text for line in BODIES[body]), text
    assert "bitcast" not in text
    assert "inttoptr" not in text
    assert "ptrtoint" not in text


def test_a_copy_takes_its_integers_in_memory() -> None:
    module = parser.parse(
        "define i64 @f(i64 %a, i32 %n, double %x) {\n %r = mul i64 %a, 3\n ret i64 %r\n}\n"
        "define i64 @g(i64 %a) {\n %r = call i64 @f(i64 %a, i32 1, double 2.0)\n ret i64 %r\n}"
    )
    passing = Passing(frozenset([PassedPart(0, 0), PassedPart(RESULT, 0)]))
    in_memory.pass_in_memory(module, {"f": passing}, DataLayout.of(module))
    copy = module.functions[f"{in_memory.PREFIX}f"]
    assert [str(a.type) for a in copy.arguments] == ["ptr", "ptr", "double", "ptr"]
    told = [list(in_memory.unknown_parts(a)) for a in copy.arguments]
    assert told == [[(0, 8, False)], [], [], [(0, 8, False)]]
    reasons = [fact.reason for fact in passed_facts(copy.arguments[0])]  # they are set against each other
    assert reasons == [
        f"{what} may be passed as a" for what in ("an integer", "a double", "the second half of a double")
    ]
    text = printer.print_module(module)
    assert text.count("call i64 @f") == 0
    assert text.count(f"call void @{in_memory.PREFIX}f(") == 1
    assert "define i64 @f(i64 %a, i32 %n, double %x)" in text
