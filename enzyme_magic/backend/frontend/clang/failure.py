"""From a failed run of clang to the error a person reads.

Invariant: the user's own mistakes are CompileErrors at the cell's line with clang's words; what is not the text's fault is a
ToolchainError. The first error speaks, the others are in `diagnostics`.
"""

from __future__ import annotations

import difflib
import os
import re

from enzyme_magic.backend.frontend import headers, markers
from enzyme_magic.backend.frontend.clang import diagnostics as diagnostics_
from enzyme_magic.backend.frontend.clang import slips
from enzyme_magic.backend.frontend.clang.diagnostics import FixIt
from enzyme_magic.backend.frontend.clang.process import Completed
from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.backend.frontend.standard_names import HEADER_OF
from enzyme_magic.backend.frontend.tokens import tokenize
from enzyme_magic.errors import CompileError, Diagnostic, Span, ToolchainError

_NO_HEADER = re.compile(r"'(?P<name>[^']+)' file not found")
_BAD_OPTION = re.compile(
    r"unknown (?:clang )?(?:option|argument)|unsupported (?:option|argument)|invalid (?:value|argument)|no such file|argument to"
    r"|unrecognized"
)
_CRASH = re.compile(r"PLEASE submit a bug report|LLVM ERROR|frontend command failed|terminated|unexpectedly|signal")
_OUT_OF_MEMORY = re.compile(r"out of memory|bad_alloc|OutOfMemory", re.IGNORECASE)
_KEYWORDS = frozenset(
    [
        "auto",
        "break",
        "case",
        "char",
        "const",
        "continue",
        "default",
        "do",
        "double",
        "else",
        "enum",
        "extern",
        "float",
        "for",
        "goto",
        "if",
        "inline",
        "int",
        "long",
        "register",
        "restrict",
        "return",
        "short",
        "signed",
        "sizeof",
        "static",
        "struct",
        "switch",
        "typedef",
        "union",
        "unsigned",
        "void",
        "volatile",
        "while",
    ]
)
_LONG_ENOUGH, _NEAR = 3, 0.75  # letters of a misprint, and what it has in common with the name
_OF_CPP = frozenset(
    ("iostream", "vector", "string", "cmath", "algorithm", "array", "cstdio", "cstdlib", "map", "numeric")
)
_LIMIT = re.compile(r"too many errors emitted")


def raise_for(
    errors: tuple[Diagnostic, ...],
    diagnostics: tuple[Diagnostic, ...],
    stderr: str,
    status: int,
    fixes: tuple[FixIt, ...],
    source: Source,
) -> None:
    """Raise for the errors of a run; return when there are none."""
    if status == 0 and not errors:
        return
    told = [error for error in errors if not _LIMIT.search(error.message)]
    placed = next((error for error in told if error.span is not None), None)
    if placed is None:
        raise _unplaced(told[0].message if told else stderr.strip() or f"exit status {status}", diagnostics)
    code, hint = _code_and_hint(placed, fixes, source)
    raise CompileError(placed.message, code=code, hint=hint, span=placed.span, diagnostics=diagnostics)


def _unplaced(message: str, diagnostics: tuple[Diagnostic, ...]) -> CompileError | ToolchainError:
    if _BAD_OPTION.search(message):
        return CompileError(message, code="EM117", hint="correct compile_args", diagnostics=diagnostics)
    return ToolchainError(f"clang failed: {message}", code="EM106", hint="%enzyme_doctor looks for the cause")


def raise_for_crash(done: Completed, diagnostics: tuple[Diagnostic, ...]) -> None:
    """Raise when clang itself broke, rather than rejected the text."""
    if any(error.span for error in diagnostics_.errors(diagnostics)):
        return
    if _OUT_OF_MEMORY.search(done.stderr):
        raise ToolchainError("clang ran out of memory", code="EM104", hint="make the source smaller")
    if done.status < 0 or _CRASH.search(done.stderr):
        telling = [line for line in done.stderr.split("\n") if _CRASH.search(line)]
        raise ToolchainError(
            f"clang crashed: {telling[0] if telling else f'signal {-done.status}'}",
            code="EM104",
            hint="make the source smaller or simpler: it may have needed more memory than the machine gives it",
        )


