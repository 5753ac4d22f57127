"""A talk about one gradient: slides of 16:9, one idea each, as one page that needs nothing else.

Invariant: at 1920 × 1080 nothing scrolls, nothing is cut and no letter is smaller than `SMALLEST`: what does not fit one slide
goes on the next, and what would take too many is counted. Everything said is the report's; speaker notes are its reasons. Prints
one slide a page. Without motion (reduced, or on paper) the sweeps stand at their end. Keys: ← → Home End, n for the notes.
"""

from __future__ import annotations

import html
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from enzyme_magic.report import Report, SourceLine
from enzyme_magic.viz.cards.dashboard import head_lines
from enzyme_magic.viz.facts import (
    AFTER,
    BEFORE,
    is_saved,
    reason_of,
    request,
    row_bytes,
    short_total,
    size_of,
    stage,
    summary,
    total_text,
)
from enzyme_magic.viz.memory import MemoryPicture, sentences
from enzyme_magic.viz.theme import MONO, SANS, Theme
from enzyme_magic.viz.wording import clean, in_words, plural

WIDTH, HEIGHT = 1920, 1080
SMALLEST, LARGEST = 20, 34  # letters of code, in pixels
ROOM, ACROSS = 800, 1700  # for a body, in pixels
LEADING, LETTER = 1.4, 0.63  # of a code line's height and a letter's width, with a reserve
MOST_PAGES = 8  # of one text
MOST_BARS = 14
NAMELESS = "an intermediate value"  # says nothing to those who listen
LONGEST_TOTAL = 40  # characters, in a title
TABLE, SMALLEST_TABLE, TABLE_ROOM = 34, 22, 700  # letters of a table, and the room of its rows


@dataclass(frozen=True, slots=True)
class Slide:
    """title: plain text; body: HTML; said: the body in words, line by line; notes: what the speaker says."""

    title: str
    body: str
    said: tuple[str, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CodeLine:
    """A line of code. number: in front of it; marks: what is lit up ("v", "m", "a" for varies, matters, active)."""

    text: str
    number: int | None = None
    marks: str = ""


def slides(report: Report, theme: Theme) -> tuple[Slide, ...]:
    """The talk."""
    made = [_opening(report), *_source(report), *_activity(report), *_gradient(report)]
    return (*made, _tape(report, theme), *_optimized(report))


def text(report: Report, theme: Theme) -> str:
    """The text twin: every slide with its notes."""
    parts = []
    for number, slide in enumerate(slides(report, theme), 1):
        notes = [f"  note: {clean(note)}" for note in slide.notes]
        parts.append("\n".join([f"{number}. {slide.title}", *(f"  {line}" for line in slide.said), *notes]))
    return "\n\n".join(parts)


def page(report: Report, theme: Theme) -> str:
    """The whole page as HTML text (write it as UTF-8)."""
    made = slides(report, theme)
    title = html.escape(clean(report.signature or report.function))
    body = "\n".join(_section(slide, number, len(made)) for number, slide in enumerate(made, 1))
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
        f"<style>\n{_style(theme)}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n<script>\n{_SCRIPT}</script>\n</body>\n</html>\n"
    )


def _section(slide: Slide, number: int, count: int) -> str:
    notes = "".join(f"<li>{_text(note)}</li>" for note in slide.notes) or "<li>—</li>"
    return (
        f'<section class="slide" aria-roledescription="slide" aria-label="{number} of {count}: {_text(slide.title)}">\n'
        f'<h2>{_text(slide.title)}</h2>\n<div class="body">{slide.body}</div>\n<p class="count">{number} / {count}</p>\n'
        f'<aside class="notes" aria-label="speaker notes"><ul>{notes}</ul></aside>\n</section>'
    )


# The slides ---------------------------------------------------------------------------------------------------------------


def _opening(report: Report) -> Slide:
    said = [
        request(report),
        summary(report),
        *([report.example] if report.example else []),
        *([report.cost] if report.cost else []),
    ]
    body = "".join(f"<p>{_text(line[:220])}</p>" for line in said)
    name = clean(report.signature or report.function)
    return Slide(
        f"The gradient of {report.function}",
        f'<p class="name">{_text(name[:160])}</p>{body}',
        (name, *said),
        tuple(head_lines(report)),
    )


