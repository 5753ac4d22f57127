"""The C library's functions on vectors (libmvec), offered to LLVM's loop vectorizer.

A call that carries the mark `"vector-math"` becomes a call of libm's function which names its forms for vectors in the attribute
"vector-function-abi-variant" (LLVM Language Reference 22; the names are those of the vector ABI of x86-64). Where LLVM vectorizes
nothing, it stays a call of libm. Invariant: without marks, or on a machine without libmvec, a text stays as it is; only forms that
the library here has, for instructions that the code may use, are named.

It does not decide which calls may: they come with the mark. libmvec is part of glibc 2.22 and later on x86-64, most of it of 2.35.
"""

from __future__ import annotations

import ctypes
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache

from enzyme_magic.backend.llvm import binding
from enzyme_magic.backend.llvm.objects import tuning

MARK = '"vector-math"'
LIBRARY = "libmvec.so.1"
PREFIX = "_ZGV"  # of the names of its functions
_FORMS = (("b", 16, ""), ("d", 32, "avx2"), ("e", 64, "avx512f"))  # letter in names, bytes of a vector, what code needs
_KEPT = "llvm.compiler.used"
_PURE = "nofree nosync nounwind willreturn memory(none)"
_GROUP = re.compile(rf"^attributes (#\d+) = \{{ (?=[^\n]*{MARK})", re.M)
_NUMBERS = re.compile(r"^attributes #(\d+) = ", re.M)
_MULTIPLY_ADD = re.compile(
    r"(?P<flags>\bcall (?:[a-z]+ )*)(?P<type>double|float|<\d+ x (?:double|float)>) @llvm\.fmuladd\.(?P<word>\w+)\("
)
_FREE = re.compile(r"\b(?:fast|reassoc)\b")
_CALL = re.compile(
    r"(?P<head>\bcall (?:[a-z]+ )*?)(?P<type>double|float) @(?:llvm\.(?P<word>\w+)\.f(?:32|64)|(?P<name>\w+))"
    r"\((?P<arguments>[^()]*)\) (?P<group>#\d+)"
)


@dataclass(frozen=True, slots=True)
class MathFunction:
    """A function of libm. type: of its arguments and its result, as LLVM writes it."""

    name: str
    type: str
    arguments: int

    def forms(self) -> dict[int, str]:
        """Lanes -> the form for as many numbers; nothing where one is missing that the code may use."""
        sizes = [(letter, size) for letter, size, needs in _FORMS if not needs or tuning.has(needs)]
        found = {self.lanes(size): self.symbol(letter, size) for letter, size in sizes}
        return found if all(map(_has, found.values())) else {}

    def lanes(self, size: int) -> int:
        return size // (8 if self.type == "double" else 4)

    def symbol(self, letter: str, size: int) -> str:
        return f"{PREFIX}{letter}N{self.lanes(size)}{'v' * self.arguments}_{self.name}"


def with_forms(text: str) -> str:
    """A module whose marked calls name their forms for vectors."""
    groups = frozenset(_GROUP.findall(text)) if MARK in text else frozenset[str]()
    if not groups or f"@{_KEPT} = " in text:
        return text
    called = {_called(found) for found in _CALL.finditer(text) if found["group"] in groups}
    known = sorted((f for f in called if f.forms() and _is_of_libm(text, f)), key=lambda f: f.name)
    first = 1 + max(map(int, _NUMBERS.findall(text)))
    numbers = {function: first + k for k, function in enumerate(known)}

    def named(found: re.Match[str]) -> str:
        function = _called(found)
        if found["group"] not in groups or function not in numbers:
            return found[0]
        return f"{found['head']}{found['type']} @{function.name}({found['arguments']}) #{numbers[function]}"

    changed = _CALL.sub(named, text)
    return "\n".join([changed, *_added(changed, numbers), ""]) if numbers else text


def _called(found: re.Match[str]) -> MathFunction:
    name = found["name"] or found["word"] + ("f" if found["type"] == "float" else "")
    return MathFunction(name, found["type"], 1 + found["arguments"].count(","))


