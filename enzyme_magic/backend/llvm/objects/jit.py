"""Libraries of object code in memory.

Invariants: a library owns its globals; names of libraries inside LLVM are never reused; a library keeps the libraries it was
linked against (`needs`) loaded for as long as it lives, and whoever holds an address must hold its Library. Loading is eager: what
is missing is reported by `load`, never at a call. Compiles nothing: see `codegen`.
"""

from __future__ import annotations

import contextlib
import ctypes
import ctypes.util
import itertools
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, ClassVar

from enzyme_magic.backend.llvm import binding, vector_library
from enzyme_magic.backend.llvm.objects import code_ranges, codegen, elf
from enzyme_magic.backend.llvm.objects.codegen import compile_object, runtime_object
from enzyme_magic.errors import InternalError, Span, ToolchainError

__all__ = ["Library", "compile_object", "open_shared", "runtime_object"]

_serial = itertools.count()
_MADE_BY_LINKER = frozenset({"_GLOBAL_OFFSET_TABLE_", "__dso_handle", "atexit"})
# What a library asks the process to do at its end would call code that is no longer there.
_AT_EXIT = frozenset({"__cxa_atexit", "at_quick_exit", "on_exit"})
_DECLINE = "enzyme_magic.decline"
_IN_PROCESS = frozenset({"c", "m", "pthread", "dl", "rt", "gcc_s"})


class Library:
    """Code and globals loaded into this process. Made by `load`; unloaded when the last reference goes."""

    __slots__ = ("__weakref__", "_addresses", "exports", "lines", "name", "needs")
    construct: ClassVar[
        Callable[[int], None]
    ]  # calls the function at an address; whoever knows how to guard it sets it
    may_unload: ClassVar[Callable[[], bool]]  # whether no thread of C's can run what is loaded
    unloaded: ClassVar[Callable[[], None]]  # told after code went

    def __init__(
        self, name: str, exports: tuple[str, ...], addresses: dict[str, int], needs: tuple[Library, ...]
    ) -> None:
        self.name = name
        self.exports = exports
        self.needs = needs
        self._addresses = addresses
        self.lines: Callable[[str, int], Span | None] | None = (
            None  # as CodeRange.line; whoever knows the C text sets it
        )

    @classmethod
    def load(
        cls,
        objects: Sequence[bytes],
        exports: Iterable[str],
        needs: tuple[Library, ...] = (),
        symbols: Mapping[str, int] | None = None,
        *,
        lends: Mapping[str, int] | None = None,
        runtime: bool = False,
        guards: bool = False,
        of: str = "",
    ) -> Library:
        """Loads object code; all that it defines has an address from then on, `exports` must be among it.

        What the objects use but do not define is looked up in `needs` in order, then in `symbols` (name -> address), then in
        the process and libgcc_s. `lends`: more symbols, for this library and those that need it. Constructors have run when
        `load` returns; destructors never run. runtime: the code is this package's own, not a program's;
        guards: it calls programs, and does nothing else of note; of: the function that all of it is a loop around.
        Raises ToolchainError EM130 when a C function or variable is nowhere to be found, EM132 when the objects do not
        load for another reason; InternalError EM914 when an export is not defined in the objects.
        """
        tables = [elf.read(image) for image in objects]
        defined = frozenset[str]().union(*(table.defined for table in tables))
        undefined = frozenset[str]().union(*(table.undefined for table in tables)) - defined
        wanted = tuple(sorted(set(exports)))
        unknown = [export for export in wanted if export not in defined]
        if unknown:
            raise InternalError(f"not defined in the objects to load: {', '.join(unknown)}", code="EM914")
        lent = {symbol: address for symbol, address in (lends or {}).items() if symbol not in defined}
        if any(symbol.startswith(vector_library.PREFIX) for symbol in undefined):
            vector_library.opened()
        imports = _imports(undefined, {**(symbols or {}), **lent}, needs)
        for name in undefined.intersection(_AT_EXIT).difference(imports):
            imports[name] = _decline().address(_DECLINE)
        with binding.guard:
            name = f"enzyme_magic.{next(_serial)}"
            session = _Session.current(codegen.unwinds(undefined))
            try:
                tracker = session.link(name, objects, sorted(defined), imports)
            except RuntimeError as error:
                raise _load_error(str(error), undefined.difference(imports)) from error
            library = cls(name, wanted, {**lent, **{symbol: tracker[symbol] for symbol in defined}}, needs)
            known = () if runtime and not guards else code_ranges.add(_code(tables, library, of), guards=guards)
        # The tracker goes first, then the references to `needs`; at interpreter exit everything stays mapped.
        weakref.finalize(library, _unload, session, tracker, known, needs).atexit = False
        for symbol in sorted(defined):
            if symbol.startswith(codegen.CONSTRUCTOR_PREFIX):
                cls.construct(library.address(symbol))
        return library

    def address(self, name: str) -> int:
        """The address of something the objects define. Valid as long as this Library is referenced."""
        try:
            return self._addresses[name]
        except KeyError:
            raise InternalError(f"{name!r} is not defined in library {self.name}", code="EM914") from None

    def find(self, name: str) -> int | None:
        """The address of something the objects define, None when they do not."""
        return self._addresses.get(name)

    def __repr__(self) -> str:
        return f"<Library {self.name}: {', '.join(self.exports)}>"


def rehearse(image: bytes) -> None:
    """Has the linker of the JIT read an object as `Library.load` does, with any address for what it lacks; nothing of it runs. What
    the linker does not survive ends this process. What it only refuses is for `load` to say."""
    with contextlib.suppress(RuntimeError, ToolchainError), binding.guard:
        table = elf.read(image)
        lacks = table.undefined - _MADE_BY_LINKER
        anywhere = dict.fromkeys(lacks, _decline().address(_DECLINE))
        session = _Session.current(codegen.unwinds(lacks))
        session.link(f"enzyme_magic.{next(_serial)}", [image], sorted(table.defined), anywhere)


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


