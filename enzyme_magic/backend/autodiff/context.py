"""What the writers of one derivative module share.

Invariant: `module` holds only generated functions, shadow globals and declarations; functions and globals of the
program are referred to by declaration, because the program's own library owns them (one table, not two).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from enzyme_magic.backend.autodiff.analyses import Analyses
from enzyme_magic.backend.autodiff.cache.meter import Meter
from enzyme_magic.backend.autodiff.memory import shadow_images, static_targets
from enzyme_magic.backend.autodiff.sweeps.watch import Watch
from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.attributes import EMPTY
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.instructions import Instruction
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Function, GlobalVariable, Module
from enzyme_magic.backend.ir.types import I1, I8, I64, POINTER, VOID, ArrayType, FunctionType
from enzyme_magic.backend.ir.values import Argument, ConstantString, Value
from enzyme_magic.errors import DifferentiationError, Span

MEMCPY = FunctionType(VOID, (POINTER, POINTER, I64, I1))
MEMSET = FunctionType(VOID, (POINTER, I8, I64, I1))


@dataclass(slots=True, eq=False, repr=False)
class SweepContext:
    """`span_of(instruction)`: the place in the C text, if known. strict: adjoint sums keep their order. apart: arrays
    in frames have blocks of their own, so that what a frame holds can be told: it is to be differentiated again.
    `shadow_globals`: name of the program's global → its shadow; `shadow_images`: name of a shadow → what it holds when a
    call begins, if not zeros; `shadowed_variables`: name of a shadow → the program's global,
    and the lane. uses_arena: some generated function allocates from the arena. uses_heap: some function
    makes shadows of allocations. uses_guard: some function may end with an error. may_doubt: the run may be asked what doubtful
    bytes hold, by planning all of it again with `kinds`: those of shadow memory (memory/kinds.py). doubted: a trial met such bytes.
    vectors: calls of libm may be computed in vectors, where Subject.vector_math says so.
    lines: copies keep their places in the C text. follows: pointers that were kept from before are looked up where they are loaded.
    keeps_blocks: the runtime knows the blocks that the program has from the heap.
    asks, questioned: the same for integers that are computed with, and may be numbers; suspects: forward mode has noted where;
    pieces: bytes of numbers may lie apart from the rest there.
    formats, mixed: forward mode asks whether numbers are read as what they were stored as, or a trial found that it must.
    asks_again: a function that is differentiated asks the run itself, because it is a derivative; forgets: one that C asks for.
    watch: whom the function that was asked for tells what it does. meter: who counts what is put on the tape."""

    module: Module
    analyses: Analyses
    span_of: Callable[[Instruction], Span | None]
    strict: bool = False
    apart: bool = False
    watch: Watch | None = None
    meter: Meter | None = None
    shadow_globals: dict[str, GlobalVariable] = field(default_factory=dict)
    shadow_images: dict[str, GlobalVariable] = field(default_factory=dict)
    shadowed_variables: dict[str, tuple[GlobalVariable, int]] = field(default_factory=dict)
    uses_arena: bool = False
    uses_heap: bool = False
    uses_guard: bool = False
    may_doubt: bool = False
    kinds: bool = False
    doubted: bool = False
    asks: bool = False
    questioned: bool = False
    suspects: bool = False
    asks_again: bool = False
    forgets: bool = False
    pieces: bool = False
    formats: bool = False
    mixed: bool = False
    vectors: bool = False
    lines: bool = False
    follows: bool = False
    keeps_blocks: bool = False

    @property
    def layout(self) -> DataLayout:
        return self.analyses.layout

    def fail(self, instruction: Instruction, what: str, hint: str = "", code: str = "EM220") -> DifferentiationError:
        """The error for something in the C code that cannot be differentiated."""
        return DifferentiationError(what, code=code, hint=hint or None, span=self.span_of(instruction))

    def shadow_global(self, variable: GlobalVariable) -> GlobalVariable:
        """The shadow of a global of the program, set to zero, or to its image, at every gradient call by the entry."""
        shadow = self.shadow_globals.get(variable.name)
        if shadow is None:
            shadow = GlobalVariable(
                f"{variable.name}.shadow",
                linkage="internal",
                value_type=variable.value_type,
                initializer=constants.zero(variable.value_type),
                suffix=tuple(word for word in variable.suffix if word.startswith("align")),
            )
            self.shadow_globals[variable.name] = shadow
            self.module.variables[shadow.name] = shadow
            self.shadowed_variables[shadow.name] = variable, 0
            image = shadow_images.image(variable, self.shadow_global)
            if image is not None:
                self._keep_image(shadow, image)
            for target in static_targets.targets(self.analyses, variable):
                self.shadow_global(target)
        return shadow

    def _keep_image(self, shadow: GlobalVariable, image: Value) -> None:
        kept = GlobalVariable(
            f"{shadow.name}.image", linkage="private", value_type=shadow.value_type, initializer=image, constant=True
        )
        self.module.add(kept)
        self.shadow_images[shadow.name] = kept

    def text(self, word: str) -> GlobalVariable:
        """A constant C string of the module."""
        data = word.encode() + b"\0"
        name = f"em.word.{data.hex()}"
        known = self.module.variables.get(name)
        if known is None:
            type_ = ArrayType(len(data), I8)
            content = ConstantString(type_, data)
            known = GlobalVariable(name, linkage="private", value_type=type_, initializer=content, constant=True)
            self.module.add(known)
        return known

    def declared(self, name: str, type_: FunctionType) -> Function:
        """A function of this name in the module, declared if it is not there."""
        function = self.module.functions.get(name)
        if function is None:
            arguments = [Argument(t, "", EMPTY, k) for k, t in enumerate(type_.parameters)]
            function = Function(name, function_type=type_, arguments=arguments)
            self.module.add(function)
        return function

    def zero_memory(self, builder: Builder, pointer: Value, size: Value) -> None:
        memset = self.declared("llvm.memset.p0.i64", MEMSET)
        builder.call(memset, [pointer, constants.int_constant(I8, 0), size, constants.FALSE])

    def copy_memory(self, builder: Builder, target: Value, source: Value, size: Value) -> None:
        """memcpy of `size` bytes."""
        memcpy = self.declared("llvm.memcpy.p0.p0.i64", MEMCPY)
        builder.call(memcpy, [target, source, size, constants.FALSE])
