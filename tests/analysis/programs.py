"""Random C functions over arrays, indices and loops: what `test_truth.py` runs and checks the analyses against."""

from __future__ import annotations

import random

PRELUDE = """
struct cell { double x; int k; double y; };
static double table[64];
static double *saved;
__attribute__((noinline)) static void bump(double *p, int i) { p[i] += 1; }
__attribute__((noinline)) static void keep(double *p) { saved = p; }
__attribute__((noinline)) static double *pick(double *p, double *q, int i) { return i & 1 ? p : q; }
"""
SIZE = 4  # the n that functions are called with


class Writer:
    """Writes one function `void f(double *a, double *b, struct cell *c, int *idx, int n)`."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.loops: list[str] = []
        self.count = 0

    def function(self, name: str) -> str:
        restrict = self.random.choice(["", "", "restrict "])
        self.emit(f"double {name}(double *{restrict}a, double *{restrict}b, struct cell *c, int *idx, int n) {{")
        self.emit("double s = 1, t[32] = {0}; double *p = a + 8;")
        small = self.random.random() < 0.7  # few statements, so that one wrong answer is not hidden behind a right one
        self.block(0, self.random.randint(1, 2) if small else self.random.randint(3, 6))
        self.emit("return s + t[3] + table[2]; }")
        self.restrict = bool(restrict)
        return "\n".join(self.lines)

    def emit(self, text: str) -> None:
        self.lines.append("  " * len(self.loops) + text)

    def block(self, depth: int, count: int) -> None:
        for _ in range(count):
            if depth < 3 and self.random.random() < (0.4 if depth else 0.7):
                self.loop(depth)
            else:
                self.statement()

    def loop(self, depth: int) -> None:
        i = f"i{self.count}"
        self.count += 1
        outer = self.random.choice(self.loops) if self.loops else "1"
        shape = self.random.choice(
            [
                f"for (int {i} = 0; {i} < n; {i}++) {{",
                f"for (int {i} = n - 1; {i} >= 0; {i}--) {{",
                f"for (unsigned {i} = 0; {i} < (unsigned)n; {i}++) {{",
                f"for (long {i} = 0; {i} < n; {i} += 2) {{",
                f"for (int {i} = 0; {i} < {outer} && {i} < 8; {i}++) {{",
                f"int {i} = n; while ({i}-- > 0) {{",
            ]
        )
        self.emit(shape if not shape.startswith("int") else "{ " + shape)
        self.loops.append(i)
        self.block(depth + 1, self.random.randint(1, 3))
        if self.random.random() < 0.15:
            self.emit(f"if ({self.place()} > 1e6) break;")
        self.loops.pop()
        self.emit("}" if not shape.startswith("int") else "} }")

    def index(self) -> str:
        """An index between 0 and about 31."""
        if not self.loops:
            return str(self.random.randint(0, 9))
        i, j = self.random.choice(self.loops), self.random.choice(self.loops)
        k = self.random.randint(0, 3)
        return self.random.choice(
            [
                i,
                i,
                f"{i} + {k}",
                f"2 * {i} + {k}",
                f"{i} + n * {j}",
                f"n * {i} + {j}",
                f"{i} + {j}",
                f"6 - {i}",
                f"idx[{i}]",
                str(k),
            ]
        )

    def place(self) -> str:
        array = self.random.choice(["a", "a", "b", "b", "t", "p", "table", "saved"])
        if self.random.random() < 0.25:
            return f"c[{self.index()}].{self.random.choice('xy')}"
        if array == "saved":
            return f"(saved ? saved[{self.index()}] : s)"
        return f"{array}[{self.index()}]"

    def target(self) -> str:
        while True:
            place = self.place()
            if not place.startswith("("):
                return place

    def statement(self) -> None:
        array = self.random.choice(["a", "b", "t", "table", "p"])
        choices = [
            (6, f"{self.target()} = {self.place()} * 0.5 + {self.place()};"),
            (3, f"{self.target()} *= {self.place()};"),
            (3, f"s += {self.place()} * {self.place()};"),
            (1, f"if ({self.place()} > 0) {self.target()} = s;"),
            (1, f"bump({array}, {self.index()});"),
            (1, f"keep({array});"),
            (1, f"pick({array}, b, {self.index()})[{self.index()}] = s;"),
            (1, f"c[{self.index()}].k = {self.index()};"),
            (1, f"s += c[{self.index()}].k;"),
            (1, "p = p + 1; if (p > a + 20) p = a;"),
            (2, f"{{ double *q = pick(a, b, {self.index()}); q[{self.index()}] = q[{self.index()}] + 1; s += q[2]; }}"),
            (1, f"{{ double *q = a + {self.index()}; s += q[1]; q[{self.random.randint(0, 2)}] = s; }}"),
            (1, f"__builtin_memcpy({array}, b + 2, 3 * sizeof(double));"),
        ]
        weights = [w for w, _ in choices]
        self.emit(self.random.choices([text for _, text in choices], weights)[0])


def programs(seed: int, count: int) -> tuple[str, list[bool]]:
    """(C text of f0 … f<count-1>, whether each has restrict parameters)."""
    texts = [PRELUDE]
    restricted = []
    for k in range(count):
        writer = Writer(seed * 1000 + k)
        texts.append(writer.function(f"f{k}"))
        restricted.append(writer.restrict)
    return "\n".join(texts), restricted
