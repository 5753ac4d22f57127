"""The text of guards: trampolines that a call of C code goes through, and comes back from when C leaves.

Invariant: a guard pushes one frame (c/frames.h) and pops it on both ways out. LLVM keeps nothing in registers across the second
return of a `returns_twice` call that it may not: what is needed there is read back from memory, because the register that held it
may be of the first return.

Not in C: a guard has the types of what it calls, and its target comes in the register for `nest`. exits.py compiles and calls it.
"""

from __future__ import annotations

from dataclasses import dataclass

from enzyme_magic.backend.runtime.native.constants import FORKED, JUMP_BUFFER

# What guards call of Python's C API.
PYTHON = (
    "PyErr_CheckSignals",
    "PyEval_SaveThread",
    "PyEval_RestoreThread",
    "PyBytes_FromStringAndSize",
    "PyObject_CallFunctionObjArgs",
    "Py_DecRef",
)
_RECORD_BYTES = 40


@dataclass(frozen=True, slots=True)
class _Words:
    """Parts of a guard's text that depend on the types of what it calls."""

    head: str  # of the definition, up to its name
    typed: str
    call: str
    guard: str
    give: str
    give_zero: str

    @classmethod
    def of(cls, result: str, parameters: tuple[str, ...]) -> _Words:
        typed = "".join(f", {word} %a{index}" for index, word in enumerate(parameters))
        passed = ", ".join(f"{word} %a{index}" for index, word in enumerate(parameters))
        plain = result.split()[0]
        extension = result[len(plain) :].strip()
        head, call = f"define {extension} {plain}", f"call {extension} {plain} %target({passed})"
        guard = f"call {extension} {plain} @em.run.guard({', '.join(filter(None, ['ptr nest %target', passed]))})"
        if plain == "void":
            return cls(head, typed, call, guard, "ret void", "ret void")
        zero = "null" if plain == "ptr" else "zeroinitializer"
        given = f"ret {plain} %value"
        return cls(head, typed, f"%value = {call}", f"%value = {guard}", given, f"ret {plain} {zero}")


_DECLARED = """
%em.frame = type { ptr, ptr, ptr, i64 } ; c/frames.h
%em.record = type { i32, i32, ptr, ptr, ptr, i64 }
declare ptr @em.run.arena_current()
declare i32 @em.run.enter(ptr, ptr)
declare i32 @em.run.returned(ptr)
declare void @em.run.back(ptr, ptr)
declare void @em.run.leave(i32, i32, ptr, ptr, ptr, i64) noreturn
declare i32 @_setjmp(ptr) returns_twice
"""

_PUSH = """
  %record.p = getelementptr %em.frame, ptr %frame, i64 0, i32 1
  store volatile ptr %record, ptr %record.p
  %buffer.p = getelementptr %em.frame, ptr %frame, i64 0, i32 2
  store volatile ptr %buffer, ptr %buffer.p
  %marks.p = getelementptr %em.frame, ptr %frame, i64 0, i32 3
  store volatile i64 0, ptr %marks.p
  %due = call i32 @em.run.enter(ptr %arena, ptr %frame)
"""

# After the first return of _setjmp. A call that is to end before it began is left as any other.
_RUN = """
  %first = icmp eq i32 %again, 0
  br i1 %first, label %begin, label %left
begin:
  %over = icmp ne i32 %due, 0
  br i1 %over, label %never, label %run
never:
  call void @em.run.leave(i32 %due, i32 0, ptr null, ptr null, ptr null, i64 0)
  unreachable
"""

_RETURNED = """
  %late = call i32 @em.run.returned(ptr %arena.back)
  %too.late = icmp ne i32 %late, 0
  br i1 %too.late, label %ended.late, label %back
ended.late:
  call void @em.run.leave(i32 %late, i32 0, ptr null, ptr null, ptr null, i64 0)
  unreachable
"""


def native(result: str, parameters: tuple[str, ...]) -> str:
    """@em.run.guard(record, target, arguments…) -> result. After a call that left, the record's kind is not 0."""
    words = _Words.of(result, parameters)
    return f"""
{_DECLARED}
{words.head} @em.run.guard(ptr %record, ptr %target{words.typed}) noinline {{
  %buffer = alloca [{JUMP_BUFFER} x i8], align 16
  %frame = alloca %em.frame, align 16
  %kept = alloca ptr, align 16
  %arena = call ptr @em.run.arena_current()
  store volatile ptr %arena, ptr %kept
{_PUSH}
  %again = call i32 @_setjmp(ptr %buffer) returns_twice
{_RUN}
run:
  {words.call}
  %arena.back = load volatile ptr, ptr %kept
{_RETURNED}
back:
  call void @em.run.back(ptr %arena.back, ptr %frame)
  {words.give}
left:
  %arena.left = load volatile ptr, ptr %kept
  call void @em.run.back(ptr %arena.left, ptr %frame)
  {words.give_zero}
}}
"""


