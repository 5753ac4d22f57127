"""Functions of the C library that call back a function of the program get bodies: qsort, qsort_r, bsearch.

Derivatives flow through the elements that are sorted, and no summary says where each of them went. So each call becomes one of a
function of the program, written in C (runtime/native/c/sorting.c), that does what C says of the library's. Each call has a copy of
its own, in which the size of the elements and the function that compares them are known: what the bytes hold is then a question
about one array, and not about all that the program sorts.

Invariant: the program computes what it computed, with equal elements in the order that glibc leaves them in. A function that the
program defines itself, and one that it declares with another prototype, stay what they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from enzyme_magic.backend.ir.attributes import Attribute
from enzyme_magic.backend.ir.clone import clone_function
from enzyme_magic.backend.ir.graphs.callgraph import globals_in
from enzyme_magic.backend.ir.graphs.def_use import replace_uses
from enzyme_magic.backend.ir.instructions import Call
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.text import parser, printer
from enzyme_magic.backend.ir.values import ConstantInt, Value
from enzyme_magic.backend.llvm import link
from enzyme_magic.backend.runtime.native.texts import text_of

_BODY = "em.library."
_DECLARED = re.compile(r"^declare [^@\n]*@(\w+)\(", re.MULTILINE)


def add(text: str) -> str:
    """A program's text with bodies for what it calls of the library; the same text where that is nothing."""
    names = _bodies().intersection(_DECLARED.findall(text))
    if not names:
        return text
    module = parser.parse(link.link([text, text_of("sorting")]))
    for name in sorted(_bodies()):
        body = module.functions.pop(_BODY + name)
        function = module.functions.get(name)
        if function is not None and function.is_declaration and function.function_type == body.function_type:
            _add_bodies(module, function, body)
    return printer.print_module(module)


@cache
def _bodies() -> frozenset[str]:
    """The functions of the library that have a body."""
    return frozenset(re.findall(rf"^define [^@\n]*@{re.escape(_BODY)}(\w+)\(", text_of("sorting"), re.MULTILINE))


def _add_bodies(module: Module, function: Function, body: Function) -> None:
    """Every use of `function`, which is declared, becomes one of a copy of `body`."""
    calls = _calls(module, function)
    del module.functions[function.name]
    for call in calls:
        call.operands[-1] = body
    if any(function in globals_in(value) for value in _mentioned(module)):
        module.add(_define(function, body))
    for number, call in enumerate(calls):
        name = function.name if function.name not in module.functions else f"{function.name}.{number}"
        call.operands[-1] = made = _copy(body, name, call.arguments)
        module.add(made)


def _calls(module: Module, function: Function) -> list[Call]:
    found = [i for f in module.definitions() for i in f.instructions() if isinstance(i, Call)]
    return [call for call in found if call.called_function is function and call.function_type == function.function_type]


def _copy(body: Function, name: str, given: Sequence[Value]) -> Function:
    """A copy in which the constants among the arguments are known."""
    made = clone_function(body, name, {})
    made.linkage = "internal"
    made.attributes = made.attributes.with_(Attribute("noinline"))
    parameters = zip(made.arguments, given, strict=False)
    replace_uses(made, {p: value for p, value in parameters if isinstance(value, ConstantInt | Function)})
    return made


def _define(function: Function, body: Function) -> Function:
    """The function whose address somebody has, with a body."""
    made = _copy(body, function.name, ())
    function.linkage, function.attributes = made.linkage, made.attributes
    function.prefix, function.arguments, function.blocks = made.prefix, made.arguments, made.blocks
    for block in function.blocks:
        block.parent = function
    return function


def _mentioned(module: Module) -> Iterator[Value]:
    for function in module.definitions():
        for i in function.instructions():
            yield from i.operands
    yield from (v.initializer for v in module.variables.values() if v.initializer is not None)
    yield from (a.aliasee for a in module.aliases.values() if a.aliasee is not None)
