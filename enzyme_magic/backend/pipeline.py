"""The order of stages, in one place.

    sources ─ frontend ─▶ input IR ─ pre-AD ─▶ optimized IR ─ statics made reachable ─▶ the Program's own library
                                                    │
                                                    └─ analyses, autodiff ─▶ gradient IR ─ post-AD ─▶ a library of its own

Invariant: a CompiledProgram and a CompiledDerivative are complete and never change, except that expensive parts (the
parsed module, loaded libraries) are made when first asked for, under a lock. What a later session needs is kept in
the artifact store: a cell that was compiled once is loaded, not compiled.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace

from enzyme_magic import progress
from enzyme_magic.backend import lines, undisturbed
from enzyme_magic.backend.analysis.derivatives.cache_plan import CHECKPOINT, Caching
from enzyme_magic.backend.autodiff.calls.request import REQUEST_PREFIX, STATIC_PREFIX, Request
from enzyme_magic.backend.frontend.c_types import Signature
from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.backend.llvm.objects import jit, tuning
from enzyme_magic.backend.llvm.objects.elsewhere import Elsewhere, Image, refused
from enzyme_magic.backend.native import Entry
from enzyme_magic.backend.program.program_module import ProgramModule
from enzyme_magic.backend.store import persist, state
from enzyme_magic.backend.store.artifacts import ArtifactStore
from enzyme_magic.backend.store.persist import DerivativeRecord, Primal, ProgramRecord
from enzyme_magic.backend.store.state import State
from enzyme_magic.config import Options, Settings
from enzyme_magic.errors import Diagnostic, DifferentiationError, ToolchainError


@dataclass(slots=True)
class Clock:
    """Milliseconds per stage, in order."""

    stages: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            with progress.part(name), undisturbed.uncollected():
                yield
        finally:
            self.stages[name] = self.stages.get(name, 0.0) + (time.perf_counter() - start) * 1e3


@dataclass(slots=True, eq=False, repr=False)
class CompiledDerivative:
    """A derivative, loaded. Holding it keeps its code alive, and the program's."""

    request: Request
    record: DerivativeRecord
    library: jit.Library
    timings: dict[str, float]
    from_disk: bool

    @property
    def entry(self) -> Entry:
        return self.record.entry

    @property
    def gradient_ir(self) -> str:
        return self.record.gradient_ir

    @property
    def gradient_optimized_ir(self) -> str:
        return self.record.gradient_optimized_ir

    @property
    def address(self) -> int:
        return self.library.address(self.entry.symbol)


