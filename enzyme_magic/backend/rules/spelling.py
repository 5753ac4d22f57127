"""How mathematical functions are spelled: in C, as LLVM intrinsics, and as our own helpers.

Invariant: one operation name stands for all spellings (`sinf`, `sinl`, `__sin_finite`, `sinf128`, `llvm.sin.f32` are "sin"),
and a name is read as libm's only where the declared type fits the prototype (the table of the C library has them).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from enzyme_magic.backend.ir.types import (
    BFLOAT,
    DOUBLE,
    FLOAT,
    FP128,
    HALF,
    I32,
    I64,
    POINTER,
    VOID,
    X86_FP80,
    FloatType,
    FunctionType,
    IntType,
    Type,
    VectorType,
)
from enzyme_magic.backend.library import libc

LONG_DOUBLE = X86_FP80  # of the one platform supported, x86-64 Linux

PROTOTYPES = libc.operations()
ALIASES = libc.aliases()

# Intrinsics spelled otherwise than their operation, or without a function of that name in libm.
_INTRINSICS = {"minnum": "fmin", "maxnum": "fmax", "minimum": "fminimum", "maximum": "fmaximum",
               "minimumnum": "fminimum_num", "maximumnum": "fmaximum_num"}  # fmt: skip
_SAME_NAME = """sin cos tan asin acos atan atan2 sinh cosh tanh exp exp2 exp10 log log2 log10 sqrt pow powi fabs copysign
    fma fmuladd floor ceil trunc rint nearbyint round roundeven lround llround lrint llrint ldexp frexp modf sincos sincospi
    canonicalize arithmetic.fence is.fpclass fptrunc.round"""
INTRINSICS: dict[str, str] = _INTRINSICS | {name: name for name in _SAME_NAME.split()}
INTRINSIC_OF: dict[str, str] = {operation: intrinsic for intrinsic, operation in INTRINSICS.items()}

HELPER_PREFIX = "em."  # no C identifier has a dot

_SUFFIXES = {
    "f": FLOAT,
    "l": LONG_DOUBLE,
    "f32": FLOAT,
    "f64": DOUBLE,
    "f128": FP128,
    "f32x": DOUBLE,
    "f64x": LONG_DOUBLE,
}
_FINITE = re.compile(r"__(\w+?)_finite\Z")
_INTRINSIC_NAME = re.compile(r"llvm\.([a-z0-9.]+?)((?:\.(?:nx)?(?:v\d+)?(?:f16|bf16|f32|f64|f80|f128|i\d+))+)\Z")
_HELPER_NAME = re.compile(r"em\.(.+)\.(f16|bf16|f32|f64|f80|f128)\Z")
SHORT = {HALF: "f16", BFLOAT: "bf16", FLOAT: "f32", DOUBLE: "f64", X86_FP80: "f80", FP128: "f128"}
_LONG = {short: type_ for type_, short in SHORT.items()}
_C_SUFFIX = {FLOAT: "f", DOUBLE: "", LONG_DOUBLE: "l", FP128: "f128"}


@dataclass(frozen=True, slots=True)
class HelperSignature:
    """A decoded name: the operation and its (scalar) floating type."""

    operation: str
    type: FloatType


@cache
def libm_signature(name: str) -> HelperSignature | None:
    """The operation a C function of this name stands for, None if it is none of math.h's. Purely by name: whether a
    declaration is meant by it is `fits`'s question."""
    finite = _FINITE.match(name)
    plain = finite.group(1) if finite else name
    middle, reentrant = (plain[:-2], "_r") if plain.endswith("_r") else (plain, "")
    if reentrant and not finite and ALIASES.get(middle, middle) + reentrant in PROTOTYPES:
        return HelperSignature(ALIASES.get(middle, middle) + reentrant, DOUBLE)
    for suffix, type_ in [("", DOUBLE), *_SUFFIXES.items()]:
        base = middle.removesuffix(suffix) if suffix else middle
        operation = ALIASES.get(base, base) + reentrant
        if middle.endswith(suffix) and operation in PROTOTYPES:
            return HelperSignature(operation, type_)
    return None


@cache
def intrinsic_signature(name: str) -> HelperSignature | None:
    """The operation of an LLVM intrinsic on floats (`llvm.sin.v4f64` too: its type is the element's), None if unknown."""
    match = _INTRINSIC_NAME.match(name)
    operation = INTRINSICS.get(match.group(1)) if match else None
    if match is None or operation is None:
        return None
    shorts = [re.sub(r"\A(?:nx)?(?:v\d+)?", "", part) for part in match.group(2).split(".") if part]
    floats = [_LONG[short] for short in shorts if short in _LONG]
    return HelperSignature(operation, floats[0]) if floats else None


@cache
def helper_signature(name: str) -> HelperSignature | None:
    """The operation of one of our helper functions (`em.polygamma.1.f64`)."""
    match = _HELPER_NAME.match(name)
    return HelperSignature(match.group(1), _LONG[match.group(2)]) if match else None


def libm_name(operation: str, type_: FloatType) -> str | None:
    """The C function for a type, None where libm has none (half, bfloat)."""
    suffix = _C_SUFFIX.get(type_)
    if suffix is None or operation not in PROTOTYPES:
        return None
    if operation.endswith("_r"):
        return operation.removesuffix("_r") + suffix + "_r"
    return operation + suffix


def prototype(operation: str, type_: FloatType) -> FunctionType:
    """LLVM's type of the C function."""
    types: dict[str, Type] = {
        "real": type_,
        "int": I32,
        "long": I64,
        "long long": I64,
        "long double": LONG_DOUBLE,
        "void": VOID,
    }
    result, *parameters = (POINTER if "*" in word else types[word] for word in PROTOTYPES[operation].generic)
    return FunctionType(result, tuple(parameters))


@cache
def outputs(operation: str) -> tuple[int, ...]:
    """The pointer arguments of libm's function through which it gives results."""
    found = PROTOTYPES[operation]
    if found.summary is None:
        return ()
    return tuple(k for k, _ in enumerate(found.parameters) if found.summary.writes_argument(k))


def fits(signature: HelperSignature, declared: FunctionType) -> bool:
    """Whether a declaration has the type C gives the function (so that a user's own `double round(int)` is not taken for
    libm's)."""
    return declared == prototype(signature.operation, signature.type)


def short_type(type_: Type) -> str:
    """LLVM's overload suffix: f64, i32, v4f32."""
    if isinstance(type_, VectorType):
        return f"{'nx' if type_.scalable else ''}v{type_.count}{short_type(type_.element)}"
    if isinstance(type_, IntType):
        return f"i{type_.bits}"
    assert isinstance(type_, FloatType)
    return SHORT[type_]


def intrinsic_name(operation: str, *overloads: Type) -> str:
    return ".".join(["llvm", INTRINSIC_OF[operation], *map(short_type, overloads)])


def helper_name(operation: str, type_: Type) -> str:
    return f"{HELPER_PREFIX}{operation}.{short_type(type_)}"
