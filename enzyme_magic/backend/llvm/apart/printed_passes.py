"""The optimization after differentiation, pass by pass: the module's text after each pass that changed it.

LLVM prints what a pass changed where it is told so before the passes run, and it cannot be told to stop. So this is done in a
process of its own, which runs `optimize.post_ad` with the same text, level and processor as the JIT does: once as the JIT does it,
once with debug info and a name for every value. Invariant: the passes' own texts are those of the first run. The second only tells
places and which value is which, and only as far as the texts are the same but for names. Nothing is said here about what a pass
did.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path

from enzyme_magic import orphans
from enzyme_magic.backend.llvm import binding, irtext, optimize
from enzyme_magic.backend.llvm.apart import worker
from enzyme_magic.backend.llvm.objects import tuning
from enzyme_magic.errors import ToolchainError

_CHILD = (
    "import json, sys; job = json.loads(sys.stdin.buffer.readline()); sys.path[:] = job['path']; "
    "from enzyme_magic.backend.llvm.apart import printed_passes; printed_passes.serve(job)"
)
SECONDS = 180.0
_MEMORY = 6 << 30
_CANDIDATES = 3  # texts of the second run that are compared with one of the first
_LONGEST = 256 << 20  # bytes of all texts of one run
_DUMP = re.compile(r"^(?:; )?\*\*\* IR Dump After (\S+) on (.*?)(?: \(invalidated\))? \*\*\*\n", re.MULTILINE)
# Passes that may end the loop they run on. LLVM does not tell then that the text changed, and the next pass
# would be said to have done it: these print always.
_LOOP_ENDS = ("loop-deletion", "loop-simplifycfg", "loop-unroll-full", "simple-loop-unswitch")
_COLUMN = re.compile(r"!(\d+) = (?:distinct )?!DILocation\((?:line: (\d+))?(?:, )?(?:column: (\d+))?")
_DEBUG = re.compile(r", !dbg !(\d+)")
_ATTACHED = re.compile(r",? ![\w.]+ !\d+|(?<=\)) #\d+| !dbg !\d+|local_unnamed_addr(?: #\d+)?")
_LOCAL = re.compile(r'(%(?:"[^"]*"|[-\w$.]+))')
_RESULT = re.compile(r'^  (%(?:"[^"]*"|[-\w$.]+)) = ')


@dataclass(frozen=True, slots=True)
class PrintedPlace:
    """An instruction: the line of the text, the column of its debug location (0: none), which means what the caller's debug info
    says, and the name that stays with its value."""

    line: int
    column: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class Printed:
    """The module after a pass. places: of the instructions, where the second run could be followed to here."""

    name: str  # "LICMPass"; "" for the text that the passes begin with
    on: str  # "loop %for.body in function f"
    text: str
    places: tuple[PrintedPlace, ...] = ()


def printed_passes(
    text: str, level: int, exports: Collection[str], described: str | None = None
) -> tuple[Printed, ...]:
    """The text before all passes, then after each that changed it; the last is what `optimize.post_ad` gives.

    described: the same module with debug info. Raises ToolchainError EM125 where LLVM does not come to an end.
    """
    with tempfile.TemporaryDirectory(prefix="em-passes-") as folder:
        job = {
            "path": sys.path,
            "folder": folder,
            "texts": [text, *([described] if described is not None else [])],
            "level": level,
            "exports": list(exports),
            "cpu": tuning.chosen(),
        }
        orphans.watch_folder(folder)
        try:
            _run(json.dumps(job).encode() + b"\n")
        finally:
            orphans.forget_folder(folder)
        plain = list(_dumps(Path(folder), 0))
        located = list(_dumps(Path(folder), 1)) if described is not None else []
    return tuple(_joined(plain, located))


def _run(job: bytes) -> None:
    """The child, to its end. It ends with this process, also where that is killed."""
    try:
        child = subprocess.Popen(
            [sys.executable, "-c", _CHILD],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        raise ToolchainError(f"LLVM's worker cannot be started: {error}", code="EM125") from error
    with child:
        orphans.watch_group(child.pid)
        try:
            _, said = child.communicate(job, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            raise ToolchainError(f"LLVM did not print its passes within {SECONDS:.0f} s", code="EM125") from None
        finally:
            orphans.forget_group(child.pid)
            child.kill()
    if child.returncode:
        words = said.decode(errors="replace").strip().split("\n")[-1]
        raise ToolchainError(
            f"LLVM cannot print its passes: {words or f'it ended with status {child.returncode}'}",
            code="EM125",
            hint="the stages before and after them: f.ir('gradient'), f.ir('gradient-optimized')",
        )


def _dumps(folder: Path, number: int) -> Iterator[Printed]:
    """One run: the first text, what was printed, and the last text where the passes' printing leaves something out."""
    yield Printed("", "", (folder / f"first{number}").read_text())
    said = (folder / f"said{number}").read_text(errors="replace")
    found = list(_DUMP.finditer(said))
    ends = [*(match.start() for match in found[1:]), len(said)]
    for match, end in zip(found, ends, strict=True):
        yield Printed(match[1], match[2], irtext.without_placement(said[match.end() : end]))
    yield Printed("end", "[module]", (folder / f"last{number}").read_text())


