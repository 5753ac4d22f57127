"""Modules, functions and globals.

Invariant: a module owns its globals in textual order, by name without the at sign and without quotes; a function's
first block is its entry. The order of declarations carries no meaning.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from enzyme_magic.backend.ir.attributes import EMPTY, AttributeSet
from enzyme_magic.backend.ir.instructions import Instruction
from enzyme_magic.backend.ir.metadata import MDRecord, MDTuple, Metadata
from enzyme_magic.backend.ir.types import POINTER, FunctionType, Type
from enzyme_magic.backend.ir.values import Argument, Block, Value


@dataclass(slots=True, eq=False, repr=False)
class GlobalValue(Value):
    """What all globals share. `linkage` is LLVM's word or empty for external; `prefix` holds the words between
    linkage and the rest in LLVM's order (`dso_local`, `hidden`, `dllimport`, `thread_local`, `unnamed_addr`, …)."""

    name: str
    type: Type = POINTER
    linkage: str = ""
    prefix: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} @{self.name}>"


@dataclass(slots=True, eq=False, repr=False)
class GlobalVariable(GlobalValue):
    value_type: Type = POINTER
    initializer: Value | None = None
    constant: bool = False
    externally_initialized: bool = False
    suffix: tuple[str, ...] = ()  # `section "…"`, `comdat`, `align 8`, … in LLVM's spelling and order
    metadata: dict[str, Metadata] = field(default_factory=dict)
    attributes: AttributeSet = EMPTY

    @property
    def is_thread_local(self) -> bool:
        return any(word.startswith("thread_local") for word in self.prefix)


@dataclass(slots=True, eq=False, repr=False)
class GlobalAlias(GlobalValue):
    """`alias` or `ifunc`."""

    keyword: str = "alias"
    value_type: Type = POINTER
    aliasee: Value | None = None
    suffix: tuple[str, ...] = ()


@dataclass(slots=True, eq=False, repr=False)
class Function(GlobalValue):
    """A declaration (no blocks) or a definition."""

    function_type: FunctionType = field(default_factory=lambda: FunctionType(POINTER, ()))
    arguments: list[Argument] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    attributes: AttributeSet = EMPTY
    result_attributes: AttributeSet = EMPTY
    calling_convention: str = ""
    suffix: tuple[str, ...] = ()  # `section`, `comdat`, `gc`, … in LLVM's spelling
    personality: Value | None = None
    prefix_data: Value | None = None
    prologue_data: Value | None = None
    metadata: dict[str, Metadata] = field(default_factory=dict)
    parent: Module | None = field(default=None, repr=False)

    @property
    def is_declaration(self) -> bool:
        return not self.blocks

    @property
    def entry(self) -> Block:
        return self.blocks[0]

    def instructions(self) -> Iterator[Instruction]:
        for block in self.blocks:
            yield from block.instructions

    @property
    def subprogram(self) -> MDRecord | None:
        node = self.metadata.get("dbg")
        return node if isinstance(node, MDRecord) else None


@dataclass(slots=True, eq=False, repr=False)
class Module:
    """A translation unit."""

    source_filename: str = ""
    datalayout: str = ""
    triple: str = ""
    asm: tuple[str, ...] = ()  # `module asm` lines, unescaped
    named_types: dict[str, Type | None] = field(default_factory=dict)  # None: opaque
    comdats: dict[str, str] = field(default_factory=dict)
    variables: dict[str, GlobalVariable] = field(default_factory=dict)
    aliases: dict[str, GlobalAlias] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    named_metadata: dict[str, MDTuple] = field(default_factory=dict)

    def add(self, value: GlobalValue) -> None:
        """Puts a function, variable or alias into the module under its name; an older one of that name is replaced."""
        if isinstance(value, Function):
            value.parent = self
            self.functions[value.name] = value
        elif isinstance(value, GlobalVariable):
            self.variables[value.name] = value
        elif isinstance(value, GlobalAlias):
            self.aliases[value.name] = value

    def declared(self, name: str, type_: FunctionType) -> Function:
        """The function of that name, declared if it is not known yet."""
        found = self.functions.get(name)
        if found is None:
            arguments = [Argument(t, "", EMPTY, k) for k, t in enumerate(type_.parameters)]
            self.add(found := Function(name, function_type=type_, arguments=arguments))
        return found

    def definitions(self) -> Iterator[Function]:
        return (f for f in self.functions.values() if f.blocks)

    def global_named(self, name: str) -> GlobalValue | None:
        return self.functions.get(name) or self.variables.get(name) or self.aliases.get(name)
