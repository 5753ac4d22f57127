"""From C sources to a program's IR and object code: front end, pre-AD optimization, signatures, code generation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from enzyme_magic.backend.analysis import ranges
from enzyme_magic.backend.analysis.effects import Effects
from enzyme_magic.backend.autodiff.request import STATIC_PREFIX
from enzyme_magic.backend.frontend import compile as frontend
from enzyme_magic.backend.frontend import ir_text
from enzyme_magic.backend.frontend import toolchain as toolchains
from enzyme_magic.backend.frontend.c_types import Enum, Pointer, Scalar, Signature, Void, innermost, size_of
from enzyme_magic.backend.frontend.entry import SUFFIX, needs_entry
from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import POINTER, IntType
from enzyme_magic.backend.ir.values import Argument
from enzyme_magic.backend.llvm import binding, jit, link, optimize
from enzyme_magic.backend.native import Entry, Need, ResultField, Slot
from enzyme_magic.backend.needs import Pointee, needs
from enzyme_magic.backend.persist import Primal, ProgramRecord
from enzyme_magic.backend.program_module import ProgramModule
from enzyme_magic.config import Options, Settings
from enzyme_magic.errors import CompileError, InternalError

if TYPE_CHECKING:
    from enzyme_magic.backend.pipeline import Clock


def toolchain(settings: Settings) -> toolchains.Toolchain:
    """The C compiler."""
    return toolchains.find(settings, llvm_major=binding.llvm_version()[0])


def build_program(
    sources: Sequence[Source], options: Options, settings: Settings, clock: Clock
) -> tuple[ProgramRecord, bytes]:
    """Compile `sources` together. Raises CompileError and ToolchainError; nothing is kept of a failed build."""
    unit = _unit(sources, options, settings, clock)
    with clock.stage("optimize"):
        text = link.link(unit.irs) if len(unit.irs) > 1 else unit.irs[0]
        optimized = link.externalize(optimize.pre_ad(text, options.opt), STATIC_PREFIX)
    with clock.stage("parse"):
        module = ProgramModule.of(optimized, sources)
    with clock.stage("effects"):
        callable_ = {
            name: s for name, s in unit.signatures.items() if not s.static and _is_callable(module, name, unit)
        }
        primals = {name: _primal(module, signature) for name, signature in callable_.items()}
    with clock.stage("code"):
        code = jit.compile_object(optimize.post_ad(optimized, options.post_opt), options.post_opt)
    if not primals:
        why = "".join(f"; {note}" for note in unit.notes if "cannot be called" in note)
        raise CompileError(
            f"the source defines no function that can be called{why}",
            code="EM119",
            hint="define a function that is not static",
        )
    record = ProgramRecord(text, optimized, callable_, primals, unit.diagnostics, unit.notes, unit.files)
    return record, code


def _unit(sources: Sequence[Source], options: Options, settings: Settings, clock: Clock) -> frontend.Unit:
    """The sources as input IR. IR text needs no compiler; what LLVM says of it is a CompileError, because the text is
    the user's."""
    if options.language != "ir":
        with clock.stage("clang"):
            return frontend.compile_sources(sources, options, settings, binding.llvm_version()[0])
    with clock.stage("read IR"):
        try:
            texts = [binding.canonical(source.text) for source in sources]
        except InternalError as error:
            raise CompileError(
                error.message,
                code="EM120",
                hint="pass the whole text of a module, as `clang -S -emit-llvm` or `f.ir()` gives it",
            ) from error
        return ir_text.unit(texts, sources)


def _is_callable(program: ProgramModule, name: str, unit: frontend.Unit) -> bool:
    """Whether the program holds the function, and a native call or its uniform entry fits it."""
    function = program.module.functions.get(name)
    if function is None or function.is_declaration:
        return False
    return name in unit.entries or not needs_entry(unit.signatures[name])


def _primal(program: ProgramModule, signature: Signature) -> Primal:
    """How the C function is called from outside."""
    module, analyses = program.module, program.analyses
    uniform = module.functions.get(f"{signature.name}{SUFFIX}")
    function = uniform or module.functions[signature.name]
    summary = analyses.effects.summary(function)
    if uniform is not None:
        size = 0 if isinstance(signature.result, Void) else getattr(signature.result, "size", 8)
        entry = Entry(
            uniform.name, (Slot("arguments"), Slot("results")), None, (), size, summary.may_exit, summary.prints
        )
        written, read = _pointers_of_uniform(module.functions.get(signature.name), signature, analyses.effects)
        return Primal(entry, written, read, True, _needs(program, module.functions.get(signature.name), signature))
    slots = tuple(Slot("primal", k) for k in range(len(signature.parameters)))
    result = None if isinstance(signature.result, Void) else ResultField("value", str(function.function_type.result))
    entry = Entry(function.name, slots, result, may_exit=summary.may_exit, prints=summary.prints)
    indices = range(len(signature.parameters))
    written = tuple(k for k in indices if summary.writes_argument(k))
    read = tuple(k for k in indices if summary.reads_argument(k))
    return Primal(entry, written, read, False, _needs(program, function, signature))


def _needs(program: ProgramModule, function: Function | None, signature: Signature) -> tuple[Need, ...]:
    """How much of its arrays every call touches."""
    if function is None:
        return ()
    names = {parameter.name: k for k, parameter in enumerate(signature.parameters) if parameter.name}
    integers: dict[Argument, str] = {}
    pointers: dict[Argument, Pointee] = {}
    for argument in function.arguments:
        index = names.get(argument.name)
        type_ = signature.parameters[index].type if index is not None else None
        if index is not None and isinstance(argument.type, IntType) and isinstance(type_, (Scalar, Enum)):
            integers[argument] = argument.name
        elif index is not None and argument.type == POINTER and isinstance(type_, Pointer):
            pointers[argument] = Pointee(index, argument.name, size_of(innermost(type_.to)) or 1)
    if not pointers:
        return ()
    touches = ranges.touches(function, program.analyses.layout, integers)
    spans = [program.span_of(touch.instruction) for touch in touches]
    return needs(touches, pointers, [parameter.name for parameter in signature.parameters], spans)


def _pointers_of_uniform(
    function: Function | None, signature: Signature, effects: Effects
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Pointer parameters that may be written, that may be read.

    Where structs are among the parameters, positions differ between C and the IR; but clang gives a pointer argument its
    parameter's name. A parameter that is not found so may be both.
    """
    pointers = [k for k, parameter in enumerate(signature.parameters) if isinstance(parameter.type, Pointer)]
    if function is None:
        return tuple(pointers), tuple(pointers)
    summary = effects.summary(function)
    places = {
        argument.name: k
        for k, argument in enumerate(function.arguments)
        if argument.type == POINTER and not {"byval", "sret"} & {attribute.name for attribute in argument.attributes}
    }
    place = {k: places.get(signature.parameters[k].name) for k in pointers}
    written = [k for k, found in place.items() if found is None or summary.writes_argument(found)]
    read = [k for k, found in place.items() if found is None or summary.reads_argument(found)]
    return tuple(written), tuple(read)
