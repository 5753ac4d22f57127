"""The memory of a gradient from C's own heap: what the runtime does for it, said with malloc, calloc, realloc and free.

Tapes, and variables whose size is known in the call only, come from the heap and are freed at the end; where a loop makes one in
each iteration, an array keeps their addresses. So are shadows of the program's blocks, of those that a loop makes as the reverse
sweep comes to them; and the program's own blocks, where it frees each of them for certain. What cannot be said so (frames of split
pairs, the program's blocks that are freed in some cases only) raises NotInC.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from enzyme_magic.backend.analysis.calls.runtime_calls import (
    ALLOCATE,
    HEAP_FREED,
    HEAP_RELEASE,
    SHADOW_ALLOCATE,
    SHADOW_FREE,
)
from enzyme_magic.backend.autodiff.cache import tape
from enzyme_magic.backend.autodiff.calls.request import REQUEST_PREFIX, STATIC_PREFIX
from enzyme_magic.backend.autodiff.derivation import declaration_of
from enzyme_magic.backend.explain.gradient_c.refusal import refuse
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.attributes import EMPTY
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs.def_use import replace_uses
from enzyme_magic.backend.ir.graphs.dominators import DominatorTree
from enzyme_magic.backend.ir.instructions import (
    Alloca,
    Binary,
    Call,
    GetElementPtr,
    Load,
    Phi,
    Return,
    Select,
)
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import I64, POINTER, VOID, ArrayType, FunctionType, NamedType, StructType, Type
from enzyme_magic.backend.ir.values import ConstantInt, Value

MALLOC = Function("malloc", function_type=FunctionType(POINTER, (I64,)))
CALLOC = Function("calloc", function_type=FunctionType(POINTER, (I64, I64)))
FREE = Function("free", function_type=FunctionType(VOID, (POINTER,)))
# `em.tape.reserve` with C's own memory.
PUSH = Function("em.tape.push", function_type=tape.RESERVE.function_type)
_GROW = """
define linkonce_odr void @NAME(ptr %arena, ptr %data, ptr %capacity, i64 %used, i64 %count, i64 %size) alwaysinline {
  %have = load i64, ptr %capacity
  %enough = icmp sle i64 %count, %have
  br i1 %enough, label %done, label %grow
grow:
  %old = load ptr, ptr %data
  %twice = shl nuw nsw i64 %count, 1
  %first = icmp eq i64 %have, 0
  %more = MORE
  %bytes = mul nuw nsw i64 %more, %size
  %tape = call ptr @realloc(ptr %old, i64 %bytes)
  store ptr %tape, ptr %data
  store i64 %more, ptr %capacity
  br label %done
done:
  ret void
}
"""
FREE_ALL = Function("em.blocks.free", function_type=FunctionType(VOID, (POINTER, I64)))
_FREE_ALL = """
declare void @free(ptr)
define linkonce_odr void @em.blocks.free(ptr %blocks, i64 %count) alwaysinline {
  %some = icmp sgt i64 %count, 0
  br i1 %some, label %each, label %done
each:
  %k = phi i64 [ 0, %0 ], [ %next, %each ]
  %at = getelementptr inbounds ptr, ptr %blocks, i64 %k
  %block = load ptr, ptr %at
  call void @free(ptr %block)
  %next = add nuw nsw i64 %k, 1
  %more = icmp slt i64 %next, %count
  br i1 %more, label %each, label %done
done:
  call void @free(ptr %blocks)
  ret void
}
"""
# `em.tape.reserve` with C's own memory: before a loop of known length, and in each iteration of another. And the end of blocks.
SUPPORT = (
    "declare noalias ptr @realloc(ptr, i64)\n"
    + _FREE_ALL
    + _GROW.replace("NAME", tape.RESERVE.name).replace("MORE", "select i1 %first, i64 %count, i64 %twice")
    + _GROW.replace("NAME", PUSH.name).replace("MORE", "add nuw nsw i64 %twice, 0")
)
CHECK_BLOCK = "em.run.check_block"
_GONE = (
    tape.MARK.name,
    tape.RELEASE.name,
    HEAP_FREED,
    CHECK_BLOCK,
)  # that has no counterpart: memory is freed at the end
_SETTLED = (tape.RESERVE.name, ALLOCATE, *_GONE)


def settle(function: Function) -> None:
    """The runtime's calls in one function, as calls of C's. NotInC where there is no such call."""
    calls = [i for i in function.instructions() if isinstance(i, Call)]
    blocks = _Blocks.of(function, calls)
    kept, many = _kept(function, calls, blocks)
    for call in calls:
        name = str(getattr(call.callee, "name", ""))
        if name == tape.RESERVE.name and _one_more(call):
            call.operands[-1] = PUSH
        elif name == tape.RELEASE.name:
            _release(call, kept, many)
        elif name == SHADOW_ALLOCATE:
            _replace(call, CALLOC, [constants.int_constant(I64, 1), call.arguments[1]])
        elif name == SHADOW_FREE and all(
            _is(v, SHADOW_ALLOCATE) or _is(v, CALLOC.name) for v in _made(call.arguments[1])
        ):
            _replace(call, FREE, [call.arguments[1]])
        elif name == HEAP_RELEASE:
            _give_back(call, blocks)
        elif name.startswith("em.") and name not in _SETTLED and not _has_body(call):
            raise refuse(_service(name))
    _without_marks(function, calls)
    for used in (FREE, PUSH, MALLOC, CALLOC, *((FREE_ALL,) if many is not None else ())):
        if function.parent is not None and used.name not in function.parent.functions:
            function.parent.add(declaration_of(used))


def objects_as_blocks(function: Function, layout: DataLayout) -> None:
    """Local structs as blocks of the heap, which have no type but that of what is written: freed wherever the function ends."""
    for alloca in [i for i in function.entry.instructions if isinstance(i, Alloca)]:
        size = layout.size_of(alloca.allocated_type) if _holds_struct(alloca.allocated_type) else 0
        one = not alloca.operands or (isinstance(alloca.operands[0], ConstantInt) and alloca.operands[0].value == 1)
        if not size or not one or (alloca.align or 0) > _ALIGNED:
            continue
        block = Builder(function.entry, alloca).call(MALLOC, [constants.int_constant(I64, size)], name=alloca.name)
        block.metadata = dict(alloca.metadata)
        replace_uses(function, {alloca: block})
        function.entry.instructions.remove(alloca)
        for end in [i for i in function.instructions() if isinstance(i, Return)]:
            assert end.parent is not None
            Builder(end.parent, end).call(FREE, [block])


_ALIGNED = 16  # bytes, of what malloc gives


def _holds_struct(type_: Type) -> bool:
    while isinstance(type_, ArrayType):
        type_ = type_.element
    return isinstance(type_, (StructType, NamedType))


@dataclass(frozen=True, slots=True, eq=False)
class _Blocks:
    """What is known of the blocks of one function: which the program frees for certain, and whether these are all that it makes,
    or whether it frees none."""

    freed: frozenset[Value]
    all_freed: bool
    none_freed: bool
    releases: bool  # whether the function gives back what it took

    @classmethod
    def of(cls, function: Function, calls: list[Call]) -> _Blocks:
        dominators = DominatorTree.of(function)
        frees = [call for call in calls if _is(call, HEAP_FREED)]
        ends = [call for call in calls if _is(call, HEAP_RELEASE)]
        freed = frozenset(block for f in frees for block in _made(f.arguments[0]))
        known = len(freed) == len(frees) and all(map(_is_block, freed))
        once = all(_is_once(f) and all(_before(dominators, f, end) for end in ends) for f in frees)
        if frees and not (known and (once or all(_frees_each(f, ends) for f in frees))):
            raise refuse("it gives back blocks in some cases only, or blocks of which it is not known who made them")
        made = {call for call in calls if _is_block(call)}
        return cls(freed, bool(made) and made == freed, not frees, any(_is(call, tape.RELEASE.name) for call in calls))


def _frees_each(free: Call, ends: list[Call]) -> bool:
    """Whether each block that one call makes is freed before the next one is made, before the reverse sweep comes to it, and before
    the function ends."""
    made = _made(free.arguments[0])
    call = next(iter(made))
    if len(made) > 1 or not isinstance(call, Call) or call.parent is None or free.parent is None:
        return False
    if call.parent is free.parent:
        return True
    stops = {call.parent, *(end.parent for end in ends)}
    pending, seen = list(call.parent.successors), set(call.parent.successors)
    while pending:
        block = pending.pop()
        if block is free.parent:
            continue
        if block in stops or isinstance(block.terminator, Return):
            return False
        fresh = [after for after in block.successors if after not in seen]
        seen.update(fresh)
        pending += fresh
    return True


def _is_once(call: Call) -> bool:
    """Whether no way leads back to the block of a call; a loop may have several entries."""
    assert call.parent is not None
    pending, seen = list(call.parent.successors), set(call.parent.successors)
    while pending:
        fresh = [block for block in pending.pop().successors if block not in seen]
        seen.update(fresh)
        pending += fresh
    return call.parent not in seen


def _is(value: Value, name: str) -> bool:
    return isinstance(value, Call) and str(getattr(value.callee, "name", "")) == name


def _is_block(value: Value) -> bool:
    return _is(value, MALLOC.name) or _is(value, CALLOC.name)


def _before(dominators: DominatorTree, call: Call, end: Call) -> bool:
    assert call.parent is not None
    assert end.parent is not None
    return call.parent is not end.parent and dominators.dominates(call.parent, end.parent)


def _made(pointer: Value) -> set[Value]:
    """What a pointer may be, phis and selects looked through."""
    pending, seen = [pointer], {pointer}
    while pending:
        value = pending.pop()
        if isinstance(value, Phi | Select):
            fresh = [v for v in value.operands[isinstance(value, Select) :] if v not in seen]
            seen.update(fresh)
            pending += fresh
    return {value for value in seen if not isinstance(value, Phi | Select)}


def _kept(function: Function, calls: list[Call], blocks: _Blocks) -> tuple[list[Alloca], _Many | None]:
    """What is freed at the end: tapes and variables, by where their addresses lie; and those that loops make."""
    variables = [call for call in calls if _is(call, ALLOCATE)]
    if variables and not blocks.releases:
        raise refuse(_service(ALLOCATE))
    repeated = [call for call in variables if not _is_once(call)]
    single = [_variable(function, call) for call in variables if call not in repeated]
    return [*dict.fromkeys(_reserved(calls)), *single], _variables(function, repeated) if repeated else None


def _variable(function: Function, call: Call) -> Alloca:
    """A variable of unknown size as a block; where its address is kept, so that it is freed at the end."""
    slot = _slot(function, POINTER, call.name)
    _after(_replace(call, MALLOC, [call.arguments[1]])).store(call, slot)
    return slot


@dataclass(frozen=True, slots=True, eq=False)
class _Many:
    """An array of the addresses of blocks, its room, and how many there are."""

    addresses: Alloca
    room: Alloca
    count: Alloca


def _variables(function: Function, calls: list[Call]) -> _Many:
    """Variables of unknown size, one in each iteration of a loop."""
    many = _Many(*(_slot(function, type_, name) for type_, name in zip((POINTER, I64, I64), _MANY, strict=True)))
    for call in calls:
        arena = call.arguments[0]
        builder = _after(_replace(call, MALLOC, [call.arguments[1]]))
        count = builder.load(I64, many.count)
        wanted = builder.add(count, tape.ONE, flags=("nuw", "nsw"))
        builder.call(PUSH, [arena, many.addresses, many.room, count, wanted, constants.int_constant(I64, _ADDRESS)])
        addresses = builder.load(POINTER, many.addresses)
        builder.store(call, builder.gep(POINTER, addresses, [count]))
        builder.store(wanted, many.count)
    return many


_MANY = ("blocks", "room", "made")
_ADDRESS = 8  # bytes


def _slot(function: Function, type_: Type, name: str) -> Alloca:
    builder = Builder(function.entry, function.entry.instructions[0])
    slot = builder.alloca(type_, name=name)
    builder.store(constants.zero(type_), slot)
    return slot


def _after(call: Call) -> Builder:
    at = call.parent
    assert at is not None
    return Builder(at, at.instructions[at.instructions.index(call) + 1])


def _release(call: Call, kept: list[Alloca], many: _Many | None) -> None:
    assert call.parent is not None
    builder = Builder(call.parent, call)
    for array in kept:
        builder.call(FREE, [builder.load(POINTER, array, name=array.name)])
    if many is not None:
        builder.call(FREE_ALL, [builder.load(POINTER, many.addresses), builder.load(I64, many.count)])


def _replace(call: Call, function: Function, arguments: list[Value]) -> Call:
    """Another call in the place of a call."""
    call.operands[:] = [*arguments, function]
    call.function_type, call.attributes = function.function_type, EMPTY
    call.argument_attributes = [EMPTY] * len(arguments)
    return call


def _give_back(call: Call, blocks: _Blocks) -> None:
    """At the end: the shadow, and the block itself where the program has freed it."""
    block, shadow = call.arguments
    assert call.parent is not None
    builder = Builder(call.parent, call)
    single = _is_block(block) and isinstance(block, Call) and _is_once(block)
    if not single and not ((blocks.all_freed or blocks.none_freed) and _is_kept(block)):
        raise refuse(_service(SHADOW_ALLOCATE))
    if block in blocks.freed or blocks.all_freed:
        builder.call(FREE, [block])
    builder.call(FREE, [shadow])
    call.parent.instructions.remove(call)


def _is_kept(block: Value) -> bool:
    """Whether an address was kept on a tape of the function itself, so that one of its own calls has made the block."""
    array = block.pointer if isinstance(block, Load) else None
    while isinstance(array, GetElementPtr):
        array = array.pointer
    return isinstance(array, Load) and isinstance(array.pointer, Alloca)


_SERVICES = {
    "em.kinds.": "what the bytes of its memory hold is known only when it runs, and this package's runtime keeps track",
    "em.shadow.": "memory that malloc gives has shadows, which this package's runtime keeps",
    "em.kept.": "memory that was there before has shadows, which this package's runtime keeps",
    "em.transfer.": "a block of memory is copied, and this package's runtime adds up the adjoints of such blocks",
    "em.check_stack": "it is recursive, and this package's runtime watches the stack",
    "em.allocate": "values are kept for the reverse sweep in memory of this package's runtime (of a function that calls itself, "
    "or for each iteration of a loop)",
}


def _service(name: str) -> str:
    """Why a call of the runtime cannot be written, in words."""
    known = next((why for start, why in _SERVICES.items() if name.startswith(start)), None)
    if known is None and name.startswith((STATIC_PREFIX, REQUEST_PREFIX)):
        return "it calls a derivative that the C text itself asks for"
    return known or "it needs a function of this package's runtime"


def wants_frames(reason: str) -> bool:
    """Whether it is frames, or recursion, that stood in the way."""
    return reason in (_SERVICES[ALLOCATE], _SERVICES["em.check_stack"])


def _has_body(call: Call) -> bool:
    """Whether it is written beside the derivative (copies of blocks), so that it can stand in its place."""
    return call.called_function is not None and bool(call.called_function.blocks)


def _without_marks(function: Function, calls: list[Call]) -> None:
    """Nothing is marked in the arena, and nothing given back to it."""
    gone = [c for c in calls if any(_is(c, name) for name in _GONE)]
    for call in gone:
        assert call.parent is not None
        call.parent.instructions.remove(call)
    if any(value in gone for i in function.instructions() for value in i.operands):
        raise refuse(f"{function.name} keeps memory of the runtime's arena")


def _one_more(call: Call) -> bool:
    """Whether room is wanted for one more than what is used."""
    used, wanted = call.arguments[3:5]
    return isinstance(wanted, Binary) and wanted.operands[0] is used and wanted.operands[1] == tape.ONE


def _reserved(calls: list[Call]) -> Iterator[Alloca]:
    for call in calls:
        if str(getattr(call.callee, "name", "")) == tape.RESERVE.name:
            array = call.arguments[1]
            assert isinstance(array, Alloca)
            yield array
