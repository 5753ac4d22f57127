"""A compiled program as text that another process can make a program of again: what pickles carry.

Invariant: the IR decides: no C compiler and no source file is needed where it is restored, and the functions are the same. Machine
code is made anew for the processor found there, after LLVM's target triple has been compared: IR is for one architecture. In
another process the program's variables start with what they held when it was pickled (state.py); in the process it comes
from, it is the program itself, as long as anybody holds that: one program has one state. The text of a program without writable
variables is the same in every process, so that a cache on disk whose keys are pickles (joblib, dask) finds what it kept.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import pickle
import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from weakref import WeakValueDictionary

from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.backend.pipeline import Clock, CompiledProgram
from enzyme_magic.backend.store import persist, serialize
from enzyme_magic.backend.store.artifacts import ArtifactStore
from enzyme_magic.backend.store.persist import ProgramRecord
from enzyme_magic.backend.store.state import State
from enzyme_magic.config import Options, Settings
from enzyme_magic.errors import ToolchainError

_DIGEST_BYTES = hashlib.sha256().digest_size
# A variable that may change, in this program or in one below it (those that LLVM knows by name are none).
_VARIABLE = re.compile(r"^@(?!\"?llvm\.)[^=]*= [^\n\"]*\bglobal\b", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Portable:
    """triple: LLVM's, of the machine the IR is for; format: of the record; home, number: the process, and the program there, where
    it has a state that tells it from another program of the same text."""

    triple: str
    format: int
    record: ProgramRecord
    home: str
    number: int
    state: State


@dataclass(slots=True)
class _Here:
    """This process, and its programs that were pickled."""

    name: str = field(default_factory=lambda: uuid.uuid4().hex)
    programs: WeakValueDictionary[int, CompiledProgram] = field(default_factory=WeakValueDictionary)
    stateless: WeakValueDictionary[str, CompiledProgram] = field(default_factory=WeakValueDictionary)


_here = _Here()
_numbers = itertools.count()


def _another_process() -> None:
    _here.name = uuid.uuid4().hex  # a fork has a copy of the state


os.register_at_fork(after_in_child=_another_process)


def dump(program: CompiledProgram) -> str:
    """The program as text, without sources and options."""
    from enzyme_magic.backend.llvm import binding

    record = replace(program.record, files=())  # headers may change: the IR is what was made of them
    if not _VARIABLE.search(record.optimized_ir):
        text = serialize.dump(Portable(binding.host_triple(), persist.FORMAT, record, "", 0, State()))
        _here.stateless[_digest(text)] = program
        return text
    number = next((n for n, known in _here.programs.items() if known is program), None)
    if number is None:
        _here.programs[number := next(_numbers)] = program
    return serialize.dump(Portable(binding.host_triple(), persist.FORMAT, record, _here.name, number, program.state()))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def sealed(text: str, sources: Sequence[Source], options: Options, name: str) -> bytes:
    """What `dump` gave, and what else `restore` takes, with a digest in front: a number in IR that was changed would be another
    program, without a word."""
    body = pickle.dumps((text, tuple(sources), options, name), protocol=4)
    return hashlib.sha256(body).digest() + body


def opened(data: bytes) -> tuple[str, tuple[Source, ...], Options, str]:
    """The arguments of `sealed`. ToolchainError EM109 where the data were changed since, or another version wrote them.

    Damage is found, not malice: a pickle can run any Python code, and this is a part of one."""
    digest, body = data[:_DIGEST_BYTES], data[_DIGEST_BYTES:]
    if hashlib.sha256(body).digest() != digest:
        raise ToolchainError(
            "this pickle of a program was changed after it was written, or another version of enzyme_magic wrote it",
            code="EM109",
            hint="compile the source again",
        )
    try:
        text, sources, options, name = pickle.loads(body)
    except Exception as error:  # classes of another version
        raise _another_version("a program") from error
    return text, sources, options, name


def restore(text: str, sources: Sequence[Source], options: Options, settings: Settings, name: str) -> CompiledProgram:
    """The program again. ToolchainError EM108 on another architecture, EM109 for text of another version of this package."""
    carried = _read(text, name)
    if carried.home == _here.name and (alive := _here.programs.get(carried.number)) is not None:
        return alive
    same = None if carried.home else _here.stateless.get(_digest(text))
    if same is not None and (same.sources, same.options) == (tuple(sources), options):
        return same
    clock = Clock()
    store = ArtifactStore.shared(settings.cache_dir) if settings.artifacts else None
    told_by = hashlib.sha256(carried.record.optimized_ir.encode()).hexdigest()
    key = persist.program_key(sources, options, f"IR {told_by}")
    with clock.stage("look up"):
        found = persist.load(store, key)
    if found is not None and isinstance(found[0], ProgramRecord):
        code = found[1]
    else:
        with clock.stage("code"):
            code = _code(carried.record, options)
        with clock.stage("keep"):
            persist.save(store, key, carried.record, code)
    return CompiledProgram(
        name,
        tuple(sources),
        options,
        settings,
        key,
        carried.record,
        code,
        clock.stages,
        found is not None,
        store,
        carried=carried.state,
    )


def _read(text: str, name: str) -> Portable:
    from enzyme_magic.backend.llvm import binding

    try:
        carried = serialize.load(text, (Portable, State, *persist.CLASSES))
    except ValueError:
        carried = None
    if not isinstance(carried, Portable) or carried.format != persist.FORMAT:
        raise _another_version(name)
    there, here = carried.triple, binding.host_triple()
    if there.split("-")[0] != here.split("-")[0]:
        raise ToolchainError(
            f"this pickle of {name} was made on {there}, and this machine is {here}",
            code="EM108",
            hint="compile the source again on this machine",
        )
    return carried


def _another_version(name: str) -> ToolchainError:
    return ToolchainError(
        f"this pickle of {name} was made by another version of enzyme_magic",
        code="EM109",
        hint="compile the source again with this version",
    )


def _code(record: ProgramRecord, options: Options) -> bytes:
    """Machine code of a text that another process wrote; LLVM does its work in a worker first."""
    from enzyme_magic.backend import building
    from enzyme_magic.backend.llvm import names
    from enzyme_magic.backend.llvm.apart import rehearsal
    from enzyme_magic.backend.llvm.objects import tuning

    with tuning.tuned_for(options.cpu):
        names.refuse(record.optimized_ir)
        rehearsal.rehearse(record.optimized_ir, options.opt, options.post_opt)
        return building.object_code(record.optimized_ir, options, record.primals)
