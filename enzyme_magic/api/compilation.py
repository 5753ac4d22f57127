"""From C text to a `Program`: `compile_c`, `compile`, `compile_ir`.

Invariant: what a user may write (one string or several, mappings, paths) becomes frozen `Source`s and `Options` here, and every
mistake in it is an ArgumentError before any compiler runs.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from enzyme_magic.api import custom, marks, used
from enzyme_magic.api.program import Program
from enzyme_magic.api.used import Uses
from enzyme_magic.backend.frontend.sources import Source, read
from enzyme_magic.config import Options
from enzyme_magic.errors import ArgumentError, user_frames

LANGUAGES = ("c", "c++", "ir")
ACTIVITIES = ("const",)
Text = str | os.PathLike[str]


@user_frames
def compile_c(
    source: Text | Sequence[Text], *, name: str | None = None, force: bool = False, uses: Uses = (), **options: Any
) -> Program:
    """Compiles C: a text, a path (`pathlib.Path`), or a list of them.

    opt: optimization before differentiation, 0–3 (2); post_opt: after it (3). include, define, link, library_path, compile_args: as
    clang's -I, -D, -l, -L and anything else; define also takes a mapping. shape: {"x": "n"}, extents of array parameters.
    cpu: "x86-64-v3" and its kin, for the same code and IR on every machine that can run it (this machine's own).
    activity: {"n": "const"}. custom: rules of em.custom_vjp, em.custom_jvp and em.inactive.
    strict_headers: no missing header is added. strict: adjoint sums keep their order, and all mathematics is libm's.
    isolate: calls run in a worker process, which a crash, a limit or an interrupt ends instead of the kernel (docs/security.md).
    sanitize: what C leaves undefined (accesses outside of arrays, division by zero, shifts, signed overflow, null) is an
    ExecutionError at its line.
    uses: functions or programs that were compiled before and are called here: their C text is compiled with this one, and functions
    of plain numbers and pointers need no declaration (ArgumentError EM343 where they were compiled with other options).
    name: what messages call the source. force: compile again even if this source is kept on disk.
    Raises CompileError with clang's message, ToolchainError, ArgumentError for an option that does not exist.
    """
    _refuse_language("compile_c", options)
    return compile(source, language="c", name=name, force=force, uses=uses, **options)


def _refuse_language(called: str, options: Mapping[str, Any]) -> None:
    """ArgumentError EM322 for a language given to what compiles one only."""
    if "language" in options:
        raise ArgumentError(
            f"{called} has no option 'language': it compiles one", code="EM322", hint="em.compile(…, language='c++')"
        )


@user_frames
def compile(
    source: Text | Sequence[Text],
    *,
    language: str = "c",
    name: str | None = None,
    force: bool = False,
    uses: Uses = (),
    **options: Any,
) -> Program:
    """A Program of a text, a path (`pathlib.Path`), or a list of them, in one language.

    language: "c"; "c++", where functions that Python calls are `extern "C"`; "ir", LLVM IR of any compiler whose LLVM is not newer
    than ours. name, force and the options are those of `compile_c`, and so are the errors.
    """
    if language not in LANGUAGES:
        raise ArgumentError(
            f"language {language!r} is not supported", code="EM322", hint=f"one of {', '.join(map(repr, LANGUAGES))}"
        )
    sources = _sources(source, name)
    if "custom" in options:
        chosen = custom.rules(options["custom"])
        options["custom"] = tuple(rule.registration for rule in chosen)
        sources += [Source(rule.text, f"the rule of {rule.registration.function}") for rule in chosen if rule.text]
    chosen_options = make_options(language=language, **options)
    label = name or sources[0].name
    return Program.of(used.joined(sources, used.programs(uses), chosen_options), chosen_options, label, force)


@user_frames
def compile_ir(text: Text | Sequence[Text], *, name: str | None = None, **options: Any) -> Program:
    """A Program of LLVM IR text, from any compiler whose LLVM is not newer than ours: `compile(text, language="ir", …)`.

    text: IR, a path that ends in .ll, or a list of them, which are linked. Functions have the names of their symbols and the types
    of the IR. options: those of `compile_c`. Raises CompileError for IR that LLVM does not read or that is for another machine,
    UnsupportedIRError for what we do not model of it, ArgumentError for an option that does not exist.
    """
    _refuse_language("compile_ir", options)
    return compile(text, language="ir", name=name, **options)


def _sources(source: Text | Sequence[Text], name: str | None) -> list[Source]:
    several = isinstance(source, Sequence) and not isinstance(source, str)
    texts: Sequence[Any] = list(source) if several else [source]  # type: ignore[arg-type]
    if not texts or not all(isinstance(text, (str, os.PathLike)) for text in texts):
        raise ArgumentError(
            "a source is a text or a path, or a list of them",
            code="EM322",
            hint="em.compile_c('double f(double x) { … }')",
        )
    if not (name is None or isinstance(name, str)):
        raise ArgumentError(f"name is what messages call the source, got {name!r}", code="EM322", hint="name='…'")
    made = []
    for index, text in enumerate(texts, 1):
        label = name or "source"
        label = label if len(texts) == 1 else f"{label} {index}"
        if isinstance(text, str) and not _is_path(text):
            made.append(Source(text, label))
        else:
            made.append(read(Path(text)))
    return made


def _is_path(text: str) -> bool:
    """A bare file name: nothing that could be C has no space, brace or semicolon but a known ending."""
    return Path(text).suffix in (".c", ".cc", ".cpp", ".ll") and not any(ch in text for ch in "{};\n")


def make_options(**given: Any) -> Options:
    """`Options` of what a user may write: one string or several, mappings for define, shape and activity.

    Raises ArgumentError EM322 for an option that does not exist or has the wrong form.
    """
    known = Options.__dataclass_fields__
    for key in given:
        if key not in known:
            close = difflib.get_close_matches(key, known, 1)
            hint = f"did you mean {close[0]}?" if close else f"options: {', '.join(known)}"
            raise ArgumentError(f"there is no option {key!r}", code="EM322", hint=hint)
    normal: dict[str, Any] = {
        key: _NORMAL[key](key, value) if key in _NORMAL else value for key, value in given.items()
    }
    options = Options(**normal)
    if options.isolate and any(rule.python for rule in options.custom):
        raise ArgumentError(
            "an isolated program cannot call Python: its code is in a worker process",
            code="EM353",
            hint="write the rule in C, or compile without isolate",
        )
    return options


def _strings(key: str, value: Any) -> tuple[str, ...]:
    items = [value] if isinstance(value, (str, os.PathLike)) else marks.listed(value)
    if items is None or not all(isinstance(item, (str, os.PathLike)) for item in items):
        raise ArgumentError(f"{key} takes strings, got {value!r}", code="EM322", hint=f"{key}=('…', '…')")
    found = tuple(os.fspath(item) for item in items)
    if not all(map(_is_word, found)):
        raise ArgumentError(
            f"{key} cannot hold NUL and halves of characters, got {value!r}", code="EM322", hint="leave them out"
        )
    return found


def _is_word(text: str) -> bool:
    """Whether a process may be given the text."""
    try:
        return b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        return False


def _definitions(key: str, value: Any) -> tuple[str, ...]:
    if isinstance(value, Mapping):
        value = tuple(name if text is None else f"{name}={text}" for name, text in value.items())
    return _strings(key, value)


def _text(key: str, value: Any) -> str:
    if not isinstance(value, str):
        raise ArgumentError(f"{key} is a text, got {value!r}", code="EM322", hint=f"{key}='…'")
    return str(value)  # of NumPy's too: it is part of a key


def _activity(key: str, value: Any) -> tuple[tuple[str, str], ...]:
    pairs = marks.pairs(key, value)
    for name, mark in pairs:
        if mark not in ACTIVITIES:
            close = difflib.get_close_matches(mark.lower(), ACTIVITIES, 1)
            hint = f"did you mean {close[0]!r}?" if close else f"one of {', '.join(map(repr, ACTIVITIES))}"
            raise ArgumentError(f"activity of {name} cannot be {mark!r}", code="EM322", hint=hint)
    return pairs


def _flag(key: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise ArgumentError(f"{key} is True or False, got {value!r}", code="EM322", hint=f"{key}=True")
    return value


_NORMAL: dict[str, Callable[[str, Any], Any]] = {
    "cpu": _text,
    "include": _strings,
    "define": _definitions,
    "link": _strings,
    "library_path": _strings,
    "compile_args": _strings,
    "shape": marks.pairs,
    "activity": _activity,
    "strict_headers": _flag,
    "strict": _flag,
    "isolate": _flag,
    "sanitize": _flag,
}