def _joined(plain: list[Printed], located: list[Printed]) -> Iterator[Printed]:
    """What changed the text itself, with places where the second run has the same text after the same pass."""
    follow, others = 0, _changed(located)
    for found in _changed(plain):
        places: tuple[PrintedPlace, ...] = ()
        same = (k for k in range(follow, len(others)) if (others[k].name, others[k].on) == (found.name, found.on))
        for k in islice(same, _CANDIDATES):
            places = _places(found.text, others[k].text)
            if places:
                follow = k + 1
                break
        yield Printed(found.name, found.on, found.text, places)


def _changed(dumps: Iterable[Printed]) -> list[Printed]:
    """Those whose text is another than the one before."""
    kept: list[Printed] = []
    for found in dumps:
        text = found.text.strip("\n") + "\n"
        if not kept or text != kept[-1].text:
            kept.append(Printed(found.name, found.on, text))
    return kept


def _places(text: str, described: str) -> tuple[PrintedPlace, ...]:
    """The instructions of `text` with what `described` says of them; nothing where the two differ in more than names."""
    own, other = list(_instructions(text)), list(_instructions(described))
    if len(own) != len(other):
        return ()
    pairs = zip(_functions(own), _functions(other), strict=False)
    if any(_shape(one) != _shape(two) for one, two in pairs):
        return ()
    columns = {found[1]: int(found[3] or 0) for found in _COLUMN.finditer(described)}
    return tuple(
        PrintedPlace(number, columns.get(debug[1], 0) if (debug := _DEBUG.search(line)) else 0, _name(line))
        for (number, _), (_, line) in zip(own, other, strict=True)
    )


def _instructions(text: str) -> Iterator[tuple[int, str]]:
    """The lines of definitions, by number, without debug records; a head begins a function."""
    for number, line in enumerate(text.split("\n")):
        if line.startswith(("  ", "define ")) and not line.lstrip().startswith("#dbg_"):
            yield number, line


def _functions(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[str, ...]]:
    """The lines of each function."""
    function: list[str] = []
    for _, line in lines:
        if function and line.startswith("define "):
            yield tuple(function)
            function = []
        function.append(line)
    yield tuple(function)


@lru_cache(maxsize=64)
def _shape(lines: tuple[str, ...]) -> list[str]:
    """A function's instructions with numbers for the names of values, in the order in which it mentions them."""
    found: list[str] = []
    numbers: dict[str, int] = {}
    for line in lines:
        parts = _LOCAL.split(_ATTACHED.sub("", line))
        parts[1::2] = [f"%{numbers.setdefault(name, len(numbers))}" for name in parts[1::2]]
        found.append("".join(parts))
    return found


def _name(line: str) -> str:
    """The name of the value, where it is one that stays."""
    found = _RESULT.match(line)
    return found[1] if found and not found[1][1:].isdigit() else ""


# The child ----------------------------------------------------------------------------------------------------------------


def serve(job: dict[str, object]) -> None:
    """Runs the passes on each text and leaves what they print in files."""
    _limit()
    worker.this_is_one()
    folder = Path(str(job["folder"]))
    level, exports, texts = job["level"], job["exports"], job["texts"]
    assert isinstance(level, int)
    assert isinstance(exports, list)
    assert isinstance(texts, list)
    with tuning.tuned_for(str(job["cpu"])):
        for number, text in enumerate(texts):
            _printed(folder, number, text, level, exports)


def _printed(folder: Path, number: int, text: str, level: int, exports: list[str]) -> None:
    def begin(first: str) -> None:
        (folder / f"first{number}").write_text(first)
        if number == 0:  # for the whole process, once
            binding.llvm().set_option("enzyme_magic", "-print-changed=quiet")
            binding.llvm().set_option("enzyme_magic", f"-print-after={','.join(_LOOP_ENDS)}")
            binding.llvm().set_option("enzyme_magic", "-print-module-scope")

    with _stderr_to(folder / f"said{number}"):
        last = optimize.post_ad(text, level, number > 0, exports=exports, before=begin)
    (folder / f"last{number}").write_text(last)


@contextmanager
def _stderr_to(path: Path) -> Iterator[None]:
    """What LLVM prints goes to a file."""
    kept = os.dup(2)
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.dup2(file, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(file)
        os.close(kept)


def _limit() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_LONGEST, _LONGEST))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
