"""Random statements with bodies: branches, loops of every shape, heap memory, pointers exchanged in a loop, gotos.

Invariant: every loop ends after few iterations, whatever the data; heap memory is freed on every way out.
"""

from __future__ import annotations

from .random_expressions import Array, Scope
from .random_writer import LENGTH, Body, Maker, Writer
from .syntax import Statement


def branch(w: Writer, scope: Scope, depth: int) -> list[Statement]:
    condition = w.expressions.condition(scope)
    if w.chance(0.6):
        bodies = (w.small_block(scope.inner(), depth), w.small_block(scope.inner(), depth))
        return [Statement("if else", ("if ($0) {", 0, "} else {", 1, "}"), (condition,), bodies)]
    return [Statement("if", ("if ($0) {", 0, "}"), (condition,), (w.small_block(scope.inner(), depth),))]


def switch(w: Writer, scope: Scope, depth: int) -> list[Statement]:
    integers = [*scope.counters, *scope.small]
    bodies = tuple(w.small_block(scope.inner(), depth) for _ in range(3))
    ending = w.random.choice(("break;", "break;", "/* falls through */"))
    lines = (
        f"switch ({w.random.choice(integers)} & 3) {{",
        "case 0:",
        "case 2: {",
        0,
        f"}} {ending}",
        "case 1: {",
        1,
        "} break;",
        "default: {",
        2,
        "}",
        "}",
    )
    return [Statement("switch", lines, (), bodies)]


HEADS = (
    ("for (int {i} = 0; {i} < n; {i}++) {{", "n", "counted loop"),
    ("for (int {i} = 0; {i} < n; {i}++) {{", "n", "counted loop"),
    ("for (int {i} = n - 1; {i} >= 0; {i}--) {{", "n", "loop downwards"),
    ("for (int {i} = 0; {i} < n; {i} += 2) {{", "n", "loop with a stride"),
    ("for (int {i} = 1; {i} < n; {i} *= 2) {{", "n", "loop with a stride"),
    ("for (int {i} = 0; {i} < 3; {i}++) {{", "3", "loop of constant length"),
    ("for (size_t {i} = 0; {i} != (size_t)n; ++{i}) {{", "n", "counted loop"),
)


def loop(w: Writer, scope: Scope, depth: int) -> list[Statement]:
    counter = w.fresh("i")
    outer = [name for name, bound in scope.counters.items() if bound == "n"]
    if outer and w.chance(0.35):
        above = w.random.choice(outer)
        form = w.random.choice(
            ("for (int {i} = 0; {i} <= (int){o}; {i}++) {{", "for (int {i} = (int){o} + 1; {i} < n; {i}++) {{")
        )
        head, bound, construct = form.format(i=counter, o=above), "n", "triangular loop"
    elif scope.small and w.chance(0.2):
        head = f"for (int {counter} = 0; {counter} < {w.random.choice(scope.small)}; {counter}++) {{"
        bound, construct = "n", "loop of computed length"
    else:
        form, bound, construct = w.random.choice(HEADS)
        head = form.format(i=counter)
    inside = scope.inner()
    inside.counters[counter] = bound
    body = w.small_block(inside, depth) + leaving(w, inside)
    construct = "nested loop" if scope.counters and construct == "counted loop" else construct
    return [Statement(construct, (head, 0, "}"), (), (body,))]


def leaving(w: Writer, scope: Scope) -> Body:
    """Sometimes a way out of a loop, followed by more of it."""
    if not w.chance(0.3):
        return ()
    condition, value = w.expressions.condition(scope), w.expressions.bounded(scope)
    after = w.block(scope, 1, 0)
    if w.returns and w.chance(0.3):
        return (Statement("early return", ("if ($0) return $1;",), (condition, value)), *after)
    word = w.random.choice(("break", "continue"))
    return (Statement(word, (f"if ($0) {word};",), (condition,)), *after)


def while_loop(w: Writer, scope: Scope, depth: int) -> list[Statement]:
    """Ends by data, and at the latest after some iterations."""
    name, guard = w.random.choice(scope.reals), w.fresh("g")
    inside = scope.inner()
    inside.small.append(guard)
    step = w.expressions.bounded(inside, 0.3, depth=1)
    body = w.small_block(inside, depth)
    form = w.random.choice(("while", "while", "do"))
    shrink = Statement("while loop", (f"{name} = #0.7*{name} + $0;",), (step,))
    test = f"@fabs({name}) > #0.31 && {guard} < 5"
    if form == "while":
        lines: tuple[str | int, ...] = (f"int {guard} = 0;", f"while ({test}) {{", 0, f"    {guard}++;", "}")
        return [Statement("while loop", lines, (), ((shrink, *body),))]
    lines = (f"int {guard} = 0;", "do {", 0, f"    {guard}++;", f"}} while ({test});")
    return [Statement("do while loop", lines, (), ((shrink, *body),))]


