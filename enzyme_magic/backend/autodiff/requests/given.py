"""What a request says of one parameter of the function."""

from __future__ import annotations

from dataclasses import dataclass

from enzyme_magic.backend.autodiff.calls.request import ActivityKind
from enzyme_magic.backend.ir.types import Type

MADE = -1  # instead of the number of an operand: memory that the answer makes


@dataclass(frozen=True, slots=True)
class GivenParameter:
    """What a request says of one parameter. `primal` and `shadows` are numbers of operands of the call; a shadow with a `stride`
    (an operand number, too) is one pointer, and lane k has its own `k * stride` bytes behind it. absent: there is no such memory (a
    null pointer). struct: what a struct by value that C passes or returns in memory is; its memory may be `MADE`."""

    activity: ActivityKind
    primal: int
    shadows: tuple[int, ...] = ()
    stride: int | None = None
    absent: bool = False
    kept: bool = False  # nobody writes to it between the halves of a split pair
    struct: Type | None = None

    @property
    def shadow_passed(self) -> bool:
        """Whether the shadow of a struct that the function returns is memory of the caller's."""
        return self.primal == MADE and MADE not in self.shadows
