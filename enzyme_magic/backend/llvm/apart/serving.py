"""What LLVM's worker does: answers texts with texts or object code until its input ends, which is when the other process does.

An answer is a line of JSON and bytes, as a question is. Invariant: `_OPERATIONS` is all that can be asked. What LLVM
prints is no answer.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from enzyme_magic.backend.llvm import binding, optimize
from enzyme_magic.backend.llvm.apart import worker
from enzyme_magic.backend.llvm.objects import codegen, jit, tuning
from enzyme_magic.errors import EnzymeError

_MEMORY = 6 << 30


def _rehearsed(text: str, opt: int, post_opt: int) -> str:
    printed = binding.canonical(text)
    optimized = optimize.pre_ad(printed, opt)
    codegen.emit(codegen.prepared(optimize.post_ad(optimized, post_opt)), post_opt, tuning.target())
    return printed


def _emitted(text: str, level: int, linked: bool = False) -> bytes:
    made = codegen.emit(text, level, tuning.target())
    if linked:
        jit.rehearse(made)
    return made


_OPERATIONS: dict[str, Callable[..., str | bytes]] = {
    "emit": _emitted,
    "passes": optimize.passes,
    "post_ad": optimize.post_ad,
    "pre_ad": optimize.pre_ad,
    "readable": optimize.readable,
    "rehearse": _rehearsed,
}


def serve() -> None:
    """The worker's main function."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    worker.this_is_one()
    _limit()
    threading.Thread(target=_watch, args=(os.getppid(),), daemon=True).start()
    while line := sys.stdin.buffer.readline():
        head = json.loads(line)
        answer, data = _answered(head, sys.stdin.buffer.read(head["bytes"]).decode("utf-8", "surrogatepass"))
        answers.write(json.dumps({**answer, "bytes": len(data), "memory": _taken()}).encode() + b"\n" + data)
        answers.flush()


def _answered(head: dict[str, Any], text: str) -> tuple[dict[str, Any], bytes]:
    try:
        with tuning.tuned_for(head["cpu"]):
            made = _OPERATIONS[head["operation"]](text, **head["options"])
    except EnzymeError as error:
        span = error.span
        place = [span.file, span.line, span.column, span.end_column, span.text] if span is not None else None
        words = {"message": error.message, "code": error.code, "hint": error.hint, "span": place}
        return {"class": type(error).__name__, **words}, b""
    return {}, made if isinstance(made, bytes) else made.encode("utf-8", "surrogatepass")


def _taken() -> int:
    """Bytes of memory that this process has had at most; 0 where nobody tells."""
    with contextlib.suppress(ImportError, OSError):
        import resource

        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most << 10
    return 0


def _limit() -> None:
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))


def _watch(parent: int) -> None:
    """A worker that is busy does not see that its input has ended."""
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(0)
