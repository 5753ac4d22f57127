"""Signals that C code sends to its own process, and handlers that it installs, the native half as LLVM IR.

Invariants: a call of raise, or of kill with the process itself among the receivers, does what the program's own handler says; where
it has none and the signal would end or stop the process, the call of the program ends instead, as by a fault (signal_text.py).
The handlers of signals that we catch stay ours: what a program installs for them is kept here, and called where the program itself
raises. Children that C forks are processes of their own: nothing of this holds for them.

Does not see signals that timers send, or another process.
"""

from __future__ import annotations

from enzyme_magic.backend.runtime.native import signal_text

# Signals of Linux whose default is to do nothing, and those that ask the whole process to end.
_HARMLESS = (17, 18, 23, 28)
_ENDING = (1, 3, 9, 15, 19)
_CAUGHT = (2, 4, 5, 6, 7, 8, 11, 23)

# What C calls, and what stands in for it.
REPLACED = {
    "raise": "em.run.raise",
    "kill": "em.run.kill",
    "killpg": "em.run.killpg",
    "pthread_kill": "em.run.pthread_kill",
    "sigqueue": "em.run.sigqueue",
    "signal": "em.run.handle",
    "__sysv_signal": "em.run.handle",
    "bsd_signal": "em.run.handle",
    "ssignal": "em.run.handle",
    "sigaction": "em.run.sigaction",
}


