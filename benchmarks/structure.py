"""The structure of the engine in numbers, at any commit.

    python -m benchmarks.structure [--at COMMIT] [--json FILE]

Read from the texts: lines, files per room, the longest file, exceptions by which one function asked for another to be written
again, public methods. Counted while ten functions (`tests/explain/ten_kernels.c`) are compiled and differentiated without a cache:
how often a text of IR is parsed that was parsed before. Then, while they are looked at with `activity`, `cache`, `gradient_c` and
`why`, too: how often reverse sweeps are tried, and written (the report and the C text write one again, from its plan). No time is
measured.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KERNELS = ROOT / "tests" / "explain" / "ten_kernels.c"
NAMES = ("relu3", "dot", "norm", "heat", "vdp", "fft", "gmm", "lstm", "bisect", "sorted")
WISHES = ("NeedsShadow", "NeedsShadowedMemory", "NeedsFollowed")
_COUNTED = """
import sys
from collections import Counter
import enzyme_magic as em

found = Counter()
texts = set()
def seen(frame, event, _):
    if event != "call":
        return
    code = frame.f_code
    where = code.co_filename.replace("\\\\", "/")
    if "/enzyme_magic/backend/" not in where:
        return
    if code.co_name == "parse" and where.endswith(("/ir/parser.py", "/ir/text/parser.py")):
        text = frame.f_locals["text"]
        found["parsed again"] += text in texts
        texts.add(text)
    elif where.endswith("/reverse.py") and code.co_name in ("_dry_run", "dry_run"):
        found["tried"] += 1
    elif where.endswith("/reverse.py") and code.co_name == "_write":
        found["written"] += 1

text = open(sys.argv[1], encoding="utf-8").read()
for name in sys.argv[2:]:
    texts.clear()
    sys.setprofile(seen)
    f = em.compile_c(f"/* {name} */\\n" + text, force=True)[name]
    f.ir("gradient")
    again = found["parsed again"]
    f.activity(), f.cache(), f.gradient_c(), f.why("line 3")
    sys.setprofile(None)
    found["parsed again"] = again
print(found["parsed again"], found["tried"], found["written"])
"""


def measured(tree: Path) -> dict[str, int | str]:
    """The numbers of one tree."""
    package = tree / "enzyme_magic"
    paths = sorted(package.rglob("*.py"))
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in paths}
    rooms = Counter(str(path.parent.relative_to(package)) for path in paths if path.name != "__init__.py")
    classes = [
        node
        for path in paths
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    ]
    homes = Counter(node.name for node in classes if not any("Protocol" in ast.unparse(base) for base in node.bases))
    parsed, tried, written = _counted(tree)
    return {
        "lines of Python": sum(lines.values()),
        "rooms": len(rooms),
        "files in the largest room": "{1} ({0})".format(*rooms.most_common(1)[0]),
        "lines of the longest file": max(lines.values()),
        "class names with several homes": sum(count > 1 for count in homes.values()),
        "exceptions that ask for a function again": sum(homes[name] for name in WISHES),
        "names in dir(f)": int(_asked(tree, _NAMES_OF_A_FUNCTION)),
        "IR texts parsed again": parsed,
        "reverse sweeps tried": tried,
        "reverse sweeps written": written - tried,
    }


_NAMES_OF_A_FUNCTION = """
import enzyme_magic as em
f = em.compile_c("double f(double x) { return x*x; }")["f"]
print(sum(not name.startswith("_") for name in dir(f)))
"""


def _counted(tree: Path) -> tuple[int, int, int]:
    parsed, tried, written = map(int, _asked(tree, _COUNTED, str(KERNELS), *NAMES).split())
    return parsed, tried, written


def _asked(tree: Path, program: str, *arguments: str) -> str:
    with tempfile.TemporaryDirectory() as cache:
        places = {"PYTHONPATH": str(tree), "ENZYME_MAGIC_CACHE_DIR": cache}
        words = [sys.executable, "-W", "ignore", "-c", program, *arguments]
        done = subprocess.run(
            words, env={**os.environ, **places}, cwd=cache, check=True, capture_output=True, text=True
        )
    return done.stdout.strip().splitlines()[-1]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--at", help="a commit; the working tree without")
    options.add_argument("--json", type=Path)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tree = ROOT
        if given.at:
            tree = Path(folder)
            packed = subprocess.run(
                ["git", "archive", given.at, "enzyme_magic"], cwd=ROOT, check=True, capture_output=True
            )
            with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
                archive.extractall(tree, filter="data")
        found = measured(tree)
    for name, number in found.items():
        print(f"{name:44}{number}")
    if given.json:
        given.json.write_text(json.dumps(found, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
