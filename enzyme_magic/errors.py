"""Every exception of the package, and how one is shown.

Invariant: an error carries a stable code (`EM101`), the C line where there is one, and the smallest repair.
`str(error)` is the whole message, caret included, in plain text; what goes beyond text belongs to the display layer.

Codes: EM1xx toolchain and compilation, EM2xx differentiation, EM3xx arguments, EM4xx execution, EM5xx views and
reports, EM6xx frameworks, EM9xx our own bugs (a violated invariant).
"""

from __future__ import annotations

import functools
import os
import re
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType, TracebackType
from typing import Any, ParamSpec, Self, TypeVar

_SHOWN = "_shown"  # which traceback IPython has shown in short
_NOT_OWN = re.compile(rf"^{re.escape(str(Path(__file__).parent))}[/\\\\]|[/\\\\]IPython[/\\\\]|[/\\\\]ipykernel[/\\\\]")
P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Span:
    """A place in C text: 1-based line and column; `text` is that source line without its newline, if known."""

    file: str
    line: int
    column: int = 0
    end_column: int | None = None
    text: str | None = None

    def __str__(self) -> str:
        column = f", column {self.column}" if self.column else ""
        return f"{self.file}, line {self.line}{column}"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One message of the C compiler, as data. `severity`: error, warning, note, remark, fatal error."""

    severity: str
    message: str
    span: Span | None = None
    option: str | None = None  # "-Wunused-variable"
    notes: tuple[Diagnostic, ...] = ()

    def __str__(self) -> str:
        head = f"{self.span}: {self.severity}: {self.message}" if self.span else f"{self.severity}: {self.message}"
        return "\n".join([head, *caret_lines(self.span), *map(str, self.notes)])


def caret_lines(span: Span | None) -> list[str]:
    """The source line with a caret below it, as clang prints them; nothing where the text is unknown."""
    if span is None or span.text is None:
        return []
    gutter, text = f"{span.line:5d} | ", span.text.replace("\t", " ")
    first = max(span.column - 1 - _LINE // 2, 0) if len(text) > _LINE else 0  # a part of a long line, around the column
    shown = text[first : first + _LINE]
    before, behind = "…" if first else "", "…" if first + _LINE < len(text) else ""
    lines = [f"{gutter}{before}{shown}{behind}"]
    if span.column:
        at = len(before) + span.column - 1 - first
        tail = max(min((span.end_column or span.column) - span.column - 1, len(shown) + len(before) - at - 1), 0)
        lines.append(" " * 5 + " | " + " " * at + "^" + "~" * tail)
    return lines


_LINE, _MESSAGE = 400, 2000  # characters shown of a source line, and of a message


def _shortened(message: str) -> str:
    """A message or a hint that quotes a very long name or line, without its middle."""
    if len(message) <= _MESSAGE:
        return message
    return f"{message[: _MESSAGE // 2]} … {message[-_MESSAGE // 4 :]}"


class EnzymeError(Exception):
    """Base of all errors of this package.

    `code` is stable (EMxxx), `hint` the smallest repair, `span` the place in the C text, `line` its line.
    """

    default_code = "EM900"

    def __init__(
        self, message: str, *, code: str | None = None, hint: str | None = None, span: Span | None = None
    ) -> None:
        message = _shortened(message)
        self.message = message
        self.code = code or self.default_code
        self.hint = hint if hint is None else _shortened(hint)
        self.span = span
        super().__init__(message)

    @property
    def line(self) -> int | None:
        return self.span.line if self.span else None

    def __str__(self) -> str:
        head = f"{self.span}: {self.message}" if self.span else self.message
        parts = [f"{head}  [{self.code}]", *caret_lines(self.span)]
        if self.hint:
            parts.append(f"hint: {self.hint}")
        return "\n".join(parts)

    def _render_traceback_(self) -> list[str]:
        """What IPython shows in place of a traceback: the lines of the user's own code, then the message.

        Asked a second time (`%tb`) it fails, and IPython shows every frame."""
        if id(self.__traceback__) == self.__dict__.get(_SHOWN):
            raise NotImplementedError
        self.__dict__[_SHOWN] = id(self.__traceback__)
        return [*own_lines(self.__traceback__), f"{type(self).__name__}: {self}"]

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), {name: value for name, value in self.__dict__.items() if name != _SHOWN})


def own_lines(trace: TracebackType | None) -> list[str]:
    """Where a traceback passes through code that is neither this package's nor IPython's: "line 2: f.grad(x)"."""
    frames = [f for f in traceback.extract_tb(trace) if not _NOT_OWN.search(f.filename)]
    return [f"{_place(frame)}: {frame.line}" if frame.line else _place(frame) for frame in frames]


def _place(frame: traceback.FrameSummary) -> str:
    inside = f" in {frame.name}" if not frame.name.startswith("<") else ""
    file = Path(frame.filename).name
    named = "" if file.startswith("<") or "ipykernel" in frame.filename else f"{file}, "
    return f"{named}line {frame.lineno}{inside}"


def _rebuild(cls: type[EnzymeError], state: dict[str, object]) -> EnzymeError:
    error = cls.__new__(cls)
    Exception.__init__(error, state["message"])
    error.__dict__.update(state)
    return error


class ToolchainError(EnzymeError):
    """clang or LLVM is missing, of the wrong version, hung, or refused to work."""

    default_code = "EM100"


_FURTHER_ERRORS = 4


class CompileError(EnzymeError):
    """The C text does not compile. `diagnostics` holds every message of the compiler."""

    default_code = "EM110"

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        hint: str | None = None,
        span: Span | None = None,
        diagnostics: tuple[Diagnostic, ...] = (),
    ) -> None:
        super().__init__(message, code=code, hint=hint, span=span)
        self.diagnostics = diagnostics

    def __str__(self) -> str:
        """The first error in full, then one line for each of the next ones."""
        errors = [d for d in self.diagnostics if "error" in d.severity and d.span is not None and d.span != self.span]
        further = [f"also {error.span}: {error.message}" for error in errors[:_FURTHER_ERRORS]]
        if len(errors) > _FURTHER_ERRORS:
            further.append(f"and {len(errors) - _FURTHER_ERRORS} more errors")
        return "\n".join([super().__str__(), *further])


class UnsupportedIRError(EnzymeError):
    """LLVM IR outside the subset this package models. Names the instruction and its C line."""

    default_code = "EM150"


class DifferentiationError(EnzymeError):
    """The function, or a part of it, cannot be differentiated: the C line, what, why, and the smallest repair."""

    default_code = "EM200"
    final = False  # whether no other form of the program can be differentiated, either, without losing the same


class ArgumentError(EnzymeError, TypeError, ValueError):
    """A call with arguments that do not fit the C signature."""

    default_code = "EM300"

    def for_user(self) -> Self:
        """Without the frames of this package, down to the one that is left by `raise`: what is wrong is in the call."""
        return self.with_traceback(None)


class NoSuchAttribute(ArgumentError, AttributeError):
    """A name that no method and no property of a C function has."""

    default_code = "EM341"


class ExecutionError(EnzymeError):
    """The C code ended abnormally: exit, abort, a failed assert, the tape limit, too deep a recursion."""

    default_code = "EM400"


class InterruptedCall(ExecutionError, KeyboardInterrupt):
    """A call in a worker process, or of a learner's function, was interrupted; also a KeyboardInterrupt."""

    default_code = "EM412"


