"""Compiled cells kept on disk: named bytes under a key.

Layout: <cache_dir>/artifacts/v1/<two hex digits>/<key>/ holds the files of one entry and `manifest.json` with the key, and the
length and SHA-256 of each file. An entry is written into a folder of its own and then renamed, so that a reader sees all
of it or nothing; writers and removers of one cache folder take turns by a file lock, readers never wait.

Invariant: `get` returns exactly the bytes that `put` was given for this key, or None. A damaged entry, and one that is not made
of plain files of the user's, is absent (and removed); a folder that cannot be written, or that somebody else could have
written, makes the store answer "absent" and `put` return a sentence saying why nothing was kept: it never raises for what
the disk does. What belongs into a key, and that failed builds are never put, is the caller's part.

"Cache" always means the cache of reverse mode in this package; this is the artifact store.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from enzyme_magic import ownership
from enzyme_magic.errors import InternalError

LAYOUT = "v1"
MANIFEST = "manifest.json"
MANIFEST_LIMIT = 1 << 16  # bytes
_KEY = ""  # in a manifest: no file is called so
SIZE_LIMIT = 1 << 30
LOCK_SECONDS = 10.0
ABANDONED_SECONDS = 3600.0


@dataclass(frozen=True, slots=True)
class StoredCell:
    """One kept cell: its key, the bytes it takes, and when it was last used (seconds since the epoch)."""

    key: str
    size: int
    used: float


class ArtifactStore:
    """The artifact store below `cache_dir`; nothing is created before the first `put`.

    `limit`: bytes kept at most; the entries not used for longest go first. All entries are looked at for that, so it is done at the
    first `put` of a store and then each time a sixteenth of the limit has been added: whoever saves often has one store (`shared`).
    """

    def __init__(self, cache_dir: Path | str, limit: int = SIZE_LIMIT) -> None:
        self.root = Path(cache_dir) / "artifacts" / LAYOUT
        self.limit = limit
        self._added: int | None = None  # bytes since the entries were looked at

    @classmethod
    def shared(cls, cache_dir: Path, limit: int = SIZE_LIMIT) -> ArtifactStore:
        """The one store of this process below `cache_dir`."""
        return _shared(cache_dir, limit)

    @staticmethod
    def key(parts: Mapping[str, object]) -> str:
        """SHA-256 over the canonical form of `parts`: text, numbers, bytes, None, and lists, mappings, dataclasses of
        these."""
        text = json.dumps(_canonical(parts), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    def get(self, key: str) -> dict[str, bytes] | None:
        """The files put under `key`; None when there are none, or when what is there is damaged."""
        folder = self._folder(key)
        if not os.path.lexists(folder) or self.distrust() is not None:
            return None
        files = _read(folder)
        if files is None:
            self._drop(folder)
        else:
            with contextlib.suppress(OSError):
                os.utime(folder)
        return files

    def put(self, key: str, files: Mapping[str, bytes]) -> str | None:
        """Keep `files` under `key`. Returns None, or the sentence that says why they were not kept."""
        folder = self._folder(key)
        for name in files:
            if name in ("", ".", "..", MANIFEST) or Path(name).name != name:
                raise InternalError(f"{name!r} is no name for a kept file")
        try:
            ownership.make(self.root)
            if (doubt := self.distrust()) is not None:
                return f"the compiled cell is not kept: {doubt}"
            self._write(folder, files)
            self._trim_at_times(folder, sum(map(len, files.values())))
        except (OSError, TimeoutError) as error:
            return f"the compiled cell is not kept: {self.root} cannot be written ({_reason(error)})"
        return None

    def entries(self) -> tuple[StoredCell, ...]:
        """Every entry, the one used last first."""
        found = [_entry(folder) for folder in self._folders()]
        return tuple(sorted((entry for entry in found if entry), key=lambda entry: (-entry.used, entry.key)))

    def size(self) -> int:
        """Bytes that all entries take together."""
        return sum(entry.size for entry in self.entries())

    def clear(self) -> int:
        """Remove every entry; returns how many there were. What cannot be removed stays (see `entries`)."""
        if not self.root.is_dir():
            return 0
        removed = 0
        with contextlib.suppress(OSError, TimeoutError), self._lock():
            for folder in list(self._folders()):
                removed += self._remove(folder)
            self._sweep()
        return removed

    def distrust(self) -> str | None:
        """Why native code found here must not be run: somebody else could have put it there. None when all is well."""
        return ownership.doubt(self.root)

    def _folder(self, key: str) -> Path:
        if len(key) != 64 or not set(key) <= set("0123456789abcdef"):
            raise InternalError(f"{key!r} is no key of the artifact store")
        return self.root / key[:2] / key

    def _folders(self) -> Iterator[Path]:
        yield from (path for path in self.root.glob("[0-9a-f][0-9a-f]/*") if len(path.name) == 64)

    @contextlib.contextmanager
    def _lock(self) -> Iterator[None]:
        from filelock import FileLock

        with FileLock(self.root / "lock", timeout=LOCK_SECONDS):
            yield

    def _write(self, folder: Path, files: Mapping[str, bytes]) -> None:
        """A finished folder beside the entries, then one rename. An intact entry that is already there is left
        alone."""
        fresh = Path(tempfile.mkdtemp(prefix="new-", dir=self.root))  # for the user alone
        try:
            for name, data in files.items():
                _write(fresh / name, data)
            stamps = {name: _stamp(data) for name, data in files.items()}
            text = json.dumps({_KEY: folder.name, **stamps}, separators=(",", ":"))
            _write(fresh / MANIFEST, text.encode())
            with self._lock():
                folder.parent.mkdir(mode=0o700, exist_ok=True)
                if os.path.lexists(folder):
                    if _read(folder) == dict(files):
                        return
                    self._remove(folder)
                os.replace(fresh, folder)
        finally:
            if os.path.lexists(fresh):
                shutil.rmtree(fresh, ignore_errors=True)

    def _drop(self, folder: Path) -> None:
        """Remove a damaged entry, unless another process has mended it meanwhile or the folder is read-only."""
        with contextlib.suppress(OSError, TimeoutError), self._lock():
            if os.path.lexists(folder) and _read(folder) is None:
                self._remove(folder)

    def _remove(self, folder: Path) -> bool:
        """Rename away first: a reader must never find half an entry that still has its manifest."""
        grave = Path(tempfile.mkdtemp(prefix="old-", dir=self.root))
        try:
            os.replace(folder, grave / "entry")
        except OSError:
            return False
        finally:
            shutil.rmtree(grave, ignore_errors=True)
        return True

    def _trim_at_times(self, keep: Path, size: int) -> None:
        if self._added is not None:
            self._added += size
            if self._added < self.limit // 16:
                return
        self._added = 0
        with self._lock():
            self._sweep()
            entries = self.entries()
            excess = sum(entry.size for entry in entries) - self.limit
            for entry in reversed(entries):
                if excess <= 0:
                    break
                if entry.key != keep.name and self._remove(self._folder(entry.key)):
                    excess -= entry.size

    def _sweep(self) -> None:
        """Remove the working folders of processes that were killed; a young one may be in use."""
        for pattern in ("new-*", "old-*"):
            for path in self.root.glob(pattern):
                with contextlib.suppress(OSError):
                    if time.time() - path.stat().st_mtime >= ABANDONED_SECONDS:
                        shutil.rmtree(path, ignore_errors=True)


@cache
def _shared(cache_dir: Path, limit: int) -> ArtifactStore:
    return ArtifactStore(cache_dir, limit)


def _stamp(data: bytes) -> list[int | str]:
    return [len(data), hashlib.sha256(data).hexdigest()]


def _read(folder: Path) -> dict[str, bytes] | None:
    """The files of one entry, or None when anything about it is not as it was written."""
    try:
        if not all(_is_own_folder(one) for one in (folder.parent, folder)):
            return None
        manifest = json.loads(_plain_file(folder / MANIFEST, MANIFEST_LIMIT))
        if not isinstance(manifest, dict) or manifest.pop(_KEY, None) != folder.name:
            return None
        files = {}
        for name, (size, digest) in manifest.items():
            if Path(name).name != name or type(size) is not int:
                return None
            files[name] = _plain_file(folder / name, size)
            if _stamp(files[name]) != [size, digest]:
                return None
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    return files


def _is_own_folder(folder: Path) -> bool:
    status = folder.lstat()
    return stat.S_ISDIR(status.st_mode) and ownership.of_status(folder, status) is None


def _plain_file(path: Path, most: int) -> bytes:
    """The content of a file of the user's, neither a link nor a pipe, of up to `most` bytes. Raises OSError for anything else."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_size > most or ownership.of_status(path, status) is not None:
            raise OSError(f"{path} is no file of an entry")
        return file.read(most + 1)


def _write(path: Path, data: bytes) -> None:
    """A file that nobody else may write, whatever the process's mask is."""
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb") as file:
        file.write(data)


def _entry(folder: Path) -> StoredCell | None:
    try:
        size = sum(file.stat().st_size for file in folder.iterdir())
        return StoredCell(folder.name, size, folder.stat().st_mtime)
    except OSError:  # another process has just removed it
        return None


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return f"locked by another process for {LOCK_SECONDS:.0f} s" if isinstance(error, TimeoutError) else str(error)


def _canonical(value: object) -> object:
    """Plain JSON data in which different kinds of values stay different."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, bytes):
        return {"bytes": hashlib.sha256(value).hexdigest()}
    if isinstance(value, Path):
        return {"path": str(value)}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
        return {type(value).__name__: _canonical(fields)}
    if isinstance(value, Mapping):
        return {"mapping": sorted([json.dumps(_canonical(name)), _canonical(item)] for name, item in value.items())}
    if isinstance(value, list | tuple):
        return [_canonical(item) for item in value]
    raise InternalError(
        f"a {type(value).__name__} cannot be part of a key", hint="use text, numbers, bytes or dataclasses of them"
    )
