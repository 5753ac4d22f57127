"""One source compiled at several levels, in a process that may die.

What does not depend on the level is made once: the forms in which a program tells what it does to its arrays. LLVM works in this
process and rehearses nothing in another one, because a death is an outcome here. Invariant: each program is the one that
`compile_program` gives by itself. Only for the processes of a campaign: `alone_here` changes the engine of the whole process.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from enzyme_magic.backend import building
from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.backend.llvm.apart import rehearsal, worker
from enzyme_magic.backend.pipeline import CompiledProgram, compile_program
from enzyme_magic.config import Options
from tests.autodiff.runs import settings


def compiled(source: str, opt: int, post_opt: int) -> CompiledProgram:
    """The source at one level."""
    return compile_program([Source(source, "test.c")], Options(opt=opt, post_opt=post_opt), settings(), "test.c")


def alone_here() -> None:
    """From now on forms are shared between the levels of a source, and LLVM's work is done in this process."""
    worker.this_is_one()
    rehearsal.rehearse = lambda text, *_: text
    building._forms = Shared(building._forms)


class Shared:
    """`_forms` that remembers those of the latest text: they are the same for each level."""

    def __init__(self, made: Any) -> None:
        self._made, self._text, self._forms = made, "", None

    def __call__(self, text: str, module: Any, options: Options, sources: Any, signatures: Iterable[Any]) -> Any:
        if self._forms is None or text != self._text:
            self._text, self._forms = text, self._made(text, module, options, sources, signatures)
        return self._forms
