"""Which clang compiles the cell, and the words that start it.

Invariant: the target is fixed by us (never the machine's own triple, which may carry a kernel version), the compiler's own
caches lie below our cache directory, or in a temporary one where that cannot be written, and the outcome does not depend on
HOME. The bundled compiler is the clang inside the `ziglang` package; a system clang is used when the settings name one.
"""

from __future__ import annotations

import atexit
import importlib.util
import json
import os
import platform
import re
import shutil
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from enzyme_magic import orphans, ownership
from enzyme_magic.backend.frontend.clang import process
from enzyme_magic.config import Settings
from enzyme_magic.errors import ToolchainError

_ARCHITECTURES = {"x86_64": "x86_64", "amd64": "x86_64", "aarch64": "aarch64", "arm64": "aarch64"}
_VERSION = re.compile(r"clang version (\d+)\.(\d+)\.(\d+)")
# Search paths and switches taken silently from the environment would be missing in the key of a compiled cell.
_HIDDEN = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS", "CLANG_CONFIG_FILE_USER_DIR")
ToolchainKind = Literal["bundled", "system"]
_WRITTEN_BY_ZIG = ("h", "o", "tmp", "z", "b")


@dataclass(frozen=True, slots=True)
class Toolchain:
    """A compiler that was found. `kind` is "bundled" or "system"; `folder` is where its own headers live."""

    path: str
    version: str
    major: int
    kind: ToolchainKind
    folder: str

    def command(self, language: str = "c") -> tuple[str, ...]:
        """The words before the source's own options, `-x` and `-target` included."""
        if self.kind == "bundled":
            driver = "c++" if language == "c++" else "cc"
            return (self.path, driver, "-x", language, "-target", target(), "-fspell-checking", "-UNDEBUG")
        return (self.path, "-x", language, f"--target={target()}", "--no-default-config")


def target() -> str:
    """The target given to clang: `x86_64-linux-gnu`. Raises ToolchainError EM103 on an unsupported machine."""
    machine = platform.machine().lower()
    if not sys.platform.startswith("linux") or machine not in _ARCHITECTURES:
        raise ToolchainError(
            f"{sys.platform} on {machine or 'an unknown machine'} is not supported yet",
            code="EM103",
            hint="use Linux on x86_64 or aarch64 (a container or WSL 2 will do)",
        )
    return f"{_ARCHITECTURES[machine]}-linux-gnu"


def triple() -> str:
    """The triple written into every module: `x86_64-unknown-linux-gnu`."""
    return target().replace("-", "-unknown-", 1)


def find(settings: Settings, llvm_major: int | None = None) -> Toolchain:
    """The compiler to use. `llvm_major` is the version of the LLVM that will read its output.

    Raises ToolchainError: EM101 no clang, EM102 a clang newer than that LLVM (its text could not be read).
    """
    found = _system(settings.clang, settings) if settings.clang else _bundled(settings)
    if llvm_major is not None and found.major > llvm_major:
        raise ToolchainError(
            f"clang {found.version} ({found.path}) is newer than the LLVM {llvm_major} inside llvmlite",
            code="EM102",
            hint=f"set ENZYME_MAGIC_CLANG to a clang of at most version {llvm_major}, or unset it to use the bundled one",
        )
    return found


def _bundled(settings: Settings) -> Toolchain:
    spec = importlib.util.find_spec("ziglang")
    folder = Path(spec.submodule_search_locations[0]) if spec and spec.submodule_search_locations else None
    path = folder / "zig" if folder else None
    if folder is None or path is None or not os.access(path, os.X_OK):
        raise ToolchainError(
            "no C compiler: the package ziglang, which carries clang, is not installed",
            code="EM101",
            hint="pip install ziglang, or set ENZYME_MAGIC_CLANG to a clang",
        )
    driver = (str(path), "cc", "-target", target())  # for the target "native" it asks the machine's own cc for headers
    return _described(str(path), driver, "bundled", str(folder), settings)


