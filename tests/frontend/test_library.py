"""The table of the C library: what it says is what the headers and the rules say, and nothing else says it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from fnmatch import fnmatch
from importlib.resources import files
from pathlib import Path

import pytest

from enzyme_magic.backend import library
from enzyme_magic.backend.library import libc
from enzyme_magic.backend.library.summary import argument, reachable
from enzyme_magic.backend.rules import inactive, registry
from enzyme_magic.backend.rules.formulas import complex_arithmetic, complex_functions

BACKEND = Path(library.__file__).parents[1]
NAMES = frozenset(libc.names())
FUNCTIONS = tuple(function for function in map(libc.find, libc.names()) if function is not None)

# Files that hold three names or more together, and why that is not said by the table.
ALLOWED = {
    "analysis/derivatives/presence.py": "operations whose partials are finite: a fact of rules",
    "autodiff/memory/shadow_heap.py": "allocators whose blocks the run time knows",
    "autodiff/sweeps/error_bounds.py": "operations whose result is one of their operands",
    "explain/words/c_operators.py": "the words of a picture",
    "ir/intrinsics.py": "block copies of LLVM",
    "frontend/library_names.py": "LLVM's list of names that mean something to it, whatever they do",
    "llvm/blocks.py": "functions that the run time stands in for",
    "llvm/bounded.py": "what does little for certain, with intrinsics among it",
    "llvm/apart/rehearsal.py": "intrinsics",
    "rules/formulas/*.py": "rules, by operation",
    "rules/ir_basic.py": "operations, by type",
    "rules/spelling.py": "intrinsics",
    "rules/x86_scalars.py": "rounding modes of the processor, by operation",
    "runtime/*": "what ends a process, and what the run time writes for it",
    "tracing/*": "a judge of the analyses has facts of its own",
}


def test_each_function_has_one_line() -> None:
    text = files(library).joinpath("functions.txt").read_text("utf-8")
    lines = [line for line in text.splitlines() if line and line[0] not in "#["]
    names = [re.search(r"(\w+)\(", line)[1] for line in lines]  # type: ignore[index]
    assert len(names) == len(set(names))
    variants = sum(3 if re.search(r"\breal\b", line.partition(";")[0]) else 1 for line in lines)
    assert variants == len(NAMES)


def test_a_refusal_is_one_sentence_for_people() -> None:
    refused = {f.summary.refused for f in FUNCTIONS if f.summary is not None and f.summary.refused}
    assert "contexts switch stacks; use ordinary calls" in refused
    words = {"unhinted", "once", "errno", "inactive", "characters"}
    assert not [text for text in refused if "  " in text or words & {*text.split()}]


def test_headers_are_known_without_prototypes() -> None:
    assert {f.name: (f.header, f.macro) for f in FUNCTIONS if f.header} == libc.headers()
    assert {"index", "read", "write"} <= libc.unhinted()


def test_the_headers_declare_what_the_table_says(compile_c) -> None:
    headers = sorted({f.header for f in FUNCTIONS} - {"", "omp.h"})
    text = ["#define _GNU_SOURCE", *(f"#include <{header}>" for header in [*headers, "stdarg.h"])]
    text += ["#if __has_include(<omp.h>)", "#include <omp.h>", "#else", "typedef struct omp_lock omp_lock_t;", "#endif"]
    text += [f"typedef __typeof__(&({f.name})) its_{f.name};" for f in FUNCTIONS if f.header not in ("", "omp.h")]
    text += [f"extern {f.prototype};" for f in FUNCTIONS]
    assert not compile_c("\n".join([*text, "int end;"]), strict_headers=True).notes


@pytest.mark.parametrize("name", ["memcpy", "mempcpy", "__memmove_chk", "bcopy", "memset", "strcpy", "realloc"])
def test_block_copies(name: str) -> None:
    expected = {"bcopy": (1, 0, 2)}.get(name, None if name in ("memset", "strcpy", "realloc") else (0, 1, 2))
    assert libc.find(name).block_copy == expected  # type: ignore[union-attr]


def test_what_has_a_rule_is_an_operation_of_the_table() -> None:
    known = {*registry.RULES, *complex_functions.BY_OPERATION, *complex_arithmetic.BY_NAME, "sincospi"}
    told = {f.operation for f in FUNCTIONS if f.operation}
    assert told <= known
    assert not [f.name for f in FUNCTIONS if f.operation and f.inactive]
    assert {*complex_functions.BY_OPERATION, *complex_arithmetic.BY_NAME} <= told


@pytest.mark.parametrize(
    ("name", "writes"),
    [
        ("vprintf", {argument(1)}),
        ("localtime_r", {argument(1)}),
        ("getcwd", {argument(0)}),
        ("clock_getres", {argument(1)}),
    ],
)
def test_what_is_inactive_says_what_it_writes(name: str, writes: set[object]) -> None:
    summary = libc.summary_of(name)
    assert summary is not None
    assert {place for place in summary.writes if place.kind == "argument"} == writes
    assert inactive.reason(name)


def test_a_list_of_arguments_is_memory_that_is_read_and_written() -> None:
    for name, place in (("vprintf", 1), ("vsprintf", 2), ("vsnprintf", 3), ("__vfprintf_chk", 3)):
        summary = libc.summary_of(name)
        assert summary is not None
        assert {argument(place), reachable(place)} <= summary.reads, name


def test_locks_may_let_other_threads_change_anything() -> None:
    for name in ("pthread_mutex_lock", "omp_unset_lock", "sched_yield"):
        assert libc.find(name) is not None
        assert libc.summary_of(name) is None


def _modules() -> Iterator[Path]:
    for path in sorted(BACKEND.rglob("*.py")):
        relative = path.relative_to(BACKEND).as_posix()
        if not any(fnmatch(relative, pattern) for pattern in ("library/*", *ALLOWED)):
            yield path


def _collections(tree: ast.AST) -> Iterator[tuple[int, set[str]]]:
    """The strings of each display of a set, list, tuple or dict, and the words of each string that holds only words."""
    documents = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, (ast.Set, ast.List, ast.Tuple)):
            parts: list[ast.expr | None] = [*node.elts]
        elif isinstance(node, ast.Dict):
            parts = [*node.keys]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documents:
            if re.fullmatch(r"[\w\s.]+", node.value):
                yield node.lineno, set(node.value.split())
            continue
        else:
            continue
        yield node.lineno, {p.value for p in parts if isinstance(p, ast.Constant) and isinstance(p.value, str)}


def test_no_other_file_lists_functions_of_the_library() -> None:
    found = [
        f"{path.relative_to(BACKEND)}:{line}: {', '.join(sorted(words & NAMES))}"
        for path in _modules()
        for line, words in _collections(ast.parse(path.read_text()))
        if len(words & NAMES) >= 3
    ]
    assert not found, "say it in library/functions.txt, once:\n" + "\n".join(found)
