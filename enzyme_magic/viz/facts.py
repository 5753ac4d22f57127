"""The few numbers and sentences every picture repeats: counts, what is saved, times, the check.

Invariant: each is computed here once, from the report alone, so that no two pictures can disagree. Nothing is invented: what
the report does not know is left out or said to be unknown.
"""

from __future__ import annotations

import re

from enzyme_magic.report import AT_LEAST, CacheRow, InstructionRow, Report, Stage
from enzyme_magic.viz.formula import bytes_text, human, pretty, value, with_counts
from enzyme_magic.viz.wording import plural

LONGEST_FORMULA = 50
NO_NAME = "source"  # of C text that nobody gave a name: it says nothing
BEFORE = "gradient"
AFTER = "gradient-optimized"


def instructions(report: Report) -> tuple[InstructionRow, ...]:
    return report.activity.rows()


def active_count(report: Report) -> int:
    return sum(row.verdict.active for row in instructions(report))


def mark_of(row: InstructionRow) -> str:
    """The mark of an instruction: stored values are marked as such, whatever else they are."""
    if row.slot is not None:
        return "cached"
    return "active" if row.verdict.active else "inactive"


def is_saved(row: CacheRow) -> bool:
    return row.decision == "store"


def activity_sentence(report: Report) -> str:
    """ "3 of 6 instructions active"."""
    total = len(instructions(report))
    return f"{active_count(report)} of {plural(total, 'instruction')} active"


def summary(report: Report) -> str:
    """The one sentence above the source: "3 of 6 instructions active; nothing saved"."""
    stored = report.cache.stored()
    saved = f"{plural(len(stored), 'value')} saved, {short_total(report)}" if stored else nothing_text(report)
    return f"{activity_sentence(report)}; {saved}"


def saved_fact(report: Report) -> str:
    """ "0 of 3 stored: 0 B; 1 recomputed, 1 read again, 1 still available"."""
    rows = report.cache.rows
    if not rows:
        return (
            "0 B: the reverse sweep needs no value" if report.mode == "reverse" else "0 B: forward mode keeps nothing"
        )
    again = [row for row in rows if row.decision == "recompute"]
    read = sum(map(is_read_again, again))
    counts = {
        "recomputed": len(again) - read,
        "read again": read,
        "still available": sum(row.decision == "available" for row in rows),
    }
    stored = len(report.cache.stored())
    size = short_total(report)
    rest = [f"{count} {word}" for word, count in counts.items() if count]
    return f"{stored} of {len(rows)} stored: {size}" + (f"; {', '.join(rest)}" if rest else "")


def is_read_again(row: CacheRow) -> bool:
    """Whether a value that is not stored is found in memory, and not computed."""
    return row.reason.startswith("re-read")


def total_text(report: Report) -> str:
    """All bytes of the gradient: "8·n B = 8.0 kB at n = 1000", "at least …" where called functions keep more, "… measured"."""
    cache = report.cache
    if cache.measured is not None:
        return f"{human(cache.measured.kept)} measured at {cache.measured.call}"
    if not cache.bound:
        return bytes_text(cache.total)
    return f"{cache.bound} {bytes_text(cache.total)}" if cache.total != "0" else "a size that only the call tells"


def counted_total(report: Report) -> str:
    """What a total with loops that count themselves comes to, and where; "" for any other total."""
    cache = report.cache
    return with_counts(cache.total) if cache.measured is None and not cache.bound else ""


def short_total(report: Report) -> str:
    """All bytes for a line of the first screen: the value alone where the formula would be long words."""
    told = total_text(report)
    formula, equal, amount = told.partition(" B = ")
    return counted_total(report) or (amount if equal and len(formula) > LONGEST_FORMULA else told)


def nothing_text(report: Report) -> str:
    """What is said where the function itself saves nothing; the functions that it calls may."""
    if report.cache.total == "0" and not report.cache.bound:
        return "nothing saved"
    return f"called functions save {total_text(report)}"


def stage(report: Report, name: str) -> Stage | None:
    return next((stage for stage in report.stages if stage.name == name), None)


def change(before: Stage, after: Stage) -> str:
    """ "23 → 6 instructions"."""
    return f"{before.instructions:,} → {plural(after.instructions, 'instruction')}"


def opcodes(found: Stage) -> str:
    """ "1 fcmp, 2 fmul, 1 ret, 1 select"."""
    return ", ".join(f"{count} {opcode}" for opcode, count in found.opcodes)


def wrt_text(report: Report) -> str:
    return ", ".join(report.wrt) if report.wrt else "nothing"


