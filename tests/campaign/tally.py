"""What a campaign's file says: outcomes read back, counted, and refusals by row (code and idiom)."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from .judging import CRASH, KINK, REFUSED, RIGHT, WRONG

ORDER = (RIGHT, REFUSED, WRONG, CRASH, KINK)


def read(path: Path) -> dict[tuple[int, int, str], dict[str, Any]]:
    """Outcomes by (seed, opt, mode); the last line about one counts. A half-written last line is left."""
    found: dict[tuple[int, int, str], dict[str, Any]] = {}
    if not path.exists():
        return found
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            item = json.loads(line)
        except ValueError:
            continue
        found[item["seed"], item["opt"], item["mode"]] = item
    return found


def bad(held: dict[tuple[int, int, str], dict[str, Any]]) -> list[dict[str, Any]]:
    """Wrong numbers and crashes."""
    return [item for item in held.values() if item["status"] in (WRONG, CRASH)]


def tally(held: dict[tuple[int, int, str], dict[str, Any]]) -> str:
    """The counts as text."""
    items = list(held.values())
    lines = [f"{len({item['seed'] for item in items})} programs, {len(items)} derivatives"]
    statuses = Counter(item["status"] for item in items)
    lines += [f"  {statuses[s]:7}  {statuses[s] / max(1, len(items)):7.2%}  {s}" for s in ORDER]
    for opt in sorted({item["opt"] for item in items}):
        part = Counter(item["status"] for item in items if item["opt"] == opt)
        lines.append(f"  opt {opt}: " + ", ".join(f"{part[s]} {s}" for s in ORDER if part[s]))
    rows = Counter((item["code"], item["place"]) for item in items if item["status"] == REFUSED)
    codes = Counter(item["code"] for item in items if item["status"] == REFUSED)
    lines.append("refused, by code:")
    lines += [f"  {count:6}  {count / len(items):7.3%}  {code}" for code, count in codes.most_common()]
    lines.append("refused, by code and idiom:")
    lines += [f"  {count:6}  {code}  {place}" for (code, place), count in rows.most_common(40)]
    for item in sorted(bad(held), key=lambda i: i["seed"])[:60]:
        lines.append(
            f"{item['status']}: seed {item['seed']} opt {item['opt']} {item['mode']}: {item['code']} {item['message'][:300]}"
        )
    return "\n".join(lines)
