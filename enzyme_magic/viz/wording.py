"""Characters and columns: cleaning, clipping, padding, and the ASCII spelling of what we write.

Invariant: `clean` leaves only what XML may hold on one line; `spell` returns only what the encoding can express.
"""

from __future__ import annotations

import re
import struct
import unicodedata
from collections.abc import Iterable

from enzyme_magic.viz.theme import MARKS

_SPACE = re.compile(r"[ \t\n\r\f\v]+")  # and no space that keeps words together
_JOINTS = re.compile(r"(?<!\de)[-*/+(,\[](?=[\w(&*])")  # not in 1e-9, p->x, k++

ASCII = str.maketrans(
    {mark.sign: mark.ascii for mark in MARKS.values()}
    | {
        "·": "*",
        "→": "->",
        "…": "...",
        "≤": "<=",
        "≥": ">=",
        "≠": "!=",
        "×": "x",
        "✓": "ok:",
        "—": "-",
        "–": "-",
        "−": "-",
        "│": "|",
        "█": "=",
        "░": ".",
        "µ": "u",
        "\N{NO-BREAK SPACE}": " ",
    }
)


def clean(text: str) -> str:
    """`text` on one line: tabs to spaces, what XML forbids to U+FFFD."""
    if text.isprintable():
        return text
    return "".join(_allowed(character) for character in text.expandtabs(4))


def _allowed(character: str) -> str:
    if character in "\n\r\v\f\x85\u2028\u2029":
        return " "
    code = ord(character)
    forbidden = code < 0x20 or 0x7F <= code < 0xA0 or 0xD800 <= code <= 0xDFFF or code & 0xFFFE == 0xFFFE
    return "\N{REPLACEMENT CHARACTER}" if forbidden else character


def clip(text: str, columns: int) -> str:
    """At most `columns` characters, cut with "…"."""
    return text if len(text) <= columns else text[: max(columns - 1, 0)].rstrip() + "…"


def wrap(text: str, columns: int, lines: int = 4) -> list[str]:
    """`text` in lines of at most `columns` characters; at most `lines` of them."""
    if columns <= 0:
        return [text] if text else []
    found = [""]
    for word in _SPACE.split(text.strip(" \t\n\r\f\v")):
        if found[-1] and len(found[-1]) + 1 + len(word) <= columns:
            found[-1] += f" {word}"
            continue
        found += [word] if found[-1] else []
        found[-1] = found[-1] or word
        while len(found[-1]) > columns:
            cut = _joint(found[-1], columns)
            found[-1:] = [found[-1][:cut], found[-1][cut:]]
    found = found if found != [""] else []
    if len(found) > lines:
        found = [*found[: lines - 1], clip(" ".join(found[lines - 1 :]), columns)]
    return found


def _joint(word: str, columns: int) -> int:
    """Where a formula is broken that has no space there: behind one of its operators, and in a name only where it has none."""
    cuts = (found.end() for found in _JOINTS.finditer(word, columns // 3, columns + 1))
    return max((cut for cut in cuts if cut <= columns), default=columns)


def wrap_code(text: str, columns: int, lines: int = 2) -> list[str]:
    """Code in at most `lines` lines, broken at spaces, continuations indented by four more; the rest is cut with "…"."""
    text = clean(text)
    if len(text) <= columns:
        return [text]
    indent = " " * (4 + min(len(text) - len(text.lstrip()), columns // 3))
    parts: list[str] = []
    while len(text) > columns and len(parts) < lines - 1:
        cut = _cut(text, columns, (lines - 1 - len(parts)) * (columns - len(indent)))
        parts.append(text[:cut].rstrip())
        text = indent + text[cut:].lstrip()
    return [*parts, clip(text, columns)]


def _cut(text: str, columns: int, room: int) -> int:
    """Where to break: behind a bracket's comma, a comma, a space, in this order, but not in the first third. room: of the lines
    that follow; behind an operator only what fits there."""
    for ending in ("], ", ", ", " "):
        cut = text.rfind(ending, columns // 3, columns + 1)
        if cut >= 0:
            return cut + len(ending)
    cut = _joint(text, columns)
    return cut if len(text) - cut <= room else columns


def legend(marks: tuple[str, ...]) -> str:
    """ "● active  ○ inactive"."""
    return "   ".join(f"{MARKS[mark].sign} {MARKS[mark].word}" for mark in marks)


def width(text: str) -> int:
    """Columns of a terminal `text` takes: wide East Asian characters two, combining marks none."""
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def pad(text: str, columns: int) -> str:
    return text + " " * max(columns - width(text), 0)


def spell(text: str, encoding: str | None = "utf-8") -> str:
    """`text` as a stream of that encoding can show it: unchanged in UTF-8, else our signs in ASCII and escapes."""
    try:
        text.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        plain = text.translate(ASCII)
        try:
            return plain.encode(encoding or "ascii", "backslashreplace").decode(encoding or "ascii")
        except LookupError:
            return plain.encode("ascii", "backslashreplace").decode("ascii")
    return text


_CONSTANT = re.compile(r"(?<![\w.%@$-])(-?\d\.\d{6}e[+-]\d+|0x[0-9A-F]{16})(?![\w.])")


def short_constants(text: str) -> str:
    """LLVM's floating constants as people write them: "3.000000e+00" is 3.0, "0x3FB999999999999A" is 0.1."""
    return _CONSTANT.sub(lambda found: _short_constant(found[1]), text)


def _short_constant(text: str) -> str:
    if text.startswith("0x"):
        (value,) = struct.unpack(">d", bytes.fromhex(text[2:]))
        return repr(value)
    return repr(float(text))


_KINDS = {
    "additions, subtractions": "fadd fsub",
    "multiplications": "fmul",
    "divisions": "fdiv frem",
    "changes of sign": "fneg",
    "whole-number arithmetic": "add sub mul sdiv udiv srem urem shl lshr ashr and or xor",
    "reads of memory": "load",
    "writes to memory": "store",
    "addresses": "getelementptr",
    "local variables": "alloca",
    "comparisons": "icmp fcmp",
    "choices (c ? a : b)": "select",
    "jumps": "br switch indirectbr",
    "values chosen by the way taken": "phi",
    "calls, and x*y + z at once": "call invoke",
    "conversions": "zext sext trunc fpext fptrunc sitofp uitofp fptosi fptoui ptrtoint inttoptr bitcast addrspacecast",
    "moves within vectors": "insertelement extractelement shufflevector",
    "members of structs": "insertvalue extractvalue",
    "returns": "ret",
}
_KIND_OF = {opcode: kind for kind, opcodes in _KINDS.items() for opcode in opcodes.split()}


def in_words(opcodes: Iterable[tuple[str, int]]) -> dict[str, int]:
    """How many instructions of each kind, in C's words; {"multiplications": 3, …}."""
    found: dict[str, int] = {}
    for opcode, count in opcodes:
        kind = _KIND_OF.get(opcode, "other instructions")
        found[kind] = found.get(kind, 0) + count
    return found


def plural(count: int, word: str) -> str:
    """ "1 instruction", "2 instructions"."""
    return f"{count:,} {word}" + ("" if count == 1 else "s")
