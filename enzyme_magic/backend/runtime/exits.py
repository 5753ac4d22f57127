"""exit, abort and failed asserts in C code as ExecutionErrors, and the kernel lives.

Invariant: a guarded call pushes one frame for its thread and pops it, whether the function returns or leaves; guarded calls nest,
and threads do not see each other's. A call that leaves gives the arena back what it had taken. Memory the C code had from malloc,
locks it held and files it had open stay as they were: they are C's.

The native half is support.py. A guard is one trampoline per type signature, made when first needed.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from enzyme_magic.backend.llvm import jit
from enzyme_magic.backend.runtime import arena, handlers, support
from enzyme_magic.errors import ExecutionError, Span

symbols = support.symbols


class Record(ctypes.Structure):
    """%em.record of support.py. kind 0: the function returned."""

    _fields_ = [
        ("kind", ctypes.c_int32),
        ("status", ctypes.c_int32),
        ("text", ctypes.c_char_p),
        ("file", ctypes.c_char_p),
        ("function", ctypes.c_char_p),
        ("bytes", ctypes.c_uint64),
    ]


def guarded(
    address: int, result: Any, parameters: Sequence[Any], result_word: str, words: Sequence[str]
) -> Callable[..., Any]:
    """The function at `address` (ctypes and LLVM types given) as a callable that raises ExecutionError when C leaves."""
    trampoline, library = _trampoline(result_word, tuple(words))
    prototype = ctypes.CFUNCTYPE(result, ctypes.POINTER(Record), ctypes.c_void_p, *parameters)
    native = prototype(trampoline)
    byref = ctypes.byref

    def call(*arguments: Any) -> Any:
        record = Record()
        mark = arena.mark()
        value = native(byref(record), address, *arguments)
        if record.kind:
            arena.release(mark)
            raise error_of(record)
        if handlers.PENDING:
            handlers.raise_pending()
        return value

    call.keep = library  # type: ignore[attr-defined]
    return call


def guard(result_word: str, words: Sequence[str]) -> tuple[int, Any]:
    """Address of the guard (record, function, arguments…) -> result for these LLVM types, and what keeps it loaded.

    For native callers. When the record's kind is not 0 afterwards, they pass it to `describe_left`.
    """
    return _trampoline(result_word, tuple(words))


@cache
def describe_left() -> Any:
    """A native function (record, mark, text, bytes): why C left, as UTF-8; the arena goes back to `mark`.

    mark: where the arena of the calling thread stood, the first word of what `em_arena_current` gives.
    """

    def describe(record: Any, mark: int | None, text: int, size: int) -> None:
        arena.current()
        arena.release(mark)
        said = str(error_of(record.contents)).encode()[: size - 1] + b"\0"
        ctypes.memmove(text, said, len(said))

    return ctypes.CFUNCTYPE(None, ctypes.POINTER(Record), ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)(describe)


def error_of(record: Record) -> ExecutionError:
    """What happened, in words."""
    kind = next(name for name, number in support.KINDS.items() if number == record.kind)
    return _ERRORS[kind](record)


def _exit(record: Record) -> ExecutionError:
    return ExecutionError(
        f"exit({record.status}) called",
        code="EM401",
        hint="return instead: a function called from Python should not exit",
    )


def _abort(record: Record) -> ExecutionError:
    return ExecutionError("abort() called", code="EM402")


def _assertion(record: Record) -> ExecutionError:
    text, file = _text(record.text), _text(record.file)
    return ExecutionError(
        f"assertion `{text}' failed at line {record.status} ({file})", code="EM403", span=Span(file, record.status)
    )


def _tape(record: Record) -> ExecutionError:
    from enzyme_magic.config import settings

    return ExecutionError(
        f"the gradient needs more than the tape limit: {record.bytes:,} bytes of {settings().tape_limit:,}",
        code="EM404",
        hint="raise ENZYME_MAGIC_TAPE_LIMIT, or differentiate a smaller problem",
    )


def _memory(record: Record) -> ExecutionError:
    return ExecutionError(f"no memory for the tape or a shadow: {record.bytes:,} bytes asked for", code="EM405")


def _depth(record: Record) -> ExecutionError:
    return ExecutionError(
        f"the recursion is too deep for the C stack of {record.bytes:,} bytes",
        code="EM406",
        hint="write the recursion as a loop, or call from a thread with a larger stack (threading.stack_size)",
    )


def _kept(record: Record) -> ExecutionError:
    file = _text(record.file)
    return ExecutionError(
        f"a pointer kept in {_text(record.text)} was stored before the gradient began, so the memory it leads to has no shadow",
        code="EM407",
        hint="store it in the call that is differentiated, or give the memory as a parameter",
        span=Span(file, record.status) if record.status else None,
    )


def _text(data: bytes | None) -> str:
    return (data or b"").decode("utf-8", "replace")


_ERRORS: dict[str, Callable[[Record], ExecutionError]] = {
    "exit": _exit,
    "abort": _abort,
    "assertion": _assertion,
    "tape": _tape,
    "memory": _memory,
    "depth": _depth,
    "kept": _kept,
}


@cache
def _trampoline(result: str, parameters: tuple[str, ...]) -> tuple[int, jit.Library]:
    """Address of the trampoline for one type signature: (record, target, arguments…) -> result."""
    home = support.load()
    text = _trampoline_text(result, parameters)
    library = jit.Library.load(
        [jit.compile_object(text, level=1)],
        ["em_guard"],
        needs=(home,),
        symbols={"em_frame_key": home.address("em_frame_key")},
    )
    return library.address("em_guard"), library


def _trampoline_text(result: str, parameters: tuple[str, ...]) -> str:
    """LLVM keeps nothing in registers across the second return of a `returns_twice` call that it may not.

    The previous frame is read back from memory there, because the register that held it may be of the first return.
    """
    typed = "".join(f", {word} %a{index}" for index, word in enumerate(parameters))
    passed = ", ".join(f"{word} %a{index}" for index, word in enumerate(parameters))
    plain = result.split()[0]
    extension = result[len(plain) :].strip()
    assign, give, give_zero = "", "ret void", "ret void"
    if plain != "void":
        zero = "null" if plain == "ptr" else "zeroinitializer"
        assign, give, give_zero = "%value = ", f"ret {plain} %value", f"ret {plain} {zero}"
    return f"""
{support.FRAME}
@em_frame_key = external global i32
declare ptr @pthread_getspecific(i32)
declare i32 @pthread_setspecific(i32, ptr)
declare i32 @_setjmp(ptr) returns_twice

