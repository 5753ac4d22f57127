"""Frozen dataclass trees as JSON, for the disk and for pickles.

Invariant: `load(dump(x), classes) == x` for trees of the given frozen dataclasses, tuples, strings, numbers, booleans
and None. A class is found by its name among `classes`, so nothing but these can come out of a file.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable
from typing import Any

TAG = "$"


def dump(value: object) -> str:
    """`value` as JSON text."""
    return json.dumps(_encode(value), ensure_ascii=False, separators=(",", ":"))


def load(text: str, classes: Iterable[type]) -> Any:
    """What `dump` wrote. Raises ValueError for anything else."""
    known = {cls.__name__: cls for cls in classes}
    try:
        return _decode(json.loads(text), known)
    except (KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"not a record of this package: {error}") from error


def _encode(value: object) -> object:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {f.name: _encode(getattr(value, f.name)) for f in dataclasses.fields(value)}
        return {TAG: type(value).__name__, **fields}
    if isinstance(value, tuple):
        return [_encode(item) for item in value]
    if isinstance(value, dict):
        return {TAG: "dict", "items": [[_encode(k), _encode(v)] for k, v in value.items()]}
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    raise TypeError(f"{type(value).__name__} has no JSON form here")


def _decode(data: Any, known: dict[str, type]) -> Any:
    if isinstance(data, list):
        return tuple(_decode(item, known) for item in data)
    if isinstance(data, dict):
        name = data[TAG]
        if name == "dict":
            return {_decode(k, known): _decode(v, known) for k, v in data["items"]}
        return known[name](**{key: _decode(item, known) for key, item in data.items() if key != TAG})
    return data