def _source(report: Report) -> Iterator[Slide]:
    lines = [CodeLine(line.text, line.number) for line in _trimmed(report)]
    notes = tuple(f"line {line.number}: {line.note}" for line in report.source if line.note)
    yield from _pages(f"{report.function} in C", lines, notes)


def _activity(report: Report) -> Iterator[Slide]:
    """The two sweeps: what varies, from the parameters on; what matters, from the result back; active is what does both."""
    lines = [CodeLine(line.text, line.number, _marks(line)) for line in _trimmed(report)]
    notes: dict[str, str] = {}
    for row in report.activity.rows():
        reason = reason_of(report, row.verdict.because) if row.verdict.active else ""
        if reason and not reason.startswith(NAMELESS):
            notes.setdefault(reason, f" (line {row.line})" if row.line is not None and "line" not in reason else "")
    key = (
        '<p class="key"><span class="v">↓ varies</span> depends on an input &nbsp; <span class="m">↑ matters</span> reaches the '
        'result &nbsp; <span class="a">● active</span> both</p>'
    )
    yield from _pages("What carries a derivative", lines, tuple(f"{said}{line}" for said, line in notes.items()), key)


def _gradient(report: Report) -> Iterator[Slide]:
    found = report.gradient_c
    rows = [row for row in report.activity.rows() if row.rule and row.verdict.active and row.line]
    if found is None or not found.available:
        why = found.reason if found is not None else "it is not recorded as C"
        kept = (row for row in rows if row.opcode not in ("load", "phi", "ret"))  # what computes, and what is stored
        rules = sorted(
            dict.fromkeys((row.line, row.c, row.rule) for row in kept if row.c), key=lambda rule: rule[0] or 0
        )
        told = [(f"line {line}", computed, rule or "") for line, computed, rule in rules]
        body = f"<p>{_text(why)}</p>" + (
            _table(("", "computes", "its rule, where x, y and z are the operands"), told, TABLE_ROOM - 120)
            if told
            else ""
        )
        yield Slide("The gradient, operation by operation", body, (why, *map(" · ".join, told)))
        return
    notes = dict.fromkeys(f"line {row.line}: {row.rule}" for row in rows)
    yield from _pages("The gradient as C", [CodeLine(line) for line in found.text.rstrip().split("\n")], tuple(notes))


def _tape(report: Report, theme: Theme) -> Slide:
    """Over time where a call was measured, else the plan as a table."""
    notes = tuple(f"{row.expression}: {row.reason}" for row in report.cache.rows if row.reason)
    picture, measured = MemoryPicture(report, theme), report.cache.measured
    if measured is not None and picture.available:
        return Slide("The tape over time", f'<div class="plot">{picture.svg}</div>', sentences(measured), notes)
    stored = sorted(filter(is_saved, report.cache.rows), key=lambda row: -(size_of(row) or 0.0))
    if not stored:
        return Slide(
            "The tape", f"<p>{_text(report.cache.sentence or 'nothing is kept')}</p>", (report.cache.sentence,), notes
        )
    rows = [(row.expression, row_bytes(row), row.reason) for row in stored]
    total, short = total_text(report), short_total(report)
    amounts = (total, short, total.partition(" B = ")[2])
    amount = next((said for said in amounts if 0 < len(said) <= LONGEST_TOTAL), "")
    above = "" if amount else f"<p>{_text(short[:200])}</p>"
    body = above + _table(("kept", "bytes", "because"), rows, TABLE_ROOM if amount else TABLE_ROOM - 120)
    said = tuple(dict.fromkeys((total, short)))
    return Slide(f"The tape: {clean(amount)}" if amount else "The tape", body, (*said, *map(" · ".join, rows)), notes)


def _optimized(report: Report) -> Iterator[Slide]:
    before, after = stage(report, BEFORE), stage(report, AFTER)
    if before is None or after is None or not before.instructions or not after.instructions:
        return
    had, has = in_words(before.opcodes), in_words(after.opcodes)
    names = sorted({*had, *has}, key=lambda name: (-max(had.get(name, 0), has.get(name, 0)), name))
    rows = [(name, had.get(name, 0), has.get(name, 0)) for name in names]
    title = f"Optimized: {before.instructions:,} → {plural(after.instructions, 'instruction')}"
    notes = tuple(f"{step.title}: {step.caption}" for step in report.passes.steps) if report.passes is not None else ()
    yield Slide(title, _bars(rows), tuple(f"{name}: {b:,} → {a:,}" for name, b, a in rows), notes)


