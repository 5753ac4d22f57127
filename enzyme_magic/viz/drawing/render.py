"""DOT to SVG, PNG and positions, in a child process with a limit of processor time.

The limit counts what the layout itself computes, so a busy machine takes nothing away from a picture. Where the system cannot limit
processor time, and for a child that only waits, the clock decides, at `_PATIENCE` times the limit.

Engines, in this order: the one inside the pygraphviz wheel (needs no `dot` program), then `dot` on PATH. Anything on stderr but
Fontconfig's remarks counts as failure: Graphviz draws an empty node and returns success where a label is wrong. Results are kept
in memory. Failures are `RenderError`s with a sentence for people; they are not kept, and the display layer turns them to text.
"""

from __future__ import annotations

import base64
import contextlib
import importlib.util
import json
import math
import shutil
import signal
import subprocess
import sys
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from enzyme_magic.errors import ViewError

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment, unused-ignore]

TIMEOUT = 5.0  # seconds of processor time
_PATIENCE = 12  # of the clock's seconds to each of these: a machine that is that busy draws nothing
_KEPT_BYTES = 32_000_000
_OUT_OF_TIME = (-getattr(signal, "SIGXCPU", 0),) if hasattr(signal, "SIGXCPU") else ()
_INSTALL = "pip install pygraphviz (its wheels bundle the engine), or install Graphviz so that `dot` is on PATH"


class RenderError(ViewError):
    """The picture could not be drawn; the text form says the same."""

    default_code = "EM510"


@dataclass(frozen=True, slots=True)
class Job:
    """One thing to draw. `format`: svg, png or json0 (positions). `program`: dot, or nop2 for given positions. dpi 0: default."""

    dot: str
    format: str = "svg"
    program: str = "dot"
    dpi: int = 0


@dataclass(frozen=True, slots=True)
class Engine:
    """A way to run Graphviz. `path`: the `dot` program, None for the wheel's engine."""

    name: str
    path: str | None = None


def engines() -> tuple[Engine, ...]:
    """What can draw on this machine, best first."""
    found = [Engine("pygraphviz")] if sys.executable and importlib.util.find_spec("pygraphviz") else []
    program = shutil.which("dot")
    return tuple([*found, Engine("dot", program)] if program else found)


_kept: OrderedDict[Job, bytes] = OrderedDict()
_lock = threading.Lock()


def render(jobs: Sequence[Job], timeout: float | None = None) -> tuple[bytes, ...]:
    """The drawn files, in order, within TIMEOUT seconds of processor time unless another limit is given.

    RenderError EM510 (no engine), EM511 (the time limit), EM512 (the engine complained)."""
    with _lock:
        missing = [job for job in dict.fromkeys(jobs) if job not in _kept]
        known = {job: _kept[job] for job in jobs if job in _kept}
    if missing:
        drawn = _draw(missing, TIMEOUT if timeout is None else timeout)
        known |= dict(zip(missing, drawn, strict=True))
        _keep({job: known[job] for job in missing})
    return tuple(known[job] for job in jobs)


def forget() -> None:
    """Empties the memory of drawn pictures."""
    with _lock:
        _kept.clear()


def _keep(drawn: dict[Job, bytes]) -> None:
    with _lock:
        _kept.update(drawn)
        while sum(map(len, _kept.values())) > _KEPT_BYTES and len(_kept) > 1:
            _kept.popitem(last=False)


def _draw(jobs: Sequence[Job], timeout: float) -> list[bytes]:
    found = engines()
    if not found:
        raise RenderError("no Graphviz engine was found", hint=_INSTALL)
    for position, engine in enumerate(found):
        try:
            return _with_dot(engine.path, jobs, timeout) if engine.path else _with_wheel(jobs, timeout)
        except RenderError as error:
            if position == len(found) - 1 or error.code == "EM511":
                raise
    raise AssertionError("unreachable")


def _with_wheel(jobs: Sequence[Job], timeout: float) -> list[bytes]:
    script = Path(__file__).with_name("layout_child.py")
    request = [{"dot": job.dot, "format": job.format, "program": job.program, "dpi": job.dpi} for job in jobs]
    # -P keeps this folder off sys.path, where our module names could hide others
    command = [sys.executable, "-P", str(script)]
    output = _run(command, json.dumps(request).encode("utf-8"), timeout)
    try:
        return [base64.b64decode(text) for text in json.loads(output)]
    except ValueError:
        raise RenderError("the Graphviz engine gave no picture", code="EM512") from None


def _with_dot(path: str, jobs: Sequence[Job], timeout: float) -> list[bytes]:
    results = []
    for job in jobs:
        command = [path, f"-K{job.program}", f"-T{job.format}", *([f"-Gdpi={job.dpi}"] if job.dpi else [])]
        results.append(_run(command, job.dot.encode("utf-8"), timeout))
    return results


def _run(command: list[str], data: bytes, timeout: float) -> bytes:
    try:
        child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    except OSError as error:
        raise RenderError(f"the Graphviz engine could not be started: {error.strerror}", hint=_INSTALL) from None
    with child:
        limit_processor_time(child.pid, timeout)
        try:
            output, said = child.communicate(data, timeout=timeout * _PATIENCE)
        except BaseException as error:
            child.kill()
            if isinstance(error, subprocess.TimeoutExpired):
                raise _too_slow(timeout) from None
            raise
    if child.returncode in _OUT_OF_TIME:
        raise _too_slow(timeout)
    complaint = _complaint(said.decode("utf-8", "replace"))
    if child.returncode != 0 or complaint:
        raise RenderError(f"the Graphviz engine failed: {complaint or f'exit status {child.returncode}'}", code="EM512")
    return output


def _too_slow(timeout: float) -> RenderError:
    return RenderError(f"laying the picture out took longer than {timeout:g} s", code="EM511")


def limit_processor_time(process: int, seconds: float) -> None:
    """Ends that process by SIGXCPU once it has computed for so long; nothing where the system cannot do this from outside."""
    if resource is None or not hasattr(resource, "prlimit"):
        return
    whole = math.ceil(seconds)  # the system counts in seconds
    with contextlib.suppress(OSError, ValueError):  # it may have ended already
        resource.prlimit(process, resource.RLIMIT_CPU, (whole, whole + 1))


# Said of a text with a character that no font has: its width is estimated.
_ESTIMATED = ("no hard-coded metrics for", "no value for width of non-ASCII character")


def _complaint(stderr: str) -> str:
    """The last line that is not Fontconfig's, nor about the width of a character."""
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    lines = [line for line in lines if not (line.startswith("Fontconfig") or any(said in line for said in _ESTIMATED))]
    return lines[-1][:200] if lines else ""
