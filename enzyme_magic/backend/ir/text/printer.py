"""Module → LLVM text.

Invariant (tested on every construct): `parse(print_module(m))` is `m` up to comments and the numbers of attribute groups and
metadata, and LLVM reads the text as the same module.
"""

from __future__ import annotations

from collections.abc import Mapping

from enzyme_magic.backend.ir.attributes import AttributeSet
from enzyme_magic.backend.ir.instructions import Instruction
from enzyme_magic.backend.ir.linkage import UNNAMED
from enzyme_magic.backend.ir.metadata import DebugRecord, Metadata
from enzyme_magic.backend.ir.module import Function, GlobalAlias, GlobalValue, GlobalVariable, Module
from enzyme_magic.backend.ir.names import Names
from enzyme_magic.backend.ir.text.lexer import escape, quoted
from enzyme_magic.backend.ir.text.print_instructions import InstructionWriter, WriteAttributes
from enzyme_magic.backend.ir.text.print_metadata import MetadataWriter
from enzyme_magic.backend.ir.text.print_short import short
from enzyme_magic.backend.ir.text.print_values import ValueWriter, attributes_text, global_text
from enzyme_magic.backend.ir.types import PointerType
from enzyme_magic.backend.ir.values import Argument
from enzyme_magic.errors import InternalError

__all__ = ["Names", "line", "print_function", "print_module", "short"]


def print_module(module: Module) -> str:
    """The whole module, ready for LLVM."""
    return _ModuleWriter(module).run()


def print_function(function: Function) -> str:
    """One function for people: attributes spelled out, no metadata attachments and no debug records."""
    values = ValueWriter(function.parent.named_types if function.parent else None)
    writer = _FunctionWriter(values, None, attributes_text)
    return writer.text(function)


def line(instruction: Instruction, names: Names | None = None) -> str:
    """The full LLVM line of one instruction without metadata. Give the function's `names` when asking for many."""
    function = instruction.parent.parent if instruction.parent else None
    if function is None:
        raise InternalError("an instruction outside a function has no text: its operands have no names")
    values = ValueWriter(function.parent.named_types if function.parent else None)
    return _FunctionWriter(values, None, attributes_text).instructions(names or Names(function)).text(instruction)


class _FunctionWriter:
    """Writes functions. Without `metadata`, attachments and debug records are left out."""

    def __init__(self, values: ValueWriter, metadata: MetadataWriter | None, attributes: WriteAttributes) -> None:
        self.values = values
        self.metadata = metadata
        self.attributes = attributes

    def instructions(self, names: Names) -> InstructionWriter:
        reference = self.metadata.reference if self.metadata else MetadataWriter(self.values.typed).reference
        return InstructionWriter(names, self.values, self.attributes, reference)

    def text(self, function: Function) -> str:
        if function.is_declaration:
            return self._header(function, None)
        names = self.values.names(function)
        writer = self.instructions(names)
        lines = [self._header(function, names) + " {"]
        for position, block in enumerate(function.blocks):
            if block.name or position:
                lines.append(f"{names.of(block)[1:]}:")
            for instruction in block.instructions:
                if self.metadata and instruction.debug_records:
                    lines.extend(self._record(record, writer) for record in instruction.debug_records)
                lines.append(f"  {writer.text(instruction)}{self._attachments(instruction.metadata, ', ')}")
        lines.append("}")
        return "\n".join(lines)

    def _attachments(self, metadata: Mapping[str, Metadata], separator: str) -> str:
        if not self.metadata or not metadata:
            return ""
        reference, typed = self.metadata.reference, self.values.typed
        return "".join([f"{separator}!{kind} {reference(node, typed)}" for kind, node in metadata.items()])

    def _record(self, record: DebugRecord, writer: InstructionWriter) -> str:
        assert self.metadata is not None
        reference = self.metadata.reference
        operands = ", ".join([reference(operand, writer.typed_or_poison) for operand in record.operands])
        return f"    #dbg_{record.kind}({operands})"

    def _header(self, function: Function, names: Names | None) -> str:
        declares = names is None
        late = [word for word in function.prefix if word in UNNAMED]
        early = [word for word in function.prefix if word not in UNNAMED]
        words = [
            "declare" if declares else "define",
            self._attachments(function.metadata, " ").strip() if declares else "",
            function.linkage,
            *early,
            function.calling_convention,
            attributes_text(function.result_attributes),
            f"{function.function_type.result} {global_text(function)}({self._parameters(function, names)})",
            *late,
            _address_space(function),
            self.attributes(function.attributes) if function.attributes else "",
            *function.suffix,
            *self._data(function),
            "" if declares else self._attachments(function.metadata, " ").strip(),
        ]
        return " ".join([word for word in words if word])

    def _data(self, function: Function) -> list[str]:
        parts = {
            "prefix": function.prefix_data,
            "prologue": function.prologue_data,
            "personality": function.personality,
        }
        return [f"{word} {self.values.typed(value)}" for word, value in parts.items() if value is not None]

    def _parameters(self, function: Function, names: Names | None) -> str:
        parts = [_parameter(argument, names) for argument in function.arguments]
        return ", ".join([*parts, "..."] if function.function_type.variadic else parts)