@dataclass(slots=True, eq=False, repr=False, weakref_slot=True)
class CompiledProgram:
    """One or several C sources, compiled together."""

    name: str
    sources: tuple[Source, ...]
    options: Options
    settings: Settings
    key: str
    record: ProgramRecord
    made: bytes | None  # its object code; None of a gradient as a function of which nobody has asked for it
    timings: dict[str, float]
    from_disk: bool
    store: ArtifactStore | None = None
    remarks: tuple[str, ...] = ()  # what is worth saying though nothing went wrong: "not kept on disk: …"
    _lock: threading.RLock = field(default_factory=threading.RLock)
    _library: jit.Library | None = None
    _module: ProgramModule | None = None
    _derivatives: dict[Request, CompiledDerivative] = field(default_factory=dict)
    force: bool = False  # nothing is taken from disk
    below: CompiledProgram | None = None  # of a gradient's program or an extension: the program it is about
    _gradients: dict[Request, CompiledProgram] = field(default_factory=dict)
    _extensions: dict[object, CompiledProgram] = field(default_factory=dict)
    carried: State = field(default_factory=State)  # from the process where it was pickled
    _marks: dict[str, bytes] = field(default_factory=dict)
    _lost: dict[str, str | None] = field(default_factory=dict)
    whole: CompiledProgram | None = None  # of a program that says more (`told`): the one whose code is called
    said: tuple[int, ...] = ()  # what it says more: parameters that are separate
    _told: dict[object, CompiledProgram] = field(default_factory=dict)
    borrows: bool = False  # the functions of its record are code of the program below
    _nested: dict[str, CompiledProgram] = field(default_factory=dict)
    beside: str = ""  # of a program whose loops are checkpointed: text of what stands beside the derivative
    verdicts: tuple[str, ...] = ()  # what was decided of each loop
    checkpointed: dict[str, int | None] = field(default_factory=dict)  # their lines, by what is called for them

    @property
    def signatures(self) -> dict[str, Signature]:
        return self.record.signatures

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        return self.record.diagnostics

    @property
    def notes(self) -> tuple[str, ...]:
        return (*self.record.notes, *self.remarks)

    def primal(self, function: str) -> Primal:
        """How to call the C function itself."""
        if self.carried.left:
            self.refuse_lost(function, self.carried)
        return self.record.primals[function]

    @property
    def code(self) -> bytes:
        """Its object code, made when it is asked for first where `made` is None: what calls a gradient has code of its own."""
        with self._lock:
            if self.made is None:
                from enzyme_magic.backend import higher

                with self.tuned(), Clock(self.timings).stage("code"):
                    self.made = higher.own_code(self)
                persist.save(self.store, self.key, self.record, self.made)
            return self.made

    @property
    def library(self) -> jit.Library:
        """The program's own code and globals."""
        if self.whole is not None:
            return self.whole.library
        with self._lock:
            if self._library is None:
                clock = Clock(self.timings)
                needs = self.below.libraries if self.below is not None else ()
                with clock.stage("load"):
                    exports = [] if self.borrows else exports_of(self.record)
                    if self.options.isolate:
                        self._library = self._elsewhere(self.code, exports, needs)
                        self._library.lines = lines.of_program(self)
                        return self._library
                    library = load_program(self.code, self.record, self.options, needs, exports)
                    library.lines = lines.of_program(self)
                    self._marks = state.marks(library, state.variables(self.code))
                    state.put(library, self.carried)
                    self._library = library
            return self._library

    def _elsewhere(self, code: bytes, exports: Sequence[str], needs: tuple[jit.Library, ...]) -> Elsewhere:
        """Code that a worker process loads."""
        options = self.options
        image = Image(code, tuple(exports), options.link, options.library_path, self.record.keeps_blocks)
        written = {name: frozenset(primal.written) for name, primal in self.record.primals.items()}
        return Elsewhere(image, self.name, written, needs)

    def require_here(self) -> None:
        """ToolchainError EM151 where the program runs in a worker process."""
        if self.options.isolate:
            raise refused(self.name)

    def state(self) -> State:
        """What its variables hold that they did not when the program was loaded first.

        ToolchainError EM151 where a worker has them."""
        with self._lock:
            if self._library is None:
                return self.carried
            self.require_here()
            found = state.taken(self._library, state.variables(self.code), self._marks)
            return replace(found, left=(*found.left, *self.carried.left))

    def refuse_lost(self, function: str, held: State) -> None:
        """ToolchainError EM107 where a function needs a variable that stays in the process that filled it."""
        if function not in self._lost:
            self._lost[function] = state.lost_to(self.module.module, function, held.left)
        variable = self._lost[function]
        if variable is not None:
            raise ToolchainError(
                f"{function} uses {variable.removeprefix(STATIC_PREFIX)}, which holds addresses of the process that filled it:"
                " it works in that process only",
                code="EM107",
                hint="keep numbers in arrays of fixed size, or let the function fill the variable itself",
            )

    @property
    def libraries(self) -> tuple[jit.Library, ...]:
        """Its library, and those of the programs below."""
        return (self.library, *(self.below.libraries if self.below is not None else ()))

    @property
    def module(self) -> ProgramModule:
        """The optimized program as our own IR, with its analyses."""
        with self._lock:
            if self._module is None:
                with Clock(self.timings).stage("parse"):
                    self._module = ProgramModule.of(self.record.optimized_ir, self.sources)
            return self._module

    def tuned(self) -> AbstractContextManager[None]:
        """In this block LLVM works for the processor that the options name."""
        return tuning.tuned_for(self.options.cpu)

    def ir(self, stage: str, function: str) -> str:
        """The IR of stage "input" or "optimized", the function first."""
        from enzyme_magic.backend.program.stages import function_first

        text = self.record.input_ir if stage == "input" else self.record.optimized_ir
        return function_first(text, function)

    def inlinable_ir(self) -> str:
        """The program as its code is made of it, for other code to inline; the runtime's own functions are private there."""
        from enzyme_magic.backend.passes import supports

        return supports.with_own_support(self.record.optimized_ir)

    def derivative(self, request: Request) -> CompiledDerivative:
        """The derivative for `request`: known, from disk, or made now."""
        if self.whole is not None:
            return self.whole.derivative(request)
        nested = self.nested(request.function)
        if nested is not self:
            return nested.derivative(replace(request, separate=()))
        with self._lock:
            made = self._derivatives.get(request)
            if made is None:
                with progress.step(f"the derivative of {request.function}"), self.tuned():
                    made = self._derivatives[request] = self._find_or_make(request)
            return made

    def told(self, request: Request) -> CompiledProgram:
        """The program that the derivative for `request` is written from: it says which parameters are separate, its own derivatives
        can be differentiated, and its loops are checkpointed where that is asked for. The code that is called is this one's. This
        program itself where nothing is promised or asked for, or where it would be another program."""
        if request.caching.preset == CHECKPOINT and not self.beside:
            return self._checkpointed(request)
        if self.whole is not None:
            return self
        nested = self.nested(request.function)
        if nested is not self or not request.separate:
            return nested
        key = request.function, request.separate
        with self._lock:
            if key not in self._told:
                self._told[key] = self._saying(request)
            return self._told[key]

    def nested(self, function: str) -> CompiledProgram:
        """The program in which the derivatives that `function` asks for can be differentiated; often this one."""
        if self.below is not None or self.whole is not None or f"@{REQUEST_PREFIX}" not in self.record.optimized_ir:
            return self
        from enzyme_magic.backend import asking_again

        with self._lock:
            if function not in self._nested:
                again = asking_again.keeps_tape(self.record.optimized_ir, function)
                self._nested[function] = self._asking_again() if again else self
            return self._nested[function]

    def _asking_again(self) -> CompiledProgram:
        from enzyme_magic.backend import asking_again

        made = next((program for program in self._nested.values() if program is not self), None)
        if made is None:
            key = persist.part_key(self.key, self.record, "derivatives that are differentiated again")
            with self.tuned():
                made = self._above(key, lambda clock: asking_again.build(self, clock))
            made.borrows = True
        return made

    def _checkpointed(self, request: Request) -> CompiledProgram:
        from enzyme_magic.backend.checkpoints import program as checkpoints

        nested = self.nested(request.function)
        if nested is not self:
            return nested.told(replace(request, separate=()))
        request = replace(request, value=False)
        with self._lock:
            if request not in self._told:
                told = self.told(replace(request, caching=Caching()))
                with self.tuned(), Clock(self.timings).stage("checkpoints"):
                    made = checkpoints.build(told, request)
                more = told.saying_more(self, made.text, request)
                more.beside, more.checkpointed = made.beside, made.checkpointed
                more.verdicts = tuple(map(str, made.verdicts))
                self._told[request] = more
            return self._told[request]

    def _saying(self, request: Request) -> CompiledProgram:
        from enzyme_magic.backend import building

        with self.tuned(), Clock(self.timings).stage("optimize"):
            text = building.told_separate(self.record, self.sources, self.options, request)
        return self if text is None else self.saying_more(self, text, request)

    def saying_more(self, whole: CompiledProgram, text: str, request: Request) -> CompiledProgram:
        """The same with another text before differentiation; `whole` has the code."""
        return CompiledProgram(
            self.name,
            self.sources,
            self.options,
            self.settings,
            self.key,
            replace(self.record, optimized_ir=text),
            self.made,
            self.timings,
            self.from_disk,
            remarks=self.remarks,
            below=self.below,
            carried=self.carried,
            whole=whole,
            said=request.separate,
        )

    def gradient_program(self, request: Request) -> CompiledProgram:
        """The program of a gradient as a function: one function, `higher.name_of` the signature. It promises nothing."""
        from enzyme_magic.backend import higher

        request = replace(request, separate=())
        nested = self.nested(request.function)
        if nested is not self:
            return nested.gradient_program(request)
        with self._lock:
            if request not in self._gradients:
                key = persist.part_key(self.key, self.record, ("gradient as a function", request))
                with progress.step(f"the gradient of {request.function} as a function"), self.tuned():
                    self._gradients[request] = self._above(key, lambda clock: higher.build(self, request, clock))
            return self._gradients[request]

    def extended(self, source: Source, include: tuple[str, ...] = ()) -> CompiledProgram:
        """The functions of more C text that calls and differentiates this program's; globals and functions stay where they are."""
        from enzyme_magic.backend import extending

        nested = next((n for f in self.record.primals if (n := self.nested(f)) is not self), self)
        if nested is not self and "__enzyme_" in source.text:
            return nested.extended(source, include)
        with self._lock:
            made = self._extensions.get((source, include))
            if made is None:
                key = persist.part_key(self.key, self.record, ("more C", source, include))
                with self.tuned():
                    made = self._above(key, lambda clock: extending.build(self, source, include, clock))
                self._extensions[source, include] = made
            return made

    def _above(self, key: str, build: Callable[[Clock], tuple[ProgramRecord, bytes | None]]) -> CompiledProgram:
        """A program whose library uses this one's: from disk, or built now. On disk, no code is that which nobody asked for."""
        clock = Clock()
        with clock.stage("look up"):
            found = None if self.force else persist.load(self.store, key)
        if found is not None and isinstance(found[0], ProgramRecord):
            record, code = found[0], found[1] or None
        else:
            record, code = build(clock)
            with clock.stage("keep"):
                persist.save(self.store, key, record, code or b"")
        return CompiledProgram(
            self.name,
            self.sources,
            self.options,
            self.settings,
            key,
            record,
            code,
            clock.stages,
            found is not None,
            self.store,
            force=self.force,
            below=self,
        )

    def _find_or_make(self, request: Request) -> CompiledDerivative:
        from enzyme_magic.backend.store import cell_names

        clock = Clock()
        key = persist.part_key(self.key, self.record, request)
        with clock.stage("look up"):
            found = None if self.force else persist.load(self.store, key)
        if found is not None and isinstance(found[0], DerivativeRecord):
            record, code = cell_names.renamed_derivative(found[0], self.sources), found[1]
        else:
            record, code = make_derivative(self, request, clock)
            record = replace(record, names=tuple(source.name for source in self.sources))
            with clock.stage("keep"):
                persist.save(self.store, key, record, code)
        with clock.stage("load"):
            needs = self.libraries if record.needs_program or self.options.isolate else ()
            library = (
                self._elsewhere(code, [record.entry.symbol], needs)
                if self.options.isolate
                else load_derivative(code, record, needs)
            )
        library.lines = lines.of_derivative(self, request, code)
        return CompiledDerivative(request, record, library, clock.stages, found is not None)


