"""What captions call the instructions of LLVM, and the functions that this package adds: words of C where there are some.

Invariant: no two instructions have the same word, so that what is counted can be counted again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from enzyme_magic.backend.autodiff.calls.request import STATIC_PREFIX

WORDS: Mapping[str, str] = {
    "add": "integer addition",
    "alloca": "stack slot",
    "and": "bitwise and",
    "ashr": "signed right shift",
    "atomicrmw": "atomic update",
    "bitcast": "reinterpretation",
    "br": "branch",
    "extractelement": "vector read",
    "extractvalue": "member read",
    "fadd": "addition",
    "fcmp": "comparison",
    "fdiv": "division",
    "fmul": "multiplication",
    "fneg": "negation",
    "fsub": "subtraction",
    "getelementptr": "address computation",
    "icmp": "integer comparison",
    "insertelement": "vector write",
    "insertvalue": "member write",
    "load": "read",
    "lshr": "unsigned right shift",
    "mul": "integer multiplication",
    "or": "bitwise or",
    "phi": "merge",
    "ret": "return",
    "sdiv": "integer division",
    "select": "choice",
    "sext": "signed widening",
    "shl": "left shift",
    "shufflevector": "vector shuffle",
    "sitofp": "integer conversion",
    "srem": "integer remainder",
    "store": "write",
    "sub": "integer subtraction",
    "trunc": "narrowing",
    "udiv": "unsigned division",
    "uitofp": "unsigned conversion",
    "unreachable": "dead end",
    "urem": "unsigned remainder",
    "xor": "bitwise exclusive or",
    "zext": "unsigned widening",
}
_PARTS = (
    (re.compile(r"^diffe_(.+?)(?:\.seeded)?$"), "the gradient of {}"),
    (re.compile(r"^fwddiffe_(.+?)(?:\.seeded)?$"), "the derivative of {}"),
    (re.compile(r"^augmented_(.+)$"), "the forward sweep of {}"),
    (re.compile(r"^reverse_(.+)$"), "the reverse sweep of {}"),
)
_OWN = (
    ("em.tape.", "the tape's own code"),
    ("em.transfer.", "the adjoint of a copy"),
    ("em.shadow.", "the shadow memory's own code"),
    ("em.heap.", "the code for blocks of the heap"),
    ("em.", "this package's own code"),
)


def spoken(name: str) -> str:
    """A function for people: `f`, "the gradient of f", "the tape's own code"."""
    name = name.removeprefix(STATIC_PREFIX)
    for pattern, words in _PARTS:
        if found := pattern.match(name):
            return words.format(spoken(found[1]))
    return next((words for prefix, words in _OWN if name.startswith(prefix)), name)


def counted(opcode: str, count: int) -> str:
    """ "2 address computations": some instructions of one kind."""
    return plural(count, WORDS.get(opcode, opcode))


def plural(count: int, word: str) -> str:
    """ "1 read", "2 reads"."""
    return f"{count} {word}" if count == 1 else f"{count} {word}{'es' if word.endswith(('ch', 's')) else 's'}"
