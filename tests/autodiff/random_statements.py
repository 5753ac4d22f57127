"""Random simple statements: assignments, local and global memory, structs, copies, pointers.

Invariant: a maker returns valid C for the place its scope describes; what it declares it also fills, in one statement.
"""

from __future__ import annotations

from .random_expressions import Array, Scope
from .random_writer import Maker, Writer, has_writable_array
from .syntax import Expression, Statement


def assign(w: Writer, scope: Scope, depth: int) -> list[Statement]:
    value = w.expressions.bounded(scope)
    return [Statement("assignment", (f"{w.target(scope)} = $0;",), (value,))]


def update(w: Writer, scope: Scope, depth: int) -> list[Statement]:
    place = w.target(scope)
    form, limit = w.random.choice(
        (("{0} *= $0;", 1.0), ("{0} = #0.6*{0} + $0;", 1.2), ("{0} += $0;", 0.05), ("{0} -= $0;", 0.05))
    )
    return [Statement("in-place update", (form.format(place),), (w.expressions.bounded(scope, limit),))]


def declare(w: Writer, scope: Scope, depth: int) -> list[Statement]:
    value = w.expressions.bounded(scope)
    name = w.fresh("v")
    scope.reals.append(name)
    return [Statement("local variable", (f"real {name} = $0;",), (value,))]


def declare_integer(w: Writer, scope: Scope, depth: int) -> list[Statement]:
    name = w.fresh("m")
    if scope.reals and w.chance(0.4):
        value = Expression("(int)(#2.0*@fabs(@sin($0)))", (w.expressions.leaf(scope),), 1.0, "real to integer")
        line = f"int {name} = $0;"
    else:
        value = Expression(w.random.choice(("k % 3", "(k + 1) % 4", "n - 3", "k & 3")))
        line = f"int {name} = $0;"
    scope.small.append(name)
    return [Statement("local integer", (line,), (value,))]


def local_array(w: Writer, scope: Scope, depth: int) -> list[Statement]:
    """Declared and filled: the two are one statement, so that a shrunk program reads nothing unwritten."""
    name, counter = w.fresh("t"), w.fresh("i")
    kind = w.random.choice(("fixed", "fixed", "variable-length array", "initialised"))
    length = "n" if kind == "variable-length array" else "8"
    inside = scope.inner()
    inside.counters[counter] = length
    value = w.expressions.bounded(inside)
    scope.arrays.append(Array(name, length))
    if kind == "initialised":
        values = (_without(w, scope, name), _without(w, scope, name))
        return [Statement("local array", (f"real {name}[8] = {{$0, $1, #0.5}};",), values)]
    construct = "variable-length array" if length == "n" else "local array"
    fill = f"for (int {counter} = 0; {counter} < {length}; {counter}++) {name}[{counter}] = $0;"
    lines = (f"real {name}[{length}];", fill)
    return [Statement(construct, lines, (value,))]


def _without(w: Writer, scope: Scope, without: str) -> Expression:
    inside = scope.inner()
    inside.arrays = [a for a in inside.arrays if a.name != without]
    return w.expressions.bounded(inside, depth=1)


def struct_local(w: Writer, scope: Scope, depth: int) -> list[Statement]:
    name = w.fresh("p")
    values = tuple(w.expressions.bounded(scope, depth=1) for _ in range(3))
    scope.structs.append(f"{name}.")
    return [Statement("struct", (f"pair {name} = {{k, $0, {{$1, $2}}}};",), values)]


def struct_copy(w: Writer, scope: Scope, depth: int) -> list[Statement]:
    source, name = w.random.choice(scope.structs), w.fresh("p")
    text = source[:-1] if source.endswith(".") else f"*{source[:-2]}"
    scope.structs.append(f"{name}.")
    return [Statement("struct copy", (f"pair {name} = {text};",))]


def struct_array(w: Writer, scope: Scope, depth: int) -> list[Statement]:
    """Four structs, filled; single ones stay visible."""
    name, counter = w.fresh("p"), w.fresh("i")
    inside = scope.inner()
    inside.counters[counter] = "4"
    values = tuple(w.expressions.bounded(inside, depth=1) for _ in range(3))
    scope.structs += [f"{name}[k & 3].", f"{name}[1]."]
    fill = (
        f"for (int {counter} = 0; {counter} < 4; {counter}++) {name}[{counter}] = (pair){{{counter}, $0, {{$1, $2}}}};"
    )
    return [Statement("array of structs", (f"pair {name}[4];", fill), values)]


def matrix(w: Writer, scope: Scope, depth: int) -> list[Statement]:
    """A small matrix, filled, its rows visible as arrays."""
    name, i, j = w.fresh("m"), w.fresh("i"), w.fresh("j")
    inside = scope.inner()
    inside.counters |= {i: "3", j: "4"}
    value = w.expressions.bounded(inside)
    scope.arrays += [Array(f"{name}[{w.random.choice(('k % 3', '1', '2'))}]", "4")]
    loops = f"for (int {i} = 0; {i} < 3; {i}++) for (int {j} = 0; {j} < 4; {j}++) {name}[{i}][{j}] = $0;"
    return [Statement("two-dimensional array", (f"real {name}[3][4];", loops), (value,))]


def function_pointer(w: Writer, scope: Scope, depth: int) -> list[Statement]:
    """One of two functions, chosen at run time."""
    name, condition = w.fresh("g"), w.expressions.condition(scope)
    lines = (f"real (*{name})(real) = $0 ? @square : @wave;", f"{w.target(scope)} = #0.3*{name}($1);")
    return [Statement("function pointer", lines, (condition, w.expressions.bounded(scope)))]


