"""Whether two modules are the same: every field of every node, with identities matched one to one.

Nothing is left out by design: the comparison walks dataclass fields, so a field added to a node is compared from then on.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass

from enzyme_magic.backend.ir.attributes import AttributeSet
from enzyme_magic.backend.ir.metadata import DebugRecord, MDRecord, MDTuple
from enzyme_magic.backend.ir.module import Module
from enzyme_magic.backend.ir.types import Type
from enzyme_magic.backend.ir.values import Constant, Value


def difference(a: Module, b: Module) -> str | None:
    """Where `a` and `b` differ, as a path of field names; None when they are the same."""
    matched: dict[int, object] = {}
    taken: dict[int, object] = {}
    pending: list[tuple[str, object, object]] = [("module", a, b)]
    while pending:
        path, x, y = pending.pop()
        if type(x) is not type(y):
            return f"{path}: {x!r:.80} and {y!r:.80}"
        if isinstance(x, (Type, AttributeSet)) or not (is_dataclass(x) or isinstance(x, (list, tuple, dict))):
            if x != y:
                return f"{path}: {x!r:.200} and {y!r:.200}"
            continue
        if has_identity(x):
            if id(x) in matched or id(y) in taken:
                if matched.get(id(x)) is not y or taken.get(id(y)) is not x:
                    return f"{path}: another {type(x).__name__}"
                continue
            matched[id(x)], taken[id(y)] = y, x
        steps = parts(x), parts(y)
        if [key for key, _ in steps[0]] != [key for key, _ in steps[1]]:
            return f"{path}: {[k for k, _ in steps[0]]} and {[k for k, _ in steps[1]]}"
        pending.extend((f"{path}.{key}", p, q) for (key, p), (_, q) in zip(*steps, strict=True))
    return None


def has_identity(node: object) -> bool:
    """Values that are no constants, and nodes of metadata that LLVM numbers."""
    if isinstance(node, MDRecord):
        return node.name not in ("DIExpression", "DIArgList")
    if isinstance(node, Value):
        return not isinstance(node, Constant)
    return isinstance(node, (MDTuple, Module, DebugRecord))


def parts(node: object) -> list[tuple[str, object]]:
    if isinstance(node, dict):
        return list(node.items())
    if isinstance(node, (list, tuple)):
        return [(str(number), item) for number, item in enumerate(node)]
    return [(f.name, getattr(node, f.name)) for f in fields(node)]  # type: ignore[arg-type]
