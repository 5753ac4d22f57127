"""Relations between the predicates of icmp: the opposite of each, and the same with its operands swapped."""

from __future__ import annotations

from types import MappingProxyType

_SIGNLESS = {"lt": ("ge", "gt"), "le": ("gt", "ge"), "gt": ("le", "lt"), "ge": ("lt", "le")}
_ORDERS = {
    sign + word: (sign + inverse, sign + swapped) for sign in "su" for word, (inverse, swapped) in _SIGNLESS.items()
}

INVERSE = MappingProxyType({"eq": "ne", "ne": "eq"} | {name: inverse for name, (inverse, _) in _ORDERS.items()})
SWAPPED = MappingProxyType({name: swapped for name, (_, swapped) in _ORDERS.items()})