class ViewError(EnzymeError):
    """A picture that does not exist, or cannot be drawn."""

    default_code = "EM500"


class InternalError(EnzymeError):
    """An invariant of this package is violated: please report it with the cell."""

    default_code = "EM900"


# What fits no signature ---------------------------------------------------------------------------------------------------

FOREIGN = {
    "argnums": "use wrt=, with C names or numbers of C parameters, where the derivative is made: em.grad(f, wrt=0)",
    "argnum": "use wrt=, with a C name or the number of a C parameter, where the derivative is made: em.grad(f, wrt=0)",
    "has_aux": "em.vjp and em.jvp give all outputs back; grad differentiates the result",
    "create_graph": "em.grad(em.grad(f)), em.hessian and em.hvp give second derivatives",
    "modes": "both modes are compared with differences, and with each other, where a function has both",
    "eps": "steps are chosen for each argument, and an extrapolation tells their error; rtol= and atol= say what is accepted",
}  # options of other libraries: what to say here
_CLASSES = ("CFunction", "GradientFunction")  # known by name: nothing is imported for a question
_BRACKETS = re.compile(r"\[[^\[\]]*\]")
_KINDS: dict[str, tuple[type, ...]] = {
    "str": (str,), "bytes": (bytes,), "bool": (bool,), "int": (int,), "float": (int, float), "None": (type(None),),
    "Sequence": (Sequence,), "Iterable": (Iterable,), "tuple": (tuple,), "list": (list,),
    "Mapping": (Mapping,), "dict": (dict,), "os.PathLike": (os.PathLike,),
}  # fmt: skip


