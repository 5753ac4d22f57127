"""Texts of C and LLVM IR with a few words changed: what somebody types by mistake, and what nobody would."""

from __future__ import annotations

import re
from random import Random

_TOKEN = re.compile(r"\s+|//[^\n]*|\"[^\"\n]*\"|\w+|.", re.DOTALL)
_C = re.split(
    " ",
    "int long double float char void unsigned _Bool _BitInt(77) __int128 struct union enum const volatile static "
    "extern inline restrict if else for while do switch case default break continue goto return sizeof typedef x a "
    "n k i p 0 1 -1 9 1e308 0x7fffffff 99999999999 * & + - / % << >> = == != < > ? : ; , ( ) { } [ ] . -> ! ~ && || "
    "++ -- ... #define #include malloc(8) free(p) sqrt(x) __attribute__((noinline)) __attribute__((always_inline)) "
    '__attribute__((aligned(64))) __builtin_unreachable() __asm__("nop") _Complex _Atomic _Thread_local alloca(n) '
    "setjmp(b) exit(1) *(double*)0 (char)x (long)p (double*)n ({x;})",
)
_IR = re.split(
    " ",
    "i32 i64 double float ptr null undef poison void label %0 %x @good !dbg !0 i1 -1 call ret br phi load store token metadata "
    "x86_amx i8388607 musttail noreturn external internal addrspace(3) 99999999999999999999",
)


_KINDS = tuple(
    map(re.compile, (r"\d", r"%", r"@", r"[A-Za-z_]+\Z", r"\w", r"[-+*/%&|^<>=!]", r"[(){}\[\];,.]", r"\s", r""))
)


def mutated_c(text: str, random: Random) -> str:
    """One to four words left out, doubled, swapped with another one, or replaced, mostly by another of their kind."""
    words = _TOKEN.findall(text)
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        at, other = random.randrange(len(words)), random.randrange(len(words))
        match random.randrange(10):
            case 0:
                words[at] = ""
            case 1:
                words[at] *= 2
            case 2:
                words[at], words[other] = words[other], words[at]
            case 3:
                words[at] = f" {random.choice(_C)} "
            case _:
                words[at] = _like(words[at], words, random)
    return "".join(words)


def mutated_ir(text: str, random: Random) -> str:
    """One to four lines left out, doubled, or with another word, mostly one of its kind. Mostly of functions, not debug info."""
    lines = text.split("\n")
    inside = [k for k, line in enumerate(lines) if line.startswith((" ", "define"))] or [0]
    for _ in range(random.choice((1, 1, 2, 4))):
        at = min(random.choice(inside) if random.randrange(4) else random.randrange(len(lines)), len(lines) - 1)
        words = lines[at].split(" ")
        where = random.randrange(len(words))
        change = random.randrange(8)
        words[where] = (
            random.choice(_IR) if change < 3 else _like(words[where], " ".join(lines[at - 3 :][:9]).split(" "), random)
        )
        lines[at : at + 1] = [] if change == 0 else [lines[at]] * 2 if change == 1 else [" ".join(words)]
        lines = lines or [""]
    return "\n".join(lines)


def _like(word: str, words: list[str], random: Random) -> str:
    """Another word of the same kind; the word where there is none."""
    kind = next(kind for kind in _KINDS if kind.match(word))
    return random.choice([other for other in words if kind.match(other)] or [word])
