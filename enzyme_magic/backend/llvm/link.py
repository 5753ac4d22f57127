"""Joins modules, and lets one module use the definitions that another one owns.

Invariant: each static of a Program exists once. `externalize` gives the statics of a finished program names and linkage by
which other libraries can reach them; `borrow` turns the copy of a program inside a derivative module into references to that
one program. Constants and function bodies stay visible to the optimizer there, writable data does not. Loads nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any

from enzyme_magic.backend.llvm import binding, moduletext
from enzyme_magic.backend.llvm.moduletext import Item
from enzyme_magic.backend.llvm.opaque import name_everything
from enzyme_magic.errors import CompileError, ToolchainError

_DUPLICATE = re.compile(r"symbol '([^']*)'|'([^']*)': symbol multiply defined")
_LOCAL = ("internal", "private")
_DISCARDABLE = ("linkonce_any", "linkonce_odr", "available_externally")
_LOCAL_ALIAS = re.compile(r"(?<= )(?:internal|private) (?=.*\balias )")


def link(texts: Sequence[str]) -> str:
    """One module of several; what one declares and another defines becomes one. Raises CompileError EM131 for a name that
    two of them define, ToolchainError EM134 when they do not fit for another reason."""
    with binding.parsed_all(tuple(binding.strip_attributes(text) for text in texts)) as modules:
        whole = modules[0]
        for module in modules[1:]:
            try:
                whole.link_in(module)
            except RuntimeError as error:
                raise _link_error(str(error)) from error
        return binding.printed(whole)


def externalize(text: str, prefix: str) -> str:
    """Statics become external as `prefix` + name, so that other libraries can refer to them; external names stay.

    For a program after `optimize.pre_ad`: from then on nothing may assume that nobody else writes a static. Its result is
    both what the Program's own library is made of (by `post_ad`, which keeps what is external) and what derivatives are
    written against.
    """
    with binding.parsed(binding.strip_attributes(text)) as module:
        name_everything(module)
        for value in (*module.functions, *module.global_variables):
            if value.is_declaration or value.name.startswith("llvm."):
                continue
            if value.linkage.name in _LOCAL:
                value.linkage = "external"
                value.name = prefix + value.name
            elif value.linkage.name in _DISCARDABLE:
                value.linkage = "external"
        printed = binding.printed(module)
    text = _externalize_aliases(printed, prefix) if " alias " in printed else printed
    return printed if text is printed else binding.canonical(text)


def borrow(text: str, own: Collection[str]) -> str:
    """Of an externalized program's text with more functions in it: every definition outside `own` belongs to another
    library. Functions and constants can still be inlined and folded; no code or data is generated for them. Aliases of others
    go: nothing mentions one (`moduletext.with_targets`)."""
    with binding.parsed(_without_aliases(text, own)) as module:
        for value in (*module.functions, *module.global_variables):
            if _is_foreign(value, own):
                value.linkage = "available_externally"
        printed = binding.printed(module)
    return binding.canonical(moduletext.join(_borrowed(moduletext.split(printed), own)))


def _without_aliases(text: str, own: Collection[str]) -> str:
    if " alias " not in text:
        return text
    return moduletext.join(item for item in moduletext.split(text) if item.kind != "alias" or item.name in own)


def _is_foreign(value: Any, own: Collection[str]) -> bool:
    definition = not value.is_declaration and value.name not in own
    return definition and not value.name.startswith("llvm.")


def _borrowed(items: list[Item], own: Collection[str]) -> list[Item]:
    kept = []
    for item in items:
        if item.kind == "variable" and item.name.startswith("llvm."):
            continue  # constructors and lists of what is used run and count in the owner
        writable = item.name not in own and moduletext.is_writable(item)
        kept.append(moduletext.declaration(item) if writable else item)
    return kept


def _externalize_aliases(text: str, prefix: str) -> str:
    items = moduletext.split(text)
    local = {item.name: prefix + item.name for item in items if item.kind == "alias" and _LOCAL_ALIAS.search(item.text)}
    if not local:
        return text
    exposed = [
        Item(item.kind, item.name, _LOCAL_ALIAS.sub("", item.text, count=1)) if item.name in local else item
        for item in items
    ]
    return moduletext.rename(moduletext.join(exposed), local)


def _link_error(message: str) -> ToolchainError | CompileError:
    duplicate = _DUPLICATE.search(message)
    if duplicate and "multiply defined" in message:
        name = duplicate.group(1) or duplicate.group(2)
        return CompileError(f"'{name}' is defined twice", code="EM131", hint=f"make one '{name}' static, or rename it")
    return ToolchainError(f"the parts of the program do not fit together: {message.strip()}", code="EM134")
