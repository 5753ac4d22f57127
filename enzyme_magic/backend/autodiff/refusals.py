"""What is not differentiated, said before anything is analysed: the closed list of docs/refusals.md.

Invariant: every refusal is a DifferentiationError with a code, the C line, what is in the way, and the smallest repair. There are
two kinds: what a function must not contain at all, because the reverse sweep could not follow it (`check`), and calls that are in
the way only because derivatives flow through them (`of_call`).
"""

from __future__ import annotations

from collections.abc import Iterator

from enzyme_magic.backend.analysis.calls.runtime_calls import is_runtime, keeps_state
from enzyme_magic.backend.autodiff.cache import tape
from enzyme_magic.backend.autodiff.calls.request import STATIC_PREFIX
from enzyme_magic.backend.autodiff.context import SweepContext
from enzyme_magic.backend.autodiff.memory import kinds
from enzyme_magic.backend.autodiff.requests import entries
from enzyme_magic.backend.ir.instructions import (
    Alloca,
    Call,
    CallBranch,
    Cast,
    IndirectBranch,
    Instruction,
    Invoke,
    LandingPad,
    Load,
    Store,
)
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import PointerType, Type, VectorType
from enzyme_magic.backend.ir.values import ConstantExpression, ConstantInt, InlineAsm, Value
from enzyme_magic.backend.library import libc
from enzyme_magic.backend.native import PYTHON_HANDLER
from enzyme_magic.backend.rules import registry
from enzyme_magic.backend.rules.registry import INACTIVE
from enzyme_magic.errors import DifferentiationError, Span

PAGE = 4096


def check(context: SweepContext, function: Function) -> None:
    """Raise DifferentiationError for the first thing in `function` that no derivative can go past."""
    for instruction in function.instructions():
        error = _of_flow(context, instruction) or _of_types(context, instruction)
        error = error or _of_memory(context, instruction) or _of_addresses(context, instruction)
        if error is None and isinstance(instruction, Call):
            error = _of_library(context, instruction) or _of_arguments(context, instruction)
        if error is not None:
            error.span = error.span or _span_before(context, function, instruction)
            raise error


def _span_before(context: SweepContext, function: Function, i: Instruction) -> Span | None:
    """For an instruction that stands for several places of the text: the first place from which it is reached."""
    spans = [context.span_of(block.terminator) for block in function.blocks if i.parent in block.successors]
    return min((span for span in spans if span is not None), key=lambda span: span.line, default=None)


def _of_flow(context: SweepContext, i: Instruction) -> DifferentiationError | None:
    if isinstance(i, IndirectBranch):
        what = "goto through a computed label: where it leads is known only when it runs"
        return context.fail(i, what, "use a switch with one goto per case", "EM213")
    if isinstance(i, CallBranch):
        return context.fail(i, "inline assembly that jumps", "write the jump in C", "EM215")
    if isinstance(i, Invoke):
        callee = _name(i.called_function) if i.called_function is not None else "this call"
        what = f"{callee} may throw, and exceptions are not followed backwards"
        return context.fail(i, what, "declare it __attribute__((nothrow)), or noexcept in C++", "EM212")
    if isinstance(i, LandingPad) or i.opcode == "resume":
        return context.fail(i, "exceptions are not followed backwards", "return an error code instead", "EM212")
    return None


def _of_arguments(context: SweepContext, call: Call) -> DifferentiationError | None:
    """C without prototypes and IR may call a function with other arguments than it has, which is undefined."""
    function = call.called_function
    if function is None or function.is_declaration or function.function_type.variadic:
        return None
    has, gets = len(function.arguments), len(call.arguments)
    if has == gets:
        return None
    name = _name(function)
    what = f"a call passes {gets} argument{'s' * (gets != 1)} to {name}, which has {has}"
    return context.fail(call, what, f"declare {name} with its parameters before it is called", "EM220")


def _of_types(context: SweepContext, i: Instruction) -> DifferentiationError | None:
    for type_ in _types(i):
        if isinstance(type_, VectorType) and type_.scalable:
            what = f"vectors of a length that the processor decides ({type_})"
            return context.fail(i, what, "use arrays and ordinary loops; LLVM vectorizes them", "EM218")
        scalar = type_.scalar
        if isinstance(scalar, PointerType) and scalar.address_space:
            what = f"a pointer into address space {scalar.address_space}"
            return context.fail(i, what, "use ordinary pointers", "EM216")
    return None


def _of_memory(context: SweepContext, i: Instruction) -> DifferentiationError | None:
    """Memory at an address that the program spells as a number."""
    place = i.pointer if isinstance(i, (Load, Store)) else None
    while isinstance(place, ConstantExpression) and place.opcode == "getelementptr":
        place = place.operands[0]
    if isinstance(place, ConstantExpression) and place.opcode == "inttoptr" and not _is_nowhere(place.operands[0]):
        return context.fail(i, "memory at a fixed address", "pass the memory as a parameter", "EM230")
    return None


