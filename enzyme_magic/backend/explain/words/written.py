"""What clang wrote before any optimization: which C line an operation stands on, and what a line's conditions say.

When LLVM speculates `if (x > 0) r = pow(x, 3);` it merges the place of the call with that of the branch, and a loop's `i < n`
becomes a guard `n > 0` and a test for equality. The input IR still has them as the user wrote them.

Invariant: a line differs from the debug location's only if the input has the same expression, and has it on one other line only,
or computes nothing there and has such an operation on one other line only.
The words of the input are those of an optimized operation only if both are one operation in one place of the C text, and nothing
else of the input stands there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from enzyme_magic.backend.analysis.counts.affine import Evolution
from enzyme_magic.backend.explain.words.c_operators import Text
from enzyme_magic.backend.explain.words.c_text import UNNAMED, CText, text_of
from enzyme_magic.backend.explain.words.line_work import LineWork, LineWorks
from enzyme_magic.backend.explain.words.variables import Variables, function_name
from enzyme_magic.backend.ir import locations
from enzyme_magic.backend.ir.graphs.dominators import DominatorTree
from enzyme_magic.backend.ir.graphs.loops import Loops, find
from enzyme_magic.backend.ir.instructions import (
    Alloca,
    Binary,
    Branch,
    Call,
    Compare,
    Instruction,
    Load,
    Phi,
    Select,
    Store,
    Switch,
    Unary,
)
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import I1, FloatType
from enzyme_magic.backend.ir.values import Block, ConstantInt, Value

MOST = 2000  # instructions; larger functions keep the lines they have


@dataclass(frozen=True, slots=True)
class WrittenCondition:
    """A condition as C has it. `repeats`: it decides how often a loop runs. cases: what a switch goes by."""

    text: str
    repeats: bool
    cases: bool = False


@dataclass(frozen=True, slots=True)
class Written:
    """`moved`: better lines for floating operations of the optimized function; `shared`: those that have no line, because several
    lines were merged, with the lines; `conditions`: those of each line, as written; `work`: what the function's own lines do."""

    moved: dict[Instruction, int] = field(default_factory=dict)
    shared: dict[Instruction, tuple[int, ...]] = field(default_factory=dict)
    conditions: dict[int, tuple[WrittenCondition, ...]] = field(default_factory=dict)
    work: dict[int, LineWork] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        optimized: Iterable[Instruction],
        own: Callable[[Instruction], Instruction],
        text: CText,
        source: Function,
        inlined: Sequence[Function],
        layout: DataLayout,
    ) -> Written:
        """own: what `text` knows of the optimized instructions; it writes them in the source's order from now on, and in its words
        where it has none.

        source: the same function as clang wrote it; inlined: those that it calls, too."""
        optimized = list(optimized)
        wanted = [i for i in optimized if _is_operation(i)]
        if _size(source) > MOST or len(wanted) > MOST:
            return cls()
        arrays = text.places.arrays if text.places is not None else frozenset()
        told = input_text(
            source, layout, arrays, text.places.extents if text.places is not None else {}, ir_names=False
        )
        found, spoken = conditions(source, told), [_spoken(source, told)]
        known = {source: told}
        places, elsewhere = _places(source, input_text(source, layout)), set[str]()
        for function in inlined:
            if _size(function) <= MOST:
                its = known[function] = input_text(function, layout, arrays, ir_names=False)
                found = conditions(function, its) | found
                elsewhere |= _places(function, input_text(function, layout)).keys()
                spoken.append(_spoken(function, its))
        work = _work(source, known)
        text.variables.forget(_of_constants(work))
        at_home = {i for i in wanted if any(_place(i) in known for known in spoken)}
        moved = _by_kind(wanted, [source, *inlined]) | _moved(wanted, own, text, places, elsewhere, at_home)
        hoisted = [i for i in optimized if _is_read(i) and locations.line_of(i) is None]
        moved |= _moved(hoisted, own, text, _places(source, input_text(source, layout), _is_read), set())
        shared = _shared(wanted, moved, [source, *inlined])
        tests = [i for i in optimized if isinstance(i, Compare)]
        moves = [i for i in optimized if isinstance(i, (Load, Store))]
        often = Counter(map(_place, tests))  # the test of a loop that was turned round stands before it and at its end
        compared = [i for i in tests if i.opcode == "icmp" or often[_place(i)] == 1]
        merges = [i for i in optimized if isinstance(i, Phi)]
        text.as_written = _as_written([*wanted, *compared, *moves, *merges], own, spoken)
        return cls(moved, shared, found, work)


