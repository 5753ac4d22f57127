"""Variables of which each thread has one (`_Thread_local`), in three forms.

    C and LLVM            @x = thread_local global double 1.0       code compiled in memory cannot have it
    the program's texts   @x.each_thread, an object that names size and first value; __emutls_get_address(@x.each_thread) is the
                          address of this thread's variable, made when it is asked for first (emulated TLS, of libgcc_s)
    the analyses' module  @x.each_thread, a plain variable: within one call there is one thread, so it is one piece of memory

Invariant: the text's functions never mention an address of one thread as a constant, and derivatives never mention the plain
variable: what they take over of it is asked for at the start of each function.

Not done: variables that only a library defines (`extern _Thread_local`); they stay as they are, and LLVM's door refuses them.
"""

from __future__ import annotations

from enzyme_magic.backend.ir import constants
from enzyme_magic.backend.ir.attributes import Attribute, AttributeSet
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.graphs.callgraph import globals_in
from enzyme_magic.backend.ir.graphs.def_use import map_operands, replace_uses
from enzyme_magic.backend.ir.instructions import Call, Instruction
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.linkage import is_each_threads
from enzyme_magic.backend.ir.module import Function, GlobalVariable, Module
from enzyme_magic.backend.ir.text import parser, printer
from enzyme_magic.backend.ir.types import I64, POINTER, FunctionType, StructType
from enzyme_magic.backend.ir.values import ConstantAggregate, ConstantExpression, ConstantInt, Value

ADDRESS = "__emutls_get_address"
_ASKED = "llvm.threadlocal.address."
_CONTROL = StructType((I64, I64, POINTER, POINTER))  # libgcc's __emutls_object: size, alignment, place, first value
_PURE = AttributeSet(
    (*map(Attribute, ("nofree", "nosync", "nounwind", "willreturn", "speculatable")), Attribute("memory", "none"))
)


def lower(text: str) -> str:
    """A module's text with emulated variables in the place of those of each thread that it defines."""
    if "thread_local" not in text:
        return text
    module = parser.parse(text)
    layout = DataLayout.of(module)
    own = [v for v in module.variables.values() if v.is_thread_local and v.initializer is not None]
    controls: dict[Value, Value] = {v: _control(module, layout, v) for v in own}
    asked = _address(module)
    for function in module.definitions():
        for call in [i for i in function.instructions() if _asks(i, _ASKED) and i.operands[0] in controls]:
            assert isinstance(call, Call)
            call.operands[:] = [controls[call.operands[0]], asked]
            call.function_type = asked.function_type
            call.argument_attributes = [AttributeSet(())]
    used = {g for f in module.definitions() for i in f.instructions() for v in i.operands for g in globals_in(v)}
    for variable in own:
        if variable not in used:
            del module.variables[variable.name]
    for name in [n for n, f in module.functions.items() if n.startswith(_ASKED) and f not in used]:
        del module.functions[name]
    return printer.print_module(module)


def to_variables(module: Module) -> None:
    """The analyses' form of a program's module, in place."""
    address = module.functions.get(ADDRESS)
    if address is None:
        return
    plain = {v: _plain(v) for v in module.variables.values() if is_each_threads(v.name)}
    module.variables.update({variable.name: variable for variable in plain.values()})
    for function in module.definitions():
        replaced: dict[Value, Value] = {}
        for block in function.blocks:
            for call in [i for i in block.instructions if _asks(i, ADDRESS) and i.operands[0] in plain]:
                replaced[call] = plain[call.operands[0]]  # type: ignore[index]
                block.instructions.remove(call)
        replace_uses(function, replaced)


def to_calls(module: Module) -> None:
    """Written functions ask for the variables that they mention, in place."""
    for function in list(module.definitions()):
        rest = [i for i in function.instructions() if not _asks(i, ADDRESS)]
        own = {g: None for i in rest for v in i.operands for g in globals_in(v) if _is_own(g)}
        if not own:
            continue
        builder = Builder(function.entry, function.entry.instructions[0])
        places: dict[Value, Value] = {}
        for variable in own:
            assert isinstance(variable, GlobalVariable)
            control = GlobalVariable(variable.name, linkage="external", value_type=_CONTROL)
            control = module.variables.setdefault(variable.name, control)
            places[variable] = builder.call(_address(module), [control])
        for i in rest:
            _expand(function, i, places)
            map_operands(i, places)


def _is_own(mentioned: Value) -> bool:
    return isinstance(mentioned, GlobalVariable) and is_each_threads(mentioned.name)


def _expand(function: Function, i: Instruction, places: dict[Value, Value]) -> None:
    """Constant addresses inside of a variable are computed at the start."""
    for k, operand in enumerate(i.operands):
        if isinstance(operand, ConstantExpression) and any(g in places for g in globals_in(operand)):
            base, *indices = operand.operands
            if operand.opcode != "getelementptr" or base not in places or operand.source_type is None:
                continue  # the module does not verify then
            start = places[base]
            assert isinstance(start, Instruction)
            at = function.entry.instructions.index(start) + 1
            builder = Builder(function.entry, function.entry.instructions[at])
            i.operands[k] = builder.gep(operand.source_type, start, indices)


def _plain(control: GlobalVariable) -> GlobalVariable:
    first = next((v for v in _mentioned(control) if isinstance(v, GlobalVariable)), None)
    type_ = first.value_type if first is not None else control.value_type
    return GlobalVariable(
        control.name,
        linkage=control.linkage,
        prefix=control.prefix,
        value_type=type_,
        initializer=None if first is None else constants.zero(type_),
        suffix=control.suffix if first is None else first.suffix,
        metadata=control.metadata,
    )


def _mentioned(control: GlobalVariable) -> list[object]:
    return list(globals_in(control.initializer)) if control.initializer is not None else []


def _asks(i: Instruction, name: str) -> bool:
    called = i.called_function if isinstance(i, Call) else None
    return called is not None and called.name.startswith(name)


def _address(module: Module) -> Function:
    found = module.declared(ADDRESS, FunctionType(POINTER, (POINTER,)))
    found.attributes = _PURE
    return found


def _control(module: Module, layout: DataLayout, variable: GlobalVariable) -> GlobalVariable:
    name = f"{variable.name}.each_thread"
    words = [word for word in variable.suffix if word.startswith("align ")]
    align = int(words[0].split()[1]) if words else 16
    first = GlobalVariable(
        f"{name}.first",
        linkage="internal",
        value_type=variable.value_type,
        initializer=variable.initializer,
        constant=True,
        suffix=tuple(words),
    )
    sizes = [ConstantInt(I64, layout.size_of(variable.value_type)), ConstantInt(I64, align)]
    control = GlobalVariable(
        name,
        linkage=variable.linkage,
        prefix=tuple(w for w in variable.prefix if not w.startswith("thread_local") and "unnamed_addr" not in w),
        value_type=_CONTROL,
        initializer=ConstantAggregate(_CONTROL, (*sizes, constants.zero(POINTER), first)),
        metadata=variable.metadata,
    )
    module.add(first)
    module.add(control)
    return control
