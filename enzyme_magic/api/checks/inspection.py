"""What an interactive page may ask of the compiler: the record of another choice, and how long its gradient takes.

Invariant: pure for the user: gradients are called on the arguments that were given for this, and never write into them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from enzyme_magic.api.checks import following
from enzyme_magic.api.checks.small_numbers import small_numbers
from enzyme_magic.api.checks.timing import fastest
from enzyme_magic.api.derivatives.caching import PRESET
from enzyme_magic.api.passes import made
from enzyme_magic.backend.analysis.derivatives.cache_plan import PRESETS
from enzyme_magic.errors import ArgumentError, EnzymeError
from enzyme_magic.points import Costs, Curve
from enzyme_magic.report import Passes, Plan, Report, Trace

if TYPE_CHECKING:
    from enzyme_magic.api.function import CFunction


@dataclass(frozen=True)
class Inspection:
    """`arguments` of a call, (positional, named), for measuring; None where nothing may be called."""

    function: CFunction
    mode: str = "reverse"
    arguments: tuple[tuple[Any, ...], Mapping[str, Any]] | None = None

    def report(self, wrt: tuple[str, ...], caching: Mapping[str, str]) -> Report:
        """The record of the gradient with respect to these parameters, with this cache plan (see `em.grad`)."""
        return self.function.make_report(mode=self.mode, wrt=wrt, caching=caching or None)

    def traces(self, wrt: tuple[str, ...], caching: Mapping[str, str], point: Mapping[str, float]) -> tuple[Trace, ...]:
        """Calls of that gradient, step by step: at the arguments, else at small numbers; `point` changes numbers by name."""
        if self.mode != "reverse":
            return ()
        report = self.report(wrt, caching)
        if self.arguments is None and not point:
            return following.of_small_numbers(self.function, wrt, report, caching or None).traces
        arguments = following.moved(self.function, report, self.arguments, point)
        return following.at(self.function, wrt, report, arguments, caching or None).traces

    def plans(self, wrt: tuple[str, ...], present: Mapping[str, str]) -> tuple[Plan, ...]:
        """The presets and the present plan beside one another: bytes, and seconds where there are arguments."""
        chosen: dict[str, Mapping[str, str]] = {name: {PRESET: name} for name in PRESETS}
        if present and dict(present) not in chosen.values():
            chosen["as chosen"] = present
        times: dict[str, float | None] = {}
        return tuple(self._plan(name, wrt, caching, times) for name, caching in chosen.items())

    def passes(self, wrt: tuple[str, ...], caching: Mapping[str, str]) -> Passes:
        """What the optimizer did to that gradient, pass by pass."""
        return made(self.function, self.mode, wrt, caching or None)

    def curve(self, over: str, point: Mapping[str, float]) -> Curve:
        """The function along one number, the others as in the arguments; `point` changes numbers by name."""
        from enzyme_magic.api.measured.curve import curve

        given = self.arguments
        if given is not None or point:
            given = following.moved(self.function, self.function.make_report(mode=self.mode), given, point)
        return curve(self.function, over, given, None)

    def costs(self, wrt: tuple[str, ...]) -> Costs:
        """Times at the arguments, else at small numbers where such a call is allowed. ArgumentError EM301 where there are none."""
        from enzyme_magic.api.measured.costs import costs

        return costs(self.function, wrt, *self._call())

    def _call(self) -> tuple[tuple[Any, ...], Mapping[str, Any]]:
        if self.arguments is not None:
            return self.arguments
        if self.function.make_report().why_not_called == "":
            return small_numbers(self.function), {}
        raise ArgumentError(
            f"times of {self.function.name} need arguments of a call",
            code="EM301",
            hint="inspect(at=…), export(…, at=…)",
        )

    def fix(self, hint: str) -> str:
        """A hint applied to a copy of the C text, built and compared, in words."""
        from enzyme_magic.api.checks.fixing import tried, words

        return words(tried(self.function, hint, self.arguments).fix)

    def _plan(
        self, name: str, wrt: tuple[str, ...], caching: Mapping[str, str], times: dict[str, float | None]
    ) -> Plan:
        """times: those of the gradients that were measured, by their text: two plans that are one differ by chance only."""
        try:
            report = self.report(wrt, caching)
            text = "\n".join(stage.text for stage in report.stages if stage.name == "gradient-optimized")
            if text not in times:
                times[text] = self.seconds(wrt, caching)
            cache = report.cache
            return Plan(name, cache.total, cache.sliders, times[text], bound=cache.bound)
        except EnzymeError as error:
            return Plan(name, trouble=error.message)

    def seconds(self, wrt: tuple[str, ...], caching: Mapping[str, str]) -> float | None:
        """The fastest of some calls of that gradient; None without arguments."""
        if self.arguments is None or self.mode != "reverse":
            return None
        return fastest(self.function, wrt, caching, self.arguments)
