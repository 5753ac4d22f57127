"""Attributes of functions, parameters and call sites.

Invariant: an `AttributeSet` is an ordered tuple of distinct attributes, already resolved: groups (`#0`) are an
invention of the printer and do not exist in the model.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from enzyme_magic.backend.ir.types import Type


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute. Spellings:

    enum `nounwind` → Attribute("nounwind"); with text in parentheses `memory(none)` → Attribute("memory", "none");
    with a type `sret(%T)` → Attribute("sret", type=…); `align 8` → Attribute("align", "8");
    string `"key"="value"` → Attribute("key", "value", quoted=True), `"key"` → value None.
    """

    name: str
    value: str | None = None
    type: Type | None = None
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class AttributeSet:
    attributes: tuple[Attribute, ...] = ()

    def __iter__(self) -> Iterator[Attribute]:
        return iter(self.attributes)

    def __bool__(self) -> bool:
        return bool(self.attributes)

    def __contains__(self, name: str) -> bool:
        return any(a.name == name for a in self.attributes)

    def get(self, name: str) -> Attribute | None:
        return next((a for a in self.attributes if a.name == name), None)

    def without(self, names: Iterable[str]) -> AttributeSet:
        dropped = frozenset(names)
        return replace(self, attributes=tuple(a for a in self.attributes if a.name not in dropped))

    def with_(self, *added: Attribute) -> AttributeSet:
        kept = self.without(a.name for a in added).attributes
        return AttributeSet(kept + added)


EMPTY = AttributeSet()
