"""Signals in C code, the native half as LLVM IR: handlers, alternate stacks, and children that C code forks.

Invariants: a handler leaves a call only where the interrupted instruction lies in code that this package compiled from a program
(the table of llvm/objects/code_ranges.py), or was reached from there by a jump to nowhere, and where the thread has a guard:
then no lock of the C library is held. Every other signal goes to the handler that was there before, as if this package were
not there. A handler calls nothing but functions that may be called in one (and pthread_getspecific, which reads an array).

There are several copies of the handler, each with its own memory of what was there before: where somebody has put a handler on top
of ours, another copy goes on top of that one, and no chain is a circle. Python's side: signals.py.

em.run.fork stands in for fork and vfork: a child is marked in its guard's frame, and ends where the guarded call ends.
"""

from __future__ import annotations

import platform
import sys

from enzyme_magic.backend.runtime.native import stop_text

COPIES = 4
SIGNALS = 64
ACTION_BYTES = 152  # struct sigaction of glibc and musl on 64 bits: handler, 128 bytes of mask, flags, restorer
ACTION_FLAGS = 136
FORKED, LEAVING = 1, 2  # marks of a frame
_OTHER_MARKS = ~(FORKED | LEAVING)
_OVERWRITTEN = (
    "enzyme_magic: C code has overwritten the stack of the process, which cannot go on. "
    "Compiled with isolate=True, it ends alone.\n"
)
_STACK_BYTES = 1 << 16
# Byte offsets in ucontext_t: program counter, stack pointer (0: the return address is in a register, at the third offset).
_PLACES = {("linux", "x86_64"): (168, 160, 0), ("linux", "aarch64"): (440, 0, 424)}


def places() -> tuple[int, int, int] | None:
    """The offsets on this machine; None where signals are left as they are."""
    return _PLACES.get((sys.platform, platform.machine()))


def exports() -> tuple[str, ...]:
    """What Python's side looks up."""
    handlers = tuple(f"em.run.signal_{k}" for k in range(COPIES)) if places() else ()
    return (*handlers, *(f"em.run.old_{k}" for k in range(COPIES)), "em.run.fork", "em.run.child_ends")


def text(signal_kind: int, guard_mark: int) -> str:
    """The whole. signal_kind: the number of a record that tells of a signal; guard_mark: what addresses of guards bear."""
    known = places()
    parts = [_COMMON]
    for copy in range(COPIES):
        parts.append(f"@em.run.old_{copy} = global [{SIGNALS * ACTION_BYTES} x i8] zeroinitializer, align 16")
        parts += [_handler(copy, signal_kind, guard_mark, known)] if known else []
    return "\n".join(parts)


