"""Ending calls of C code from outside, the native half as LLVM IR: interrupts and time limits.

Invariants: a thread that calls C code through a guard has a slot, in a table that is never given back: signal handlers read it
without a lock. A call is left only in the signal handler (SIGURG, which nobody minds when it comes in vain) of the thread that
runs it, where the interrupted instruction lies in code of a program; anywhere else a timer of the thread sends the signal
again, after times that differ, so that no rhythm of the code escapes it. What is to end is told by the number of the outermost
guarded call: a request that comes late ends no other call.

How an interrupt comes here: Python's own handler of SIGINT writes to the wakeup descriptor (stops.py), and the kernel sends
SIGURG to the main thread when something is written there. So whoever puts another of Python's handlers in place changes nothing.
Where our handler stands on top of Python's, it calls that one and then does the same at once.
The call of the main thread ends, or, where it is in none, the calls of all other threads.

A limit is a time of CLOCK_MONOTONIC in the slot. A guarded call that begins after it is left at once.
"""

from __future__ import annotations

import platform

SLOTS = 4096
SLOT_BYTES = 64
FIELDS = ("tid", "frame", "calls", "request", "deadline", "expired", "timer", "chance")
SIGNAL, INTERRUPT = 23, 2  # SIGURG and SIGINT on Linux
_AGAIN = 1_000, 10  # the signal comes again after 1 to 1,000 µs: 1,000 ns, doubled up to so many times, by chance
_SYSTEM = {  # numbers of system calls: gettid, timer_create, timer_settime, timer_delete, tgkill
    "x86_64": (186, 222, 223, 226, 234),
    "aarch64": (178, 107, 110, 111, 131),
}


def exports() -> tuple[str, ...]:
    """What other libraries and Python's side look up."""
    return (
        "em.run.enter",
        "em.run.returned",
        "em.run.back",
        "em.run.slot",
        "em.run.arm",
        "em.run.reborn",
        "em.run.wake",
    )


