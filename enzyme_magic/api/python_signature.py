"""How a C function looks to `inspect.signature`, and with it to help(), completion and functools.

Invariant: binding arguments to this signature succeeds for the usual ways to call; C types are the annotations.
"""

from __future__ import annotations

import inspect

from enzyme_magic.backend.frontend.c_types import declare
from enzyme_magic.backend.runtime.values.arguments import ArgumentBinder, python_name


class _FromArrays:
    """The default of a size that follows from the arrays."""

    def __init__(self, arrays: str) -> None:
        self.arrays = arrays

    def __repr__(self) -> str:
        return f"<from {self.arrays}>"


def python_signature(arguments: ArgumentBinder) -> inspect.Signature:
    """Positions for what must be given, keywords for sizes that follow from arrays."""
    places, sizes = [], []
    for name, parameter in zip(arguments.names, arguments.signature.parameters, strict=True):
        annotation = declare(parameter.type)
        if name in arguments.inferable:
            default = _FromArrays(", ".join(sorted(_sources(arguments, name))))
            kind = inspect.Parameter.KEYWORD_ONLY
            sizes.append(inspect.Parameter(python_name(name), kind, default=default, annotation=annotation))
        else:
            place = inspect.Parameter.POSITIONAL_OR_KEYWORD
            places.append(inspect.Parameter(python_name(name), place, annotation=annotation))
    return inspect.Signature([*places, *sizes], return_annotation=str(arguments.signature.result))


def _sources(arguments: ArgumentBinder, size: str) -> list[str]:
    """The arrays a size follows from."""
    return [
        name
        for name, array in arguments.extents.arrays.items()
        if any(extent is not None and extent.bare == size for extent in array.extents)
    ]
