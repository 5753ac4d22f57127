"""What the package does with a C function that users do not: its code, its requests, its outputs, its records.

Invariant: nothing here is for users; what they call is `CFunction` (api/function.py), and `dir` of one shows no name of this file.
Everything derived is made on first use and remembered.
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

from enzyme_magic.api import compiled as backend
from enzyme_magic.api.derivatives.outputs import RESULT, Output, OutputChoice, all_outputs, choose_outputs
from enzyme_magic.api.derivatives.wrt import Wrt, WrtChoice, choose
from enzyme_magic.backend.autodiff.calls.request import Request
from enzyme_magic.backend.frontend.c_types import is_float
from enzyme_magic.backend.runtime.contents import NamedByContent
from enzyme_magic.backend.runtime.values.arguments import ArgumentBinder, parameter_names
from enzyme_magic.errors import ArgumentError, DifferentiationError

if TYPE_CHECKING:
    from enzyme_magic.api.derivatives.caching import CachingChoice
    from enzyme_magic.api.program import Program
    from enzyme_magic.backend.frontend.c_types import Signature
    from enzyme_magic.backend.runtime.calls.invoke import Code
    from enzyme_magic.backend.runtime.calls.loops import Inlined
    from enzyme_magic.report import Report

Kept = TypeVar("Kept")


class NativeFunction(NamedByContent):
    """A C function of a program, as the package sees it."""

    # in the dictionary is what may be copied to an object around it (functools.update_wrapper), and pickled with that
    __slots__ = ("__dict__", "__weakref__", "_lock", "_reports", "_transforms", "c_signature", "program")

    def __init__(self, program: Program, name: str) -> None:
        self.program = program
        self.c_signature: Signature = program.compiled.signatures[name]
        self.__name__ = self.__qualname__ = name
        self.__doc__ = str(self.c_signature)
        self._reports: dict[Request, Report] = {}
        self._transforms: dict[tuple[Any, ...], Any] = {}
        self._lock = threading.RLock()

    @property
    def name(self) -> str:
        """The C name."""
        return self.__name__

    def code_of(self, request: Request) -> Code:
        """The native function of a derivative; compiled when it is asked for."""
        from enzyme_magic.backend.runtime.calls.invoke import code_of

        derived = self.derived(request)
        return code_of(derived.entry, self.c_signature, derived.library)

    def code(self, *, put_back: bool = False) -> Code:
        """The native function itself. put_back: the program's static data is afterwards what it was, as it is with derivatives."""
        from enzyme_magic.backend.runtime.calls.invoke import code_of

        compiled = self.program.compiled
        entry = dataclasses.replace(compiled.primal(self.name).entry, puts_back=put_back)
        return code_of(entry, self.c_signature, compiled.library)

    def inlined(self, request: Request | None = None) -> Inlined:
        """The text of the native function, or of a derivative, for loops around it."""
        from enzyme_magic.backend import lines
        from enzyme_magic.backend.runtime.calls.loops import Inlined

        compiled, cpu = self.program.compiled, self.program.options.cpu
        text = compiled.inlinable_ir() if request is None else self.derived(request).gradient_optimized_ir
        return Inlined(text, cpu, partial(lines.of_loop, cast(Any, compiled), request))

    def arguments(self, *, unchecked: bool = False, copied: bool = False) -> ArgumentBinder:
        """How Python's arguments become C's. copied: the function gets copies of what it writes, so arrays may be read-only."""
        shapes, primal = self.program.shapes(self.c_signature), self.program.compiled.primal(self.name)
        written = frozenset[int]() if copied else self.roles.written
        return ArgumentBinder(self.c_signature, shapes, written, unchecked, primal.needs)

    @cached_property
    def roles(self) -> backend.Roles:
        """Which parameters are written, and which have no gradient and why."""
        return backend.roles(self.program.compiled, self.name, dict(self.program.options.activity))

    def kept_call(self, key: tuple[Any, ...], make: Callable[[], Kept]) -> Kept:
        """What `make` gives, made once for a key. Not under the lock: it may compile."""
        found = self._transforms.get(key)
        return cast(Kept, found if found is not None else self._transforms.setdefault(key, make()))

    def choose(self, wrt: Wrt) -> WrtChoice:
        """The parameters `wrt` stands for."""
        return choose(self.name, parameter_names(self.c_signature), self.roles.refusals, wrt)

    def evaluate(self, arguments: Sequence[Any]) -> dict[int, Any]:
        """A call's outputs by index; buffers the function writes are those of `arguments`, and change. Static data does not."""
        result = self._asked(*arguments)
        return {output.index: result if output.index == RESULT else arguments[output.index] for output in self.outputs}

    @cached_property
    def _asked(self) -> Callable[..., Any]:
        """The C function on Python's arguments, as part of a question about it."""
        from enzyme_magic.backend.runtime.calls.callable import primal

        return primal(self.code(put_back=True), self.arguments())

    @cached_property
    def outputs(self) -> tuple[Output, ...]:
        """What the function gives back: its result, then the buffers it writes, in C order."""
        return all_outputs(self.c_signature, self.roles.written, self.roles.passive)

    def choose_outputs(self, wanted: Wrt = None) -> OutputChoice:
        """The outputs `wanted` stands for."""
        return choose_outputs(self.name, self.outputs, wanted)

    def request(
        self,
        wrt: Wrt = None,
        *,
        mode: str = "reverse",
        value: bool = False,
        seed: str = "one",
        outputs: Wrt = None,
        caching: CachingChoice = None,
    ) -> Request:
        """The key of one derivative. outputs: by default the result where it is a float, otherwise all written buffers."""
        if mode not in ("reverse", "forward"):
            raise ArgumentError(
                f"mode must be 'reverse' or 'forward', got {mode!r}", code="EM323", hint="leave mode out"
            )
        chosen = self.choose(wrt)
        if outputs is None and is_float(self.c_signature.result):
            buffers: tuple[int, ...] = ()
        else:
            buffers = self.choose_outputs(outputs).buffers
            seed = "argument"
        return self.request_of(chosen, mode, buffers, value=value, seed=seed, caching=caching)

    def request_of(
        self,
        wrt: WrtChoice,
        mode: str = "reverse",
        buffers: tuple[int, ...] = (),
        *,
        value: bool = False,
        seed: str = "argument",
        caching: CachingChoice = None,
        donate: bool = False,
    ) -> Request:
        """The key of the derivative for chosen parameters and output buffers. donate: it works on arrays of the caller's, not on
        memory of its own for each array that it writes."""
        separate = () if donate else tuple(self.program.compiled.primal(self.name).separable)
        request = Request(self.name, mode, wrt.indices, value, seed, buffers, separate=separate)
        if caching is None:
            return request
        from enzyme_magic.api.derivatives.caching import caching_of

        return dataclasses.replace(request, caching=caching_of(caching, self.make_report()))

    def require_float_result(self, transform: str) -> None:
        """DifferentiationError EM202 where the function has no gradient because its result is no floating number."""
        if not is_float(self.c_signature.result):
            raise DifferentiationError(
                f"{self.name} returns {self.c_signature.result}, so it has no gradient",
                code="EM202",
                hint="return a float or double" if all(not o.active for o in self.outputs) else self._instead(),
            )

    def _instead(self) -> str:
        names = ", ".join(output.name for output in self.outputs if output.active)
        return f"em.vjp, em.jvp and em.jacobian differentiate its outputs: {names}"

    def derived(self, request: Request) -> backend.Derived:
        """The compiled derivative; the same request gives the same code."""
        return self.program.compiled.derivative(request)

    def make_report(self, *, mode: str = "reverse", wrt: Wrt = None, caching: CachingChoice = None) -> Report:
        """The record for one mode, wrt and cache plan (see `enzyme_magic.grad`); made once per request."""
        request = self.request(wrt, mode=mode, caching=caching)
        with self._lock:
            if request not in self._reports:
                self._reports[request] = self.program.explain(request)
            return self._reports[request]

    def finished_report(self) -> Report | None:
        """The record of the default gradient where it has been made already."""
        with self._lock:
            return next((report for report in self._reports.values() if report.mode == "reverse"), None)

    def require_portable(self) -> None:
        """ToolchainError EM107 where it needs a variable that stays in this process."""
        program = cast(Any, self.program.compiled)
        held = program.state()
        if held.left:
            program.refuse_lost(self.name, held)
