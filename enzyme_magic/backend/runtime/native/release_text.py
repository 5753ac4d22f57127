"""What C code gives back to the heap, looked at before the C library sees it, the native half as LLVM IR.

Invariant: a call is ended only for an address that no block can have: on the stack of the calling thread, or not a multiple of 8.
The C library would abort the process for it, or damage its heap; this costs a few instructions. Where it is not known that
a call is from Python, in the process of Python, the library decides.

It keeps no list of blocks: a block that was given back before, and an address in the middle of one, are the library's to find, or
the sanitizer's (passes/bounds.py). A thread that C started has no guard and is not looked at.
"""

from __future__ import annotations

# What C calls, and what stands in for it.
CHECK = "em.run.check_release"  # (address, place in the program)
REPLACED = {"free": "em.run.free", "realloc": "em.run.realloc", "reallocarray": "em.run.reallocarray"}


def text(kind: int, stack_limit: int, stack_size: int, reserve: int) -> str:
    """kind: the number of a record of such a call. Then the arena's fields, and how far its limit lies above the stack's lowest
    address at most."""
    return f"""
declare void @free(ptr)
declare ptr @realloc(ptr, i64)
declare ptr @reallocarray(ptr, i64, i64)
declare i64 @llvm.umin.i64(i64, i64)

define void @em.run.check_release(ptr %block, ptr %place) {{
  %address = ptrtoint ptr %block to i64
  %low = and i64 %address, 7
  %odd = icmp ne i64 %low, 0
  br i1 %odd, label %called, label %stack
stack:
  %frame = call ptr @llvm.frameaddress.p0(i32 0)
  %here = ptrtoint ptr %frame to i64
  %above = icmp uge i64 %address, %here
  br i1 %above, label %top, label %fine
top:
  %key = load i32, ptr @em.run.arena_key
  %arena = call ptr @pthread_getspecific(i32 %key)
  %nobody = icmp eq ptr %arena, null
  br i1 %nobody, label %fine, label %compare
compare:
  %limit.p = getelementptr i64, ptr %arena, i64 {stack_limit}
  %limit = load i64, ptr %limit.p
  %size.p = getelementptr i64, ptr %arena, i64 {stack_size}
  %size = load i64, ptr %size.p
  %quarter = lshr i64 %size, 2
  %reserve = call i64 @llvm.umin.i64(i64 %quarter, i64 {reserve})
  %lowest = sub i64 %limit, %reserve
  %end = add i64 %lowest, %size
  %inside = icmp ult i64 %address, %end
  br i1 %inside, label %called, label %fine
called:
  %ours = call i1 @em.run.is_called()
  br i1 %ours, label %wrong, label %fine
wrong:
  %why = zext i1 %odd to i32
  call void @em.run.leave(i32 {kind}, i32 %why, ptr null, ptr null, ptr %place, i64 %address)
  unreachable
fine:
  ret void
}}

define void @em.run.free(ptr %block) noinline {{
  %place = call ptr @llvm.returnaddress(i32 0)
  call void @em.run.check_release(ptr %block, ptr %place)
  call void @free(ptr %block)
  ret void
}}

define ptr @em.run.realloc(ptr %block, i64 %bytes) noinline {{
  %place = call ptr @llvm.returnaddress(i32 0)
  call void @em.run.check_release(ptr %block, ptr %place)
  %new = call ptr @realloc(ptr %block, i64 %bytes)
  ret ptr %new
}}

define ptr @em.run.reallocarray(ptr %block, i64 %count, i64 %each) noinline {{
  %place = call ptr @llvm.returnaddress(i32 0)
  call void @em.run.check_release(ptr %block, ptr %place)
  %new = call ptr @reallocarray(ptr %block, i64 %count, i64 %each)
  ret ptr %new
}}
"""