def compile_program(
    sources: Sequence[Source], options: Options, settings: Settings, name: str, *, force: bool = False
) -> CompiledProgram:
    """Compile C sources to a program. `force` ignores what is on disk, here and for its derivatives, and replaces it."""
    from enzyme_magic.backend import building
    from enzyme_magic.backend.store import cell_names

    clock = Clock()
    store = ArtifactStore.shared(settings.cache_dir) if settings.artifacts else None
    with clock.stage("look up"):
        toolchain = building.toolchain(settings)
        keys = [persist.program_key(s, options, toolchain.version) for s in (cell_names.unnamed(sources), sources)]
        found = None if force else persist.load(store, keys[0])
        key = keys[0] if found is not None else keys[1]
        found = found if found is not None or force else persist.load(store, key)
    remark: str | None = None
    module: ProgramModule | None = None
    if found is not None and isinstance(found[0], ProgramRecord):
        record, code = cell_names.renamed(found[0], sources), found[1]
    else:
        expected = progress.estimate(source.text for source in sources) if options.language != "ir" else 0.0
        with progress.step(f"compiling {name}", expected), tuning.tuned_for(options.cpu):
            record, code, module = building.build_program(sources, options, settings, clock)
        key = keys[0] if cell_names.is_label(record, sources) else keys[1]
        with clock.stage("keep"):
            remark = persist.save(store, key, record, code)
    return CompiledProgram(
        name,
        tuple(sources),
        options,
        settings,
        key,
        record,
        code,
        clock.stages,
        found is not None,
        store,
        (remark,) if remark else (),
        _module=module,
        force=force,
    )


