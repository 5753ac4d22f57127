"""exit, abort, failed asserts, signals and limits in C code as ExecutionErrors, interrupts as KeyboardInterrupt.

Invariant: a guarded call pushes one frame for its thread and pops it, whether the function returns or leaves; guarded calls nest,
and threads do not see each other's. A call that leaves gives the arena back what it had taken. Memory the C code had from malloc,
locks it held and files it had open stay as they were: they are C's.

The native half is C (native/c): ends.c, replaces.c, descriptors.c, threads.c, guards.c, signals.c, raises.c, relays.c. A guard is
one trampoline per type signature, made when first needed. That of calls from Python gives the interpreter lock back and takes it
again by itself, and a call that leaves raises without a look at a record after each call: ctypes sees Python's error.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

from enzyme_magic.backend.llvm.objects import jit
from enzyme_magic.backend.native import SANITIZER_PREFIX
from enzyme_magic.backend.runtime import arena, signals, stops
from enzyme_magic.backend.runtime.calls import handlers
from enzyme_magic.backend.runtime.native import constants, guard_text, kept_objects, stubs, support
from enzyme_magic.errors import ExecutionError, Span

symbols = support.symbols
_NO_EXTENT = (1 << 64) - 1


class Record(ctypes.Structure):
    """struct record of native/c/frames.h. kind 0: the function returned."""

    _fields_ = [
        ("kind", ctypes.c_int32),
        ("status", ctypes.c_int32),
        ("text", ctypes.c_char_p),
        ("file", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("bytes", ctypes.c_uint64),
    ]


def guarded(
    address: int, result: Any, parameters: Sequence[Any], result_word: str, words: Sequence[str]
) -> Callable[..., Any]:
    """The function at `address` (ctypes and LLVM types given) as a callable that raises ExecutionError when C leaves, or what a
    Python handler raised that C called."""
    native = caught(address, result, parameters, result_word, words)

    def call(*arguments: Any) -> Any:
        try:
            value = native(*arguments)
        except BaseException:
            handlers.raise_pending()  # what came first; the call left because of it, or after it
            raise
        if handlers.PENDING:
            handlers.raise_pending()
        return value

    call.keep = native  # type: ignore[attr-defined]
    return call


def caught(
    address: int, result: Any, parameters: Sequence[Any], result_word: str, words: Sequence[str]
) -> Callable[..., Any]:
    """As `guarded`, for code that calls nothing of Python."""
    library = python_trampoline(result_word, tuple(words))
    stub = stubs.make(address, library.address("em.run.guard"))
    if stub is None:
        native = ctypes.PYFUNCTYPE(result, ctypes.c_void_p, *parameters)(library.address("em.run.guard_passed"))
        return partial(native, ctypes.c_void_p(address))
    native = ctypes.PYFUNCTYPE(result, *parameters)(stub)
    weakref.finalize(native, stubs.free, stub).atexit = False
    return native


def _construct(address: int) -> None:
    """The constructors of a program, guarded as its functions are: the program is not loaded where they end."""
    guarded(address, None, (), "void", ())()


jit.Library.construct = _construct


def _may_unload() -> bool:
    """Whether no thread that C code started can be running code of a program."""
    return bool(ctypes.c_int64.from_address(support.load().address("em.run.live")).value == 0)


def _unloaded() -> None:
    ctypes.CFUNCTYPE(None)(support.load().address("em.run.forget_handlers"))()


jit.Library.may_unload, jit.Library.unloaded = _may_unload, _unloaded


def guard(result_word: str, words: Sequence[str]) -> tuple[int, Any]:
    """Address of the guard (record, function, arguments…) -> result for these LLVM types, and what keeps it loaded.

    For native callers. When the record's kind is not 0 afterwards, they pass it to `describe_left`.
    """
    return _trampoline(result_word, tuple(words))


@cache
def describe_left() -> Any:
    """A native function (record, mark, text, bytes): why C left, as UTF-8; the arena goes back to `mark`.

    mark: where the arena of the calling thread stood, the first word of what `em.run.arena_current` gives.
    """

    def describe(record: Any, mark: int | None, text: int, size: int) -> None:
        arena.current()
        arena.release(mark)
        said = str(error_of(record.contents)).encode()[: size - 1] + b"\0"
        ctypes.memmove(text, said, len(said))

    return ctypes.CFUNCTYPE(None, ctypes.POINTER(Record), ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)(describe)


def error_of(record: Record) -> ExecutionError | KeyboardInterrupt:
    """What happened, in words."""
    number = record.kind & ~constants.ASIDE
    kind = next(name for name, known in constants.KINDS.items() if known == number)
    error = _ERRORS[kind](record)
    if isinstance(error, ExecutionError) and record.kind != number:
        said = f"a thread that the C code started ended: {error.message}"
        return ExecutionError(said, code=error.code, hint=error.hint, span=error.span)
    return error


def _exit(record: Record) -> ExecutionError:
    return ExecutionError(
        f"{_text(record.text) or f'exit({record.status})'} called",
        code="EM401",
        hint="return instead: a function called from Python should not exit",
    )


def _abort(record: Record) -> ExecutionError:
    return ExecutionError("abort() called", code="EM402")


def _assertion(record: Record) -> ExecutionError:
    text, file = _text(record.text), _text(record.file)
    if text.startswith(SANITIZER_PREFIX):
        return _undefined(text.removeprefix(SANITIZER_PREFIX), file, record.status)
    return ExecutionError(
        f"assertion `{text}' failed at line {record.status} ({file})", code="EM403", span=Span(file, record.status)
    )


def _undefined(words: str, file: str, line: int) -> ExecutionError:
    return ExecutionError(
        f"the sanitizer found {words}",
        code="EM413",
        hint="C leaves undefined what this does: correct the line",
        span=Span(file, line) if line else None,
    )


def _outside(record: Record) -> ExecutionError:
    """The function's place holds an index here, the bytes an extent."""
    index = ctypes.c_int64(record.function or 0).value
    name = _text(record.text)
    if record.bytes == _NO_EXTENT:
        return _undefined(name, _text(record.file), record.status)
    words = f"an access outside of {name or 'its object'}: index {index:,}, and it has {record.bytes:,} elements"
    return _undefined(words, _text(record.file), record.status)


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


