"""Split pairs as C calls them: the caller gives the memory of a frame, and frees it behind the reverse half.

A function that calls itself has its derivative in two halves, and what the first keeps for the second lies in a frame of the
runtime's. In C the frame is a block of `malloc` that the first half fills; arrays that it points to (tapes of loops) are freed by
the second half at its end.

Invariant: a frame is made once in a call, of a size that is known, and is the first half's first result. All else raises NotInC.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from enzyme_magic.backend.analysis.calls.runtime_calls import (
    ALLOCATE,
    CHECK_STACK,
    FRAME,
    RESERVE,
)
from enzyme_magic.backend.autodiff.sweeps.sweep import AUGMENTED
from enzyme_magic.backend.explain.gradient_c.own_memory import FREE, MALLOC
from enzyme_magic.backend.explain.gradient_c.refusal import refuse
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.attributes import EMPTY, Attribute, AttributeSet
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs.callgraph import CallGraph
from enzyme_magic.backend.ir.graphs.def_use import replace_uses
from enzyme_magic.backend.ir.instructions import (
    Alloca,
    Call,
    ExtractValue,
    GetElementPtr,
    InsertValue,
    Instruction,
    Load,
    Return,
    Store,
)
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.types import (
    DOUBLE,
    FLOAT,
    I8,
    I64,
    POINTER,
    VOID,
    ArrayType,
    FunctionType,
    StructType,
    Type,
)
from enzyme_magic.backend.ir.values import Argument, ConstantInt, Value

_OTHER = "it calls functions that keep values in another way than C's memory can say"


@dataclass(frozen=True, slots=True, eq=False)
class _Pair:
    """size: bytes of the frame; arrays: where in it pointers to arrays of the first half's own lie."""

    forward: Function
    reverse: Function
    size: ConstantInt
    result: Type
    arrays: tuple[int, ...]


def open_frames(module: Module, halves: Iterable[tuple[Function, Function]]) -> None:
    """Makes every frame of the module a block that the caller makes and frees; functions that call themselves give back several
    numbers in an array. halves: first and second, of each split pair. NotInC also where there is nothing of either kind."""
    _without_arena(module)
    pairs = [_opened(forward, reverse) for forward, reverse in halves]
    for pair in pairs:
        _mark(pair)
        for function in list(module.definitions()):
            for call in [i for i in function.instructions() if isinstance(i, Call)]:
                if _calls(call, pair.forward.name):
                    _give(function, call, pair)
                elif _calls(call, pair.reverse.name):
                    _free_behind(call, pair)
    recursive = CallGraph.of(module).recursive
    if not pairs and not recursive:
        raise refuse(_OTHER)
    for function in recursive:
        if isinstance(function.function_type.result, StructType):
            _give_numbers(module, function, function.function_type.result)


# The two halves -------------------------------------------------------------------------------------------------------------


def _opened(forward: Function, reverse: Function) -> _Pair:
    """The pair, of which the first half takes its frame as a parameter from now on."""
    results = forward.function_type.result
    if not isinstance(results, StructType) or len(results.elements) > 2:
        raise refuse(_OTHER)
    ends = [i for i in forward.instructions() if isinstance(i, Return)]
    given = [_elements(end.operands[0]) for end in ends]
    frames = {values.get(0) for values in given}
    frame = frames.pop() if len(frames) == 1 else None
    if not (isinstance(frame, Call) and _calls(frame, ALLOCATE) and frame.parent is forward.entry):
        raise refuse(_OTHER)
    size = frame.arguments[1]
    if not isinstance(size, ConstantInt):
        raise refuse(_OTHER)
    arrays = _arrays(forward, frame)
    result = results.elements[1] if len(results.elements) == 2 else VOID
    for end, values in zip(ends, given, strict=True):
        end.operands[:] = [values[1]] if len(results.elements) == 2 else []
    argument = Argument(POINTER, "frame", EMPTY, len(forward.arguments))
    forward.arguments.append(argument)
    forward.function_type = FunctionType(result, (*forward.function_type.parameters, POINTER))
    replace_uses(forward, {frame: argument})
    _remove(forward, lambda i: i is frame or isinstance(i, InsertValue))
    _free_arrays(reverse, arrays)
    return _Pair(forward, reverse, size, result, arrays)