def _system(wanted: str, settings: Settings) -> Toolchain:
    path = shutil.which(wanted, path=settings.environment.get("PATH"))
    if path is None:
        raise ToolchainError(
            f"ENZYME_MAGIC_CLANG names {wanted!r}, which is not a program here",
            code="EM101",
            hint="correct the path, or unset it to use the bundled clang",
        )
    return _described(path, (path,), "system", "", settings)


def _described(path: str, driver: tuple[str, ...], kind: ToolchainKind, folder: str, settings: Settings) -> Toolchain:
    stat = os.stat(path)
    key = f"{path}:{stat.st_size}:{stat.st_mtime_ns}"
    version = _known_version(key, driver, settings)
    return Toolchain(path, version, int(version.split(".")[0]), kind, folder)


_VERSIONS: dict[str, str] = {}


def _known_version(key: str, driver: tuple[str, ...], settings: Settings) -> str:
    """The clang's version: asked once in a file's life, because asking costs as much as half a compilation."""
    if key not in _VERSIONS:
        memo = zig_cache(settings) / "version.json"
        _VERSIONS[key] = _remembered(memo, key) or _remember(memo, key, _ask_version(driver, settings))
    return _VERSIONS[key]


def _remembered(memo: Path, key: str) -> str | None:
    try:
        known = json.loads(memo.read_text("utf-8"))
        version = known[key]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return version if isinstance(version, str) and re.fullmatch(r"\d+\.\d+\.\d+", version) else None


def _remember(memo: Path, key: str, version: str) -> str:
    try:
        handle, name = tempfile.mkstemp(dir=memo.parent, prefix="version")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump({key: version}, file)
        os.replace(name, memo)
    except OSError:
        pass  # asked again next time
    return version


def _ask_version(driver: tuple[str, ...], settings: Settings) -> str:
    try:
        done = process.run(
            (*driver, "--version"), environment=environment(settings), timeout=min(settings.compile_timeout, 30.0)
        )
    except OSError as error:
        raise ToolchainError(f"{driver[0]} cannot be run: {error.strerror}", code="EM101") from error
    found = _VERSION.search(done.stdout)
    if found is None:
        said = (done.stdout + done.stderr).strip().split("\n")[0] or done.stopped or f"exit status {done.status}"
        raise ToolchainError(
            f"{driver[0]} is no clang (asked for its version it said: {said})",
            code="EM102",
            hint="set ENZYME_MAGIC_CLANG to a clang, or unset it to use the bundled one",
        )
    return ".".join(found.groups())


def zig_cache(settings: Settings) -> Path:
    """A folder the bundled compiler may write its own cache to, and nobody else. (It hangs when it meets one that it cannot
    write.)"""
    chosen = settings.cache_dir / "zig"
    return chosen if _is_writable(chosen) and not _is_doubtful(chosen) else _temporary_cache()


def _is_doubtful(folder: Path) -> bool:
    return any(ownership.doubt(f) is not None for f in [folder, *(folder / name for name in _WRITTEN_BY_ZIG)])


def _is_writable(folder: Path) -> bool:
    try:
        ownership.make(folder)
    except OSError:
        return False
    inside = [folder / name for name in _WRITTEN_BY_ZIG]
    return all(os.access(f, os.W_OK | os.X_OK) for f in [folder, *inside] if f is folder or f.exists())


@cache
def _temporary_cache() -> Path:
    folder = tempfile.mkdtemp(prefix="enzyme_magic-zig-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    orphans.watch_folder(folder)
    return Path(folder)


def environment(settings: Settings, scratch: str | None = None) -> dict[str, str]:
    """What the compiler sees of the environment. `scratch`: a folder of one run, removed after it, for everything temporary."""
    env = {
        name: value
        for name, value in settings.environment.items()
        if name not in _HIDDEN and not name.startswith("ZIG_")
    }
    shared = str(zig_cache(settings))
    env["ZIG_GLOBAL_CACHE_DIR"] = shared
    env["ZIG_LOCAL_CACHE_DIR"] = scratch or shared
    env["LC_ALL"] = "C.UTF-8"
    if scratch:
        env["TMPDIR"] = scratch
    return env