def request(report: Report) -> str:
    """ "gradient with respect to x, reverse mode, In[3]"."""
    what = "derivative" if report.mode == "forward" else "gradient"
    source = f", {report.source_name}" if report.source_name not in ("", NO_NAME) else ""
    return f"{what} with respect to {wrt_text(report)}, {report.mode} mode{source}"


def check_text(report: Report) -> str | None:
    """The correctness badge; None where the report has none."""
    check = report.check
    if check is None:
        return None
    if not check.done:
        return check.text
    worst = f"{check.worst_relative_error:.0e}".replace("e-0", "e-").replace("e+00", "")
    return f"✓ {check.text or 'gradient checked'}: {plural(check.points, 'point')}, worst relative error {worst}"


def timing_text(report: Report) -> str | None:
    """ "38 ms: clang 21 | activity 1 | adjoint 2"; the stage called "total" is the sum where it exists."""
    if not report.timings:
        return None
    parts = [timing for timing in report.timings if timing.stage != "total"]
    total = next((timing.milliseconds for timing in report.timings if timing.stage == "total"), None)
    total = sum(timing.milliseconds for timing in parts) if total is None else total
    listed = " | ".join(f"{timing.stage} {_milliseconds(timing.milliseconds)}" for timing in parts)
    return f"{_milliseconds(total)} ms" + (f": {listed}" if listed else "")


def _milliseconds(amount: float) -> str:
    return f"{amount:.0f}" if amount >= 9.95 else f"{amount:.1f}"


_LEVELS = ("opt", "post_opt")
_OPTIONS = {
    "cpu": "code for {}",
    "include": "headers from {}",
    "define": "macros {}",
    "link": "linked with {}",
    "library_path": "libraries from {}",
    "compile_args": "words for clang: {}",
    "shape": "extents {}",
    "activity": "declared: {}",
    "strict_headers": "no headers added",
    "strict": "sums in their order",
    "isolate": "run in a worker process",
    "sanitize": "checked while it runs",
    "custom": "derivatives of its own: {}",
}


def levels_text(before: str, after: str) -> str:
    """ "optimized before differentiation at level 2, after it at level 3"."""
    if before == after == "0":
        return "not optimized"
    if before == after:
        return f"optimized before and after differentiation at level {before}"
    if before == "0":
        return f"optimized after differentiation only, at level {after}"
    if after == "0":
        return f"optimized before differentiation only, at level {before}"
    return f"optimized before differentiation at level {before}, after it at level {after}"


def made_with(report: Report) -> str:
    """What made the code, for the foot of a page: "clang 22.1.8 · … · optimized before differentiation at level 2, after it at
    level 3"; then the options that are not the usual ones."""
    options = dict(report.options)
    said = [f"{name} {value}" for name, value in report.versions]
    if all(name in options for name in _LEVELS):
        said.append(levels_text(*(options[name] for name in _LEVELS)))
    others = [(name, value) for name, value in report.options if name not in _LEVELS]
    said += [_OPTIONS.get(name, f"{name}: {{}}").format(value) for name, value in others]
    return " · ".join(said)


def line_text(line: int | None) -> str:
    return f"line {line}" if line is not None else ""


def size_of(row: CacheRow) -> float | None:
    """Bytes of a stored value at the example size."""
    return value(row.bytes)


def share_of(row: CacheRow, report: Report) -> float | None:
    """Its part of all stored bytes at the example size, 0 to 1; None where a formula cannot be read."""
    sizes = [size_of(other) for other in report.cache.stored()]
    own = size_of(row)
    if report.cache.bound or own is None or any(size is None for size in sizes):
        return None
    total = sum(size for size in sizes if size is not None)
    return own / total if total > 0 else None


def row_bytes(row: CacheRow) -> str:
    """ "8·n B" for pictures; "24 B" for a constant; "at least …" where a part is known after the call only."""
    if row.least and row.bytes in ("", "0"):
        return "size known after the call"
    return f"{AT_LEAST} {_bytes(row)}" if row.least else _bytes(row)


def _bytes(row: CacheRow) -> str:
    if row.bytes and not re.search(r"[A-Za-z_]", row.bytes):
        amount = value(row.bytes)
        return human(amount) if amount is not None else f"{row.bytes} B"
    counted = re.fullmatch(r"(?:(\d+) × )?((?:iterations|tests) of .*?)", row.bytes)
    if counted is not None and "+" not in row.bytes:
        return f"{counted[1] or 1} B × {counted[2]}"
    return f"{pretty(row.bytes)} B" if row.bytes else ""


def reason_of(report: Report, because: tuple[int, ...]) -> str:
    """The first sentence of a chain of facts; "" where there is none."""
    found = [report.facts[index].sentence for index in because if 0 <= index < len(report.facts)]
    return found[0] if found else ""
