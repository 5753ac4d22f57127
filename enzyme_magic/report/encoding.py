"""Frozen records as JSON, and back.

Invariant: `decoded(kind, json.loads(encoded(record))) == record`. Fields this version does not know are passed
over; one that is missing has its default; anything else that does not fit is a ValueError.
"""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from typing import Any


def encoded(record: Any) -> str:
    return text_of(dataclasses.asdict(record))


def text_of(data: Any) -> str:
    """Plain data as JSON: what json.loads gives of the text is written as the same text again."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def decoded(kind: Any, data: Any) -> Any:
    """The dataclass tree of `kind` from what json.loads gave; tuples come back as tuples. ValueError where it does not fit."""
    origin = typing.get_origin(kind)
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return _decode_record(kind, data)
    if origin is tuple:
        return _decode_tuple(typing.get_args(kind), data)
    if origin in (types.UnionType, typing.Union):
        inner = next(part for part in typing.get_args(kind) if part is not type(None))
        return None if data is None else decoded(inner, data)
    if kind in (str, bool, int, float) and type(data) is not kind and not (kind is float and type(data) is int):
        raise ValueError(f"{kind.__name__} expected, {_kind(data)} found")
    return data


def _decode_record(kind: type[Any], data: Any) -> Any:
    """Fields this version does not know are passed over; one that is missing has its default."""
    if not isinstance(data, dict):
        raise ValueError(f"{kind.__name__} expected, {_kind(data)} found")
    hints = typing.get_type_hints(kind)
    required = {f.name for f in dataclasses.fields(kind) if _is_required(f)}
    if missing := sorted(required - set(data)):
        raise ValueError(f"{kind.__name__} without {', '.join(missing)}")
    return kind(**{key: decoded(hints[key], value) for key, value in data.items() if key in hints})


def _decode_tuple(parts: tuple[Any, ...], data: Any) -> tuple[Any, ...]:
    if not isinstance(data, list):
        raise ValueError(f"a list expected, {_kind(data)} found")
    if len(parts) == 2 and parts[1] is Ellipsis:
        return tuple(decoded(parts[0], item) for item in data)
    return tuple(decoded(part, item) for part, item in zip(parts, data, strict=True))


def _is_required(field: dataclasses.Field[Any]) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _kind(data: Any) -> str:
    return "null" if data is None else type(data).__name__
