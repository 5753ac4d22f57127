"""Derivatives checked: for users' tests and for our own.

Three comparisons at one point: the gradient with central differences (Richardson extrapolation, the step scaled by the argument
and by the precision of its type; some coordinates of each argument one by one, and one fixed random direction through all of
them); the pullback of all outputs with the same; and forward mode with reverse mode by the dot-product test <w, J v> = <J'w, v>.

Where differences and the gradient disagree, the watched run (backend/tracing) is a third opinion: it says at which C line a
comparison changes (a kink: the one-sided slopes differ, and no number is right), and where it confirms the gradient and
several steps of the differences disagree among themselves, the differences are what is too rough.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

from enzyme_magic.api.checks.precision import computed_in
from enzyme_magic.api.checks.probes import Parts, Point, Probe, Slopes, dot, parts_of, random_derivative, weights_of
from enzyme_magic.api.checks.third_opinion import Opinion, opinion
from enzyme_magic.api.derivatives.gradient_function import GradientFunction
from enzyme_magic.api.derivatives.outputs import RESULT
from enzyme_magic.api.derivatives.products import JVPFunction, VJPFunction
from enzyme_magic.api.derivatives.wrt import Wrt
from enzyme_magic.api.function import CFunction
from enzyme_magic.api.measured.step_errors import Slope
from enzyme_magic.api.transforms import refuse_unknown
from enzyme_magic.backend.frontend.c_types import is_float
from enzyme_magic.backend.runtime.values import layout
from enzyme_magic.errors import ArgumentError, DifferentiationError, user_frames
from enzyme_magic.progress import shown


class GradientMismatch(DifferentiationError, AssertionError):
    """A derivative and what it was compared with disagree. `kink`: a sentence where a comparison changes at the point, so that
    differences mean nothing there."""

    default_code = "EM250"
    kink: str = ""
    slope: Slope | None = None

    @property
    def steps(self) -> Any:
        """The error of differences against their step, for the slope that disagrees, as in `Checked`."""
        return _steps(self.slope)


@dataclass(frozen=True, slots=True)
class Checked:
    """What `check_grads` has compared. points: slopes; worst: the largest error relative to its slope (of slopes near 0, to a
    hundredth of what the function gives back, or of 1), 0 when all agree to the last bit.
    rough: slopes for which differences are too rough, and the watched run agrees with the gradient instead.

    A notebook shows a picture: the error of differences by their step, for the slope that agreed least (`.steps`)."""

    points: int
    worst: float
    rough: int = 0
    slope: Slope | None = field(default=None, repr=False, compare=False)

    @property
    def steps(self) -> Any:
        """The error of differences against their step, measured now at copies of the arguments: a picture with a text twin (`.svg`,
        `.text`). None where nothing was compared with differences."""
        return _steps(self.slope)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        drawn = self.steps
        more = drawn._repr_mimebundle_() if drawn is not None else {}
        return {**more, "text/plain": "\n\n".join([repr(self), *([drawn.text] if drawn is not None else [])])}


def _steps(slope: Slope | None) -> Any:
    from enzyme_magic.api.views_hook import views

    return None if slope is None else views().steps(slope.errors())


@user_frames
@shown("check_grads of {}")
def check_grads(
    f: CFunction,
    args: Any,
    order: int = 1,
    *,
    wrt: Wrt = None,
    rtol: float | None = None,
    atol: float | None = None,
    named: dict[str, Any] | None = None,
    **unknown: Any,
) -> Checked:
    """Compares the derivatives of a C function with finite differences of the function itself, and its two modes with each other.

    args: the arguments of a call, a tuple (anything else is the single argument); named: further arguments by C name. Nothing is
    modified. Outputs are the result and the buffers the function writes; at least one holds floating numbers. order: 2 also
    compares the derivatives of the gradient, in both modes, with finite differences of the gradient and with each other.
    rtol, atol: by the precision of each argument unless given (double: 1e-6 and 1e-8).
    Raises GradientMismatch (a DifferentiationError and an AssertionError) naming the argument, the index and both numbers.
    """
    refuse_unknown("check_grads", unknown, ("order", "wrt", "rtol", "atol", "named"))
    if not isinstance(order, int) or order not in (1, 2):
        what = (
            f"order={order!r} is not supported"
            if isinstance(order, int)
            else "the second argument is the tuple of all arguments"
        )
        raise ArgumentError(what, code="EM322", hint="em.check_grads(p.name, (x, y)), with order=1 or order=2")
    if not isinstance(f, CFunction):
        raise ArgumentError(
            f"check_grads takes a C function, got {type(f).__name__}", code="EM301", hint="em.check_grads(p.name, args)"
        )
    for option, given in (("rtol", rtol), ("atol", atol)):
        _refuse_tolerance(option, given)
    check = _Check(f, f.choose(wrt).indices, args if isinstance(args, tuple) else (args,), named or {}, (rtol, atol))
    if is_float(f.c_signature.result):
        check.gradient()
    if not is_float(f.c_signature.result) or any(o.index != RESULT and o.active for o in f.outputs):
        check.pullback()
    check.modes_or_reverse()
    if order == 1:
        return check.checked()
    second = _Check(GradientFunction(f, wrt).as_function, check.wrt, check.args, check.named, (rtol, atol))
    second.pullback()
    second.modes_or_reverse()
    rough = check.rough + second.rough
    return Checked(check.points + second.points, max(check.worst, second.worst), rough, check.slope or second.slope)


def _refuse_tolerance(option: str, given: Any) -> None:
    """ArgumentError EM322 for what no difference is compared with."""
    if given is not None and not (isinstance(given, Real) and not isinstance(given, bool) and float(given) >= 0):
        raise ArgumentError(f"{option} is a number from 0 on, got {given!r}", code="EM322", hint=f"{option}: float")


def check_gradient(
    f: CFunction, args: tuple[Any, ...], *, wrt: Wrt = None, named: dict[str, Any] | None = None
) -> Checked:
    """The first of the three comparisons alone, for a function with a floating result: needs no code but the gradient's."""
    check = _Check(f, f.choose(wrt).indices, args, named or {}, (None, None))
    check.gradient()
    return check.checked()