_COMMON = f"""
@em.run.code_ranges = external global i64
declare ptr @mmap(ptr, i64, i32, i32, i32, i64)
declare i32 @munmap(ptr, i64)
declare i32 @sigaltstack(ptr, ptr)
declare i32 @pthread_sigmask(i32, ptr, ptr)
declare i32 @sigaction(i32, ptr, ptr)
declare i32 @raise(i32)
declare i32 @fork()
declare i32 @fflush(ptr)
declare ptr @signal(i32, ptr)
@em.run.overwritten_text = internal constant [{len(_OVERWRITTEN)} x i8] c"{_OVERWRITTEN.strip()}\\0A"

; Where C code has written over the guard of its call, nothing below it is whole: the process ends, and says so.
define internal void @em.run.overwritten(i32 %signal) {{
  %said = call i64 @write(i32 2, ptr @em.run.overwritten_text, i64 {len(_OVERWRITTEN)})
  %was = call ptr @signal(i32 %signal, ptr null)
  %raised = call i32 @raise(i32 %signal)
  ret void
}}

; Whether a frame holds what a guard has written: marks that there are, and a buffer nearby.
define internal i1 @em.run.is_whole(ptr %frame) {{
  %marks.p = getelementptr %em.frame, ptr %frame, i64 0, i32 3
  %marks = load volatile i64, ptr %marks.p
  %other = and i64 %marks, {_OTHER_MARKS}
  %marked = icmp eq i64 %other, 0
  %record.p = getelementptr %em.frame, ptr %frame, i64 0, i32 1
  %record = load volatile ptr, ptr %record.p
  %recorded = icmp ne ptr %record, null
  %buffer.p = getelementptr %em.frame, ptr %frame, i64 0, i32 2
  %buffer = load volatile i64, ptr %buffer.p
  %here = ptrtoint ptr %frame to i64
  %from = sub i64 %buffer, %here
  %shifted = add i64 %from, 65536
  %near = icmp ult i64 %shifted, 131072
  %a = and i1 %marked, %recorded
  %whole = and i1 %a, %near
  ret i1 %whole
}}

; Whether an address lies in the code of a program.
define internal i1 @em.run.is_program(i64 %place) {{
entry:
  %count = load atomic i64, ptr @em.run.code_ranges acquire, align 8
  br label %head
head:
  %k = phi i64 [ 0, %entry ], [ %next, %step ]
  %more = icmp ult i64 %k, %count
  br i1 %more, label %look, label %no
look:
  %at = mul i64 %k, 2
  %start.k = add i64 %at, 2
  %end.k = add i64 %at, 3
  %start.p = getelementptr i64, ptr @em.run.code_ranges, i64 %start.k
  %end.p = getelementptr i64, ptr @em.run.code_ranges, i64 %end.k
  %start = load volatile i64, ptr %start.p
  %end = load volatile i64, ptr %end.p
  %used = icmp ne i64 %start, 0
  %above = icmp uge i64 %place, %start
  %below = icmp ult i64 %place, %end
  %inside = and i1 %above, %below
  %found = and i1 %inside, %used
  br i1 %found, label %yes, label %step
step:
  %next = add i64 %k, 1
  br label %head
yes:
  ret i1 true
no:
  ret i1 false
}}

; What the process would have done with the signal without us.
define internal void @em.run.signal_pass(i32 %signal, ptr %info, ptr %context, ptr %old) {{
  %handler = load ptr, ptr %old
  %flags.p = getelementptr i8, ptr %old, i64 {ACTION_FLAGS}
  %flags = load i32, ptr %flags.p
  %code.p = getelementptr i8, ptr %info, i64 8
  %code = load i32, ptr %code.p
  %fault = icmp sgt i32 %code, 0
  %number = ptrtoint ptr %handler to i64
  %default = icmp eq i64 %number, 0
  %ignored = icmp eq i64 %number, 1
  %fatal.ignored = and i1 %ignored, %fault
  %dies = or i1 %default, %fatal.ignored
  br i1 %dies, label %die, label %live
die:
  %was = call ptr @signal(i32 %signal, ptr null)
  %raised = call i32 @raise(i32 %signal)
  ret void
live:
  br i1 %ignored, label %done, label %call
call:
  %with.info = and i32 %flags, 4
  %three = icmp ne i32 %with.info, 0
  br i1 %three, label %call.three, label %call.one
call.three:
  call void %handler(i32 %signal, ptr %info, ptr %context)
  ret void
call.one:
  call void %handler(i32 %signal)
  ret void
done:
  ret void
}}

; The thread's alternate stack, so that a handler has room when the stack has none. One that is already there stays.
define void @em.run.signal_stack(ptr %kept) {{
  %now = alloca [24 x i8], align 8
  %failed = call i32 @sigaltstack(ptr null, ptr %now)
  %flags.p = getelementptr i8, ptr %now, i64 8
  %flags = load i32, ptr %flags.p
  %off = and i32 %flags, 2
  %none = icmp ne i32 %off, 0
  br i1 %none, label %make, label %done
make:
  %stack = call ptr @mmap(ptr null, i64 {_STACK_BYTES}, i32 3, i32 34, i32 -1, i64 0)
  %number = ptrtoint ptr %stack to i64
  %bad = icmp eq i64 %number, -1
  br i1 %bad, label %done, label %use
use:
  store ptr %stack, ptr %now
  store i32 0, ptr %flags.p
  %size.p = getelementptr i8, ptr %now, i64 16
  store i64 {_STACK_BYTES}, ptr %size.p
  %set = call i32 @sigaltstack(ptr %now, ptr null)
  store ptr %stack, ptr %kept
  br label %done
done:
  ret void
}}

define void @em.run.signal_stack_free(ptr %stack) {{
  %none = icmp eq ptr %stack, null
  br i1 %none, label %done, label %look
look:
  %now = alloca [24 x i8], align 8
  %failed = call i32 @sigaltstack(ptr null, ptr %now)
  %current = load ptr, ptr %now
  %ours = icmp eq ptr %current, %stack
  br i1 %ours, label %disable, label %free
disable:
  %flags.p = getelementptr i8, ptr %now, i64 8
  store i32 2, ptr %flags.p
  %set = call i32 @sigaltstack(ptr %now, ptr null)
  br label %free
free:
  %freed = call i32 @munmap(ptr %stack, i64 {_STACK_BYTES})
  br label %done
done:
  ret void
}}

; fork in C code: the child knows that it is one.
define i32 @em.run.fork() {{
  %pid = call i32 @fork()
  %child = icmp eq i32 %pid, 0
  br i1 %child, label %mark, label %done
mark:
  %key = load i32, ptr @em.run.frame_key
  %frame = call ptr @pthread_getspecific(i32 %key)
  %nobody = icmp eq ptr %frame, null
  br i1 %nobody, label %done, label %note
note:
  %marks.p = getelementptr %em.frame, ptr %frame, i64 0, i32 3
  store volatile i64 {FORKED}, ptr %marks.p
  br label %done
done:
  ret i32 %pid
}}

; Where a child's C code ends, the child ends, with what it printed: nothing of Python runs in it.
define void @em.run.child_ends(i32 %status) noreturn {{
  %flushed = call i32 @fflush(ptr null)
  call void @_exit(i32 %status)
  unreachable
}}

define internal void @em.run.child_aborts() noreturn {{
  %flushed = call i32 @fflush(ptr null)
  %was = call ptr @signal(i32 6, ptr null)
  call void @abort()
  unreachable
}}
"""


