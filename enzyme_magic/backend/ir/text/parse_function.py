"""Functions from tokens: header, blocks, local names.

Invariant: local values may be named before they are defined (a phi, or a block that stands before the one that dominates it);
such an operand is a placeholder until the closing brace, where every instruction that got one is repaired. Nothing outside
this module ever sees a placeholder.
"""

from __future__ import annotations

from dataclasses import dataclass

from enzyme_magic.backend.ir.attributes import AttributeSet
from enzyme_magic.backend.ir.graphs.def_use import map_operands
from enzyme_magic.backend.ir.instructions import Instruction
from enzyme_magic.backend.ir.linkage import LINKAGES, SUFFIXES, UNNAMED, read_prefix, read_suffix
from enzyme_magic.backend.ir.metadata import DebugRecord
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.text.lexer import END, Cursor, name_of, quoted
from enzyme_magic.backend.ir.text.parse_constants import ConstantParser, Symbols, block_for
from enzyme_magic.backend.ir.text.parse_control import CALL_ATTRIBUTES, CONTROL_READERS, read_convention
from enzyme_magic.backend.ir.text.parse_instructions import READERS
from enzyme_magic.backend.ir.text.parse_metadata import MetadataParser
from enzyme_magic.backend.ir.text.parse_types import AttributeParser, TypeParser
from enzyme_magic.backend.ir.types import VOID, FunctionType, NamedType, PointerType, Type
from enzyme_magic.backend.ir.values import Argument, Block, Value

_READERS = READERS | CONTROL_READERS
FUNCTION_ATTRIBUTES = CALL_ATTRIBUTES | {"uwtable", "nonlazybind", "null_pointer_is_valid", "jumptable", "allockind"}


@dataclass(slots=True, eq=False)
class _Placeholder(Value):
    """A local value that is not defined yet."""

    name: str
    type: Type


class BodyParser:
    """Reads the blocks of one function after another."""

    def __init__(
        self,
        cursor: Cursor,
        types: TypeParser,
        attributes: AttributeParser,
        constants: ConstantParser,
        metadata: MetadataParser,
        module: Module,
    ) -> None:
        self.cursor = cursor
        self.types = types
        self.attributes = attributes
        self.constants = constants
        self.metadata = metadata
        self.module = module
        self._locals: dict[str, Value] = {}
        self._labels: dict[str, Block] = {}
        self._waiting: dict[str, _Placeholder] = {}
        self._entry = "%0"  # how the first block is called where it has no label
        self._touched = False  # a placeholder was handed out since this was last cleared
        self._signatures: dict[tuple[Type, tuple[Type, ...]], FunctionType] = {}

    # What the readers of instructions need

    def value(self, type_: Type) -> Value:
        """The operand at the cursor, of a type already read."""
        cursor = self.cursor
        token = cursor.tokens[cursor.at]
        if token[:1] != "%":
            return self.constants.parse(type_)
        cursor.at += 1
        known = self._locals.get(token)
        return known if known is not None else self._placeholder(token, type_)

    def _placeholder(self, token: str, type_: Type) -> Value:
        self._touched = True
        waiting = self._waiting.get(token)
        if waiting is None:
            waiting = self._waiting[token] = _Placeholder(token, type_)
        return waiting

    def typed(self) -> Value:
        return self.value(self.types.parse())

    def callee(self) -> Value:
        return self.value(self.types.known["ptr"])

    def block(self, token: str) -> Block:
        block = self._labels.get(token)
        return block if block is not None else block_for(self._labels, token)

    def resolve(self, type_: Type) -> Type:
        while isinstance(type_, NamedType):
            body = self.module.named_types.get(type_.spelling)
            if body is None:
                raise self.cursor.error(f"type {type_} has no body")
            type_ = body
        return type_

    def function_type(self, result: Type, parameters: tuple[Type, ...]) -> FunctionType:
        """The type of a call that does not spell it."""
        key = (result, parameters)
        known = self._signatures.get(key)
        if known is None:
            known = self._signatures[key] = FunctionType(result, parameters)
        return known

    # Bodies

    def parse(self, function: Function, symbols: Symbols) -> None:
        """Everything up to the closing brace; the opening one is read."""
        self._start(function, symbols)
        tokens, cursor = self.cursor.tokens, self.cursor
        block: Block | None = None
        records: list[DebugRecord] = []
        touched: list[Instruction] = []
        self._touched = False
        while (token := tokens[cursor.at]) != "}":
            cursor.at += 1
            if token[-1:] == ":":
                block = self._open(function, "%" + token[:-1])
                continue
            if token[:5] == "#dbg_":
                records.append(self.metadata.debug_record(token, self.value))
                continue
            if block is None:
                block = self._open(function, self._implicit_entry(function))
            instruction = self._instruction(token)
            if records:
                instruction.debug_records = records
                records = []
            if self._touched:
                touched.append(instruction)
                self._touched = False
            instruction.parent = block
            block.instructions.append(instruction)
            if instruction.is_terminator:
                block = None
        cursor.at += 1
        self._finish(function, touched)

    def _start(self, function: Function, symbols: Symbols) -> None:
        self._locals = {}
        self._waiting = {}
        self._labels = symbols.labels_of(function)
        number = 0
        for argument in function.arguments:
            if argument.name:
                self._locals[f"%{quoted(argument.name)}"] = argument
            else:
                self._locals[f"%{number}"] = argument
                number += 1
        self._entry = f"%{number}"

    def _open(self, function: Function, token: str) -> Block:
        block = self.block(token)
        if block.parent is not None:
            raise self.cursor.error(f"block {token} is defined twice")
        block.parent = function
        function.blocks.append(block)
        return block

    def _implicit_entry(self, function: Function) -> str:
        if function.blocks:
            self.cursor.at -= 1
            raise self.cursor.error("a label expected behind a terminator")
        return self._entry

    def _instruction(self, token: str) -> Instruction:
        cursor = self.cursor
        result = ""
        if token[:1] == "%":
            result = token
            cursor.expect("=")
            token = cursor.next()
        reader = _READERS.get(token)
        if reader is None:
            cursor.at -= 1
            raise cursor.error(f"unknown instruction {token!r}" if token != END else "'}' expected")
        instruction = reader(self, token)
        tokens = cursor.tokens
        while tokens[cursor.at] == ",":
            kind = tokens[cursor.at + 1]
            if kind[:1] != "!":
                raise cursor.error("metadata expected")
            cursor.at += 2
            instruction.metadata[kind[1:]] = self.metadata.operand(self.value)
        if result:
            instruction.name = "" if result[1:].isdigit() else name_of(result)
            if result in self._locals:
                raise cursor.error(f"{result} is defined twice")
            self._locals[result] = instruction
        elif instruction.type is not VOID:
            raise cursor.error("a result without a name or a number: let LLVM print this text once first")
        return instruction

    def _finish(self, function: Function, touched: list[Instruction]) -> None:
        """Puts the values behind the names used too early; every name must have been defined by now."""
        found: dict[Value, Value] = {}
        for token, waiting in self._waiting.items():
            value = self._locals.get(token)
            if value is None:
                raise self.cursor.error(f"{token} is used in @{function.name} but not defined")
            found[waiting] = value
        for instruction in touched:
            map_operands(instruction, found)
        for token, block in self._labels.items():
            if block.parent is None:
                raise self.cursor.error(f"block {token} is named in @{function.name} but not defined")


