"""The native half of the runtime as LLVM IR: leaving C code early, and the arena.

Invariants: a thread has a chain of frames, one per guarded call in progress, and at most one arena; both are found with
pthread_getspecific, because code in the JIT cannot have thread-local variables. `em.run.leave` goes back to the innermost frame's
setjmp; without a frame the process's own exit or abort is called, as if this package were not there.

The arena is a chain of chunks, each bump-allocated in steps of 64 bytes: {current, end, start, chunk, spare, limit, before, peak,
total, chunks}. `before` counts bytes in use in earlier chunks; `peak` and `total` are brought up to date on release, so that the
fast path stays short. `end` is cut short where the limit is nearer than the chunk's end: the limit is exact at no cost.

The arena also knows the stack of its thread: `stack_limit` is the address below which recursive derivatives do not go on (the end
of the stack and a reserve for what they call), `stack_size` its size in bytes. Code on another stack must have another arena.

This module is text and one cached library. Python's side: exits.py, arena.py.
"""

from __future__ import annotations

import threading
from functools import cache

from enzyme_magic.backend.llvm import blocks
from enzyme_magic.backend.llvm.objects import code_ranges, jit
from enzyme_magic.backend.runtime.native import raise_text, release_text, signal_text, stop_text

JUMP_BUFFER = 512  # bytes; glibc's jmp_buf has 200 on x86-64 and 312 on AArch64
CHUNK_HEADER = 64  # bytes: {previous, capacity, before, current, end}
FIRST_CHUNK = 1 << 16

KINDS = {"exit": 1, "abort": 2, "assertion": 3, "tape": 4, "memory": 5, "depth": 6, "kept": 7, "signal": 8, "bytes": 9}
KINDS |= {"interrupt": 10, "limit": 11, "outside": 12, "release": 13}

# What a guarded call leaves behind: kind, status or line, then pointers to C strings, then a byte count.
RECORD = "%em.record = type { i32, i32, ptr, ptr, ptr, i64 }"
FRAME = "%em.frame = type { ptr, ptr, ptr, i64 }"  # previous frame, record, jump buffer, marks (signal_text.py)

