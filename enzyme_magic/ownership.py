"""Who else could have written what is found on disk.

Invariant: `doubt` is None only where a file or folder, and every folder above it, belongs to the user or to root, and nobody
else may write it. A folder like /tmp, where everybody may add and nobody may replace what is another's, is no doubt for what
lies in it.

Says nothing about what root, or the user's other programs, have written. Access lists beyond the mode are not read.
"""

from __future__ import annotations

import os
import stat
from functools import cache
from pathlib import Path


def doubt(path: Path) -> str | None:
    """Why what is found at `path` may be somebody else's. None also where there is nothing."""
    try:
        real = path.resolve(strict=True)
        found = of_status(path, real.stat())
    except (OSError, RuntimeError):
        return None
    if found is not None:
        return found
    for folder in real.parents:
        status = folder.stat()
        if status.st_mode & stat.S_ISVTX and status.st_uid in (os.getuid(), 0):
            continue
        if (found := of_status(folder, status)) is not None:
            return found
    return None


def make(folder: Path) -> None:
    """The folder, and those above it that are missing, for the user alone, whatever the process's mask is."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    for one in reversed(missing):
        one.mkdir(mode=0o700, exist_ok=True)
    folder.mkdir(exist_ok=True)  # raises where there is something else


def of_status(path: Path, status: os.stat_result) -> str | None:
    """The same of one file or folder alone."""
    if status.st_uid not in (os.getuid(), 0):
        return f"{path} belongs to another user"
    if status.st_mode & stat.S_IWOTH:
        return f"everybody can write to {path}"
    if status.st_mode & stat.S_IWGRP and status.st_gid != 0 and not _is_private(status.st_gid):
        return f"a group can write to {path}"
    return None


@cache
def _is_private(group: int) -> bool:
    """Whether nobody but the user is in a group: one of the user's name, as many systems make it."""
    import grp
    import pwd

    try:
        found, user = grp.getgrgid(group), pwd.getpwuid(os.getuid())
    except KeyError:
        return False
    return found.gr_name == user.pw_name and set(found.gr_mem) <= {user.pw_name}
