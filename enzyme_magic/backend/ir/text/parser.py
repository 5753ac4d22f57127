"""LLVM text → Module.

Invariant: one pass in linear time. Before it, one look at every `=` and every `define` makes the named objects, empty: globals,
functions and metadata nodes, so that forward references resolve at once. The text is expected as LLVM prints it (version 22).

What is outside the subset raises UnsupportedIRError with the instruction and its C line; nothing is skipped silently.
"""

from __future__ import annotations

import gc

from enzyme_magic.backend.ir.linkage import LINKAGES, SANITIZERS, SUFFIXES, read_prefix, read_suffix
from enzyme_magic.backend.ir.module import Function, GlobalAlias, GlobalValue, GlobalVariable, Module
from enzyme_magic.backend.ir.text.lexer import END, Cursor, name_of
from enzyme_magic.backend.ir.text.parse_constants import ConstantParser, Symbols
from enzyme_magic.backend.ir.text.parse_function import BodyParser, HeaderParser
from enzyme_magic.backend.ir.text.parse_metadata import MetadataParser
from enzyme_magic.backend.ir.text.parse_types import AttributeParser, TypeParser
from enzyme_magic.backend.ir.types import POINTER, PointerType

_KINDS = frozenset(["global", "constant", "alias", "ifunc"])


def parse(text: str) -> Module:
    """The module `text` describes. Raises UnsupportedIRError (EM150).

    The cyclic garbage collector rests meanwhile: a module is one large graph of objects that all stay, and searching it
    again and again for garbage would take longer than the parsing."""
    parser = _ModuleParser(text)
    collecting = gc.isenabled()
    gc.disable()
    try:
        return parser.run()
    except RecursionError:
        raise parser.cursor.error("types or constants nested too deeply") from None
    except IndexError:
        raise parser.cursor.error("the text ends too early") from None
    finally:
        if collecting:
            gc.enable()


