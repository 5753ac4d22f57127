"""Programs of csmith, which is not ours: `f(x)` writes x into the first float global, calls `func_1`, and adds up the floats.

Programs whose values depend on the compiler are left out.

The judges: gcc's plain compile (or the bundled clang's) run in processes of its own, for the value and for differences of every
global alone; forward against reverse mode; the watched run where they disagree. Programs are judged at opt 0 and 2. Each mode gets
a program of its own, because csmith's pointers among globals stay as a call leaves them.
"""

from __future__ import annotations

import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import IO, Any

import enzyme_magic as em
from enzyme_magic.api.checks import watching
from enzyme_magic.backend.tracing.record import NotDecided
from enzyme_magic.errors import DifferentiationError, EnzymeError, ExecutionError

from .judging import CRASH, FORWARD, KINK, MODES, REFUSED, REVERSE, RIGHT, WRONG, Outcome
from .parent import Plan

LEVELS = (0, 2)
PLAN = Plan(("-W", "ignore", "-m", "tests.campaign.csmith"), 1, LEVELS)
FLAGS = ("--float", "--no-volatiles", "--no-packed-struct", "--no-argc")
INCLUDES = ("/usr/include/csmith", "/usr/local/include/csmith")
SECONDS = 5.0  # one run of the plain program
POINTS = (1.25, -0.75, 3.5)
STEPS = (2.0**-7, 2.0**-6)
ROUNDING = 2.0**-23


def present() -> bool:
    """Whether csmith and its header are installed."""
    return shutil.which("csmith") is not None and bool(_include())


def _include() -> tuple[str, ...]:
    """The folder of its header, where there is one."""
    return tuple(folder for folder in INCLUDES if Path(folder, "csmith.h").is_file())[:1]


@dataclass(frozen=True, slots=True)
class Case:
    """text: the C of `f`; floats: the globals whose sum it returns, the first of which is x."""

    seed: int
    text: str
    floats: tuple[str, ...]


def case(seed: int) -> Case | None:
    """The program of a seed; None where it has no float global."""
    with tempfile.TemporaryDirectory() as folder:  # csmith leaves a file where it runs
        words = ["csmith", *FLAGS, "--seed", str(seed)]
        made = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=60, check=True)
    text = made.stdout.partition("\nint main (void)")[0]
    floats = tuple(re.findall(r"^static float (g_\d+) = ", text, re.MULTILINE))
    if not floats:
        return None
    total = " + ".join(f"(double){name}" for name in floats)
    function = f"\ndouble f(double x) {{ {floats[0]} = (float)x; func_1(); return {total}; }}\n"
    return Case(seed, text + function, floats)


# The plain program


@cache
def _compiler() -> tuple[str, ...]:
    gcc = shutil.which("gcc")
    return (gcc,) if gcc else BUNDLED


BUNDLED = (sys.executable, "-m", "ziglang", "cc", "-fno-sanitize=all")


def is_defined(made: Case, folder: Path, program: Path) -> bool:
    """Whether another compiler, at another level, gives the same values: csmith's programs may convert a float to an integer
    that it does not fit, which C leaves undefined."""
    other = plain(made, folder, (*BUNDLED, "-O2"), "other")
    return other is not None and all(_same(_values(program, x), _values(other, x)) for x in POINTS)


def _same(a: list[float] | None, b: list[float] | None) -> bool:
    if a is None or b is None:
        return a is b
    return len(a) == len(b) and all(
        x == y or abs(x - y) <= 1e-6 * abs(x) or (x != x and y != y) for x, y in zip(a, b, strict=True)
    )


def plain(made: Case, folder: Path, compiler: Sequence[str] = (), name: str = "plain") -> Path | None:
    """The program as an executable that prints f(x) and every global; None where it does not compile."""
    printed = "".join(f' printf(" %a", (double){name});' for name in made.floats)
    main = f'int main(int c, char **v) {{ double r = f(strtod(v[1], 0)); printf("%a", r);{printed} return 0; }}\n'
    source, out = folder / f"{name}.c", folder / name
    source.write_text("#include <stdio.h>\n#include <stdlib.h>\n" + made.text + main)
    command = [
        *(compiler or (*_compiler(), "-O1")),
        "-w",
        "-Wno-incompatible-pointer-types",
        "-fwrapv",
        "-fno-strict-aliasing",
        *(f"-I{folder}" for folder in _include()),
        str(source),
        "-o",
        str(out),
    ]
    done = subprocess.run([*command, "-lm"], capture_output=True, timeout=120, check=False)
    return out if done.returncode == 0 else None


