"""The C library's functions on vectors (libmvec), offered to LLVM's loop vectorizer.

A call that carries the mark `"vector-math"` becomes a call of libm's function which names its forms for vectors in the attribute
"vector-function-abi-variant" (LLVM Language Reference 22; the names are those of the vector ABI of x86-64). Where LLVM vectorizes
nothing, it stays a call of libm. Invariant: without marks, or on a machine without libmvec, a text stays as it is; only forms that
the library here has, for instructions that the code may use, are named.

It does not decide which calls may: they come with the mark. libmvec is part of glibc 2.22 and later on x86-64, most of it of 2.35.
"""

from __future__ import annotations

import ctypes
import hashlib
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache

from enzyme_magic.backend.llvm import binding
from enzyme_magic.backend.llvm.objects import tuning

MARK = '"vector-math"'
LIBRARY = "libmvec.so.1"
PREFIX = "_ZGV"  # of the names of its functions
_NAMES = "exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh erf erfc pow"
NAMES = tuple(_NAMES.split())
_ARGUMENTS = {"pow": 2}
_FORMS = (("b", 16, ""), ("d", 32, "avx2"), ("e", 64, "avx512f"))  # letter in names, bytes of a vector, what code needs
_INEXACT = {"erff"}  # 1 where it is 4 ulp below
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


def with_forms(text: str) -> str:
    """A module whose marked calls name their forms for vectors."""
    groups = frozenset(_GROUP.findall(text))
    if not groups or f"@{_KEPT} = " in text:
        return text
    forms = {name: found for name in _functions() if (found := _forms(name)) and _is_of_libm(text, name)}
    first = 1 + max(map(int, _NUMBERS.findall(text)))
    numbers: dict[str, int] = {}

    def named(found: re.Match[str]) -> str:
        name = found["name"] or found["word"] + _SUFFIX[found["type"]]
        if found["group"] not in groups or name not in forms:
            return found[0]
        number = numbers.setdefault(name, first + len(numbers))
        return f"{found['head']}{found['type']} @{name}({found['arguments']}) #{number}"

    changed = _CALL.sub(named, text)
    return "\n".join([_fused(changed), *_added(changed, forms, numbers), ""]) if numbers else text


def offered() -> tuple[str, ...]:
    """The functions that have forms for vectors here."""
    return tuple(name for name in _functions() if _forms(name))


def without_list(text: str) -> str:
    """An optimized module without what kept the declarations of forms that nobody calls."""
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
    """What the library of this machine has: part of the key of code."""
    symbols = [
        symbol for name in _functions() for letter, size, _ in _FORMS if _has(symbol := _symbol(letter, size, name))
    ]
    return hashlib.sha256(" ".join(symbols).encode()).hexdigest()


def _fused(text: str) -> str:
    """A module in which a product and a sum are fused where the code generator fuses them: a loop that adds in order is vectorized
    now (optimize.py), and LLVM would take them apart there, so that a sum had other last digits than the function's own."""
    if not tuning.has("fma"):
        return text
    types: dict[str, str] = {}

    def fused(found: re.Match[str]) -> str:
        if _FREE.search(found["flags"]):
            return found[0]
        types[found["word"]] = found["type"]
        return f"{found['flags']}{found['type']} @llvm.fma.{found['word']}("

    text = _MULTIPLY_ADD.sub(fused, text)
    missing = [word for word in types if not re.search(rf"^declare [^\n]*@llvm\.fma\.{word}\(", text, re.M)]
    return "\n".join([text, *(f"declare {t} @llvm.fma.{w}({t}, {t}, {t})" for w in missing for t in [types[w]])])


_SUFFIX = {"double": "", "float": "f"}


def _functions() -> list[str]:
    return [name + suffix for name in NAMES for suffix in _SUFFIX.values() if name + suffix not in _INEXACT]


def _type(function: str) -> str:
    return "double" if function in NAMES else "float"


def _arguments(function: str) -> int:
    return _ARGUMENTS.get(function.removesuffix("f") if function not in NAMES else function, 1)


def _lanes(size: int, function: str) -> int:
    return size // (8 if _type(function) == "double" else 4)


def _symbol(letter: str, size: int, function: str) -> str:
    return f"{PREFIX}{letter}N{_lanes(size, function)}{'v' * _arguments(function)}_{function}"


def _forms(function: str) -> dict[int, str]:
    """Lanes -> the form that the code may use."""
    sizes = [(letter, size) for letter, size, needs in _FORMS if not needs or tuning.has(needs)]
    found = {_lanes(size, function): _symbol(letter, size, function) for letter, size in sizes}
    return found if all(map(_has, found.values())) else {}


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


def _is_of_libm(text: str, function: str) -> bool:
    """Whether a module takes the name for libm's: not for a function of the program."""
    found = re.search(rf"^(?:define|declare) [^\n]*@{function}\([^\n]*", text, re.M)
    if found is None:
        return True
    group = re.search(r"#\d+", found[0])
    attributes = re.search(rf"^attributes {group[0]} = [^\n]*", text, re.M) if group else None
    words = found[0] + (attributes[0] if attributes else "")
    return words.startswith(f"declare {_type(function)} ") and "nobuiltin" not in words


def _added(text: str, forms: Mapping[str, Mapping[int, str]], numbers: Mapping[str, int]) -> Iterator[str]:
    """Declarations, what keeps them, and attributes."""
    kept: list[str] = []
    pure = 1 + max(numbers.values())
    for function, number in numbers.items():
        type_, arguments = _type(function), _arguments(function)
        if not re.search(rf"^declare [^\n]*@{function}\(", text, re.M):
            yield f"declare {type_} @{function}({', '.join([type_] * arguments)})"
        for lanes, symbol in forms[function].items():
            vector = f"<{lanes} x {type_}>"
            yield f"declare {vector} @{symbol}({', '.join([vector] * arguments)}) #{pure}"
            kept.append(f"ptr @{symbol}")
        words = (
            f"_ZGV_LLVM_N{lanes}{'v' * arguments}_{function}({symbol})" for lanes, symbol in forms[function].items()
        )
        yield f'attributes #{number} = {{ {_PURE} "vector-function-abi-variant"="{",".join(words)}" }}'
    yield f'@{_KEPT} = appending global [{len(kept)} x ptr] [{", ".join(kept)}], section "llvm.metadata"'
    yield f"attributes #{pure} = {{ {_PURE} }}"