def text(interrupt: int, limit: int, slot_at: int) -> str:
    """The whole. interrupt, limit: the numbers of records; slot_at: where an arena has its slot."""
    gettid, create, settime, delete, tgkill = _SYSTEM.get(platform.machine(), _SYSTEM["x86_64"])
    return f"""
%em.slot = type {{ i64, ptr, i64, i64, i64, i64, i64, i64 }}
@em.run.slots = internal global ptr null
@em.run.wake = global [2 x i32] [i32 -1, i32 -1] ; where interrupts are read from, and to whom they are told
declare i64 @syscall(i64, ...)
declare i32 @clock_gettime(i32, ptr)
declare i64 @read(i32, ptr, i64)
declare i64 @write(i32, ptr, i64)
declare i32 @getpid()
declare ptr @__errno_location()

define internal void @em.run.make_slots() {{
  %made = call ptr @mmap(ptr null, i64 {SLOTS * SLOT_BYTES}, i32 3, i32 34, i32 -1, i64 0)
  %number = ptrtoint ptr %made to i64
  %bad = icmp eq i64 %number, -1
  %slots = select i1 %bad, ptr null, ptr %made
  store ptr %slots, ptr @em.run.slots
  ret void
}}

; A slot for the calling thread; null when there is none left.
define ptr @em.run.take_slot() {{
entry:
  %slots = load ptr, ptr @em.run.slots
  %self = call i64 (i64, ...) @syscall(i64 {gettid})
  %none = icmp eq ptr %slots, null
  br i1 %none, label %no, label %head
head:
  %k = phi i64 [ 0, %entry ], [ %next, %step ]
  %more = icmp ult i64 %k, {SLOTS}
  br i1 %more, label %try, label %no
try:
  %slot = getelementptr %em.slot, ptr %slots, i64 %k
  %swapped = cmpxchg ptr %slot, i64 0, i64 %self acq_rel acquire, align 8
  %mine = extractvalue {{ i64, i1 }} %swapped, 1
  br i1 %mine, label %done, label %step
step:
  %next = add i64 %k, 1
  br label %head
done:
  ret ptr %slot
no:
  ret ptr null
}}

define void @em.run.give_slot(ptr %slot) {{
  %none = icmp eq ptr %slot, null
  br i1 %none, label %done, label %clear
clear:
  call void @em.run.drop_timer(ptr %slot)
  %rest = getelementptr i8, ptr %slot, i64 8
  call void @llvm.memset.p0.i64(ptr %rest, i8 0, i64 {SLOT_BYTES - 8}, i1 true)
  store atomic i64 0, ptr %slot release, align 8
  br label %done
done:
  ret void
}}

define internal void @em.run.drop_timer(ptr %slot) {{
  %timer.p = getelementptr %em.slot, ptr %slot, i64 0, i32 6
  %timer = load volatile i64, ptr %timer.p
  %none = icmp eq i64 %timer, 0
  br i1 %none, label %done, label %drop
drop:
  store volatile i64 0, ptr %timer.p
  %id = sub i64 %timer, 1
  %deleted = call i64 (i64, ...) @syscall(i64 {delete}, i64 %id)
  br label %done
done:
  ret void
}}

; The slot of the calling thread, or null.
define ptr @em.run.slot() {{
  %arena = call ptr @em.run.arena_current()
  %slot.p = getelementptr i8, ptr %arena, i64 {slot_at}
  %slot = load ptr, ptr %slot.p
  ret ptr %slot
}}

; A guarded call begins. The frame is whole but for the one before it. Gives the kind of record that the call is to be left with
; at once, or 0.
define i32 @em.run.enter(ptr %arena, ptr %frame) {{
  %key = load i32, ptr @em.run.frame_key
  %previous = call ptr @pthread_getspecific(i32 %key)
  store volatile ptr %previous, ptr %frame
  %pushed = call i32 @pthread_setspecific(i32 %key, ptr %frame)
  %slot.p = getelementptr i8, ptr %arena, i64 {slot_at}
  %slot = load ptr, ptr %slot.p
  %none = icmp eq ptr %slot, null
  br i1 %none, label %go, label %note
note:
  %outermost = icmp eq ptr %previous, null
  %one = zext i1 %outermost to i64
  %calls.p = getelementptr %em.slot, ptr %slot, i64 0, i32 2
  %before = load volatile i64, ptr %calls.p
  %calls = add i64 %before, %one
  store volatile i64 %calls, ptr %calls.p
  %frame.p = getelementptr %em.slot, ptr %slot, i64 0, i32 1
  store volatile ptr %frame, ptr %frame.p
  %due = call i32 @em.run.due(ptr %slot)
  ret i32 %due
go:
  ret i32 0
}}

; The kind of record that a call which has returned is left with all the same, or 0: the signal may have cut a system call short, so
; what it returned may be another value.
define i32 @em.run.returned(ptr %arena) {{
  %slot.p = getelementptr i8, ptr %arena, i64 {slot_at}
  %slot = load ptr, ptr %slot.p
  %none = icmp eq ptr %slot, null
  br i1 %none, label %go, label %ask
ask:
  %due = call i32 @em.run.due(ptr %slot)
  ret i32 %due
go:
  ret i32 0
}}

; A guarded call is over, by either way.
define void @em.run.back(ptr %arena, ptr %frame) {{
  %previous = load volatile ptr, ptr %frame
  %slot.p = getelementptr i8, ptr %arena, i64 {slot_at}
  %slot = load ptr, ptr %slot.p
  %none = icmp eq ptr %slot, null
  br i1 %none, label %go, label %note
note:
  %frame.p = getelementptr %em.slot, ptr %slot, i64 0, i32 1
  store volatile ptr %previous, ptr %frame.p
  br label %go
go:
  %key = load i32, ptr @em.run.frame_key
  %popped = call i32 @pthread_setspecific(i32 %key, ptr %previous)
  ret void
}}

; The kind of record that the thread's calls are to be left with now, or 0.
define internal i32 @em.run.due(ptr %slot) {{
  %calls.p = getelementptr %em.slot, ptr %slot, i64 0, i32 2
  %calls = load volatile i64, ptr %calls.p
  %request.p = getelementptr %em.slot, ptr %slot, i64 0, i32 3
  %request = load volatile i64, ptr %request.p
  %expired.p = getelementptr %em.slot, ptr %slot, i64 0, i32 5
  %expired = load volatile i64, ptr %expired.p
  %late = icmp ne i64 %expired, 0
  %limited = select i1 %late, i32 {limit}, i32 0
  %same = icmp eq i64 %request, %calls
  %some = icmp ne i64 %request, 0
  %wanted = and i1 %same, %some
  %due = select i1 %wanted, i32 {interrupt}, i32 %limited
  ret i32 %due
}}

define internal i64 @em.run.now() {{
  %time = alloca [2 x i64], align 8
  store [2 x i64] zeroinitializer, ptr %time
  %failed = call i32 @clock_gettime(i32 1, ptr %time)
  %seconds = load i64, ptr %time
  %rest.p = getelementptr i64, ptr %time, i64 1
  %rest = load i64, ptr %rest.p
  %whole = mul i64 %seconds, 1000000000
  %now = add i64 %whole, %rest
  ret i64 %now
}}

; The signal will come at the time %when of CLOCK_MONOTONIC; never for 0. A timer that is not there (in a forked child) is made.
define internal void @em.run.send_at(ptr %slot, i64 %when) {{
entry:
  %timer.p = getelementptr %em.slot, ptr %slot, i64 0, i32 6
  %setting = alloca [4 x i64], align 8
  store [4 x i64] zeroinitializer, ptr %setting
  %seconds.p = getelementptr i64, ptr %setting, i64 2
  %rest.p = getelementptr i64, ptr %setting, i64 3
  %seconds = udiv i64 %when, 1000000000
  %rest = urem i64 %when, 1000000000
  store i64 %seconds, ptr %seconds.p
  store i64 %rest, ptr %rest.p
  %timer = load volatile i64, ptr %timer.p
  %none = icmp eq i64 %timer, 0
  br i1 %none, label %make, label %set
set:
  %id = sub i64 %timer, 1
  %unset = call i64 (i64, ...) @syscall(i64 {settime}, i64 %id, i64 1, ptr %setting, ptr null)
  %ok = icmp eq i64 %unset, 0
  br i1 %ok, label %done, label %make
make:
  %event = alloca [64 x i8], align 8
  call void @llvm.memset.p0.i64(ptr %event, i8 0, i64 64, i1 false)
  %number.p = getelementptr i8, ptr %event, i64 8
  store i32 {SIGNAL}, ptr %number.p
  %notify.p = getelementptr i8, ptr %event, i64 12
  store i32 4, ptr %notify.p
  %tid = load volatile i64, ptr %slot
  %tid.short = trunc i64 %tid to i32
  %tid.p = getelementptr i8, ptr %event, i64 16
  store i32 %tid.short, ptr %tid.p
  %made.p = alloca i32, align 4
  store i32 -1, ptr %made.p
  %unmade = call i64 (i64, ...) @syscall(i64 {create}, i64 1, ptr %event, ptr %made.p)
  %made = icmp eq i64 %unmade, 0
  br i1 %made, label %first, label %done
first:
  %new = load i32, ptr %made.p
  %wide = zext i32 %new to i64
  %kept = add i64 %wide, 1
  store volatile i64 %kept, ptr %timer.p
  %unset.new = call i64 (i64, ...) @syscall(i64 {settime}, i64 %wide, i64 1, ptr %setting, ptr null)
  br label %done
done:
  ret void
}}

; Set the thread's timer: soon, where %again says so, else for its deadline.
define void @em.run.arm(ptr %slot, i1 zeroext %again) {{
  br i1 %again, label %soon, label %later
soon:
  %now = call i64 @em.run.now()
  %chance.p = getelementptr %em.slot, ptr %slot, i64 0, i32 7
  %chance = load volatile i64, ptr %chance.p
  %mixed = xor i64 %chance, %now
  %times = mul i64 %mixed, 6364136223846793005
  %random = add i64 %times, 1442695040888963407
  store volatile i64 %random, ptr %chance.p
  %high = lshr i64 %random, 33
  %doubled = urem i64 %high, {_AGAIN[1]}
  %least = shl i64 {_AGAIN[0]}, %doubled
  %finer = lshr i64 %random, 20
  %part = and i64 %finer, 1023
  %share = mul i64 %least, %part
  %more = lshr i64 %share, 10
  %wait = add i64 %least, %more
  %in.a.while = add i64 %now, %wait
  call void @em.run.send_at(ptr %slot, i64 %in.a.while)
  ret void
later:
  %expired.p = getelementptr %em.slot, ptr %slot, i64 0, i32 5
  %expired = load volatile i64, ptr %expired.p
  %over = icmp ne i64 %expired, 0
  %deadline.p = getelementptr %em.slot, ptr %slot, i64 0, i32 4
  %deadline = load volatile i64, ptr %deadline.p
  %when = select i1 %over, i64 0, i64 %deadline
  %timer.p = getelementptr %em.slot, ptr %slot, i64 0, i32 6
  %timer = load volatile i64, ptr %timer.p
  %needed = or i64 %when, %timer
  %nothing = icmp eq i64 %needed, 0
  br i1 %nothing, label %done, label %set
set:
  call void @em.run.send_at(ptr %slot, i64 %when)
  br label %done
done:
  ret void
}}

; In a forked child: the other threads are not there.
define void @em.run.reborn() {{
entry:
  %mine = call ptr @em.run.slot()
  %self = call i64 (i64, ...) @syscall(i64 {gettid})
  %slots = load ptr, ptr @em.run.slots
  %none = icmp eq ptr %mine, null
  br i1 %none, label %done, label %head
head:
  %k = phi i64 [ 0, %entry ], [ %next, %step ]
  %more = icmp ult i64 %k, {SLOTS}
  br i1 %more, label %look, label %rest
look:
  %slot = getelementptr %em.slot, ptr %slots, i64 %k
  %ours = icmp eq ptr %slot, %mine
  %tid = load volatile i64, ptr %slot
  %free = icmp eq i64 %tid, 0
  %keep = or i1 %ours, %free
  br i1 %keep, label %step, label %clear
clear:
  call void @llvm.memset.p0.i64(ptr %slot, i8 0, i64 {SLOT_BYTES}, i1 true)
  br label %step
step:
  %next = add i64 %k, 1
  br label %head
rest:
  store volatile i64 %self, ptr %mine
  %timer.p = getelementptr %em.slot, ptr %mine, i64 0, i32 6
  store volatile i64 0, ptr %timer.p
  call void @em.run.arm(ptr %mine, i1 zeroext false)
  br label %done
done:
  ret void
}}

; Whether an interrupt has come since this was asked last; what Python wrote is told to who listened before. For the main thread.
define internal i1 @em.run.woken() {{
entry:
  %bytes = alloca [64 x i8], align 1
  %from = load volatile i32, ptr @em.run.wake
  %to.p = getelementptr i32, ptr @em.run.wake, i64 1
  %to = load volatile i32, ptr %to.p
  %open = icmp sge i32 %from, 0
  br i1 %open, label %more, label %no
more:
  %seen = phi i1 [ false, %entry ], [ %now, %told ]
  %count = call i64 @read(i32 %from, ptr %bytes, i64 64)
  %some = icmp sgt i64 %count, 0
  br i1 %some, label %head, label %done
head:
  %k = phi i64 [ 0, %more ], [ %next, %one ]
  %now = phi i1 [ %seen, %more ], [ %found, %one ]
  %left = icmp ult i64 %k, %count
  br i1 %left, label %one, label %tell
one:
  %byte.p = getelementptr i8, ptr %bytes, i64 %k
  %byte = load i8, ptr %byte.p
  %interrupt = icmp eq i8 %byte, 2
  %found = or i1 %now, %interrupt
  %next = add i64 %k, 1
  br label %head
tell:
  %listens = icmp sge i32 %to, 0
  br i1 %listens, label %write, label %told
write:
  %written = call i64 @write(i32 %to, ptr %bytes, i64 %count)
  br label %told
told:
  br label %more
done:
  ret i1 %seen
no:
  ret i1 false
}}

; An interrupt for every thread but this one that is in a call.
define internal void @em.run.interrupt_others(ptr %mine, i32 %process) {{
entry:
  %slots = load ptr, ptr @em.run.slots
  br label %head
head:
  %k = phi i64 [ 0, %entry ], [ %next, %step ]
  %more = icmp ult i64 %k, {SLOTS}
  br i1 %more, label %look, label %done
look:
  %slot = getelementptr %em.slot, ptr %slots, i64 %k
  %tid = load atomic i64, ptr %slot acquire, align 8
  %frame.p = getelementptr %em.slot, ptr %slot, i64 0, i32 1
  %frame = load volatile ptr, ptr %frame.p
  %ours = icmp eq ptr %slot, %mine
  %free = icmp eq i64 %tid, 0
  %idle = icmp eq ptr %frame, null
  %not.them = or i1 %ours, %free
  %skip = or i1 %not.them, %idle
  br i1 %skip, label %step, label %ask
ask:
  %calls.p = getelementptr %em.slot, ptr %slot, i64 0, i32 2
  %calls = load volatile i64, ptr %calls.p
  %request.p = getelementptr %em.slot, ptr %slot, i64 0, i32 3
  store volatile i64 %calls, ptr %request.p
  %process.wide = sext i32 %process to i64
  %sent = call i64 (i64, ...) @syscall(i64 {tgkill}, i64 %process.wide, i64 %tid, i64 {SIGNAL})
  br label %step
step:
  %next = add i64 %k, 1
  br label %head
done:
  ret void
}}

; In the signal's handler: what the thread has to do with it. Gives the kind of record its call is to be left with, or 0.
define internal i32 @em.run.stop_due(ptr %slot, i1 %told) {{
entry:
  %process = call i32 @getpid()
  %process.wide = sext i32 %process to i64
  %tid = load volatile i64, ptr %slot
  %main = icmp eq i64 %tid, %process.wide
  br i1 %main, label %look, label %clock
look:
  %written = call i1 @em.run.woken()
  %woken = or i1 %written, %told
  br i1 %woken, label %interrupted, label %clock
interrupted:
  %frame.p = getelementptr %em.slot, ptr %slot, i64 0, i32 1
  %frame = load volatile ptr, ptr %frame.p
  %idle = icmp eq ptr %frame, null
  br i1 %idle, label %others, label %mine
others:
  call void @em.run.interrupt_others(ptr %slot, i32 %process)
  br label %clock
mine:
  %calls.p = getelementptr %em.slot, ptr %slot, i64 0, i32 2
  %calls = load volatile i64, ptr %calls.p
  %request.p = getelementptr %em.slot, ptr %slot, i64 0, i32 3
  store volatile i64 %calls, ptr %request.p
  br label %clock
clock:
  %deadline.p = getelementptr %em.slot, ptr %slot, i64 0, i32 4
  %deadline = load volatile i64, ptr %deadline.p
  %limited = icmp ne i64 %deadline, 0
  br i1 %limited, label %compare, label %decide
compare:
  %now = call i64 @em.run.now()
  %late = icmp uge i64 %now, %deadline
  br i1 %late, label %expire, label %decide
expire:
  %expired.p = getelementptr %em.slot, ptr %slot, i64 0, i32 5
  store volatile i64 1, ptr %expired.p
  br label %decide
decide:
  %frame.again.p = getelementptr %em.slot, ptr %slot, i64 0, i32 1
  %frame.again = load volatile ptr, ptr %frame.again.p
  %in.call = icmp ne ptr %frame.again, null
  br i1 %in.call, label %ask, label %nothing
ask:
  %due = call i32 @em.run.due(ptr %slot)
  ret i32 %due
nothing:
  ret i32 0
}}

; The handler that was there before, where there was one.
define internal void @em.run.stop_pass(i32 %signal, ptr %info, ptr %context, ptr %old) {{
  %handler = load ptr, ptr %old
  %number = ptrtoint ptr %handler to i64
  %real = icmp ugt i64 %number, 1
  br i1 %real, label %other, label %done
other:
  call void @em.run.signal_pass(i32 %signal, ptr %info, ptr %context, ptr %old)
  br label %done
done:
  ret void
}}

; The handler of both signals. %ours: whether the interrupted instruction lies in code of a program.
define internal void @em.run.stop(i32 %signal, i1 %ours) {{
entry:
  %errno.p = call ptr @__errno_location()
  %errno = load i32, ptr %errno.p
  %arena.key = load i32, ptr @em.run.arena_key
  %arena = call ptr @pthread_getspecific(i32 %arena.key)
  %stranger = icmp eq ptr %arena, null
  br i1 %stranger, label %pass, label %known
known:
  %slot.p = getelementptr i8, ptr %arena, i64 {slot_at}
  %slot = load ptr, ptr %slot.p
  %none = icmp eq ptr %slot, null
  br i1 %none, label %pass, label %ask
ask:
  %told = icmp eq i32 %signal, {INTERRUPT}
  %due = call i32 @em.run.stop_due(ptr %slot, i1 %told)
  %nothing = icmp eq i32 %due, 0
  br i1 %nothing, label %sleep, label %where
sleep:
  call void @em.run.arm(ptr %slot, i1 zeroext false)
  br label %pass
where:
  %key = load i32, ptr @em.run.frame_key
  %frame = call ptr @pthread_getspecific(i32 %key)
  %nobody = icmp eq ptr %frame, null
  %wrong = xor i1 %ours, true
  %wait = or i1 %nobody, %wrong
  br i1 %wait, label %repeat, label %parent
parent:
  %marks.p = getelementptr %em.frame, ptr %frame, i64 0, i32 3
  %marks = load volatile i64, ptr %marks.p
  %forked = icmp ne i64 %marks, 0
  br i1 %forked, label %pass, label %leave
repeat:
  call void @em.run.arm(ptr %slot, i1 zeroext true)
  br label %pass
leave:
  %outer = load volatile ptr, ptr %frame
  %nested = icmp ne ptr %outer, null
  call void @em.run.arm(ptr %slot, i1 zeroext %nested)
  %set = alloca [16 x i64], align 8
  call void @llvm.memset.p0.i64(ptr %set, i8 0, i64 128, i1 false)
  %slot.number = zext i32 %signal to i64
  %bit = sub i64 %slot.number, 1
  %mask = shl i64 1, %bit
  store i64 %mask, ptr %set
  %unblocked = call i32 @pthread_sigmask(i32 1, ptr %set, ptr null)
  store i32 %errno, ptr %errno.p
  call void @em.run.leave(i32 %due, i32 0, ptr null, ptr null, ptr null, i64 0)
  unreachable
pass:
  store i32 %errno, ptr %errno.p
  ret void
}}
"""
