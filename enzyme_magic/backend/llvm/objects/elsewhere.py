"""Object code that is loaded in another process: what has to be known to load it there.

Invariant: nothing of it is ever in this process. It is a Library that has no addresses: whoever asks for one gets ToolchainError
EM151, so that code which should be isolated cannot run here by mistake.

It does not know how the other process is started or called: runtime/isolation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from enzyme_magic.backend.llvm.objects.jit import Library
from enzyme_magic.errors import ToolchainError


@dataclass(frozen=True, slots=True)
class Image:
    """Object code and what it is linked with. link, search: shared libraries and where they are looked for; keeps_blocks: its
    static variables may hold heap blocks between calls. of: the function around which all of it is."""

    code: bytes = field(repr=False)
    exports: tuple[str, ...]
    link: tuple[str, ...] = ()
    search: tuple[str, ...] = ()
    keeps_blocks: bool = False
    of: str = ""


class Elsewhere(Library):
    """Code in another process, one for a program and all that is built on it.

    called: what messages call the program. written: by C function the pointer parameters through which it may write. home: the
    other process, shared by all that needs each other; the runtime's own.
    """

    __slots__ = ("called", "home", "image", "written")

    def __init__(
        self,
        image: Image,
        called: str,
        written: Mapping[str, frozenset[int]],
        needs: tuple[Library, ...] = (),
    ) -> None:
        super().__init__(f"{called} (isolated)", image.exports, {}, needs)
        self.image = image
        self.called = called
        self.written = dict(written)
        below = next((library for library in needs if isinstance(library, Elsewhere)), None)
        self.home: list[Any] = below.home if below is not None else []

    def address(self, name: str) -> int:
        raise refused(self.called)

    def find(self, name: str) -> int | None:
        raise refused(self.called)


def refused(called: str) -> ToolchainError:
    """What asks for code in this process that is in another one."""
    return ToolchainError(
        f"{called} is isolated: its code is in a worker process, and this needs it in the kernel",
        code="EM151",
        hint="calls, gradients, Jacobians, map, vjp and jvp work isolated; for the rest compile it without isolate",
    )
