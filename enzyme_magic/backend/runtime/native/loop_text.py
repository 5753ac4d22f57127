"""What the texts of native loops share: the loop itself, the call in it, and how numbers are read and written around it.

Invariant: a loop is a function that calls another one `count` times, with what `body` reads for %i; what the function gives lies in
%r or in the results block %block. Not in C: it has the types of what it calls. map_loop.py and batch_loop.py say where data lies.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from enzyme_magic.backend.native import Slot, Static
from enzyme_magic.backend.runtime.calls import invoke
from enzyme_magic.backend.runtime.calls.invoke import Code

_DTYPES = {"double": "f8", "float": "f4", "i1": "?", "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8"}
_FUNCTION = re.compile(r"^(define [^\n]*) \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
_DEBUG = """
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!1, !2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly)
!1 = !{i32 2, !"Debug Info Version", i32 3}
!2 = !{i32 2, !"Dwarf Version", i32 4}
!3 = !DIFile(filename: "loop", directory: "")
!4 = !DISubroutineType(types: !{null})
"""
SIZES = {"double": 8, "float": 4, "x86_fp80": 16, "i1": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8}


def dtype_of_word(word: str) -> Any:
    """The dtype of a result array."""
    import numpy as np

    plain, _, extension = word.partition(" ")
    if plain == "x86_fp80":
        return np.dtype(np.longdouble)
    dtype = np.dtype(_DTYPES[plain])
    return np.dtype(f"u{dtype.itemsize}") if extension == "zeroext" and dtype.kind == "i" else dtype


def split(word: str) -> tuple[str, str]:
    """LLVM's type, and its extension attribute."""
    plain, _, extension = word.partition(" ")
    return plain, extension


def restored(kept: Sequence[Static]) -> list[str]:
    """Instructions after which static data is as before the loop; %saved is the copy of it."""
    lines, at = [], 0
    for k, static in enumerate(kept):
        place = f'@"{static.symbol}"'
        if static.each_threads:
            lines.append(f"  %s{k}.own = call ptr @__emutls_get_address(ptr {place})")
            place = f"%s{k}.own"
        lines += [
            f"  %s{k}.to = getelementptr i8, ptr {place}, i64 {static.offset}",
            f"  %s{k}.from = getelementptr i8, ptr %saved, i64 {at}",
            f"  call void @llvm.memcpy.p0.p0.i64(ptr %s{k}.to, ptr %s{k}.from, i64 {static.size}, i1 false)",
        ]
        at += static.size
    return lines


def declaration(code: Code, kept: Sequence[Static]) -> str:
    """What a module with a loop declares."""
    result, words = invoke.words(code.entry, code.signature)
    plain, extension = split(result)
    lines = [f'declare {extension} {plain} @"{code.entry.symbol}"({", ".join(words)})']
    if kept:
        lines.append("declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)")
    if any(static.each_threads for static in kept):
        lines.append("declare ptr @__emutls_get_address(ptr)")
    return "\n".join([*lines, *(f'@"{name}" = external global i8' for name in dict.fromkeys(s.symbol for s in kept))])


def counted(head: str, code: Code, before: Sequence[str], body: Sequence[str]) -> str:
    """A function that runs `body` for each %i below %count."""
    block = [f"  %block = alloca [{code.entry.size} x i8], align 16"] * bool(code.entry.size)
    return "\n".join(
        [
            f"{head} {{",
            "entry:",
            *block,
            *before,
            "  %some = icmp sgt i64 %count, 0",
            "  br i1 %some, label %body, label %done",
            "body:",
            "  %i = phi i64 [ 0, %entry ], [ %next, %body ]",
            *body,
            "  %next = add nuw nsw i64 %i, 1",
            "  %more = icmp slt i64 %next, %count",
            "  br i1 %more, label %body, label %done",
            "done:",
            "  ret void",
            "}",
        ]
    )


def load(name: str, word: str, place: str) -> list[str]:
    """The number at a place as %name."""
    plain, _ = split(word)
    if plain == "i1":
        return [f"  %{name}.b = load i8, ptr {place}", f"  %{name} = icmp ne i8 %{name}.b, 0"]
    return [f"  %{name} = load {plain}, ptr {place}"]


def call(code: Code, value: Callable[[Slot, str], str]) -> list[str]:
    """The call, with the value of each slot."""
    result, words = invoke.words(code.entry, code.signature)
    passed = [f"{word} {value(slot, word)}" for slot, word in zip(code.entry.slots, words, strict=True)]
    plain, extension = split(result)
    assign = "" if plain == "void" else "%r = "
    return [f'  {assign}call {extension} {plain} @"{code.entry.symbol}"({", ".join(passed)})']


def store(name: str, code: Code, word: str, offset: int, place: str) -> list[str]:
    """A result to where it goes: what was returned, or what lies at `offset` of the results block."""
    plain, _ = split(word)
    lines, value = [], "%r"
    if code.entry.result is None:
        value = f"%{name}.f"
        lines = [
            f"  %{name}.p = getelementptr inbounds i8, ptr %block, i64 {offset}",
            f"  {value} = load {plain}, ptr %{name}.p",
        ]
    if plain == "i1":
        return [*lines, f"  %{name}.w = zext i1 {value} to i8", f"  store i8 %{name}.w, ptr {place}"]
    return [*lines, f"  store {plain} {value}, ptr {place}"]


def with_debug_info(text: str) -> str:
    """The loops of a module, with line 0 (none) for each instruction: only so LLVM keeps the lines of what it inlines."""
    nodes: list[str] = []

    def scoped(found: re.Match[str]) -> str:
        scope = 5 + len(nodes)
        nodes.append(
            f'!{scope} = distinct !DISubprogram(name: "loop", scope: !3, file: !3, line: 1, type: !4, '
            "spFlags: DISPFlagDefinition, unit: !0)"
        )
        nodes.append(f"!{scope + 1} = !DILocation(line: 0, scope: !{scope})")
        lines = (f"{line}, !dbg !{scope + 1}" if line.startswith("  ") else line for line in found[2].splitlines())
        return "\n".join([f"{found[1]} !dbg !{scope} {{", *lines, "}"])

    return "\n".join([_FUNCTION.sub(scoped, text), _DEBUG, *nodes, ""])
