"""`CFunction`: one C function, as the user holds it.

Invariant: it holds its Program, so code stays loaded as long as any of its functions, gradients or maps lives. Calling it is
calling C: in place, no copies. Everything derived (gradients, maps, reports) is made on first use and remembered.

What the arguments may be is in backend/runtime; which parameters are active is the program's answer.
"""

from __future__ import annotations

import dataclasses
import difflib
import os
from collections.abc import Callable, Mapping
from functools import cached_property
from inspect import Signature as PythonSignature
from pathlib import Path
from typing import TYPE_CHECKING, Any

from enzyme_magic.api.derivatives.setting import call_of
from enzyme_magic.api.derivatives.wrt import Wrt
from enzyme_magic.api.native_function import NativeFunction
from enzyme_magic.api.text import IRText
from enzyme_magic.backend.frontend.c_types import is_float
from enzyme_magic.backend.runtime.values.arguments import parameter_names
from enzyme_magic.errors import ArgumentError, NoSuchAttribute, for_users, user_frames

if TYPE_CHECKING:
    from enzyme_magic.api.checks.explanations import Explanation
    from enzyme_magic.api.checks.fixing import Tried
    from enzyme_magic.api.checks.nan_trace import NanTrace
    from enzyme_magic.api.derivatives.caching import CachingChoice
    from enzyme_magic.api.derivatives.gradient_function import GradientFunction
    from enzyme_magic.api.derivatives.hessian import HessianFunction
    from enzyme_magic.api.derivatives.jacobian import JacobianFunction
    from enzyme_magic.api.derivatives.products import JVPFunction, VJPFunction
    from enzyme_magic.api.passes import PassTable
    from enzyme_magic.api.program import Program
    from enzyme_magic.api.tables import ActivityTable, CacheTable
    from enzyme_magic.report import GradientC, Report

PUBLIC = (
    "activity", "address", "cache", "cost", "dtypes", "export", "grad", "gradient_c", "hessian", "inspect", "ir", "jacobian", "jvp",
    "map", "memory", "name", "passes", "plan", "program", "report", "show", "tape", "try_fix", "trace_nan", "value_and_grad", "vjp",
    "why",
)  # fmt: skip
At = Any  # the arguments of a call: a tuple, a mapping from C names, or the only one
STAGES = ("input", "optimized", "gradient", "gradient-optimized")