def _size(function: Function) -> int:
    return sum(len(block.instructions) for block in function.blocks)


def input_text(
    function: Function,
    layout: DataLayout,
    arrays: frozenset[str] = frozenset(),
    extents: Mapping[str, tuple[str, ...]] | None = None,
    *,
    ir_names: bool = True,
) -> CText:
    """C texts of a function that has not been analysed. arrays, extents: see `Places`; ir_names: see `CText`; with them, equal
    texts are equal values."""
    dominators = DominatorTree.of(function)
    evolution = Evolution(layout, find(function, dominators), dominators)
    return text_of(function, Variables.of(function), layout, evolution, arrays, extents, ir_names=ir_names)


def _work(source: Function, texts: Mapping[Function, CText]) -> dict[int, LineWork]:
    """What each line of the function, and of those that were inlined into it, does. Callers come first: what nobody makes
    anything of that could carry a derivative carries none where it is returned."""
    waiting, used, found = list(texts), {source}, dict[int, LineWork]()
    while waiting:
        called = {f: _called(f) - {f} for f in waiting}
        function = next((f for f in waiting if not any(f in others for others in called.values())), waiting[0])
        waiting.remove(function)
        settled = function is source or not any(function in others for others in called.values())
        works = LineWorks(function, *_namers(texts[function]), returns=function in used or not settled)
        calls = (i for i in function.instructions() if isinstance(i, Call))
        used |= {f for call in calls if (f := call.called_function) is not None and works.carries(call)}
        lines = works.by_line()
        if function is not source:
            lines = {line: made.of_inlined(function_name(function)) for line, made in lines.items()}
        found = lines | found
    return found


def _of_constants(work: Mapping[int, LineWork]) -> set[str]:
    """Variables of the function to which only constants are given, chosen ones included."""
    given = [a for line in work.values() if not line.foreign for a in line.assigned]
    return {a.name for a in given if a.constant} - {a.name for a in given if not a.constant} - {""}


def _called(function: Function) -> set[Function]:
    calls = (i.called_function for i in function.instructions() if isinstance(i, Call))
    return {called for called in calls if called is not None}


def _namers(
    text: CText,
) -> tuple[Callable[[Alloca], str | None], Callable[[Instruction], str], Callable[[Call], str]]:
    def name_of(pointer: Alloca) -> str | None:
        variable = text.variables.of_memory(pointer)
        return variable.name if variable is not None else None

    def called(call: Call) -> str:
        return function_name(call.called_function) if call.called_function is not None else ""

    def words(i: Instruction) -> str:
        return text.place_of(i.pointer, i.value.type) if isinstance(i, Store) else text.expression(i)

    return name_of, words, called


def _places(source: Function, text: CText, wanted: Callable[[Instruction], bool] | None = None) -> dict[str, set[int]]:
    """The lines of each expression of the input. wanted: of which instructions; of operations where it is not given."""
    places: dict[str, set[int]] = {}
    for instruction in source.instructions():
        line = locations.line_of(instruction) if (wanted or _is_operation)(instruction) else None
        if line is not None:
            places.setdefault(text.expression(instruction), set()).add(line)
    return places


Place = tuple[tuple[str, int, int], str]  # of an operation in C, and which one it is


def _place(instruction: Instruction) -> Place | None:
    spot = locations.spot(instruction)
    return None if spot is None else (spot, _kind(instruction))


