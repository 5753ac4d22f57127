"""Random C programs to differentiate: finite, without undefined behaviour, smooth except at isolated points.

Deterministic by seed. A program is one function with its helpers; `translation_unit` puts many into one source. Every statement and
expression carries the name of its construct, so that `histogram` can show what was really exercised.

Invariant: every real variable, array element and field starts within ±LIMIT and is only assigned values within it, except by small
increments in loops of few iterations; every index is within its array; every object is written before it is read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

import numpy as np

from .random_blocks import NESTED
from .random_expressions import Array, Expressions, Scope
from .random_helpers import CALL, HELPERS, call, helper_function
from .random_statements import SIMPLE, struct_local
from .random_writer import LENGTH, Maker, Writer
from .syntax import Expression, Function, Program, Statement, prelude

DTYPES: dict[str, Any] = {"double": np.float64, "float": np.float32, "long double": np.longdouble}


def generate(seed: int, more: Sequence[Maker] = ()) -> Program:
    """The program of a seed. more: further kinds of statements, one of which is drawn for certain."""
    random = Random(seed)
    real = random.choices(("double", "float", "long double"), (0.86, 0.07, 0.07))[0]
    name = f"f{seed}"
    w = Writer(random, name, real, Expressions(random, real), [*SIMPLE, CALL, *more], list(NESTED))
    functions = [helper_function(w, random.choice(list(HELPERS))) for _ in range(random.choice((0, 1, 2, 3)))]
    parameters = [("real", "x"), ("real", "y")][: random.choice((1, 2, 2))]
    parameters += [("array", "a")] if random.random() < 0.8 else []
    parameters += [("const array", "b")] if random.random() < 0.5 or len(parameters) == 1 else []
    parameters += [("indices", "ix")] if random.random() < 0.3 else []
    parameters += [("int", "n"), ("int", "k")]
    returns = random.random() < 0.85 or ("array", "a") not in parameters
    scope = Scope(
        reals=[n for kind, n in parameters if kind == "real"],
        arrays=[Array(n, "n", kind == "array") for kind, n in parameters if kind.endswith("array")],
        small=["k"],
        indices=[n for kind, n in parameters if kind == "indices"],
    )
    w.returns = returns
    body = list(w.block(scope, random.randint(1, 4), 3))
    if any(helper.kind.startswith("struct") for helper in w.helpers):
        body += struct_local(w, scope, 0)
    for helper in w.helpers:
        body += call(w, scope, helper)
    body += w.block(scope, random.randint(1, 3), 3)
    if more:
        body += random.choice(more).make(w, scope, 0)
    body += _ending(scope, returns)
    head = f"{'real' if returns else 'void'} {name}({', '.join(_declared(*p) for p in parameters)})"
    constructs = frozenset([f"type {real}", "result returned" if returns else "result in memory"])
    functions.append(Function(head, tuple(body)))
    return Program(
        seed, name, real, tuple(functions), tuple(parameters), tuple(w.tables), constructs, tuple(w.supports)
    )


def _ending(scope: Scope, returns: bool) -> list[Statement]:
    """Everything still visible flows into what comes out."""
    names = [*scope.reals, *(f"{s}{member}" for s in scope.structs for member in ("x", "y[1]"))]
    weights = [f"#{0.2 + 0.1 * k:.1f}" for k in range(len(names))]
    total = Expression(" + ".join(f"{w}*{name}" for w, name in zip(weights, names, strict=True)) or "#0.1")
    statements = [Statement("", ("real total = $0;",), (total,))]
    for array in scope.arrays:
        line = f"for (int i = 0; i < {array.length}; i++) total += (#0.1 + #0.05*i)*{array.name}[i];"
        statements.append(Statement("", (line,)))
    last = "return @sin(total) + total;" if returns else "a[0] += @sin(total);"
    return [*statements, Statement("", (last,))]


def _declared(kind: str, name: str) -> str:
    types = {"real": "real ", "array": "real *", "const array": "const real *", "indices": "const int *", "int": "int "}
    return types[kind] + name


def arguments(program: Program, attempt: int = 0) -> list[Any]:
    """Where a program is differentiated; another place for each attempt. Reals are short binary fractions."""
    random = np.random.default_rng([program.seed, attempt])

    def reals(count: int) -> Any:
        values = np.round(random.uniform(0.2, 1.6, count) * random.choice([-1, 1, 1], count) * 256) / 256
        return values.astype(DTYPES[program.real])

    made: list[Any] = []
    for kind, name in program.parameters:
        if kind == "real":
            made.append(float(reals(1)[0]))
        elif kind.endswith("array"):
            made.append(reals(LENGTH))
        elif kind == "indices":
            made.append(random.integers(0, LENGTH, LENGTH).astype(np.int32))
        else:
            made.append(LENGTH if name == "n" else int(random.integers(0, 6)))
    return made


def translation_unit(programs: Iterable[Program]) -> str:
    return prelude() + "\n".join(program.text() for program in programs)


def histogram(programs: Sequence[Program]) -> dict[str, float]:
    """Share of the programs that contain each construct, the most frequent first."""
    counts = Counter(construct for program in programs for construct in program.used())
    return {construct: count / len(programs) for construct, count in counts.most_common()}