def without_list(text: str) -> str:
    """An optimized module without what kept the declarations of forms that nobody calls."""
    if _KEPT not in text:
        return text
    return re.sub(rf"^@{re.escape(_KEPT)} = [^\n]*@{PREFIX}[^\n]*\n\n?", "", text, flags=re.M)


def calls_forms(text: str) -> bool:
    """Whether a module mentions functions on vectors."""
    return f"@{PREFIX}" in text


def opened() -> None:
    """Make the library's functions known to what is loaded from now on. What is missing is told when code is loaded."""
    with binding.guard, suppress(RuntimeError):
        binding.llvm().load_library_permanently(LIBRARY)


@cache
def state() -> str:
    """Which library this machine has, "" for none: part of the key of code."""
    return (os.confstr("CS_GNU_LIBC_VERSION") or "") if _library() is not None else ""


def fused(text: str) -> str:
    """A module in which a product and a sum are fused where the code generator fuses them. LLVM's passes would take some of them
    apart, in one module and not in another: sums in order that are vectorized, products of constants (of an unrolled loop). So a
    derivative would give back a value with other last digits than the function's own."""
    if "@llvm.fmuladd." not in text or not tuning.has("fma"):
        return text
    types: dict[str, str] = {}

    def exact(found: re.Match[str]) -> str:
        if _FREE.search(found["flags"]):
            return found[0]
        types[found["word"]] = found["type"]
        return f"{found['flags']}{found['type']} @llvm.fma.{found['word']}("

    text = _MULTIPLY_ADD.sub(exact, text)
    missing = [word for word in types if not re.search(rf"^declare [^\n]*@llvm\.fma\.{word}\(", text, re.M)]
    return "\n".join([text, *(f"declare {t} @llvm.fma.{w}({t}, {t}, {t})" for w in missing for t in [types[w]])])


@cache
def _library() -> ctypes.CDLL | None:
    if not binding.host_triple().startswith("x86_64"):
        return None
    try:
        return ctypes.CDLL(LIBRARY)
    except OSError:
        return None


@cache
def _has(symbol: str) -> bool:
    return hasattr(_library(), symbol)


def _is_of_libm(text: str, function: MathFunction) -> bool:
    """Whether a module takes the name for libm's: not for a function of the program."""
    found = re.search(rf"^(?:define|declare) [^\n]*@{function.name}\([^\n]*", text, re.M)
    if found is None:
        return True
    group = re.search(r"#\d+", found[0])
    attributes = re.search(rf"^attributes {group[0]} = [^\n]*", text, re.M) if group else None
    words = found[0] + (attributes[0] if attributes else "")
    return words.startswith(f"declare {function.type} ") and "nobuiltin" not in words


def _added(text: str, numbers: Mapping[MathFunction, int]) -> Iterator[str]:
    """Declarations, what keeps them, and attributes."""
    kept: list[str] = []
    pure = 1 + max(numbers.values())
    for function, number in numbers.items():
        name, type_, arguments, forms = function.name, function.type, function.arguments, function.forms()
        if not re.search(rf"^declare [^\n]*@{name}\(", text, re.M):
            yield f"declare {type_} @{name}({', '.join([type_] * arguments)})"
        for lanes, symbol in forms.items():
            vector = f"<{lanes} x {type_}>"
            yield f"declare {vector} @{symbol}({', '.join([vector] * arguments)}) #{pure}"
            kept.append(f"ptr @{symbol}")
        words = (f"_ZGV_LLVM_N{lanes}{'v' * arguments}_{name}({symbol})" for lanes, symbol in forms.items())
        yield f'attributes #{number} = {{ {_PURE} "vector-function-abi-variant"="{",".join(words)}" }}'
    yield f'@{_KEPT} = appending global [{len(kept)} x ptr] [{", ".join(kept)}], section "llvm.metadata"'
    yield f"attributes #{pure} = {{ {_PURE} }}"
