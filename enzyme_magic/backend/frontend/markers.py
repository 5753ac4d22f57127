"""Declarations for Enzyme's own names in C: `__enzyme_autodiff`, `enzyme_dup`, and attributes `__attribute__((enzyme(…)))`.

Invariant: markers become `extern int`, entries a variadic prototype whose result is what the use needs (the declared type of
what it initializes, the function's result after `return`, void for a statement, else the float type of the differentiated
function). Names outside Enzyme's list stay undeclared: a misspelt marker must be an error. Attributes are turned
into `annotate`, which clang keeps in the module (`llvm.global.annotations`); one that cannot be turned is an error, because
clang would only warn and drop it. What the names mean is decided where calls are lowered, not here.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from enzyme_magic.backend.frontend.additions import ATTRIBUTE, Additions
from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.backend.frontend.tokens import Token, Tokens, tokenize
from enzyme_magic.errors import CompileError, Diagnostic, Span

_WORDS = """
const dup dupnoneed dupv dupnoneedv out width vector scalar buffer tape allocated primal_return noret nofree const_return
active_return dup_return not_overwritten byref interleave runtime_activity
"""
MARKERS = frozenset(f"enzyme_{word}" for word in _WORDS.split()) | {
    f"diffe_{word}" for word in ("const", "dup", "dupnoneed", "out")
}
# Recognised by substring, as Enzyme does: `__enzyme_autodiff2` is one too. (part, result if the use does not tell)
ENTRIES = (
    ("__enzyme_autodiff", ""),
    ("__enzyme_fwddiff", ""),
    ("__enzyme_error_estimate", ""),
    ("__enzyme_fwdsplit", ""),
    ("__enzyme_augmentfwd", "void *"),
    ("__enzyme_augmentsize", "unsigned long"),
    ("__enzyme_reverse", ""),
    ("__enzyme_virtualreverse", "void *"),
    ("__enzyme_batch", ""),
    ("__enzyme_truncate_mem_func", "void *"),
    ("__enzyme_truncate_op_func", "void *"),
    ("__enzyme_truncate_mem_value", "double"),
    ("__enzyme_expand_mem_value", "double"),
    ("__enzyme_call_inactive", ""),
    ("__enzyme_iter", "int"),
    ("__enzyme_todense", "void *"),
    ("__enzyme_float", "void"),
    ("__enzyme_double", "void"),
    ("__enzyme_integer", "void"),
    ("__enzyme_pointer", "void"),
)
_FIXED = {"__enzyme_iter": "int {name}(int, int)"}  # what every use asks for, wherever the number goes
_FIRST_PARAMETER = {
    "__enzyme_truncate_mem_value": "double",
    "__enzyme_expand_mem_value": "double",
}
_ATTRIBUTES = {
    "enzyme": f'#define {ATTRIBUTE}(kind, ...) annotate("enzyme_" kind, ##__VA_ARGS__)',
    "enzyme_inactive": '#define enzyme_inactive annotate("enzyme_inactive")',
    "enzyme_function_like": '#define enzyme_function_like(name) annotate("enzyme_function_like", name)',
    "enzyme_shouldrecompute": '#define enzyme_shouldrecompute annotate("enzyme_shouldrecompute")',
    "enzyme_nofree": '#define enzyme_nofree annotate("enzyme_nofree")',
}
_BUILTIN_TYPE = re.compile(r"(?:(?:void|double|float|int|long|short|char|unsigned|signed|_Bool) ?|\* ?)+")
_NO_TYPE = frozenset(["return", "else", "do", "goto", "case", "sizeof", "typedef"])
_STORAGE = frozenset(
    ["static", "extern", "inline", "const", "volatile", "register", "_Noreturn", "__inline", "__inline__"]
)
_FLOATS = ("double", "float", "long double")


def declare(names: Iterable[tuple[str, Diagnostic]], source: Source, before: Additions) -> Additions:
    """`before` with declarations for the undeclared Enzyme names among `names`."""
    uses: dict[str, list[Span]] = {}
    for name, diagnostic in names:
        if diagnostic.span is not None:
            uses.setdefault(name, []).append(diagnostic.span)
    after = before
    for name, spans in uses.items():
        if name in MARKERS:
            note = f"declared {name}"
            after = replace(
                after, declarations=(*after.declarations, f"extern int {name};"), notes=(*after.notes, note)
            )
        elif (entry := _entry(name)) is not None and all(f" {name}(" not in note for note in after.notes):
            after = _with_prototype(name, entry, spans, source, after)
    return after


def hint(name: str) -> str | None:
    """The Enzyme name `name` was probably meant to be."""
    if not name.startswith(("enzyme_", "__enzyme_", "diffe_")):
        return None
    known = [*MARKERS, *(part for part, _ in ENTRIES)]
    close = difflib.get_close_matches(name, known, 1)
    return f"did you mean {close[0]}?" if close else "no such name in Enzyme's interface"


def _entry(name: str) -> tuple[str, str] | None:
    return next(((part, result) for part, result in ENTRIES if part in name), None)


def _with_prototype(
    name: str, entry: tuple[str, str], spans: list[Span], source: Source, before: Additions
) -> Additions:
    part, otherwise = entry
    if part in _FIXED:
        prototype = _FIXED[part].format(name=name)
        return replace(
            before,
            declarations=(*before.declarations, f"{prototype};"),
            notes=(*before.notes, f"declared {prototype}"),
        )
    tokens = tokenize(source.text)
    result, index = _result(tokens, name, spans, source.name, otherwise)
    prototype = f"{result}{'' if result.endswith('*') else ' '}{name}({_FIRST_PARAMETER.get(part, 'void *')}, ...)"
    notes = (*before.notes, f"declared {prototype}")
    if _BUILTIN_TYPE.fullmatch(result) or index is None:
        return replace(before, declarations=(*before.declarations, f"{prototype};"), notes=notes)
    start = tokens.tokens[_top_level_start(tokens, index)]
    line, column = tokens.place(start)
    insertion = (start.offset, line, column, f"{prototype};")
    return replace(before, insertions=(*before.insertions, insertion), notes=notes)


def _result(tokens: Tokens, name: str, spans: list[Span], file: str, otherwise: str) -> tuple[str, int | None]:
    """The result type the uses ask for, and the index of the first use. The first use that asks for a value decides."""
    indices = [k for k, token in enumerate(tokens.tokens) if token.text == name]
    first = next(
        (k for span in spans if span.file == file and (k := tokens.at(span.line, span.column)) is not None), None
    )
    asked = [_asked(tokens, k) for k in indices]
    values = [text for text in asked if text != "void"]
    if asked and not values:
        return "void", first
    chosen = next((text for text in values if text), otherwise)
    if chosen in ("", *_FLOATS):
        return _float_of_differentiated(tokens, indices) or chosen or "double", first
    return chosen, first


def _asked(tokens: Tokens, index: int) -> str:
    """The type the use at `index` asks for; empty when the context does not say."""
    all_ = tokens.tokens
    before = all_[index - 1].text if index else ";"
    if before in (";", "{", "}", "else", "do"):
        return "void"
    if before == ")":
        opening = _opening(tokens, index - 1)
        if opening and all_[opening - 1].text in ("if", "while", "for", "switch"):
            return "void"
        return _type_text(all_[opening + 1 : index - 1]) if opening is not None else ""
    if before == "return":
        return _result_of_enclosing(tokens, index)
    if before == "=" and index >= 2 and all_[index - 2].kind == "name":
        return _declared(tokens, index - 2)
    return ""


def _declared(tokens: Tokens, index: int) -> str:
    """The declared type of the variable named at `index`: there, or at the nearest mention before it."""
    name = tokens.tokens[index].text
    for k in range(index, -1, -1):
        if tokens.tokens[k].text == name and (type_ := _type_before(tokens, k)):
            return type_
    return ""


def _type_before(tokens: Tokens, index: int) -> str:
    """The type words directly before `index`, when they begin a declaration."""
    k = index
    while k and (tokens.tokens[k - 1].text == "*" or tokens.tokens[k - 1].kind == "name"):
        k -= 1
    words = tokens.tokens[k:index]
    if not words or words[0].text == "*" or any(word.text in _NO_TYPE for word in words):
        return ""
    boundary = tokens.tokens[k - 1].text if k else ";"
    return _type_text(words) if boundary in (";", "{", "}", "(", ",") else ""


def _type_text(words: Iterable[Token]) -> str:
    kept = [word.text for word in words if word.text not in _STORAGE]
    return " ".join(kept).replace("* *", "**")


def _result_of_enclosing(tokens: Tokens, index: int) -> str:
    body = next((k for k in range(index, -1, -1) if tokens.tokens[k].text == "{" and not tokens.tokens[k].depth), None)
    start = _top_level_start(tokens, index)
    if body is None:
        return ""
    head = tokens.tokens[start:body]
    opening = next((k for k, token in enumerate(head) if token.text == "(" and k and head[k - 1].kind == "name"), None)
    return "" if opening is None else _type_text(head[: opening - 1])


def _top_level_start(tokens: Tokens, index: int) -> int:
    """The index of the first token of the top-level declaration around `index`."""
    start = 0
    for k, token in enumerate(tokens.tokens[:index]):
        if token.depth == 0 and (token.text == ";" or (token.text == "}" and _ends_function(tokens, k))):
            start = k + 1
    return start


def _ends_function(tokens: Tokens, closing: int) -> bool:
    opening = next(
        (k for k in range(closing, -1, -1) if tokens.tokens[k].text == "{" and not tokens.tokens[k].depth), 0
    )
    return opening > 0 and tokens.tokens[opening - 1].text in (")", ";")


def _opening(tokens: Tokens, closing: int) -> int | None:
    open_ = 0
    for k in range(closing, -1, -1):
        open_ += (tokens.tokens[k].text == ")") - (tokens.tokens[k].text == "(")
        if open_ == 0:
            return k
    return None


def _float_of_differentiated(tokens: Tokens, indices: list[int]) -> str:
    """The float type of the function a use names first: `__enzyme_autodiff(f, …)` is as wide as f's result."""
    all_ = tokens.tokens
    for index in indices:
        k = index + 2
        while k < len(all_) and all_[k].text in ("(", ")", "void", "*", "&"):
            k += 1
        if k >= len(all_) or all_[k].kind != "name":
            continue
        for j, token in enumerate(all_[:-1]):
            if token.text == all_[k].text and token.depth == 0 and all_[j + 1].text == "(":
                type_ = _type_before(tokens, j)
                if type_ in _FLOATS:
                    return type_
    return ""