def copy_array(w: Writer, scope: Scope, depth: int) -> list[Statement]:
    target, source = w.array(scope), w.array(scope, writable=False)
    if target.name == source.name:
        line = f"memmove({target.name} + 1, {source.name}, ({source.length} - 1)*sizeof(real));"
    else:  # memmove, because a chosen pointer may lead into the same array
        length = target.length if target.length == source.length else "2"
        apart = not (target.name + source.name).count("q") and w.chance(0.7)
        line = f"{'memcpy' if apart else 'memmove'}({target.name}, {source.name}, {length}*sizeof(real));"
    return [Statement("memcpy, memmove, memset", (line,))]


def clear_array(w: Writer, scope: Scope, depth: int) -> list[Statement]:
    target = w.array(scope)
    return [Statement("memcpy, memmove, memset", (f"memset({target.name}, 0, 2*sizeof(real));",))]


def exchange(w: Writer, scope: Scope, depth: int) -> list[Statement]:
    first, second, spare = w.target(scope), w.target(scope), w.fresh("old")
    return [Statement("exchange", (f"{{ real {spare} = {first}; {first} = {second}; {second} = {spare}; }}",))]


def pointer_choice(w: Writer, scope: Scope, depth: int) -> list[Statement]:
    """A pointer to one of two arrays; later statements read and write through it."""
    first, second = w.array(scope), w.array(scope)
    name = w.fresh("q")
    condition = w.expressions.condition(scope)
    length = first.length if first.length == second.length else "2"
    scope.arrays.append(Array(name, length))
    return [Statement("pointer chosen", (f"real *{name} = $0 ? {first.name} : {second.name};",), (condition,))]


def pointer_offset(w: Writer, scope: Scope, depth: int) -> list[Statement]:
    array, name = w.array(scope), w.fresh("q")
    scope.arrays.append(Array(name, f"({array.length} - 1)"))
    return [Statement("pointer arithmetic", (f"real *{name} = {array.name} + 1;",))]


def pointer_table(w: Writer, scope: Scope, depth: int) -> list[Statement]:
    """A table of pointers, all but one of them to numbers that nothing has written yet; later statements go through it."""
    constants, table = w.fresh("c"), w.fresh("q")
    place = w.random.choice(("k % 3", "(k + 1) % 3", "0"))
    lines = (
        f"real {constants}[2] = {{#0.5, #1.1}}, *{table}[3] = {{{constants}, {constants}, {constants}}};",
        f"{table}[{place}] = {w.array(scope).name};",
    )
    scope.arrays.append(Array(f"{table}[{w.random.choice(('k % 3', '(k + 2) % 3', '1'))}]", "2"))
    return [Statement("table of pointers", lines)]


def boxed_pointers(w: Writer, scope: Scope, depth: int) -> list[Statement]:
    """Structs with pointers, passed and returned by value: one on the heap made of constants, one around an array."""
    full, own, chosen = w.fresh("box"), w.fresh("box"), w.fresh("box")
    order = (full, own) if w.chance(0.5) else (own, full)
    value = w.expressions.bounded(scope, depth=1)
    filled = w.chance(0.3)
    lines = (
        f"box {own} = @boxed(2), {full} = {{2, {w.array(scope).name}}};",
        f"{own}.p[0] = {'$0' if filled else '#0.8'};",
        f"box {chosen} = @joined({order[0]}, {order[1]});",
        f"{w.target(scope)} = #0.4*{chosen}.p[0] + #0.3*@sin({chosen}.p[1]);",
        f"free({own}.p); free({chosen}.p);",
    )
    return [Statement("struct with a pointer", lines, (value,) if filled else ())]


def use_global(w: Writer, scope: Scope, depth: int) -> list[Statement]:
    """A global array, filled before it is read."""
    if not w.tables:
        w.tables.append(f"{w.name}_table")
    name, counter = w.tables[0], w.fresh("i")
    inside = scope.inner()
    inside.counters[counter] = "8"
    inside.arrays = [a for a in inside.arrays if a.name != name]
    value = w.expressions.bounded(inside)
    if all(a.name != name for a in scope.arrays):
        scope.arrays.append(Array(name, "8"))
    line = f"for (int {counter} = 0; {counter} < 8; {counter}++) {name}[{counter}] = $0;"
    return [Statement("global array", (line,), (value,))]


SIMPLE = [
    Maker(assign, 6),
    Maker(update, 5),
    Maker(declare, 3),
    Maker(declare_integer, 0.8),
    Maker(local_array, 1.3, lambda w, s: len(s.counters) < 2),
    Maker(struct_local, 1),
    Maker(struct_copy, 0.8, lambda w, s: bool(s.structs)),
    Maker(struct_array, 0.5, lambda w, s: len(s.counters) < 2),
    Maker(matrix, 0.5, lambda w, s: len(s.counters) < 2),
    Maker(function_pointer, 0.5),
    Maker(copy_array, 0.8, has_writable_array),
    Maker(clear_array, 0.2, has_writable_array),
    Maker(exchange, 0.6),
    Maker(pointer_choice, 0.5, has_writable_array),
    Maker(pointer_offset, 0.4, has_writable_array),
    Maker(pointer_table, 0.6, has_writable_array),
    Maker(boxed_pointers, 0.6, has_writable_array),
    Maker(use_global, 0.4, lambda w, s: len(s.counters) < 2),
]
