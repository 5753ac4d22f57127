"""From C sources to a program's IR and object code: front end, pre-AD optimization, signatures, code generation.

Requests of the C code are answered here, so that what is kept is a program without any. Invariant: the IR that is kept is
the one that is analysed, differentiated and shown; only its code has the checks of the stack. Nothing is kept of a build
that fails.

Derivatives that Python asks for are made in deriving.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from enzyme_magic.backend import unfollowed
from enzyme_magic.backend.autodiff.calls.request import STATIC_PREFIX, Request
from enzyme_magic.backend.autodiff.requests import entries
from enzyme_magic.backend.frontend import compile as frontend
from enzyme_magic.backend.frontend import ir_text
from enzyme_magic.backend.frontend.c_types import Pointer, Signature, holds_floats, innermost
from enzyme_magic.backend.frontend.clang import arguments
from enzyme_magic.backend.frontend.clang import toolchain as toolchains
from enzyme_magic.backend.frontend.entry import needs_entry
from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.backend.ir.attributes import Attribute
from enzyme_magic.backend.ir.text import parser, printer
from enzyme_magic.backend.llvm import binding, link, moduletext, names, opaque, optimize, reachable
from enzyme_magic.backend.llvm.apart import rehearsal
from enzyme_magic.backend.llvm.objects import jit
from enzyme_magic.backend.passes import (
    bounds,
    entry_calls,
    float_pairs,
    library_bodies,
    member_paths,
    primal_stack,
    registering,
    results_in_memory,
    sanitizing,
    supports,
)
from enzyme_magic.backend.prepare import each_thread, inactive_globals
from enzyme_magic.backend.program import interface, ir_signatures, statics
from enzyme_magic.backend.program.program_module import ProgramModule
from enzyme_magic.backend.program.separable import separable
from enzyme_magic.backend.rules import custom
from enzyme_magic.backend.store.persist import Primal, ProgramRecord
from enzyme_magic.config import Options, Settings
from enzyme_magic.errors import CompileError, InternalError, ToolchainError

if TYPE_CHECKING:
    from enzyme_magic.backend.pipeline import Clock


def toolchain(settings: Settings) -> toolchains.Toolchain:
    """The C compiler."""
    return toolchains.find(settings, llvm_major=binding.llvm_version()[0])


def build_program(
    sources: Sequence[Source], options: Options, settings: Settings, clock: Clock
) -> tuple[ProgramRecord, bytes, ProgramModule]:
    """Compile `sources` together: the record, the object code, and the optimized program with what is known of it. Raises
    CompileError and ToolchainError; nothing is kept of a failed build."""
    unit = compile_unit(sources, options, settings, clock)
    for ir in unit.irs:
        names.refuse(ir)
        if options.language != "ir" and (rehearsal.is_unusual(ir) or arguments.are_unusual(options, sources)):
            rehearsal.rehearse(ir, options.opt, options.post_opt)
    with clock.stage("optimize"):
        try:
            text = _whole(unit, options)
            optimized = optimized_program(text, options)
        except InternalError:
            _refuse_what_clang_broke(sources, options, settings)
            raise
    if entries.present(optimized):
        with clock.stage("requests"):
            optimized = _answered(optimized, sources, options)
    with clock.stage("parse"):
        module = ProgramModule.of(optimized, sources)
    with clock.stage("effects"):
        callable_ = {
            name: s for name, s in unit.signatures.items() if not s.static and _is_callable(module, name, unit)
        }
        if options.language == "ir":
            callable_ = {name: ir_signatures.typed(module, s) for name, s in callable_.items()}
        forms = _forms(text, module, options, sources, callable_.values())
        promised = options.language != "ir" and not entries.present(text)
        primals = {name: _primal(module, signature, forms, promised) for name, signature in callable_.items()}
    notes = (*unit.notes, *_renamed(unit))
    with clock.stage("code"):
        code = object_code(optimized, options, primals, module)
        said = (*unit.diagnostics, *unfollowed.warnings(optimized, options, sources))
    if not primals:
        why = "".join(f"; {note}" for note in notes if "cannot be called" in note)
        raise CompileError(
            f"the source defines no function that can be called{why}",
            code="EM119",
            hint="define a function that is not static",
        )
    labels = tuple(source.name for source in sources)
    kept = statics.keeps_blocks(module)
    record = ProgramRecord(text, optimized, callable_, primals, said, notes, unit.files, labels, kept)
    return record, code, module


def _whole(unit: frontend.Unit, options: Options) -> str:
    """One text of all sources, with what is registered for it, and bodies for what calls back."""
    text = library_bodies.add(link.link(unit.irs) if len(unit.irs) > 1 else unit.irs[0])
    if options.custom:
        text = registering.add(text, options.custom, unit.signatures)
    return entries.protect(text) if entries.present(text) else text


def _refuse_what_clang_broke(sources: Sequence[Source], options: Options, settings: Settings) -> None:
    """Raises ToolchainError EM125 where LLVM does not accept what clang itself wrote; clang does not look."""
    if options.language == "ir":
        return
    for ir in frontend.compile_sources(sources, options, settings, binding.llvm_version()[0]).irs:
        try:
            binding.verify(each_thread.lower(ir))
        except InternalError as error:
            raise ToolchainError(
                f"clang made of this C what LLVM does not accept: {error.message}",
                code="EM125",
                hint="an extension of C that clang does not translate rightly is the usual cause: write it another way",
            ) from error


def _forms(
    text: str, module: ProgramModule, options: Options, sources: Sequence[Source], signatures: Iterable[Signature]
) -> interface.Forms:
    """In what forms the program tells what it does to its arrays, the same for each `opt`. Only the optimized one, `module`, where
    there are no arrays of numbers; and where C asks for derivatives, because those are written into that one only."""
    arrays = any(
        isinstance(p.type, Pointer) and holds_floats(innermost(p.type.to)) for s in signatures for p in s.parameters
    )
    if not arrays or entries.present(text):
        return interface.Forms(module, lambda: module)
    return interface.Forms(
        module if options.opt == 0 else ProgramModule.of(_pre_ad(text, 0), sources),
        cache(lambda: module if options.opt == 2 else ProgramModule.of(_pre_ad(text, 2), sources)),
    )


def _primal(module: ProgramModule, signature: Signature, forms: interface.Forms, promised: bool) -> Primal:
    """promised: whether what Python keeps apart may be told to LLVM. Not of IR of the user's, of which LLVM gets only what has been
    rehearsed, and not where C asks for derivatives."""
    found = interface.primal(module, signature, forms)
    if found.uniform or not promised:
        return found
    function = module.module.functions[signature.name]
    return replace(found, separable=separable(module, function, signature, found.written))


def told_separate(record: ProgramRecord, sources: Sequence[Source], options: Options, request: Request) -> str | None:
    """The program's IR as if the C text said `restrict` of the parameters that `request` promises to be separate; None where its
    optimization then changes what the function calls, of which there is one copy only."""
    module = parser.parse(record.input_ir)
    for index in request.separate:
        argument = module.functions[request.function].arguments[index]
        argument.attributes = argument.attributes.with_(Attribute("noalias"))
    told = before_differentiation(printer.print_module(module), sources, options)
    return told if reachable.same_below(told, record.optimized_ir, request.function) else None


def object_code(
    optimized: str,
    options: Options,
    primals: Mapping[str, Primal],
    module: ProgramModule | None = None,
    *,
    lines: bool = False,
) -> bytes:
    """The program's own code. Where a call may end by a jump to its guard, too deep recursion ends so. module: the program, where
    it is known: then its text is parsed again only where something recurses. lines: with debug info."""
    leaves = any(primal.entry.may_exit for primal in primals.values())
    leaves = leaves and (module is None or bool(primal_stack.recursive(module.analyses.effects.callgraph)))
    text = supports.with_support(primal_stack.guarded(optimized) if leaves else optimized)
    return jit.compile_object(optimize.post_ad(text, options.post_opt, keep_debug=lines), options.post_opt)


def before_differentiation(text: str, sources: Sequence[Source], options: Options, *, nested: bool = False) -> str:
    """Input IR as a program's record keeps it, up to what is differentiated. nested: answers to its requests, too."""
    optimized = optimized_program(text, options)
    return _answered(optimized, sources, options, nested=nested) if entries.present(optimized) else optimized