def _values(program: Path, x: float) -> list[float] | None:
    """f(x) and the globals after it; None where it does not end well in time."""
    try:
        done = subprocess.run([str(program), x.hex()], capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return None
    return [float.fromhex(part) for part in done.stdout.split()] if done.returncode == 0 else None


@dataclass(frozen=True, slots=True)
class Slope:
    """The derivative at x by differences, with what it may be wrong by; None of it where they do not settle."""

    x: float
    value: float
    slope: float | None
    error: float = 0.0


def slopes_of(program: Path) -> list[Slope]:
    """At the points tried; none where the program does not end at the first."""
    first = slope(program, POINTS[0])
    rest = [slope(program, x) for x in POINTS[1:]] if first is not None and first.slope is None else []
    return [found for found in (first, *rest) if found is not None]


def slope(program: Path, x: float) -> Slope | None:
    """None where the program does not end, or not in finite numbers."""
    here = _values(program, x)
    if here is None or not all(map(math.isfinite, here)):
        return None
    tables = [[_values(program, x + side * step) for side in (1, -1)] for step in STEPS]
    if any(row is None or not all(map(math.isfinite, row)) for table in tables for row in table):
        return Slope(x, here[0], None)
    total = error = 0.0
    for k in range(1, len(here)):
        found = [(up[k] - down[k]) / (2 * step) for (up, down), step in zip(tables, STEPS, strict=True) if up and down]
        one_sided = [(up[k] - here[k]) / step for (up, _), step in zip(tables, STEPS, strict=True) if up]
        noise = 4 * ROUNDING * abs(here[k]) / STEPS[0]
        spread = max(found + one_sided) - min(found + one_sided)
        if spread > 0.05 * abs(found[0]) + 4 * noise:
            return Slope(x, here[0], None)
        total, error = total + found[0], error + spread + noise
    return Slope(x, here[0], total, error)


# The engine


def _function(made: Case, opt: int) -> Any:
    """`f` of a program of its own, with its globals as they are at first."""
    arguments = ("-Wno-incompatible-pointer-types", "-fwrapv", "-fno-strict-aliasing")
    return em.compile(made.text, opt=opt, include=_include(), compile_args=arguments)["f"]


def _derivative(made: Case, opt: int, mode: str, x: float) -> float:
    function = _function(made, opt)
    return float(em.grad(function)(x)) if mode == REVERSE else float(em.jvp(function, (x,), (1.0,))[1])


def judge(made: Case, slopes: Sequence[Slope], opt: int, mode: str) -> Outcome:
    """One outcome: right, refused, wrong, or kink-skipped where nothing settles."""
    blank = Outcome(made.seed, opt, mode, RIGHT)
    skipped = replace(blank, status=KINK)
    for wanted in slopes:
        x = wanted.x
        try:
            got, other = _derivative(made, opt, mode, x), _other(made, opt, mode, x)
            value = float(_function(made, opt)(x))
        except EnzymeError as error:
            code, message = error.code or "", error.message[:600]
            refused = isinstance(error, DifferentiationError | ExecutionError)
            return replace(blank, status=REFUSED if refused else CRASH, code=code, message=message)
        found = _verdict(made, opt, mode, wanted, value, got, other)
        if found is None or found.startswith(REALLY):
            return blank if found is None else replace(blank, status=WRONG, message=f"at {x}: {found}")
        skipped = replace(skipped, message=found)
    return skipped


REALLY = "wrong: "


def _verdict(
    made: Case, opt: int, mode: str, wanted: Slope, value: float, got: float, other: float | None
) -> str | None:
    """None: right. A sentence that begins with REALLY: wrong; any other: nothing settles."""
    if not abs(value - wanted.value) <= 1e-6 * abs(wanted.value):
        return f"{REALLY}the value is {value!r}, the plain program's {wanted.value!r}"
    if other is not None and not abs(got - other) <= 1e-5 * max(abs(got), abs(other)) + 1e-12:
        return f"{REALLY}{mode} mode {got!r}, the other {other!r}"
    if wanted.slope is not None:
        if abs(got - wanted.slope) <= 20 * wanted.error + 1e-3 * abs(wanted.slope) + 1e-6:
            return None
        verdict = _watched(_function(made, opt), wanted.x, got)
        return f"{REALLY}{got!r}, differences {wanted.slope!r}; {verdict}" if verdict else None
    verdict = _watched(_function(made, opt), wanted.x, got)
    return f"differences do not settle; {verdict}" if verdict else None


def _other(made: Case, opt: int, mode: str, x: float) -> float | None:
    """The other mode's derivative, where it has one."""
    try:
        return _derivative(made, opt, FORWARD if mode == REVERSE else REVERSE, x)
    except EnzymeError:
        return None


def _watched(function: Any, x: float, ours: float) -> str | None:
    """None where the watched run agrees with us: the differences are too rough."""
    try:
        run = watching.run_of(function, [x], {0: [1.0]})
    except NotDecided as reason:
        return f"the watched run does not decide ({reason})"
    if run.tangent is not None and abs(run.tangent - ours) <= 1e-5 * max(abs(ours), abs(run.tangent)) + 1e-12:
        return None
    return f"the watched run gives {run.tangent!r}"


# The child


def _unit(seed: int, done: set[tuple[int, int, str]], out: IO[str]) -> None:
    def say(message: dict[str, Any]) -> None:
        out.write(json.dumps(message) + "\n")
        out.flush()

    todo = [(opt, mode) for opt in LEVELS for mode in MODES if (seed, opt, mode) not in done]
    with tempfile.TemporaryDirectory() as folder:
        made = case(seed)
        program = plain(made, Path(folder)) if made is not None else None
        defined = made is not None and program is not None and is_defined(made, Path(folder), program)
        slopes = slopes_of(program) if program is not None and defined else []
        for opt, mode in todo:
            say({"begin": [seed, opt, mode]})
            if made is None or not slopes:
                outcome = Outcome(
                    seed, opt, mode, KINK, message="no float global, no end in finite numbers, or undefined"
                )
            else:
                outcome = judge(made, slopes, opt, mode)
            say({"outcome": outcome.as_json()})


def main(arguments: Sequence[str] = ()) -> int:
    """Serve until the input ends, as `tests.campaign.worker` does."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ENZYME_MAGIC_CACHE_DIR"] = folder
        for line in sys.stdin:
            work = json.loads(line)
            _unit(work["unit"], {(seed, opt, mode) for seed, opt, mode in work["done"]}, out)
            out.write(json.dumps({"finished": work["unit"]}) + "\n")
            out.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
