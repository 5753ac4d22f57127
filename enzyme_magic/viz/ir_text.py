"""LLVM's text of one instruction as it stands in a picture: without what the arrows, the flags and the types around it say.

    %5 = call reassoc double @llvm.sin.f64(double %x)      %5 = call sin(%x)
    %i = phi i64 [ 0, %entry ], [ %next, %loop ]           %i = phi [0], [%next]
    %p = getelementptr inbounds nuw double, ptr %a, i64 %i %p = gep double, %a, %i
    br i1 %c, label %loop, label %exit                     br %c

Invariant: opcode, result, operands and their order stay; a line of another form comes back as it is. The tooltip of a row, the text
of `f.ir(...)` and the exported .ll have all of it.
"""

from __future__ import annotations

import re
from functools import lru_cache

from enzyme_magic.viz.wording import short_constants

_FLAGS = re.compile(
    r"(?<= )(?:nuw|nsw|exact|inbounds|nusw|disjoint|nneg|samesign|reassoc|nnan|ninf|nsz|arcp|contract|afn|fast|fastcc|volatile) "
)
_HEAD = re.compile(r"^((?:%\S+|%\"[^\"]*\") = )?((?:tail |musttail |notail )?\w+)(.*)$")
_TYPE = r"(?:i\d+|half|bfloat|float|double|x86_fp80|fp128|ptr|<[^>]*>|\{[^}]*\}|\[[^\]]*\]|%[\w.]+)"
_ATTRIBUTES = r"(?: (?:noundef|nonnull|noalias|captures\(\w+\)|align \d+))*"
_VALUE = r"(?=[%@\d(-]|true|false|null|undef|poison|zero)"
_OPERAND_TYPE = re.compile(rf"(?<![\w.%@-]){_TYPE}{_ATTRIBUTES} {_VALUE}")
_CALL = re.compile(rf"^ ?(?:{_TYPE}|void) @?(?:llvm\.)?([\w.$-]+)\((.*)\)[^)]*$")
_SUFFIX = re.compile(r"\.(?:[fi]\d+|p0|v\d+\w+)(?=\.|$)")
_ARM = re.compile(r"\[ (.+?), %(?:[\w.$-]+|\"[^\"]*\") \]")
_ALIGN = re.compile(r", align \d+$")


@lru_cache(maxsize=8192)
def short(line: str) -> str:
    """The short form of an instruction's text."""
    text = _FLAGS.sub("", short_constants(line.strip()))
    found = _HEAD.match(text)
    if found is None:
        return text
    result, opcode, rest = found[1] or "", found[2].rpartition(" ")[2], found[3]
    match opcode:
        case "br" | "switch":
            value = re.match(rf" {_TYPE} (\S+), ", rest)
            return f"{opcode} {value[1]}" if value and "label" not in value[0] else opcode if "label" in rest else text
        case "phi":
            arms = _ARM.findall(rest)
            return f"{result}phi {', '.join(f'[{arm}]' for arm in arms)}" if arms else text
        case "call":
            called = _CALL.match(rest)
            return f"{result}call {_SUFFIX.sub('', called[1])}({_bare(called[2])})" if called else text
        case "select":
            return f"{result}select{_bare(rest)}"
        case "getelementptr" | "gep":
            type_, comma, operands = rest.strip().partition(", ")
            return f"{result}gep {type_}, {_bare(operands)}" if comma else text
    return _ALIGN.sub("", f"{result}{opcode}{rest}")


def _bare(operands: str) -> str:
    """Operands without their types."""
    return _OPERAND_TYPE.sub("", operands)
