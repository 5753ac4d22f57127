"""C types as frozen values: what a caller from Python must know about a parameter or a result.

Invariant: two types are the same type exactly when they compare equal; `str(type)` is C's spelling and `declare(type, name)`
C's declaration of a name. A scalar keeps the typedef's name it was declared with (`size_t`) in `name` and the type behind it
(`unsigned long`) in `base`. Offsets and sizes are bytes of the target; bit fields also say their bits.

C's types may be circular, these are not: a struct that a struct's field points to is an `Opaque` with its name. No layout is
computed here: the numbers come from the compiler's debug info.
"""

from __future__ import annotations

from dataclasses import dataclass

POINTER_SIZE = 8

KINDS = ("int", "uint", "float", "bool", "char", "complex")


@dataclass(frozen=True, slots=True)
class CType:
    """Base of every C type."""

    def __str__(self) -> str:
        return declare(self)


@dataclass(frozen=True, slots=True)
class Void(CType):
    def __str__(self) -> str:
        return "void"


@dataclass(frozen=True, slots=True)
class Scalar(CType):
    """An arithmetic type. `kind` is one of KINDS ("char" is plain or signed char; unsigned char is "uint"); `size` in bytes
    as stored (long double 16, _Bool 1, double _Complex 16); `name` as the program spells it, `base` with typedefs resolved
    ("long double" and "__float128" have one size: tell them apart by `base`)."""

    name: str
    kind: str
    size: int
    base: str = ""

    def __post_init__(self) -> None:
        if not self.base:
            object.__setattr__(self, "base", self.name)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Enum(CType):
    """`name` in C's spelling (`enum color`, or a typedef's name); `underlying` is the integer type it is stored in."""

    name: str
    underlying: Scalar
    values: tuple[tuple[str, int], ...] = ()

    @property
    def size(self) -> int:
        return self.underlying.size

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Pointer(CType):
    """`const` and `volatile` speak of what is pointed to (`const double *`), `restrict` of the pointer itself."""

    to: CType
    const: bool = False
    restrict: bool = False
    volatile: bool = False


@dataclass(frozen=True, slots=True)
class Array(CType):
    """`count` is None where it is not a constant (`double A[n][m]`, a flexible array member)."""

    element: CType
    count: int | None


@dataclass(frozen=True, slots=True)
class Vector(CType):
    """A SIMD vector (`vector_size`, `ext_vector_type`). `name` is its typedef's name, or empty."""

    element: CType
    count: int
    size: int
    name: str = ""

    def __str__(self) -> str:
        return self.name or f"{self.element} __attribute__((vector_size({self.size})))"


@dataclass(frozen=True, slots=True)
class Field:
    """A member. `offset` in bytes from the start of the struct; a bit field has `bits` > 0 and starts `bit_offset` bits
    into the byte at `offset`. An anonymous member has an empty name."""

    name: str
    offset: int
    type: CType
    bits: int = 0
    bit_offset: int = 0


@dataclass(frozen=True, slots=True)
class Struct(CType):
    """A complete struct, or with `union` a union. `name` in C's spelling (`struct point`, or a typedef's name), empty when the
    type has none."""

    name: str
    fields: tuple[Field, ...]
    size: int
    union: bool = False

    def __str__(self) -> str:
        return self.name or ("union {…}" if self.union else "struct {…}")


@dataclass(frozen=True, slots=True)
class FunctionPointer(CType):
    result: CType
    parameters: tuple[CType, ...]
    variadic: bool = False


@dataclass(frozen=True, slots=True)
class CFunctionType(CType):
    """A function type, met only behind a pointer to a function pointer or a typedef; a plain pointer to it is a
    `FunctionPointer`."""

    result: CType
    parameters: tuple[CType, ...]
    variadic: bool = False


@dataclass(frozen=True, slots=True)
class Opaque(CType):
    """A type of unknown content: an incomplete struct, one that is only mentioned behind a struct's field, or something this
    model has no word for."""

    name: str

    def __str__(self) -> str:
        return self.name


VOID = Void()
NATIVE_FLOATS = ("float", "double", "long double")


def declare(type_: CType, name: str = "") -> str:
    """C's declaration of `name` with `type_`; without a name C's spelling of the type (`double (*)[3]`)."""
    if isinstance(type_, Pointer):
        return _declare_pointer(type_, name)
    if isinstance(type_, FunctionPointer):
        return declare(type_.result, f"(*{name})({_parameter_list(type_)})")
    if isinstance(type_, CFunctionType):
        return declare(type_.result, f"{name}({_parameter_list(type_)})")
    if isinstance(type_, Array):
        return declare(type_.element, f"{name}[{'' if type_.count is None else type_.count}]")
    return _spaced(str(type_), name)


def _declare_pointer(type_: Pointer, name: str) -> str:
    star = _spaced("*restrict" if type_.restrict else "*", name, tight=not type_.restrict)
    qualifiers = " ".join(word for word in ("const", "volatile") if getattr(type_, word))
    if isinstance(type_.to, (Pointer, FunctionPointer)) and qualifiers:  # `double *const *p`
        return declare(type_.to, f"{qualifiers} {star}")
    if isinstance(type_.to, (Array, CFunctionType)):
        star = f"({star})"
    inner = declare(type_.to, star)
    return f"{qualifiers} {inner}" if qualifiers else inner


