"""C text to LLVM IR text: one run of clang in the ordinary case.

Invariant: what is returned was compiled by clang without an error, from the user's text byte for byte, with additions only where
`Unit.notes` say so; the IR carries the canonical triple, no attributes of the build machine and no path of a temporary file,
so that the same text and options give the same IR. Nothing is left on disk but the compiler's own cache.

A further run happens when a header or declaration is missing, when a function needs a uniform entry, and when the program defines a
function of the C library for itself, which clang must then not take for the library's. What was found is remembered, so that the
same text needs one run the next time.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from enzyme_magic import orphans
from enzyme_magic.backend.frontend import additions as additions_
from enzyme_magic.backend.frontend import clones, doubtful, entry, headers, library_names, markers, signature, sources
from enzyme_magic.backend.frontend.additions import Additions
from enzyme_magic.backend.frontend.c_types import Signature
from enzyme_magic.backend.frontend.clang import diagnostics as diagnostics_
from enzyme_magic.backend.frontend.clang import failure, process, toolchain
from enzyme_magic.backend.frontend.clang.arguments import ClangArguments, arguments
from enzyme_magic.backend.frontend.clang.diagnostics import FixIt
from enzyme_magic.backend.frontend.clang.toolchain import Toolchain
from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.backend.ir.text import parser
from enzyme_magic.config import Options, Settings
from enzyme_magic.errors import CompileError, Diagnostic, ToolchainError

_ROUNDS = 6  # of adding what clang misses; each reveals at most what the one before hid
_REMEMBERED = 256


@dataclass(frozen=True, slots=True)
class Unit:
    """What clang made of the sources.

    irs: one LLVM text per source. diagnostics: every warning, as data. notes: what was added or left out. files: included
    files outside the toolchain with the sha256 of their content. entries: names that got a uniform entry
    (`<name>.entry`). signatures: by symbol, static functions included. version: the clang's.
    """

    irs: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]
    notes: tuple[str, ...]
    files: tuple[tuple[str, str], ...]
    entries: tuple[str, ...]
    signatures: Mapping[str, Signature]
    version: str


@dataclass(frozen=True, slots=True)
class _Run:
    """One run of clang. `ir` is empty when it failed; `included` are the files it read."""

    ir: str
    stderr: str
    status: int
    diagnostics: tuple[Diagnostic, ...]
    included: tuple[str, ...] = ()
    fixes: tuple[FixIt, ...] = ()

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        return diagnostics_.errors(self.diagnostics)


def compile_sources(
    given: Sequence[Source], options: Options, settings: Settings, llvm_major: int | None = None
) -> Unit:
    """Compile each source as a translation unit of its own.

    Raises CompileError (EM110 the text is wrong, EM111–EM114 it cannot be read, EM115 a header is missing, EM116 an attribute
    would be dropped, EM117 an option is refused, EM119 the language) and ToolchainError (EM101–EM106).
    """
    checked = [sources.check(source, settings.source_limit) for source in given]
    if not checked:
        raise CompileError("there is no source", code="EM111", hint="give at least one C text")
    tool = toolchain.find(settings, llvm_major)
    units = [_Job(source, options, settings, tool).unit() for source in checked]
    own = library_names.defined(ir for unit in units for ir in unit.irs)
    if own:
        units = [_Job(source, options, settings, tool, own).unit() for source in checked]
    return _joined(units)


def _joined(units: Sequence[Unit]) -> Unit:
    signatures: dict[str, Signature] = {}
    for unit in units:  # a static function of one unit does not hide another's
        signatures |= {
            symbol: told
            for symbol, told in unit.signatures.items()
            if symbol not in signatures or signatures[symbol].static
        }
    return Unit(
        irs=tuple(ir for unit in units for ir in unit.irs),
        diagnostics=tuple(diagnostic for unit in units for diagnostic in unit.diagnostics),
        notes=tuple(dict.fromkeys(note for unit in units for note in unit.notes)),
        files=tuple(sorted({file for unit in units for file in unit.files})),
        entries=tuple(name for unit in units for name in unit.entries),
        signatures=MappingProxyType(signatures),
        version=units[0].version,
    )


_memory: OrderedDict[str, Additions] = OrderedDict()
_memory_lock = threading.Lock()


def _remember(key: str, additions: Additions) -> None:
    with _memory_lock:
        _memory[key] = replace(additions, foreseen=False)
        _memory.move_to_end(key)
        while len(_memory) > _REMEMBERED:
            _memory.popitem(last=False)


class _Job:
    """The compilation of one source: runs of clang until it has what it needs. own: the functions of the C library that the
    program defines for itself."""

    def __init__(
        self, source: Source, options: Options, settings: Settings, tool: Toolchain, own: tuple[str, ...] = ()
    ) -> None:
        self.source = source
        self.options = options
        self.settings = settings
        self.tool = tool
        self.arguments: ClangArguments = arguments(options, source)
        self.by_name = {source.name: source}
        self.own = own
        self.key = hashlib.sha256(repr((source, options, tool, own)).encode("utf-8")).hexdigest()

    def unit(self) -> Unit:
        remembered = _memory.get(self.key)
        additions, run = self._compiled(remembered)
        told = self._signatures(run)
        wanted = [s for s in told.values() if entry.needs_entry(s)]
        if wanted and not additions.appended and self.options.language == "c":
            additions, run = self._with_entries(additions, run, [s for s in wanted if entry.can_have_entry(s)])
            told = self._signatures(run)
        entries = tuple(s.name for s in wanted if s.name + entry.SUFFIX in told)
        _remember(self.key, additions)
        lacking = tuple(
            f"{s.name} cannot be called from Python: {self._why_no_entry()}" for s in wanted if s.name not in entries
        )
        return Unit(
            irs=(run.ir,),
            diagnostics=() if self.arguments.quiet else (*run.diagnostics, *doubtful.warnings(self.source)),
            notes=(*self.arguments.notes, *additions.notes, *lacking),
            files=tuple((name, sources.digest(name) or "") for name in run.included),
            entries=entries,
            signatures={symbol: s for symbol, s in told.items() if entry.blamed(s.file) is None},
            version=self.tool.version,
        )

    def _why_no_entry(self) -> str:
        if self.options.language != "c":
            return "only plain scalars and pointers can be passed to C++ yet"
        return "a type in its signature has no name"

    def _signatures(self, run: _Run) -> dict[str, Signature]:
        return signature.signatures(parser.parse(signature.skeleton(run.ir)), [self.source])

    def _compiled(self, remembered: Additions | None) -> tuple[Additions, _Run]:
        """Run clang, adding what it misses. Raises CompileError when that does not help."""
        strict = self.options.strict_headers or self.options.language != "c"
        plain = markers.attributes(self.source)
        additions = remembered or plain
        if remembered is None and not strict:
            foreseen = headers.foreseen(self.source)
            additions = replace(plain, headers=foreseen.headers, foreseen=foreseen.foreseen, notes=foreseen.notes)
        run = self._run(additions)
        if run.errors and (additions.foreseen or remembered is not None):
            additions, run = plain, self._run(plain)
        for _ in range(0 if strict else _ROUNDS):
            further = headers.cure(run.diagnostics, self.source, additions) if run.errors else None
            if further is None:
                break
            additions, run = self._cured(additions, run, further)
        failure.raise_for(run.errors, run.diagnostics, run.stderr, run.status, run.fixes, self.source)
        failure.refuse_dropped_attributes(run.diagnostics)
        return additions, run

    def _cured(self, additions: Additions, run: _Run, further: Additions) -> tuple[Additions, _Run]:
        trial = self._run(further)
        if not headers.clashes(trial.diagnostics) or headers.clashes(run.diagnostics):
            return further, trial
        single = headers.without_clash(
            run.diagnostics, replace(further, headers=additions.headers, notes=additions.notes)
        )
        return (further, trial) if single is None else (single, self._run(single))

    def _with_entries(self, additions: Additions, run: _Run, wanted: list[Signature]) -> tuple[Additions, _Run]:
        """Append the uniform entries; those that clang does not take are left out."""
        while wanted:
            trial = replace(additions, appended=entry.text(wanted))
            done = self._run(trial)
            if not done.errors:
                return trial, done
            blamed = {entry.blamed(error.span.file) for error in done.errors if error.span}
            rest = [s for s in wanted if s.name not in blamed]
            if len(rest) == len(wanted):
                break
            wanted = rest
        return additions, run

    def _run(self, additions: Additions) -> _Run:
        scratch = _scratch()
        try:
            return self._run_in(Path(scratch), additions)
        except UnicodeError as error:  # a name the file system cannot take
            raise ToolchainError(f"the compiler cannot be run: {error}", code="EM106") from error
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
            orphans.forget_folder(scratch)

    def _run_in(self, scratch: Path, additions: Additions) -> _Run:
        text = scratch / "source" / ("cell.cpp" if self.options.language == "c++" else "cell.c")
        out = scratch / "cell.ll"
        text.parent.mkdir()
        text.write_bytes(additions_.render(self.source, additions).encode("utf-8"))
        words = [*self.tool.command(self.options.language), *self.arguments.words, str(text)]
        # Included files are listed on stderr (-H): with -MD, zig writes the list and no output.
        words += [*(f"-fno-builtin-{name}" for name in self.own), "-H", "-o", str(out)]
        done = _run(words, self.settings, str(scratch))
        if done.endless:
            raise failure.of_endless(done.endless, self.source)
        messages = diagnostics_.parse(done.stderr, self.by_name)
        if done.status != 0 or not out.exists():
            failure.raise_for_crash(done, messages)
            offset = additions_.lines_before(self.source, additions)
            fixes = () if offset is None else diagnostics_.fixits(done.stderr, self.source, offset)
            return _Run("", done.stderr, done.status or 1, messages, (), fixes)
        ir = clones.one_of_each(_canonical(out.read_text("utf-8"), str(text), self.source.name))
        ir = library_names.marked(ir, self.own)
        return _Run(ir, done.stderr, 0, messages, _included(done.stderr, self.tool))


def _scratch() -> str:
    try:
        folder = tempfile.mkdtemp(prefix="enzyme_magic-")
        orphans.watch_folder(folder)
        return folder
    except OSError as error:
        raise ToolchainError(
            f"no temporary folder can be made: {error.strerror or error}",
            code="EM106",
            hint="set TMPDIR to a writable folder",
        ) from error


def _run(words: Sequence[str], settings: Settings, scratch: str) -> process.Completed:
    environment = toolchain.environment(settings, scratch)
    cwd = None if _cwd_exists() else scratch
    try:
        done = process.run(words, environment=environment, timeout=settings.compile_timeout, cwd=cwd)
    except OSError as error:
        raise ToolchainError(f"clang cannot be started: {error.strerror or error}", code="EM101") from error
    if done.stopped and not done.endless:
        raise ToolchainError(
            f"clang was stopped after {settings.compile_timeout:g} seconds",
            code="EM105",
            hint="look for a macro or a constant expression that grows without bound, or raise ENZYME_MAGIC_COMPILE_TIMEOUT",
        )
    return done


def _cwd_exists() -> bool:
    try:
        os.getcwd()
    except OSError:
        return False
    return True


_TRIPLE = re.compile(r'^target triple = ".*"$', re.MULTILINE)
_MACHINE = re.compile(
    r' "(?:target-cpu|target-features|tune-cpu|frame-pointer|min-legal-vector-width|stack-protector-buffer-size)"="[^"]*"'
)
_HEAD = re.compile(r"^(?:; ModuleID = .*|source_filename = .*)\n", re.MULTILINE)
_GROUP = re.compile(r"^attributes #\d+ = \{.*\}$", re.MULTILINE)


def _canonical(ir: str, path: str, name: str) -> str:
    """The text without what depends on this machine and this run."""
    ir = _TRIPLE.sub(f'target triple = "{toolchain.triple()}"', ir, count=1)
    ir = _GROUP.sub(lambda group: _MACHINE.sub("", group[0]), ir)
    ir = _HEAD.sub("", ir, count=2)
    return f"source_filename = {_quoted(name)}\n" + ir.replace(_quoted(path), _quoted(name))


def _quoted(text: str) -> str:
    """A string as LLVM prints it."""
    plain = "".join(
        chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\{byte:02X}" for byte in text.encode("utf-8")
    )
    return f'"{plain}"'


_INCLUDED = re.compile(r"^\.+ (.+)$", re.MULTILINE)


def _included(stderr: str, tool: Toolchain) -> tuple[str, ...]:
    """Files that were read besides the source and the toolchain's own headers."""
    outside = {os.path.abspath(name) for name in set(_INCLUDED.findall(stderr))}
    own = tuple({path + os.sep for path in (tool.folder, os.path.realpath(tool.folder))}) if tool.folder else ()
    return tuple(sorted(name for name in outside if not name.startswith(own)))
