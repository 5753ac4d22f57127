"""A module above 20,000 instructions, and work that grows with the text and not faster.

Speed is measured in benchmarks/parse.py; here only the amount of work is counted, which no other process can disturb.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.checks.verify import verify
from enzyme_magic.backend.ir.constants import float_constant
from enzyme_magic.backend.ir.module import Module
from enzyme_magic.backend.ir.text.parser import parse
from enzyme_magic.backend.ir.text.printer import print_module
from enzyme_magic.backend.ir.types import DOUBLE

from .conftest import read_by_llvm
from .structure import difference

FUNCTION = """
double f{k}(double *x, const double *y, int n, struct scale *s) {{
    double r = {k}.5, t = 0.1;
    for (int i = 0; i < n; i++) {{
        if (y[i] > 0.3) r += sin(x[i]) * y[i]; else r -= exp(-x[i]) / (1 + y[i] * y[i]);
        x[i] = r * s->a + t;
        t = fma(r, t, s[i].b);
        switch (s->n + i) {{ case 1: t *= 2; break; case {k} + 2: t = sqrt(t); break; default: t -= 1; }}
    }}
    return r + t;
}}
"""


def source(functions: int) -> str:
    head = "#include <math.h>\nstruct scale { double a, b; int n; };\n"
    return head + "".join(FUNCTION.format(k=k) for k in range(functions))


@pytest.fixture(scope="module")
def text(clang: Callable[[Path, list[str]], str], tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], str]:
    folder = tmp_path_factory.mktemp("large")

    def make(functions: int) -> str:
        path = folder / f"large{functions}.c"
        path.write_text(source(functions))
        return read_by_llvm(clang(path, ["-O2", "-Xclang", "-disable-llvm-passes"]))

    return make


def count(module: Module) -> int:
    return sum(1 for function in module.definitions() for _ in function.instructions())


def test_twenty_thousand_instructions_round_trip(text: Callable[[int], str]) -> None:
    original = text(175)
    module = parse(original)
    assert count(module) > 20_000
    verify(module)
    printed = print_module(module)
    assert difference(module, parse(printed)) is None
    assert read_by_llvm(printed).splitlines()[1:] == original.splitlines()[1:]


def calls_during(work: Callable[[], object]) -> int:
    """Python and C calls made by `work`: the same number on every machine."""
    made = 0

    def see(frame: object, event: str, argument: object) -> None:
        nonlocal made
        made += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(see)
    try:
        work()
    finally:
        sys.setprofile(before)
    return made


def test_the_work_is_linear(text: Callable[[int], str]) -> None:
    small, large = text(5), text(20)
    modules = parse(small), parse(large)
    ratio = count(modules[1]) / count(modules[0])
    assert calls_during(lambda: parse(large)) < 1.1 * ratio * calls_during(lambda: parse(small))
    assert calls_during(lambda: print_module(modules[1])) < 1.1 * ratio * calls_during(lambda: print_module(modules[0]))
    assert calls_during(lambda: verify(modules[1])) < 1.1 * ratio * calls_during(lambda: verify(modules[0]))


def test_depth_needs_no_recursion() -> None:
    """A chain of 20,000 instructions, as many blocks, as many metadata nodes."""
    size = 20_000
    lines = ["define double @f(double %x0) {"]
    lines += [f"  %x{k + 1} = fadd double %x{k}, %x0, !note !{k}" for k in range(size)]
    lines.append("  br label %b0")
    lines += [f"b{k}:\n  br label %b{k + 1}" for k in range(size)]
    lines += [f"b{size}:", f"  ret double %x{size}", "}"]
    lines += [f"!{k} = !{{!{k + 1}}}" for k in range(size)] + [f"!{size} = !{{}}"]
    module = parse("\n".join(lines))
    verify(module)
    assert len(parse(print_module(module)).functions["f"].blocks) == size + 2


def test_a_large_table_and_a_large_switch() -> None:
    size = 20_000
    table = ", ".join(f"double {k}.5" for k in range(size))
    cases = "\n".join(f"    i32 {k}, label %{'ab'[k % 2]}" for k in range(size))
    text = f"""@t = constant [{size} x double] [{table}]
define void @f(i32 %n) {{
  switch i32 %n, label %a [
{cases}
  ]
a:
  ret void
b:
  ret void
}}"""
    module = parse(text)
    verify(module)
    assert difference(module, parse(print_module(module))) is None


def test_insertions_before_an_instruction_stay_cheap() -> None:
    module = parse("define double @f(double %x) {\n  ret double %x\n}")
    entry = module.functions["f"].entry
    half = float_constant(DOUBLE, 0.5)
    builder = Builder(entry, entry.terminator)

    def insert() -> None:
        for _ in range(20_000):
            builder.fadd(half, half)

    first, second = calls_during(insert), calls_during(insert)
    assert second < 1.01 * first
    assert entry.instructions[-1].opcode == "ret"
