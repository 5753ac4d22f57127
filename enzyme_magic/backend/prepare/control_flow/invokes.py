"""Calls with a landing pad, of functions that cannot throw, become plain calls.

Proof: least fixpoint over the call graph. A function may throw if it is not declared `nounwind` and calls one that may, or one that
is unknown. Functions of the C library throw only what a callback throws.

Not done: following exceptions. What remains is refused where it is to be differentiated (refusals.py).
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.clone import clone_instruction
from enzyme_magic.backend.ir.graphs import cfg
from enzyme_magic.backend.ir.graphs.def_use import replace_uses
from enzyme_magic.backend.ir.instructions import Call, Invoke, Phi
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.values import Block, Value
from enzyme_magic.backend.library import libc

Calls = Callable[[Call], Collection[Function] | None]


def to_calls(module: Module, calls: Calls = lambda _: None) -> int:
    """Rewrite every invoke that cannot throw, in place, and drop what only exceptions reached; gives back how many. calls: all
    functions that an instruction calls, where these are others than it names; None elsewhere."""
    if not any(isinstance(i, Invoke) for f in module.definitions() for i in f.instructions()):
        return 0
    throwing = _throwing(module, calls)
    count = 0
    for function in module.definitions():
        replaced: dict[Value, Value] = {}
        for block in function.blocks:
            invoke = block.terminator
            if isinstance(invoke, Invoke) and not _may_throw(invoke, throwing, calls):
                replaced[invoke] = _to_call(block, invoke)
        if replaced:
            replace_uses(function, replaced)
            remove_unreachable(function)
            count += len(replaced)
    return count


def _throwing(module: Module, calls: Calls) -> set[Function]:
    throwing = {f for f in module.functions.values() if f.is_declaration and _declaration_may_throw(f)}
    changed = True
    while changed:
        changed = False
        for function in module.definitions():
            if function in throwing or "nounwind" in function.attributes:
                continue
            if any(isinstance(i, Call) and _may_throw(i, throwing, calls) for i in function.instructions()):
                throwing.add(function)
                changed = True
    return throwing


def _may_throw(call: Call, throwing: set[Function], calls: Calls) -> bool:
    if "nounwind" in call.attributes:
        return False
    if (called := calls(call)) is not None:
        return not throwing.isdisjoint(called)
    function = call.called_function
    return function is None or function in throwing


def _declaration_may_throw(function: Function) -> bool:
    if "nounwind" in function.attributes or function.name.startswith("llvm."):
        return False
    summary = libc.summary_of(function.name)
    return summary is None or bool(summary.callbacks)


def _to_call(block: Block, invoke: Invoke) -> Call:
    """The call; the block then goes on where the invoke did without an exception."""
    assert invoke.normal is not None
    assert invoke.unwind is not None
    copied = clone_instruction(invoke, {})
    call = Call(
        "call",
        copied.type,
        copied.operands,
        copied.name,
        copied.flags,
        copied.metadata,
        copied.debug_records,
        function_type=invoke.function_type,
        calling_convention=invoke.calling_convention,
        result_attributes=invoke.result_attributes,
        argument_attributes=list(invoke.argument_attributes),
        attributes=invoke.attributes,
        bundles=list(invoke.bundles),
    )
    block.instructions.pop()
    block.append(call)
    builder = Builder(block)
    builder.debug_location = invoke.metadata.get("dbg")
    builder.br(invoke.normal)
    for phi in cfg.phis(invoke.unwind):
        _drop_entries(phi, {block})
    return call


def remove_unreachable(function: Function) -> None:
    """Drop blocks that the entry does not lead to, and what phis had from them."""
    reachable = set(cfg.reachable(function))
    dropped = {block for block in function.blocks if block not in reachable}
    if not dropped:
        return
    function.blocks = [block for block in function.blocks if block in reachable]
    for block in function.blocks:
        for phi in cfg.phis(block):
            _drop_entries(phi, dropped)


def _drop_entries(phi: Phi, blocks: set[Block]) -> None:
    kept = [(value, block) for value, block in phi.incoming if block not in blocks]
    phi.operands[:] = [value for value, _ in kept]
    phi.blocks[:] = [block for _, block in kept]
