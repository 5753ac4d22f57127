"""The attribute policy of generated functions: they promise nothing that LLVM has not found out by itself.

Invariant: after `strip_generated`, the named functions, their declarations and the direct calls of them carry only attributes
that say how a value is passed, what floating-point arithmetic means, and `noalias` (which only the author of the derivative
can decide). What a primal promises is wrong for its derivative: a `memory(none)` kept from the primal passes LLVM's verifier,
and O3 then deletes the stores into shadow memory, which gives a gradient of 0.0 without a word. Pure text.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from enzyme_magic.backend.llvm import irtext, moduletext

# Promises about a parameter's or result's value or use; each is a word, some with an argument.
_PROMISES = re.compile(
    r" (?:noundef|nonnull|readonly|readnone|writeonly|nocapture|nofree|returned|writable|dead_on_unwind|dead_on_return|"
    r"(?:captures|range|nofpclass|dead_on_return|dereferenceable|dereferenceable_or_null)\([^()]*\)|"
    r"initializes\((?:[^()]|\([^()]*\))*\))(?=[ ,)])"
)
# What a function keeps: inlining wishes and the meaning of its arithmetic.
_KEPT = re.compile(
    r"\b(?:alwaysinline|noinline|strictfp)\b|"
    r'"(?:no-trapping-math|denormal-fp-math(?:-f32)?|no-infs-fp-math|no-nans-fp-math|no-signed-zeros-fp-math|'
    r'unsafe-fp-math|approx-func-fp-math)"="[^"]*"'
)
_GROUP = re.compile(r"^attributes (#\d+) = \{ (.*) \}$", re.M)
_ADDRESS_WORDS = re.compile(r"\b(?:local_)?unnamed_addr\b|\baddrspace\(\d+\)")  # these stand before the attributes
_PLACEMENT = re.compile(
    rf'\b(?:section|partition|gc) "[^"]*"|\balign \d+|\bpersonality ptr {irtext.SYMBOL}|!\w+ !\d+'  # and these after them
)
_CALL_ATTRIBUTES = re.compile(
    r'^(?: #\d+| "[^"]*"(?:="[^"]*")?| (?!to\b|unwind\b)[a-z]\w*(?:\((?:[^()]|\([^()]*\))*\))?(?=[ ,]|$))+'
)


def strip_generated(text: str, names: Collection[str]) -> str:
    """`text` with the generated functions `names` freed of inherited promises, at their definitions, declarations and calls.

    Whatever emits derivatives from clones of primal code calls this before the result is optimized.
    """
    kept = {group: " ".join(_KEPT.findall(words)) for group, words in _GROUP.findall(text)}
    wanted = frozenset(names)
    return "\n".join(_line(line, wanted, kept) for line in text.split("\n"))


def _line(line: str, names: frozenset[str], kept: dict[str, str]) -> str:
    if "@" not in line:
        return line
    if line.startswith(("define ", "declare ")):
        return _signature(line, names, kept)
    if " call " in line or " invoke " in line:
        return _call(line, names)
    return line


def _signature(line: str, names: frozenset[str], kept: dict[str, str]) -> str:
    parts = moduletext.around_parameters(line, names)
    if parts is None:
        return line
    head, parameters, tail = parts
    inline = _KEPT.findall(tail.split(" !", 1)[0])
    words = [kept.get(group, "") for group in re.findall(r"#\d+", moduletext.without_strings(tail))] + inline
    words = [*_ADDRESS_WORDS.findall(tail), *words, *_PLACEMENT.findall(tail), "{" if tail.endswith("{") else ""]
    return " ".join([f"{_free(head)}{_free(parameters)}", *filter(None, words)])


def _call(line: str, names: frozenset[str]) -> str:
    parts = moduletext.around_parameters(line, names)
    if parts is None:
        return line
    head, arguments, tail = parts
    head = re.sub(r"(?<= )tail (?=call )", "", head)  # `tail` promises that no argument points to the caller's stack
    return f"{_free(head)}{_free(arguments)}{_CALL_ATTRIBUTES.sub('', tail)}"


def _free(part: str) -> str:
    return _PROMISES.sub("", part)