def _bytes(record: Record) -> ExecutionError:
    file = _text(record.file)
    return ExecutionError(
        _text(record.text),
        code="EM409",
        hint="copy through pointers of the element type, and read numbers as what they were stored as",
        span=Span(file, record.status) if record.status else None,
    )


def _signal(record: Record) -> ExecutionError:
    if record.text is not None:  # native/c/raises.c
        return signals.raised(record.status, record.function or 0, later=_text(record.text) == "came")
    return signals.error(record.status, record.function or 0, record.bytes, arena.stack())


def _release(record: Record) -> ExecutionError:
    if record.text is not None:
        return _no_block(record)
    where, span = signals.caller(record.function or 0)
    what = "no address that a block can have" if record.status else "the address of a local variable"
    return ExecutionError(
        f"free or realloc{where} is given {what} ({record.bytes:#x})",
        code="EM414",
        hint="give back what malloc, calloc or realloc gave, once",
        span=span,
    )


def _no_block(record: Record) -> ExecutionError:
    """In a derivative, which knows the blocks that it has shadows of; a line below zero stands for its complement."""
    again = record.status < 0
    line = ~record.status if again else record.status
    what = "what was given back before" if again else "an address where no block begins that the derivative knows"
    return ExecutionError(
        f"{_text(record.text)} is given {what} ({record.bytes:#x})",
        code="EM414",
        hint="give back what malloc, calloc or realloc gave, once; memory of the caller is the caller's to give back",
        span=Span(_text(record.file), line) if line else None,
    )


def _kernel(record: Record) -> ExecutionError:
    """native/c/descriptors.c."""
    where, span = signals.caller(record.function or 0)
    name = _text(record.text)
    if record.status < 0:
        words, hint = f"{name}(){where} would limit the kernel, also when the call is over", "leave it out"
    else:
        words = f"{name}(){where} would close descriptor {record.status}, which the kernel has opened"
        hint = "close what the C code itself has opened; what Python opened is closed by Python (os.close)"
    return ExecutionError(
        words, code="EM415", hint=f"{hint}; compiled with isolate=True, the code has a process of its own", span=span
    )


def _interrupt(record: Record) -> KeyboardInterrupt:
    return KeyboardInterrupt("a call of C code was interrupted")


def _limit(record: Record) -> ExecutionError:
    return stops.limit_error()


def _text(data: bytes | None) -> str:
    return (data or b"").decode("utf-8", "replace")


_ERRORS: dict[str, Callable[[Record], ExecutionError | KeyboardInterrupt]] = {
    "exit": _exit,
    "abort": _abort,
    "assertion": _assertion,
    "tape": _tape,
    "memory": _memory,
    "depth": _depth,
    "kept": _kept,
    "bytes": _bytes,
    "signal": _signal,
    "interrupt": _interrupt,
    "limit": _limit,
    "outside": _outside,
    "release": _release,
    "kernel": _kernel,
}


@cache
def _trampoline(result: str, parameters: tuple[str, ...]) -> tuple[int, jit.Library]:
    """Address of the trampoline for one type signature, for native callers: (record, target, arguments…) -> result."""
    library = _loaded(guard_text.native(result, parameters), ["em.run.guard"], {})
    return library.address("em.run.guard"), library


def python_trampoline(result: str, parameters: tuple[str, ...], *, keeps_lock: bool = False) -> jit.Library:
    """The same for callers with the interpreter lock; sets Python's error. keeps_lock: for functions of which it is known that they
    neither wait nor take long. It is asked for by each function that is made callable: our handlers are on top from then on."""
    signals.install(support.load())
    stops.listen()
    return _python_trampoline(result, parameters, keeps_lock)


@cache
def _python_trampoline(result: str, parameters: tuple[str, ...], keeps_lock: bool) -> jit.Library:
    text = guard_text.of_python(result, parameters, keeps_lock=keeps_lock)
    return _loaded(text, ["em.run.guard", "em.run.guard_passed"], {"em.run.raiser": id(_raise)})


def _raise(data: bytes) -> None:
    """Called by the trampoline, which leaves: what it raises is raised by the call."""
    raise error_of(Record.from_buffer_copy(data))


def _loaded(text: str, exports: Sequence[str], symbols: dict[str, int]) -> jit.Library:
    image = kept_objects.object_of(text)
    return jit.Library.load([image], exports, needs=(support.load(),), symbols=symbols, runtime=True, guards=True)