def _handler(copy: int, kind: int, guard_mark: int, known: tuple[int, int, int]) -> str:
    counter, stack, link = known
    caller = (
        f"""  %stack.p = getelementptr i8, ptr %context, i64 {stack}
  %stack = load ptr, ptr %stack.p
  %caller = load i64, ptr %stack"""
        if stack
        else f"""  %caller.p = getelementptr i8, ptr %context, i64 {link}
  %caller = load i64, ptr %caller.p"""
    )
    return f"""
define void @em.run.signal_{copy}(i32 %signal, ptr %info, ptr %context) {{
  %slot = zext i32 %signal to i64
  %at = mul i64 %slot, {ACTION_BYTES}
  %old = getelementptr i8, ptr @em.run.old_{copy}, i64 %at
  %asked = icmp eq i32 %signal, {stop_text.SIGNAL}
  %interrupt = icmp eq i32 %signal, {stop_text.INTERRUPT}
  %stops = or i1 %asked, %interrupt
  br i1 %stops, label %stop, label %crash
stop:
  call void @em.run.stop_pass(i32 %signal, ptr %info, ptr %context, ptr %old)
  %stopped.p = getelementptr i8, ptr %context, i64 {counter}
  %stopped = load i64, ptr %stopped.p
  %stopped.ours = call i1 @em.run.is_program(i64 %stopped)
  call void @em.run.stop(i32 %signal, i1 %stopped.ours)
  ret void
crash:
  %code.p = getelementptr i8, ptr %info, i64 8
  %code = load i32, ptr %code.p
  %fault = icmp sgt i32 %code, 0
  br i1 %fault, label %look, label %pass
look:
  %counter.p = getelementptr i8, ptr %context, i64 {counter}
  %counter = load i64, ptr %counter.p
  %address.p = getelementptr i8, ptr %info, i64 16
  %address = load i64, ptr %address.p
  %ours = call i1 @em.run.is_program(i64 %counter)
  br i1 %ours, label %guarded, label %elsewhere
elsewhere:
  %nowhere = icmp eq i64 %counter, %address
  br i1 %nowhere, label %jumped, label %pass
jumped:
{caller}
  %from.ours = call i1 @em.run.is_program(i64 %caller)
  br i1 %from.ours, label %guarded, label %last
last:  ; the program's last call is a jump: then the guard is where it would have come back to
  %marked = or i64 %caller, {guard_mark}
  %from.guard = call i1 @em.run.is_program(i64 %marked)
  br i1 %from.guard, label %guarded, label %pass
guarded:
  %place = phi i64 [ %counter, %look ], [ %caller, %jumped ], [ 0, %last ]
  %key = load i32, ptr @em.run.frame_key
  %frame = call ptr @pthread_getspecific(i32 %key)
  %nobody = icmp eq ptr %frame, null
  br i1 %nobody, label %pass, label %parent
parent:
  %marks.p = getelementptr %em.frame, ptr %frame, i64 0, i32 3
  %marks = load volatile i64, ptr %marks.p
  %whole = call i1 @em.run.is_whole(ptr %frame)
  %left.before = and i64 %marks, {LEAVING}
  %first = icmp eq i64 %left.before, 0
  %can.leave = and i1 %whole, %first
  br i1 %can.leave, label %alone, label %overwritten
overwritten:
  call void @em.run.overwritten(i32 %signal)
  ret void
alone:
  %forked = and i64 %marks, {FORKED}
  %child = icmp ne i64 %forked, 0
  br i1 %child, label %pass, label %leave
leave:
  %leaving = or i64 %marks, {LEAVING}
  store volatile i64 %leaving, ptr %marks.p
  %set = alloca [16 x i64], align 8
  call void @llvm.memset.p0.i64(ptr %set, i8 0, i64 128, i1 false)
  %bit = sub i64 %slot, 1
  %mask = shl i64 1, %bit
  store i64 %mask, ptr %set
  %unblocked = call i32 @pthread_sigmask(i32 1, ptr %set, ptr null)
  %place.p = inttoptr i64 %place to ptr
  call void @em.run.leave(i32 {kind}, i32 %signal, ptr null, ptr null, ptr %place.p, i64 %address)
  unreachable
pass:
  call void @em.run.signal_pass(i32 %signal, ptr %info, ptr %context, ptr %old)
  ret void
}}
"""
