"""Functions that clang writes once for each of several processors (`target_clones`, `target("avx2")` beside `target("default")`).

clang makes an `ifunc` of them: a function that asks the processor when the program is loaded. A program here is compiled for the
processor that runs it, whatever clang was told, so one of them is enough. Invariant: the C name is the version that clang's own
function takes where nothing better fits, an ordinary function; the other versions and the choice are gone.

Not done: an `ifunc` of the program's own, whose choice is C code; LLVM's door refuses it.
"""

from __future__ import annotations

import re

_SYMBOL = r'@(?:"[^"\n]*"|[-\w$.]+)'
_CHOSEN = re.compile(rf"^(?P<symbol>{_SYMBOL}) = [^\n]*?\bifunc [^\n]*, ptr (?P<resolver>{_SYMBOL})$", re.MULTILINE)
_ASKS = re.compile(r"@__cpu_indicator_init\(|@__init_cpu_features_resolver\(")
_RETURNED = re.compile(rf"^  ret ptr ({_SYMBOL})$", re.MULTILINE)
_BESIDE = ".ifunc"  # clang's second name for the choice, or the first where the default has the C name


def one_of_each(ir: str) -> str:
    """The text of a module, as clang printed it, with one version of each such function."""
    if " ifunc " not in ir:
        return ir
    for found in list(_CHOSEN.finditer(ir)):
        choice = _definition(found["resolver"]).search(ir)
        if choice is None or not _ASKS.search(choice[0]):
            continue
        *others, default = _RETURNED.findall(choice[0])
        ir = ir.replace(choice[0], "").replace(f"{found[0]}\n", "")
        ir = _alone(ir, found["symbol"], default, others)
    return ir


def _alone(ir: str, chosen: str, default: str, others: list[str]) -> str:
    """The version `default` under the C name, without the others."""
    for other in others:
        if other != default:
            ir = _definition(other).sub("", ir)
    quote = '"' if chosen[-1] == '"' else ""
    symbol = chosen.removesuffix(quote).removesuffix(_BESIDE) + quote
    beside = symbol.removesuffix(quote) + _BESIDE + quote
    ir = re.sub(rf"^{re.escape(beside)} = [^\n]*\n", "", ir, flags=re.MULTILINE)
    for old in (beside, default):
        ir = re.sub(rf"{re.escape(old)}(?![-\w$.])", lambda _: symbol, ir)
    return ir


def _definition(symbol: str) -> re.Pattern[str]:
    return re.compile(rf"^define [^\n@]*{re.escape(symbol)}\([^\n]*\{{\n.*?^}}\n", re.MULTILINE | re.DOTALL)