EXITS = f"""
{RECORD}
{FRAME}
@em.run.frame_key = global i32 0
@em.run.arena_key = global i32 0
@em.run.arena_limit = global i64 8589934592

declare i32 @pthread_key_create(ptr, ptr)
declare ptr @pthread_getspecific(i32)
declare i32 @pthread_setspecific(i32, ptr)
declare void @longjmp(ptr, i32) noreturn
declare void @exit(i32) noreturn
declare void @_exit(i32) noreturn
declare void @quick_exit(i32) noreturn
declare void @abort() noreturn

define void @em.run.start(i64 %limit) {{
  %a = call i32 @pthread_key_create(ptr @em.run.frame_key, ptr null)
  %b = call i32 @pthread_key_create(ptr @em.run.arena_key, ptr @em.run.arena_destroy)
  store i64 %limit, ptr @em.run.arena_limit
  call void @em.run.make_slots()
  ret void
}}

define void @em.run.leave(i32 %kind, i32 %status, ptr %text, ptr %file, ptr %function, i64 %bytes) noreturn noinline {{
  %key = load i32, ptr @em.run.frame_key
  %frame = call ptr @pthread_getspecific(i32 %key)
  %nobody = icmp eq ptr %frame, null
  br i1 %nobody, label %process, label %jump
process:
  %exits = icmp eq i32 %kind, {KINDS["exit"]}
  br i1 %exits, label %end, label %die
end:
  call void @exit(i32 %status)
  unreachable
die:
  call void @abort()
  unreachable
jump:
  %marks.p = getelementptr %em.frame, ptr %frame, i64 0, i32 3
  %marks = load volatile i64, ptr %marks.p
  %forked = and i64 %marks, {signal_text.FORKED}
  %child = icmp ne i64 %forked, 0
  br i1 %child, label %child.ends, label %parent
child.ends:
  %child.exits = icmp eq i32 %kind, {KINDS["exit"]}
  br i1 %child.exits, label %child.exit, label %child.die
child.exit:
  call void @em.run.child_ends(i32 %status)
  unreachable
child.die:
  call void @em.run.child_aborts()
  unreachable
parent:
  %record.p = getelementptr %em.frame, ptr %frame, i64 0, i32 1
  %record = load ptr, ptr %record.p
  store i32 %kind, ptr %record
  %status.p = getelementptr %em.record, ptr %record, i64 0, i32 1
  store i32 %status, ptr %status.p
  %text.p = getelementptr %em.record, ptr %record, i64 0, i32 2
  store ptr %text, ptr %text.p
  %file.p = getelementptr %em.record, ptr %record, i64 0, i32 3
  store ptr %file, ptr %file.p
  %function.p = getelementptr %em.record, ptr %record, i64 0, i32 4
  store ptr %function, ptr %function.p
  %bytes.p = getelementptr %em.record, ptr %record, i64 0, i32 5
  store i64 %bytes, ptr %bytes.p
  %buffer.p = getelementptr %em.frame, ptr %frame, i64 0, i32 2
  %buffer = load ptr, ptr %buffer.p
  call void @longjmp(ptr %buffer, i32 1)
  unreachable
}}

define void @em.run.exit(i32 %status) noreturn {{
  call void @em.run.leave(i32 {KINDS["exit"]}, i32 %status, ptr null, ptr null, ptr null, i64 0)
  unreachable
}}
define void @em.run.abort() noreturn {{
  call void @em.run.leave(i32 {KINDS["abort"]}, i32 0, ptr null, ptr null, ptr null, i64 0)
  unreachable
}}
define void @em.run.assert(ptr %text, ptr %file, i32 %line, ptr %function) noreturn {{
  call void @em.run.leave(i32 {KINDS["assertion"]}, i32 %line, ptr %text, ptr %file, ptr %function, i64 0)
  unreachable
}}
define void @em.run.assert_bsd(ptr %text, ptr %file, i32 %line) noreturn {{
  call void @em.run.leave(i32 {KINDS["assertion"]}, i32 %line, ptr %text, ptr %file, ptr null, i64 0)
  unreachable
}}
define void @em.run.outside(ptr %what, ptr %file, i32 %line, i64 %index, i64 %extent) noreturn {{
  %index.p = inttoptr i64 %index to ptr
  call void @em.run.leave(i32 {KINDS["outside"]}, i32 %line, ptr %what, ptr %file, ptr %index.p, i64 %extent)
  unreachable
}}
define void @em.run.too_deep(i64 %bytes) noreturn {{
  call void @em.run.leave(i32 {KINDS["depth"]}, i32 0, ptr null, ptr null, ptr null, i64 %bytes)
  unreachable
}}
define void @em.run.bytes(ptr %text, ptr %file, i32 %line) noreturn {{
  call void @em.run.leave(i32 {KINDS["bytes"]}, i32 %line, ptr %text, ptr %file, ptr null, i64 0)
  unreachable
}}
define void @em.run.kept(ptr %text, ptr %file, i32 %line) noreturn {{
  call void @em.run.leave(i32 {KINDS["kept"]}, i32 %line, ptr %text, ptr %file, ptr null, i64 0)
  unreachable
}}

; Memory for the shadow of a block; leaves the call when it is more than a tape may have, or there is none.
declare noalias ptr @aligned_alloc(i64, i64)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define noalias ptr @em.run.shadow_block(i64 %align, i64 %bytes) {{
  %limit = load i64, ptr @em.run.arena_limit
  %fits = icmp ule i64 %bytes, %limit
  br i1 %fits, label %ask, label %large
large:
  call void @em.run.leave(i32 {KINDS["tape"]}, i32 0, ptr null, ptr null, ptr null, i64 %bytes)
  unreachable
ask:
  %block = call ptr @aligned_alloc(i64 %align, i64 %bytes)
  %failed = icmp eq ptr %block, null
  br i1 %failed, label %none, label %done
none:
  call void @em.run.leave(i32 {KINDS["memory"]}, i32 0, ptr null, ptr null, ptr null, i64 %bytes)
  unreachable
done:
  ret ptr %block
}}
"""

