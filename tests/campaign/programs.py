"""Random programs with idioms: the statements of `tests.autodiff.random_programs`, and with every fifth of them an idiom.

Deterministic by seed. Each line of an idiom ends in a comment with its name, so that the C line of a refusal says what it is in.
"""

from __future__ import annotations

from collections.abc import Sequence

from tests.autodiff.random_expressions import Scope
from tests.autodiff.random_programs import generate, translation_unit
from tests.autodiff.random_writer import Maker, Writer
from tests.autodiff.syntax import Program, Statement

from .idioms import IDIOMS, Use

UNIT = 10  # programs in one translation unit
HEADERS = "#include <stdarg.h>\n#include <stdint.h>\n#include <emmintrin.h>\n"
MARK = " // idiom: "
WEIGHT = 9.0  # beside the weights of the other statements: every fifth statement


def idiom(w: Writer, scope: Scope, depth: int) -> list[Statement]:
    """Any idiom."""
    return use(w, scope, w.random.choice(list(IDIOMS)))


def use(w: Writer, scope: Scope, name: str) -> list[Statement]:
    """One use of the idiom `name`, which makes a new variable of two expressions."""
    code = IDIOMS[name](Use(w.random))
    variable = w.fresh("v")
    prefix = f"{w.name}_{variable}"
    values = (w.expressions.bounded(scope, depth=1), w.expressions.bounded(scope, depth=1))
    w.supports.append(_filled(code.support, prefix, name))
    scope.reals.append(variable)
    lines = (
        f"real {variable}; {{{MARK}{name}",
        f"    double {prefix}a = $0, {prefix}b = $1, {prefix}r;{MARK}{name}",
        *(f"    {line}" for line in _filled(code.body, prefix, name).splitlines()),
        f"    {variable} = (real)(0.25*{prefix}r); }}{MARK}{name}",
    )
    return [Statement(f"idiom: {name}", lines, values)]


def _filled(text: str, prefix: str, name: str) -> str:
    """The text with its names, and each line marked."""
    for token, value in {
        "<p>": prefix,
        "<a>": f"{prefix}a",
        "<b>": f"{prefix}b",
        "<r>": f"{prefix}r",
        "<n>": "n",
    }.items():
        text = text.replace(token, value)
    return "\n".join(line + MARK + name for line in text.splitlines() if line.strip())


def program(seed: int) -> Program:
    """The program of a seed."""
    return generate(seed, (Maker(idiom, WEIGHT),))


def programs_of(unit: int) -> list[Program]:
    """The programs of a translation unit."""
    return [program(seed) for seed in range(unit * UNIT, (unit + 1) * UNIT)]


def text_of(programs: Sequence[Program]) -> str:
    """Their translation unit."""
    return HEADERS + translation_unit(programs)


def idiom_at(source: str, line: int | None) -> str:
    """The idiom of a C line, or "plain"."""
    lines = source.splitlines()
    if line is None or not 0 < line <= len(lines):
        return "no line"
    _, mark, name = lines[line - 1].partition(MARK)
    return name.partition(MARK)[0] if mark else "plain"
