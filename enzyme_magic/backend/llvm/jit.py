"""Object code for this machine, and libraries of it in memory.

Invariants: object code is position independent and free of process state, so it can be kept on disk and loaded by another
process on the same CPU; a library owns its globals; names of libraries inside LLVM are never reused; a library keeps the
libraries it was linked against (`needs`) loaded for as long as it lives, and whoever holds an address must hold its Library.
One LLJIT serves the process, since each costs about a megabyte. Does not optimize.
"""

from __future__ import annotations

import itertools
import re
import weakref
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from enzyme_magic.backend.llvm import binding
from enzyme_magic.errors import InternalError, ToolchainError

_MISSING = re.compile(r"Symbols not found: \[\s*(.*?)\s*\]", re.S)
_serial = itertools.count()


def compile_object(text: str, level: int = 3) -> bytes:
    """Object code of a module for this CPU; `level` 0–3 is the code generator's effort, not an optimization level."""
    with binding.parsed(binding.strip_attributes(text)) as module, binding.target_machine(level) as machine:
        try:
            return bytes(machine.emit_object(module))
        except RuntimeError as error:
            raise ToolchainError(f"LLVM generated no code: {str(error).strip()}", code="EM125") from error


class Library:
    """Code and globals loaded into this process. Made by `load`; unloaded when the last reference goes."""

    __slots__ = ("__weakref__", "_addresses", "name", "needs")

    def __init__(self, name: str, addresses: dict[str, int], needs: tuple[Library, ...]) -> None:
        self.name = name
        self.needs = needs
        self._addresses = addresses

    @classmethod
    def load(
        cls,
        objects: Sequence[bytes],
        exports: Iterable[str],
        needs: tuple[Library, ...] = (),
        symbols: Mapping[str, int] | None = None,
    ) -> Library:
        """Loads object code and resolves `exports`.

        needs: libraries whose exports these objects may use, first found first; then the process and libgcc_s.
        symbols: addresses that win over everything but the objects' own definitions.
        Raises ToolchainError EM130 when a C function is nowhere to be found, EM131 when something is defined twice,
        EM132 when the objects do not load.
        """
        wanted = sorted(set(exports))
        with binding.guard:
            name = f"enzyme_magic.{next(_serial)}"
            tracker = _link(name, objects, wanted, needs, dict(symbols or {}))
            library = cls(name, {export: tracker[export] for export in wanted}, needs)
        # The tracker goes first, then the references to `needs`; at interpreter exit everything stays mapped.
        weakref.finalize(library, _unload, tracker, needs).atexit = False
        return library

    def address(self, name: str) -> int:
        """The address of an export. Valid as long as this Library is referenced."""
        try:
            return self._addresses[name]
        except KeyError:
            raise InternalError(f"{name!r} is no export of library {self.name}", code="EM914") from None

    def __repr__(self) -> str:
        return f"<Library {self.name}: {', '.join(self._addresses)}>"


def _unload(tracker: Any, needs: tuple[Library, ...]) -> None:
    with binding.guard:
        tracker.close()


@cache
def _session() -> Any:
    binding.llvm().load_library_permanently("libgcc_s.so.1")  # __powidf2, __muldc3, __divti3, …
    return binding.llvm().create_lljit_compiler(binding.target_machine(2), use_jit_link=True, suppress_errors=True)


def _link(
    name: str, objects: Sequence[bytes], exports: list[str], needs: tuple[Library, ...], symbols: dict[str, int]
) -> Any:
    builder = binding.llvm().JITLibraryBuilder()
    for image in objects:
        builder.add_object_img(image)
    for needed in needs:
        builder.add_jit_library(needed.name)
    builder.add_current_process()
    for symbol, address in symbols.items():
        builder.import_symbol(symbol, address)
    for export in exports:
        builder.export_symbol(export)
    try:
        return builder.link(_session(), name)
    except RuntimeError as error:
        raise _load_error(str(error)) from error


def _load_error(message: str) -> ToolchainError:
    missing = _MISSING.search(message)
    if missing:
        names = missing.group(1)
        return ToolchainError(
            f"no function or variable named {names} in the cell or in this process",
            code="EM130",
            hint="define it, or name the library that has it with --link",
        )
    return ToolchainError(f"the compiled code does not load: {message.strip()}", code="EM132")