ARENA_TYPE = "%em.arena = type { ptr, ptr, ptr, ptr, ptr, i64, i64, i64, i64, i64, i64, i64 }"
ARENA_FIELDS = (
    *("current", "end", "start", "chunk", "spare", "limit", "before", "peak", "total", "chunks"),
    *("stack_limit", "stack_size"),
)
SIGNAL_STACK, TAPE_WORD, TAPE_FRAME, SLOT = 104, 112, 120, 128  # byte offsets, behind the fields of the arena
ARENA_BYTES = 192
STACK_RESERVE = 1 << 18  # bytes left below the limit, for libm, printf and other calls that recurse no further

ARENA = f"""
{ARENA_TYPE}
%em.chunk = type {{ ptr, i64, i64, ptr, ptr }}
declare ptr @calloc(i64, i64)
declare void @free(ptr)
declare i32 @posix_memalign(ptr, i64, i64)
declare i32 @madvise(ptr, i64, i32)
declare i64 @llvm.umax.i64(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)
declare i64 @pthread_self()
declare i32 @pthread_getattr_np(i64, ptr)
declare i32 @pthread_attr_getstack(ptr, ptr, ptr)
declare i32 @pthread_attr_destroy(ptr)

define ptr @em.run.arena_current() {{
  %key = load i32, ptr @em.run.arena_key
  %known = call ptr @pthread_getspecific(i32 %key)
  %new = icmp eq ptr %known, null
  br i1 %new, label %make, label %done
make:
  %arena = call ptr @calloc(i64 1, i64 {ARENA_BYTES})
  %limit = load i64, ptr @em.run.arena_limit
  %limit.p = getelementptr %em.arena, ptr %arena, i64 0, i32 5
  store i64 %limit, ptr %limit.p
  call void @em.run.find_stack(ptr %arena)
  %signals.p = getelementptr i8, ptr %arena, i64 {SIGNAL_STACK}
  call void @em.run.signal_stack(ptr %signals.p)
  %slot.p = getelementptr i8, ptr %arena, i64 {SLOT}
  %slot = call ptr @em.run.take_slot()
  store ptr %slot, ptr %slot.p
  %ignored = call i32 @pthread_setspecific(i32 %key, ptr %arena)
  ret ptr %arena
done:
  ret ptr %known
}}

; A tape that C code holds: an arena of its own, so that tapes can be given back in any order. Behind the arena's fields lie the
; frame the derivative starts from and a word that tells which request it belongs to.
define ptr @em.run.tape_new(i64 %word) {{
  %here = call ptr @em.run.arena_current()
  %tape = call ptr @calloc(i64 1, i64 {ARENA_BYTES})
  %none = icmp eq ptr %tape, null
  br i1 %none, label %exhausted, label %made
exhausted:
  call void @em.run.leave(i32 {KINDS["memory"]}, i32 0, ptr null, ptr null, ptr null, i64 {ARENA_BYTES})
  unreachable
made:
  %limit = load i64, ptr @em.run.arena_limit
  %limit.p = getelementptr %em.arena, ptr %tape, i64 0, i32 5
  store i64 %limit, ptr %limit.p
  call void @em.run.tape_enter(ptr %tape, ptr %here)
  %word.p = getelementptr i8, ptr %tape, i64 {TAPE_WORD}
  store i64 %word, ptr %word.p
  ret ptr %tape
}}

define internal void @em.run.tape_enter(ptr %tape, ptr %here) {{
  %stack.from = getelementptr %em.arena, ptr %here, i64 0, i32 {ARENA_FIELDS.index("stack_limit")}
  %stack.to = getelementptr %em.arena, ptr %tape, i64 0, i32 {ARENA_FIELDS.index("stack_limit")}
  %stack = load i64, ptr %stack.from
  store i64 %stack, ptr %stack.to
  %size.from = getelementptr %em.arena, ptr %here, i64 0, i32 {ARENA_FIELDS.index("stack_size")}
  %size.to = getelementptr %em.arena, ptr %tape, i64 0, i32 {ARENA_FIELDS.index("stack_size")}
  %size = load i64, ptr %size.from
  store i64 %size, ptr %size.to
  ret void
}}

; The frame in a tape; ends the call when it is no tape of this request. %word 0 takes the tape of any request.
define ptr @em.run.tape_open(ptr %tape, i64 %word, ptr %text, ptr %file, i32 %line) {{
  %none = icmp eq ptr %tape, null
  br i1 %none, label %wrong, label %look
look:
  %word.p = getelementptr i8, ptr %tape, i64 {TAPE_WORD}
  %found = load i64, ptr %word.p
  %same = icmp eq i64 %found, %word
  %some = icmp ne i64 %found, 0
  %any = icmp eq i64 %word, 0
  %enough = and i1 %any, %some
  %right = or i1 %same, %enough
  br i1 %right, label %open, label %wrong
wrong:
  call void @em.run.leave(i32 {KINDS["assertion"]}, i32 %line, ptr %text, ptr %file, ptr null, i64 0)
  unreachable
open:
  %here = call ptr @em.run.arena_current()
  call void @em.run.tape_enter(ptr %tape, ptr %here)
  %frame.p = getelementptr i8, ptr %tape, i64 {TAPE_FRAME}
  %frame = load ptr, ptr %frame.p
  ret ptr %frame
}}

define void @em.run.tape_close(ptr %tape) {{
  %word.p = getelementptr i8, ptr %tape, i64 {TAPE_WORD}
  store i64 0, ptr %word.p
  call void @em.run.arena_destroy(ptr %tape)
  ret void
}}

; Where this thread's stack ends. A limit of 0, where the system does not tell, stops nothing.
define internal void @em.run.find_stack(ptr %arena) {{
  %attributes = alloca [128 x i8], align 16
  %lowest.p = alloca i64
  %size.p = alloca i64
  %self = call i64 @pthread_self()
  %failed = call i32 @pthread_getattr_np(i64 %self, ptr %attributes)
  %known = icmp eq i32 %failed, 0
  br i1 %known, label %ask, label %done
ask:
  %unknown = call i32 @pthread_attr_getstack(ptr %attributes, ptr %lowest.p, ptr %size.p)
  %ignored = call i32 @pthread_attr_destroy(ptr %attributes)
  %answered = icmp eq i32 %unknown, 0
  br i1 %answered, label %note, label %done
note:
  %lowest = load i64, ptr %lowest.p
  %size = load i64, ptr %size.p
  %quarter = lshr i64 %size, 2
  %reserve = call i64 @llvm.umin.i64(i64 %quarter, i64 {STACK_RESERVE})
  %limit = add i64 %lowest, %reserve
  %arena.limit.p = getelementptr %em.arena, ptr %arena, i64 0, i32 {ARENA_FIELDS.index("stack_limit")}
  store i64 %limit, ptr %arena.limit.p
  %arena.size.p = getelementptr %em.arena, ptr %arena, i64 0, i32 {ARENA_FIELDS.index("stack_size")}
  store i64 %size, ptr %arena.size.p
  br label %done
done:
  ret void
}}

define void @em.run.arena_destroy(ptr %arena) {{
  call void @em.run.arena_unwind(ptr %arena, ptr null)
  call void @em.run.arena_trim(ptr %arena)
  %signals.p = getelementptr i8, ptr %arena, i64 {SIGNAL_STACK}
  %signals = load ptr, ptr %signals.p
  call void @em.run.signal_stack_free(ptr %signals)
  %slot.p = getelementptr i8, ptr %arena, i64 {SLOT}
  %slot = load ptr, ptr %slot.p
  call void @em.run.give_slot(ptr %slot)
  call void @free(ptr %arena)
  ret void
}}

; Gives the kept chunk back to the system. Only for an arena without blocks in use.
define void @em.run.arena_trim(ptr %arena) {{
  %spare.p = getelementptr %em.arena, ptr %arena, i64 0, i32 4
  %spare = load ptr, ptr %spare.p
  call void @free(ptr %spare)
  store ptr null, ptr %spare.p
  ret void
}}

; A block of %bytes in a chunk of its own size or larger; leaves the call when the limit or the memory is reached.
define noalias align 64 ptr @em.run.arena_grow(ptr %arena, i64 %bytes) noinline cold {{
entry:
  %end.p = getelementptr %em.arena, ptr %arena, i64 0, i32 1
  %start.p = getelementptr %em.arena, ptr %arena, i64 0, i32 2
  %chunk.p = getelementptr %em.arena, ptr %arena, i64 0, i32 3
  %spare.p = getelementptr %em.arena, ptr %arena, i64 0, i32 4
  %limit.p = getelementptr %em.arena, ptr %arena, i64 0, i32 5
  %before.p = getelementptr %em.arena, ptr %arena, i64 0, i32 6
  %chunks.p = getelementptr %em.arena, ptr %arena, i64 0, i32 9
  %current = load ptr, ptr %arena
  %start = load ptr, ptr %start.p
  %current.i = ptrtoint ptr %current to i64
  %start.i = ptrtoint ptr %start to i64
  %filled = sub i64 %current.i, %start.i
  %before = load i64, ptr %before.p
  %used = add i64 %before, %filled
  %limit = load i64, ptr %limit.p
  %left = sub i64 %limit, %used
  %beyond = icmp ugt i64 %bytes, %left
  br i1 %beyond, label %limited, label %choose
limited:
  %asked = add i64 %used, %bytes
  call void @em.run.leave(i32 {KINDS["tape"]}, i32 0, ptr null, ptr null, ptr null, i64 %asked)
  unreachable
choose:
  %padded = add i64 %bytes, 63
  %step = and i64 %padded, -64
  ; an empty arena takes one chunk for all that was ever in use: several chunks would be asked for, and touched, in each call
  %last = load ptr, ptr %chunk.p
  %empty = icmp eq ptr %last, null
  %peak.p = getelementptr %em.arena, ptr %arena, i64 0, i32 7
  %peak = load i64, ptr %peak.p
  %remembered = select i1 %empty, i64 %peak, i64 0
  %allowed = call i64 @llvm.umin.i64(i64 %remembered, i64 %left)
  %room = call i64 @llvm.umax.i64(i64 %allowed, i64 %step)
  %spare = load ptr, ptr %spare.p
  %none = icmp eq ptr %spare, null
  br i1 %none, label %make, label %look
look:
  %spare.capacity.p = getelementptr %em.chunk, ptr %spare, i64 0, i32 1
  %spare.capacity = load i64, ptr %spare.capacity.p
  %enough = icmp uge i64 %spare.capacity, %room
  br i1 %enough, label %reuse, label %discard
reuse:
  store ptr null, ptr %spare.p
  br label %enter
discard:
  call void @free(ptr %spare)
  store ptr null, ptr %spare.p
  br label %make
make:
  %double = shl i64 %used, 1
  %grown = call i64 @llvm.umax.i64(i64 %double, i64 {FIRST_CHUNK})
  %capped = call i64 @llvm.umin.i64(i64 %grown, i64 %left)
  %wanted.raw = call i64 @llvm.umax.i64(i64 %capped, i64 %room)
  %wanted.up = add i64 %wanted.raw, 63
  %wanted = and i64 %wanted.up, -64
  %whole = add i64 %wanted, {CHUNK_HEADER}
  %huge = icmp uge i64 %whole, 2097152
  %alignment = select i1 %huge, i64 2097152, i64 64
  %place = alloca ptr
  %failed = call i32 @posix_memalign(ptr %place, i64 %alignment, i64 %whole)
  %ok = icmp eq i32 %failed, 0
  br i1 %ok, label %advise, label %exhausted
exhausted:
  call void @em.run.leave(i32 {KINDS["memory"]}, i32 0, ptr null, ptr null, ptr null, i64 %whole)
  unreachable
advise:
  %fresh = load ptr, ptr %place
  %fresh.capacity.p = getelementptr %em.chunk, ptr %fresh, i64 0, i32 1
  store i64 %wanted, ptr %fresh.capacity.p
  %made = load i64, ptr %chunks.p
  %made.more = add i64 %made, 1
  store i64 %made.more, ptr %chunks.p
  br i1 %huge, label %pages, label %enter
pages:
  %advised = call i32 @madvise(ptr %fresh, i64 %whole, i32 14)
  br label %enter
enter:
  %chunk = phi ptr [ %spare, %reuse ], [ %fresh, %advise ], [ %fresh, %pages ]
  %old = load ptr, ptr %chunk.p
  %first = icmp eq ptr %old, null
  br i1 %first, label %link, label %keep
keep:
  %old.current.p = getelementptr %em.chunk, ptr %old, i64 0, i32 3
  store ptr %current, ptr %old.current.p
  %old.end.p = getelementptr %em.chunk, ptr %old, i64 0, i32 4
  %old.end = load ptr, ptr %end.p
  store ptr %old.end, ptr %old.end.p
  br label %link
link:
  store ptr %old, ptr %chunk
  %chunk.before.p = getelementptr %em.chunk, ptr %chunk, i64 0, i32 2
  store i64 %used, ptr %chunk.before.p
  store ptr %chunk, ptr %chunk.p
  store i64 %used, ptr %before.p
  %data = getelementptr i8, ptr %chunk, i64 {CHUNK_HEADER}
  store ptr %data, ptr %start.p
  %capacity.p = getelementptr %em.chunk, ptr %chunk, i64 0, i32 1
  %capacity = load i64, ptr %capacity.p
  %left.whole = and i64 %left, -64
  %left.least = call i64 @llvm.umax.i64(i64 %left.whole, i64 %step)
  %usable = call i64 @llvm.umin.i64(i64 %capacity, i64 %left.least)
  %end = getelementptr i8, ptr %data, i64 %usable
  store ptr %end, ptr %end.p
  %next = getelementptr i8, ptr %data, i64 %step
  store ptr %next, ptr %arena
  ret ptr %data
}}

; Everything allocated since `mark` was the current pointer is released; null releases all. The largest chunk is kept.
define void @em.run.arena_unwind(ptr %arena, ptr %mark) {{
entry:
  %end.p = getelementptr %em.arena, ptr %arena, i64 0, i32 1
  %start.p = getelementptr %em.arena, ptr %arena, i64 0, i32 2
  %chunk.p = getelementptr %em.arena, ptr %arena, i64 0, i32 3
  %spare.p = getelementptr %em.arena, ptr %arena, i64 0, i32 4
  %before.p = getelementptr %em.arena, ptr %arena, i64 0, i32 6
  %peak.p = getelementptr %em.arena, ptr %arena, i64 0, i32 7
  %total.p = getelementptr %em.arena, ptr %arena, i64 0, i32 8
  %mark.i = ptrtoint ptr %mark to i64
  br label %chunk
chunk:
  %current = load ptr, ptr %arena
  %start = load ptr, ptr %start.p
  %current.i = ptrtoint ptr %current to i64
  %start.i = ptrtoint ptr %start to i64
  %filled = sub i64 %current.i, %start.i
  %before = load i64, ptr %before.p
  %used = add i64 %before, %filled
  %peak = load i64, ptr %peak.p
  %higher = call i64 @llvm.umax.i64(i64 %peak, i64 %used)
  store i64 %higher, ptr %peak.p
  %offset = sub i64 %mark.i, %start.i
  %total = load i64, ptr %total.p
  %inside = icmp ule i64 %offset, %filled
  br i1 %inside, label %here, label %whole
here:
  %freed = sub i64 %filled, %offset
  %total.here = add i64 %total, %freed
  store i64 %total.here, ptr %total.p
  store ptr %mark, ptr %arena
  ret void
whole:
  %total.whole = add i64 %total, %filled
  store i64 %total.whole, ptr %total.p
  %this = load ptr, ptr %chunk.p
  %empty = icmp eq ptr %this, null
  br i1 %empty, label %done, label %pop
done:
  ret void
pop:
  %previous = load ptr, ptr %this
  store ptr %previous, ptr %chunk.p
  %spare = load ptr, ptr %spare.p
  %no.spare = icmp eq ptr %spare, null
  br i1 %no.spare, label %save, label %compare
compare:
  %spare.capacity.p = getelementptr %em.chunk, ptr %spare, i64 0, i32 1
  %spare.capacity = load i64, ptr %spare.capacity.p
  %this.capacity.p = getelementptr %em.chunk, ptr %this, i64 0, i32 1
  %this.capacity = load i64, ptr %this.capacity.p
  %larger = icmp ugt i64 %this.capacity, %spare.capacity
  br i1 %larger, label %replace, label %drop
replace:
  call void @free(ptr %spare)
  br label %save
drop:
  call void @free(ptr %this)
  br label %back
save:
  store ptr %this, ptr %spare.p
  br label %back
back:
  %none = icmp eq ptr %previous, null
  br i1 %none, label %clear, label %enter
clear:
  store ptr null, ptr %arena
  store ptr null, ptr %end.p
  store ptr null, ptr %start.p
  store i64 0, ptr %before.p
  br label %bottom
bottom:
  ret void
enter:
  %previous.before.p = getelementptr %em.chunk, ptr %previous, i64 0, i32 2
  %previous.before = load i64, ptr %previous.before.p
  store i64 %previous.before, ptr %before.p
  %previous.current.p = getelementptr %em.chunk, ptr %previous, i64 0, i32 3
  %previous.current = load ptr, ptr %previous.current.p
  store ptr %previous.current, ptr %arena
  %previous.end.p = getelementptr %em.chunk, ptr %previous, i64 0, i32 4
  %previous.end = load ptr, ptr %previous.end.p
  store ptr %previous.end, ptr %end.p
  %previous.start = getelementptr i8, ptr %previous, i64 {CHUNK_HEADER}
  store ptr %previous.start, ptr %start.p
  br label %chunk
}}
"""