def of_python(result: str, parameters: tuple[str, ...], *, keeps_lock: bool = False) -> str:
    """@em.run.guard(target, arguments…) -> result, called with the interpreter lock, which is free while the target runs, unless
    the guard keeps it.

    The target comes in the register for `nest` (stubs.py); @em.run.guard_passed takes it as its first argument. After a call that
    left, the arena is as it was before, and Python's error is what `em.run.raiser`, a Python function, raises for the record. A
    child that the target forked ends here. A signal that Python has not looked at yet is looked at once the frame is there: one
    that comes later finds the frame (c/stops.c)."""
    words = _Words.of(result, parameters)
    save = "ptr @em.run.kept_lock()" if keeps_lock else "ptr @PyEval_SaveThread()"
    restore = "void @em.run.still_kept" if keeps_lock else "void @PyEval_RestoreThread"
    return f"""
{_DECLARED}
@em.run.raiser = external global i8
declare i32 @PyErr_CheckSignals()
declare void @em.run.arena_unwind(ptr, ptr)
declare void @em.run.child_ends(i32) noreturn
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)
declare ptr @PyBytes_FromStringAndSize(ptr, i64)
declare ptr @PyObject_CallFunctionObjArgs(ptr, ...)
declare void @Py_DecRef(ptr)
define internal ptr @em.run.kept_lock() alwaysinline {{
  ret ptr null
}}
define internal void @em.run.still_kept(ptr %thread) alwaysinline {{
  ret void
}}

{words.head} @em.run.guard(ptr nest %target{words.typed}) noinline {{
  %buffer = alloca [{JUMP_BUFFER} x i8], align 16
  %frame = alloca %em.frame, align 16
  %record = alloca %em.record, align 16
  %kept = alloca [3 x ptr], align 16
  %arena = call ptr @em.run.arena_current()
  %mark = load ptr, ptr %arena
  store volatile ptr %arena, ptr %kept
  %mark.p = getelementptr ptr, ptr %kept, i64 1
  store volatile ptr %mark, ptr %mark.p
{_PUSH}
  %signalled = call i32 @PyErr_CheckSignals()
  %raised = icmp ne i32 %signalled, 0
  br i1 %raised, label %ended, label %start
start:
  %thread = call {save}
  %thread.p = getelementptr ptr, ptr %kept, i64 2
  store volatile ptr %thread, ptr %thread.p
  %again = call i32 @_setjmp(ptr %buffer) returns_twice
{_RUN}
run:
  {words.call}
  %marks = load volatile i64, ptr %marks.p
  %forked = and i64 %marks, {FORKED}
  %child = icmp ne i64 %forked, 0
  br i1 %child, label %ends, label %alive
ends:
  call void @em.run.child_ends(i32 0)
  unreachable
alive:
  %arena.back = load volatile ptr, ptr %kept
{_RETURNED}
back:
  call void @em.run.back(ptr %arena.back, ptr %frame)
  %thread.back = load volatile ptr, ptr %thread.p
  call {restore}(ptr %thread.back)
  {words.give}
left:
  %mark.q = getelementptr ptr, ptr %kept, i64 1
  %thread.q = getelementptr ptr, ptr %kept, i64 2
  %arena.left = load volatile ptr, ptr %kept
  call void @em.run.back(ptr %arena.left, ptr %frame)
  %mark.left = load volatile ptr, ptr %mark.q
  call void @em.run.arena_unwind(ptr %arena.left, ptr %mark.left)
  %thread.left = load volatile ptr, ptr %thread.q
  call {restore}(ptr %thread.left)
  %told = call ptr @PyBytes_FromStringAndSize(ptr %record, i64 {_RECORD_BYTES})
  %nothing = icmp eq ptr %told, null
  br i1 %nothing, label %done, label %raise
raise:
  %none = call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr @em.run.raiser, ptr %told, ptr null)
  call void @Py_DecRef(ptr %told)
  br label %done
ended:
  call void @em.run.back(ptr %arena, ptr %frame)
  br label %done
done:
  {words.give_zero}
}}

{words.head} @em.run.guard_passed(ptr %target{words.typed}) {{
  {words.guard}
  {words.give}
}}
"""