class _ModuleParser:
    def __init__(self, text: str) -> None:
        self.cursor = cursor = Cursor(text)
        self.module = Module()
        self.symbols = Symbols()
        self.types = TypeParser(cursor)
        self.attributes = AttributeParser(cursor, self.types)
        self.constants = ConstantParser(cursor, self.types, self.symbols)
        self.metadata = MetadataParser(cursor, self.types, self.constants.parse)
        shared = (cursor, self.types, self.attributes, self.constants, self.metadata)
        self.header = HeaderParser(*shared)
        self.body = BodyParser(*shared, self.module)

    def run(self) -> Module:
        self._prepare()
        cursor = self.cursor
        statements = {
            "source_filename": self._source_filename,
            "target": self._target,
            "module": self._assembly,
            "declare": self._declare,
            "define": self._define,
            "attributes": self._skip_group,
        }
        while (token := cursor.next()) != END:
            statement = statements.get(token)
            if statement is not None:
                statement()
            else:
                self._definition(token)
        return self.module

    # Before the pass

    def _prepare(self) -> None:
        tokens = self.cursor.tokens
        for index, token in enumerate(tokens):
            if token == "=":
                before = tokens[index - 1]
                if before[0] == "!" and before[1:].isdigit():
                    self.metadata.prepare(index)
                elif before[0] == "@":
                    self._prepare_global(before, index)
                elif before[0] == "#" and tokens[index - 2] == "attributes":
                    self.cursor.at = index + 1
                    self.attributes.groups[before] = self.attributes.group()
            elif token in ("define", "declare"):
                self._prepare_function(index)
        self.cursor.at = 0

    def _prepare_function(self, index: int) -> None:
        tokens = self.cursor.tokens
        while tokens[index][:1] != "@":
            index += 1
            if index - len(tokens) >= -1:
                raise self.cursor.error("a function name expected")
        function = Function(self._name(tokens[index]), parent=self.module)
        self._register(tokens[index], function)

    def _prepare_global(self, token: str, index: int) -> None:
        tokens = self.cursor.tokens
        name = self._name(token)
        kind = next((t for t in tokens[index : index + 20] if t in _KINDS), None)
        if kind is None:
            self.cursor.at = index
            raise self.cursor.error(f"'global', 'constant' or 'alias' expected behind {token}")
        is_alias = kind in ("alias", "ifunc")
        self._register(token, GlobalAlias(name, keyword=kind) if is_alias else GlobalVariable(name))

    def _name(self, token: str) -> str:
        name = name_of(token)
        if name.isdigit() and '"' in token:
            raise self.cursor.error(f"global {token} has a number for a name")
        return name

    def _register(self, token: str, value: GlobalValue) -> None:
        self.symbols.globals[token] = value
        if '"' in token:
            self.symbols.globals["@" + value.name] = value
        self.module.add(value)

    # Statements

    def _source_filename(self) -> None:
        self.cursor.expect("=")
        self.module.source_filename = self.cursor.string()

    def _target(self) -> None:
        which = self.cursor.next()
        self.cursor.expect("=")
        value = self.cursor.string()
        if which == "triple":
            self.module.triple = value
        else:
            self.module.datalayout = value

    def _assembly(self) -> None:
        self.cursor.expect("asm")
        self.module.asm = (*self.module.asm, self.cursor.string())

    def _skip_group(self) -> None:
        cursor = self.cursor
        cursor.at = cursor.tokens.index("}", cursor.at) + 1

    def _function_here(self) -> Function:
        cursor = self.cursor
        index = cursor.at
        while cursor.tokens[index][:1] != "@":
            index += 1
        function = self.symbols.globals[cursor.tokens[index]]
        if not isinstance(function, Function):
            raise cursor.error(f"{cursor.tokens[index]} is defined as something else, too")
        return function

    def _declare(self) -> None:
        self.header.parse(self._function_here())

    def _define(self) -> None:
        function = self._function_here()
        self.header.parse(function)
        self.cursor.expect("{")
        self.body.parse(function, self.symbols)

    def _definition(self, token: str) -> None:
        cursor = self.cursor
        if not cursor.accept("="):
            cursor.at -= 1
            raise cursor.error(f"a statement expected instead of {token!r}")
        if token in self.metadata.nodes:
            self.metadata.define(token)
        elif token[0] == "!":
            cursor.expect("!")
            self.module.named_metadata[token[1:]] = self.metadata.tuple_here(self.constants.parse)
        elif token[0] == "%":
            cursor.expect("type")
            self.module.named_types[token[1:]] = None if cursor.accept("opaque") else self.types.parse()
        elif token[0] == "$":
            cursor.expect("comdat")
            self.module.comdats[name_of(token)] = cursor.next()
        else:
            self._global(token)

    def _global(self, token: str) -> None:
        value = self.symbols.globals.get(token)
        cursor = self.cursor
        if value is None:
            raise cursor.error(f"a statement expected instead of {token!r}")
        if cursor.peek() in LINKAGES:
            value.linkage = cursor.next()
        value.prefix = read_prefix(cursor)
        if isinstance(value, GlobalVariable):
            self._variable(value)
        elif isinstance(value, GlobalAlias):
            self._alias(value)

    def _variable(self, variable: GlobalVariable) -> None:
        cursor = self.cursor
        if cursor.accept("addrspace"):
            variable.type = PointerType(self.types.address_space())
        variable.externally_initialized = cursor.accept("externally_initialized")
        variable.constant = cursor.next() == "constant"
        variable.value_type = self.types.parse()
        if variable.linkage not in ("external", "extern_weak"):
            variable.initializer = self.constants.parse(variable.value_type)
        suffix: list[str] = []
        while cursor.accept(","):
            token = cursor.peek()
            if token[:1] == "!":
                cursor.next()
                variable.metadata[token[1:]] = self.metadata.operand(self.constants.parse)
            elif token in SUFFIXES:
                suffix.append(read_suffix(cursor))
            elif token in SANITIZERS:
                suffix.append(cursor.next())
            else:
                raise cursor.error(f"{token!r} behind a global variable")
        variable.suffix = tuple(suffix)
        variable.attributes = self.attributes.function(frozenset())

    def _alias(self, alias: GlobalAlias) -> None:
        cursor = self.cursor
        cursor.next()
        alias.value_type = self.types.parse()
        if cursor.peek() == "(":
            alias.value_type = self.types.function_type(alias.value_type)
        cursor.expect(",")
        # LLVM leaves the type out before a constant expression
        alias.aliasee = self.constants.typed() if self.types.starts_here() else self.constants.parse(POINTER)
        alias.type = alias.aliasee.type
        suffix: list[str] = []
        while cursor.accept(","):
            suffix.append(read_suffix(cursor))
        alias.suffix = tuple(suffix)
