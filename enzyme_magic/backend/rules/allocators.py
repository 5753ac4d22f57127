"""Allocators of the program's own: `__enzyme_allocation_like_…`.

    void *__enzyme_allocation_like_take[4] = {take, (void *)1, "-1", give_back};

says: `take` gives fresh memory of as many bytes as its argument 1 says, and `give_back` takes it, with the arguments the list names
(-1: the memory; k: argument k of the call that took it).

Invariant: what the two functions do to memory of their own (headers, free lists, a pool) is invisible to the program, which is the
promise; what they do to the program's globals by name is kept. Their bodies are never differentiated.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import IntType, PointerType, Type, VoidType
from enzyme_magic.backend.ir.values import ConstantExpression, ConstantInt, ConstantKeyword, Value

if TYPE_CHECKING:
    from enzyme_magic.backend.rules.custom import RegistrationWords

MEMORY = -1


@dataclass(frozen=True, slots=True, eq=False)
class Allocator:
    """size: the argument of `function` that is the number of bytes. passed: what `release` is given (see above)."""

    function: Function
    size: int
    release: Function
    passed: tuple[int, ...]

    @property
    def released(self) -> int:
        """The argument of `release` that is the memory."""
        return self.passed.index(MEMORY)


def read(words: RegistrationWords) -> Allocator:
    """One registration. Raises CompileError EM126."""
    words.at_most(4)
    found = Allocator(words.function(0), _number(words), words.function(3), _passed(words))
    wrong = _wrong(found)
    if wrong is not None:
        raise words.error(wrong)
    return found


def _number(words: RegistrationWords) -> int:
    value: Value = words.value(1)
    while isinstance(value, ConstantExpression) and value.opcode == "inttoptr":
        value = value.operands[0]
    if isinstance(value, ConstantKeyword) and value.keyword == "null":
        return 0
    if not isinstance(value, ConstantInt):
        raise words.error(f"entry 2 of {words.name} is not the number of an argument")
    return value.value


def _passed(words: RegistrationWords) -> tuple[int, ...]:
    text = words.text(2)
    try:
        return tuple(int(word) for word in text.split(","))
    except ValueError:
        raise words.error(f'entry 3 of {words.name} is "{text}", which is no list of arguments') from None


def _wrong(found: Allocator) -> str | None:
    """Why the functions cannot be used so."""
    function, release = found.function, found.release
    taken, given = function.function_type.parameters, release.function_type.parameters
    if not isinstance(function.function_type.result, PointerType):
        return f"{function.name} returns no pointer"
    if not 0 <= found.size < len(taken) or not isinstance(taken[found.size], IntType):
        return f"argument {found.size} of {function.name} is no number of bytes"
    if found.passed.count(MEMORY) != 1 or not all(MEMORY <= k < len(taken) for k in found.passed):
        return f"the list of arguments of {release.name} has -1 once, and numbers of arguments of {function.name}"
    wanted = tuple(function.function_type.result if k == MEMORY else taken[k] for k in found.passed)
    if wanted != given or function.function_type.variadic or release.function_type.variadic:
        return f"{release.name} does not take the arguments that the list names"
    if not all(map(_is_plain, (*given, release.function_type.result))):
        return f"{release.name} takes or gives something else than pointers and integers"
    return None


def _is_plain(type_: Type) -> bool:
    return isinstance(type_, (PointerType, VoidType)) or (isinstance(type_, IntType) and type_.bits in (8, 16, 32, 64))