def _marks(line: SourceLine) -> str:
    """As the source's marks say, so that both pictures tell the same."""
    sweeps = line.sweeps
    if sweeps is None:  # a report of an earlier version
        sweeps = ("varies", "matters", "active") if line.mark in ("active", "mixed") else ()
    return "".join(name[0] for name in sweeps)


def _trimmed(report: Report) -> Sequence[SourceLine]:
    """From the first line that belongs to the function to the last, with the braces around them."""
    numbers = [k for k, line in enumerate(report.source) if line.mark or line.instructions]
    numbers += [k for k, line in enumerate(report.source) for p in report.parameters if p.line == line.number]
    if not numbers:
        return report.source
    end = max(numbers) + 1
    while end < len(report.source) and report.source[end].text.strip() in ("}", "};", ""):
        end += 1
    start = min(numbers)
    while (
        start
        and (above := report.source[start - 1].text.strip())
        and not above.endswith(("}", ";", "*/"))
        and above[0] != "#"
    ):
        start -= 1  # the head of a function without instructions on it
    return report.source[start:end]


# Fitting ------------------------------------------------------------------------------------------------------------------


def _height(lines: Sequence[CodeLine], size: int) -> float:
    """Of the lines with letters of `size`, wrapped where they are long."""
    columns = _columns(size)
    return sum(max(1, math.ceil(len(line.text) / columns)) for line in lines) * size * LEADING


def _split(lines: Sequence[CodeLine], size: int, room: int) -> list[list[CodeLine]]:
    """The lines of each slide."""
    pages: list[list[CodeLine]] = [[]]
    used = 0.0
    for line in lines:
        height = _height([line], size)
        if pages[-1] and used + height > room:
            pages.append([])
            used = 0.0
        pages[-1].append(line)
        used += height
    return pages


def _columns(size: int) -> int:
    return int((ACROSS - 10 * size) / (size * LETTER))


def _pages(title: str, lines: Sequence[CodeLine], notes: tuple[str, ...], key: str = "") -> Iterator[Slide]:
    """As few slides as can be, with letters as large as fit."""
    room = ROOM - (70 if key else 0)
    fewest = len(_split(lines, SMALLEST, room))
    size = next(s for s in range(LARGEST, SMALLEST - 1, -1) if len(_split(lines, s, room)) <= fewest)
    pages = _split(lines, size, room)
    left = sum(len(page) for page in pages[MOST_PAGES:])
    pages = pages[:MOST_PAGES]
    for number, part in enumerate(pages, 1):
        more = f" ({number} of {len(pages)})" if len(pages) > 1 else ""
        said = tuple(f"{_signs(line.marks)}{line.text}" if key else line.text for line in part)
        last = (f"… {plural(left, 'more line')}, not in the slides",) if left and number == len(pages) else ()
        rest = "".join(f"<p>{_text(line)}</p>" for line in last)
        body = key + _code(part, size, bool(key)) + rest
        yield Slide(f"{title}{more}", body, (*said, *last), notes if number == 1 else ())


def _signs(marks: str) -> str:
    return "".join(sign if mark in marks else " " for mark, sign in (("v", "↓"), ("m", "↑"), ("a", "●"))) + " "