def _code_and_hint(error: Diagnostic, fixes: tuple[FixIt, ...], source: Source) -> tuple[str, str | None]:
    header = _NO_HEADER.search(error.message)
    if header is not None:
        return "EM115", _header_hint(header["name"])
    if (slip := slips.hint(error)) is not None:
        return "EM110", slip
    name = next((name for name, _ in headers.undeclared([error])), None)
    if name is not None:
        known = markers.hint(name) or _include_hint(name, error) or _meant(name, error, source)
        return "EM110", known or slips.undeclared(name, error)
    return "EM110", _repair(error, fixes)


def _header_hint(name: str) -> str:
    if name in _OF_CPP:
        return f"{name} is a header of C++, and the text is C: C has stdio.h, math.h, stdlib.h and string.h"
    return f"say where {name} is: -I FOLDER (include=[…])"


def _include_hint(name: str, error: Diagnostic) -> str | None:
    note = next((note.message for note in error.notes if "include the header" in note.message), None)
    if note is not None:
        return note
    return f"#include <{HEADER_OF[name]}>" if name in HEADER_OF else None


def _meant(name: str, error: Diagnostic, source: Source) -> str | None:
    """The name that was probably meant: one of the text's own, or of the C library where one slip makes it."""
    if "did you mean" in error.message:
        return None
    words = {token.text for token in tokenize(source.text).tokens if token.text.isidentifier()}
    library = [known for known in HEADER_OF if _one_slip(name, known)]
    close = difflib.get_close_matches(name, [*sorted(words - _KEYWORDS - {name}), *library], 1)
    return f"did you mean {close[0]}?" if close else None


def _one_slip(name: str, known: str) -> bool:
    """`sni` and `squrt` are slips; `y` is none of yn, nor def of erf."""
    if len(name) < _LONG_ENOUGH:
        return False
    return sorted(name) == sorted(known) or difflib.SequenceMatcher(None, name, known).ratio() >= _NEAR


def _repair(error: Diagnostic, fixes: tuple[FixIt, ...]) -> str | None:
    """Clang's own proposal for this line, in words."""
    for fix in fixes:
        if error.span is None or (fix.span.file, fix.span.line) != (error.span.file, error.span.line):
            continue
        if fix.end == fix.span.column:
            return f"insert {fix.text} at column {fix.end}"
        return (
            f"write {fix.text} at column {fix.span.column}"
            if fix.text
            else f"remove the text at column {fix.span.column}"
        )
    return None


def of_endless(path: str, source: Source) -> CompileError:
    """The error of a text that includes what is no ordinary file, at the first line that names it, where one does."""
    found = [(number, line.find(path)) for number, line in enumerate(source.lines, 1)]
    found += [(number, line.find(os.path.basename(path))) for number, line in enumerate(source.lines, 1)]
    number, at = next(((number, at) for number, at in found if at >= 0), (0, 0))
    return CompileError(
        f"'{path}' is a device or a pipe, which has no end: it cannot be included",
        code="EM115",
        hint="include an ordinary file",
        span=Span(source.name, number, at + 1, text=source.line(number)) if number else None,
    )


def refuse_dropped_attributes(diagnostics: tuple[Diagnostic, ...]) -> None:
    """An attribute of Enzyme that clang ignored would be a derivative silently lost."""
    for diagnostic in diagnostics:
        if diagnostic.option in ("-Wunknown-attributes", "-Wignored-attributes") and "enzyme" in diagnostic.message:
            raise CompileError(
                diagnostic.message,
                code="EM116",
                hint='write it in the cell itself as __attribute__((enzyme("augment", f)))',
                span=diagnostic.span,
                diagnostics=diagnostics,
            )
