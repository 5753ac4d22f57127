"""Names and sections that a program may not give its functions and variables, and directives that its assembly may not use.

Invariant: what passes `refuse` defines nothing that LLVM, the object format or the JIT keeps for itself; such definitions end the
process or mean something else than C says, so they never reach LLVM's optimizer. Nor does assembly in a function put what comes
behind it elsewhere: the function would run on into what lies there. A list says what is allowed. Pure text.
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
_IN_FUNCTION = re.compile(r'\basm (?:(?:sideeffect|alignstack|inteldialect|unwind) )*"(?P<code>[^"]*)"')
_STATEMENT_END = re.compile(r"\\0A|;")
_DIRECTIVE = re.compile(r"(?:[\w.$]+:\s*)*(?P<word>\.[a-z]\w*)\b", re.IGNORECASE)
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_WORDS = """
align balign p2align byte short word hword long int quad octa 2byte 4byte 8byte float single double ascii asciz string zero skip
space fill inst globl global local weak hidden type size set equ loc nops att_syntax intel_syntax if ifdef ifndef else endif
rept endr
"""
_DIRECTIVES = frozenset(f".{word}" for word in _WORDS.split())


def refuse(text: str) -> None:
    """Raises UnsupportedIRError EM123 for a name, a section or a directive that is not the program's to use."""
    for found in _IN_FUNCTION.finditer(text):
        _check_assembly(found["code"])
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


def _check_assembly(code: str) -> None:
    """Assembly in a function stays in the function's section, or comes back to it."""
    depth = 0
    for statement in _STATEMENT_END.split(_COMMENT.sub(" ", code.replace("\\09", " "))):
        found = _DIRECTIVE.match(statement.strip())
        word = found["word"].lower() if found is not None else ""
        depth += (word == ".pushsection") - (word == ".popsection")
        kept = not word or word in _DIRECTIVES or word.startswith(".cfi_") or word in (".pushsection", ".popsection")
        if not kept or depth < 0:
            raise _of_assembly(word)
    if depth:
        raise _of_assembly(".pushsection")


def _of_assembly(directive: str) -> UnsupportedIRError:
    return UnsupportedIRError(
        f"assembly in a function has the directive '{directive}', after which the function may go on somewhere else",
        code="EM123",
        hint="leave the section as it is, or come back to it: .pushsection and .popsection",
    )


def _of_linker(name: str) -> UnsupportedIRError:
    shown = name if len(name) < 80 else f"{name[:77]}…"
    return UnsupportedIRError(
        f"the program defines '{shown}', a name that LLVM or the linker keeps for itself",
        code="EM123",
        hint="give it another name (an asm label may have set this one)",
    )
