"""What the options `activity` and `shape` say of parameters, held against the functions that were compiled.

Invariant: each entry means something for at least one function of the program, or it is an ArgumentError: a name that no parameter
has, and an extent that cannot be read, would be as if nothing had been said. A function that has such a parameter, but not the
sizes of its extent, goes without it.
"""

from __future__ import annotations

import difflib
from collections.abc import ItemsView, Iterable, Mapping, Sequence
from typing import Any

from enzyme_magic.backend.frontend.c_types import Array, Pointer, Signature
from enzyme_magic.backend.frontend.extent import parse, split
from enzyme_magic.backend.runtime.values import layout
from enzyme_magic.backend.runtime.values.arguments import parameter_names
from enzyme_magic.config import Options
from enzyme_magic.errors import ArgumentError


def check(options: Options, signatures: Mapping[str, Signature]) -> None:
    """ArgumentError EM322 for an entry of `activity` or `shape` that fits no function."""
    called = [signature for signature in signatures.values() if not signature.static]
    for name, _ in options.activity:
        _having("activity", name, called)
    for name, text in options.shape:
        _check_shape(name, split(text), _having("shape", name, called))


def _having(option: str, name: str, signatures: Sequence[Signature]) -> list[Signature]:
    """The functions with a parameter of this name."""
    found = [signature for signature in signatures if name in parameter_names(signature)]
    if not found:
        known = list(dict.fromkeys(p for signature in signatures for p in parameter_names(signature)))
        raise ArgumentError(
            f"{option} names {name!r}, and no function has such a parameter", code="EM322", hint=_nearest(name, known)
        )
    return found


def _check_shape(name: str, texts: tuple[str, ...], signatures: Sequence[Signature]) -> None:
    arrays = [s for s in signatures if isinstance(_type_of(s, name), (Pointer, Array))]
    if not arrays:
        type_ = _type_of(signatures[0], name)
        raise ArgumentError(
            f"shape gives an extent for {name}, which is no array: {type_} {name}",
            code="EM322",
            hint="shape={'array': 'size'}: the array first",
        )
    for text in texts:
        extent = parse(text)
        if extent is None:
            raise ArgumentError(
                f"shape of {name}: {text if len(text) <= 60 else text[:60] + '…'!r} cannot be read",
                code="EM322",
                hint="whole numbers and integer parameters, as in 'n' or '2*n + 1'",
            )
        if not extent.names and extent.value({}) < 0:
            raise ArgumentError(
                f"shape of {name}: {text} is negative, and no array has so many elements",
                code="EM322",
                hint="whole numbers from 0, and integer parameters, as in 'n' or '2*n + 1'",
            )
        if not any(extent.names <= set(_integers(signature)) for signature in arrays):
            known = [integer for signature in arrays for integer in _integers(signature)]
            unknown = next(n for n in sorted(extent.names) if not all(n in _integers(s) for s in arrays))
            raise ArgumentError(
                f"shape of {name}: {unknown} is no integer parameter beside it",
                code="EM322",
                hint=_nearest(unknown, list(dict.fromkeys(known))),
            )


def _type_of(signature: Signature, name: str) -> object:
    return signature.parameters[parameter_names(signature).index(name)].type


def _integers(signature: Signature) -> list[str]:
    names = parameter_names(signature)
    return [name for name, p in zip(names, signature.parameters, strict=True) if layout.is_integer(p.type)]


def _nearest(name: str, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(name, known, 1) or [k for k in known if k.lower() == name.lower()]
    return f"did you mean {close[0]}?" if close else f"there are: {', '.join(known) or 'none'}"


def pairs(key: str, value: Any) -> tuple[tuple[str, str], ...]:
    """(name, text) for each entry of a mapping, or of pairs; several texts, or whole numbers, are joined by commas."""
    items = listed(value.items() if isinstance(value, Mapping) else value)
    if items is None or not all(_is_pair(item) for item in items):
        raise _no_pairs(key, value.items() if isinstance(value, Mapping) else value)
    return tuple(
        (name, ",".join(map(str, text if isinstance(text, (tuple, list)) else (text,)))) for name, text in items
    )


def listed(value: Any) -> list[Any] | None:
    """What a value is made of; None for one that has no parts, as NumPy's arrays without axes, which are iterable by their type."""
    try:
        return list(value) if isinstance(value, Iterable) else None
    except TypeError:
        return None


def _no_pairs(key: str, value: Any) -> ArgumentError:
    """ArgumentError EM322 for what is no mapping, or for the first entry of one that says nothing."""
    wrong = next((item for item in value if not _is_pair(item)), None) if isinstance(value, ItemsView) else None
    if wrong is None:
        return ArgumentError(f"{key} takes a mapping, got {value!r}", code="EM322", hint=f"{key}={{'x': '…'}}")
    return ArgumentError(f"{key} of {wrong[0]} cannot be {wrong[1]!r}", code="EM322", hint=f"{key}={{'x': '…'}}")


def _is_pair(item: Any) -> bool:
    if not isinstance(item, (tuple, list)) or len(item) != 2 or not isinstance(item[0], str):
        return False
    texts = item[1] if isinstance(item[1], (tuple, list)) else (item[1],)
    return all(isinstance(text, (str, int)) and not isinstance(text, bool) for text in texts)