def heap(w: Writer, scope: Scope, depth: int) -> list[Statement]:
    """Allocated, filled, used and freed."""
    name, counter = w.fresh("h"), w.fresh("i")
    inside = scope.inner()
    inside.counters[counter] = "n"
    value = w.expressions.bounded(inside)
    use = scope.inner()
    use.arrays.append(Array(name, "n"))
    returns, w.returns = w.returns, False  # no way around free
    body = w.small_block(use, depth)
    w.returns = returns
    back = Statement("heap", (f"{w.target(use)} = $0;",), (w.expressions.bounded(use),))
    lines: tuple[str | int, ...] = ("{", *_filled_heap(w, name, counter), 0, f"free({name});", "}")
    return [Statement("heap", lines, (value,), ((*body, back),))]


def _filled_heap(w: Writer, name: str, counter: str) -> list[str]:
    """Lines that make n elements on the heap, $0 in each; some are moved there by realloc."""
    fill = f"for (int {counter} = 0; {counter} < n; {counter}++) {name}[{counter}] = $0;"
    way = w.random.choice(("malloc", "calloc", "grown", "shrunk"))
    if way == "grown":
        first, rest = fill.replace("< n", "< n - 2"), fill.replace("= 0;", "= n - 2;")
        return [
            f"real *{name} = malloc((n - 2)*sizeof *{name});",
            first,
            f"{name} = realloc({name}, n*sizeof *{name});",
            rest,
        ]
    if way == "shrunk":
        return [f"real *{name} = malloc((n + 2)*sizeof *{name});", fill, f"{name} = realloc({name}, n*sizeof *{name});"]
    size = f"n*sizeof *{name}" if way == "malloc" else f"n, sizeof *{name}"
    return [f"real *{name} = {way}({size});", fill]


def linked_list(w: Writer, scope: Scope, depth: int) -> list[Statement]:
    """A list built forwards, read from its end, and freed."""
    head, e, i, rest = (w.fresh(stem) for stem in ("head", "e", "i", "rest"))
    inside = scope.inner()
    inside.counters[i] = "n"
    value = w.expressions.bounded(inside)
    reading = Scope(fixed=[f"{e}->value", *scope.reals])
    lines = (
        f"node *{head} = NULL;",
        f"for (int {i} = 0; {i} < n; {i}++) {{",
        f"    node *{e} = malloc(sizeof *{e});",
        f"    {e}->value = $0; {e}->next = {head}; {head} = {e};",
        "}",
        f"for (node *{e} = {head}; {e}; {e} = {e}->next) {w.target(scope)} = $1;",
        f"while ({head}) {{ node *{rest} = {head}->next; free({head}); {head} = {rest}; }}",
    )
    return [Statement("linked list", lines, (value, w.expressions.bounded(reading)))]


def pingpong(w: Writer, scope: Scope, depth: int) -> list[Statement]:
    """Two buffers whose pointers are exchanged in every step."""
    array = w.random.choice([a for a in scope.arrays if a.writable and a.length == "n"])
    spare, p, q, t, i, r = (w.fresh(stem) for stem in ("t", "p", "q", "s", "i", "r"))
    inside = Scope(fixed=[f"{p}[{i}]", f"{p}[({i} + 1) % n]"], counters={i: "n"})
    value = w.expressions.bounded(inside)
    lines = (
        f"real {spare}[{LENGTH}], *{p} = {array.name}, *{q} = {spare};",
        f"for (int {t} = 0; {t} < 3; {t}++) {{",
        f"    for (int {i} = 0; {i} < n; {i}++) {q}[{i}] = $0;",
        f"    real *{r} = {p}; {p} = {q}; {q} = {r};",
        "}",
    )
    scope.arrays.append(Array(p, "n"))
    return [Statement("exchanged pointers", lines, (value,))]


def goto_loop(w: Writer, scope: Scope, depth: int) -> list[Statement]:
    """A small state machine by goto."""
    place, guard, top, end = w.random.choice(scope.reals), w.fresh("g"), w.fresh("top"), w.fresh("end")
    first, second = w.expressions.bounded(scope, 1.2), w.expressions.bounded(scope, 1.2)
    condition = w.expressions.condition(scope)
    lines = (
        f"int {guard} = 0;",
        f"{top}:",
        f"if ({guard}++ > 3) goto {end};",
        f"{place} = #0.5*{place} + $0;",
        f"if ($2) goto {top};",
        f"{place} = #0.4*{place} - $1;",
        f"if ({guard} < 3) goto {top};",
        f"{end}:;",
    )
    return [Statement("goto", lines, (first, second, condition))]


NESTED = [
    Maker(branch, 3),
    Maker(switch, 1, lambda w, s: bool(s.counters or s.small)),
    Maker(loop, 4, lambda w, s: len(s.counters) < 3),
    Maker(while_loop, 1.2, lambda w, s: bool(s.reals) and len(s.counters) < 2),
    Maker(heap, 1, lambda w, s: len(s.counters) < 2),
    Maker(linked_list, 0.5, lambda w, s: not s.counters),
    Maker(pingpong, 0.5, lambda w, s: not s.counters and any(a.writable and a.length == "n" for a in s.arrays)),
    Maker(goto_loop, 0.6, lambda w, s: bool(s.reals) and not s.counters),
]
