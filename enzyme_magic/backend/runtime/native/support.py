"""The native half of the runtime: leaving C code early, as LLVM text; and the arena, whose C is in c/chunks.c and c/arena.c.

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
from enzyme_magic.backend.runtime.native import kept_objects, raise_text, release_text, signal_text, stop_text, texts

JUMP_BUFFER = 512  # bytes; glibc's jmp_buf has 200 on x86-64 and 312 on AArch64
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
declare void @em.run.arena_destroy(ptr)
declare ptr @em.run.arena_current()
declare i64 @pthread_self()

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

ARENA_FIELDS = (
    *("current", "end", "start", "chunk", "spare", "limit", "before", "peak", "total", "chunks"),
    *("stack_limit", "stack_size"),
)
SLOT = 128  # byte offset, behind the fields of the arena
ARENA_BYTES = 192
STACK_RESERVE = 1 << 18  # bytes left below the limit, for libm, printf and other calls that recurse no further

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
    text = EXITS + signal_text.text(KINDS["signal"], code_ranges.GUARD - (1 << 64)) + stops
    text += raise_text.text(KINDS["signal"])
    stack_limit, stack_size = (ARENA_FIELDS.index(name) for name in ("stack_limit", "stack_size"))
    text += release_text.text(KINDS["release"], stack_limit, stack_size, STACK_RESERVE)
    ranges = {"em.run.code_ranges": code_ranges.address()}
    objects = [kept_objects.object_of(part) for part in (text, texts.text_of("chunks"))]
    library = jit.Library.load(objects, EXPORTS, symbols=ranges, runtime=True)
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