def attributes(source: Source) -> Additions:
    """What carries the text's Enzyme attributes into the module: `#define` lines, and the handlers they name.

    Raises CompileError EM116 for an Enzyme attribute that would be dropped.
    """
    if "enzyme" not in source.text or not ("__attribute" in source.text or "[[" in source.text):
        return Additions()
    tokens = tokenize(source.text)
    found: dict[str, str] = {}
    renamed: list[int] = []
    handlers: dict[str, None] = {}
    for index, token, standard in _attributes(tokens):
        if token.text == "enzyme" and standard:
            raise _dropped(tokens, token, source, "[[enzyme::…]]")
        if token.text.startswith("enzyme"):
            if token.text not in _ATTRIBUTES:
                raise _dropped(tokens, token, source, token.text)
            found[token.text] = _ATTRIBUTES[token.text]
            if token.text == "enzyme":
                renamed.append(token.offset)
                handlers.update(dict.fromkeys(_handlers(tokens, index)))
    return Additions(macros=tuple(found.values()), renamed=tuple(renamed), handlers=tuple(handlers))


def _handlers(tokens: Tokens, index: int) -> list[str]:
    """The functions named in `enzyme("gradient", f)`."""
    end = tokens.closing(index + 1) or index
    return [token.text for token in tokens.tokens[index + 2 : end] if token.kind == "name"]


def _dropped(tokens: Tokens, token: Token, source: Source, spelled: str) -> CompileError:
    line, column = tokens.place(token)
    return CompileError(
        f"the attribute {spelled} is not known here and would be dropped",
        code="EM116",
        hint=f"write __attribute__((…)) with one of: {', '.join(_ATTRIBUTES)}",
        span=Span(source.name, line, column, column + len(token.text), source.line(line)),
    )


def _attributes(tokens: Tokens) -> Iterator[tuple[int, Token, bool]]:
    """Names directly inside `__attribute__((…))` with their index, and with True those inside `[[…]]`."""
    all_ = tokens.tokens
    for k, token in enumerate(all_[:-2]):
        gnu = token.text in ("__attribute__", "__attribute") and all_[k + 1].text == all_[k + 2].text == "("
        standard = token.text == "[" and all_[k + 1].text == "[" and all_[k + 2].kind == "name"
        if gnu or standard:
            opening = k + 2 if gnu else k + 1
            end = tokens.closing(opening) or len(all_)
            open_ = 0
            for index in range(opening + 1, end):
                inner = all_[index]
                open_ += (inner.text == "(") - (inner.text == ")")
                if inner.kind == "name" and open_ == 0:
                    yield index, inner, standard