def text(signal_kind: int) -> str:
    """signal_kind: the number of a record that tells of a signal."""
    return f"""
@em.run.program_handlers = global [{signal_text.SIGNALS + 1} x ptr] zeroinitializer
@em.run.raised = internal constant [7 x i8] c"raised\\00"
declare i32 @kill(i32, i32)
declare i32 @killpg(i32, i32)
declare i32 @pthread_kill(i64, i32)
declare i32 @sigqueue(i32, i32, i64)
declare i32 @getpgrp()
declare ptr @llvm.returnaddress(i32)

; Whether this is a call from Python, in the process of Python.
define internal i1 @em.run.is_called() {{
  %key = load i32, ptr @em.run.frame_key
  %frame = call ptr @pthread_getspecific(i32 %key)
  %nobody = icmp eq ptr %frame, null
  br i1 %nobody, label %no, label %look
look:
  %marks.p = getelementptr %em.frame, ptr %frame, i64 0, i32 3
  %marks = load volatile i64, ptr %marks.p
  %forked = and i64 %marks, {signal_text.FORKED}
  %parent = icmp eq i64 %forked, 0
  ret i1 %parent
no:
  ret i1 false
}}

define internal ptr @em.run.handler_place(i32 %signal) {{
  %below = icmp slt i32 %signal, 1
  %above = icmp sgt i32 %signal, {signal_text.SIGNALS}
  %none = or i1 %below, %above
  %index = zext i32 %signal to i64
  %place = getelementptr ptr, ptr @em.run.program_handlers, i64 %index
  %given = select i1 %none, ptr null, ptr %place
  ret ptr %given
}}

{_choice("is_caught", _CAUGHT)}
{_choice("is_harmless", _HARMLESS)}
{_choice("is_ending", _ENDING)}

; raise, for a call that comes from `place`.
define internal i32 @em.run.raise_from(i32 %signal, ptr %place) {{
  %called = call i1 @em.run.is_called()
  %handler.p = call ptr @em.run.handler_place(i32 %signal)
  %known = icmp ne ptr %handler.p, null
  %ours = and i1 %called, %known
  br i1 %ours, label %look, label %real
look:
  %handler = load ptr, ptr %handler.p
  %number = ptrtoint ptr %handler to i64
  %caught = call i1 @em.run.is_caught(i32 %signal)
  switch i64 %number, label %handled [ i64 0, label %default i64 1, label %nothing ]
handled:
  br i1 %caught, label %call, label %real
call:
  call void %handler(i32 %signal, ptr null, ptr null)
  br label %nothing
default:
  %harmless = call i1 @em.run.is_harmless(i32 %signal)
  br i1 %harmless, label %nothing, label %fatal
fatal:
  %ending = call i1 @em.run.is_ending(i32 %signal)
  %surely = or i1 %ending, %caught
  br i1 %surely, label %leave, label %ask
ask:  ; a handler of Python's
  %now = alloca [{signal_text.ACTION_BYTES} x i8], align 16
  %failed = call i32 @sigaction(i32 %signal, ptr null, ptr %now)
  %installed = load i64, ptr %now
  %python = icmp ugt i64 %installed, 1
  br i1 %python, label %real, label %leave
leave:
  call void @em.run.leave(i32 {signal_kind}, i32 %signal, ptr @em.run.raised, ptr null, ptr %place, i64 0)
  unreachable
real:
  %done = call i32 @raise(i32 %signal)
  ret i32 %done
nothing:
  ret i32 0
}}

define i32 @em.run.raise(i32 %signal) noinline {{
  %place = call ptr @llvm.returnaddress(i32 0)
  %done = call i32 @em.run.raise_from(i32 %signal, ptr %place)
  ret i32 %done
}}

; Whether `kill` with this number reaches the process itself.
define internal i1 @em.run.is_self(i32 %receiver) {{
  %own = call i32 @getpid()
  %group = call i32 @getpgrp()
  %minus = sub i32 0, %group
  %is.own = icmp eq i32 %receiver, %own
  %is.group = icmp eq i32 %receiver, %minus
  %is.mine = icmp eq i32 %receiver, 0
  %is.all = icmp eq i32 %receiver, -1
  %a = or i1 %is.own, %is.group
  %b = or i1 %is.mine, %is.all
  %self = or i1 %a, %b
  ret i1 %self
}}

define i32 @em.run.kill(i32 %receiver, i32 %signal) noinline {{
  %place = call ptr @llvm.returnaddress(i32 0)
  %self = call i1 @em.run.is_self(i32 %receiver)
  %asks = icmp ne i32 %signal, 0
  %sends = and i1 %self, %asks
  br i1 %sends, label %raise, label %real
raise:
  %raised = call i32 @em.run.raise_from(i32 %signal, ptr %place)
  ret i32 %raised
real:
  %done = call i32 @kill(i32 %receiver, i32 %signal)
  ret i32 %done
}}

define i32 @em.run.killpg(i32 %group, i32 %signal) noinline {{
  %place = call ptr @llvm.returnaddress(i32 0)
  %minus = sub i32 0, %group
  %self = call i1 @em.run.is_self(i32 %minus)
  %asks = icmp ne i32 %signal, 0
  %sends = and i1 %self, %asks
  br i1 %sends, label %raise, label %real
raise:
  %raised = call i32 @em.run.raise_from(i32 %signal, ptr %place)
  ret i32 %raised
real:
  %done = call i32 @killpg(i32 %group, i32 %signal)
  ret i32 %done
}}

define i32 @em.run.sigqueue(i32 %receiver, i32 %signal, i64 %value) noinline {{
  %place = call ptr @llvm.returnaddress(i32 0)
  %self = call i1 @em.run.is_self(i32 %receiver)
  %asks = icmp ne i32 %signal, 0
  %sends = and i1 %self, %asks
  br i1 %sends, label %raise, label %real
raise:
  %raised = call i32 @em.run.raise_from(i32 %signal, ptr %place)
  ret i32 %raised
real:
  %done = call i32 @sigqueue(i32 %receiver, i32 %signal, i64 %value)
  ret i32 %done
}}

define i32 @em.run.pthread_kill(i64 %thread, i32 %signal) noinline {{
  %place = call ptr @llvm.returnaddress(i32 0)
  %own = call i64 @pthread_self()
  %self = icmp eq i64 %thread, %own
  %asks = icmp ne i32 %signal, 0
  %sends = and i1 %self, %asks
  br i1 %sends, label %raise, label %real
raise:
  %raised = call i32 @em.run.raise_from(i32 %signal, ptr %place)
  ret i32 %raised
real:
  %done = call i32 @pthread_kill(i64 %thread, i32 %signal)
  ret i32 %done
}}

; signal: the program's handler is known; it takes the place of ours only for signals that we do not catch.
define ptr @em.run.handle(i32 %signal, ptr %handler) {{
  %called = call i1 @em.run.is_called()
  %handler.p = call ptr @em.run.handler_place(i32 %signal)
  %known = icmp ne ptr %handler.p, null
  %ours = and i1 %called, %known
  br i1 %ours, label %keep, label %real
keep:
  %was = load ptr, ptr %handler.p
  store ptr %handler, ptr %handler.p
  %caught = call i1 @em.run.is_caught(i32 %signal)
  br i1 %caught, label %done, label %real
done:
  ret ptr %was
real:
  %before = call ptr @signal(i32 %signal, ptr %handler)
  ret ptr %before
}}

define i32 @em.run.sigaction(i32 %signal, ptr %action, ptr %old) {{
  %called = call i1 @em.run.is_called()
  %handler.p = call ptr @em.run.handler_place(i32 %signal)
  %known = icmp ne ptr %handler.p, null
  %ours = and i1 %called, %known
  br i1 %ours, label %keep, label %real
keep:
  %was = load ptr, ptr %handler.p
  %asks = icmp eq ptr %action, null
  br i1 %asks, label %kept, label %take
take:
  %handler = load ptr, ptr %action
  store ptr %handler, ptr %handler.p
  br label %kept
kept:
  %caught = call i1 @em.run.is_caught(i32 %signal)
  br i1 %caught, label %tell, label %real
tell:
  %untold = icmp eq ptr %old, null
  br i1 %untold, label %done, label %say
say:
  call void @llvm.memset.p0.i64(ptr %old, i8 0, i64 {signal_text.ACTION_BYTES}, i1 false)
  store ptr %was, ptr %old
  br label %done
done:
  ret i32 0
real:
  %result = call i32 @sigaction(i32 %signal, ptr %action, ptr %old)
  ret i32 %result
}}
"""


def _choice(name: str, signals: tuple[int, ...]) -> str:
    cases = " ".join(f"i32 {number}, label %yes" for number in signals)
    return f"""
define internal i1 @em.run.{name}(i32 %signal) {{
  switch i32 %signal, label %no [ {cases} ]
yes:
  ret i1 true
no:
  ret i1 false
}}
"""
