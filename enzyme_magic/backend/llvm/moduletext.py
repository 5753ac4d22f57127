"""A printed module as a list of items, and definitions turned into declarations, as text.

Invariant: the input is LLVM's own print of a verified module (`binding.canonical`): one global per line, a function from
`define` to `}` at the margin. Items joined again are the same module. Knows where symbols stand, not what instructions mean.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Literal

from enzyme_magic.backend.llvm import irtext

_LINKAGES = (
    "private|internal|available_externally|linkonce_odr|linkonce|weak_odr|weak|common|appending|extern_weak|external"
)
_LINKAGE = re.compile(rf"(?:(?:{_LINKAGES}) )+")
_VARIABLE = re.compile(rf"^(?P<name>{irtext.SYMBOL}) = (?P<words>[^\"]*?)\b(?P<kind>global|constant) ")
_ALIAS = re.compile(rf"^({irtext.SYMBOL}) = [^\"]*?\b(?:alias|ifunc) ")
_TARGET = re.compile(
    rf"^({irtext.SYMBOL}) = [^\"\n]*?\balias .*?, (?:ptr ({irtext.SYMBOL})|((?:getelementptr|inttoptr|addrspacecast)\b.*?))"
    r'(?:, partition "[^"]*")?$',
    re.M,
)
_FUNCTION_NAME = re.compile(rf'({irtext.SYMBOL})\(|"[^"]*"')
_TYPE_WORD = re.compile(r'%"[^"]*"|[%\w.$-]+(?: addrspace\(\d+\))?')
_GROUPS = re.compile(r"#\d+")
_ALIGN = re.compile(r", align (\d+)(?=,|$)")
_BRACKETS = {"(": 1, "[": 1, "{": 1, "<": 1, ")": -1, "]": -1, "}": -1, ">": -1}


@dataclass(frozen=True, slots=True)
class Item:
    """A piece of a module. kind: function, declaration, variable, external (a declared variable), alias, other."""

    kind: Literal["function", "declaration", "variable", "external", "alias", "other"]
    name: str
    text: str

    @property
    def defines(self) -> bool:
        return self.kind in ("function", "variable", "alias")


def split(text: str) -> list[Item]:
    """The items of a printed module, in order; comments at the margin are dropped."""
    items: list[Item] = []
    lines = iter(text.split("\n"))
    for line in lines:
        if line.startswith("define "):
            items.append(Item("function", _function_name(line), "\n".join([line, *_until_brace(lines)])))
        elif line and not line.startswith(";"):
            items.append(_line_item(line))
    return items


def join(items: Iterable[Item]) -> str:
    """The text of a module made of `items`."""
    return "\n".join(item.text for item in items) + "\n"


def declaration(item: Item, *, attribute: str = "") -> Item:
    """What refers to `item` from another module: its declaration, with `attribute` added to a function's."""
    if item.kind == "function":
        return Item("declaration", item.name, _declare_function(item.text.split("\n", 1)[0], attribute))
    return Item("external", item.name, _declare_variable(item.text))


def around_parameters(line: str, names: Collection[str]) -> tuple[str, str, str] | None:
    """A function's header or a direct call in three: up to the function's name, its parameters in brackets, the rest.

    None when no function of `names` is declared, defined or called by this line."""
    for found in _FUNCTION_NAME.finditer(line):
        if found.group(1) and irtext.name_of(found.group(1)) in names:
            end = _balanced_end(line, found.end() - 1)
            return line[: found.end() - 1], line[found.end() - 1 : end], line[end:]
    return None


def without_strings(text: str) -> str:
    """`text` with the inside of every string blanked, same length: for searching words."""
    return re.sub(r'"[^"]*"', lambda found: '"' + " " * (len(found.group()) - 2) + '"', text)


def is_writable(item: Item) -> bool:
    """Whether the program may write the variable that `item` defines."""
    return item.kind == "variable" and " constant " not in item.text.split("[", 1)[0]


