"""The uniform entry: a C function `void f.entry(void **args, void *result)` beside every `f` that no plain native call fits. Its
symbol is no C name, and its name in C is a reserved one, so that it is nobody's but ours.

Invariant: a function whose parameters and result are plain scalars and pointers has none. The entry is compiled by clang from C
text, so that no ABI question (structs in registers, byval, sret, complex, promoted K&R parameters) leaves the compiler.
`args[k]` points to the value of parameter k, `result` to memory for the result (ignored for void). Types are spelled as debug
info names them; where clang can compare the spelled type of `f` with the real one, it does, and an entry that
differs is not made. Variadic functions and types without a name get no entry.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from enzyme_magic.backend.frontend.c_types import (
    Array,
    CFunctionType,
    CType,
    Enum,
    FunctionPointer,
    Opaque,
    Pointer,
    Scalar,
    Signature,
    Struct,
    Vector,
    Void,
    declare,
    is_plain,
)

SUFFIX = ".entry"
NAME = "__em_entry_"  # and the function's own
LOCAL = "__em_argument_"  # how the entry's own variables begin
_FILE = re.compile(r"<entry of (?P<name>[^>]+)>")


def needs_entry(signature: Signature) -> bool:
    """Whether Python cannot call the function natively."""
    if signature.static or signature.variadic:
        return False
    if not is_plain(signature.result) or not all(is_plain(parameter.type) for parameter in signature.parameters):
        return True
    return not signature.prototyped and any(_is_promoted(parameter.type) for parameter in signature.parameters)


def _is_promoted(type_: CType) -> bool:
    return isinstance(type_, Scalar) and (type_.base == "float" or (type_.kind != "float" and type_.size < 4))


def can_have_entry(signature: Signature) -> bool:
    """Whether C has words for the types involved."""
    values = [parameter.type for parameter in signature.parameters]
    return all(_is_spellable(type_) for type_ in values if not isinstance(type_, (Pointer, FunctionPointer))) and (
        isinstance(signature.result, (Void, Pointer, FunctionPointer)) or _is_complete(signature.result)
    )


def _is_complete(type_: CType) -> bool:
    return not isinstance(type_, (Opaque, CFunctionType, Array))


def _is_spellable(type_: CType) -> bool:
    if isinstance(type_, (Struct, Enum)):
        return bool(type_.name)
    if isinstance(type_, (Pointer, FunctionPointer, CFunctionType)):
        return all(_is_spellable(part) for part in _parts(type_))
    return isinstance(type_, (Scalar, Vector, Void))


def _parts(type_: Pointer | FunctionPointer | CFunctionType) -> tuple[CType, ...]:
    return (type_.to,) if isinstance(type_, Pointer) else (type_.result, *type_.parameters)


def text(signatures: Iterable[Signature]) -> str:
    """C text of the entries, to be put behind the source."""
    return "".join(_entry(signature) for signature in signatures)


def _entry(signature: Signature) -> str:
    name = signature.name
    lines = [f'#line 1 "<entry of {name}>"', '#pragma clang diagnostic ignored "-Weverything"']
    # The text's own macros end here: a macro may have the name of a type or of the function.
    lines += [f"#undef {word}" for word in sorted(_words(signature))]
    lines += _comparison(signature)
    lines.append(f'void {NAME}{name}(void **args, void *result) __asm__("{name}{SUFFIX}");')
    lines.append(f"void {NAME}{name}(void **args, void *result) {{")
    lines.append("  (void)args; (void)result;")
    # Typed variables, not casts: debug info then says what lies behind each pointer.
    lines += [f"  {_argument_pointer(p.type, f'{LOCAL}{k}')} = args[{k}];" for k, p in enumerate(signature.parameters)]
    call = f"{name}({', '.join(f'*{LOCAL}{k}' for k in range(len(signature.parameters)))})"
    if isinstance(signature.result, Void):
        lines.append(f"  {call};")
    else:
        lines.append(f"  {_result_pointer(signature.result, call)} = result;")
        lines.append(f"  *{LOCAL}result = {call};")
    return "\n".join([*lines, "}", ""])


def _argument_pointer(type_: CType, variable: str) -> str:
    """The declaration of a variable that points to an argument's value."""
    if isinstance(type_, (Pointer, FunctionPointer)):
        return f"void **{variable}"  # C converts the pointer to whatever the function takes
    return declare(type_, f"*{variable}")


def _result_pointer(type_: CType, call: str) -> str:
    variable = f"{LOCAL}result"
    if isinstance(type_, (Pointer, FunctionPointer)):
        return f"const void **{variable}" if isinstance(type_, Pointer) else f"void **{variable}"
    return declare(type_, f"*{variable}") if _is_spellable(type_) else f"__typeof__({call}) *{variable}"


def _comparison(signature: Signature) -> Iterator[str]:
    """Let clang say whether debug info's spelling is the function's real type."""
    types = [signature.result, *(parameter.type for parameter in signature.parameters)]
    if not signature.prototyped or any(isinstance(type_, (Pointer, FunctionPointer)) for type_ in types):
        return
    if all(map(_is_spellable, types)):
        parameters = ", ".join(declare(type_) for type_ in types[1:]) or "void"
        spelled = declare(signature.result, f"({parameters})")
        yield f'_Static_assert(__builtin_types_compatible_p(__typeof__({signature.name}), {spelled}), "another type");'


def _words(signature: Signature) -> set[str]:
    """Every identifier the entry mentions but C's own words."""
    types = [signature.result, *(parameter.type for parameter in signature.parameters)]
    spelled = " ".join(str(type_) for type_ in types if not isinstance(type_, (Pointer, FunctionPointer)))
    own = {"struct", "union", "enum", "__attribute__", "vector_size", "const", "restrict", "volatile"}
    keywords = {"double", "float", "long", "int", "unsigned", "signed", "short", "char", "void"}
    return (set(re.findall(r"[^\W\d]\w*", spelled)) - own - keywords) | {signature.name, "args", "result"}


def blamed(file: str) -> str | None:
    """The function whose entry a message's file name speaks of."""
    match = _FILE.fullmatch(file)
    return match["name"] if match else None
