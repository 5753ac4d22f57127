"""Object code of a module for the CPU of this process (or `tuning`'s).

Invariant: the object may be placed anywhere and holds no state of the process, so it can be kept on disk. Constructors become
one function of a known name, because the JIT runs no constructors of object code; destructors never run. Some modules
(inline assembly, intrinsics of one processor, musttail) make LLVM's code generator end the process when it cannot do what
they ask, or the linker of the JIT when it reads what they made; those are compiled by a worker, which links them too and whose end
becomes an error here, as are those that take long. Does not optimize.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from typing import Any

from enzyme_magic.backend.llvm import binding, irtext, traps
from enzyme_magic.backend.llvm.apart import worker
from enzyme_magic.backend.llvm.objects import spacing, tuning
from enzyme_magic.errors import ToolchainError

_LARGE_DATA = 1 << 30
# Level 0 selects instructions the fast way, which takes the wrong register where the bits of a number are an address.
_LEAST_LEVEL = 1
_PROCESSORS = "aarch64|amdgcn|arm|bpf|hexagon|loongarch|mips|nvvm|ppc|r600|riscv|s390|spv|wasm|x86"
_MAY_END_THE_PROCESS = (  # each behind a word of it: most texts are searched for the words only
    ("asm", re.compile(r'\basm (?:sideeffect |alignstack |inteldialect |unwind )*"|^module asm', re.M)),
    ("@llvm.", re.compile(rf"@llvm\.(?:{_PROCESSORS})\.")),
    ("musttail", re.compile(r"\bmusttail call\b")),
    # Attributes that LLVM reports on, which ends the process or writes to its stderr, and sections whose content may not be fit.
    ('"dontcall-', re.compile(r'"dontcall-(?:error|warn)"')),
    ('"warn-stack-size"', re.compile('"warn-stack-size"')),
    (', section "', re.compile(r', section "(?!llvm\.metadata")')),
)


_CONSTRUCTORS = re.compile(r"^@llvm\.global_ctors = .*$", re.M)
_CONSTRUCTOR = re.compile(rf"\{{ i32 (\d+), ptr ({irtext.SYMBOL}),")
CONSTRUCTOR_PREFIX = "enzyme_magic.constructors."

# Names that mean C++ exceptions pass through the code. Two times: as LLVM's text holds them, and a quick look for them.
_UNWINDING = re.compile(
    r"__cxa_(?:re)?throw|_Unwind_\w+|__gxx_personality_v0|_ZSt\d+__throw_\w+|_ZNSt3__1\d+__throw_\w+"
)
_MAY_UNWIND = ("__cxa_", "_Unwind_", "__gxx_personality", "__throw_")


def compile_object(text: str, level: int = 3) -> bytes:
    """Object code of a module for this CPU; `level` 0–3 is the code generator's effort, not an optimization level.

    Raises ToolchainError EM125 where LLVM generates no code, and as `binding.parsed` does.
    """
    text = prepared(text)
    if ends := any(word in text and sign.search(text) for word, sign in _MAY_END_THE_PROCESS):
        binding.verify(text)  # errors that have a name first: a worker that has ended only has words
    if ends or worker.wanted(text):
        return worker.work("emit", text, level=level, linked=bool(ends))
    return emit(text, level, tuning.target())


def prepared(text: str) -> str:
    """A module as `emit` takes it: for this process, with its constructors as a function, a trap where C leaves undefined, and
    variables that do not touch each other."""
    return spacing.add(traps.add(_with_constructors(binding.strip_attributes(text))))


def unwinds(names: Iterable[str]) -> bool:
    """Whether code that mentions `names` throws or catches C++ exceptions. Such code is made and loaded another way."""
    return any(_UNWINDING.fullmatch(name) for name in names)


def runtime_object(text: str, level: int = 1) -> bytes:
    """Object code of this package's own functions: for this machine, whatever the program at work asks for."""
    return emit(traps.add(text), level, None)


def emit(text: str, level: int, target: tuple[str, str] | None) -> bytes:
    """As `compile_object`, in this process, whatever the module holds. target: (cpu, features), this machine without."""
    unwinding = any(word in text for word in _MAY_UNWIND) and unwinds(irtext.symbols(text))
    with binding.parsed(text) as module:
        model = "large" if unwinding or _data_size(module) >= _LARGE_DATA else "small"
        machine = binding.kept_machine(max(level, _LEAST_LEVEL), model, "static" if unwinding else "pic", target)
        try:
            return bytes(machine.emit_object(module))
        except RuntimeError as error:
            raise ToolchainError(f"LLVM generated no code: {str(error).strip()}", code="EM125") from error


def _with_constructors(text: str) -> str:
    """llvm.global_ctors as a function that calls them by priority."""
    found = _CONSTRUCTORS.search(text) if "@llvm.global_ctors" in text else None
    if found is None:
        return text
    entries = sorted(_CONSTRUCTOR.findall(found.group()), key=lambda entry: int(entry[0]))
    calls = "".join(f"  call void {function}()\n" for _, function in entries)
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    run = f'define void @"{CONSTRUCTOR_PREFIX}{digest}"() {{\n{calls}  ret void\n}}'
    return text[: found.start()] + run + text[found.end() :]


def _data_size(module: Any) -> int:
    """Bytes of static data. Small code reaches two gigabytes; beyond, the large code model is needed."""
    layout = binding.host_data()
    variables = [variable for variable in module.global_variables if not variable.is_declaration]
    return sum(layout.get_abi_size(variable.global_value_type) for variable in variables)