def _parameter(argument: Argument, names: Names | None) -> str:
    name = names.of(argument) if names else f"%{quoted(argument.name)}" if argument.name else ""
    words = [str(argument.type), attributes_text(argument.attributes), name]
    return " ".join([word for word in words if word])


def _address_space(value: GlobalValue) -> str:
    space = value.type.address_space if isinstance(value.type, PointerType) else 0
    return f"addrspace({space})" if space else ""


class _ModuleWriter:
    def __init__(self, module: Module) -> None:
        self.module = module
        self.values = ValueWriter(module.named_types)
        self.metadata = MetadataWriter(self.values.typed)
        self.groups: dict[AttributeSet, str] = {}
        self.functions = _FunctionWriter(self.values, self.metadata, self._group)

    def _group(self, attributes: AttributeSet) -> str:
        known = self.groups.get(attributes)
        if known is None:
            known = self.groups[attributes] = f"#{len(self.groups)}"
        return known

    def run(self) -> str:
        module = self.module
        self._check_numbers()
        lines = self._head()
        lines += [
            f"%{name} = type {body if body is not None else 'opaque'}" for name, body in module.named_types.items()
        ]
        lines += [f"${quoted(name)} = comdat {kind}" for name, kind in module.comdats.items()]
        lines += map(self._variable, module.variables.values())
        lines += map(self._alias, module.aliases.values())
        lines += [f"\n{self.functions.text(function)}" for function in module.functions.values()]
        lines += self._tail()
        return "\n".join(lines) + "\n"

    def _head(self) -> list[str]:
        module = self.module
        lines = [f'source_filename = "{_quoted_text(module.source_filename)}"'] if module.source_filename else []
        if module.datalayout:
            lines.append(f'target datalayout = "{module.datalayout}"')
        if module.triple:
            lines.append(f'target triple = "{module.triple}"')
        return lines + [f'module asm "{_quoted_text(text)}"' for text in module.asm]

    def _tail(self) -> list[str]:
        """Named metadata, the nodes, and the groups every part before has named."""
        constant = self.values.typed
        lines = [
            f"!{name} = !{{{', '.join([self.metadata.reference(node, constant) for node in named.operands])}}}"
            for name, named in self.module.named_metadata.items()
        ]
        lines += self.metadata.definitions()
        return lines + [
            f"attributes {number} = {{ {attributes_text(group, in_group=True)} }}"
            for group, number in self.groups.items()
        ]

    def _check_numbers(self) -> None:
        """LLVM wants unnamed globals numbered in textual order."""
        module = self.module
        tables = (module.variables, module.aliases, module.functions)
        numbers = [int(name) for table in tables for name in table if name.isdigit()]
        if numbers != list(range(len(numbers))):
            raise InternalError(f"unnamed globals are out of order: {numbers}")

    def _variable(self, variable: GlobalVariable) -> str:
        words = [
            f"{global_text(variable)} =",
            variable.linkage,
            *variable.prefix,
            _address_space(variable),
            "externally_initialized" if variable.externally_initialized else "",
            "constant" if variable.constant else "global",
            str(variable.value_type),
            "" if variable.initializer is None else self.values.text(variable.initializer),
        ]
        text = ", ".join([" ".join([word for word in words if word]), *variable.suffix])
        for kind, node in variable.metadata.items():
            text += f", !{kind} {self.metadata.reference(node, self.values.typed)}"
        return f"{text} {self._group(variable.attributes)}" if variable.attributes else text

    def _alias(self, alias: GlobalAlias) -> str:
        assert alias.aliasee is not None
        words = [f"{global_text(alias)} =", alias.linkage, *alias.prefix, alias.keyword, f"{alias.value_type},"]
        text = " ".join([word for word in [*words, self.values.typed(alias.aliasee)] if word])
        return ", ".join([text, *alias.suffix])


def _quoted_text(text: str) -> str:
    return escape(text.encode("utf-8", "surrogateescape"))