class HeaderParser:
    """Reads what stands between `define` or `declare` and the body."""

    def __init__(
        self,
        cursor: Cursor,
        types: TypeParser,
        attributes: AttributeParser,
        constants: ConstantParser,
        metadata: MetadataParser,
    ) -> None:
        self.cursor = cursor
        self.types = types
        self.attributes = attributes
        self.constants = constants
        self.metadata = metadata

    def parse(self, function: Function) -> None:
        """Fills `function`; the cursor stands behind `define` or `declare`."""
        cursor = self.cursor
        self._attachments(function)
        if cursor.peek() in LINKAGES:
            function.linkage = cursor.next()
        words = read_prefix(cursor)
        function.calling_convention = read_convention(cursor)
        function.result_attributes = self.attributes.parameter()
        result = self.types.parse()
        cursor.next()  # the name; the module parser made `function` from it
        variadic = self._parameters(function)
        function.function_type = FunctionType(result, tuple(a.type for a in function.arguments), variadic)
        function.prefix = words
        self._suffix(function)

    def _attachments(self, function: Function) -> None:
        cursor = self.cursor
        while cursor.peek()[:1] == "!" and cursor.tokens[cursor.at + 1] != "=":
            kind = cursor.next()
            function.metadata[kind[1:]] = self.metadata.operand(self.constants.parse)

    def _parameters(self, function: Function) -> bool:
        cursor = self.cursor
        variadic = False
        cursor.expect("(")
        while not cursor.accept(")"):
            if cursor.accept("..."):
                variadic = True
                continue
            type_ = self.types.parse()
            attributes = self.attributes.parameter()
            name = ""
            if cursor.peek()[:1] == "%":
                token = cursor.next()
                name = "" if token[1:].isdigit() else name_of(token)
            function.arguments.append(Argument(type_, name, attributes, len(function.arguments)))
            cursor.accept(",")
        return variadic

    def _suffix(self, function: Function) -> None:
        cursor = self.cursor
        suffix: list[str] = []
        while True:
            token = cursor.peek()
            if token in UNNAMED:
                function.prefix = (*function.prefix, cursor.next())
            elif token == "addrspace":
                cursor.next()
                function.type = PointerType(self.types.address_space())
            elif token in SUFFIXES:
                suffix.append(read_suffix(cursor))
            elif token in ("personality", "prefix", "prologue"):
                cursor.next()
                setattr(function, _DATA[token], self.constants.typed())
            elif (found := self.attributes.function(FUNCTION_ATTRIBUTES)) or self.cursor.peek() != token:
                function.attributes = AttributeSet(function.attributes.attributes + found.attributes)
            else:
                break
        function.suffix = tuple(suffix)
        self._attachments(function)


_DATA = {"personality": "personality", "prefix": "prefix_data", "prologue": "prologue_data"}
