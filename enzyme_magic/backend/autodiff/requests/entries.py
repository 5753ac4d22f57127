"""Enzyme's entry points and markers: which calls are requests, and what the words among their arguments mean.

Invariant: an entry point is recognised by a part of its name, as Enzyme does it (`__enzyme_autodiff2` is one), the first of
`ENTRIES` that fits; a marker by the name of the global variable whose value or address is passed. `diffe_dup`, the older spelling,
means `enzyme_dup`. What is passed beside a marker is never looked at here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from enzyme_magic.backend.ir.instructions import Call, Cast, Freeze, Load, Phi, Select
from enzyme_magic.backend.ir.module import Function, GlobalVariable, Module
from enzyme_magic.backend.ir.values import ConstantExpression, Value

AUTODIFF, FORWARD_DIFF, ERROR_ESTIMATE, FORWARD_SPLIT, AUGMENT_FORWARD, AUGMENT_SIZE, REVERSE, VIRTUAL_REVERSE, BATCH = (
    "__enzyme_autodiff", "__enzyme_fwddiff", "__enzyme_error_estimate", "__enzyme_fwdsplit", "__enzyme_augmentfwd",
    "__enzyme_augmentsize", "__enzyme_reverse", "__enzyme_virtualreverse", "__enzyme_batch",
)  # fmt: skip
CALL_INACTIVE, ITERATION = "__enzyme_call_inactive", "__enzyme_iter"
TYPE_HINTS = ("__enzyme_float", "__enzyme_double", "__enzyme_integer", "__enzyme_pointer")
ENTRIES = (
    *(AUTODIFF, FORWARD_DIFF, ERROR_ESTIMATE, FORWARD_SPLIT, AUGMENT_FORWARD, AUGMENT_SIZE),
    *(REVERSE, VIRTUAL_REVERSE, BATCH, CALL_INACTIVE),
)
# What LLVM may take for granted of entries that are no requests: iterations.py.
PROMISES = {ITERATION: "memory(none) nounwind willreturn"} | dict.fromkeys(
    TYPE_HINTS, "memory(inaccessiblemem: readwrite) nounwind willreturn"
)
ACTIVITIES = frozenset(["const", "dup", "dupnoneed", "out", "dupv", "dupnoneedv"])
SWITCHES = frozenset(
    ["primal_return", "const_return", "active_return", "dup_return", "noret", "nofree", "runtime_activity"]
)
VALUES = frozenset(["width", "tape", "allocated"])  # one argument follows
PREFIXES = frozenset(["not_overwritten"])
BATCHES = frozenset(["scalar", "vector", "buffer"])
MARKERS = ACTIVITIES | SWITCHES | VALUES | PREFIXES | BATCHES
_GLOBAL = re.compile(
    rf"^@(?P<name>(?:enzyme|diffe)_(?:{'|'.join(sorted(MARKERS))})(?:\.\d+)?) = "
    r"[^\n]*?\b(?:global|constant) (?P<rest>i\d+|ptr)\b[^\n]*$",
    re.M,
)
_DECLARATION = re.compile(r"^(declare [^\n]*@[\w.]*__enzyme_\w*\([^\n]*)$", re.M)


def entry_of(function: Function | None) -> str | None:
    """The entry point a called function is, its whole name if it only has Enzyme's prefix, None for any other function."""
    if function is None or not function.is_declaration or "__enzyme_" not in function.name:
        return None
    if any(part in function.name for part in PROMISES):
        return None
    return next((entry for entry in ENTRIES if entry in function.name), function.name)


def requests_in(function: Function) -> Iterator[tuple[Call, str]]:
    """The calls of entry points in a function."""
    for instruction in function.instructions():
        if isinstance(instruction, Call) and (entry := entry_of(instruction.called_function)) is not None:
            yield instruction, entry


def present(text: str) -> bool:
    """Whether an IR text may contain requests. Cheap."""
    return "__enzyme_" in text and _DECLARATION.search(text) is not None


def marker(value: Value) -> str | None:
    """The marker a value is, without its prefix: `dup` for `enzyme_dup`. None for an ordinary value; a name with the prefix that is
    no marker comes back whole."""
    name = _name(value, frozenset())
    if name is None:
        return None
    word = re.sub(r"\.\d+$", "", name).partition("_")[2]
    return word if word in MARKERS else name


def _name(value: Value, seen: frozenset[Value]) -> str | None:
    if isinstance(value, GlobalVariable):
        return value.name if value.name.startswith(("enzyme_", "diffe_")) else None
    if isinstance(value, Load):
        return _name(value.pointer, seen) if isinstance(value.pointer, GlobalVariable) else None
    if isinstance(value, (Cast, Freeze)):
        return _name(value.operands[0], seen)
    if isinstance(value, ConstantExpression) and value.opcode in ("ptrtoint", "bitcast", "addrspacecast", "trunc"):
        return _name(value.operands[0], seen)
    if isinstance(value, (Phi, Select)) and value not in seen:
        arms = value.operands if isinstance(value, Phi) else value.operands[1:]
        names = {_name(arm, seen | {value}) for arm in arms}
        return names.pop() if len(names) == 1 else None
    return None


def protect(text: str) -> str:
    """Before the first optimization: the content of markers is not to be folded into the calls, and calls that differ in
    their markers alone are not to be merged."""
    text = _GLOBAL.sub(lambda found: f"@{found['name']} = weak global {found['rest']} {_zero(found['rest'])}", text)
    return _DECLARATION.sub(lambda found: f"{found[0]} {_promises(found[0])}", text)


def _promises(declaration: str) -> str:
    return next((words for part, words in PROMISES.items() if part in declaration), "nomerge")


def _zero(type_: str) -> str:
    return "null" if type_ == "ptr" else "0"


def forget(module: Module) -> None:
    """Drop loads of markers and the markers themselves, where nothing uses them any more."""
    used: set[Value] = set()
    for function in module.definitions():
        used.update(operand for instruction in function.instructions() for operand in instruction.operands)
    for function in module.definitions():
        for block in function.blocks:
            block.instructions = [
                i for i in block.instructions if not (isinstance(i, Load) and i not in used and marker(i) is not None)
            ]
    kept = {
        o for f in module.definitions() for i in f.instructions() for o in i.operands if isinstance(o, GlobalVariable)
    }
    for name, variable in list(module.variables.items()):
        if marker(variable) in MARKERS and variable not in kept:
            del module.variables[name]
