"""No process and no temporary folder of ours outlives this process, also where it is killed.

Invariant: a small shell waits at the end of a pipe that only this process writes. It is told of each group of processes and each
folder when it is made, and when it is gone; where the pipe ends, it ends the groups and removes the folders that are left. What is
forgotten is forgotten before the group's number can be another's. Where there is no shell, nothing is watched: this is the
second line, after those who tidy up themselves.

Processes that end with us by themselves (workers) need none of it. A forked child watches nothing of its parent's.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import threading

_SCRIPT = r"""
groups=
while read -r word what; do
  case $word in
    +group) groups="$groups $what" ;;
    -group) left=; for g in $groups; do [ "$g" = "$what" ] || left="$left $g"; done; groups=$left ;;
    +folder) set -- "$@" "$what" ;;
    -folder) for f do shift; [ "$f" = "$what" ] || set -- "$@" "$f"; done ;;
  esac
done
for g in $groups; do kill -KILL "-$g"; done
[ $# = 0 ] || rm -rf -- "$@" || { sleep 1; rm -rf -- "$@"; }
"""
_DETACHED = f"exec 3<&0; (exec <&3 3<&-\n{_SCRIPT}) &"
_lock = threading.Lock()
_pipe = -1  # what the shell reads


def watch_group(leader: int) -> None:
    """A group of processes, by the number of its first one."""
    _tell(f"+group {leader}")


def forget_group(leader: int) -> None:
    """It has ended, or is about to be waited for."""
    _tell(f"-group {leader}")


def watch_folder(folder: str) -> None:
    """A folder that is removed at the end, with all that is in it."""
    if os.path.isabs(folder):
        _tell(f"+folder {folder}")


def forget_folder(folder: str) -> None:
    """It is removed, or kept."""
    if os.path.isabs(folder):
        _tell(f"-folder {folder}")


def _tell(line: str) -> None:
    if "\n" in line:
        return
    with _lock, contextlib.suppress(OSError):
        if _pipe >= 0:
            try:
                _write(line)
            except BrokenPipeError:  # somebody has ended it: what it knew is lost
                _close()
        if _pipe < 0:
            _start()
            _write(line)


def _write(line: str) -> None:
    os.write(_pipe, os.fsencode(line) + b"\n")


def _start() -> None:
    """It is nobody's child: a program that waits for all of its children does not wait for it."""
    global _pipe
    reading, _pipe = os.pipe()
    try:
        subprocess.run(
            ["/bin/sh", "-c", _DETACHED],
            stdin=reading,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # what ends our group is not for it
            cwd="/",
        )
    finally:
        os.close(reading)


def _close() -> None:
    global _pipe
    ended, _pipe = _pipe, -1
    os.close(ended)


def _after_fork() -> None:
    """The pipe's end must be nobody's but the parent's."""
    with contextlib.suppress(OSError):
        if _pipe >= 0:
            _close()
    _lock.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_after_fork)
