"""Object code of a module for the CPU of this process.

Invariant: the object is position independent and holds no state of the process, so it can be kept on disk. Some modules
(inline assembly, intrinsics of one processor, musttail) make LLVM's code generator end the process when it cannot do what
they ask; those are compiled in a child process, whose end becomes an error here. Does not optimize.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import Any

from enzyme_magic.backend.llvm import binding
from enzyme_magic.errors import ToolchainError

_CHILD = (
    "import json, sys; head = json.loads(sys.stdin.readline()); sys.path[:] = head['path']; "
    "from enzyme_magic.backend.llvm import codegen; sys.stdout.buffer.write(codegen.emit(sys.stdin.read(), head['level']))"
)
_CHILD_SECONDS = 120.0
_LARGE_DATA = 1 << 30
_PROCESSORS = "aarch64|amdgcn|arm|bpf|hexagon|loongarch|mips|nvvm|ppc|r600|riscv|s390|spv|wasm|x86"
_MAY_END_THE_PROCESS = re.compile(
    rf'\basm (?:sideeffect |alignstack |inteldialect |unwind )*"|^module asm|@llvm\.(?:{_PROCESSORS})\.|\bmusttail call\b',
    re.M,
)


def compile_object(text: str, level: int = 3) -> bytes:
    """Object code of a module for this CPU; `level` 0–3 is the code generator's effort, not an optimization level.

    Raises ToolchainError EM125 where LLVM generates no code, and as `binding.parsed` does.
    """
    text = binding.strip_attributes(text)
    if _MAY_END_THE_PROCESS.search(text):
        binding.verify(text)  # errors that have a name first: the child only has words
        return _emit_in_child(text, level)
    return emit(text, level)


def emit(text: str, level: int) -> bytes:
    """As `compile_object`, in this process, whatever the module holds."""
    with binding.parsed(text) as module, binding.target_machine(level, _code_model(module)) as machine:
        try:
            return bytes(machine.emit_object(module))
        except RuntimeError as error:
            raise ToolchainError(f"LLVM generated no code: {str(error).strip()}", code="EM125") from error


def _code_model(module: Any) -> str:
    """Small code reaches two gigabytes: a module with large static arrays needs the large model (the JIT knows both)."""
    layout = binding.host_data()
    size = sum(
        layout.get_abi_size(variable.global_value_type)
        for variable in module.global_variables
        if not variable.is_declaration
    )
    return "large" if size >= _LARGE_DATA else "small"


def _emit_in_child(text: str, level: int) -> bytes:
    head = json.dumps({"path": sys.path, "level": level})
    try:
        child = subprocess.run(
            [sys.executable, "-c", _CHILD],
            input=f"{head}\n{text}".encode(),
            capture_output=True,
            timeout=_CHILD_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ToolchainError(f"the code generator did not finish: {error}", code="EM125") from error
    if child.returncode:
        words = child.stderr.decode(errors="replace").strip() or f"it ended with status {child.returncode}"
        raise ToolchainError(
            f"LLVM generated no code: {words}",
            code="EM125",
            hint="inline assembly and processor intrinsics must be ones that this CPU's assembler knows",
        )
    return child.stdout
