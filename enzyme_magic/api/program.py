"""`Program`: what one compilation gives.

Invariant: frozen from outside: functions, options and diagnostics never change; compiling again makes another Program, and objects
made from this one keep it. A C function is an attribute unless a method has its name; `p["name"]` always works.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from enzyme_magic.api import compiled as backend
from enzyme_magic.api import marks
from enzyme_magic.api.function import CFunction
from enzyme_magic.backend.autodiff.calls.request import Request
from enzyme_magic.backend.frontend.c_types import Signature
from enzyme_magic.backend.frontend.extent import split
from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.backend.runtime.values.arguments import parameter_names
from enzyme_magic.config import Options, settings
from enzyme_magic.errors import ArgumentError, Diagnostic, for_users, user_frames
from enzyme_magic.progress import step
from enzyme_magic.report import Report

if TYPE_CHECKING:
    from enzyme_magic.api.derivatives.gradient_function import GradientFunction


class NoSuchFunction(ArgumentError, AttributeError, KeyError):
    """A name that no function of the program has."""

    default_code = "EM320"


PUBLIC = ("diagnostics", "functions", "name", "notes", "options", "select", "sources", "timings", "with_shape")


@for_users
class Program:
    """Compiled C: its functions as attributes, `p["name"]`, `list(p)` for the names."""

    def __init__(
        self, compiled: backend.Compiled, sources: Sequence[Source], options: Options, name: str = "source"
    ) -> None:
        self.compiled = compiled
        self.sources = tuple(sources)
        self.options = options
        self.name = name
        self._functions = {key: None for key, sig in compiled.signatures.items() if not sig.static}
        self._made: dict[str, CFunction] = {}

    @classmethod
    def of(cls, sources: Sequence[Source], options: Options, name: str, force: bool = False) -> Program:
        """Compiles `sources`. force: anew, even if the result is kept on disk."""
        from enzyme_magic.backend import pipeline

        compiled = pipeline.compile_program(sources, options, settings(), name, force=force)
        marks.check(options, compiled.signatures)
        return cls(compiled, sources, options, name)

    @user_frames
    def __getitem__(self, name: str) -> CFunction:
        """The C function called `name`; NoSuchFunction (an ArgumentError and a KeyError) with the nearest name otherwise."""
        if not isinstance(name, str) or name not in self._functions:
            raise self._no_such(name)
        return self._made.setdefault(name, self._made.get(name) or CFunction(self, name))

    @user_frames
    def __getattr__(self, name: str) -> CFunction:
        if name.startswith("_"):
            raise AttributeError(name)
        return self[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._functions)

    def __len__(self) -> int:
        return len(self._functions)

    def __contains__(self, name: object) -> bool:
        return name in self._functions

    def __dir__(self) -> list[str]:
        """What users call; the rest serves the package."""
        return sorted({*(name for name in object.__dir__(self) if name.startswith("__")), *PUBLIC, *self._functions})

    @property
    def functions(self) -> dict[str, CFunction]:
        """Every function of the program that is not static, by C name, in the order of the source."""
        return {name: self[name] for name in self}

    def gradient_as_function(self, gradient: GradientFunction) -> CFunction:
        """The gradient of one of its functions as a function that can be differentiated (`GradientFunction.as_function`)."""
        from enzyme_magic.api.derivatives.gradient_as_function import GradientAsFunction

        return GradientAsFunction(gradient)

    def extended(self, text: str, name: str, include: tuple[str, ...] = ()) -> Program:
        """The functions of more C text, which may call and differentiate this program's. Its globals are not copied."""
        source = Source(text, name)
        return Program(self.compiled.extended(source, include), (*self.sources, source), self.options, self.name)

    def with_shape(self, shape: Mapping[str, str]) -> Program:
        """The same program, with more said about the extents of its array parameters. ArgumentError EM322 for what fits none."""
        pairs = dict(self.options.shape) | dict(marks.pairs("shape", shape))
        options = replace(self.options, shape=tuple(sorted(pairs.items())))
        marks.check(options, self.compiled.signatures)
        return Program(self.compiled, self.sources, options, self.name)

    def select(self, names: Iterable[str] = ()) -> dict[str, CFunction]:
        """The functions called `names`, all of them without names. NoSuchFunction before anything is published."""
        chosen = marks.listed(names)
        if chosen is None:
            raise ArgumentError(f"select takes names, got {names!r}", code="EM322", hint="p.select(['f', 'g'])")
        return {name: self[name] for name in chosen} or self.functions

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The compiler's warnings, as data."""
        return tuple(self.compiled.diagnostics)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was done without being asked ("added #include <math.h>")."""
        return tuple(self.compiled.notes)

    @property
    def timings(self) -> dict[str, float]:
        """Milliseconds each stage took, in order."""
        return dict(self.compiled.timings)

    def shapes(self, signature: Signature) -> dict[str, tuple[str, ...]]:
        """The extents given by option `shape` for parameters of one function."""
        names = set(parameter_names(signature))
        return {name: split(text) for name, text in self.options.shape if name in names}

    def explain(self, request: Request, assume: Mapping[str, str | int] | None = None) -> Report:
        """The record behind the pictures of one derivative; under assumptions without stages and times."""
        from enzyme_magic.backend import explain

        compiled = cast(Any, self.compiled)
        with step(f"the report of {request.function}"):
            report: Report = explain.assumed(compiled, request, assume) if assume else explain.report(compiled, request)
            return report

    def plan(self, request: Request) -> str:
        """What was decided before the derivative was written, as text."""
        from enzyme_magic.backend import explain

        with step(f"the plan of {request.function}"):
            return explain.plan(cast(Any, self.compiled), request)

    def _no_such(self, name: str) -> NoSuchFunction:
        hidden = self.compiled.signatures.get(name) if isinstance(name, str) else None
        if hidden is not None and hidden.static:
            return NoSuchFunction(f"{name} is static in {self.name}", hint=f"remove static to call {name} from Python")
        close = difflib.get_close_matches(str(name), list(self), 1)
        listed = f"its functions are: {', '.join(self) or 'none'}"
        return NoSuchFunction(
            f"{self.name} has no function {name!r}", hint=f"did you mean {close[0]}?" if close else listed
        )

    def __repr__(self) -> str:
        return f"<Program {self.name}: {', '.join(self) or 'no functions'}>"

    def __copy__(self) -> Program:
        return self

    def __deepcopy__(self, memo: object) -> Program:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        from enzyme_magic.backend.runtime.calls import handlers, turns
        from enzyme_magic.backend.store import portable

        with turns.turn:  # no function is writing meanwhile
            text = portable.dump(cast(Any, self.compiled))
        return _rebuilt, (portable.sealed(text, self.sources, self.options, self.name), handlers.used_in(text))


def _rebuilt(carried: bytes, called: Mapping[str, Callable[..., Any]], *of_another_version: Any) -> Program:
    """A Program out of a pickle, which carries its IR and the Python functions it calls; EM108 on another architecture."""
    from enzyme_magic.backend.runtime.calls import handlers
    from enzyme_magic.backend.store import portable

    text, sources, options, name = portable.opened(b"" if of_another_version else carried)
    if called:
        rename = handlers.renaming(called)
        text = rename(text)
        options = replace(options, custom=tuple(replace(r, handler=rename(r.handler)) for r in options.custom))
    return Program(portable.restore(text, sources, options, settings(), name), sources, options, name)