def _kind(instruction: Instruction) -> str:
    called = instruction.called_function if isinstance(instruction, Call) else None
    kind = f"{instruction.opcode} {called.name if called is not None else ''}"
    if isinstance(
        instruction, Phi
    ):  # LLVM gives a merge of values that it has read before the place of the read it saves
        kind = "load "
    if isinstance(instruction, (Load, Phi, Store)):
        kind += str(instruction.value.type if isinstance(instruction, Store) else instruction.type)
    return "fmul " if kind == "fdiv " else kind  # `x/2` becomes `x*0.5`


def _spoken(source: Function, text: CText) -> dict[Place, Text | None]:
    """The words of each operation of the input; None where several stand in one place, as those of a macro do."""
    found: dict[Place, Text | None] = {}
    for instruction in source.instructions():
        told = _is_operation(instruction) or isinstance(instruction, (Compare, Load, Store))
        place = _place(instruction) if told else None
        if place is not None:
            words = (text.statement(instruction), 0) if isinstance(instruction, Store) else text.operation(instruction)
            found[place] = None if place in found else words
    return found


def _as_written(
    wanted: Iterable[Instruction], own: Callable[[Instruction], Instruction], spoken: Iterable[dict[Place, Text | None]]
) -> dict[Value, Text]:
    known = {place: words for found in spoken for place, words in found.items() if words and UNNAMED not in words[0]}
    return {own(i): known[place] for i in wanted if (place := _place(i)) in known}


def _moved(
    wanted: list[Instruction],
    own: Callable[[Instruction], Instruction],
    text: CText,
    places: dict[str, set[int]],
    elsewhere: set[str],
    at_home: Container[Instruction] = (),
) -> dict[Instruction, int]:
    """elsewhere: expressions of inlined functions, which have their lines; at_home: operations that stand where the input has one
    of their kind. What several lines compute, and LLVM once for all of them, belongs to the first."""
    found: dict[Instruction, int] = {}
    texts = elsewhere | places.keys()
    for instruction in wanted:  # operands before what is made of them
        known = own(instruction)
        if text.expression(known) not in texts:
            text.turn(known, texts)
        lines = places.get(text.expression(known), set())
        here = locations.line_of(instruction)
        if lines and here not in lines and instruction not in at_home and (len(lines) == 1 or here is None):
            found[instruction] = min(lines)
    return found


def _shared(
    wanted: Iterable[Instruction], moved: Mapping[Instruction, int], functions: Sequence[Function]
) -> dict[Instruction, tuple[int, ...]]:
    """Operations without a line: LLVM has merged those of several lines, as of both sides of a branch. Their lines are those of the
    same function that have such an operation in the input, and no longer."""
    lines: dict[tuple[str, str], set[int]] = {}
    for function in functions:
        for place in map(_place, filter(_is_operation, function.instructions())):
            if place is not None:
                lines.setdefault((place[0][0], place[1]), set()).add(place[0][1])
    without: list[tuple[Instruction, tuple[str, str]]] = []
    for instruction in wanted:
        place, kind = _place(instruction), _kind(instruction)
        around = locations.inlined_chain(instruction)
        name = locations.function_around(around[0]) if around else None
        line = moved.get(instruction) or (place[0][1] if place is not None else None)
        if name is not None and line is not None:
            lines.get((name, kind), set()).discard(line)
        elif name is not None:
            without.append((instruction, (name, kind)))
    found = {instruction: tuple(sorted(lines.get(key, ()))) for instruction, key in without}
    return {instruction: known for instruction, known in found.items() if len(known) > 1}


def _by_kind(wanted: Iterable[Instruction], functions: Iterable[Function]) -> dict[Instruction, int]:
    """Operations that stand on a line where C computes nothing: LLVM gave them the place of the branch that they were moved to.
    Their line is the only one of that function which has such an operation."""
    lines: dict[tuple[str, str], set[int]] = {}
    computing: set[tuple[str, int]] = set()
    for function in functions:
        for instruction in function.instructions():
            place = _place(instruction) if _is_operation(instruction) else None
            if place is not None:
                (name, line, _), kind = place
                lines.setdefault((name, kind), set()).add(line)
                computing.add((name, line))
    found: dict[Instruction, int] = {}
    for instruction in wanted:
        place = _place(instruction)
        known = (
            lines.get((place[0][0], place[1]), set()) if place is not None and place[0][:2] not in computing else set()
        )
        if len(known) == 1:
            (found[instruction],) = known
    return found


