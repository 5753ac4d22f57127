"""The run-time library: native code that is loaded once per process, and what programs and derivatives are linked with from it.

Invariants: a thread has a chain of frames, one per guarded call in progress, and at most one arena; `em.run.leave` goes back to the
innermost frame's setjmp. The library is made of c/ends.c and c/replaces.c (leaving C code early), c/guards.c, c/signals.c,
c/raises.c, c/relays.c (handlers of the program), c/threads.c, c/descriptors.c, c/stops.c, c/releases.c and c/chunks.c (the arena).

The arena is a chain of chunks, each bump-allocated in steps of 64 bytes. `before` counts bytes in use in earlier chunks; `peak` and
`total` are brought up to date on release, so that the fast path stays short. `end` is cut short where the limit is nearer than the
chunk's end: the limit is exact at no cost.

The arena also knows the stack of its thread: `stack_limit` is the address below which recursive derivatives do not go on (the end
of the stack and a reserve for what they call), `stack_size` its size in bytes. Code on another stack must have another arena.

Python's side: exits.py, signals.py, stops.py, arena.py.
"""

from __future__ import annotations

import threading
from functools import cache

from enzyme_magic.backend.llvm import blocks
from enzyme_magic.backend.llvm.objects import code_ranges, jit
from enzyme_magic.backend.runtime.native import constants, kept_objects, texts

PARTS = (
    "ends",
    "guards",
    "signals",
    "raises",
    "relays",
    "threads",
    "replaces",
    "descriptors",
    "stops",
    "releases",
    "chunks",
)
CHECK_RELEASE = "em.run.check_release"  # (address, place in the program)

# The C functions that end a process, make another one, send signals or give memory back, and what stands in for them in programs.
# (__assert is the BSD spelling.)
REPLACED = {
    "exit": "em.run.exit",
    "_exit": "em.run.exit",
    "_Exit": "em.run.exit",
    "quick_exit": "em.run.exit",
    "pthread_exit": "em.run.thread_exit",
    "abort": "em.run.abort",
    "__assert_fail": "em.run.assert",
    "__assert": "em.run.assert_bsd",
    "__em_outside": "em.run.outside",  # passes/bounds.py
    **{
        name: f"em.run.{name}"
        for name in (
            *("err", "errx", "verr", "verrx", "error", "error_at_line", "daemon", "syscall"),
            *("execl", "execle", "execlp", "execv", "execve", "execvp", "execvpe", "fexecve"),
        )
    },
    "fork": "em.run.fork",
    "vfork": "em.run.fork",
    "raise": "em.run.raise",
    "kill": "em.run.kill",
    "killpg": "em.run.killpg",
    "pthread_kill": "em.run.pthread_kill",
    "sigqueue": "em.run.sigqueue",
    "gsignal": "em.run.raise",
    "sigset": "em.run.handle",
    **{
        name: f"em.run.{name}"
        for name in (
            *("tgkill", "pthread_sigqueue", "sighold", "sigignore", "sigaltstack"),
            *("alarm", "ualarm", "setitimer", "timer_create"),
            *("pthread_create", "pthread_join", "thrd_create", "thrd_join", "thrd_exit"),
        )
    },
    "signal": "em.run.handle",
    "__sysv_signal": "em.run.handle",
    "bsd_signal": "em.run.handle",
    "ssignal": "em.run.handle",
    "sigaction": "em.run.sigaction",
    "sigprocmask": "em.run.sigmask",
    "pthread_sigmask": "em.run.sigmask",
    "free": "em.run.free",
    "realloc": "em.run.realloc",
    "reallocarray": "em.run.reallocarray",
}

# What opens and closes descriptors and sets limits of the process. In a worker (isolation) they are C's.
_OF_THE_KERNEL = (
    *("close", "fclose", "fcloseall", "freopen", "shutdown", "dup", "dup2", "dup3", "close_range", "closefrom"),
    *("open", "openat", "creat", "socket", "socketpair", "accept", "accept4", "pipe", "pipe2", "fcntl", "fileno"),
    *("mkstemp", "mkostemp", "memfd_create", "shm_open", "eventfd", "epoll_create1", "timerfd_create"),
    *("setrlimit", "prlimit"),
)
_ALSO = {"open64": "open", "openat64": "openat", "creat64": "creat", "mkstemp64": "mkstemp", "freopen64": "freopen"}
_ALSO |= {"fcntl64": "fcntl", "setrlimit64": "setrlimit", "prlimit64": "prlimit"}
KEEPS_KERNEL = {name: f"em.run.{_ALSO.get(name, name)}" for name in (*_OF_THE_KERNEL, *_ALSO)}

# What derivatives are linked with.
_FOR_DERIVATIVES = (
    *(
        "em.run.arena_grow",
        "em.run.arena_unwind",
        "em.run.arena_current",
        "em.run.too_deep",
        "em.run.kept",
        "em.run.bytes",
        "em.run.check_block",
    ),
    *("em.run.shadow_block", "em.run.tape_new", "em.run.tape_open", "em.run.tape_close"),
)
# What guards call.
_FOR_GUARDS = (
    *("em.run.native_enters", "em.run.native_returns", "em.run.native_left", "em.run.begins"),
    *("em.run.python_enters", "em.run.python_returns", "em.run.python_left"),
)
# What c/guards.c calls of Python's C API.
_OF_PYTHON = (
    *("PyErr_CheckSignals", "PyEval_SaveThread", "PyEval_RestoreThread"),
    *("PyBytes_FromStringAndSize", "PyObject_CallFunctionObjArgs", "Py_DecRef"),
)
# What Python's side looks up.
_FOR_PYTHON = (
    *("em.run.start", "em.run.leave", "em.run.live", "em.run.forget_handlers"),
    *("em.run.slot", "em.run.arm", "em.run.reborn", "em.run.wake", "em.run.arena_trim", CHECK_RELEASE),
    *(f"em.run.signal_{k}" for k in range(constants.COPIES)),
    *(f"em.run.old_{k}" for k in range(constants.COPIES)),
)

_starting = threading.Lock()


def load() -> jit.Library:
    """The runtime's own library, made once per process."""
    with _starting:
        return _library()


@cache
def _library() -> jit.Library:
    import ctypes

    from enzyme_magic.config import settings

    objects = [kept_objects.object_of(texts.text_of(part)) for part in PARTS]
    exports = (*_FOR_PYTHON, *_FOR_GUARDS, *_FOR_DERIVATIVES, *dict.fromkeys((REPLACED | KEEPS_KERNEL).values()))
    given = {name: ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value or 0 for name in _OF_PYTHON}
    given["em.run.code_ranges"] = code_ranges.address()
    library = jit.Library.load(objects, exports, symbols=given, runtime=True)
    start = ctypes.CFUNCTYPE(None, ctypes.c_int64)(library.address("em.run.start"))
    start(settings().tape_limit & -64)
    return library


def block_symbols() -> dict[str, int]:
    """What programs are linked with whose static variables may hold heap blocks between calls."""
    return blocks.symbols(load().address(CHECK_RELEASE))


def symbols(*, alone: bool = False) -> dict[str, int]:
    """What programs are linked with so that ending the process becomes an ExecutionError: C name -> address. alone: nothing else
    lives in this process."""
    library = load()
    return {name: library.address(ours) for name, ours in (REPLACED if alone else REPLACED | KEEPS_KERNEL).items()}


def arena_symbols() -> dict[str, int]:
    """What derivative libraries are linked with."""
    library = load()
    return {name: library.address(name) for name in _FOR_DERIVATIVES}
