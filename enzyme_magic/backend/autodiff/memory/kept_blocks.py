"""Shadows of what static pointers hold since an earlier call, or from the start: heap blocks and static variables.

    static double *table;      an earlier call: table = malloc(…);      now: a gradient reads table[k]

The runtime knows the live blocks of a program that keeps any (llvm/blocks.py). Before a derivative begins, each static pointer
with a shadow is looked up: where it points into such a block, the block gets a zeroed shadow, and the shadow of the pointer
points to the same place in it; where it leads into a static variable with a shadow, the shadow of the pointer leads there
(static_targets.py). Numbers in the block are constants of the call. Afterwards the shadows go; blocks that the program
released meanwhile go with them, as they would have at a reversed allocation.

Pointers that lie elsewhere (in such a block, or where a variable has bytes) are looked up when they are loaded, because only then
is it known that they are pointers: where their shadow is missing, it is put to its place first (`follow`), as if it had been there
from the start. A block that was made since the derivative began has its shadow from there, and is never found so.

Invariant: a pointer that leads anywhere else keeps a null shadow, and is guarded where it is used (EM407). A derivative that is
differentiated again, or that C asks for, follows none. A call that ends by a jump leaves its shadows to nobody: memory is lost
then, and nothing else.
"""

from __future__ import annotations

from enzyme_magic.backend.autodiff.context import SweepContext
from enzyme_magic.backend.autodiff.memory import kinds, shadow_heap, static_targets
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import GlobalVariable
from enzyme_magic.backend.ir.types import I8, I64, POINTER, ArrayType, NamedType, PointerType, StructType, Type
from enzyme_magic.backend.ir.values import Value

MOST_SLOTS = 64  # pointers in one variable that are looked up

MEMORY = "em.kept.memory"  # what is known of it all (runtime/native/c/kept.h), in the derivative's module
_MEMORY_TYPE = ArrayType(6, I64)


def note_pointers(context: SweepContext, builder: Builder) -> None:
    """Tell the table of kinds of the pointers with which shadows of statics begin."""
    for shadow in context.shadow_globals.values():
        for offset, length, period in pointer_rows(context.layout, shadow.value_type):
            kinds.note_pointers(builder, _at(builder, shadow, offset), constants.int_constant(I64, length), period)


def follow(context: SweepContext, builder: Builder, place: Value, shadow_place: Value, pointer: Value) -> None:
    """`pointer` was loaded from `place`, its shadow is about to be loaded."""
    if not context.follows:
        return
    function = shadow_heap.KEPT_FOLLOW if context.keeps_blocks else shadow_heap.KEPT_FOLLOW_STATIC
    filled = builder.call(function, [_memory(context), place, shadow_place, pointer])
    if context.kinds:
        kinds.note_pointers(builder, shadow_place, filled, context.layout.size_of(POINTER))


def begin(context: SweepContext, builder: Builder) -> bool:
    """Look the static pointers up. The shadow globals are zeroed already. Whether something must be done at the end."""
    begun = _begin_memory(context, builder)
    tables: dict[int, list[Value]] = {}
    for shadow in list(context.shadow_globals.values()):
        variable, lane = context.shadowed_variables[shadow.name]
        if variable.constant or variable.initializer is None:
            continue
        for offset in pointer_slots(context.layout, variable.value_type):
            if lane not in tables:
                tables[lane] = _table(context, lane)
            held = builder.load(POINTER, _at(builder, variable, offset))
            found = builder.call(shadow_heap.KEPT_STATIC, [held, *tables[lane]])
            builder.store(found, _at(builder, shadow, offset))
            if not context.keeps_blocks:
                continue
            kept = builder.call(shadow_heap.KEPT_SHADOW, [_memory(context), held, constants.int_constant(I64, lane)])
            static = builder.icmp("eq", kept, constants.zero(POINTER))
            builder.store(builder.select(static, found, kept), _at(builder, shadow, offset))
    context.uses_guard |= begun and context.keeps_blocks
    return begun