def _code(lines: Sequence[CodeLine], size: int, marked: bool) -> str:
    rows = []
    for k, line in enumerate(lines):
        number = f'<span class="number">{line.number}</span>' if line.number is not None else ""
        order = f"--k: {k}; --r: {len(lines) - 1 - k}"
        signs = "".join(
            f'<span class="sweep {mark}{"" if mark in line.marks else " off"}">{sign if mark in line.marks else ""}</span>'
            for mark, sign in (("v", "↓"), ("m", "↑"), ("a", "●"))
        )
        lit = " lit" if "a" in line.marks and marked else ""
        rows.append(
            f'<div class="line{lit}" style="{order}">{number}{signs if marked else ""}<code>{_text(line.text) or " "}</code></div>'
        )
    total = len(lines)
    return f'<div class="code{" marked" if marked else ""}" style="font-size: {size}px; --n: {total}">{"".join(rows)}</div>'


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], room: int = TABLE_ROOM) -> str:
    """With letters as large as all rows fit; what does not fit even with small ones is counted."""
    rows, columns = [tuple(map(_short, row)) for row in rows], len(head)
    sizes = (s for s in range(TABLE, SMALLEST_TABLE, -2) if _fitting(rows, columns, s, room) == len(rows))
    size = next(sizes, SMALLEST_TABLE)
    shown = rows[: _fitting(rows, columns, size, room)]
    cells = "".join(f"<tr>{''.join(f'<td>{_text(cell)}</td>' for cell in row)}</tr>" for row in shown)
    more = f"<p>… {len(rows) - len(shown)} more</p>" if len(rows) > len(shown) else ""
    titles = "".join(f'<th scope="col">{_text(cell)}</th>' for cell in head)
    return f'<table style="font-size: {size}px"><thead><tr>{titles}</tr></thead><tbody>{cells}</tbody></table>{more}'


def _fitting(rows: Sequence[Sequence[str]], columns: int, size: int, room: int) -> int:
    """How many of the rows there is room for, in letters of `size`: all of one line where the columns fit side by side."""
    widest = sum(max((len(row[k]) for row in rows), default=0) for k in range(columns))
    beside = widest * size * LETTER + columns * 40 <= ACROSS
    letters = int((ACROSS / columns - 40) / (size * LETTER))
    used = 0.0
    for count, row in enumerate(rows):
        lines = max(math.ceil(len(cell) / max(letters - 8, 8)) for cell in row)  # words are not cut
        used += (1 if beside else max(lines, 1)) * size * LEADING + 22
        if used > room:
            return count
    return len(rows)


def _bars(rows: Sequence[tuple[str, int, int]]) -> str:
    """Numbers before and after, with a bar for each; what does not fit the slide is counted together."""
    if len(rows) > MOST_BARS:
        rest = rows[MOST_BARS - 1 :]
        rows = [
            *rows[: MOST_BARS - 1],
            (f"{len(rest)} other kinds", sum(b for _, b, _ in rest), sum(a for _, _, a in rest)),
        ]
    most = max(max(before, after) for _, before, after in rows)
    cells = "".join(
        f'<tr><th scope="row">{_text(name)}</th><td>{before:,}</td><td>{after:,}</td><td class="bars">'
        f'<i style="width: {before / most:.1%}"></i><i class="after" style="width: {after / most:.1%}"></i></td></tr>'
        for name, before, after in rows
    )
    head = (
        '<th scope="col">instructions</th><th scope="col"><b></b>as written</th>'
        '<th scope="col"><b class="after"></b>as it runs</th><th></th>'
    )
    return f'<table class="counts"><thead><tr>{head}</tr></thead><tbody>{cells}</tbody></table>'


def _short(text: str) -> str:
    return text if len(text) <= 70 else f"{text[:69]}…"


def _text(text: str) -> str:
    return html.escape(clean(text))


