"""`em.why_zero(f, args, wrt)`: why a gradient is zero.

There are four reasons, and they are told apart by what is proven, not by trying numbers: the parameter is marked const (or has no
derivative by its type); no derivative goes from it to the result, whatever the arguments (its value may still reach it, through
floor); none went in this call; or one did, and the number is zero. Whether one went is seen in the watched run of the call
(backend/tracing), of the program without optimization, so that every branch of the source is there. A call that cannot be
watched is made once more with marks at its branches, and analysed with only the sides that were taken; what that cannot
exclude is not claimed.

The call is made on copies of the arguments, and on a copy of the program with the static data of this moment: what an earlier call
left there is a constant, and the answer says so. A function that is called with marks, and prints, prints again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from enzyme_magic.api.checks.copies import give_state, unoptimized
from enzyme_magic.api.tables import ENDS
from enzyme_magic.backend.frontend.c_types import Enum, Pointer, Scalar, holds_floats, innermost
from enzyme_magic.errors import ArgumentError, user_frames
from enzyme_magic.progress import shown

if TYPE_CHECKING:
    from enzyme_magic.api.function import CFunction
    from enzyme_magic.api.program import Program
    from enzyme_magic.backend.tracing.record import WatchedRun

Kind = Literal["not zero", "const", "does not reach the result", "branch", "number"]
NOT_ZERO: Final = "not zero"
CONST: Final = "const"
UNREACHED: Final = "does not reach the result"
BRANCH: Final = "branch"
NUMBER: Final = "number"
CLASSES = {
    0x003: "isnan",
    0x3FC: "isnan",
    0x204: "isinf",
    0x1F8: "isfinite",
    0x207: "isfinite",
    0x108: "isnormal",
}  # of LLVM
KINDS = (NOT_ZERO, CONST, UNREACHED, BRANCH, NUMBER)


@dataclass(frozen=True, slots=True)
class WhyZero:
    """`kind` is one of KINDS. `sentences`: the verdict, then what it rests on. `lines`: the C lines that are meant."""

    parameter: str
    kind: Kind
    sentences: tuple[str, ...]
    lines: tuple[int, ...] = ()

    def __str__(self) -> str:
        return "\n".join(self.sentences)


@user_frames
@shown("why_zero of {}")
def why_zero(function: CFunction, args: Sequence[Any] | Any, wrt: str | int | None = None) -> WhyZero:
    """Why the gradient of `function` at `args` with respect to one parameter is zero; kind "not zero" where it is not.

    args: the arguments of one call, a tuple. wrt: a C parameter by name or number; it may be left out where one is active.
    Raises ArgumentError for other arguments than a call takes, and what `em.grad` raises for a function without gradient.
    """
    arguments = tuple(args) if isinstance(args, (tuple, list)) else (args,)
    name = _parameter(function, wrt)
    index = _names(function).index(name)
    refusal = function.roles.refusals.get(index)
    if refusal is not None:
        marked = function.program.options.activity
        kind: Kind = CONST if dict(marked).get(name) == "const" or index in function.roles.passive else UNREACHED
        said = (f"no derivative goes to {name}: {refusal}", *_what_has_none(function, index))
        return WhyZero(name, kind, said, _line_of(function, index))
    if not _is_zero(_gradient(function, name, arguments)):
        return WhyZero(name, NOT_ZERO, (f"the gradient with respect to {name} is not zero",))
    if not _reaches(function, name):
        return _unreached(function, name, arguments)
    return _in_this_call(function, name, arguments)


def _what_has_none(function: CFunction, index: int) -> tuple[str, ...]:
    """A sentence for a parameter that has no derivative by its type, whatever is done with it."""
    type_ = function.c_signature.parameters[index].type
    held = innermost(type_.to if isinstance(type_, Pointer) else type_)
    if not isinstance(held, (Enum, Scalar)) or holds_floats(held):
        return ()
    return (
        "an integer carries no derivative: between two of its values there is none at which the result could be asked for; "
        "make it a double if it is a quantity, else compare two calls",
    )


def _names(function: CFunction) -> list[str]:
    return [p.name or f"p{k}" for k, p in enumerate(function.c_signature.parameters)]


def _parameter(function: CFunction, wrt: str | int | None) -> str:
    names = _names(function)
    if wrt is None:
        chosen = function.choose(None).indices
        if len(chosen) != 1:
            said = ", ".join(names[k] for k in chosen)
            raise ArgumentError(
                f"why_zero asks about one parameter, and {function.name} has {said}", code="EM315", hint="wrt="
            )
        return names[chosen[0]]
    if isinstance(wrt, int) and not isinstance(wrt, bool) and 0 <= wrt < len(names):
        return names[wrt]
    if isinstance(wrt, str) and wrt in names:
        return wrt
    if not isinstance(wrt, (str, int)):
        call = f"em.why_zero({function.name}, ({', '.join(names)}), wrt=...)"
        raise ArgumentError(
            f"wrt is a parameter of {function.name}, and was given a {type(wrt).__name__}",
            code="EM315",
            hint=f"the arguments of the call are one tuple: {call}",
        )
    listed = f"its parameters are: {', '.join(names) or 'none'}"
    raise ArgumentError(f"{function.name} has no parameter {wrt!r}", code="EM315", hint=listed)


def _line_of(function: CFunction, index: int) -> tuple[int, ...]:
    line = function.c_signature.parameters[index].line
    return (line,) if line else ()


def _gradient(function: CFunction, name: str, arguments: tuple[Any, ...]) -> Any:
    from enzyme_magic.api.transforms import grad

    return grad(function, wrt=name)(*arguments)


def _is_zero(gradient: Any) -> bool:
    import numpy

    array = numpy.asarray(gradient)
    if array.dtype.names:
        return all(_is_zero(array[field]) for field in array.dtype.names)
    return array.dtype.kind not in "fc" or not numpy.any(array)  # NaN is not zero


def _reaches(function: CFunction, name: str) -> bool:
    report = function.make_report(wrt=name)
    return any(parameter.name == name and parameter.verdict.active for parameter in report.parameters)


def _unreached(function: CFunction, name: str, arguments: tuple[Any, ...]) -> WhyZero:
    report = function.make_report(wrt=name)
    parameter = next(p for p in report.parameters if p.name == name)
    facts = [report.facts[k] for k in parameter.verdict.because]
    said = (f"no derivative goes from {name} to the result, whatever the arguments are", *(f.sentence for f in facts))
    lines = tuple(sorted({f.line for f in facts if f.line})) or ((parameter.line,) if parameter.line else ())
    plain = unoptimized(function)[function.name]
    run = _watched(plain, name, arguments)
    inactive = _inactive(plain) if run is None else []
    if inactive:
        seen = f"{function.name} calls {' and '.join(inactive)}, and no derivative goes through what is inactive"
        return WhyZero(name, UNREACHED, (said[0], seen, *said[1:]), lines)
    ends = _on_the_way(plain, name, arguments, run) if run is not None else []
    if not ends:
        return WhyZero(name, UNREACHED, said, lines)
    *others, last = [f"{what} (line {line})" for line, what in ends]
    through = f"{', '.join(others)} and {last}" if others else last
    derivatives = "whose derivative is zero" if len(ends) == 1 else "whose derivatives are zero"
    seen = f"in this call {name} can reach it only through {through}, {derivatives}"
    return WhyZero(name, UNREACHED, (said[0], seen, *said[1:]), tuple(sorted({line for line, _ in ends})))


def _on_the_way(function: CFunction, name: str, arguments: tuple[Any, ...], run: WatchedRun) -> list[tuple[int, str]]:
    """(line, words) of what a dependence ends in, and of all that has no derivative behind it."""
    from enzyme_magic.backend.tracing.ends import InfluenceMachine, ends

    behind = _watched(function, name, arguments, InfluenceMachine)
    found = ends(run, behind) if behind is not None else run.lost
    return sorted({(i.line, _end(i, how)) for i, how in found if i.line})


def _inactive(function: CFunction) -> list[str]:
    """The functions that it may call and that the program calls inactive."""
    from enzyme_magic.api.checks.watching import own_derivatives, program_of

    named = program_of(function).module.analyses.custom.inactive
    return sorted(name for name in own_derivatives(function) if name in named)


def _end(instruction: Any, how: str) -> str:
    """What a dependence ends in, as C calls it: `floor`, a conversion, a comparison."""
    from enzyme_magic.backend.ir.instructions import Call, Cast, Compare
    from enzyme_magic.backend.ir.types import FloatType

    called = instruction.called_function if isinstance(instruction, Call) else None
    if called is not None and called.name.startswith("llvm.is.fpclass."):
        return CLASSES.get(getattr(instruction.operands[1], "unsigned", 0), ENDS[how])
    if called is not None:
        named = str(called.name).removeprefix("llvm.").partition(".")[0]
        return f"the exponent of {named}" if named.startswith("frexp") else named
    asked = instruction.operands[0] if isinstance(instruction, Compare) else None
    if isinstance(asked, Cast) and asked.opcode == "bitcast" and isinstance(asked.operands[0].type, FloatType):
        return "signbit"  # no other comparison looks at the bits of a number
    return "a conversion to an integer" if isinstance(instruction, Cast) and how == "rounding" else ENDS[how]


def _in_this_call(function: CFunction, name: str, arguments: tuple[Any, ...]) -> WhyZero:
    plain = unoptimized(function)
    run = _watched(plain[function.name], name, arguments)
    if run is not None and run.reached:
        said = f"a derivative goes from {name} to the result in this call, and it is zero as a number"
        return WhyZero(name, NUMBER, (said,), ())
    proven = _analysed(function, plain, name, arguments)
    if run is None or proven.kind == BRANCH:
        return proven
    ends = sorted({(i.line, how) for i, how in run.lost if i.line})
    said = f"in this call no derivative goes from {name} to the result"
    words = (f"line {line}: what depends on {name} ends in {ENDS[how]}" for line, how in ends)
    return WhyZero(name, BRANCH, (said, *words), tuple(sorted({line for line, _ in ends})))


def _watched(function: CFunction, name: str, arguments: tuple[Any, ...], *make: Any) -> WatchedRun | None:
    """The watched run (make: on another machine); None for a call that cannot be watched, and in a program whose variables earlier
    calls may have changed (`function` belongs to a fresh copy of it)."""
    from enzyme_magic.api.checks.watching import program_of, run_of
    from enzyme_magic.backend.tracing.record import NotDecided

    variables = program_of(function).module.module.variables.values()
    if any(not v.constant and v.initializer is not None and not v.name.startswith("llvm.") for v in variables):
        return None
    values, directions = function.arguments().convert(arguments, {}), {_names(function).index(name): None}
    try:
        return run_of(function, values, directions, (), None, *make)
    except NotDecided:
        return None


def _analysed(function: CFunction, plain: Program, name: str, arguments: tuple[Any, ...]) -> WhyZero:
    from enzyme_magic.api.compilation import compile_ir
    from enzyme_magic.backend.explain.calls import taken

    program = function.program
    text = plain.compiled.ir("optimized", function.name)
    given: dict[str, Any] = {"shape": dict(program.options.shape), "activity": dict(program.options.activity), "opt": 0}
    marked, sides = taken.marked(text)
    watched = compile_ir(marked, **given)
    earlier = _left_by_earlier_calls(function, watched)
    watched[function.name](*(_copied(a) for a in arguments))
    went = {side for side in range(sides) if watched[taken.ASK](side)}
    rest, decided = taken.only_taken(text, went.__contains__)
    called = compile_ir(rest, **given)[function.name]
    index = _names(function).index(name)
    lines = tuple(sorted({d.line for d in decided if d.line is not None}))
    if index in called.roles.refusals or not _reaches(called, name):
        ways = [
            f"line {d.line}: the condition is {'true' if d.holds else 'false'}" for d in decided if d.line is not None
        ]
        said = f"on the way this call takes, no derivative goes from {name} to the result"
        return WhyZero(name, BRANCH, (said, *dict.fromkeys(ways), *earlier), lines)
    said = (
        f"no branch says why: a derivative may go from {name} to the result on the way this call takes, and it is zero"
    )
    return WhyZero(name, NUMBER, (said, *earlier), ())


def _left_by_earlier_calls(function: CFunction, watched: Program) -> tuple[str, ...]:
    """Gives the watched program the static data of this one; a sentence where that is not what the program starts with."""
    from enzyme_magic.backend.pipeline import CompiledProgram
    from enzyme_magic.backend.program import statics as decided

    other, changed = watched.compiled, give_state(function, watched)
    assert isinstance(other, CompiledProgram)
    read = decided.read_by(other.module, function.name)
    names = sorted({name.rpartition(".")[2] for name in changed if read is None or name in read})
    return (f"what an earlier call left in {', '.join(names)} is a constant",) if names else ()


def _copied(argument: Any) -> Any:
    return argument.copy() if hasattr(argument, "__array_interface__") and hasattr(argument, "copy") else argument