def optimized(text: str, options: Options) -> str:
    """A program's text, optimized before differentiation."""
    return _pre_ad(text, options.opt)


def optimized_program(text: str, options: Options) -> str:
    """The same, with its statics made reachable for other libraries."""
    return link.externalize(_pre_ad(text, options.opt), STATIC_PREFIX)


def _answered(text: str, sources: Sequence[Source], options: Options, *, nested: bool = False) -> str:
    """With the derivatives that the C code itself asks for."""
    return entry_calls.answer(text, sources, options.strict, lambda t: _pre_ad(t, options.opt), nested=nested)


def _pre_ad(text: str, level: int) -> str:
    """Optimization before differentiation; what comes out mentions no alias."""
    return moduletext.with_targets(_pre_ad_apart(text, level))


def _pre_ad_apart(text: str, level: int) -> str:
    """Functions that the program registers something about stay whole: their bodies are optimized apart from the code that calls
    them."""
    text = float_pairs.lower(results_in_memory.lower(text))
    if not custom.present(text):
        return optimize.pre_ad(text, level)
    registered = custom.read(parser.parse(text))
    text, held = inactive_globals.hold(text, registered.inactive_globals) if registered.inactive_globals else (text, ())
    parts = opaque.separate(text, registered.opaque) if registered.opaque else (text,)
    optimized = [optimize.pre_ad(part, level) for part in parts]
    whole = link.link(optimized) if len(optimized) > 1 else optimized[0]
    return inactive_globals.release(whole, held) if held else whole


