"""Calls as C text: of the C library, of the program's functions, and of the functions that the text itself has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from enzyme_magic.backend.autodiff.calls.request import STATIC_PREFIX
from enzyme_magic.backend.explain.gradient_c.refusal import refuse
from enzyme_magic.backend.explain.gradient_c.spelling.expressions import Expressions
from enzyme_magic.backend.explain.words.c_operators import MULTIPLICATIVE, UNARY
from enzyme_magic.backend.frontend import c_types
from enzyme_magic.backend.ir import intrinsics
from enzyme_magic.backend.ir.instructions import Binary, Call, Instruction
from enzyme_magic.backend.ir.values import Argument, ConstantInt, Value
from enzyme_magic.backend.library import libc

CHARACTERS = frozenset(["char *", "const char *"])
# What is passed as it stands in the IR: numbers, and pointers to memory of any type.
PASSED = frozenset(["double", "float", "int", "long", "size_t", "void *", "const void *", *CHARACTERS])


@dataclass(frozen=True, slots=True)
class Head:
    """A function of the text: its name in C, and the parameters it has there, by their place in the IR; of pointers with what they
    point to, "" of numbers."""

    name: str
    parameters: tuple[tuple[int, str], ...]


@dataclass(slots=True, eq=False)
class CallTexts:
    """heads: of the text's own functions, by their names in the IR; declared: functions of the program that are called."""

    text: Expressions
    heads: Mapping[str, Head]
    declared: dict[str, Call] = field(default_factory=dict)

    def called(self, i: Call, name: str) -> str:
        if name in self.heads:
            return self._own(i, self.heads[name])
        texts = [self.text.text(a) for a in i.arguments]
        transfer = intrinsics.transfer_of(name)
        if transfer is not None:
            self.text.headers.add("string.h")
            return f"{transfer}({', '.join([*texts[:2], self.text.size(i.arguments[2])])})"
        if name.startswith("llvm.") or i.called_function is None or i.called_function.blocks:
            raise refuse(f"it calls {intrinsics.word(name) or name or 'a function through a pointer'}")
        if "." in name:
            raise refuse(f"it calls {name.removeprefix(STATIC_PREFIX)}, which is static")
        header = _header(name)
        if header:
            self.text.headers.add(header)
            texts = [self._passed(a, *pair) for a, pair in zip(i.arguments, _with_types(name, texts), strict=True)]
            if name in ("malloc", "realloc"):
                texts[-1] = self._size(i)
        else:
            self.declared[name] = i
        return f"{name}({', '.join(texts)})"

    def _own(self, i: Call, head: Head) -> str:
        texts = []
        for place, to in head.parameters:
            argument = i.arguments[place]
            fits = (
                not to
                or not isinstance(argument, (Instruction, Argument))
                or self.text.places.pointed_at(argument) == to
            )
            text = self.text.text(argument, 0 if fits else UNARY)
            texts.append(text if fits else f"({to} *){text}")
        return f"{head.name}({', '.join(texts)})"

    def _passed(self, argument: Value, text: str, wanted: str) -> str:
        """An argument of a function that wants characters: what the text takes for other data is converted."""
        if wanted not in CHARACTERS or not isinstance(argument, (Instruction, Argument)):
            return text
        fits = self.text.places.pointed_at(argument) in ("char", wanted.removesuffix(" *"))
        return text if fits else f"({wanted}){self.text.text(argument, UNARY)}"

    def _size(self, i: Call) -> str:
        """The bytes to reserve, in elements of what the pointer points to."""
        size = i.arguments[-1]
        element = self.text.places.element(i)
        if isinstance(element, c_types.Struct) and isinstance(size, ConstantInt) and size.value == element.size:
            return f"sizeof({element})"
        bytes_ = c_types.size_of(element) if element is not None else None
        if isinstance(size, Binary) and size in self.text.plan.inlined and isinstance(size.operands[1], ConstantInt):
            factor = size.operands[1].value
            factor = 1 << factor if size.opcode == "shl" else factor
            if size.opcode in ("shl", "mul") and factor == bytes_:
                return f"{self.text.converted(size.operands[0], MULTIPLICATIVE)}*sizeof({element})"
        return self.text.converted(size)


def _header(name: str) -> str:
    """The header that declares a function of the C library to which everything can be passed as it is; "" for any other."""
    function = libc.find(name)
    plain = function is not None and not function.macro and {*function.parameters} <= PASSED
    return function.header if function is not None and plain else ""


def _with_types(name: str, texts: list[str]) -> list[tuple[str, str]]:
    """Arguments of a function of the C library, with what it declares; "" of more than it names."""
    function = libc.find(name)
    declared = [str(parameter) for parameter in function.parameters] if function is not None else []
    return [(text, declared[k] if k < len(declared) else "") for k, text in enumerate(texts)]
