"""Which header or declaration cures an undeclared name.

Invariant: only what clang reported as undeclared is added, so the user's own declarations win; `foreseen` guesses one step ahead
of clang only where the text has no preprocessor line at all and every mention of the name is a call inside a function.
Where a header would clash with the user's own declarations, the function is declared with the type clang told instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from enzyme_magic.backend.frontend import markers
from enzyme_magic.backend.frontend.additions import Additions
from enzyme_magic.backend.frontend.clang.diagnostics import errors
from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.backend.frontend.standard_names import FORESEEN_CALLS, GNU_NAMES, HEADER_OF
from enzyme_magic.backend.frontend.tokens import Tokens, tokenize
from enzyme_magic.errors import Diagnostic

_UNDECLARED = re.compile(
    r"(?:use of undeclared identifier|unknown type name|call to undeclared (?:library )?function) '(?P<name>[^']+)'"
)
_LIBRARY = re.compile(
    r"call to undeclared library function '(?P<name>\w+)' with type '(?P<type>[^']+)'(?: \(aka '(?P<aka>[^']+)'\))?"
)
_INCLUDE = re.compile(r"include the header <(?P<header>[^>]+)>")
_CLASH = re.compile(
    r"conflicting types for|redefinition of|static declaration of .* follows|different kind of symbol|non-static"
)
_GNU = "#define _GNU_SOURCE"
_FORESEE_LIMIT = 200_000  # characters; larger texts are read twice by clang rather than once by us
_EXPRESSION_BEFORE = frozenset(["return", "else", "do", "case", "(", "[", "{", "}", ";", ",", "?", ":"]) | frozenset(
    [*"=+-*/%<>!&|^~", "+=", "-=", "*=", "/=", "%=", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "&=", "|=", "^="]
)


def undeclared(diagnostics: Iterable[Diagnostic]) -> Iterator[tuple[str, Diagnostic]]:
    """The undeclared names clang reported as errors, in order."""
    for diagnostic in errors(tuple(diagnostics)):
        match = _UNDECLARED.search(diagnostic.message)
        if match is not None:
            yield match["name"], diagnostic


def cure(diagnostics: tuple[Diagnostic, ...], source: Source, before: Additions) -> Additions | None:
    """`before` and what would cure further errors; None when there is nothing to add."""
    headers = [*before.headers]
    notes = [*before.notes]
    for header in [*_headers(diagnostics), *_complex(diagnostics, source)]:
        if header not in headers:
            headers.append(header)
            notes.append(f"added #include <{header}>")
    macros = before.macros
    if _GNU not in macros and any(name in GNU_NAMES for name, _ in undeclared(diagnostics)):
        macros = (_GNU, *macros)
        notes.append(f"added {_GNU}")
    after = replace(before, macros=macros, headers=tuple(headers), notes=tuple(notes), foreseen=False)
    after = _known(diagnostics, source, after)
    after = markers.declare(undeclared(diagnostics), source, after)
    return None if after == replace(before, foreseen=False) else after


def _known(diagnostics: tuple[Diagnostic, ...], source: Source, before: Additions) -> Additions:
    """`before` and the functions of other sources that are called and not declared."""
    declarations, notes = [*before.declarations], [*before.notes]
    known = dict(source.known)
    for name, _ in undeclared(diagnostics):
        if name in known and known[name] not in declarations:
            declarations.append(known[name])
            notes.append(f"declared {known[name].removesuffix(';')}")
    return replace(before, declarations=tuple(declarations), notes=tuple(notes))


def _headers(diagnostics: tuple[Diagnostic, ...]) -> Iterator[str]:
    for name, diagnostic in undeclared(diagnostics):
        told = next((m["header"] for note in diagnostic.notes if (m := _INCLUDE.search(note.message))), None)
        header = told or HEADER_OF.get(name)
        if header is not None:
            yield header


def _complex(diagnostics: tuple[Diagnostic, ...], source: Source) -> Iterator[str]:
    """`double complex z` without the header is a plain syntax error for clang."""
    if errors(diagnostics) and "complex" in source.text:
        words = [token.text for token in tokenize(source.text).tokens]
        if any({a, b} & {"double", "float"} and "complex" in (a, b) for a, b in pairwise(words)):
            yield "complex.h"


def clashes(diagnostics: tuple[Diagnostic, ...]) -> bool:
    """Whether an added header quarrels with the user's own declarations."""
    return any(_CLASH.search(diagnostic.message) for diagnostic in errors(diagnostics))


def without_clash(diagnostics: Sequence[Diagnostic], before: Additions) -> Additions | None:
    """`before` and the functions clang told the type of, each declared by itself. None when there are none."""
    declarations, notes = [*before.declarations], [*before.notes]
    for diagnostic in diagnostics:
        match = _LIBRARY.search(diagnostic.message)
        if match is None:
            continue
        declaration = (match["aka"] or match["type"]).replace("(", f"{match['name']}(", 1) + ";"
        if declaration not in declarations:
            declarations.append(declaration)
            notes.append(f"declared {declaration.removesuffix(';')}")
    if len(declarations) == len(before.declarations):
        return None
    return replace(before, declarations=tuple(declarations), notes=tuple(notes), foreseen=False)


def foreseen(source: Source) -> Additions:
    """Headers the text certainly lacks. A wrong guess is taken back by the caller when clang complains about anything."""
    if len(source.text) > _FORESEE_LIMIT:
        return Additions()
    tokens = tokenize(source.text)
    if tokens.directives:
        return Additions()
    headers = list(dict.fromkeys(HEADER_OF[name] for name in _only_called(tokens)))
    notes = tuple(f"added #include <{header}>" for header in headers)
    return Additions(headers=tuple(headers), notes=notes, foreseen=True) if headers else Additions()


def _only_called(tokens: Tokens) -> Iterator[str]:
    """Known functions that the text calls inside functions and mentions in no other way, in order."""
    verdicts: dict[str, bool] = {}
    all_ = tokens.tokens
    for k, token in enumerate(all_[:-1]):
        if token.text in FORESEEN_CALLS:
            called = all_[k + 1].text == "(" and token.depth > 0 and all_[k - 1].text in _EXPRESSION_BEFORE
            verdicts[token.text] = verdicts.get(token.text, True) and called
    return (name for name, only_called in verdicts.items() if only_called)