def _parameter_list(type_: FunctionPointer | CFunctionType) -> str:
    parts = [declare(parameter) for parameter in type_.parameters] + (["..."] if type_.variadic else [])
    return ", ".join(parts) or "void"


def _spaced(left: str, right: str, tight: bool = False) -> str:
    if not right or tight:
        return left + right
    return left + right if right.startswith("[") else f"{left} {right}"


def with_article(type_: CType) -> str:
    """`an int`, `a double *`, `an unsigned char`, `a uint8_t`."""
    text = str(type_)
    return f"{'an' if text.startswith(('a', 'e', 'i', 'o', 'unsigned')) else 'a'} {text}"


def innermost(type_: CType) -> CType:
    """The element of arrays of arrays; other types themselves."""
    while isinstance(type_, Array):
        type_ = type_.element
    return type_


def complex_part(type_: CType, offset: int, size: int) -> str:
    """The function of <complex.h> that gives the half of a complex number which lies there; "" where none does."""
    if not isinstance(type_, Scalar) or type_.kind != "complex" or 2 * size != type_.size or offset not in (0, size):
        return ""
    suffix = {4: "f", 8: "", 16: "l"}.get(size)
    return "" if suffix is None else f"{'cimag' if offset else 'creal'}{suffix}"


def size_of(type_: CType) -> int | None:
    """Bytes of one object, None where the size is unknown (void, incomplete, variable length)."""
    if isinstance(type_, (Pointer, FunctionPointer)):
        return POINTER_SIZE
    if isinstance(type_, (Scalar, Enum, Vector, Struct)):
        return type_.size
    if isinstance(type_, Array):
        element = size_of(type_.element)
        return None if element is None or type_.count is None else element * type_.count
    return None


def is_float(type_: CType) -> bool:
    """A real floating scalar."""
    return isinstance(type_, Scalar) and type_.kind == "float"


def holds_floats(type_: CType) -> bool:
    """Whether a value of this type holds floating numbers, and so can carry a derivative. Unions count."""
    if isinstance(type_, Struct):
        return any(holds_floats(field.type) for field in type_.fields)
    if isinstance(type_, (Array, Vector)):
        return holds_floats(type_.element)
    return isinstance(type_, Scalar) and type_.kind in ("float", "complex")


def is_plain(type_: CType) -> bool:
    """Whether the type is passed by value exactly as one native argument that Python's calling machinery knows: integers up
    to 64 bits, float, double, long double, bool, enumerations, pointers. Everything else goes through the uniform entry."""
    if isinstance(type_, Scalar):
        if type_.kind == "float":
            return type_.base in NATIVE_FLOATS
        return (
            type_.kind != "complex" and type_.size <= 8 and not type_.base.startswith(("_BitInt", "unsigned _BitInt"))
        )
    return isinstance(type_, (Enum, Pointer, FunctionPointer, Void))


@dataclass(frozen=True, slots=True)
class CParameter:
    """One C parameter. `name` is empty when the program gives none. `extents` are the sizes written in the declarator,
    outermost first, in C text (`double A[n][m]` -> ("n", "m"); `x[static n]` -> ("n",); `double (*A)[m]` -> ("", "m"), empty
    text where the size is not written); no extents when the declarator has none. Line and column (characters, from 1) of
    the name in the requested file, 0 when unknown."""

    name: str
    type: CType
    extents: tuple[str, ...] = ()
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        """As declared, with its extents: `const double x[n]`."""
        if not self.extents or not isinstance(self.type, Pointer):
            return declare(self.type, self.name)
        element: CType = self.type.to
        for _ in self.extents[1:]:
            element = element.element if isinstance(element, Array) else element
        if not self.extents[0]:
            brackets = "".join(f"[{extent}]" for extent in self.extents[1:])
            text = declare(element, f"(*{self.name}){brackets}")
        else:
            text = declare(element, self.name + "".join(f"[{extent}]" for extent in self.extents))
        return f"const {text}" if self.type.const and not isinstance(element, Pointer) else text


@dataclass(frozen=True, slots=True)
class Signature:
    """A function's C interface. `file` and `line` are where its name is defined; `static` functions are not visible outside
    their translation unit. `prototyped` is False for K&R definitions, whose float, char and short parameters are passed
    promoted."""

    name: str
    result: CType
    parameters: tuple[CParameter, ...]
    variadic: bool = False
    line: int = 0
    file: str = ""
    static: bool = False
    prototyped: bool = True

    def __str__(self) -> str:
        """One line for people: `dot(const double x[n], const double y[n], size_t n) -> double`."""
        parts = [str(parameter) for parameter in self.parameters] + (["..."] if self.variadic else [])
        return f"{self.name}({', '.join(parts)}) -> {self.result}"

    def parameter(self, name: str) -> CParameter | None:
        return next((parameter for parameter in self.parameters if parameter.name == name), None)