def user_frames(function: Callable[P, R]) -> Callable[P, R]:
    """A function whose ArgumentErrors end in the frame of its caller's call; IPython hides the one of ours that is left.

    A call that does not fit the signature, and one that fails because an argument is none of what its annotation says, are
    ArgumentErrors EM322 as well. That is asked after a failure only, and never of errors of this package."""

    @functools.wraps(function)
    def called(*args: P.args, **named: P.kwargs) -> R:
        __tracebackhide__ = True
        try:
            return function(*args, **named)
        except ArgumentError as error:
            raise error.for_user() from error.__cause__
        except Exception as error:
            mistake = None if isinstance(error, EnzymeError) else _misuse(function, args, named)
            if mistake is None:
                raise
            raise mistake from None

    return called


def for_users(cls: type[R]) -> type[R]:
    """A class whose public methods are `user_frames`."""
    for name, member in list(vars(cls).items()):
        if name.startswith("_"):
            continue
        if isinstance(member, FunctionType):
            setattr(cls, name, user_frames(member))
        elif isinstance(member, (classmethod, staticmethod)):
            setattr(cls, name, type(member)(user_frames(member.__func__)))
    return cls


def _misuse(function: Callable[..., Any], args: tuple[Any, ...], named: Mapping[str, Any]) -> ArgumentError | None:
    """What is wrong with a call of `function`, as far as its signature and annotations tell; None where it fits them."""
    import inspect

    signature, called = inspect.signature(function), function.__qualname__
    try:
        bound = signature.bind(*args, **named)
    except TypeError as error:
        return ArgumentError(
            f"{called}: {error}", code="EM322", hint=_instead(called, signature.parameters, len(args), named)
        )
    for name, value, annotation in _each(bound, signature):
        if not _fits(value, annotation):
            given = f"a {type(value).__name__}" if value is not None else "None"
            return ArgumentError(f"{called}: {name} cannot be {given}", code="EM322", hint=f"{name}: {annotation}")
    return None


def _each(bound: Any, signature: Any) -> Iterable[tuple[str, Any, Any]]:
    """(name, value, annotation) of all that was given; what `*names` and `**named` took one by one."""
    for name, value in bound.arguments.items():
        parameter = signature.parameters[name]
        if parameter.kind == parameter.VAR_POSITIONAL:
            yield from ((name, item, parameter.annotation) for item in value)
        elif parameter.kind == parameter.VAR_KEYWORD:
            yield from ((key, item, parameter.annotation) for key, item in value.items())
        else:
            yield name, value, parameter.annotation


def _instead(called: str, parameters: Mapping[str, Any], count: int, named: Mapping[str, Any]) -> str:
    """What to write in place of a call that does not fit."""
    import difflib

    own = [name for name in parameters if name != "self"]
    for name in named:
        if name not in parameters:
            close = difflib.get_close_matches(name, own, 1)
            return FOREIGN.get(name) or (
                f"did you mean {close[0]}=?" if close else f"it takes {', '.join(own) or 'none'}"
            )
    by_place = [p for p in parameters.values() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    if count > len(by_place) and "at" in parameters:
        return "the arguments of a call are one tuple: at=(…)"
    shown = [f"{p.name}=…" if p.default is not p.empty else p.name for p in parameters.values() if p.name != "self"]
    keywords = next((k for k, p in enumerate(parameters.values()) if p.kind == p.KEYWORD_ONLY), None)
    if keywords is not None:
        shown.insert(keywords - ("self" in parameters), "*")
    return f"{called.rpartition('.')[2]}({', '.join(shown)})"


def _fits(value: Any, annotation: Any) -> bool:
    """Whether a value may be what an annotation says, as text; one that names other types than these may mean anything."""
    plain = annotation if isinstance(annotation, str) else "Any"
    while (outer := _BRACKETS.sub("", plain)) != plain:
        plain = outer
    heads = [part.strip() for part in plain.split("|")]
    if any(head not in _KINDS and head not in _CLASSES for head in heads):
        return True
    bases = {base.__name__ for base in type(value).__mro__}
    if isinstance(value, bool):  # no number, where the signature does not say bool
        return "bool" in heads
    return any(isinstance(value, _KINDS[head]) if head in _KINDS else head in bases for head in heads)