def _memory(context: SweepContext) -> GlobalVariable:
    known = context.module.variables.get(MEMORY)
    if known is None:
        known = GlobalVariable(
            MEMORY, linkage="internal", value_type=_MEMORY_TYPE, initializer=constants.zero(_MEMORY_TYPE)
        )
        context.module.add(known)
    return known


def _begin_memory(context: SweepContext, builder: Builder) -> bool:
    shadowed = [(shadow, *context.shadowed_variables[shadow.name]) for shadow in context.shadow_globals.values()]
    shadowed = [found for found in shadowed if found[1].initializer is not None]
    slots = any(pointer_slots(context.layout, variable.value_type) for _, variable, _ in shadowed)
    if not ((slots and context.keeps_blocks) or MEMORY in context.module.variables):
        return False
    memory = _memory(context)
    builder.store(constants.zero(_MEMORY_TYPE), memory)
    if context.keeps_blocks:
        builder.call(shadow_heap.KEPT_BEGIN, [memory])
    for shadow, variable, lane in shadowed:
        size = constants.int_constant(I64, context.layout.size_of(variable.value_type))
        builder.call(shadow_heap.KEPT_VARIABLE, [memory, variable, size, shadow, constants.int_constant(I64, lane)])
    return True


def _table(context: SweepContext, lane: int) -> list[Value]:
    """The program's variables with their shadows of one lane, and how many they are."""
    shadows: dict[str, GlobalVariable] = {}
    for shadow in context.shadow_globals.values():
        variable, of = context.shadowed_variables[shadow.name]
        if of == lane:
            shadows[variable.name] = shadow
    content = static_targets.table(context.analyses, shadows)
    type_, name = content.type, f"em.statics.{lane}"
    made = GlobalVariable(name, linkage="private", value_type=type_, initializer=content, constant=True)
    context.module.add(made)
    return [made, constants.int_constant(I64, len(content.elements))]


def end(context: SweepContext, builder: Builder, *, forward: bool) -> None:
    """The shadows go. In forward mode the program has released its blocks itself, shadows included."""
    function = shadow_heap.KEPT_END_FORWARD if forward else shadow_heap.KEPT_END
    builder.call(function if context.keeps_blocks else shadow_heap.KEPT_END_STATIC, [_memory(context)])


def pointer_slots(layout: DataLayout, type_: Type, at: int = 0) -> list[int]:
    """Where pointers lie in a variable."""
    if isinstance(type_, PointerType):
        return [at]
    if isinstance(type_, NamedType):
        return pointer_slots(layout, layout.resolve(type_), at)
    if isinstance(type_, StructType):
        parts = [(layout.field_offset(type_, k), element) for k, element in enumerate(type_.elements)]
    elif isinstance(type_, ArrayType) and pointer_slots(layout, type_.element) and type_.count <= MOST_SLOTS:
        parts = [(k * layout.size_of(type_.element), type_.element) for k in range(type_.count)]
    else:
        return []
    return [slot for offset, part in parts for slot in pointer_slots(layout, part, at + offset)]


def pointer_rows(layout: DataLayout, type_: Type, at: int = 0) -> list[tuple[int, int, int]]:
    """(offset, bytes, period): where pointers lie in a variable that may be a long array."""
    if isinstance(type_, NamedType):
        return pointer_rows(layout, layout.resolve(type_), at)
    if isinstance(type_, ArrayType) and type_.count:
        inner, step = pointer_rows(layout, type_.element, at), layout.size_of(type_.element)
        if all(length <= period for _, length, period in inner):
            return [(offset, (type_.count - 1) * step + length, step) for offset, length, _ in inner]
    word = layout.size_of(POINTER)
    return [(at + offset, word, word) for offset in pointer_slots(layout, type_)]


def _at(builder: Builder, variable: GlobalVariable, offset: int) -> Value:
    return builder.gep(I8, variable, [constants.int_constant(I64, offset)]) if offset else variable