EXPORTS = (
    "em.run.start",
    "em.run.frame_key",
    "em.run.arena_limit",
    "em.run.leave",
    "em.run.exit",
    "em.run.abort",
    "em.run.assert",
    "em.run.assert_bsd",
    "em.run.outside",
    "em.run.too_deep",
    "em.run.kept",
    "em.run.bytes",
    "em.run.shadow_block",
    "em.run.arena_current",
    "em.run.arena_grow",
    "em.run.arena_unwind",
    "em.run.arena_trim",
    "em.run.tape_new",
    "em.run.tape_open",
    "em.run.tape_close",
    *signal_text.exports(),
    release_text.CHECK,
    *dict.fromkeys((*raise_text.REPLACED.values(), *release_text.REPLACED.values())),
    *stop_text.exports(),
)

# The C functions that end a process or make another one, and what stands in for them in programs. (__assert is the BSD spelling.)
REPLACED = {
    "exit": "em.run.exit",
    "_exit": "em.run.exit",
    "_Exit": "em.run.exit",
    "quick_exit": "em.run.exit",
    "abort": "em.run.abort",
    "__assert_fail": "em.run.assert",
    "__assert": "em.run.assert_bsd",
    "__em_outside": "em.run.outside",  # passes/bounds.py
    "fork": "em.run.fork",
    "vfork": "em.run.fork",  # its child would share the guard's frame with its parent
    **raise_text.REPLACED,
    **release_text.REPLACED,
}

