"""Times of a function and its gradient as bars, before and after optimization.

Invariant: every sentence is a quotient of two times of the record.
"""

from __future__ import annotations

from enzyme_magic.points import CostRow, Costs
from enzyme_magic.viz.drawing.bars import Bar
from enzyme_magic.viz.drawing.bars import svg as bars_svg
from enzyme_magic.viz.theme import Theme
from enzyme_magic.viz.wording import clean, pad

TONES = {"function": "mixed", "gradient": "active"}
_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


def draw(costs: Costs, theme: Theme) -> str:
    bars = tuple(Bar(_name(row), row.seconds, time_text(row.seconds), TONES[row.what]) for row in _order(costs))
    return bars_svg(title(costs), sentences(costs), bars, theme)


def _order(costs: Costs) -> list[CostRow]:
    """The function and its gradient, each before and after."""
    return sorted(costs.rows, key=lambda row: (row.what != "function", row.optimized))


def _name(row: CostRow) -> str:
    return f"{row.what}, {'optimized' if row.optimized else 'not optimized'}"


def title(costs: Costs) -> str:
    return clean(f"{costs.call}: time of one call")


def time_text(seconds: float) -> str:
    """ "12.3 µs"."""
    scale, unit = next(((s, u) for s, u in _UNITS if seconds >= s), _UNITS[-1])
    return f"{seconds / scale:.3g} {unit}"


def _times(over: float, under: float) -> str:
    """ "2.5 times as long"; "as long" where both take the same time."""
    text = f"{over / under:.2g}" if over < 99 * under else f"{over / under:.0f}"
    return "as long" if text == "1" else f"{text} times as long"


def sentences(costs: Costs) -> tuple[str, ...]:
    both = bool(costs.optimization)
    own, derived = (costs.seconds(what, both) for what in ("function", "gradient"))
    how, of = ("", "the function") if costs.native else ("a call of ", "one of the function")
    told = [f"{how}the gradient takes {_times(derived, own)} as {of}"]
    if both:
        slow = [_times(costs.seconds(what, False), costs.seconds(what, True)) for what in ("function", "gradient")]
        told.append(
            f"without optimization the function takes {slow[0]}, the gradient {slow[1].removesuffix(' as long')}"
        )
        told.append(f"optimized means {costs.optimization}")
    how = "many in one native loop" if costs.native else "each called from Python, with what such a call takes"
    told.append(f"the fastest of some calls, {how}")
    return tuple(told)


def text(costs: Costs) -> str:
    """The text twin: a row for each bar, and the sentences."""
    names = [_name(row) for row in _order(costs)]
    wide = max(map(len, names), default=0)
    rows = [f"{pad(n, wide)}  {time_text(row.seconds)}" for n, row in zip(names, _order(costs), strict=True)]
    return "\n".join([title(costs), *rows, *sentences(costs)])