def _style(theme: Theme) -> str:
    tones = theme.tones
    active, added, cached = tones["active"], tones["added"], tones["cached"]
    return f"""@page {{ size: {WIDTH}px {HEIGHT}px; margin: 0; }}
* {{ box-sizing: border-box; }}
html {{ background: {theme.background}; color: {theme.text}; color-scheme: {theme.name}; }}
html {{ print-color-adjust: exact; -webkit-print-color-adjust: exact; }}
body {{ margin: 0; font: 32px/1.4 {SANS}; }}
.slide {{ position: relative; width: {WIDTH}px; height: {HEIGHT}px; padding: 60px 100px; overflow: hidden; }}
.slide {{ break-after: page; background: {theme.background}; }}
.slide:last-child {{ break-after: auto; }}
h2 {{ font-size: 52px; line-height: 1.2; margin: 0 0 28px; height: 64px; overflow: hidden; }}
p {{ margin: 0 0 20px; overflow-wrap: anywhere; }}
.name {{ font: 600 44px/1.3 {MONO}; }}
.count {{ position: absolute; right: 60px; bottom: 24px; margin: 0; font-size: 24px; color: {theme.grey}; }}
.code {{ font-family: {MONO}; line-height: {LEADING}; }}
.line {{ display: flex; }}
.line code {{ font: inherit; flex: 1; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4; }}
.number {{ color: {theme.grey}; width: 3.2em; flex: none; padding-right: 1em; text-align: right; }}
.sweep {{ width: 1.5em; flex: none; text-align: center; }}
.sweep.v, .key .v {{ background: {cached.background}; color: {cached.text}; }}
.sweep.m, .key .m {{ background: {added.background}; color: {added.text}; }}
.sweep.a, .key .a {{ background: {active.gutter}; color: {active.sign}; }}
.sweep.off {{ background: none; }}
.key span {{ padding: 2px 12px; border-radius: 4px; }}
.key {{ height: 50px; }}
.marked .line.lit code {{ background: {active.background}; color: {active.text}; }}
.marked .line code {{ padding-left: .6em; }}
table {{ border-collapse: collapse; font-size: {TABLE}px; }}
th, td {{ text-align: left; padding: 10px 36px 10px 0; border-bottom: 1px solid {theme.border}; vertical-align: top;
overflow-wrap: anywhere; }} td:first-child {{ font-family: {MONO}; }}
.counts {{ width: 100%; font-size: 26px; }}
.counts td, .counts th {{ padding: 5px 36px 5px 0; font-weight: normal; white-space: nowrap; }}
.counts thead th {{ font-weight: bold; }}
.counts td, .counts th:nth-child(n+2) {{ text-align: right; font-family: {SANS}; }}
.counts .bars {{ width: 50%; padding: 5px 0; }}
.bars i {{ display: block; height: 14px; background: {theme.border}; }}
.counts b {{ display: inline-block; width: 18px; height: 18px; margin-right: 10px; background: {theme.border}; }}
.bars i.after, .counts b.after {{ background: {active.gutter}; }}
.plot svg {{ width: 1720px; height: 680px; }}
.notes {{ display: none; }}
.with-notes .notes {{ display: block; position: absolute; inset: auto 0 0 0; max-height: 480px; overflow: auto; }}
.with-notes .notes {{ padding: 20px 100px; background: {theme.header}; font-size: 26px; }}
.shown .slide {{ display: none; }}
.shown .slide.now {{ display: block; }}
.shown main {{ transform-origin: 0 0; }}
@keyframes sweep {{ from {{ opacity: 0; }} to {{ opacity: 1; }} }}
@keyframes lit {{ from {{ background: none; color: {theme.text}; }} }}
@media screen and (prefers-reduced-motion: no-preference) {{
.now .sweep.v {{ animation: sweep .3s both; animation-delay: calc(var(--k) * .12s); }}
.now .sweep.m {{ animation: sweep .3s both; animation-delay: calc((var(--n) + var(--r)) * .12s); }}
.now .sweep.a, .now .lit code {{ animation: sweep .3s both; animation-delay: calc(var(--n) * .24s + .3s); }}
.now .lit code {{ animation-name: lit; }}
}}
@media print {{
.shown .slide {{ display: block; }}
.shown main {{ transform: none !important; }}
.with-notes .notes {{ display: none; }}
}}
"""


_SCRIPT = """"use strict";
const main = document.querySelector("main");
const all = [...document.querySelectorAll(".slide")];
let at = Math.min(all.length, Math.max(1, Number(location.hash.slice(1)) || 1)) - 1;
function show(next) {
  at = Math.min(all.length - 1, Math.max(0, next));
  all.forEach((slide, k) => slide.classList.toggle("now", k === at));
  history.replaceState(null, "", `#${at + 1}`);
}
function fit() {
  const scale = Math.min(innerWidth / 1920, innerHeight / 1080);
  main.style.transform = scale === 1 ? "" : `scale(${scale})`;
  main.style.width = "1920px";
  main.style.height = `${1080 * scale}px`;
  document.documentElement.style.overflow = "hidden";
}
document.body.classList.add("shown");
addEventListener("resize", fit);
addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const [back, on, last] = [at - 1, at + 1, all.length - 1];
  const keys = { ArrowRight: on, PageDown: on, " ": on, ArrowLeft: back, PageUp: back, Home: 0, End: last };
  const to = keys[event.key];
  if (to !== undefined) show(to);
  else if (event.key === "n") document.body.classList.toggle("with-notes");
  else return;
  event.preventDefault();
});
main.addEventListener("click", () => show(at + 1));
fit();
show(at);
"""
