"""C text to analysed IR, for the tests of this folder."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from enzyme_magic.backend.analysis.calls.effects import Effects
from enzyme_magic.backend.analysis.memory.alias import Alias, Overwrite
from enzyme_magic.backend.analysis.types.inference import Types
from enzyme_magic.backend.frontend.compile import compile_sources
from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.backend.ir.instructions import Call, Instruction, Load
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.text import parser
from enzyme_magic.backend.ir.types import FloatType
from enzyme_magic.backend.llvm import optimize
from enzyme_magic.config import Options, settings

LEVELS = (0, 2)


@dataclass(eq=False)
class Compiled:
    """A module and its analyses, made when first asked for."""

    module: Module
    level: int

    def __post_init__(self) -> None:
        self.layout = DataLayout.of(self.module)
        self.effects = Effects.of(self.module)
        self._types: Types | None = None
        self._alias: dict[str, Alias] = {}

    @property
    def types(self) -> Types:
        if self._types is None:
            self._types = Types.of(self.module, self.layout)
        return self._types

    def function(self, name: str) -> Function:
        return self.module.functions[name]

    def alias(self, name: str) -> Alias:
        if name not in self._alias:
            self._alias[name] = Alias.of(self.function(name), self.effects, self.layout)
        return self._alias[name]

    def loads(self, name: str, *, floating: bool = True) -> list[Load]:
        """The loads of floating (or of other) values in program order."""
        found = [i for i in self.function(name).instructions() if isinstance(i, Load)]
        return [i for i in found if isinstance(i.type.scalar, FloatType) == floating]

    def overwrites(self, name: str, *, floating: bool = True) -> list[Overwrite | None]:
        alias = self.alias(name)
        return [alias.overwritten_after(load) for load in self.loads(name, floating=floating)]

    def calls(self, name: str, callee: str) -> list[Call]:
        """Calls whose callee's name starts so."""
        found = (i for i in self.function(name).instructions() if isinstance(i, Call))
        return [i for i in found if i.called_function is not None and i.called_function.name.startswith(callee)]

    def named(self, function: str, name: str) -> Instruction:
        return next(i for i in self.function(function).instructions() if i.name == name)


@lru_cache(maxsize=256)
def compiled(source: str, level: int) -> Compiled:
    """`source` through the front end and the pre-AD passes of this level."""
    unit = compile_sources([Source(source, "test.c")], Options(), settings())
    return Compiled(parser.parse(optimize.pre_ad(unit.irs[0], level)), level)


def both(source: str) -> list[Compiled]:
    return [compiled(source, level) for level in LEVELS]