@for_users
class CFunction(NativeFunction):
    """A C function: call it, differentiate it, look into it."""

    __slots__ = ("_call", "_direct")  # not in the dictionary, which functools.update_wrapper copies

    def __init__(self, program: Program, name: str) -> None:
        super().__init__(program, name)
        self._call: Callable[..., Any] = self._first_call

    def __call__(self, /, *args: Any, **c_parameters: Any) -> Any:
        """The C function itself, on numbers and arrays (in place, as in C)."""
        __tracebackhide__ = True
        try:
            return self._call(*args, **c_parameters)
        except ArgumentError as error:
            raise error.for_user() from error.__cause__

    def __getattr__(self, name: str) -> Any:
        """Only asked for what there is not. NoSuchAttribute (an AttributeError) has the nearest name: IPython does not say it."""
        __tracebackhide__ = True
        if name.startswith("_") or hasattr(type(self), name):
            return object.__getattribute__(self, name)  # the error that a property of this name has met
        near = difflib.get_close_matches(name, [known for known in dir(self) if not known.startswith("_")], 1)
        hint = f"did you mean .{near[0]}?" if near else "dir(f) lists what a C function has"
        raise NoSuchAttribute(f"a C function has no attribute {name!r}", hint=hint)

    def _first_call(self, /, *args: Any, **c_parameters: Any) -> Any:
        from enzyme_magic.backend.runtime.calls.callable import primal
        from enzyme_magic.backend.runtime.calls.direct import Often

        arguments = self.arguments()  # this refuses what has no code to be called by
        Often(primal(self.code(), arguments), self._directly).serve(self)
        return self._call(*args, **c_parameters)

    def _directly(self, fallback: Callable[..., Any]) -> Callable[..., Any] | None:
        """The function as a built-in of Python, where it can be one."""
        from enzyme_magic.backend.llvm.bounded import effort
        from enzyme_magic.backend.runtime.calls import direct

        code = self.code()
        work = effort(self.program.compiled.ir("optimized", self.name), code.entry.symbol)
        return direct.made(code, self.arguments(), direct.Form(), {}, fallback, work=work)

    @property
    def address(self) -> int:
        """Address of the compiled C function, for ctypes, cffi, numba, scipy.LowLevelCallable. Valid while this object lives."""
        entry, library = self.program.compiled.primal(self.name).entry, self.program.compiled.library
        symbol = self.name if any(slot.kind == "arguments" for slot in entry.slots) else entry.symbol
        return library.address(symbol)

    @cached_property
    def dtypes(self) -> Mapping[str, Any]:
        """The NumPy dtype each pointer parameter takes, by C name; structured dtypes for structs, by pointer or value."""
        return self.arguments().dtypes

    # Derivatives -----------------------------------------------------------------------------------------------------

    @cached_property
    def grad(self) -> GradientFunction:
        """The gradient with respect to all active parameters: `f.grad(2.0)`. Options go to `em.grad(f, …)`."""
        from enzyme_magic.api.derivatives.gradient_function import GradientFunction

        return GradientFunction(self)

    @cached_property
    def value_and_grad(self) -> GradientFunction:
        """Like `grad`, but gives (value, gradient)."""
        from enzyme_magic.api.derivatives.gradient_function import GradientFunction

        return GradientFunction(self, value=True)

    @cached_property
    def vjp(self) -> VJPFunction:
        """`value, pullback = f.vjp(…)`: the outputs, and the function from their weights to the gradient. Options: `em.vjp`."""
        from enzyme_magic.api.derivatives.products import VJPFunction

        return VJPFunction(self)

    @cached_property
    def jvp(self) -> JVPFunction:
        """`value, tangent = f.jvp(primals, tangents)`: the outputs, and how they move with the primals. Options: `em.jvp`."""
        from enzyme_magic.api.derivatives.products import JVPFunction

        return JVPFunction(self)

    @cached_property
    def jacobian(self) -> JacobianFunction:
        """`f.jacobian(…)`: all partial derivatives, output axes first. Options go to `em.jacobian(f, …)`."""
        from enzyme_magic.api.derivatives.jacobian import JacobianFunction

        return JacobianFunction(self)

    @cached_property
    def hessian(self) -> HessianFunction:
        """`f.hessian(…)`: all second derivatives. Options go to `em.hessian(f, …)`."""
        from enzyme_magic.api.derivatives.hessian import HessianFunction

        return HessianFunction(self.grad)

    def transform(self, kind: str, wrt: Wrt, outputs: Wrt, donate: bool, unchecked: bool) -> Callable[..., Any]:
        """`vjp` or `jvp` with options; the same options give the same object, so that code is compiled once."""
        from enzyme_magic.api.derivatives.products import JVPFunction, VJPFunction

        if wrt is None and outputs is None and not donate and not unchecked:
            return self.vjp if kind == "vjp" else self.jvp
        key = (kind, *(tuple(o) if isinstance(o, list) else o for o in (wrt, outputs)), donate, unchecked)
        make = VJPFunction if kind == "vjp" else JVPFunction
        try:
            hash(key)
        except TypeError:  # no names: which of them are wrong, and why, is said where they are looked up
            return make(self, wrt, outputs, donate=donate, unchecked=unchecked)
        with self._lock:
            if key not in self._transforms:
                self._transforms[key] = make(self, wrt, outputs, donate=donate, unchecked=unchecked)
            found: Callable[..., Any] = self._transforms[key]
            return found

    @cached_property
    @user_frames
    def map(self) -> Callable[..., Any]:
        """`f.map(xs, …)`: a scalar function over arrays, NumPy's broadcasting, one native loop."""
        from enzyme_magic.backend.runtime.calls.mapping import Map

        inlined = self.inlined()
        return Map(self.code(), self.arguments(), lambda value, gradients: value, inlined=inlined, owner=self)

    # Looking inside --------------------------------------------------------------------------------------------------

    def ir(self, stage: str = "optimized", *, mode: str = "reverse", wrt: Wrt = None, seed: str = "one") -> IRText:
        """LLVM text of one stage: "input", "optimized", "gradient", "gradient-optimized". A str with `.graph`.

        "gradient" is the synthesized function with its seed; "gradient-optimized" is what `.grad` calls (seed="argument" keeps the
        seed a parameter there too). mode and wrt as in `grad`.
        """
        if stage not in STAGES:
            raise ArgumentError(
                f"there is no stage {stage!r}", code="EM323", hint=f"one of {', '.join(map(repr, STAGES))}"
            )
        if stage in ("input", "optimized"):
            text = self.program.compiled.ir(stage, self.name)
        else:
            derived = self.derived(self.request(wrt, mode=mode, seed=seed))
            text = derived.gradient_ir if stage == "gradient" else derived.gradient_optimized_ir
        return IRText(text, stage, lambda: self.make_report(mode=mode, wrt=wrt))

    @property
    def report(self) -> Report:
        """The frozen record behind the pictures, for the default gradient."""
        return self.make_report()

    def activity(self, *, mode: str = "reverse", wrt: Wrt = None, at: At = None) -> ActivityTable:
        """Which instructions carry derivatives, each with its C line and reason.

        at: the arguments of one call. It is watched: the table then also says which instructions carried a derivative in that call,
        which were predicted and did not, and where a dependence ended in a comparison, a rounding or an address. The arguments, the
        program's variables and the screen stay as they are. What cannot be followed is said, not guessed.
        """
        from enzyme_magic.api.tables import ActivityTable

        report = self.make_report(mode=mode, wrt=wrt)
        if at is None:
            return ActivityTable(report)
        from enzyme_magic.api.checks.watching import watched

        return ActivityTable(dataclasses.replace(report, watched=watched(self, report, wrt, *call_of(at))))

    @user_frames
    def cache(
        self,
        *,
        mode: str = "reverse",
        wrt: Wrt = None,
        assume: Mapping[str, str | int] | None = None,
        at: At = None,
        caching: CachingChoice = None,
    ) -> CacheTable:
        """What the gradient keeps for its reverse sweep, what it recomputes, and why. caching: as in `grad`.

        assume: the plan as it would be if the C text said more, planned anew: `{"out": "restrict"}`, `{"x": "const"}`, `{"n": 10}`,
        or several of them. Nothing of the function itself changes. ArgumentError EM335 for what cannot be assumed.

        at: example arguments, `(2.0, 3)` or `{"x": 2.0, "n": 3}`: one gradient is called with copies of them, and what it keeps is
        measured, by function and line, beside the prediction (`.measured`). ArgumentError EM301 where no number is returned.
        """
        from enzyme_magic.api.tables import CacheTable

        if at is not None:
            from enzyme_magic.api.checks.measuring import measured

            report = self.make_report(mode=mode, wrt=wrt, caching=caching)
            return CacheTable(measured(self, wrt, report, call_of(at), caching=caching))
        if not assume:
            return CacheTable(self.make_report(mode=mode, wrt=wrt, caching=caching))
        return CacheTable(self.program.explain(self.request(wrt, mode=mode, caching=caching), assume))

    tape = cache

    def try_fix(self, hint: str | int = 0, *, at: At = None) -> Tried:
        """A hint of the cache plan (`f.report.cache.hints`, or its number), applied to a copy of the C text and built.

        at: arguments of a call: both gradients are called with copies of them and compared, with bytes and time before and after.
        `.function` is the rebuilt function, `.fix.text` its C text. ArgumentError EM335 where there is no such hint or no place
        for it.
        """
        from enzyme_magic.api.checks.fixing import tried

        return tried(self, hint, None if at is None else call_of(at))

    def memory(self, at: At, *, wrt: Wrt = None, plans: bool = False) -> Any:
        """The bytes that one call of the gradient keeps, over time, by function; a picture with a text twin (`.text`, `.svg`).

        at: example arguments as in `cache`; nothing of them changes. plans: with the curves of the other cache plans.
        """
        from enzyme_magic.api.checks.measuring import measured
        from enzyme_magic.api.views_hook import views

        return views().memory(measured(self, wrt, self.make_report(wrt=wrt), call_of(at), plans))

    def passes(self, *, mode: str = "reverse", wrt: Wrt = None) -> PassTable:
        """The optimizer's passes that changed the gradient, one by one, each with what it changed: `print(f.passes())`, `.text(3)`,
        `.diff(3)`. LLVM runs again for that, in a process of its own, on the module that `.grad` is made of.

        Raises ToolchainError EM125 where it does not come to an end."""
        from enzyme_magic.api.passes import PassTable, made

        return PassTable(self.name, made(self, mode, wrt))

    def trace_nan(self, /, *args: Any, wrt: Wrt = None, **named: Any) -> NanTrace:
        """Where a NaN or an infinity is born in this call: the C line, the operation and its numbers, in the value, else in the
        gradient. The arguments of a call; wrt as in `grad`. Prints as sentences, and is False where all is finite."""
        from enzyme_magic.api.checks.nan_trace import trace_nan

        return trace_nan(self, wrt, args, named)

    def why(self, where: str | int | None = None, *, wrt: Wrt = None, mode: str = "reverse") -> Explanation:
        """Why something is active or not: `f.why("line 3")`, `f.why("%mul")`, `f.why("x")`, `f.why(wrt="w")`."""
        from enzyme_magic.api.checks.explanations import explain

        return explain(self, where, wrt=wrt, mode=mode)

    def gradient_c(self, *, mode: str = "reverse", wrt: Wrt = None) -> GradientC:
        """The gradient as C text (`.text`, also `str`), or why it cannot be written as C (`.reason`): never a C text that may mean
        something else. mode and wrt as in `grad`."""
        made = self.make_report(mode=mode, wrt=wrt).gradient_c
        assert made is not None  # reports made here have it
        return made

    def plan(self, *, mode: str = "reverse", wrt: Wrt = None, caching: CachingChoice = None) -> str:
        """What the compiler decided before it wrote the derivative: each function that it is made of, callers first, with the
        parameters that have shadows, what each call asks for, and what is stored, with reasons. Values have their names in the IR
        (`f.ir("optimized")`). mode, wrt and caching as in `grad`."""
        return self.program.plan(self.request(wrt, mode=mode, caching=caching))

    def cost(self, /, *args: Any, wrt: Wrt = None, **named: Any) -> Any:
        """Times of the function and its gradient at these arguments, before and after optimization, as a picture with a text twin
        (`.text`, `.svg`; `.record` has the seconds). Nothing is modified. The arguments of a call; wrt as in `grad`."""
        from enzyme_magic.api.measured.costs import costs
        from enzyme_magic.api.views_hook import views

        return views().costs(costs(self, wrt, args, named))

    def show(
        self,
        view: str | None = None,
        *,
        mode: str = "reverse",
        wrt: Wrt = None,
        over: str | None = None,
        at: At = None,
        between: tuple[float, float] | None = None,
    ) -> Any:
        """The pictures, all of them or one, as an object IPython displays.

        view="curve": the function along one number, `over` a parameter ("x") or an element of an array ("x[3]"): value, gradient,
        differences, jumps and kinks. at: the arguments that are held, as in `cache`; between: from where to where, else around the
        argument. ArgumentError EM301 where no number is returned, or arguments are missing.
        """
        from enzyme_magic.api import showing

        if over is not None or view == "curve":
            return showing.curve_of(self, view, over, at, between)
        return showing.show(self, view, mode, wrt)

    def inspect(
        self,
        *,
        mode: str = "reverse",
        wrt: Wrt = None,
        quiz: bool = False,
        previous: CFunction | None = None,
        at: At = None,
    ) -> Any:
        """The pictures as a widget that answers clicks (docs/interactive.md); an ipywidgets widget with synced traits.

        quiz: predict first, then reveal. previous: an earlier version of the function; the page shows what became active.
        at: arguments of a call: the page follows it step by step, and measures the gradients of other cache plans with it.
        """
        from enzyme_magic.api import showing

        return showing.inspect(self, mode, wrt, quiz=quiz, previous=previous, at=at)

    def export(
        self,
        path: str | os.PathLike[str],
        view: str | None = None,
        *,
        theme: str = "light",
        mode: str = "reverse",
        wrt: Wrt = None,
        at: At = None,
        over: str | None = None,
    ) -> Path:
        """Writes what there is to see as a file; its absolute path.

        The ending says what: .html one self-contained page, .svg .png .dot .txt one view (the first screen), .ll the IR of one
        stage (view="gradient-optimized"), .json the report, which `python -m enzyme_magic report` opens without a compiler.
        theme: "light" or "dark". at: arguments of a call that the page follows step by step (functions of numbers have one anyway),
        and with which the cache plans are measured. view="passes" of a page: it also has the optimizer's passes, one by one;
        view="curve": its tab Values also has the function along the number `over` (as in `show`), or along each active number;
        view="memory": its tab Cache also has the measured curves of the other cache plans;
        view="cost": it has the times of `cost` (.svg and .txt hold such a plot alone). view="slides": a talk of 16:9 with speaker
        notes, which prints to PDF.
        Raises ViewError: no such view, stage, theme or format; not to be drawn; not to be written.
        """
        from enzyme_magic.api import showing

        return showing.export(self, path, view, theme, mode, wrt, at, over)

    # Python's protocols ----------------------------------------------------------------------------------------------

    @property
    def __signature__(self) -> PythonSignature:
        """Sizes that follow from arrays are keyword-only and may be left out."""
        from enzyme_magic.api.python_signature import python_signature

        return python_signature(self.arguments())

    def __str__(self) -> str:
        """`dot(…) -> double | grad: x, y`; where the result is no float `fill(…) -> void | vjp: x -> out`."""
        names = parameter_names(self.c_signature)
        active = ", ".join(name for index, name in enumerate(names) if index not in self.roles.refusals)
        outputs = ", ".join(output.name for output in self.outputs if output.active)
        if active and not is_float(self.c_signature.result) and outputs:
            return f"{self.c_signature} | vjp: {active} -> {outputs}"
        return f"{self.c_signature} | grad: {(is_float(self.c_signature.result) and active) or 'none'}"

    def __repr__(self) -> str:
        return f"<C function {self.c_signature} from {self.program.name}>"

    def __copy__(self) -> CFunction:
        return self

    def __deepcopy__(self, memo: object) -> CFunction:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        self.require_portable()
        return _function_of, (self.program, self.name)

    def __dir__(self) -> list[str]:
        """What users call; the rest serves the package."""
        return sorted({*(name for name in object.__dir__(self) if name.startswith("__")), *PUBLIC})


def _function_of(program: Program, name: str) -> CFunction:
    return program[name]
