"""What is done to LLVM IR as text, without LLVM: the host's triple and layout, attributes to drop, debug info to drop.

Invariant: a linear scan per function, no parsing beyond what LLVM's own printer guarantees about its layout (one global or
metadata node per line, `define … {` to `}` at the margin, quotes inside strings escaped as \\22). Does not check validity.
"""

from __future__ import annotations

import re

from enzyme_magic.errors import InternalError, Span

SYMBOL = r'@(?:"[^"]*"|[-\w$.]+)'
_ESCAPE = re.compile(rb"\\([0-9A-Fa-f]{2})")
TOKEN = re.compile(SYMBOL + r'|"[^"]*"')
_TRIPLE = re.compile(r'^target triple = "([^"]*)"$', re.M)
_LAYOUT = re.compile(r'^target datalayout = "([^"]*)"$', re.M)

_PINNED = (
    "target-cpu|target-features|tune-cpu|frame-pointer|min-legal-vector-width|stack-protector-buffer-size|probe-stack|"
    "stack-probe-size|prefer-vector-width"
)
_PINNED_ATTRIBUTE = re.compile(rf' "(?:{_PINNED})"(?:="[^"]*")?')
_GLOBAL_LINE = re.compile(rf"^(?:define|declare|{SYMBOL} =) .*$", re.M)
_PLACEMENT = re.compile(r"(?<= )(?:dso_local|dso_preemptable|hidden|protected) ")
_PLACED = (" dso_local ", " dso_preemptable ", " hidden ", " protected ", " comdat")  # one of them is in what changes
_COMDAT_LINE = re.compile(r'^\$(?:"[^"]*"|[-\w$.]+) = comdat .*\n', re.M)
_COMDAT_USE = re.compile(r'(?P<string>"[^"]*")|,? comdat(?:\(\$(?:"[^"]*"|[-\w$.]+)\))?(?=[ ,\n]|$)')

_THREAD_LOCAL = re.compile(rf"^({SYMBOL}) = (?:[a-z_]+ )*thread_local\b.*$", re.M)


def name_of(symbol: str) -> str:
    """The name inside a symbol token, as C and llvmlite spell it: `@f` and `@"f"` are both f, `@"\\C3\\A4"` is ä."""
    name = symbol[1:].strip('"')
    if "\\" not in name:
        return name
    data = _ESCAPE.sub(lambda found: bytes.fromhex(found[1].decode()), name.encode("utf-8", "surrogateescape"))
    return data.decode("utf-8", "surrogateescape")


def symbol_of(name: str) -> str:
    """The token of a name, as LLVM's printer spells it."""
    if re.fullmatch(r"[-a-zA-Z._][-a-zA-Z._0-9]*", name):
        return f"@{name}"
    data = name.encode("utf-8", "surrogateescape")
    return '@"' + "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\{b:02X}" for b in data) + '"'


def symbols(text: str) -> set[str]:
    """Names of all global values that `text` mentions (text inside strings does not count)."""
    return {name_of(token) for token in TOKEN.findall(text) if token[0] == "@"}


def for_host(text: str, triple: str, layout: str) -> str:
    """`text` with the host's triple, and its layout where it has none. Raises InternalError EM912 for another machine's IR."""
    found = _TRIPLE.search(text)
    if found and found.group(1).split("-")[0] not in ("", triple.split("-")[0]):
        raise InternalError(f"IR for {found.group(1)} on a {triple} host", code="EM912")
    header = f'target triple = "{triple}"'
    text = _TRIPLE.sub(lambda _: header, text, count=1) if found else f"{header}\n{text}"
    found = _LAYOUT.search(text)
    if found is None:
        return f'target datalayout = "{layout}"\n{text}'
    if found.group(1) != layout:
        raise InternalError(f"IR with data layout {found.group(1)} on a host with {layout}", code="EM912")
    return text


def without_target_attributes(text: str) -> str:
    """Drops attributes that pin a CPU or a frame layout, `dso_local` and visibility (the JIT places libraries far apart and
    exports by name), and comdats (a Program owns all its definitions, nothing is merged at load time)."""
    text = _PINNED_ATTRIBUTE.sub("", text)
    return without_placement(_COMDAT_LINE.sub("", text) if "comdat" in text else text)


def without_placement(text: str) -> str:
    """Drops `dso_local`, visibility and the use of comdats from every global."""
    if not any(word in text for word in _PLACED):
        return text
    return _GLOBAL_LINE.sub(lambda line: _placed_anywhere(line.group()), text)


def _placed_anywhere(line: str) -> str:
    head, quote, rest = line.partition('"')  # placement words stand before any string; a comdat may follow one
    line = _PLACEMENT.sub("", head) + quote + rest
    return _COMDAT_USE.sub(lambda found: found["string"] or "", line) if " comdat" in line else line


def first_thread_local(text: str) -> tuple[str, Span | None] | None:
    """Name and place of the first thread-local global, None when there is none."""
    if "thread_local" not in text:
        return None
    found = _THREAD_LOCAL.search(text)
    return (name_of(found.group(1)), _variable_span(text, found.group())) if found else None


def _variable_span(text: str, line: str) -> Span | None:
    """The place that a global's debug info names."""
    expression = re.search(r"!dbg !(\d+)", line)
    variable = expression and re.search(rf"^!{expression.group(1)} = .*\bvar: !(\d+)", text, re.M)
    place = variable and re.search(rf"^!{variable.group(1)} = .*\bfile: !(\d+), line: (\d+)", text, re.M)
    if not place:
        return None
    file = re.search(rf'^!{place.group(1)} = !DIFile\(filename: "([^"]*)"', text, re.M)
    return Span(file.group(1) if file else "", int(place.group(2)))
