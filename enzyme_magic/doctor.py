"""What `%enzyme_doctor` says: does everything on this machine work, and what does an error code mean?

Every examination is made for real (the trial compiles, differentiates and runs a function), stands for itself, and
never raises: what is wrong is a finding with the repair.
"""

from __future__ import annotations

import importlib.metadata
import os
import platform
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import enzyme_magic
from enzyme_magic.config import Settings, settings
from enzyme_magic.errors import EnzymeError
from enzyme_magic.errors_catalog import CATALOG

SUPPORTED = (("Linux", "x86_64"), ("Linux", "aarch64"))


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the examination. `hint`: the repair where it is not `ok`."""

    name: str
    value: str
    ok: bool = True
    hint: str = ""

    def __str__(self) -> str:
        line = f"{'ok ' if self.ok else 'NOT'}  {self.name:<13} {self.value}"
        return f"{line}\n{'':19}hint: {self.hint}" if self.hint else line


def examine() -> tuple[Finding, ...]:
    """All findings, the version and machine first."""
    return tuple(_safely(name, look) for name, look in EXAMINATIONS.items())


def text(findings: Sequence[Finding]) -> str:
    """The findings as lines, and the verdict."""
    bad = sum(not finding.ok for finding in findings)
    verdict = "Everything works." if not bad else f"{bad} of {len(findings)} need attention (NOT)."
    return "\n".join([*map(str, findings), verdict])


def explain(code: str) -> str:
    """What an error code means and what usually helps; says which codes there are when there is none of that name."""
    entry = CATALOG.get(code.strip().upper())
    if entry is None:
        near = [known for known in CATALOG if known[:3] == code.strip().upper()[:3]]
        return f"there is no code {code}; {'near it' if near else 'there are'}: {', '.join(near or CATALOG)}"
    lines = [f"{code.strip().upper()}: {entry.title}", "", entry.meaning]
    return "\n".join([*lines, "", f"What helps: {entry.repair}"] if entry.repair else lines)


def _safely(name: str, look: Callable[[Settings], Finding]) -> Finding:
    try:
        return look(settings())
    except EnzymeError as error:
        return Finding(name, f"{error.message}  [{error.code}]", False, error.hint or "")
    except Exception as error:  # a broken installation can fail in any way, and that is what we are asked to tell
        return Finding(name, f"{type(error).__name__}: {error}", False, "reinstall enzyme_magic in a fresh environment")


def _package(_: Settings) -> Finding:
    names = ("numpy", "ipython", "ipywidgets", "llvmlite", "ziglang")
    versions = ", ".join(f"{name} {_version(name)}" for name in names)
    return Finding("package", f"enzyme_magic {enzyme_magic.__version__} in {Path(__file__).parent} ({versions})")


def _machine(_: Settings) -> Finding:
    system, machine = platform.system(), platform.machine()
    libc = " ".join(platform.libc_ver()) or "a C library that is not glibc"
    value = f"Python {platform.python_version()} ({sys.executable}), {system} {machine}, {libc}"
    if (system, machine) not in SUPPORTED or not libc.startswith("glibc"):
        return Finding("machine", value, False, "supported are Linux on x86_64 and aarch64 with glibc")
    return Finding("machine", value)


def _clang(chosen: Settings) -> Finding:
    from enzyme_magic.backend.frontend.clang import toolchain

    found = toolchain.find(chosen)
    return Finding("clang", f"{found.version}, {found.kind}: {found.path}")


def _llvm(chosen: Settings) -> Finding:
    from enzyme_magic.backend.frontend.clang import toolchain
    from enzyme_magic.backend.llvm import binding

    version = binding.llvm_version()
    value = f"{'.'.join(map(str, version))} for {binding.host_triple()} on a {binding.host_cpu()} processor"
    major = toolchain.find(chosen).major
    if major > version[0]:
        return Finding(
            "LLVM", value, False, f"clang {major} is newer than this LLVM: choose a clang of at most {version[0]}"
        )
    return Finding("LLVM", value)


def cannot_run(cpu: str) -> str:
    """The sentence that says why this machine cannot run code for a level of x86-64; empty where it can ("host": always).

    ArgumentError EM345 for what is no level.
    """
    from enzyme_magic.backend.llvm.objects import tuning

    if cpu == "host" or not (missing := tuning.lacking(cpu)):
        return ""
    return (
        f"This machine cannot run code for {cpu} (it has no {', '.join(missing)}): cells are compiled for this machine, "
        "and their IR may look different from the page."
    )


def _trial(_: Settings) -> Finding:
    from enzyme_magic.api.compilation import compile_c

    start = time.perf_counter()
    function = compile_c("double square(double x) { return x * x; }", name="doctor")["square"]
    value, slope = function(3.0), function.grad(3.0)
    took = f"{(time.perf_counter() - start) * 1000:.0f} ms"
    if (value, slope) != (9.0, 6.0):
        return Finding(
            "trial", f"x*x at 3 gave {value} with gradient {slope}", False, "please report this with these lines"
        )
    return Finding("trial", f"x*x compiled, differentiated and called in {took}: gradient 6 at 3")


def _kept(chosen: Settings) -> Finding:
    from enzyme_magic.backend.store.artifacts import ArtifactStore

    store = ArtifactStore(chosen.cache_dir)
    entries = store.entries()
    value = f"{len(entries)} cells, {size(sum(entry.size for entry in entries))} in {store.root}"
    if not chosen.artifacts:
        return Finding("kept cells", f"switched off by ENZYME_MAGIC_ARTIFACTS=0; {value}")
    why = store.distrust() or _unwritable(store.root)
    if why:
        return Finding(
            "kept cells", f"{value}; nothing is kept: {why}", False, "set ENZYME_MAGIC_CACHE_DIR to a folder of yours"
        )
    return Finding("kept cells", value)


def _unwritable(folder: Path) -> str | None:
    nearest = next((path for path in (folder, *folder.parents) if path.exists()), Path("/"))
    if not nearest.is_dir():
        return f"{nearest} is not a folder"
    return None if os.access(nearest, os.W_OK) else f"{nearest} cannot be written"


def _pictures(_: Settings) -> Finding:
    from enzyme_magic.viz.drawing.render import Job, engines, render

    render([Job("digraph { a -> b }")])
    dot = shutil.which("dot")
    names = [f"pygraphviz {_version('pygraphviz')}" if engine.path is None else f"dot ({dot})" for engine in engines()]
    return Finding("pictures", f"drawn by {', then '.join(names)}")


def _settings(chosen: Settings) -> Finding:
    given = [
        f"{name}={value}" for name, value in sorted(chosen.environment.items()) if name.startswith("ENZYME_MAGIC_")
    ]
    return Finding("settings", ", ".join(given) or "all default (the environment sets no ENZYME_MAGIC_ variable)")


EXAMINATIONS: dict[str, Callable[[Settings], Finding]] = {
    "package": _package,
    "machine": _machine,
    "clang": _clang,
    "LLVM": _llvm,
    "trial": _trial,
    "kept cells": _kept,
    "pictures": _pictures,
    "settings": _settings,
}


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "(not installed)"


def size(count: int) -> str:
    """Bytes for people: 512 B, 1.5 kB, 20 MB."""
    amount = float(count)
    for unit in ("B", "kB", "MB"):
        if amount < 1000:
            return f"{amount:.3g} {unit}"
        amount /= 1000
    return f"{amount:.3g} GB"
