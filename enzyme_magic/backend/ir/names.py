"""How the local values of one function are called in text.

Invariant: names are unique and stand as LLVM would print them; values without a name get LLVM's own numbers (arguments, then
blocks and results in textual order); a name that repeats gets `.1`, `.2`, … as LLVM's builder does it. LLVM cuts names behind 1,024
bytes, and then two are one: of a longer one than `LONGEST` the beginning stands. A Names is a snapshot of its function.
"""

from __future__ import annotations

from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.text.lexer import quoted
from enzyme_magic.backend.ir.types import VOID
from enzyme_magic.backend.ir.values import Argument, Block, Value

LONGEST = 240  # characters, of at most four bytes each


class Names:
    """`of(value)` gives `%mul`, `%7`, `%for.body`."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self._texts: dict[Value, str] = {}
        self._used: dict[str, int] = {}
        self._number = 0
        for argument in function.arguments:
            self._add(argument, argument.name)
        for block in function.blocks:
            self._add(block, block.name)
            for instruction in block.instructions:
                if instruction.type is not VOID and instruction.type != VOID:
                    self._add(instruction, instruction.name)

    def _add(self, value: Argument | Block | Value, name: str) -> None:
        if name:
            self._texts[value] = "%" + quoted(self._unique(name))
        else:
            self._texts[value] = f"%{self._number}"
            self._number += 1

    def _unique(self, name: str) -> str:
        name = name[:LONGEST]
        if name not in self._used:
            self._used[name] = 0
            return name
        while True:
            self._used[name] += 1
            candidate = f"{name}.{self._used[name]}"
            if candidate not in self._used:
                self._used[candidate] = 0
                return candidate

    def of(self, value: Value) -> str:
        """The text of an argument, block or instruction of this function, percent sign included. KeyError for others."""
        return self._texts[value]

    def get(self, value: Value) -> str | None:
        """Like `of`, None for a value that is not local to this function."""
        return self._texts.get(value)
