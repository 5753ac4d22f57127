"""The native loops of a function and of its derivatives: compiled once per function, whoever maps it."""

from __future__ import annotations

from enzyme_magic.api.function import CFunction
from enzyme_magic.backend.autodiff.calls.request import Request
from enzyme_magic.backend.runtime.calls.batch import Batch


def primal(function: CFunction, *, put_back: bool = False) -> Batch:
    """The function itself; ArgumentError EM340 where there is no loop. put_back: static data is afterwards what it was."""

    def make() -> Batch:
        return Batch(function.code(put_back=put_back), function.inlined())

    return function.kept_call(("batch", put_back), make)


def derivative(function: CFunction, request: Request) -> Batch:
    """One of its derivatives."""

    def make() -> Batch:
        return Batch(function.code_of(request), function.inlined(request))

    return function.kept_call(("batch", request), make)
