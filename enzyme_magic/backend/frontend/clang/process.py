"""Run a child process that cannot outlive us, hang, flood us or eat the machine's memory.

Invariant: when `run` returns or raises (KeyboardInterrupt included) the child's whole process group is gone. The limits hold for
all of the group: the child may have started a process of its own before it is limited itself. The child gets no stdin and never
sees a Ctrl-C of the terminal: it is ended by us, or, where we were killed, by `orphans` or its limit of processor time. What the
child printed is not interpreted.
"""

from __future__ import annotations

import contextlib
import math
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import IO

from enzyme_magic import orphans
from enzyme_magic.backend.frontend.clang import watching

OUTPUT_LIMIT = 4 << 20  # bytes kept of stdout and of stderr each
MEMORY_LIMIT = 6 << 30  # address space of the child, bytes
FILE_LIMIT = 1 << 30  # bytes of one file it writes
PROCESSOR_TIME = 2.0  # seconds of processor time for each second that the child may take, in several threads
SECOND_LOOK = 0.05  # seconds until the limits are set once more, for a process that was being forked the first time
LOOK = 0.5  # seconds between looks at what it reads


@dataclass(frozen=True, slots=True)
class Completed:
    """What a child did. `status` is its exit status, negative for a signal; `stopped` says why we ended it ("timeout"; "endless":
    it reads `endless`, a file without an end), or is empty. `stdout` and `stderr` are decoded with replacement and cut at
    OUTPUT_LIMIT."""

    status: int
    stdout: str
    stderr: str
    stopped: str = ""
    endless: str = ""


def run(argv: Sequence[str], *, environment: Mapping[str, str], timeout: float, cwd: str | None = None) -> Completed:
    """Run `argv` to its end or for `timeout` seconds. Raises OSError when it cannot be started."""
    deadline = time.monotonic() + timeout
    child = subprocess.Popen(
        list(argv),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=dict(environment),
        cwd=cwd,
        start_new_session=True,
    )
    try:
        orphans.watch_group(child.pid)
        looks = _Looks(child.pid, timeout)
        assert child.stdout is not None
        assert child.stderr is not None
        chunks = _read((child.stdout, child.stderr), deadline, looks)
        stopped = "endless" if looks.endless else "" if chunks is not None and _ends(child, deadline) else "timeout"
    finally:
        _kill_group(child)
    out, err = (b"", b"") if chunks is None else chunks
    texts = out.decode(errors="replace"), err.decode(errors="replace")
    return Completed(child.returncode, *texts, stopped, looks.endless)


class _Looks:
    """What is done beside reading what a group of processes writes: its limits are set, once more soon after, and from then on
    what it reads is looked at. `endless`: a file without an end, which it was reading at two looks, one after the other."""

    def __init__(self, group: int, timeout: float) -> None:
        self._group, self._timeout = group, timeout
        self._seen: str | None = None
        self.endless = ""
        self._limit()
        self._second = True
        self.next = time.monotonic() + SECOND_LOOK

    def look(self) -> None:
        if self._second:
            self._limit()
            self._second = False
        else:
            seen = watching.endless(_members(self._group))
            if seen is not None and seen == self._seen:
                self.endless = seen
            self._seen = seen
        self.next = time.monotonic() + LOOK

    def _limit(self) -> None:
        _limit(self._group)
        _limit_time(self._group, self._timeout)


def _limit(group: int) -> None:
    """Set the limits on the group's first process, whose later children inherit them, and on those that it already has."""
    for pid in (group, *_members(group)):
        _limit_process(pid, {"RLIMIT_AS": MEMORY_LIMIT, "RLIMIT_FSIZE": FILE_LIMIT})


def _members(group: int) -> list[int]:
    found = []
    with contextlib.suppress(OSError):  # a system without /proc
        for name in os.listdir("/proc"):
            with contextlib.suppress(OSError):  # gone meanwhile
                if name.isdigit() and os.getpgid(int(name)) == group:
                    found.append(int(name))
    return found


def _limit_time(group: int, timeout: float) -> None:
    """The same for processor time: where we are killed, nobody is left to look at the clock."""
    seconds = math.ceil(timeout * PROCESSOR_TIME) + 1
    for pid in (group, *_members(group)):
        _limit_process(pid, {"RLIMIT_CPU": seconds})


def _limit_process(pid: int, limits: Mapping[str, int]) -> None:
    """A process that is already gone, or a system without these limits, is no reason to fail."""
    try:
        import resource

        for name, most in limits.items():
            what = getattr(resource, name)
            _, hard = resource.prlimit(pid, what)
            bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.prlimit(pid, what, (bound, hard))
    except (ImportError, AttributeError, OSError, ValueError):
        pass


def _read(pipes: tuple[IO[bytes], IO[bytes]], deadline: float, looks: _Looks) -> tuple[bytes, bytes] | None:
    """All that comes out of both pipes, cut at OUTPUT_LIMIT each; None when the time is over first, or a look ends it."""
    buffers = {pipe: bytearray() for pipe in pipes}
    with selectors.DefaultSelector() as selector:
        for pipe in pipes:
            selector.register(pipe, selectors.EVENT_READ)
        while selector.get_map():
            now = time.monotonic()
            if now >= looks.next:
                looks.look()
            if now >= deadline or looks.endless:
                return None
            for key, _ in selector.select(max(min(looks.next, deadline) - now, 0.0)):
                pipe = next(pipe for pipe in pipes if pipe is key.fileobj)
                data = os.read(pipe.fileno(), 1 << 16)
                if not data:
                    selector.unregister(pipe)
                elif len(buffers[pipe]) < OUTPUT_LIMIT:
                    buffers[pipe] += data
    out, err = pipes
    return bytes(buffers[out]), bytes(buffers[err])


def _ends(child: subprocess.Popen[bytes], deadline: float) -> bool:
    try:
        child.wait(max(deadline - time.monotonic(), 0.0))
    except subprocess.TimeoutExpired:
        return False
    return True


def _kill_group(child: subprocess.Popen[bytes]) -> None:
    """End the child and everything it started; harmless when all is over already."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    orphans.forget_group(child.pid)
    child.wait()
    for pipe in (child.stdout, child.stderr):
        if pipe is not None:
            pipe.close()
