"""Keeps the bodies of functions that carry a rule away from the optimizer.

Invariant: after `separate`, the main module only declares the named functions, so no pass can inline them, fold their
results, drop their parameters or recognize them as something of the C library; the side module holds their bodies; and
linking the two gives the program back. Whatever static data or functions both sides mention exists once: it stays in the
main module (statics that hold addresses of a separated body's labels move with it) and is external on both sides.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection
from typing import Any

from enzyme_magic.backend.llvm import binding, irtext, moduletext
from enzyme_magic.backend.llvm.moduletext import Item
from enzyme_magic.errors import UnsupportedIRError

# Definitions that exist only as long as their own module uses them.
_LOCAL_WORD = re.compile(r"(?<= )(?:internal|private|linkonce_odr|linkonce|available_externally) ")


def separate(text: str, names: Collection[str]) -> tuple[str, str]:
    """(main, side): the bodies of the functions `names` are in the side module only.

    Names that `text` does not define are ignored. Separated functions become external under their own names; static
    variables that both sides use get names that no other module has.
    """
    with binding.parsed(binding.strip_attributes(text)) as module:
        name_everything(module)
        printed = str(module)
    items = moduletext.split(printed)
    away = {item.name for item in items if item.kind == "function" and item.name in names}
    if not away:
        return printed, binding.canonical("")
    away |= _label_tables(items, away)
    _refuse_aliases(items, away)
    shared = _shared(items, away)
    unique = _unique_names(items, shared, hashlib.sha256(printed.encode()).hexdigest()[:8])
    parts = [(item.name in away, _renamed(item, item.name in shared, unique)) for item in items]
    main = [moduletext.declaration(item, attribute="nobuiltin") if moved else item for moved, item in parts]
    side = [item if moved else _outside(item) for moved, item in parts if _concerns_side(item)]
    return binding.canonical(moduletext.join(main)), binding.canonical(moduletext.join(side))


def name_everything(module: Any) -> None:
    """Gives unnamed globals (`@0`) a name: numbers would shift when items move."""
    taken = 0
    for value in (*module.functions, *module.global_variables):
        if not value.name:
            value.name = f"unnamed.{taken}"
            taken += 1


def _label_tables(items: list[Item], away: set[str]) -> set[str]:
    """Variables that hold addresses of blocks of separated functions (computed goto)."""
    pattern = re.compile(rf"blockaddress\(({irtext.SYMBOL}),")
    return {
        item.name
        for item in items
        if item.kind == "variable" and any(irtext.name_of(found) in away for found in pattern.findall(item.text))
    }


def _refuse_aliases(items: list[Item], away: set[str]) -> None:
    """An alias cannot stand in another module than what it names."""
    mentioned = set().union(*(irtext.symbols(item.text) for item in items if item.name in away))
    for item in items:
        if item.kind == "alias" and (item.name in mentioned or away & irtext.symbols(item.text)):
            raise UnsupportedIRError(
                f"'{item.name}' is an alias beside a function that has a derivative rule",
                code="EM122",
                hint=f"write '{item.name}' as a function that calls what it names",
            )


def _shared(items: list[Item], away: set[str]) -> set[str]:
    """Names of definitions that must be made external: separated, or static and mentioned from the other side."""
    across = set(away)
    for item in items:
        if item.defines:
            across |= {name for name in irtext.symbols(item.text) if (name in away) != (item.name in away)}
    return {
        item.name for item in items if item.defines and item.name in across and _LOCAL_WORD.search(_head(item.text))
    }


def _unique_names(items: list[Item], shared: set[str], digest: str) -> dict[str, str]:
    return {item.name: f"{item.name}.{digest}" for item in items if item.kind == "variable" and item.name in shared}


def _renamed(item: Item, expose: bool, names: dict[str, str]) -> Item:
    head = _head(item.text)
    text = _LOCAL_WORD.sub("", head, count=1) + item.text[len(head) :] if expose else item.text
    return Item(item.kind, names.get(item.name, item.name), moduletext.rename(text, names))


def _head(text: str) -> str:
    """The words of a definition before its own name (function) or its type (variable)."""
    if not text.startswith("@"):
        return text[: text.find("@")]
    end = re.search(r"(?<= )(?:global|constant|alias|ifunc) ", text)
    return text[: end.start()] if end else ""


def _concerns_side(item: Item) -> bool:
    """Lists that LLVM keeps of a whole module (llvm.used, llvm.global_ctors) and aliases stay in the main module."""
    return item.kind != "alias" and not (item.kind == "variable" and item.name.startswith("llvm."))


def _outside(item: Item) -> Item:
    return moduletext.declaration(item) if item.kind in ("function", "variable") else item
