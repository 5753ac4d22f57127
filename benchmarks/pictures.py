"""How long a cell waits for its pictures: a straight function of about 3,000 instructions, every view, with the sizes stored.

Asked for: the first screen in under 2 s, at most 300 kB a cell.

    python -m benchmarks.pictures
"""

from __future__ import annotations

import platform
import time

import enzyme_magic as em
from enzyme_magic.viz.views import VIEWS, view

WANTED_INSTRUCTIONS = 3_000
WANTED_SECONDS = 2.0
LINE = "    {a} = {a} * {b} + sin({b}) * {k}.5;\n"


def source(lines: int) -> str:
    """A function whose lines make about four instructions each at -O1."""
    body = "".join(LINE.format(a="xy"[k % 2], b="yx"[k % 2], k=k + 1) for k in range(lines))
    return f"double large(double x, double y) {{\n{body}    return x + y;\n}}\n"


def main() -> None:
    started = time.perf_counter()
    report = em.compile_c(source(WANTED_INSTRUCTIONS // 3), name="large.c", opt=1, force=True).large.report
    compiled = time.perf_counter() - started
    rows = len(report.activity.rows())
    print(
        f"{platform.processor() or platform.machine()}: {rows:,} instructions, compiled and explained in {compiled:.1f} s"
    )
    print(f"{'view':<14} {'seconds':>8} {'kB stored':>10}")
    for name in VIEWS:
        started = time.perf_counter()
        data, _ = view(report, name)._repr_mimebundle_()
        seconds = time.perf_counter() - started
        size = sum(len(text.encode()) for text in data.values()) / 1000
        late = f"   over {WANTED_SECONDS:g} s" if seconds > WANTED_SECONDS else ""
        print(f"{name:<14} {seconds:>8.2f} {size:>10.0f}{late}")


if __name__ == "__main__":
    main()
