"""Removes debug info from a module's text.

Invariant: linear; keeps value names and every other kind of metadata (TBAA, loop hints, alias scopes), and leaves no
metadata node that nothing reaches. LLVM's own pass would also strip the names of values, which the views show.
"""

from __future__ import annotations

import re

_ATTACHMENT = re.compile(r",? !(?:dbg|DIAssignID|heapallocsite) !\d+")
_RECORD = re.compile(r"^ *#dbg_.*\n", re.M)
_COMPILE_UNITS = re.compile(r"^!llvm\.dbg\.cu = .*\n", re.M)
_NODE = re.compile(r"^!(\d+) = (.*)$")
_REFERENCE = re.compile(r'!(\d+)|"[^"]*"')
_LOCATION_WORDS = ("!DILocation(",)


def strip(text: str) -> str:
    """`text` without debug info."""
    if "!DICompileUnit" not in text and "!dbg" not in text:
        return text
    text = _RECORD.sub("", _COMPILE_UNITS.sub("", text))
    body, nodes = _split(_ATTACHMENT.sub("", text))
    locations = {number for number, node in nodes.items() if node.startswith(_LOCATION_WORDS)}
    nodes = {number: _without(node, locations) for number, node in nodes.items()}
    used = _reached(body, nodes)
    kept = [f"!{number} = {node}" for number, node in nodes.items() if number in used]
    text = "\n".join(body).rstrip("\n")
    return "\n".join([text, "", *kept, ""])


def _split(text: str) -> tuple[list[str], dict[str, str]]:
    body: list[str] = []
    nodes: dict[str, str] = {}
    for line in text.split("\n"):
        node = _NODE.match(line) if line.startswith("!") else None
        if node:
            nodes[node.group(1)] = node.group(2)
        else:
            body.append(line)
    return body, nodes


def _without(node: str, locations: set[str]) -> str:
    """A loop's metadata carries the loop's source range beside its hints, and so do hints for what it becomes: drop the range."""
    head, brace, rest = node.partition("!{")
    if not brace or head not in ("", "distinct ") or locations.isdisjoint(_REFERENCE.findall(rest)):
        return node
    entries = [entry.strip() for entry in rest[:-1].split(",")]
    return f"{head}!{{{', '.join(entry for entry in entries if entry[1:] not in locations)}}}"


def _reached(body: list[str], nodes: dict[str, str]) -> set[str]:
    pending = [number for line in body for number in _REFERENCE.findall(line) if number]
    used: set[str] = set()
    while pending:
        number = pending.pop()
        if number in nodes and number not in used:
            used.add(number)
            pending.extend(entry for entry in _REFERENCE.findall(nodes[number]) if entry)
    return used