def conditions(source: Function, text: CText) -> dict[int, tuple[WrittenCondition, ...]]:
    """Those of each line, in their order. `a && b` is one condition, though the program asks for `a` first and then for `b`."""
    loops = find(source, DominatorTree.of(source))
    leaving = {block for loop in loops.loops for block, _ in loop.exits}
    leaving |= {block for block in source.blocks if any(_leaves(loops, block, side) for side in block.successors)}
    asked: dict[Block, WrittenCondition] = {}
    for block in source.blocks:
        branch = block.terminator
        if isinstance(branch, Switch):
            asked[block] = WrittenCondition(text.value(branch.operands[0]), repeats=False, cases=True)
        if not isinstance(branch, Branch) or not branch.operands:
            continue
        condition = branch.operands[0]
        words = text.condition(condition)
        if isinstance(condition, Phi):
            early = [before for value, before in condition.incoming if isinstance(value, ConstantInt)]
            if not early or not any(sign in words for sign in (" && ", " || ")):
                continue
            for before in early:
                asked.pop(before, None)
        if UNNAMED not in words:  # what clang itself asks, as where it fills the rest of an array, nobody has written
            asked[block] = WrittenCondition(words, block in leaving)
    found: dict[int, dict[WrittenCondition, None]] = {}
    for place, condition_ in [*((_line(block), asked[block]) for block in asked), *_chosen(source, text)]:
        if place is not None:
            found.setdefault(place, {})[condition_] = None
    return {line: tuple(inside) for line, inside in found.items()}


def _chosen(source: Function, text: CText) -> Iterator[tuple[int | None, WrittenCondition]]:
    """Of choices between numbers (`x > 3 ? 1 : 0`), for which clang makes no branch."""
    for instruction in source.instructions():
        words = text.condition(instruction.operands[0]) if isinstance(instruction, Select) else UNNAMED
        if UNNAMED not in words and instruction.type != I1:
            yield locations.line_of(instruction), WrittenCondition(words, repeats=False)


def _leaves(loops: Loops, block: Block, side: Block) -> bool:
    """Whether that side of a branch only leads out of the loop: of a `break` where variables end, clang first notes in a slot where
    to go, and switches by it behind the end of the loop's body."""
    loop, noted, seen = loops.of(block), dict[Value, ConstantInt](), set[Block]()
    while loop is not None and len(block.successors) > 1:
        if side not in loop.blocks:
            return True
        if side in seen:
            return False
        seen.add(side)
        noted |= {
            i.pointer: i.value for i in side.instructions if isinstance(i, Store) and isinstance(i.value, ConstantInt)
        }
        end = side.terminator
        if isinstance(end, Switch) and isinstance(read := end.operands[0], Load) and read.pointer in noted:
            side = _case(end, noted[read.pointer].value)
        elif len(side.successors) == 1:
            (side,) = side.successors
        else:
            return False
    return False


def _case(switch: Switch, wanted: int) -> Block:
    cases = zip(switch.cases, switch.targets[1:], strict=True)
    found = (target for value, target in cases if isinstance(value, ConstantInt) and value.value == wanted)
    return next(found, switch.targets[0])


def _line(block: Block) -> int | None:
    """Of a condition, else of the branch that asks for it."""
    condition = block.terminator.operands[0]
    line = locations.line_of(condition) if isinstance(condition, Instruction) else None
    return line or locations.line_of(block.terminator)


def _is_operation(instruction: Instruction) -> bool:
    return isinstance(instruction, (Binary, Unary, Call)) and isinstance(instruction.type.scalar, FloatType)


def _is_read(instruction: Instruction) -> bool:
    return isinstance(instruction, Load) and isinstance(instruction.type.scalar, FloatType)