def _unload(session: _Session, tracker: Any, known: tuple[int, ...], needs: tuple[Library, ...]) -> None:
    """Where a thread that C code started may still be running it, the code goes when another one does."""
    with binding.guard:
        _unloading.append((session, tracker, known, needs))
        if not Library.may_unload():
            return
        while _unloading:
            session, tracker, known, needs = _unloading.pop()
            code_ranges.remove(known)
            tracker.close()
            session.left()
        Library.unloaded()


_unloading: list[tuple[_Session, Any, tuple[int, ...], tuple[Library, ...]]] = []


def _code(tables: Iterable[elf.ObjectSymbols], library: Library, of: str) -> Iterator[code_ranges.CodeRange]:
    """Where the sections of code have come to lie."""
    for section in (section for table in tables for section in table.code):
        name, offset = section.anchor
        start = library.address(name) - offset
        functions = tuple((start + place, size, called) for place, size, called in section.functions)
        yield code_ranges.CodeRange(start, start + section.size, functions, partial(_line, weakref.ref(library)), of)


def _line(library: weakref.ref[Library], function: str, offset: int) -> Span | None:
    found = library()
    return found.lines(function, offset) if found is not None and found.lines is not None else None


class _Session:
    """An LLJIT. LLVM's older linker, which tells the C++ runtime about frames, serves code that unwinds; the newer one, which puts
    code at any distance and reports what does not fit, serves everything else.

    Each costs about a megabyte, so one of each kind serves the libraries that are loaded. But it keeps 9 kB of every library
    that it ever loaded: after `MOST` another one takes its place, and it goes with the last of its libraries."""

    MOST = 256
    _now: ClassVar[dict[bool, _Session]] = {}

    def __init__(self, unwinding: bool) -> None:
        llvm = binding.llvm()
        llvm.load_library_permanently("libgcc_s.so.1")  # __powidf2, __muldc3, __divti3, …
        self.compiler = llvm.create_lljit_compiler(
            binding.target_machine(2), use_jit_link=not unwinding, suppress_errors=True
        )
        self._made = self._live = 0
        self._retired = False

    @classmethod
    def current(cls, unwinding: bool) -> _Session:
        """The one for the next library. (`binding.guard` is held, as for all of these.)"""
        found = cls._now.get(unwinding)
        if found is None or found._made >= cls.MOST:
            if found is not None:
                found._retired = True
                found._close_if_over()
            found = cls._now[unwinding] = cls(unwinding)
        return found

    def link(self, name: str, objects: Sequence[bytes], exports: list[str], imports: dict[str, int]) -> Any:
        """Raises RuntimeError with LLVM's words. `left` is to be called when what it gives is closed."""
        builder = binding.llvm().JITLibraryBuilder().add_current_process()
        for image in objects:
            builder.add_object_img(image)
        for symbol, address in imports.items():
            builder.import_symbol(symbol, address)
        for export in exports:  # asking for everything loads every object as a whole, now
            builder.export_symbol(export)
        self._made += 1
        tracker = builder.link(self.compiler, name)
        self._live += 1
        return tracker

    def left(self) -> None:
        self._live -= 1
        self._close_if_over()

    def _close_if_over(self) -> None:
        if self._retired and not self._live:
            self.compiler.close()


def _call(address: int) -> None:
    ctypes.CFUNCTYPE(None)(address)()


Library.construct = _call
Library.may_unload = lambda: True
Library.unloaded = lambda: None


@cache
def _decline() -> Library:
    """A function that takes anything, does nothing and says that all went well."""
    return Library.load([runtime_object(f'define i32 @"{_DECLINE}"() {{\n  ret i32 0\n}}\n')], [_DECLINE], runtime=True)


def _imports(undefined: frozenset[str], symbols: Mapping[str, int], needs: tuple[Library, ...]) -> dict[str, int]:
    """Addresses for what is not the process's business.

    LLVM's own way (linking libraries to each other) searches the process first, so a derivative that calls the cell's own
    `gamma` would silently get the one of libm: what another library defines is therefore given as an address.
    """
    found: dict[str, int] = {}
    for name in undefined:
        address = next((own for needed in needs if (own := needed.find(name)) is not None), symbols.get(name))
        if address is not None:
            found[name] = address
    return found


def _where_it_may_be(missing: Sequence[str]) -> str:
    if all(name.startswith("__atomic_") for name in missing):
        return "the compiler calls it for _Atomic objects that are no single word; --link atomic, or make the members _Atomic"
    if all(name.startswith("__") for name in missing):
        return "the compiler calls it for a type or an operation that this processor has no instruction for: use double or float"
    if not all(name.isidentifier() for name in missing):
        return (
            "it is a name in assembly (of an asm label): define it there, or name the library that has it with --link"
        )
    return "define it in the cell, or name the library that has it with --link"


def _load_error(message: str, undefined: frozenset[str]) -> ToolchainError:
    elsewhere = undefined - _MADE_BY_LINKER
    missing = sorted(name for name in elsewhere if binding.llvm().address_of_symbol(name) is None)
    if missing:
        names = ", ".join(f"'{name}'" for name in missing)
        return ToolchainError(
            f"nothing named {names} in the cell, in the libraries it links, or in this process",
            code="EM130",
            hint=_where_it_may_be(missing),
        )
    return ToolchainError(f"the compiled code does not load: {message.strip()}", code="EM132")