_starting = threading.Lock()


def load() -> jit.Library:
    """The runtime's own library, made once per process."""
    with _starting:
        return _library()


@cache
def _library() -> jit.Library:
    import ctypes

    from enzyme_magic.config import settings

    stops = stop_text.text(KINDS["interrupt"], KINDS["limit"], SLOT)
    text = EXITS + ARENA + signal_text.text(KINDS["signal"], code_ranges.GUARD - (1 << 64)) + stops
    text += raise_text.text(KINDS["signal"])
    stack_limit, stack_size = (ARENA_FIELDS.index(name) for name in ("stack_limit", "stack_size"))
    text += release_text.text(KINDS["release"], stack_limit, stack_size, STACK_RESERVE)
    ranges = {"em.run.code_ranges": code_ranges.address()}
    library = jit.Library.load([jit.runtime_object(text)], EXPORTS, symbols=ranges, runtime=True)
    start = ctypes.CFUNCTYPE(None, ctypes.c_int64)(library.address("em.run.start"))
    start(settings().tape_limit & -64)
    return library


def block_symbols() -> dict[str, int]:
    """What programs are linked with whose static variables may hold heap blocks between calls."""
    return blocks.symbols(load().address(release_text.CHECK))


def symbols() -> dict[str, int]:
    """What programs are linked with so that ending the process becomes an ExecutionError: C name -> address."""
    library = load()
    return {name: library.address(ours) for name, ours in REPLACED.items()}


def arena_symbols() -> dict[str, int]:
    """What derivative libraries are linked with."""
    library = load()
    arena = ("em.run.arena_grow", "em.run.arena_unwind", "em.run.arena_current", "em.run.too_deep")
    ends = ("em.run.kept", "em.run.bytes")
    names = (*arena, *ends, "em.run.shadow_block", "em.run.tape_new", "em.run.tape_open", "em.run.tape_close")
    return {name: library.address(name) for name in names}
