"""The one door to LLVM: llvmlite is imported here, once, and every text enters LLVM through `parsed`.

Invariants: a text is verified before any pass or code generator sees it, because the wheel's LLVM is built with assertions
and a bad module would abort the process; each operation parses into an LLVM context of its own, so that type names never
depend on what was compiled before; every operation holds `guard`, which is also held across fork, so that a child never
inherits LLVM in the middle of something. Does not optimize and does not generate code.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from enzyme_magic.backend.llvm import irtext
from enzyme_magic.errors import InternalError, ToolchainError, UnsupportedIRError

LLVM_MAJOR = 22  # clang's textual IR is accepted by an LLVM of the same major version

guard = threading.RLock()

# The parent takes the lock before a fork and both sides give it back: the child starts with LLVM at rest.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=guard.acquire, after_in_parent=guard.release, after_in_child=guard.release)


def llvm() -> Any:
    """llvmlite.binding, initialized for the host. Raises ToolchainError EM105 (missing) or EM106 (wrong version)."""
    with guard:
        return _initialized()


@cache
def _initialized() -> Any:
    try:
        import llvmlite.binding as binding
    except ImportError as error:
        raise ToolchainError(
            f"llvmlite cannot be imported: {error}", code="EM105", hint="pip install llvmlite"
        ) from error
    check_version(tuple(binding.llvm_version_info))
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    binding.initialize_native_asmparser()
    # Cold functions (tapes that grow) stay in the section of those that call them: where a section holds local functions only,
    # nothing says where it was loaded (objects/code_ranges.py), and a fault in it would end the process.
    binding.set_option("", "-profile-guided-section-prefix=false")
    return binding


def check_version(version: tuple[int, ...]) -> None:
    """Raises ToolchainError EM106 unless `version` is of the major version that this package's clang writes."""
    if version[0] != LLVM_MAJOR:
        found = ".".join(map(str, version))
        raise ToolchainError(
            f"llvmlite brings LLVM {found}, but this package needs LLVM {LLVM_MAJOR}",
            code="EM106",
            hint="pip install 'llvmlite==0.50.*'",
        )


def llvm_version() -> tuple[int, ...]:
    """The version of the LLVM inside llvmlite, as (22, 1, 0)."""
    return tuple(llvm().llvm_version_info)


def host_triple() -> str:
    """The triple of this process, without the kernel and C library versions that clang's default carries."""
    return _host_facts()[0]


def host_cpu() -> str:
    """LLVM's name of the CPU this process runs on."""
    return _host_facts()[1]


def host_features() -> str:
    """The CPU's features, sorted, as LLVM's option string: "+avx,-avx512f,…"."""
    return _host_facts()[2]


def host_layout() -> str:
    """The data layout string of the host."""
    return _host_facts()[3]


@cache
def _host_facts() -> tuple[str, str, str, str]:
    with guard:
        binding = llvm()
        triple, cpu = binding.get_process_triple(), binding.get_host_cpu_name()
        layout = str(binding.Target.from_triple(triple).create_target_machine().target_data)
        return triple, cpu, binding.get_host_cpu_features().flatten(), layout


@cache
def host_data() -> Any:
    """llvmlite's TargetData of the host: sizes of types."""
    with guard:
        return llvm().create_target_data(host_layout())


def target_machine(
    level: int, code_model: str = "small", relocation: str = "pic", target: tuple[str, str] | None = None
) -> Any:
    """A code generator, for exactly this CPU unless `target` names (cpu, features). Position independent (or of the large model):
    libraries may lie far apart."""
    cpu, features = target or (host_cpu(), host_features())
    return (
        llvm()
        .Target.from_triple(host_triple())
        .create_target_machine(cpu=cpu, features=features, opt=level, reloc=relocation, codemodel=code_model, jit=True)
    )


@cache
def kept_machine(level: int, code_model: str, relocation: str, target: tuple[str, str] | None) -> Any:
    """The same, one for all modules, one module after the other (`guard` is held): what LLVM works out about a processor takes it
    longer than a short function does. Never closed."""
    return target_machine(level, code_model, relocation, target)


def dispose_manager(manager: Any) -> None:
    """Free a pass manager: llvmlite's own `close` finds the method of a base class that does nothing, and 30 kB to 60 kB stay."""
    from llvmlite.binding.newpassmanagers import NewPassManager

    if not manager.closed:
        NewPassManager._dispose(manager)
        manager.detach()  # so that nothing frees it again


@contextmanager
def parsed(text: str) -> Iterator[Any]:
    """The verified llvmlite module of `text`, for the time of the `with` block, with `guard` held.

    Raises UnsupportedIRError EM121 for thread-local globals, InternalError EM910 (does not parse) or EM911 (does not verify).
    """
    with guard, llvm().create_context() as context, _parse(text, context) as module:
        yield module


@contextmanager
def parsed_all(texts: tuple[str, ...]) -> Iterator[list[Any]]:
    """As `parsed`, several modules in one context (so that they can be linked)."""
    with guard, llvm().create_context() as context:
        modules: list[Any] = []
        try:
            modules.extend(_parse(text, context) for text in texts)
            yield modules
        finally:
            for module in modules:
                module.close()


def _parse(text: str, context: Any) -> Any:
    reject_thread_locals(text)
    text = irtext.for_host(text, host_triple(), host_layout())
    if "\0" in text:
        raise InternalError("LLVM IR text holds a zero byte", code="EM910")
    try:
        module = llvm().parse_assembly(text, context)
    except RuntimeError as error:
        raise InternalError(f"LLVM does not parse the IR: {str(error).strip()}", code="EM910") from error
    try:
        verify_module(module)
    except InternalError:
        module.close()
        raise
    return module


def verify_module(module: Any) -> None:
    """Raises InternalError EM911 with LLVM's words."""
    try:
        module.verify()
    except RuntimeError as error:
        raise InternalError(f"LLVM does not accept the IR: {str(error).strip()}", code="EM911") from error


def printed(module: Any) -> str:
    """The text of a module that passes have worked on, verified. (What was static counts as `dso_local` for ever: dropped.)"""
    verify_module(module)
    return irtext.without_placement(str(module))


def verify(text: str) -> None:
    """Raises as `parsed` does when `text` is no valid module for this host."""
    with parsed(text):
        pass


def canonical(text: str) -> str:
    """`text` as LLVM prints it, verified, with the host's triple: what every text goes through once before our parser."""
    with parsed(text) as module:
        return str(module)


def strip_attributes(text: str) -> str:
    """`text` without the attributes by which the front end pins a CPU, a frame layout or a visibility.

    A function's own target-cpu would beat the target machine's. Pure text: also fine for a part of a module.
    """
    return irtext.without_target_attributes(text)


def reject_thread_locals(text: str) -> None:
    """Raises UnsupportedIRError EM121: the JIT has no thread-local storage, LLVM would abort the process."""
    found = irtext.first_thread_local(text)
    if found is not None:
        name, span = found
        raise UnsupportedIRError(
            f"'{name}' is thread-local, which code compiled in memory cannot have",
            code="EM121",
            hint=f"make '{name}' an ordinary static (or pass it as a parameter)",
            span=span,
        )
