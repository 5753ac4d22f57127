"""The words around globals and functions: linkage, visibility, sections.

Invariant: words are kept in LLVM's spelling and order; nothing here interprets them. One name does say something: that each thread
has a variable of its own.
"""

from __future__ import annotations

import re

from enzyme_magic.backend.ir.text.lexer import Cursor

_LINKAGES = """
    private internal available_externally linkonce linkonce_odr weak weak_odr common appending extern_weak external
"""
LINKAGES = frozenset(_LINKAGES.split())
UNNAMED = frozenset(["unnamed_addr", "local_unnamed_addr"])
_PREFIXES = UNNAMED | frozenset(
    ["dso_local", "dso_preemptable", "default", "hidden", "protected", "dllimport", "dllexport", "thread_local"]
)
SUFFIXES = frozenset(["section", "partition", "comdat", "align", "gc", "code_model"])
SANITIZERS = frozenset(["no_sanitize_address", "no_sanitize_hwaddress", "sanitize_memtag", "sanitize_address_dyninit"])


def read_prefix(cursor: Cursor) -> tuple[str, ...]:
    """Words between linkage and type: `dso_local`, `hidden`, `thread_local(initialexec)`, `unnamed_addr`."""
    words: list[str] = []
    while cursor.peek() in _PREFIXES:
        word = cursor.next()
        if word == "thread_local" and cursor.accept("("):
            word += f"({cursor.parenthesized()})"
        words.append(word)
    return tuple(words)


def read_suffix(cursor: Cursor) -> str:
    """One of SUFFIXES with what belongs to it: `section ".data"`, `comdat($f)`, `align 8`."""
    word = cursor.next()
    if word == "comdat":
        return f"comdat({cursor.parenthesized()})" if cursor.accept("(") else word
    return f"{word} {cursor.next()}"


_EACH_THREADS = re.compile(r"\.each_thread(?:\.\d+)?\Z")


def is_each_threads(name: str) -> bool:
    """Whether a variable of this name is one of which each thread has its own (prepare/each_thread.py)."""
    return _EACH_THREADS.search(name) is not None