def _elements(value: Value) -> dict[int, Value]:
    """What a struct is put together from."""
    found: dict[int, Value] = {}
    while isinstance(value, InsertValue) and len(value.indices) == 1:
        found.setdefault(value.indices[0], value.operands[1])
        value = value.operands[0]
    if isinstance(value, Instruction):
        raise refuse(_OTHER)
    return found


def _arrays(forward: Function, frame: Value) -> tuple[int, ...]:
    """Where in the frame the arrays of its loops are noted; each of them is."""
    reserved = {i.arguments[1] for i in forward.instructions() if isinstance(i, Call) and _calls(i, RESERVE)}
    noted: dict[Value, int] = {}
    for store in (i for i in forward.instructions() if isinstance(i, Store)):
        array = store.value.pointer if isinstance(store.value, Load) else None
        place = _offset(store.pointer, frame)
        if isinstance(array, Alloca) and array in reserved and place is not None:
            noted[array] = place
    if noted.keys() != reserved:
        raise refuse(_OTHER)
    return tuple(sorted(noted.values()))


def _offset(pointer: Value, base: Value) -> int | None:
    if pointer is base:
        return 0
    if isinstance(pointer, GetElementPtr) and pointer.pointer is base and pointer.source_type == I8:
        (index,) = pointer.indices
        return index.value if isinstance(index, ConstantInt) else None
    return None


def _free_arrays(reverse: Function, arrays: tuple[int, ...]) -> None:
    frame = _frame(reverse)
    for block in reverse.blocks:
        if isinstance(block.terminator, Return):
            builder = Builder(block, block.terminator)
            for offset in arrays:
                builder.call(
                    FREE, [builder.load(POINTER, builder.gep(I8, frame, [constants.int_constant(I64, offset)]))]
                )


def _frame(reverse: Function) -> Argument:
    found = [argument for argument in reverse.arguments if FRAME in argument.attributes]
    if len(found) != 1:
        raise refuse(_OTHER)
    return found[0]


def _mark(pair: _Pair) -> None:
    """Both parameters say whose frame it is; what LLVM was told of the functions is no longer so."""
    own = AttributeSet((Attribute(FRAME, pair.forward.name.removeprefix(AUGMENTED), quoted=True),))
    for function, argument in ((pair.forward, pair.forward.arguments[-1]), (pair.reverse, _frame(pair.reverse))):
        argument.attributes = own
        function.attributes = function.result_attributes = EMPTY


# Calls ------------------------------------------------------------------------------------------------------------------


def _give(function: Function, call: Call, pair: _Pair) -> None:
    """The first half gets memory, and gives back its number alone."""
    assert call.parent is not None
    frame = Builder(call.parent, call).call(MALLOC, [pair.size], name="frame")
    parts = [i for i in function.instructions() if call in i.operands]
    if not all(isinstance(part, ExtractValue) and part.indices in ((0,), (1,)) for part in parts):
        raise refuse(_OTHER)
    call.operands[:] = [*call.arguments, frame, pair.forward]
    call.argument_attributes = [*call.argument_attributes, EMPTY]
    call.function_type, call.type = pair.forward.function_type, pair.result
    call.attributes = call.result_attributes = EMPTY
    if pair.result == VOID:
        call.name = ""
    replace_uses(function, {part: frame if part.indices == (0,) else call for part in parts})  # type: ignore[attr-defined]
    _remove(function, lambda i: i in parts)


def _free_behind(call: Call, pair: _Pair) -> None:
    block = call.parent
    assert block is not None
    frame = call.arguments[_frame(pair.reverse).index]
    call.attributes = call.result_attributes = EMPTY
    call.argument_attributes = [EMPTY] * len(call.argument_attributes)
    Builder(block, block.instructions[block.instructions.index(call) + 1]).call(FREE, [frame])