def compile_unit(sources: Sequence[Source], options: Options, settings: Settings, clock: Clock) -> frontend.Unit:
    """The sources as input IR. IR text needs no compiler; what LLVM says of it is a CompileError, because the text is
    the user's."""
    if options.language != "ir":
        with clock.stage("clang"):
            unit = frontend.compile_sources(sources, options, settings, binding.llvm_version()[0])
            irs = tuple(sanitizing.lower(member_paths.lower(each_thread.lower(ir))) for ir in unit.irs)
        if options.sanitize:
            with clock.stage("checks"):
                irs = tuple(bounds.guard(ir, unit.signatures, options.shape) for ir in irs)
        return replace(unit, irs=irs)
    with clock.stage("read IR"):
        try:
            for source in sources:
                names.refuse(source.text)
            texts = [rehearsal.rehearse(source.text, options.opt, options.post_opt) for source in sources]
        except (InternalError, ToolchainError) as error:
            raise CompileError(
                error.message,
                code="EM120",
                hint="pass the whole text of a module, as `clang -S -emit-llvm` or `f.ir()` gives it",
            ) from error
        return ir_text.unit(texts, sources)


def _renamed(unit: frontend.Unit) -> tuple[str, ...]:
    """A sentence for each function that is not found under its C name."""
    return tuple(
        f"{signature.name} cannot be called from Python: its symbol is '{symbol}'"
        for symbol, signature in unit.signatures.items()
        if signature.name != symbol and not signature.static
    )


def _is_callable(program: ProgramModule, name: str, unit: frontend.Unit) -> bool:
    """Whether the program holds the function, and a native call or its uniform entry fits it."""
    function = program.module.functions.get(name)
    if function is None or function.is_declaration or unit.signatures[name].name != name:
        return False
    return name in unit.entries or not needs_entry(unit.signatures[name])
