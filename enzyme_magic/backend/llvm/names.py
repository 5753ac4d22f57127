"""Names and sections that a program may not give its functions and variables.

Invariant: what passes `refuse` defines nothing that LLVM, the object format or the JIT keeps for itself; such definitions end the
process or mean something else than C says, so they never reach LLVM's optimizer. A list says what is allowed. Pure text.
"""

from __future__ import annotations

import re

from enzyme_magic.backend.llvm import irtext
from enzyme_magic.errors import UnsupportedIRError

_DEFINITION = re.compile(
    rf"^(?:define (?P<words>[^@\n]*)(?P<function>{irtext.SYMBOL})|(?P<variable>{irtext.SYMBOL}) = (?P<kind>[^\n]*?)"
    r"\b(?P<what>global|constant|alias|ifunc)\b)[^\n]*$",
    re.MULTILINE,
)
_ORDINARY = re.compile(r"[A-Za-z_$\x80-\U0010ffff-][\w.$@\x80-\U0010ffff-]*")
_RESERVED = frozenset({"_GLOBAL_OFFSET_TABLE_", "__dso_handle", "__lljit_run_atexits", "atexit"})
_LISTS_OF_LLVM = frozenset(
    {"llvm.used", "llvm.compiler.used", "llvm.global_ctors", "llvm.global_dtors", "llvm.global.annotations"}
)
_SECTION = re.compile(r'[ ,]section "(?P<name>[^"]*)"')
_OF_DATA = re.compile(r"[A-Za-z_]\w*|llvm\.metadata|\.(?:data|rodata|bss|init_array|fini_array)(?:\.[\w.]+)?")
_OF_CODE = re.compile(r"[A-Za-z_]\w*|\.text(?:\.[\w.]+)?")


def refuse(text: str) -> None:
    """Raises UnsupportedIRError EM123 for a name or a section that is not the program's to use."""
    for found in _DEFINITION.finditer(text):
        name = irtext.name_of(found["function"] or found["variable"])
        local = re.search(r"\b(?:private|internal)\b", found["words"] or found["kind"] or "")
        of_llvm = name in _LISTS_OF_LLVM and "appending" in (found["kind"] or "")
        if name in _RESERVED or (name.startswith("llvm.") and not of_llvm):
            raise _of_linker(name)
        if not local and not of_llvm and not _ORDINARY.fullmatch(name):
            raise _of_linker(name)
        if found["what"] == "ifunc":
            raise UnsupportedIRError(
                f"'{name}' is an ifunc: code that runs when the program is loaded would say what it is",
                code="EM123",
                hint=f"write '{name}' as a function that calls one of several",
            )
        section = _SECTION.search(found.group())
        allowed = _OF_CODE if found["function"] else _OF_DATA
        if section is not None and not of_llvm and not allowed.fullmatch(section["name"]):
            raise UnsupportedIRError(
                f"'{name}' is placed in the section {section['name']!r}, which means something to the loader",
                code="EM123",
                hint=f"leave the section of '{name}' out, or give it a name of letters and digits",
            )


def _of_linker(name: str) -> UnsupportedIRError:
    shown = name if len(name) < 80 else f"{name[:77]}…"
    return UnsupportedIRError(
        f"the program defines '{shown}', a name that LLVM or the linker keeps for itself",
        code="EM123",
        hint="give it another name (an asm label may have set this one)",
    )