class _Check:
    """One function at one point."""

    def __init__(
        self,
        function: CFunction,
        wrt: tuple[int, ...],
        args: tuple[Any, ...],
        named: Mapping[str, Any],
        tolerances: tuple[float | None, float | None],
    ) -> None:
        self.function = function
        self.args, self.named = args, named
        self.wrt = wrt
        self.vjp = VJPFunction(function, wrt)
        self.setting = self.vjp.setting
        self.point = Point(self.setting, self.setting.convert(args, named))
        self.rtol, self.atol = tolerances
        self.noisy = (
            False  # differences of several steps disagreed, in a function that computes in a type coarser than it shows
        )
        self.worst, self.points, self.rough = 0.0, 0, 0
        self.slope: Slope | None = None  # of those that were compared with differences, the one with the largest error
        self.slope_error = -1.0

    def checked(self) -> Checked:
        return Checked(self.points, self.worst, self.rough, self.slope)

    # The comparisons -------------------------------------------------------------------------------------------------

    def gradient(self) -> None:
        """`grad` with differences of the result."""
        parts = GradientFunction(self.function, self.wrt)(*self.point.arguments())
        self._compare(parts, {RESULT: parts_of(1.0)}, "gradient")

    def pullback(self) -> None:
        """The pullback of all outputs, weighted at random, with differences of the weighted sum."""
        value, pullback = self.vjp(*self.point.arguments())
        cotangents = self._cotangents(value)
        outputs = self.setting.outputs.outputs
        parts = pullback(self.setting.outputs.pack(cotangents))
        what = f"weighted gradient of {', '.join(o.name for o in outputs if o.active)}"
        self._compare(parts, weights_of(outputs, cotangents), what)

    def modes_or_reverse(self) -> None:
        """Both modes with each other; where a rule of the program's own serves reverse mode only, that alone, with differences of
        all outputs."""
        try:
            self.modes()
        except DifferentiationError as error:
            if error.code != "EM273":
                raise
            self.pullback()

    def modes(self) -> None:
        """<w, J v> = <J'w, v>."""
        value, pullback = self.vjp(*self.point.arguments())
        cotangents = self._cotangents(value)
        gradients = pullback(self.setting.outputs.pack(cotangents))
        present = [index for index in self.wrt if self.point.values[index] is not None]
        tangents = {index: random_derivative(self.point.values[index], 11) for index in present}
        given = {
            self.setting.names[index]: t if self.setting.is_pointer(index) else t[()] for index, t in tangents.items()
        }
        names = dict(zip(self.setting.names, self.point.arguments(), strict=True))
        _, moved = JVPFunction(self.function, self.wrt)(names, given)
        moves = [moved] if self.setting.outputs.bare else list(moved)
        pairs = [(parts_of(c), parts_of(m)) for c, m in zip(cotangents, moves, strict=True) if c is not None]
        pairs_reverse = [
            (parts_of(g), parts_of(tangents[index]))
            for index, g in zip(self.wrt, gradients, strict=True)
            if index in tangents
        ]
        self._agree(pairs, pairs_reverse)

    def _cotangents(self, value: Any) -> list[Any]:
        outputs = self.setting.outputs
        values = [value] if outputs.bare else list(value)
        made = []
        for k, (output, found) in enumerate(zip(outputs.outputs, values, strict=True)):
            random = random_derivative(found, 20 + k) if output.active and found is not None else None
            made.append(random[()] if random is not None and output.index == RESULT else random)
        return made

    # Judging ---------------------------------------------------------------------------------------------------------

    def _agree(self, forward: list[tuple[Parts, Parts]], reverse: list[tuple[Parts, Parts]]) -> None:
        import numpy as np

        left, right = (sum((dot(a, b) for a, b in pairs), np.longdouble(0)) for pairs in (forward, reverse))
        sizes = [dot([np.abs(x) for x in a], [np.abs(y) for y in b]) for pairs in (forward, reverse) for a, b in pairs]
        scale = float(max(sizes, default=0.0))
        precision = max(self._precision(None), computed_in(self.function) if self.noisy else 0.0)
        rtol = precision**0.6 if self.rtol is None else self.rtol
        if left == right or (np.isnan(left) and np.isnan(right)):
            return
        error = float(abs(left - right))
        if not error <= rtol * scale + (self.atol or 0.0) and not self.noisy:  # the two modes may round in other places
            rtol = max(rtol, computed_in(self.function) ** 0.6) if self.rtol is None else rtol
        if not error <= rtol * scale + (self.atol or 0.0):
            raise GradientMismatch(
                f"{self.function.name}: forward and reverse mode disagree: {float(left)!r} and {float(right)!r} along"
                " the same random direction",
                code="EM251",
            )
        self.worst = max(self.worst, error / scale if scale else 0.0)

    def _compare(self, gradients: Any, weights: Mapping[int, Parts], what: str) -> None:
        """Gradients by parameter with the slopes of the weighted sum of outputs."""
        middle = self.point.weighted(weights)
        for index, gradient in zip(self.wrt, gradients, strict=True):
            if self.point.values[index] is None:
                continue
            precision = self._precision(index)
            for probe in self.point.probes(index):
                ours = float(dot(parts_of(gradient), probe.direction))
                slopes = self.point.slopes(probe, weights, precision)
                if slopes.uneven and (coarse := computed_in(self.function)) > precision:
                    self.noisy, precision = True, coarse
                    slopes = self.point.slopes(probe, weights, precision)
                slope = Slope(self.point, probe, weights, ours, precision)
                error = self._judge(slope, slopes, abs(float(middle)), what)
                self.points += 1
                if error > self.slope_error:
                    self.slope, self.slope_error = slope, error

    def _judge(self, slope: Slope, slopes: Slopes, size: float, what: str) -> float:
        """The relative error. Raises GradientMismatch where it is too large."""
        import numpy as np

        probe, ours, precision, expected = slope.probe, slope.ours, slope.precision, slopes.central
        if (np.isnan(ours) and np.isnan(expected)) or ours == expected:
            return 0.0
        base = precision ** (2 / 5)  # the extrapolated difference of a double is good to about 1e-10
        rtol = base if self.rtol is None else self.rtol
        atol = base / 100 if self.atol is None else self.atol
        scale, error = max(abs(ours), abs(expected)), abs(ours - expected)
        if not error <= atol * max(1.0, size) + rtol * scale:
            third = self._third(probe, what)
            if third is not None and third.kink is None and slopes.rough and third.confirms(ours):
                self.rough += 1
                return 0.0
            raise self._mismatch(slope, slopes, what, third)
        relative = float(
            error / max(scale, 0.01 * max(1.0, size))
        )  # differences know nothing of what is far below the result
        self.worst = max(self.worst, relative)
        return relative

    def _third(self, probe: Probe, what: str) -> Opinion | None:
        """The watched run's opinion; of the result's gradient alone."""
        if what != "gradient" or not isinstance(self.function, CFunction):
            return None
        return opinion(self.function, self.point, probe)

    def _mismatch(self, slope: Slope, slopes: Slopes, what: str, third: Opinion | None) -> GradientMismatch:
        probe, ours = slope.probe, slope.ours
        sides = f"left {slopes.left:.4g}, right {slopes.right:.4g}"
        kink = abs(slopes.left - slopes.right) > 0.01 * max(abs(slopes.left), abs(slopes.right), 1e-30)
        hint = (
            f"the slopes to the left ({slopes.left:.6g}) and to the right ({slopes.right:.6g}) differ: is there a kink?"
            if kink
            else None
        )
        found = GradientMismatch(
            f"{self.function.name}: the {what} with respect to {self.setting.names[probe.index]}{probe.where} is {ours!r},"
            f" finite differences give {slopes.central!r}",
            hint=hint,
        )
        found.slope = slope
        if kink and third is not None and third.kink is not None:
            found.kink = f"at {self._place(probe)} a comparison{_at_line(third.kink)} changes: {sides}; the gradient is {ours:.4g}"
        return found

    def _place(self, probe: Probe) -> str:
        """`x = 2`, or `this x[3]`."""
        name = self.setting.names[probe.index]
        value = self.point.values[probe.index]
        return f"{name} = {float(value):.6g}" if value.shape == () and not probe.where else f"this {name}{probe.where}"

    def _precision(self, index: int | None) -> float:
        """Distance from 1 to the next number: the coarsest of the outputs' types and the argument's (None: of all)."""
        import numpy as np

        outputs = [o.type if o.index == RESULT else None for o in self.setting.outputs.active]
        buffers = [self.point.values[o.index] for o in self.setting.outputs.active if o.index != RESULT]
        chosen = self.wrt if index is None else (index,)
        arrays = [self.point.values[k] for k in chosen if self.point.values[k] is not None]
        kinds = [part.dtype for array in [*buffers, *arrays] if array is not None for part in parts_of(array)]
        for type_ in outputs:
            if type_ is not None:
                kinds += [part.dtype for part in parts_of(np.zeros((), layout.dtype_of(type_)))]
        return max((float(np.finfo(kind).eps) for kind in kinds), default=2.0**-52)


def _at_line(line: int) -> str:
    return f" at line {line}" if line else ""
