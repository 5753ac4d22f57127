"""The options of a compilation as words of clang's command line.

Invariant: the words ask for exactly one thing, annotated and unoptimized IR text with debug info; user arguments that would ask
for something else are refused (EM117), those that mean nothing here are left out with a note. The user's `-O` is such a one:
clang always runs at `-O2` with its passes off (a lower level would drop TBAA and forbid optimization), and the level before
differentiation is `Options.opt`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from enzyme_magic.backend.frontend.clang import permitted
from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.config import Options
from enzyme_magic.errors import CompileError

CANONICAL = (
    *(
        "-O2",
        "-Xclang",
        "-disable-llvm-passes",
        "-g",
        "-fno-discard-value-names",
        "-fno-math-errno",
        "-fno-sanitize=all",
    ),
    *("-fno-stack-protector", "-fomit-frame-pointer", "-fdebug-compilation-dir=.", "-S", "-emit-llvm"),
)
# Checks that need no library, each with a place of its own.
SANITIZED = (
    "-fsanitize=array-bounds,builtin,float-cast-overflow,integer-divide-by-zero,null,shift,signed-integer-overflow,vla-bound",
    "-fsanitize-trap=all",
    "-fno-sanitize-merge",
)
MESSAGES = (
    *("-fno-color-diagnostics", "-fdiagnostics-parseable-fixits", "-fmessage-length=0", "-ferror-limit=50"),
    "-fno-crash-diagnostics",
    # What was never set has no derivative, and no value that one could rely on.
    *("-Wuninitialized", "-Wsometimes-uninitialized"),
)
# Last of all: an undeclared function would silently return int in C89.
NO_IMPLICIT_FUNCTIONS = "-Werror=implicit-function-declaration"
LANGUAGES = ("c", "c++")

_REFUSED = re.compile(
    r"-o.*|-c|-E|-S|-M.*|--?target.*|-arch|-x.*|-emit-.*|-fsyntax-only|-flto.*|-save-temps.*|-###|-v|--help|--version|-f?pch.*"
    r"|-m32|-mx32|-fsanitize=.*|-fprofile.*|-fcoverage.*|-mllvm|-Xassembler|-Xlinker|-###|-ftime-.*|-gsplit.*|-f?discard-value.*"
)
_MEANINGLESS = re.compile(r"-O.*|-g.*|-w|-l.+|-L.+|-Wl,.*|-shared|-static|-pipe|-fPIC|-fpic|-fPIE|-fpie")
_TAKE_A_VALUE = frozenset(
    [
        "-I",
        "-D",
        "-U",
        "-include",
        "-isystem",
        "-iquote",
        "-idirafter",
        "-imacros",
        "-Xclang",
        "-Xpreprocessor",
        "-L",
        "-l",
    ]
)


@dataclass(frozen=True, slots=True)
class ClangArguments:
    """`words` for clang; `notes` for the user; `quiet`: the user asked for no warnings (`-w`)."""

    words: tuple[str, ...]
    notes: tuple[str, ...]
    quiet: bool


def arguments(options: Options, source: Source) -> ClangArguments:
    """What clang gets besides the compiler's own words. Raises CompileError EM117, EM119."""
    if options.language not in LANGUAGES:
        raise CompileError(
            f"the language {options.language!r} is not supported yet",
            code="EM119",
            hint=f"use one of: {', '.join(LANGUAGES)}",
        )
    kept, notes = _filtered(options)
    here = source.path.resolve().parent if source.path is not None else Path(".")
    words = [*CANONICAL, *MESSAGES, "-iquote", str(here)]
    words += [f"-I{Path(folder).expanduser()}" for folder in options.include]
    words += [f"-D{definition}" for definition in options.define]
    checks = SANITIZED if options.sanitize else ()
    return ClangArguments((*words, *kept, *checks, NO_IMPLICIT_FUNCTIONS), notes, "-w" in options.compile_args)


# Options that change nothing about what LLVM has to do.
_USUAL = re.compile(
    r"-(?:std=.*|W.*|[DUI].*|i(?:nclude|system|quote)|w|g.*|O.*|ffast-math|f(?:no-)?math-errno|fno-builtin.*|[lL].*|pedantic)"
)


def are_unusual(options: Options, sources: Sequence[Source]) -> bool:
    """Whether clang may make IR that it does not make of ordinary C: options beyond the usual ones, labels in assembly."""
    words = [word for word in options.compile_args if word.startswith("-")]
    return any(not _USUAL.fullmatch(word) for word in words) or any(_ASSEMBLY.search(source.text) for source in sources)


_ASSEMBLY = re.compile(r"\b(?:__)?asm(?:__)?\b")


def _filtered(options: Options) -> tuple[list[str], tuple[str, ...]]:
    kept: list[str] = []
    notes: list[str] = []
    given = iter(options.compile_args)
    for word in given:
        if word in _TAKE_A_VALUE:
            value = next(given, None)
            if value is None:
                raise _refused(word, "needs a value after it")
            if word.startswith("-X") and not permitted.is_permitted_inside(value):
                raise _refused(f"{word} {value}", "would change what the compiler makes, or takes a word")
            kept += [] if word in ("-L", "-l") else [word, value]
        elif word == "-Ofast":
            kept.append("-ffast-math")
            notes.append("-Ofast: taken as -ffast-math")
        elif _MEANINGLESS.fullmatch(word):
            notes += _why_left_out(word, options)
        elif _REFUSED.fullmatch(word):
            raise _refused(word, "would change what the compiler makes")
        elif not word.startswith("-"):
            raise _refused(word, "is no option of the compiler")
        elif not permitted.is_permitted(word):
            raise _refused(word, "is not one of those that may be given, or takes a word")
        else:
            kept.append(word)
    return kept, tuple(notes)


def _why_left_out(word: str, options: Options) -> list[str]:
    if word.startswith("-O"):
        return [
            f"{word} is left out: the level before differentiation is opt={options.opt}, after it post_opt={options.post_opt}"
        ]
    if word.startswith(("-l", "-L", "-Wl,", "-shared", "-static")):
        return [f"{word} is left out: libraries are given by link= and library_path="]
    return []


def _refused(word: str, why: str) -> CompileError:
    return CompileError(
        f"the compiler option {word!r} {why}",
        code="EM117",
        hint="compile_args takes options such as -ffast-math, -std=c11, -Wall, -I… and -D…",
    )
