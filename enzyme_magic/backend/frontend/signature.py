"""C signatures of the functions a module defines, from its debug info and the declarators' text.

Invariant: what is said about a type is what clang wrote (sizes, offsets, names); parameter types and the result come from the
subprogram's type, names from its retained variables, extents from the source. A function without debug info has no
signature. Debug info has no word for array parameters' extents, `register`, or default promotions: see `declarators` and
`Signature.prototyped`. C++ classes beyond plain structs are `Opaque`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from enzyme_magic.backend.frontend.c_types import (
    VOID,
    Array,
    CFunctionType,
    CParameter,
    CType,
    Enum,
    Field,
    FunctionPointer,
    Opaque,
    Pointer,
    Scalar,
    Signature,
    Struct,
    Vector,
)
from enzyme_magic.backend.frontend.declarators import Declarator, declarators
from enzyme_magic.backend.frontend.sources import Source, by_name
from enzyme_magic.backend.ir.metadata import MDNull, MDRecord, MDString, MDTuple, Metadata
from enzyme_magic.backend.ir.module import Module

_SCALAR_KINDS = {
    "DW_ATE_float": "float",
    "DW_ATE_signed": "int",
    "DW_ATE_unsigned": "uint",
    "DW_ATE_boolean": "bool",
    "DW_ATE_signed_char": "char",
    "DW_ATE_unsigned_char": "uint",
    "DW_ATE_complex_float": "complex",
    "DW_ATE_UTF": "uint",
}
_COMPLEX_NAMES = {32: "_Float16 _Complex", 64: "float _Complex", 128: "double _Complex", 256: "long double _Complex"}
_TRANSPARENT = ("DW_TAG_const_type", "DW_TAG_volatile_type", "DW_TAG_restrict_type", "DW_TAG_atomic_type")
_TAGS = {"DW_TAG_structure_type": "struct ", "DW_TAG_union_type": "union ", "DW_TAG_enumeration_type": "enum "}


def signatures(module: Module, sources: Sequence[Source]) -> dict[str, Signature]:
    """The signatures of the functions defined in `module`, by symbol. `sources` give the declarators' text."""
    reader = TypeReader()
    texts = by_name(sources)
    found = {}
    for function in module.definitions():
        subprogram = function.subprogram
        if subprogram is not None:
            found[function.name] = _signature(subprogram, function.name, reader, texts)
    return found


_DEBUG_NODE = re.compile(
    r"^!(\d+) = (?:distinct )?!(?:DI(?:Sub|Basic|Derived|Composite|Enumerator|LocalVariable|File)|\{)"
)
_DEFINITION = re.compile(r"^(define .*\)[^\n]*?) \{$")


def skeleton(text: str) -> str:
    """LLVM text reduced to what `signatures` reads: every definition with an empty body, and the debug info of types. Cheap
    to parse however large the functions are."""
    lines = []
    for line in text.split("\n"):
        if line.startswith("define "):
            lines.append(_emptied(line))
        elif (line.startswith("!") and _DEBUG_NODE.match(line)) or line.startswith(
            ("%", "attributes ", "target ", "$")
        ):
            lines.append(line)
    return _without_dangling("\n".join(lines))


def _emptied(line: str) -> str:
    """A definition's first line without the references the skeleton drops, and with the shortest possible body."""
    head = re.sub(r" personality [^!{]*", " ", line.rstrip().removesuffix("{").rstrip())
    return f"{head} {{\n  unreachable\n}}\n"


def _without_dangling(text: str) -> str:
    """References to nodes that were left out become null."""
    known = set(re.findall(r"^!(\d+) = ", text, re.MULTILINE))
    return re.sub(r"(?<![\w.\"])!(\d+)\b(?! = )", lambda match: match[0] if match[1] in known else "null", text)


def _signature(subprogram: MDRecord, symbol: str, reader: TypeReader, texts: Mapping[str, Source]) -> Signature:
    types = _types(subprogram)
    flags = _words(subprogram, "flags")
    prototyped = "DIFlagPrototyped" in flags or _string(subprogram, "linkageName") != ""
    variadic = len(types) > 1 and _is_null(types[-1])
    parameters = types[1:-1] if variadic else types[1:]
    name = _string(subprogram, "name") or symbol
    file, line = _file(subprogram), _number(subprogram, "line")
    variables = _variables(subprogram)
    names = [_string(variables[k], "name") if k in variables else "" for k in range(1, len(parameters) + 1)]
    read = [reader.read(type_) for type_ in parameters]
    written: Mapping[str, Declarator] = {}
    if file in texts and read:
        written = declarators(texts[file].text, name, line, names)
    return Signature(
        name=name,
        result=reader.read(types[0]) if types else VOID,
        parameters=tuple(
            _parameter(name_, type_, written.get(name_), variables.get(k))
            for k, (name_, type_) in enumerate(zip(names, read, strict=True), 1)
        ),
        variadic=variadic and prototyped,
        line=line,
        file=file,
        static="DISPFlagLocalToUnit" in _words(subprogram, "spFlags"),
        prototyped=prototyped,
    )


