"""The live heap blocks of programs that keep blocks in static variables, as LLVM IR.

Invariant: a block that the program has from C's heap is in a tree of {start, end, serial} (glibc's tsearch; blocks that overlap are
equal) until the program gives it back. What a library frees behind the program's back goes when its place is taken again. Serials
are never used twice.

This module is text and one cached library.
"""

from __future__ import annotations

import threading
from functools import cache

from enzyme_magic.backend.llvm.objects import jit

FUNCTIONS = ("malloc", "calloc", "realloc", "aligned_alloc", "free")  # what stands in for them in such programs
FIND = "em.run.block_find"
LATEST = "em.run.block_latest"

BLOCKS = """
%em.block = type { ptr, ptr, i64 }
@em.run.blocks = internal global ptr null
@em.run.blocks_serial = internal global i64 0
@em.run.blocks_lock = internal global [64 x i8] zeroinitializer, align 16
declare i32 @pthread_mutex_lock(ptr)
declare i32 @pthread_mutex_unlock(ptr)
declare ptr @tsearch(ptr, ptr, ptr)
declare ptr @tfind(ptr, ptr, ptr)
declare ptr @tdelete(ptr, ptr, ptr)
declare ptr @malloc(i64)
declare ptr @realloc(ptr, i64)
declare ptr @calloc(i64, i64)
declare ptr @aligned_alloc(i64, i64)
declare void @free(ptr)
declare void @em.run.check_release(ptr, ptr)
declare ptr @llvm.returnaddress(i32)

define internal i32 @em.run.block_compare(ptr %a, ptr %b) {
  %a.start = load ptr, ptr %a
  %b.start = load ptr, ptr %b
  %a.end.p = getelementptr %em.block, ptr %a, i64 0, i32 1
  %b.end.p = getelementptr %em.block, ptr %b, i64 0, i32 1
  %a.end = load ptr, ptr %a.end.p
  %b.end = load ptr, ptr %b.end.p
  %below = icmp ule ptr %a.end, %b.start
  %above = icmp ule ptr %b.end, %a.start
  %sign = zext i1 %above to i32
  %order = select i1 %below, i32 -1, i32 %sign
  ret i32 %order
}

; The lock is held.
define internal void @em.run.block_drop(ptr %start, ptr %end) {
entry:
  %key = alloca %em.block, align 8
  store ptr %start, ptr %key
  %end.p = getelementptr %em.block, ptr %key, i64 0, i32 1
  store ptr %end, ptr %end.p
  br label %next
next:
  %place = call ptr @tfind(ptr %key, ptr @em.run.blocks, ptr @em.run.block_compare)
  %none = icmp eq ptr %place, null
  br i1 %none, label %done, label %one
one:
  %block = load ptr, ptr %place
  %ignored = call ptr @tdelete(ptr %block, ptr @em.run.blocks, ptr @em.run.block_compare)
  call void @free(ptr %block)
  br label %next
done:
  ret void
}

define internal void @em.run.block_note(ptr %start, i64 %bytes) {
  %failed = icmp eq ptr %start, null
  br i1 %failed, label %done, label %note
note:
  %empty = icmp eq i64 %bytes, 0
  %size = select i1 %empty, i64 1, i64 %bytes
  %end = getelementptr i8, ptr %start, i64 %size
  %block = call ptr @malloc(i64 24)
  %unknown = icmp eq ptr %block, null
  br i1 %unknown, label %done, label %fill
fill:
  %locked = call i32 @pthread_mutex_lock(ptr @em.run.blocks_lock)
  call void @em.run.block_drop(ptr %start, ptr %end)
  %serial = load i64, ptr @em.run.blocks_serial
  %next = add i64 %serial, 1
  store i64 %next, ptr @em.run.blocks_serial
  store ptr %start, ptr %block
  %end.p = getelementptr %em.block, ptr %block, i64 0, i32 1
  store ptr %end, ptr %end.p
  %serial.p = getelementptr %em.block, ptr %block, i64 0, i32 2
  store i64 %next, ptr %serial.p
  %ignored = call ptr @tsearch(ptr %block, ptr @em.run.blocks, ptr @em.run.block_compare)
  %unlocked = call i32 @pthread_mutex_unlock(ptr @em.run.blocks_lock)
  br label %done
done:
  ret void
}

define internal void @em.run.block_forget(ptr %start) {
  %nothing = icmp eq ptr %start, null
  br i1 %nothing, label %done, label %drop
drop:
  %end = getelementptr i8, ptr %start, i64 1
  %locked = call i32 @pthread_mutex_lock(ptr @em.run.blocks_lock)
  call void @em.run.block_drop(ptr %start, ptr %end)
  %unlocked = call i32 @pthread_mutex_unlock(ptr @em.run.blocks_lock)
  br label %done
done:
  ret void
}

; The block around an address: {start, size, serial}; a serial of 0 where there is none.
define void @em.run.block_find(ptr %address, ptr %found) {
  %key = alloca %em.block, align 8
  store ptr %address, ptr %key
  %end = getelementptr i8, ptr %address, i64 1
  %end.p = getelementptr %em.block, ptr %key, i64 0, i32 1
  store ptr %end, ptr %end.p
  %found.serial = getelementptr %em.block, ptr %found, i64 0, i32 2
  store i64 0, ptr %found.serial
  %locked = call i32 @pthread_mutex_lock(ptr @em.run.blocks_lock)
  %place = call ptr @tfind(ptr %key, ptr @em.run.blocks, ptr @em.run.block_compare)
  %none = icmp eq ptr %place, null
  br i1 %none, label %done, label %tell
tell:
  %block = load ptr, ptr %place
  %start = load ptr, ptr %block
  %last.p = getelementptr %em.block, ptr %block, i64 0, i32 1
  %last = load ptr, ptr %last.p
  %serial.p = getelementptr %em.block, ptr %block, i64 0, i32 2
  %serial = load i64, ptr %serial.p
  %from = ptrtoint ptr %start to i64
  %to = ptrtoint ptr %last to i64
  %size = sub i64 %to, %from
  store ptr %start, ptr %found
  %found.size = getelementptr %em.block, ptr %found, i64 0, i32 1
  store i64 %size, ptr %found.size
  store i64 %serial, ptr %found.serial
  br label %done
done:
  %unlocked = call i32 @pthread_mutex_unlock(ptr @em.run.blocks_lock)
  ret void
}

; The serial of the last block.
define i64 @em.run.block_latest() {
  %locked = call i32 @pthread_mutex_lock(ptr @em.run.blocks_lock)
  %serial = load i64, ptr @em.run.blocks_serial
  %unlocked = call i32 @pthread_mutex_unlock(ptr @em.run.blocks_lock)
  ret i64 %serial
}

define ptr @em.run.block_malloc(i64 %bytes) {
  %block = call ptr @malloc(i64 %bytes)
  call void @em.run.block_note(ptr %block, i64 %bytes)
  ret ptr %block
}
define ptr @em.run.block_calloc(i64 %count, i64 %each) {
  %block = call ptr @calloc(i64 %count, i64 %each)
  %bytes = mul i64 %count, %each
  call void @em.run.block_note(ptr %block, i64 %bytes)
  ret ptr %block
}
define ptr @em.run.block_aligned_alloc(i64 %align, i64 %bytes) {
  %block = call ptr @aligned_alloc(i64 %align, i64 %bytes)
  call void @em.run.block_note(ptr %block, i64 %bytes)
  ret ptr %block
}
define ptr @em.run.block_realloc(ptr %old, i64 %bytes) noinline {
  %place = call ptr @llvm.returnaddress(i32 0)
  call void @em.run.check_release(ptr %old, ptr %place)
  %before = alloca %em.block, align 8
  call void @em.run.block_find(ptr %old, ptr %before)
  call void @em.run.block_forget(ptr %old)
  %block = call ptr @realloc(ptr %old, i64 %bytes)
  %failed = icmp eq ptr %block, null
  %wanted = icmp ne i64 %bytes, 0
  %stays = and i1 %failed, %wanted
  br i1 %stays, label %same, label %moved
same:
  %serial.p = getelementptr %em.block, ptr %before, i64 0, i32 2
  %serial = load i64, ptr %serial.p
  %known = icmp ne i64 %serial, 0
  br i1 %known, label %again, label %done
again:
  %size.p = getelementptr %em.block, ptr %before, i64 0, i32 1
  %size = load i64, ptr %size.p
  call void @em.run.block_note(ptr %old, i64 %size)
  br label %done
moved:
  call void @em.run.block_note(ptr %block, i64 %bytes)
  br label %done
done:
  ret ptr %block
}
define void @em.run.block_free(ptr %block) noinline {
  %place = call ptr @llvm.returnaddress(i32 0)
  call void @em.run.check_release(ptr %block, ptr %place)
  call void @em.run.block_forget(ptr %block)
  call void @free(ptr %block)
  ret void
}
"""

_starting = threading.Lock()


def symbols(check: int) -> dict[str, int]:
    """What such programs are linked with, and the derivatives that refer to them: name -> address. check: the function that is
    told, before it is given back, of an address and of the place in the program that does it."""
    with _starting:
        library = _library(check)
    found = {name: library.address(name) for name in (FIND, LATEST)}
    return {**found, **{name: library.address(f"em.run.block_{name}") for name in FUNCTIONS}}


@cache
def _library(check: int) -> jit.Library:
    exports = [FIND, LATEST, *(f"em.run.block_{name}" for name in FUNCTIONS)]
    return jit.Library.load(
        [jit.compile_object(BLOCKS, level=1)], exports, symbols={"em.run.check_release": check}, runtime=True
    )
