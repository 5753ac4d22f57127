"""The text of guards: trampolines that a call of C code goes through, and comes back from when C leaves.

Invariant: a guard pushes one frame (c/frames.h) and pops it on both ways out. Across the second return of `_setjmp` it keeps
nothing but the address of memory of its own.

What a guard does beside the call is C (c/guards.c). The rest is not: it has the types of what it calls, its target comes in the
register for `nest`, and only the function that makes the call may call `_setjmp`. exits.py compiles and calls it.
"""

from __future__ import annotations

from dataclasses import dataclass

from enzyme_magic.backend.runtime.native.constants import GUARDED_BYTES, JUMP_BUFFER


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


_MEMORY = f"""
  %buffer = alloca [{JUMP_BUFFER} x i8], align 16
  %call = alloca [{GUARDED_BYTES} x i8], align 16
"""
_SET = """
  %again = call i32 @_setjmp(ptr %buffer) returns_twice
  %first = icmp eq i32 %again, 0
  br i1 %first, label %run, label %left
run:
  call void @em.run.begins(ptr %call)
"""
_DECLARED = """
declare i32 @_setjmp(ptr) returns_twice
declare void @em.run.begins(ptr)
"""


def native(result: str, parameters: tuple[str, ...]) -> str:
    """@em.run.guard(record, target, arguments…) -> result. After a call that left, the record's kind is not 0."""
    words = _Words.of(result, parameters)
    return f"""
{_DECLARED}
declare void @em.run.native_enters(ptr, ptr, ptr)
declare void @em.run.native_returns(ptr)
declare void @em.run.native_left(ptr)
{words.head} @em.run.guard(ptr %record, ptr %target{words.typed}) noinline {{
{_MEMORY}
  call void @em.run.native_enters(ptr %call, ptr %record, ptr %buffer)
{_SET}
  {words.call}
  call void @em.run.native_returns(ptr %call)
  {words.give}
left:
  call void @em.run.native_left(ptr %call)
  {words.give_zero}
}}
"""


def of_python(result: str, parameters: tuple[str, ...], *, keeps_lock: bool = False) -> str:
    """@em.run.guard(target, arguments…) -> result, called with the interpreter lock, which is free while the target runs, unless
    the guard keeps it.

    The target comes in the register for `nest` (stubs.py); @em.run.guard_passed takes it as its first argument. After a call that
    left, Python's error is what `em.run.raiser`, a Python function, raises for the record."""
    words = _Words.of(result, parameters)
    return f"""
{_DECLARED}
@em.run.raiser = external global i8
declare zeroext i1 @em.run.python_enters(ptr, ptr, i1 zeroext)
declare void @em.run.python_returns(ptr)
declare void @em.run.python_left(ptr, ptr)
{words.head} @em.run.guard(ptr nest %target{words.typed}) noinline {{
{_MEMORY}
  %entered = call zeroext i1 @em.run.python_enters(ptr %call, ptr %buffer, i1 zeroext {str(keeps_lock).lower()})
  br i1 %entered, label %start, label %done
start:
{_SET}
  {words.call}
  call void @em.run.python_returns(ptr %call)
  {words.give}
left:
  call void @em.run.python_left(ptr %call, ptr @em.run.raiser)
  br label %done
done:
  {words.give_zero}
}}

{words.head} @em.run.guard_passed(ptr %target{words.typed}) {{
  {words.guard}
  {words.give}
}}
"""
