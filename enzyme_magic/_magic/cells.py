"""One `%%enzyme_c` cell: from the parsed line to compiled functions and what is to be shown of them.

Invariant: nothing is bound, printed or displayed here, so that a cell that fails leaves everything as it was.
"""

from __future__ import annotations

import argparse
import dataclasses
import difflib
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass
from typing import Any

from enzyme_magic._magic import options
from enzyme_magic.api.checks import trial
from enzyme_magic.api.compilation import compile_c
from enzyme_magic.api.function import CFunction
from enzyme_magic.api.program import Program
from enzyme_magic.api.used import programs
from enzyme_magic.errors import ArgumentError, DifferentiationError
from enzyme_magic.report import Check, Report
from enzyme_magic.testing import check_grads
from enzyme_magic.viz.picture import Picture
from enzyme_magic.viz.views import view

Arguments = tuple[tuple[Any, ...], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class CellResult:
    """`lines`: said before the pictures. `warnings`: the compiler's, and functions without a gradient."""

    functions: Mapping[str, CFunction]
    lines: tuple[str, ...] = ()
    pictures: tuple[Picture, ...] = ()
    warnings: tuple[str, ...] = ()
    reports: tuple[Report, ...] = ()
    arguments: Arguments | None = None


def compile_cell(
    source: str, label: str, line: argparse.Namespace, variables: MutableMapping[str, object]
) -> CellResult:
    """Compile the cell as the line says; empty lines at its end are no lines of it. EnzymeError for all that can be wrong."""
    example = example_arguments(line.at, variables)
    given: dict[str, Any] = keywords(line) | custom_rules(line, variables)
    uses = used_programs(line, variables)
    if uses:
        given["uses"] = uses
    program = compile_c(source.rstrip(), name=label, force=line.force, **given)
    functions = program.select(line.names)
    if not line.names:  # those of earlier cells keep their names
        functions = {name: found for name, found in functions.items() if not any(name in other for other in uses)}
    shown, lines = _choice(functions, named=bool(line.names))
    if line.quiet and not (line.check or line.wrt):
        shown = []  # nobody would see the reports
    reports = []
    for name in shown:
        found = _report(functions[name], line, example)
        if isinstance(found, Report):
            reports.append(_with_origin(found, program))
        else:
            lines.append(f"{functions[name]}\n{found}")
    pictures = [view(report, name) for report in reports for name in line.show or [None]]
    return CellResult(
        functions, tuple(lines), tuple(pictures), tuple(map(str, program.diagnostics)), tuple(reports), example
    )


def keywords(line: argparse.Namespace) -> dict[str, Any]:
    """The options of the line as arguments of `compile_c`."""
    found: dict[str, Any] = {
        "include": tuple(line.include),
        "define": tuple(line.define),
        "link": tuple(line.link),
        "library_path": tuple(line.library_path),
        "compile_args": options.words(line.compile_args),
        "shape": options.pairs(line.shape, "--shape", "x=n"),
        "activity": options.pairs(line.activity, "--activity", "w=const"),
        "strict_headers": line.strict_headers,
    }
    levels = {"opt": line.opt, "post_opt": line.post_opt}
    if line.cpu and line.cpu != "host":
        found["cpu"] = line.cpu
    if line.sanitize:
        found["sanitize"] = True
    if line.strict:
        found["strict"] = True
    if line.isolate:
        found["isolate"] = True
    return found | {name: int(level) for name, level in levels.items() if level is not None}


def custom_rules(line: argparse.Namespace, variables: MutableMapping[str, object]) -> dict[str, Any]:
    """`--custom rule`: the rules in the user's variables of these names."""
    found: list[object] = []
    for name in options.names(line.custom):
        if name not in variables:
            hint = f"make it first: {name} = em.custom_vjp('f', gradient)"
            raise ArgumentError(f"--custom {name}: there is no such variable", code="EM333", hint=hint)
        value = variables[name]
        found += value if isinstance(value, (list, tuple)) else [value]
    return {"custom": found} if found else {}


def used_programs(line: argparse.Namespace, variables: MutableMapping[str, object]) -> tuple[Program, ...]:
    """`--uses scaled`: the programs of the C functions in the user's variables of these names."""
    found: list[CFunction] = []
    for name in options.names(line.uses):
        value = variables.get(name)
        if not isinstance(value, CFunction):
            known = sorted(key for key, other in variables.items() if isinstance(other, CFunction) and key[0] != "_")
            near = difflib.get_close_matches(name, known, 1)
            hint = f"did you mean {near[0]}?" if near else f"C functions here: {', '.join(known) or 'none yet'}"
            raise ArgumentError(f"--uses {name}: no C function of an earlier cell", code="EM343", hint=hint)
        found.append(value)
    return programs(found)


def example_arguments(texts: list[str], variables: MutableMapping[str, object]) -> Arguments | None:
    """`--at 2.0` and `--at "x=np.arange(4.), n=4"` as the arguments of a call, evaluated among the user's variables; `np` is there
    even where nobody has imported it."""
    if not texts:
        return None
    text = ", ".join(texts)
    try:
        code = compile(f"(lambda *args, **kwargs: (args, kwargs))({text}\n)", "--at", "eval")
        known = dict(variables)
        if "np" in code.co_names:
            import numpy

            known.setdefault("np", numpy)
        found: Arguments = eval(code, known)
    except Exception as error:  # whatever the user's expression raises
        raise ArgumentError(
            f"--at {text}: {type(error).__name__}: {error}",
            code="EM330",
            hint='arguments as in a call: --at "x=np.arange(4.), n=4" or --at 2.0',
        ) from error
    return found


def _choice(functions: Mapping[str, CFunction], named: bool) -> tuple[list[str], list[str]]:
    """(functions whose pictures are shown, lines about the others): those asked for, otherwise the last of the cell."""
    shown = list(functions) if named else list(functions)[-1:]
    return shown, [str(function) for name, function in functions.items() if name not in shown]


def _report(function: CFunction, line: argparse.Namespace, example: Arguments | None) -> Report | str:
    """The report to show, with the check and the example that were asked for; or why there is no gradient."""
    wrt = options.names(line.wrt) or None
    try:
        report = function.make_report(wrt=wrt)
    except DifferentiationError as error:
        if wrt or line.check:
            raise
        return f"no gradient: {error}"
    if example is not None:
        report = trial.at(function, wrt, report, example)
    elif not (line.check or line.quiet):
        report = trial.of_small_numbers(function, wrt, report)
    if line.check:
        report = dataclasses.replace(report, check=_check(function, wrt, example))
    return report


def _with_origin(report: Report, program: Program) -> Report:
    """A cell that was compiled in an earlier session shows the same and says so."""
    if not getattr(program.compiled, "from_disk", False):
        return report
    return dataclasses.replace(report, notes=(*report.notes, "compiled earlier, taken from disk (-f compiles again)"))


def _check(function: CFunction, wrt: tuple[str, ...] | None, example: Arguments | None) -> Check:
    """The badge. GradientMismatch when finite differences say something else."""
    if example is None:
        raise ArgumentError(
            "--check calls the function, and there are no arguments", code="EM331", hint="add --at, as in --at 2.0"
        )
    args, kwargs = example
    found = check_grads(function, args, wrt=wrt, named=kwargs)
    points = f"{found.points} slope{'' if found.points == 1 else 's'}"
    text = f"gradient checked: {points}, worst relative error {found.worst:.1e}"
    return Check(True, text, found.points, found.worst)


def why(function: CFunction, where: str) -> str:
    """`%enzyme_why f 4`, `f line 4`, `f %mul`, `f x`."""
    return str(function.why(int(where) if where.isdigit() else where))
