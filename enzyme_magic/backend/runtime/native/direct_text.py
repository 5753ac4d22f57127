"""The text of a function that Python calls directly (METH_FASTCALL): checks, the native call and the result, without ctypes.

Invariant: it does its work only where every argument is exactly what C takes: a float, an int in range, an array of the very dtype,
C-contiguous, aligned, large enough, and sizes that agree. In every other case it calls the callable it was given for that, with the
same arguments, before anything has been written: what is accepted, and every error, is said there and nowhere else.

`self` is a tuple: a bytes object with the words of `BLOCK`, and that callable. Not in C: it has the types of what it calls.
direct_arguments.py and direct_results.py write what comes before the call and after it; calls/direct.py decides what is in it.
"""

from __future__ import annotations

from collections.abc import Sequence

from enzyme_magic.backend.runtime.native import direct_arguments as arguments
from enzyme_magic.backend.runtime.native import direct_results as results
from enzyme_magic.backend.runtime.native import direct_shared, direct_writer
from enzyme_magic.backend.runtime.native.direct_arguments import DirectArgument
from enzyme_magic.backend.runtime.native.direct_form import BLOCK, Direct
from enzyme_magic.backend.runtime.native.direct_results import ResultArray
from enzyme_magic.backend.runtime.native.direct_writer import Writer

SYMBOL = "em.direct"
METHOD = "em.direct.method"


def text(direct: Direct) -> str:
    """A module with SYMBOL and METHOD."""
    return "\n".join([direct_writer.DECLARED, direct_shared.DECLARED, _guard(direct), _function(direct)])


def _guard(direct: Direct) -> str:
    plain, extension = _returned(direct)
    words = ", ".join(("ptr", *direct.words))
    return "\n".join(f"declare {extension} {plain} @em.run.guard_{way}({words})" for way in ("passed", "kept"))


def _returned(direct: Direct) -> tuple[str, str]:
    """LLVM's type of what the native function returns, and its extension."""
    plain = direct.result.split()[0]
    return plain, direct.result[len(plain) :].strip()


def _function(direct: Direct) -> str:
    w = Writer()
    w.line("%words.object = call ptr @PyTuple_GetItem(ptr %self, i64 0)")
    w.line("%words = call ptr @PyBytes_AsString(ptr %words.object)")
    block = w.variable(f"[{max(direct.block, 1)} x i8]")
    w.need(w.op("icmp eq ptr %names, null"))
    values = arguments.read(w, direct)
    arguments.check_least(w, direct, values)
    shadows = results.shadows_of(w, direct, values)
    returned = _call(w, direct, values, shadows, block)
    results.finish(w, direct, shadows, returned, block)
    body = "\n".join(["entry:", *w.variables, *w.lines])
    failing = _failing(w.owned)
    return f"""
define ptr @{SYMBOL}(ptr %self, ptr %args, i64 %count, ptr %names) {{
{body}
slow:
  %other = call ptr @PyTuple_GetItem(ptr %self, i64 1)
  %said = call ptr @PyObject_Vectorcall(ptr %other, ptr %args, i64 %count, ptr %names)
  ret ptr %said
{failing}
}}
@em.direct.name = internal constant [5 x i8] c"call\\00"
@{METHOD} = global {{ ptr, ptr, i32, ptr }} {{ ptr @em.direct.name, ptr @{SYMBOL}, i32 130, ptr null }}
"""


def _call(
    w: Writer, direct: Direct, values: Sequence[DirectArgument], shadows: dict[int, ResultArray], block: str
) -> str:
    passed = [f"ptr {w.word(0)}"]
    for (kind, index), word in zip(direct.slots, direct.words, strict=True):
        if kind == "primal":
            given = values[index].native
        elif kind == "shadow":
            given = shadows[index].data
        elif kind == "results":
            given = block
        elif kind == "arena":
            given = w.op("call ptr @em.run.arena_current()")
        else:
            given = "1.0"
        passed.append(f"{word} {given}")
    if direct.lock == "measured":
        returned = _measured(w, direct, values, ", ".join(passed))
    else:
        returned = _guarded(w, direct, "kept" if direct.lock == "kept" else "passed", ", ".join(passed))
    if direct.handlers:
        fine = w.op("call i1 @em.direct.settled()")
    else:
        fine = w.op(f"icmp eq ptr {w.op('call ptr @PyErr_Occurred()')}, null")
    w.need(fine, w.failing())
    return returned


def _guarded(w: Writer, direct: Direct, way: str, passed: str) -> str:
    plain, extension = _returned(direct)
    call = f"call {extension} {plain} @em.run.guard_{way}({passed})"
    if plain != "void":
        return w.op(call)
    w.line(call)
    return ""


def _measured(w: Writer, direct: Direct, values: Sequence[DirectArgument], passed: str) -> str:
    """The call, with or without the interpreter lock: as calls of this size have been short or not."""
    size = "0"
    for value in values:
        if value.count or value.number:
            part = value.count or w.op(f"call i64 @llvm.abs.i64(i64 {value.number}, i1 false)")
            size = w.op(f"call i64 @llvm.uadd.sat.i64(i64 {size}, i64 {part})")
    times = w.word(BLOCK.index("times"))
    keeps = w.op(f"call i1 @em.direct.keeps(ptr {times}, i64 {size})")
    kept, free, joined = w.label("kept"), w.label("free"), w.label("joined")
    begun = w.op("call i64 @llvm.readcyclecounter()")
    w.line(f"br i1 {keeps}, label %{kept}, label %{free}")
    results = []
    for label, way in ((kept, "kept"), (free, "passed")):
        w.begin(label)
        results.append(_guarded(w, direct, way, passed))
        w.line(f"br label %{joined}")
    w.begin(joined)
    plain, _ = _returned(direct)
    returned = w.op(f"phi {plain} [ {results[0]}, %{kept} ], [ {results[1]}, %{free} ]") if results[0] else ""
    ended = w.op("call i64 @llvm.readcyclecounter()")
    ticks = w.op(f"sub i64 {ended}, {begun}")
    w.line(f"call void @em.direct.measured(ptr {times}, i64 {size}, i1 zeroext {keeps}, i64 {ticks})")
    return returned


def _failing(owned: Sequence[str]) -> str:
    """What releases the arrays made so far: one block for each number of them."""
    lines = []
    for count in range(len(owned), 0, -1):
        lines += [f"fail{count}:", f"  call void @Py_DecRef(ptr {owned[count - 1]})", f"  br label %fail{count - 1}"]
    return "\n".join([*lines, "fail0:", "  ret ptr null"])