# Several numbers ---------------------------------------------------------------------------------------------------------


def _give_numbers(module: Module, function: Function, results: StructType) -> None:
    """A function gives several numbers of one type back in an array of its caller's."""
    number = results.elements[0]
    if number not in (DOUBLE, FLOAT) or {*results.elements} != {number}:
        raise refuse(_OTHER)
    argument = Argument(POINTER, "results", EMPTY, len(function.arguments))
    function.arguments.append(argument)
    function.function_type = FunctionType(VOID, (*function.function_type.parameters, POINTER))
    function.attributes = function.result_attributes = EMPTY
    for end in [i for i in function.instructions() if isinstance(i, Return)]:
        assert end.parent is not None
        builder = Builder(end.parent, end)
        for place, value in sorted(_elements(end.operands[0]).items()):
            builder.store(value, builder.gep(number, argument, [place]))
        end.operands[:] = []
    _remove(function, lambda i: isinstance(i, InsertValue))
    for caller in list(module.definitions()):
        for call in [i for i in caller.instructions() if _calls(i, function.name)]:
            assert isinstance(call, Call)
            _take_numbers(caller, call, function, results)


def _take_numbers(caller: Function, call: Call, function: Function, results: StructType) -> None:
    number, block = results.elements[0], call.parent
    assert block is not None
    array = Builder(caller.entry, caller.entry.instructions[0]).alloca(
        ArrayType(len(results.elements), number), name="results"
    )
    parts = [i for i in caller.instructions() if call in i.operands]
    call.operands[:] = [*call.arguments, array, function]
    call.argument_attributes = [*call.argument_attributes, EMPTY]
    call.function_type, call.type, call.name = function.function_type, VOID, ""
    call.attributes = call.result_attributes = EMPTY
    builder = Builder(block, block.instructions[block.instructions.index(call) + 1])
    for part in parts:
        if not isinstance(part, ExtractValue) or len(part.indices) != 1:
            raise refuse(_OTHER)
        read = builder.load(number, builder.gep(number, array, [part.indices[0]]), name=part.name)
        replace_uses(caller, {part: read})
    _remove(caller, lambda i: i in parts)


# The arena --------------------------------------------------------------------------------------------------------------


def _without_arena(module: Module) -> None:
    """Nobody is given an arena, and nobody watches the stack: C has neither."""
    for call in _calls_of(module):  # some call what was declared before it was written
        call.operands[-1] = module.functions.get(str(getattr(call.callee, "name", "")), call.callee)
    arenas = {i.arguments[0] for i in _calls_of(module) if _is_runtime(i) and i.arguments}
    while True:
        passed = {given for i in _calls_of(module) for given, own in _passed(module, i) if own in arenas} - arenas
        if not passed:
            break
        arenas |= passed
    for call in _calls_of(module):
        for place, (_, own) in enumerate(_passed(module, call)):
            if own in arenas:
                call.operands[place] = constants.zero(POINTER)
    for function in module.definitions():
        _remove(function, lambda i: _calls(i, CHECK_STACK))


def _passed(module: Module, call: Call) -> list[tuple[Value, Value]]:
    """What a call of a function of the module passes, and the parameters."""
    called = module.functions.get(str(getattr(call.callee, "name", "")))
    return list(zip(call.arguments, called.arguments, strict=False)) if called is not None and called.blocks else []


def _calls_of(module: Module) -> Iterator[Call]:
    return (i for function in module.definitions() for i in function.instructions() if isinstance(i, Call))


def _is_runtime(call: Call) -> bool:
    called = call.called_function
    return (
        called is not None
        and not called.blocks
        and called.name in (ALLOCATE, CHECK_STACK, RESERVE, "em.mark", "em.release")
    )


def _calls(value: Instruction, name: str) -> bool:
    return isinstance(value, Call) and str(getattr(value.callee, "name", "")) == name


def _remove(function: Function, gone: Callable[[Instruction], bool]) -> None:
    for block in function.blocks:
        block.instructions[:] = [i for i in block.instructions if not gone(i)]
