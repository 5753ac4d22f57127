"""C programs as trees, for the generator of random programs and its shrinker.

A template mixes C text with `$0`, `$1` … (expressions), `@sin` (a libm name that gets the suffix of the real type), `#0.5`
(a literal that gets it) and the word `real` (the type itself). A statement's lines hold templates and, as numbers, its bodies.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

SUFFIX = {"double": "", "float": "f", "long double": "l"}
LITERAL_SUFFIX = {"double": "", "float": "f", "long double": "L"}
NODE = {"double": "struct node", "float": "struct node_of_floats", "long double": "struct node_of_long_doubles"}
STRUCT = {"double": "struct pair", "float": "struct pair_of_floats", "long double": "struct pair_of_long_doubles"}
BOX = {"double": "struct box", "float": "struct box_of_floats", "long double": "struct box_of_long_doubles"}


@dataclass(frozen=True, slots=True)
class Expression:
    """bound: the absolute value it never exceeds while every variable keeps its own bound."""

    template: str
    parts: tuple[Expression, ...] = ()
    bound: float = 1.0
    construct: str = ""

    def text(self) -> str:
        return _filled(self.template, self.parts)

    def walk(self) -> Iterator[Expression]:
        yield self
        for part in self.parts:
            yield from part.walk()


@dataclass(frozen=True, slots=True)
class Statement:
    construct: str
    lines: tuple[str | int, ...]
    expressions: tuple[Expression, ...] = ()
    bodies: tuple[tuple[Statement, ...], ...] = ()

    def render(self, indent: int) -> list[str]:
        out: list[str] = []
        for line in self.lines:
            if isinstance(line, int):
                for statement in self.bodies[line]:
                    out += statement.render(indent + 1)
            else:
                out.append("    " * indent + _filled(line, self.expressions))
        return out

    def walk(self) -> Iterator[Statement]:
        yield self
        for body in self.bodies:
            for statement in body:
                yield from statement.walk()


@dataclass(frozen=True, slots=True)
class Function:
    """`head` is the declarator without the opening brace."""

    head: str
    body: tuple[Statement, ...]
    constructs: frozenset[str] = frozenset()

    def render(self) -> list[str]:
        lines = [self.head + " {"]
        for statement in self.body:
            lines += statement.render(1)
        return [*lines, "}"]


@dataclass(frozen=True, slots=True)
class Program:
    """One function to differentiate, `name`, with its helpers before it. `parameters`: (kind, name); `tables`: global arrays;
    `supports`: C text before the functions."""

    seed: int
    name: str
    real: str
    functions: tuple[Function, ...]
    parameters: tuple[tuple[str, str], ...]
    tables: tuple[str, ...] = ()
    constructs: frozenset[str] = field(default=frozenset())
    supports: tuple[str, ...] = ()

    def text(self) -> str:
        """The C text without the prelude."""
        lines = [f"static real {name}[8];" for name in self.tables]
        lines += self.supports
        for function in self.functions:
            lines += [*function.render(), ""]
        return specialized("\n".join(lines), self.real)

    def used(self) -> frozenset[str]:
        """The constructs it is made of."""
        found = set(self.constructs)
        for function in self.functions:
            found |= function.constructs
            for top in function.body:
                for statement in top.walk():
                    found.add(statement.construct)
                    found |= {e.construct for root in statement.expressions for e in root.walk()}
        return frozenset(found - {""})


BOXES = (
    "static __attribute__((noinline)) box @boxed(int count) {",
    "    box b = {count, malloc(count*sizeof(real))};",
    "    for (int i = 0; i < count; i++) b.p[i] = #0.6;",
    "    return b;",
    "}",
    "static __attribute__((noinline)) box @joined(box a, box b) {",
    "    box c = @boxed(2);",
    "    for (int i = 0; i < 2; i++) c.p[i] = #0.5*a.p[i] + #0.4*@sin(b.p[i]*a.p[0]);",
    "    return c;",
    "}",
)


def _filled(template: str, parts: tuple[Expression, ...]) -> str:
    return re.sub(r"\$(\d+)", lambda m: parts[int(m.group(1))].text(), template)


def specialized(text: str, real: str) -> str:
    """The text for one real type."""
    text = re.sub(r"@(\w+)", lambda m: m.group(1) + SUFFIX[real], text)
    text = re.sub(r"#(\d[\d.]*)", lambda m: m.group(1) + LITERAL_SUFFIX[real], text)
    text = re.sub(r"\bpair\b", STRUCT[real], text)
    text = re.sub(r"\bnode\b", NODE[real], text)
    text = re.sub(r"\bbox\b", BOX[real], text)
    return re.sub(r"\breal\b", real, text)


def prelude() -> str:
    """What every translation unit begins with: headers, and for each real type its structs and common functions."""
    parts = ["#include <math.h>", "#include <stdlib.h>", "#include <string.h>"]
    for real, name in STRUCT.items():
        parts.append(f"{name} {{ int tag; {real} x; {real} y[2]; }};")
        parts.append(f"{NODE[real]} {{ {real} value; {NODE[real]} *next; }};")
        parts.append(f"{BOX[real]} {{ int count; {real} *p; }};")
        parts += [specialized(line, real) for line in BOXES]
        parts.append(specialized("static inline real @square(real v) { return v*v; }", real))
        parts.append(specialized("static real @wave(real v) { return @sin(v) + #0.3*@cos(v*v); }", real))
    return "\n".join(parts) + "\n\n"