define {extension} {plain} @em_guard(ptr %record, ptr %target{typed}) noinline {{
  %buffer = alloca [{support.JUMP_BUFFER} x i8], align 16
  %frame = alloca %em.frame, align 16
  %key = load i32, ptr @em_frame_key
  %previous = call ptr @pthread_getspecific(i32 %key)
  store volatile ptr %previous, ptr %frame
  %record.p = getelementptr %em.frame, ptr %frame, i64 0, i32 1
  store volatile ptr %record, ptr %record.p
  %buffer.p = getelementptr %em.frame, ptr %frame, i64 0, i32 2
  store volatile ptr %buffer, ptr %buffer.p
  %pushed = call i32 @pthread_setspecific(i32 %key, ptr %frame)
  %again = call i32 @_setjmp(ptr %buffer) returns_twice
  %first = icmp eq i32 %again, 0
  br i1 %first, label %run, label %left
run:
  {assign}call {extension} {plain} %target({passed})
  %back = load volatile ptr, ptr %frame
  %popped = call i32 @pthread_setspecific(i32 %key, ptr %back)
  {give}
left:
  %outer = load volatile ptr, ptr %frame
  %key.again = load i32, ptr @em_frame_key
  %restored = call i32 @pthread_setspecific(i32 %key.again, ptr %outer)
  {give_zero}
}}
"""
