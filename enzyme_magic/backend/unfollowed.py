"""Requests for loops (`#pragma clang loop vectorize(enable)`, `#pragma unroll`) that LLVM could not follow, as warnings at their C
line, with LLVM's reason where it gives one.

Clang would warn of them where it optimizes; here LLVM's passes do, and say so on the stderr of a process of their own. Only a
program that asks is looked at: its last passes run once more, with debug info, and what they make is dropped. Loops of
derivatives are new ones, about which nobody has asked anything.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from enzyme_magic.backend.frontend.clang import diagnostics
from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.backend.llvm.apart import worker
from enzyme_magic.config import Options
from enzyme_magic.errors import Diagnostic

_SAID = re.compile(r"^(warning|remark): (.+?:\d+:\d+): (loop not \w+: .*)$", re.M)
_UNASKED = {"-w", "-Wno-pass-failed", "-Wno-pass-failed=transform-warning"}
_OPTION = "-Wpass-failed"


def warnings(optimized: str, options: Options, sources: Sequence[Source]) -> tuple[Diagnostic, ...]:
    """One for each loop, in the order of lines. optimized: the program before its last passes, with debug info."""
    if (
        not worker.wanted(optimized)
        or not worker.asks_of_loops(optimized)
        or _UNASKED.intersection(options.compile_args)
    ):
        return ()
    said = worker.words("post_ad", optimized, level=options.post_opt, keep_debug=True, exports=None)
    as_clang = "\n".join(f"{place}: {severity}: {message}" for severity, place, message in _SAID.findall(said))
    found = diagnostics.parse(as_clang, {source.name: source for source in sources})
    reasons = {(one.span, _done(one)): one.message for one in found if one.severity == "remark"}
    made = {
        (one.span, _done(one)): Diagnostic(
            "warning", reasons.get((one.span, _done(one)), one.message), one.span, _OPTION
        )
        for one in found
        if one.severity == "warning" and one.span is not None and one.span.line
    }
    return tuple(sorted(made.values(), key=lambda one: (one.span.file, one.span.line) if one.span else ("", 0)))


def _done(one: Diagnostic) -> str:
    """What was not done: "loop not vectorized"."""
    return one.message.partition(":")[0]
