"""Values that fit few parameters, and every call with one of them in the place of each argument."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

import enzyme_magic as em

ODD = SimpleNamespace(odd=True)
SAME = (
    *(
        None,
        True,
        0,
        3,
        -1,
        10**30,
        2.5,
        float("nan"),
        float("inf"),
        1j,
        Fraction(1, 3),
        Decimal("1.5"),
        np.int64(2),
    ),
    *("", "zzz", "\0", "\ud800", "x", b"x", bytearray(b"x"), memoryview(b"xyz"), np.str_("x"), "x" * 5000),
    *(
        [],
        [1],
        [None],
        [[1], [1, 2]],
        [ODD],
        (),
        ("x",),
        ("x", "x"),
        (None,),
        (1, 2, 3),
        (ODD,),
        [[[[[]]]]],
        {1, 2},
    ),
    *({}, {"x": 1}, {"x": None}, {1: 2}, {"zzz": 1}, {None: None}, {"x": ODD}, {"x": {"x": 1}}),
    *(np.array(1.0), np.ones(3), np.ones((2, 2)), np.ones(0), np.array(["a"]), np.array([None]), np.array([1j])),
    *(np.array(["2020-01-01"], "M8[D]"), np.zeros(2, [("q", "f8")]), np.ma.masked_array([1.0, 2.0], [0, 1])),
    *(ODD, NotImplemented, ..., range(3), slice(1), ValueError("v"), np, Path("no/such/folder/file.html"), Path("/")),
)
BAD: list[Callable[[], Any]] = [lambda value=value: value for value in SAME]  # type: ignore[misc]
BAD += [lambda: iter([1, 2]), lambda: (letter for letter in "ab")]  # these can be read once


def foreign(call: Callable[..., Any], args: Sequence[Any], named: Mapping[str, Any]) -> Iterator[str]:
    """Each call with one argument replaced that ends in an error of Python, of a library, or in one without a repair."""
    for place in (*range(len(args)), *named):
        for make in BAD:
            bad = make()
            given = [bad if k == place else value for k, value in enumerate(args)]
            by_name = {key: bad if key == place else value for key, value in named.items()}
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    call(*given, **by_name)
            except em.InternalError as error:
                yield f"{place}={bad!r:.40}: {error!r:.120}"
            except em.EnzymeError as error:
                if len(str(error)) > 3000 or not (error.hint or error.span or error.code in WITHOUT_HINT):
                    yield f"{place}={bad!r:.40}: no hint, or a long one: {error!r:.120}"
            except MemoryError:
                pass  # as np.empty
            except Exception as error:  # what this is about
                yield f"{place}={bad!r:.40}: {error!r:.120}"


WITHOUT_HINT = ("EM110", "EM251", "EM504")  # clang's own words; a comparison that was asked for; what the system says