def make_derivative(program: CompiledProgram, request: Request, clock: Clock) -> tuple[DerivativeRecord, bytes]:
    """Write, optimize and compile a derivative."""
    from enzyme_magic.backend import deriving

    if request.function not in program.signatures:
        raise DifferentiationError(f"the program has no function {request.function}", code="EM201")
    told = program.told(request)
    return deriving.make(told.module, request, told.record, told.options, clock.stage, told.beside)


def load_program(
    code: bytes, record: ProgramRecord, options: Options, needs: tuple[jit.Library, ...], exports: Sequence[str]
) -> jit.Library:
    """Load a program's object code; what ends the process in C raises in Python."""
    from enzyme_magic.backend.runtime.native import support

    for name in options.link:
        jit.open_shared(name, options.library_path)
    symbols = {**_handlers(options), **support.symbols(), **support.arena_symbols()}
    lends = support.block_symbols() if record.keeps_blocks else {}
    return jit.Library.load([code], exports, needs=needs, symbols=symbols, lends=lends)


def exports_of(record: ProgramRecord) -> list[str]:
    """What the program's library is asked for."""
    return [primal.entry.symbol for primal in record.primals.values()]


def _handlers(options: Options) -> dict[str, int]:
    """The Python functions that a program's rules call."""
    if not any(registration.python for registration in options.custom):
        return {}
    from enzyme_magic.backend.runtime.calls import handlers

    return handlers.symbols()


def load_derivative(code: bytes, record: DerivativeRecord, needs: tuple[jit.Library, ...]) -> jit.Library:
    from enzyme_magic.backend.runtime.native import support

    symbols = {**support.symbols(), **support.arena_symbols()}
    return jit.Library.load([code], [record.entry.symbol], needs=needs, symbols=symbols)