def _parameter(name: str, type_: CType, written: Declarator | None, variable: MDRecord | None) -> CParameter:
    if written is None:
        return CParameter(name, type_, (), _number(variable, "line") if variable else 0)
    extents = written.extents if isinstance(type_, Pointer) else ()
    return CParameter(name, type_, extents, written.line, written.column)


_DEEPEST = 64  # pointers to pointers, structs in structs


class TypeReader:
    """Debug info types as C types; one per module, so that each is read once."""

    def __init__(self) -> None:
        self._known: dict[
            tuple[int, bool], tuple[MDRecord, CType]
        ] = {}  # the node is kept so that its id stays its own
        self._inside = False  # below the fields of a struct
        self._depth = 0

    def read(self, node: Metadata | int | str | None) -> CType:
        """The type of a debug info node; nothing is void. What is below `_DEEPEST` others is named only: nobody passes it."""
        if _is_null(node):
            return VOID
        if not isinstance(node, MDRecord):
            return Opaque(str(node))
        key = id(node), self._inside
        if key not in self._known:
            if self._depth == _DEEPEST:
                return Opaque(_spelled(node) or "…")
            self._known[key] = node, Opaque(_spelled(node))  # what a struct finds that contains itself, as IR may say
            self._depth += 1
            self._known[key] = node, self._new(node)
            self._depth -= 1
        return self._known[key][1]

    def _new(self, node: MDRecord) -> CType:
        if node.name == "DIBasicType":
            return _scalar(node)
        if node.name == "DISubroutineType":
            return self._function(node)
        if node.name == "DICompositeType":
            return self._composite(node)
        if node.name == "DIDerivedType":
            return self._derived(node)
        return Opaque(_spelled(node))

    def _derived(self, node: MDRecord) -> CType:
        tag = node.fields.get("tag")
        base = node.fields.get("baseType")
        if tag == "DW_TAG_pointer_type":
            return self._pointer(base)
        if tag == "DW_TAG_typedef":
            return _renamed(self.read(base), _string(node, "name"))
        if tag in _TRANSPARENT:
            inner = self.read(base)
            if tag == "DW_TAG_restrict_type" and isinstance(inner, Pointer):
                return Pointer(inner.to, inner.const, True, inner.volatile)
            return inner
        return Opaque(_spelled(node))

    def _pointer(self, base: Metadata | int | str | None) -> CType:
        qualifiers = set()
        node = base
        while isinstance(node, MDRecord) and node.fields.get("tag") in ("DW_TAG_const_type", "DW_TAG_volatile_type"):
            qualifiers.add(node.fields["tag"])
            node = node.fields.get("baseType")
        to = self._mention(node) or self.read(node)
        if isinstance(to, CFunctionType) and not qualifiers:
            return FunctionPointer(to.result, to.parameters, to.variadic)
        qualifiers |= _array_qualifiers(node)
        return Pointer(to, "DW_TAG_const_type" in qualifiers, False, "DW_TAG_volatile_type" in qualifiers)

    def _mention(self, node: Metadata | int | str | None) -> CType | None:
        """A struct that a field points to is named only: C's types may be circular, ours are not."""
        name = ""
        while self._inside and isinstance(node, MDRecord):
            tag = node.fields.get("tag")
            if tag in ("DW_TAG_structure_type", "DW_TAG_union_type"):
                return Opaque(_spelled(node) or name or "struct {…}")
            if tag == "DW_TAG_typedef":
                name = name or _string(node, "name")
            elif tag not in _TRANSPARENT:
                break
            node = node.fields.get("baseType")
        return None

    def _function(self, node: MDRecord) -> CFunctionType:
        types = _operands(node.fields.get("types"))
        variadic = len(types) > 1 and _is_null(types[-1])
        parameters = types[1:-1] if variadic else types[1:]
        return CFunctionType(self.read(types[0]) if types else VOID, tuple(map(self.read, parameters)), variadic)

    def _composite(self, node: MDRecord) -> CType:
        tag = node.fields.get("tag")
        if tag == "DW_TAG_array_type":
            return self._array(node)
        if tag == "DW_TAG_enumeration_type":
            return self._enum(node)
        if tag in ("DW_TAG_structure_type", "DW_TAG_union_type") and "DIFlagFwdDecl" not in _words(node, "flags"):
            return self._struct(node)
        return Opaque(_spelled(node))

    def _array(self, node: MDRecord) -> CType:
        element = self.read(node.fields.get("baseType"))
        counts = [_count(subrange) for subrange in _operands(node.fields.get("elements"))]
        if "DIFlagVector" in _words(node, "flags"):
            return Vector(element, counts[0] or 0, _number(node, "size") // 8)
        for count in reversed(counts):
            element = Array(element, count)
        return element

    def _enum(self, node: MDRecord) -> CType:
        underlying = self.read(node.fields.get("baseType"))
        if not isinstance(underlying, (Scalar, Enum)):
            return Opaque(_spelled(node))
        base = underlying if isinstance(underlying, Scalar) else underlying.underlying
        members = [e for e in _operands(node.fields.get("elements")) if isinstance(e, MDRecord)]
        values = tuple((_string(member, "name"), _number(member, "value")) for member in members)
        return Enum(_spelled(node), base, values)

    def _struct(self, node: MDRecord) -> CType:
        around, self._inside = self._inside, True
        fields = tuple(
            self._field(member)
            for member in _operands(node.fields.get("elements"))
            if isinstance(member, MDRecord)
            and member.fields.get("tag") == "DW_TAG_member"
            and "DIFlagStaticMember" not in _words(member, "flags")
        )
        self._inside = around
        return Struct(_spelled(node), fields, _number(node, "size") // 8, node.fields.get("tag") == "DW_TAG_union_type")

    def _field(self, member: MDRecord) -> Field:
        offset = _number(member, "offset")
        type_ = self.read(member.fields.get("baseType"))
        bits = _number(member, "size") if "DIFlagBitField" in _words(member, "flags") else 0
        return Field(_string(member, "name"), offset // 8, type_, bits, offset % 8 if bits else 0)


def _scalar(node: MDRecord) -> CType:
    name, bits = _string(node, "name"), _number(node, "size")
    kind = _SCALAR_KINDS.get(str(node.fields.get("encoding", "")))
    if kind is None:
        return Opaque(name)
    if kind == "complex":
        name = _COMPLEX_NAMES.get(bits, name)
    return Scalar(name, kind, (bits + 7) // 8)


def _renamed(type_: CType, name: str) -> CType:
    """`type_` under a typedef's name. Pointers, arrays and functions are shown as what they are."""
    if isinstance(type_, Scalar):
        return Scalar(name, type_.kind, type_.size, type_.base)
    if isinstance(type_, Enum):
        return Enum(type_.name or name, type_.underlying, type_.values)
    if isinstance(type_, Struct):
        return Struct(type_.name or name, type_.fields, type_.size, type_.union)
    if isinstance(type_, Vector):
        return Vector(type_.element, type_.count, type_.size, type_.name or name)
    return type_


def _spelled(node: MDRecord) -> str:
    """C's name of a struct, union or enumeration; empty when it has none."""
    name = _string(node, "name")
    return _TAGS.get(str(node.fields.get("tag")), "") + name if name else ""


def _array_qualifiers(node: Metadata | int | str | None) -> set[Metadata | int | str]:
    """`const double (*A)[m]`: the qualifier stands on the array's element."""
    found: set[Metadata | int | str] = set()
    while isinstance(node, MDRecord) and node.fields.get("tag") in ("DW_TAG_array_type", *_TRANSPARENT):
        found.add(node.fields["tag"])
        if node.fields["tag"] != "DW_TAG_array_type" and "DW_TAG_array_type" not in found:
            return set()
        node = node.fields.get("baseType")
    return found if "DW_TAG_array_type" in found else set()


def _types(subprogram: MDRecord) -> list[Metadata | None]:
    type_ = subprogram.fields.get("type")
    return _operands(type_.fields.get("types")) if isinstance(type_, MDRecord) else []


def _variables(subprogram: MDRecord) -> dict[int, MDRecord]:
    """The parameters' variables by their number, from 1."""
    nodes = [node for node in _operands(subprogram.fields.get("retainedNodes")) if isinstance(node, MDRecord)]
    return {_number(node, "arg"): node for node in nodes if node.name == "DILocalVariable" and _number(node, "arg")}


def _operands(node: Metadata | int | str | None) -> list[Metadata | None]:
    return list(node.operands) if isinstance(node, MDTuple) else []


def _is_null(node: Metadata | int | str | None) -> bool:
    return node is None or isinstance(node, MDNull) or node == "null"


def _string(node: MDRecord, key: str) -> str:
    value = node.fields.get(key)
    return value.text if isinstance(value, MDString) else value if isinstance(value, str) else ""


def _number(node: MDRecord | None, key: str) -> int:
    value = node.fields.get(key) if node is not None else None
    return value if isinstance(value, int) else 0


def _words(node: MDRecord, key: str) -> frozenset[str]:
    value = node.fields.get(key)
    return frozenset(word.strip() for word in value.split("|")) if isinstance(value, str) else frozenset()


def _count(node: Metadata | None) -> int | None:
    value = node.fields.get("count") if isinstance(node, MDRecord) else None
    return value if isinstance(value, int) and value >= 0 else None


def _file(subprogram: MDRecord) -> str:
    file = subprogram.fields.get("file")
    return _string(file, "filename") if isinstance(file, MDRecord) else ""


def files(module: Module) -> Iterator[str]:
    """Names of the files functions of the module are defined in."""
    yield from {_file(f.subprogram) for f in module.definitions() if f.subprogram is not None}
