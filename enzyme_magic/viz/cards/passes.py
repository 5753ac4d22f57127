"""What each kind of optimization did to the gradient in one sentence, and the passes that changed it, each with its caption.

Where the record has none (they are made when they are asked for) the card says how to ask.
"""

from __future__ import annotations

from enzyme_magic.report import Report
from enzyme_magic.viz.model import Card, Drawing, Link, Row, Table, single
from enzyme_magic.viz.wording import plural

WIDTH = 88  # columns of a caption
_MANY = 40  # passes


def card(report: Report) -> Card:
    title = f"{report.function}: the optimization of its gradient, pass by pass"
    if report.passes is None:
        return single(
            "passes", Drawing(title, ("This record has no passes: f.passes() and f.show('passes') make them.",))
        )
    steps = report.passes.steps
    rows = tuple(
        Row(step.title, lead=str(k), aside=step.caption, identifier=f"pass_{k}", title=f"{step.name} on {step.on}")
        for k, step in enumerate(steps, 1)
    )
    last = f", {plural(steps[-1].instructions, 'instruction')} after the last" if steps else ""
    said = f"{plural(len(steps), 'pass' if len(steps) == 1 else 'passe')} changed it{last}"
    together = tuple(
        Row(found.title, aside=found.words.removeprefix(found.title).strip(), identifier=f"optimization_{k}")
        for k, found in enumerate(report.passes.optimizations, 1)
    )
    tables = (Table("optimizations", "what each optimization did", rows=together, wrap=WIDTH),) if together else ()
    below = (
        (Link("optimizations", "passes", kind="hidden"),) if together else ()
    )  # beside it, the letters would be tiny
    order = Table("passes", "passes in order", rows=rows, wrap=WIDTH, dense=len(rows) > _MANY)
    return single("passes", Drawing(title, (said,), (*tables, order), below))