def _of_addresses(context: SweepContext, i: Instruction) -> DifferentiationError | None:
    """Numbers that may be addresses, and go on as such."""
    if not isinstance(i, (Cast, Store)) or not context.analyses.numbers_as_addresses().of(i):
        return None
    what = "an address may be moved as a number here, and nobody can tell where it is followed again"
    return context.fail(i, what, "copy the union with memcpy, or by assignment of the whole struct", "EM230")


def _is_nowhere(address: Value) -> bool:
    """An address beside that of NULL, where no memory is: optimizers leave such accesses on paths on which a pointer would be
    NULL, as behind `((header *)p)[-1]`."""
    return isinstance(address, ConstantInt) and -PAGE < address.value < PAGE


def _types(i: Instruction) -> Iterator[Type]:
    yield i.type
    yield from (operand.type for operand in i.operands)
    if isinstance(i, Alloca):
        yield i.allocated_type


def _of_library(context: SweepContext, call: Call) -> DifferentiationError | None:
    function = call.called_function
    if function is not None and function.name.startswith("llvm.coro."):
        return context.fail(call, "coroutines are not followed backwards", "write an ordinary function", "EM219")
    refused = context.analyses.effects.call(call).refused
    if not refused and _may_return_twice(call):
        refused = "a call that may return twice; use an error code instead"
    if not refused:
        return None
    sentence, _, repair = refused.partition("; ")
    return context.fail(call, sentence, repair or "keep it out of the function that is differentiated", "EM214")


def _may_return_twice(call: Call) -> bool:
    """`__builtin_setjmp`, the jump back to it, and what C declares `returns_twice`."""
    function = call.called_function
    if "returns_twice" in call.attributes or function is None:
        return "returns_twice" in call.attributes
    return "returns_twice" in function.attributes or function.name.startswith("llvm.eh.sjlj.")


def of_call(context: SweepContext, call: Call) -> DifferentiationError:
    """The error for a call through which derivatives flow and that cannot be followed."""
    function = call.called_function
    if isinstance(call.callee, InlineAsm):
        what = "inline assembly between an active parameter and the result"
        return context.fail(call, what, "write it in C, or as a function with a derivative of its own", "EM215")
    if function is None:
        what = "derivatives flow through a pointer to functions, and no function of the program fits it"
        return context.fail(call, what, "call the function directly", "EM240")
    name = _name(function)
    if INACTIVE in function.attributes:
        what = f"{name} is declared to carry no derivative, but it overwrites memory that carries some"
        return context.fail(call, what, "let it return its result, or give it a derivative of its own", "EM275")
    if function.is_declaration and registry.is_inactive(call):
        what = f"{name} overwrites memory that holds numbers with derivatives"
        return context.fail(call, what, "give it memory of its own", "EM275")
    if function.function_type.variadic and not function.is_declaration:
        what = f"derivatives flow through the variable arguments of {name}"
        return context.fail(call, what, "call it as it is declared, or pass an array and its length", "EM217")
    summary = libc.summary_of(function.name)
    if summary is not None and summary.callbacks:
        what = f"derivatives flow through {name}, which calls back a function of the program"
        return context.fail(call, what, f"declare {name} as the C library does, or write it in C", "EM222")
    return _of_derivative(context, call, function) or context.fail(
        call,
        f"the derivative of {name} is not known: it is an external function",
        f"define {name} in C, or use a function of math.h",
        "EM221",
    )


def _of_derivative(context: SweepContext, call: Call, function: Function) -> DifferentiationError | None:
    """The error for a call that belongs to a derivative, or asks for one."""
    if function.name.startswith(PYTHON_HANDLER):
        what = "the rule is a Python function, which has no derivative of its own"
        return context.fail(call, what, "give the rule as C text, or as the name of a C function", "EM211")
    if function.name == tape.RESERVE.name:
        what = "a derivative that is differentiated again keeps values there, on a tape that no derivative can follow"
        hint = "compile with opt=1 or more, which makes fewer calls of derivatives"
        return context.fail(call, what, hint, "EM211")
    if keeps_state(function.name):
        return context.fail(call, kinds.UNFOLLOWED, kinds.UNFOLLOWED_HINT, "EM224")
    if is_runtime(function.name):
        what = f"a derivative inside of it has been made in a way that cannot be differentiated again ({function.name})"
        return context.fail(call, what, "differentiate forwards", "EM211")
    if entries.entry_of(function) is not None:
        what = "a call through a pointer may lead to this request, and its own derivative to that call"
        return context.fail(call, what, "let the function that is differentiated call its functions by name", "EM148")
    return None


def _name(function: Function) -> str:
    return function.name.removeprefix(STATIC_PREFIX)
