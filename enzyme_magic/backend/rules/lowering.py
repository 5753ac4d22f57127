"""Calls of libm that give results through pointers or take vectors for complex numbers, turned into pure operations of numbers.

    double m = frexp(x, &n);   becomes   r = llvm.frexp(x); n = r.1; m = r.0
    float complex w = cexpf(z);          r = em.cexp(z.0, z.1); w = <r.0, r.1>

Invariant: the module computes what it computed before; afterwards every result of such an operation is an SSA value, so that
its rule applies, and writing to memory is the business of plain stores. Also here: two things LLVM's x86 code generator
cannot do (llvm.sincospi, and llvm.minimum/llvm.maximum of long double) become calls of libm, which has them.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.constants import poison
from enzyme_magic.backend.ir.graphs.def_use import replace_uses
from enzyme_magic.backend.ir.instructions import Call, Instruction
from enzyme_magic.backend.ir.module import Module
from enzyme_magic.backend.ir.types import FLOAT, FP128, I32, X86_FP80, FloatType, FunctionType, StructType
from enzyme_magic.backend.ir.values import Block, Value
from enzyme_magic.backend.library import libc
from enzyme_magic.backend.rules.formulas import complex_functions, helpers
from enzyme_magic.backend.rules.ir_basic import PURE, declared
from enzyme_magic.backend.rules.spelling import (
    PROTOTYPES,
    HelperSignature,
    fits,
    intrinsic_name,
    intrinsic_signature,
    libm_name,
    libm_signature,
    outputs,
    prototype,
)

RETURNED = -1


@dataclass(frozen=True, slots=True)
class MemoryResults:
    """Where libm's function puts the results of the pure operation of the same name.

    inputs: arguments of the call that are operands of the operation, in order.
    outputs[j]: where result j goes: RETURNED, or the index of the pointer argument it is stored through.
    integers: which results are C ints; the others have the floating type.
    """

    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    integers: frozenset[int] = frozenset()


def _shape(operation: str) -> MemoryResults:
    """From the prototype: what is no pointer goes in; the result comes first, then what is written through pointers."""
    result, *parameters = PROTOTYPES[operation].generic
    written = outputs(operation)
    places = ((RETURNED,) if result != "void" else ()) + written
    types = [result if k == RETURNED else parameters[k].removesuffix(" *") for k in places]
    inputs = tuple(k for k, _ in enumerate(parameters) if k not in written)
    return MemoryResults(inputs, places, frozenset(k for k, type_ in enumerate(types) if type_ != libc.REAL))


MEMORY_RESULTS = MappingProxyType({operation: _shape(operation) for operation in PROTOTYPES if outputs(operation)})


def lower(module: Module) -> int:
    """Rewrites every such call in the definitions of `module`, in place; gives back how many."""
    count = 0
    for function in list(module.definitions()):
        replaced: dict[Value, Value] = {}
        for block in function.blocks:
            for instruction in list(block.instructions):
                if type(instruction) is Call and (new := _lower_call(module, block, instruction)) is not None:
                    replaced[instruction] = new
        count += len(replaced)
        replace_uses(function, replaced)
    return count


def _lower_call(module: Module, block: Block, call: Call) -> Value | None:
    new = _lowered(module, block, call)
    if new is not None:
        position = block.instructions.index(call)
        del block.instructions[position]
        block.instructions[position].debug_records[:0] = call.debug_records
        if isinstance(new, Instruction):
            new.name = call.name
    return new


def _lowered(module: Module, block: Block, instruction: Call) -> Value | None:
    """The value that takes the place of a call (the call itself where it gives none), None if the call stays as it is."""
    called = instruction.called_function
    if called is None or not called.is_declaration:
        return None
    builder = Builder(block, instruction)
    builder.debug_location = instruction.metadata.get("dbg")
    intrinsic = intrinsic_signature(called.name)
    if intrinsic is not None:
        return _lowered_intrinsic(builder, module, instruction, intrinsic)
    complex_operation = complex_functions.single(called.name, instruction.function_type)
    if complex_operation is not None:
        return _lowered_complex(builder, module, instruction, complex_operation)
    libm = libm_signature(called.name)
    if libm is None or libm.operation not in MEMORY_RESULTS or not fits(libm, instruction.function_type):
        return None
    return _lowered_libm(builder, module, instruction, libm)


def _lowered_libm(builder: Builder, module: Module, call: Call, signature: HelperSignature) -> Value:
    shape = MEMORY_RESULTS[signature.operation]
    results = pure_results(builder, module, signature, [call.arguments[k] for k in shape.inputs])
    returned: Value = call  # stands for nothing where the function returns void
    for result, output in zip(results, shape.outputs, strict=True):
        if output == RETURNED:
            returned = result
        else:
            builder.store(result, call.arguments[output])
    return returned


def _lowered_complex(builder: Builder, module: Module, call: Call, operation: str) -> Value:
    parts = [builder.extract_element(pair, k) for pair in call.arguments for k in (0, 1)]
    result = builder.call(helpers.function(module, operation, FLOAT), parts, operation, attributes=PURE)
    if call.type == FLOAT:
        return result
    return helpers.pair_of(builder, *(builder.extract_value(result, k) for k in (0, 1)))


def _lowered_intrinsic(builder: Builder, module: Module, call: Call, signature: HelperSignature) -> Value | None:
    operation, type_ = signature.operation, signature.type
    if operation == "sincospi":
        sine, cosine = pure_results(builder, module, signature, call.arguments)
        return builder.insert_value(builder.insert_value(poison(call.type), sine, 0), cosine, 1)
    if operation in ("fminimum", "fmaximum") and type_ in (X86_FP80, FP128) and call.type == type_:
        name = libm_name(operation, type_)
        assert name is not None
        function = declared(module, name, prototype(operation, type_))
        return builder.call(function, call.arguments, call.name, flags=call.flags, attributes=PURE)
    return None


def pure_results(builder: Builder, module: Module, signature: HelperSignature, inputs: list[Value]) -> list[Value]:
    """Computes an operation of MEMORY_RESULTS without memory: its results, in order."""
    operation, type_ = signature.operation, signature.type
    if operation == "sincospi":  # LLVM knows no library function that computes both
        return [_libm_call(builder, module, name, type_, inputs) for name in ("sinpi", "cospi")]
    second = I32 if 1 in MEMORY_RESULTS[operation].integers else type_
    aggregate = StructType((type_, second))
    if helpers.is_helper(operation):
        function = helpers.function(module, operation, type_)
    else:
        overloads = (type_, I32) if operation == "frexp" else (type_,)
        function = declared(module, intrinsic_name(operation, *overloads), FunctionType(aggregate, (type_,)))
    pair = builder.call(function, inputs, operation, attributes=PURE)
    return [builder.extract_value(pair, k) for k in (0, 1)]


def _libm_call(builder: Builder, module: Module, operation: str, type_: FloatType, inputs: list[Value]) -> Value:
    name = libm_name(operation, type_)
    assert name is not None
    return builder.call(declared(module, name, prototype(operation, type_)), inputs, operation, attributes=PURE)
