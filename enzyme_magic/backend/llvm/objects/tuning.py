"""For which processor code is optimized and generated: this machine's, unless a program asks for another (`Options.cpu`).

`with tuned_for("x86-64-v3"):` holds for all of LLVM's work in its block, in this thread: the pass pipelines and the code
generator ask `target()`. A level of x86-64 makes the IR that people look at the same on every machine that has it.
Invariant: code is only made for processors that this machine can stand in for. The levels and what each adds are those of the
x86-64 psABI. Does not generate code.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from enzyme_magic.backend.llvm import binding
from enzyme_magic.errors import ArgumentError

_ADDED = {
    "x86-64": "cmov cx8 fxsr mmx sse sse2",
    "x86-64-v2": "cx16 sahf popcnt sse3 sse4.1 sse4.2 ssse3",
    "x86-64-v3": "avx avx2 bmi bmi2 f16c fma lzcnt movbe xsave",
    "x86-64-v4": "avx512f avx512bw avx512cd avx512dq avx512vl",
}
LEVELS = tuple(_ADDED)
_chosen: ContextVar[str] = ContextVar("cpu", default="")


@contextmanager
def tuned_for(cpu: str) -> Iterator[None]:
    """LLVM works for `cpu`, a level of x86-64; "" is this machine. ArgumentError EM345 where it is none that can run here."""
    if cpu:
        check(cpu)
    token = _chosen.set(cpu)
    try:
        yield
    finally:
        _chosen.reset(token)


def check(cpu: str) -> None:
    """ArgumentError EM345 unless this machine can run code for `cpu`."""
    missing = lacking(cpu)
    if missing:
        raise ArgumentError(
            f"this machine ({binding.host_cpu()}) cannot run code for {cpu}: it has no {', '.join(missing)}",
            code="EM345",
            hint="leave cpu out: code is then made for this machine",
        )


def lacking(cpu: str) -> tuple[str, ...]:
    """What a level of x86-64 has and this machine has not. ArgumentError EM345 for what is no level."""
    if cpu not in LEVELS:
        raise ArgumentError(
            f"there is no cpu {cpu!r}", code="EM345", hint=f"one of {', '.join(LEVELS)}; leave it out for this machine"
        )
    if not binding.host_triple().startswith("x86_64"):
        return ("x86-64 instructions",)
    here = set(binding.host_features().split(","))
    return tuple(feature for feature in _features(cpu) if f"+{feature}" not in here)


def target() -> tuple[str, str]:
    """(cpu, features) as LLVM wants them."""
    cpu = _chosen.get()
    return (cpu, "") if cpu else (binding.host_cpu(), binding.host_features())


def chosen() -> str:
    """The level that was chosen, "" for this machine."""
    return _chosen.get()


def has(feature: str) -> bool:
    """Whether the code may use an instruction set ("fma")."""
    cpu = _chosen.get()
    return feature in _features(cpu) if cpu else f"+{feature}" in binding.host_features().split(",")


def _features(cpu: str) -> list[str]:
    levels = LEVELS[: LEVELS.index(cpu) + 1]
    return [feature for level in levels for feature in _ADDED[level].split()]
