"""A byte behind every variable, so that the address of one's end is never another's.

    static double a[4], b[4], *p = a + 4;          p leads to the end of `a`, and not into `b`

Where derivatives look for the variable that a pointer leads to (autodiff/memory/static_targets.py), there is one answer.

Invariant: after `add`, every variable that the module defines has one byte behind its value; its address, its alignment and its
value are as before. Variables in sections that the program names stay as they are, because programs read such sections as one
array. Pure text, after optimization: for the optimizer a variable has the type that the program gave it.
"""

from __future__ import annotations

import re

from enzyme_magic.backend.llvm import irtext, moduletext

_DEFINED = re.compile(
    rf"^{irtext.SYMBOL} = (?:(?:private|internal|weak|weak_odr|linkonce|linkonce_odr|dso_local|hidden|protected|"
    r"local_unnamed_addr|unnamed_addr) )*"
    r"(?:global|constant) (?!.*(?:, section \"|, partition \"| #\d+$))"  # attributes may name a section, too
)
_BEHIND = re.compile(
    r'(?:, (?:align \d+|![-\w$.]+ !\d+|comdat(?:\(\$(?:"[^"]*"|[-\w$.]+)\))?|(?:no_)?sanitize_\w+|code_model "\w+"))*$'
)


def add(text: str) -> str:
    """`text` with a byte behind each variable that it defines."""
    return "\n".join(_spaced(line) if line.startswith("@") else line for line in text.split("\n"))


def _spaced(line: str) -> str:
    found = _DEFINED.match(line)
    if found is None or irtext.name_of(line.split(" ", 1)[0]).startswith("llvm."):
        return line
    value = moduletext.type_end(line, found.end())
    type_ = line[found.end() : value]
    behind = _BEHIND.search(line)
    assert behind is not None, line
    return f"{line[: found.end()]}{{ {type_}, i8 }} {{ {line[found.end() : behind.start()]}, i8 0 }}{behind.group()}"