def rename(text: str, names: dict[str, str]) -> str:
    """`text` with global values renamed; strings stay."""
    if not names:
        return text

    def renamed(found: re.Match[str]) -> str:
        token = found.group()
        new = names.get(irtext.name_of(token)) if token[0] == "@" else None
        return irtext.symbol_of(new) if new is not None else token

    return irtext.TOKEN.sub(renamed, text)


def with_targets(text: str) -> str:
    """`text` with what an alias names wherever it is used; the aliases themselves stay, for they may be called from outside. One of
    a place within a variable goes: nothing calls it, and the JIT cannot load it.

    So whoever reads or borrows the text meets one function, one piece of memory, under one name. A weak alias too: the text is
    the whole program. An `ifunc` stays what it is."""
    targets = {irtext.name_of(name): symbol or rest for name, symbol, rest in _TARGET.findall(text)}
    if not targets:
        return text
    for name, target in targets.items():  # an alias of an alias; LLVM refuses circles
        while target[0] == "@" and irtext.name_of(target) in targets:
            target = targets[name] = targets[irtext.name_of(target)]

    def meant(found: re.Match[str]) -> str:
        token = found.group()
        return targets.get(irtext.name_of(token), token) if token[0] == "@" else token

    inside = {name for name, target in targets.items() if target[0] != "@"}
    lines: list[str] = []
    for line in text.split("\n"):
        alias = _ALIAS.match(line)
        if alias is None:
            lines.append(irtext.TOKEN.sub(meant, line))
        elif irtext.name_of(alias[1]) not in inside:
            lines.append(line)
    return "\n".join(lines)


def _until_brace(lines: Iterable[str]) -> list[str]:
    body = []
    for line in lines:
        body.append(line)
        if line == "}":
            break
    return body


def _line_item(line: str) -> Item:
    if line.startswith("declare "):
        return Item("declaration", _function_name(line), line)
    if not line.startswith("@"):
        return Item("other", "", line)
    variable, alias = _VARIABLE.match(line), _ALIAS.match(line)
    if alias and not (variable and variable.end() < alias.end()):
        return Item("alias", irtext.name_of(alias.group(1)), line)
    if variable is None:
        return Item("other", "", line)
    declared = re.search(r"\b(?:external|extern_weak) ", variable["words"])
    return Item("external" if declared else "variable", irtext.name_of(variable["name"]), line)


def _function_name(line: str) -> str:
    for found in _FUNCTION_NAME.finditer(line):
        if found.group(1):
            return irtext.name_of(found.group(1))
    raise AssertionError(f"no function name in {line!r}")


def _declare_function(line: str, attribute: str) -> str:
    name = next(found for found in _FUNCTION_NAME.finditer(line) if found.group(1))
    end = _balanced_end(line, name.end() - 1)
    head = _LINKAGE.sub("", line[len("define ") : name.start()], count=1)
    tail = " ".join(part for part in (attribute, *_GROUPS.findall(without_strings(line[end:]))) if part)
    return f"declare {head}{line[name.start() : end]} {tail}".rstrip()


def _declare_variable(line: str) -> str:
    found = _VARIABLE.match(line)
    assert found is not None, line
    words = _LINKAGE.sub("", found["words"], count=1)
    align = _ALIGN.search(without_strings(line))
    suffix = f", align {align.group(1)}" if align else ""
    return (
        f"{found['name']} = external {words}{found['kind']} {line[found.end() : type_end(line, found.end())]}{suffix}"
    )


def type_end(line: str, start: int) -> int:
    """The position behind the type that begins at `start`."""
    if line[start] in "[{<":
        return _balanced_end(line, start)
    found = _TYPE_WORD.match(line, start)
    assert found is not None, line
    return _balanced_end(line, found.end()) if line[found.end() : found.end() + 1] == "(" else found.end()


def _balanced_end(line: str, start: int) -> int:
    """The position after the bracket that closes the one at `start`; strings do not count."""
    depth = 0
    blank = without_strings(line)
    for position in range(start, len(line)):
        depth += _BRACKETS.get(blank[position], 0)
        if depth == 0:
            return position + 1
    return len(line)
