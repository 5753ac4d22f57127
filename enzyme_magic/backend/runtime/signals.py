"""Signals in compiled C code as ExecutionErrors: what is installed, and what is said.

Invariant: our handlers stand where a program's code can first run, and whatever was there before is called for every signal that is
not ours (native/c/signals.c decides that). Where somebody installs a handler later (faulthandler.enable()), `install` puts
another copy of ours on top the next time a program is loaded; after a few copies it lets things be.

SIGURG is the one by which calls are ended from outside, and SIGINT, where Python handles it, becomes one (stops.py).

Does not handle SIGABRT: `abort()` in C code is replaced (support.py), and one inside the C library may hold its locks.
"""

from __future__ import annotations

import ctypes
import platform
import re
import signal
import threading
from functools import cache
from typing import Any

from enzyme_magic.backend.llvm.objects import code_ranges, jit
from enzyme_magic.backend.runtime.native import constants
from enzyme_magic.errors import ExecutionError, Span

_CAUGHT = tuple(
    getattr(signal, name)
    for name in ("SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGTRAP", "SIGURG", "SIGINT")
    if hasattr(signal, name)
)
_SIGINFO, _ON_STACK = 0x4, 0x08000000
_WORDS = {
    "SIGSEGV": "invalid memory access at address {address:#x}",
    "SIGBUS": "invalid memory access at address {address:#x}",
    "SIGFPE": "integer division by zero, or a quotient that does not fit",
    "SIGILL": "it came to where C leaves undefined what happens: an endless loop without effects, a null pointer that is "
    "dereferenced, __builtin_unreachable(), or an instruction this processor does not have",
    "SIGTRAP": "a breakpoint (__builtin_debugtrap)",
}
_NOWHERE = "a jump to where no code is: a function pointer, a return address or a jmp_buf was overwritten or never set"
_PREFIX = r"(?:em\.static\.)?"
_GENERATED = re.compile(rf"(?:fwd)?diffe\d*_{_PREFIX}(?P<of>\w+)")
_OWN = re.compile(_PREFIX)
_lock = threading.RLock()
_copies: dict[int, int] = {}  # by signal: how many of our handlers stand on each other
_IS_BEHIND = platform.machine() == "x86_64"  # a breakpoint of theirs is left behind it
_BESIDE_STACK = 256 << 20  # how far below its stack a function with large variables reaches


def install(library: jit.Library) -> None:
    """Put our handlers on top, where they are not."""
    if not constants.catches_signals():
        return
    with _lock:
        for number in _CAUGHT:
            _install(library, int(number))


def _install(library: jit.Library, number: int) -> None:
    act = _sigaction()
    copies = _copies.get(number, 0)
    now = (ctypes.c_char * constants.ACTION_BYTES)()
    if act(number, None, now):
        return
    handler = ctypes.c_void_p.from_buffer(now).value or 0
    if number == signal.SIGINT and handler <= signal.SIG_IGN:
        return  # nobody is to be interrupted
    if copies == constants.COPIES or handler in {library.address(f"em.run.signal_{k}") for k in range(copies)}:
        return
    at = library.address(f"em.run.old_{copies}") + number * constants.ACTION_BYTES
    ctypes.memmove(at, now, constants.ACTION_BYTES)  # before a signal can ask for it
    new = (ctypes.c_char * constants.ACTION_BYTES)()
    ctypes.c_void_p.from_buffer(new).value = library.address(f"em.run.signal_{copies}")
    ctypes.c_int.from_buffer(new, constants.ACTION_FLAGS).value = _SIGINFO | _ON_STACK
    if act(number, new, None) == 0:
        _copies[number] = copies + 1


@cache
def _sigaction() -> Any:
    function = ctypes.CDLL(None).sigaction
    function.argtypes, function.restype = [ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p], ctypes.c_int
    return function


def _where(symbol: str | None) -> str:
    """The C function behind the name of native code, as far as there is one."""
    found = _GENERATED.match(symbol or "")
    if found is not None:
        return f" in the derivative of {found['of']}"
    return f" in {_OWN.sub('', symbol, count=1)}" if symbol else ""


def _place(instruction: int) -> tuple[str, Span | None]:
    """The C function of an instruction, as the end of a sentence, and its line."""
    return _where(code_ranges.function_at(instruction)), code_ranges.line_at(instruction)


def caller(place: int) -> tuple[str, Span | None]:
    """The same of the call that comes back to an address."""
    return _place(place - 1)


def raised(number: int, place: int, *, later: bool = False) -> ExecutionError:
    """What a signal means that the program sent to its own process. place: where the call of raise or kill comes back to; later:
    that of a timer which nobody handled."""
    name = signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"
    where, span = caller(place)
    words = f"{name} raised{where}: it would have ended the kernel"
    if later:
        words = f"{name} came, of a timer set{where}, and nobody handles it: it would have ended the kernel"
    return ExecutionError(
        words, code="EM408", hint="return instead, or install a handler in the C code before (sigaction)", span=span
    )


def error(number: int, place: int, address: int, stack: tuple[int, int]) -> ExecutionError:
    """What a signal in C code means. place: the instruction, 0 of a jump to no code; address: what it touched; stack: the thread's,
    lowest and size."""
    lowest, size = stack
    name = signal.Signals(number).name
    where, span = caller(place) if place and name == "SIGTRAP" and _IS_BEHIND else _place(place)
    if name in ("SIGSEGV", "SIGBUS") and size and lowest - _BESIDE_STACK <= address < lowest + 4096:
        return ExecutionError(
            f"the C stack of {size:,} bytes is too small{where}",
            code="EM406",
            hint="make large local arrays static, or allocate them; a thread may have a larger stack (threading.stack_size)",
        )
    words = (_WORDS.get(name, "a signal") if place else _NOWHERE).format(address=address)
    return ExecutionError(
        f"{name}{where}: {words}",
        code="EM408",
        hint="the call was left where it stood: memory it wrote may be damaged, so save what matters and restart the kernel; "
        "compiled with sanitize=True, many such mistakes are named before they are made",
        span=span,
    )
