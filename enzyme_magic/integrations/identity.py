"""What an operation is called wherever a framework may keep a name: a hash of what it computes.

Invariant: equal names compute the same; another C text, header, option, rule, output shape or version gives another name. The
program's optimized IR stands for source, headers and compiler. A program with data of its own is one more thing than its text: of
several such programs with one text in a process each has a number, the lowest that is free. Python functions count by their code
and what it refers to; one of which that cannot be told has a name of this process alone: nothing else is ever taken for it.
"""

from __future__ import annotations

import hashlib
import threading
import types
import uuid
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, WeakValueDictionary, ref

import enzyme_magic
from enzyme_magic.backend.llvm import binding
from enzyme_magic.backend.runtime.calls import handlers
from enzyme_magic.backend.store import state
from enzyme_magic.errors import ArgumentError

if TYPE_CHECKING:
    from enzyme_magic.integrations.operation import Operation

_lock = threading.Lock()
_names: WeakKeyDictionary[Operation, str] = WeakKeyDictionary()
_known: dict[str, list[ref[Operation]]] = {}  # those made last come last
_programs: dict[str, WeakValueDictionary[int, Any]] = {}


def name_of(own: Operation) -> str:
    """The name of an operation: `f.1f0c…:vj`, with the path of a derivative."""
    root = own.root
    with _lock:
        name = _names.get(root)
        if name is None:
            name = _names[root] = _name(root)
            _known[name] = [*(known for known in _known.get(name, ()) if known() is not None), ref(root)]
    return f"{name}:{own.path}"


def operation_called(name: str) -> Operation:
    """The operation of that name. ArgumentError EM606 where this process has none."""
    root, _, path = name.partition(":")
    own = None
    for known in reversed(_known.get(root, ())):  # lists are replaced, never changed
        own = known()
        if own is not None:
            break
    if own is None:
        function = root.partition(".")[0]
        raise ArgumentError(
            f"this graph calls {function} of another process or of a C text that has changed: no operation here is {root}",
            code="EM606",
            hint=f"make the operation of {function} first, of the same C text with the same options, and keep it;"
            " for another text trace or export again",
        )
    for letter in path:
        own = own.vjp if letter == "v" else own.jvp
    return own


def _name(root: Operation) -> str:
    contract = root.contract
    program = contract.function.program
    text, number = _of_program(program)
    slots = [(s.name, s.dtype.str, s.parameter, s.active, s.number) for s in (*contract.inputs, *contract.outputs)]
    told = (text, contract.name, slots, len(contract.inputs), contract.integers, sorted(contract.copied.items()))
    options = program.options
    settings = (
        options.shape,
        options.activity,
        options.post_opt,
        options.strict,
        options.cpu,
        options.link,
        options.library_path,
    )
    digest = _digest(told, settings, _told(contract.out_shape))
    return f"{contract.name}.{digest}{f'.{number}' if number else ''}"


def _of_program(program: Any) -> tuple[str, int]:
    """(hash, which of the programs of that hash)."""
    compiled = program.compiled
    text = handlers.renamed(compiled.record.optimized_ir, lambda function: _told(function))
    version = (enzyme_magic.__version__, binding.llvm_version(), binding.host_triple())
    digest = _digest(text, version)
    if not state.variables(compiled.code):
        return digest, 0
    alive = _programs.setdefault(digest, WeakValueDictionary())
    number = next((n for n, other in alive.items() if other is compiled), None)
    if number is None:
        number = next(n for n in range(len(alive) + 1) if n not in alive)
        alive[number] = compiled
    return digest, number


def _digest(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]


# Python values -------------------------------------------------------------------------------------------------------------


def _told(value: Any) -> str:
    """A text that is the same for the same value in every process."""
    try:
        return _text(value, ())
    except _Unknown:
        return _here(value) if isinstance(value, types.FunctionType) else f"{_process()}.{id(value)}"


class _Unknown(Exception):
    """A value that cannot be told."""


@cache
def _process() -> str:
    return uuid.uuid4().hex


@cache
def _here(value: Callable[..., Any]) -> str:
    """The name of a function in this process; the function is kept, so that no other gets its name."""
    return uuid.uuid4().hex


def _text(value: Any, inside: tuple[object, ...]) -> str:
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes, type(...))):
        return repr(value)
    if isinstance(value, (tuple, list)):
        return f"{type(value).__name__}({', '.join(_text(item, inside) for item in value)})"
    if isinstance(value, Mapping):
        return f"map({', '.join(f'{_text(k, inside)}: {_text(v, inside)}' for k, v in value.items())})"
    if isinstance(value, types.ModuleType):
        return f"module {value.__name__} {getattr(value, '__version__', '')}"
    if isinstance(value, types.BuiltinFunctionType) or (isinstance(value, type) and value.__module__ == "builtins"):
        return f"{value.__module__}.{value.__qualname__}"
    if isinstance(value, types.FunctionType):
        return "itself" if value in inside else _function(value, (*inside, value))
    told = getattr(value, "told", None)  # what says of itself what it is made of
    if callable(told):
        return f"{type(value).__qualname__}({_text(told(), inside)})"
    raise _Unknown


def _function(value: types.FunctionType, inside: tuple[object, ...]) -> str:
    code = value.__code__
    cells = [cell.cell_contents for cell in value.__closure__ or ()]
    builtin = vars(__import__("builtins"))
    names = {name: value.__globals__.get(name, builtin.get(name)) for name in _globals_of(code)}
    parts = (_code(code), _text(value.__defaults__, inside), _text(value.__kwdefaults__, inside))
    return f"function({', '.join(parts)}, {_text(cells, inside)}, {_text(names, inside)})"


def _code(code: types.CodeType) -> str:
    constants = [_code(c) if isinstance(c, types.CodeType) else _text(c, ()) for c in code.co_consts]
    return f"code({code.co_code.hex()}, {constants}, {code.co_names}, {code.co_varnames}, {code.co_freevars})"


def _globals_of(code: types.CodeType) -> list[str]:
    """Global names that code may read, at any depth; names of attributes among them do no harm where no global is called so."""
    inner = [name for c in code.co_consts if isinstance(c, types.CodeType) for name in _globals_of(c)]
    return sorted({*code.co_names, *inner})
