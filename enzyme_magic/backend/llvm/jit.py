"""Libraries of object code in memory.

Invariants: a library owns its globals; names of libraries inside LLVM are never reused; a library keeps the libraries it was
linked against (`needs`) loaded for as long as it lives, and whoever holds an address must hold its Library. One LLJIT serves
the process, since each costs about a megabyte. Loading is eager: what is missing is reported by `load`, never at a call.
Compiles nothing: see `codegen`.
"""

from __future__ import annotations

import ctypes.util
import itertools
import weakref
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from enzyme_magic.backend.llvm import binding, elf
from enzyme_magic.backend.llvm.codegen import compile_object
from enzyme_magic.errors import InternalError, ToolchainError

__all__ = ["Library", "compile_object", "open_shared"]

_serial = itertools.count()
_MADE_BY_LINKER = frozenset({"_GLOBAL_OFFSET_TABLE_"})
_IN_PROCESS = frozenset({"c", "m", "pthread", "dl", "rt", "gcc_s"})


class Library:
    """Code and globals loaded into this process. Made by `load`; unloaded when the last reference goes."""

    __slots__ = ("__weakref__", "_addresses", "name", "needs", "symbols")

    def __init__(
        self, name: str, addresses: dict[str, int], needs: tuple[Library, ...], symbols: elf.ObjectSymbols
    ) -> None:
        self.name = name
        self.needs = needs
        self.symbols = symbols
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

        needs: libraries whose definitions these objects may use, first found first; after them the process and libgcc_s.
        symbols: addresses that win over all of those; a definition in the objects themselves wins over `symbols`.
        Raises ToolchainError EM130 when a C function or variable is nowhere to be found, EM132 when the objects do not
        load for another reason; InternalError EM914 when an export is not defined in the objects.
        """
        tables = [elf.read(image) for image in objects]
        own = _merged(tables)
        wanted = sorted(set(exports))
        unknown = [export for export in wanted if own.defined and export not in own.defined]
        if unknown:
            raise InternalError(f"not defined in the objects to load: {', '.join(unknown)}", code="EM914")
        imports = {name: address for name, address in (symbols or {}).items() if name not in own.defined}
        # An object is loaded as a whole when one of its symbols is asked for: ask for one of each.
        eager = {min(table.defined) for table in tables if table.defined}
        with binding.guard:
            name = f"enzyme_magic.{next(_serial)}"
            try:
                tracker = _link(name, objects, sorted(eager.union(wanted)), needs, imports)
            except RuntimeError as error:
                raise _load_error(str(error), own, needs, imports) from error
            library = cls(name, {export: tracker[export] for export in wanted}, needs, own)
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


def open_shared(name: str, search: Iterable[str] = ()) -> None:
    """Makes a shared library's symbols available to everything loaded afterwards, for the rest of the process.

    name: as after clang's -l ("openblas", "stdc++"), or a path. search: folders to look in first, as -L.
    Raises ToolchainError EM133 when there is no such library.
    """
    if name in _IN_PROCESS:
        return
    file = name if "/" in name or ".so" in name else _find_shared(name, search)
    with binding.guard:
        try:
            binding.llvm().load_library_permanently(file)
        except RuntimeError as error:
            raise _no_library(name, str(error)) from error


def _find_shared(name: str, search: Iterable[str]) -> str:
    for folder in search:
        path = Path(folder) / f"lib{name}.so"
        if path.exists():
            return str(path)
    found = ctypes.util.find_library(name)
    if found is None:
        raise _no_library(name, "not found")
    return found


def _no_library(name: str, why: str) -> ToolchainError:
    return ToolchainError(
        f"shared library '{name}': {why.strip()}",
        code="EM133",
        hint="install it, or name its folder with -L",
    )


def _unload(tracker: Any, needs: tuple[Library, ...]) -> None:
    with binding.guard:
        tracker.close()


@cache
def _session() -> Any:
    llvm = binding.llvm()
    llvm.load_library_permanently("libgcc_s.so.1")  # __powidf2, __muldc3, __divti3, …
    return llvm.create_lljit_compiler(binding.target_machine(2), use_jit_link=True, suppress_errors=True)


def _link(
    name: str, objects: Sequence[bytes], exports: list[str], needs: tuple[Library, ...], imports: dict[str, int]
) -> Any:
    builder = binding.llvm().JITLibraryBuilder()
    for image in objects:
        builder.add_object_img(image)
    for needed in needs:
        builder.add_jit_library(needed.name)
    builder.add_current_process()
    for symbol, address in imports.items():
        builder.import_symbol(symbol, address)
    for export in exports:
        builder.export_symbol(export)
    return builder.link(_session(), name)


def _merged(tables: Sequence[elf.ObjectSymbols]) -> elf.ObjectSymbols:
    defined = frozenset().union(*(table.defined for table in tables))
    undefined = frozenset().union(*(table.undefined for table in tables))
    return elf.ObjectSymbols(defined, undefined - defined)


def _load_error(
    message: str, own: elf.ObjectSymbols, needs: tuple[Library, ...], imports: Mapping[str, int]
) -> ToolchainError:
    known = _MADE_BY_LINKER.union(imports, *(needed.symbols.defined for needed in needs))
    missing = sorted(name for name in own.undefined - known if binding.llvm().address_of_symbol(name) is None)
    if missing:
        names = ", ".join(f"'{name}'" for name in missing)
        return ToolchainError(
            f"nothing named {names} in the cell, in the libraries it links, or in this process",
            code="EM130",
            hint="define it in the cell, or name the library that has it with --link",
        )
    return ToolchainError(f"the compiled code does not load: {message.strip()}", code="EM132")
