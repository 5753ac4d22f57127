"""What clang's undefined behaviour sanitizer found, said at the C line: its traps become failed checks with words, file and line.

Invariant: linear in the text; every `llvm.ubsantrap` is replaced, and nothing else is changed. The check itself is clang's, so it
is in the program before anything is optimized or differentiated, and primal and derivatives make it alike. A failed check leaves
the call as a failed assert does (runtime/exits.py knows it by the prefix of its words).

Which checks clang writes: frontend/clang/arguments.py. Accesses through pointers are none of them: bounds.py.
"""

from __future__ import annotations

import re

from enzyme_magic.backend.native import SANITIZER_PREFIX

# Numbers of clang's SanitizerHandler (clang/lib/CodeGen/SanitizerHandler.h), as far as clang is asked for them.
_WORDS = {
    0: "a signed sum that its type cannot hold",
    3: "a division by zero, or a quotient that its type cannot hold",
    5: "a floating number that the integer type cannot hold",
    8: "a call of a builtin with an argument that it does not take",
    12: "a signed product that its type cannot hold",
    13: "a signed negation that its type cannot hold",
    18: "an index outside of its array",
    20: "a shift by a negative number or by the width or more, or of bits out of the type",
    21: "a signed difference that its type cannot hold",
    22: "a null pointer that is used",
    24: "an array of variable length without elements",
}
_TRAP = re.compile(
    r"^(?P<indent> *)(?:tail |notail )?call void @llvm\.ubsantrap\(i8 (?:noundef )?(?P<kind>\d+)\)(?P<rest>.*)$", re.M
)
_DEBUG = re.compile(r"!dbg !(\d+)")
_NODE = re.compile(
    r"^!(\d+) = (?:distinct )?!(DILocation|DILexicalBlock|DILexicalBlockFile|DISubprogram|DIFile)\((.*)\)$", re.M
)
_FIELD = r'\b{}: (?:!(\d+)|(\d+)|"([^"]*)")'
_DECLARED = "declare void @__assert_fail("


def lower(text: str) -> str:
    """`text` with words in place of traps."""
    if "@llvm.ubsantrap(" not in text:
        return text
    nodes = {found[1]: (found[2], found[3]) for found in _NODE.finditer(text)}
    strings: dict[str, str] = {}

    def name_of(words: str) -> str:
        return strings.setdefault(words, f"@.em.sanitize.{len(strings)}")

    def said(found: re.Match[str]) -> str:
        words = _WORDS.get(int(found["kind"]), "undefined behaviour")
        at = _DEBUG.search(found["rest"])
        number = _written(nodes, at[1]) if at else ""
        line, file = _place(nodes, number)
        debug = f", !dbg !{number}" if number else ""
        arguments = f"ptr {name_of(SANITIZER_PREFIX + words)}, ptr {name_of(file)}, i32 {line}, ptr null"
        return f"{found['indent']}call void @__assert_fail({arguments}) noreturn nounwind{debug}"

    changed = _TRAP.sub(said, text)
    declared = (
        ""
        if _DECLARED in text or "define void @__assert_fail(" in text
        else f"{_DECLARED}ptr, ptr, i32, ptr) noreturn nounwind\n"
    )
    constants = "".join(_constant(name, words) for words, name in strings.items())
    return f"{changed}\n{constants}{declared}"


def _written(nodes: dict[str, tuple[str, str]], number: str) -> str:
    """The debug location in the user's text: clang puts traps into a function of its own, which says why, inlined there."""
    while _field(nodes, number, "line") in (None, "0") and (outer := _field(nodes, number, "inlinedAt")) is not None:
        number = outer
    return number


def _place(nodes: dict[str, tuple[str, str]], number: str) -> tuple[str, str]:
    """Line and file of a debug location."""
    line = _field(nodes, number, "line") or "0"
    scope = _field(nodes, number, "scope")
    while (
        scope is not None
        and nodes.get(scope, ("", ""))[0].startswith("DILexicalBlock")
        and not _field(nodes, scope, "file")
    ):
        scope = _field(nodes, scope, "scope")
    file = _field(nodes, scope, "file") if scope is not None else None
    return line, (_field(nodes, file, "filename") if file is not None else None) or ""


def _field(nodes: dict[str, tuple[str, str]], number: str, name: str) -> str | None:
    found = re.search(_FIELD.format(name), nodes.get(number, ("", ""))[1])
    return next((part for part in found.groups() if part is not None), None) if found else None


def _constant(name: str, words: str) -> str:
    data = words.encode() + b"\0"
    text = "".join(chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\{byte:02X}" for byte in data)
    return f'{name} = private unnamed_addr constant [{len(data)} x i8] c"{text}"\n'
