"""The record itself: one function, one request for its gradient, and everything that is known of both.

Invariant: `Report.from_json(report.to_json()) == report`. The text ends with a digest of itself (schema 7): pictures rely on
what fields say of each other, so a text that was changed is refused, and not drawn.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from enzyme_magic.errors import ArgumentError, for_users
from enzyme_magic.points import Costs, Curve
from enzyme_magic.report import encoding
from enzyme_magic.report.calls import Trace, Watched
from enzyme_magic.report.kept import CacheBreakdown, Plan
from enzyme_magic.report.optimization import Passes
from enzyme_magic.report.program import ActivityGraph, Fact, GradientC, Parameter, Selection, SourceLine, Stage

SCHEMA = 8  # earlier ones: without the fields that say so below; they are read, reports of later ones refused


_FIRST_WITH_DIGEST = 7


@dataclass(frozen=True, slots=True)
class Timing:
    stage: str
    milliseconds: float


@dataclass(frozen=True, slots=True)
class Check:
    """The correctness badge. `done` False: `text` says what is missing."""

    done: bool
    text: str
    points: int = 0
    worst_relative_error: float = 0.0


@for_users
@dataclass(frozen=True, slots=True)
class Report:
    """Everything a person may want to see of one function and one request for its gradient."""

    function: str
    signature: str  # "relu3(double x) -> double"
    mode: str  # "reverse", "forward"
    wrt: tuple[str, ...]
    source_name: str  # "In[3]"
    source: tuple[SourceLine, ...]
    parameters: tuple[Parameter, ...]
    activity: ActivityGraph
    stages: tuple[Stage, ...]
    cache: CacheBreakdown
    facts: tuple[Fact, ...] = ()
    timings: tuple[Timing, ...] = ()
    versions: tuple[tuple[str, str], ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    check: Check | None = None
    example: str | None = None  # "grad(2.0) = 12.0"
    notes: tuple[str, ...] = ()  # "added #include <math.h>"
    cost: str | None = None  # "1.6 x the function itself (measured)"
    schema: int = SCHEMA
    why_not_called: str = (
        "not known"  # "" where a call with small numbers is certain to return and to do nothing else (schema 2)
    )
    selections: tuple[Selection, ...] = ()  # for all subsets of up to three active parameters
    gradient_c: GradientC | None = None  # None: not recorded (schema 3)
    traces: tuple[Trace, ...] = ()  # calls of the gradient, step by step (schema 4)
    plans: tuple[Plan, ...] = ()  # cache plans beside one another, where they were compared (schema 4)
    watched: Watched | None = None  # a call of the function, where one was watched (schema 4)
    passes: Passes | None = None  # what the optimizer did, where that was asked for (schema 6)
    curves: tuple[Curve, ...] = ()  # the function along single numbers, where that was asked for (schema 6)
    costs: Costs | None = None  # times of the function and its gradient, where they were measured (schema 6)

    def selection(self, *wrt: str) -> Selection | None:
        """What is active with respect to these parameters alone, in any order; None where that is not recorded."""
        asked = set(wrt)
        return next((found for found in self.selections if set(found.wrt) == asked), None)

    def stage(self, name: str) -> Stage:
        """ArgumentError EM323 where there is no such stage."""
        found = next((stage for stage in self.stages if stage.name == name), None)
        if found is None:
            listed = ", ".join(stage.name for stage in self.stages)
            raise ArgumentError(f"the report has no stage {name!r}", code="EM323", hint=f"one of {listed}")
        return found

    def to_json(self) -> str:
        text = encoding.encoded(self)
        return f'{text[:-1]},"digest":"{_digest(text)}"}}'

    @classmethod
    def from_json(cls, text: str) -> Report:
        """The report of a text that `to_json` gave, of this schema or an earlier one. No compiler is needed.

        ArgumentError EM334 for any other text.
        """
        data = _plain(text)
        schema = data.get("schema")
        if type(schema) is not int or not 1 <= schema <= SCHEMA:
            raise _unreadable(f"its schema is {schema!r}, and this version reads schemas 1 to {SCHEMA}")
        digest = data.pop("digest", None)
        if schema >= _FIRST_WITH_DIGEST and digest != _digest(encoding.text_of(data)):
            raise _unreadable("it was changed after it was written")
        try:
            report = encoding.decoded(cls, data | {"schema": SCHEMA})
        except ValueError as error:
            raise _unreadable(f"it is not the JSON of a report ({error})") from error
        except (TypeError, KeyError, AttributeError, RecursionError) as error:
            raise _unreadable("it is not the JSON of a report") from error
        assert isinstance(report, Report)
        return report


def _plain(text: str) -> dict[str, Any]:
    """What the JSON says, where it is an object."""
    try:
        data = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        why = f" ({error})" if isinstance(error, ValueError) else ": it is nested too deeply"
        raise _unreadable(f"it is not JSON{why}") from error
    except (ValueError, TypeError, AttributeError) as error:  # a number of thousands of digits, bytes, no text at all
        raise _unreadable("it is not the JSON of a report") from error
    if not isinstance(data, dict):
        raise _unreadable("it is not the JSON of a report: that is an object")
    return data


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _unreadable(why: str) -> ArgumentError:
    return ArgumentError(
        f"no report can be read from this text: {why}", code="EM334", hint="text that report.to_json() gave"
    )
