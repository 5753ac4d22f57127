"""A program with derivatives in it, made ready to be differentiated again.

What the written derivatives call gets its body, so that a derivative of them follows into it; only the arena and shadows of the
heap stay apart (analysis/calls/runtime_calls.py says what they do). All of it is inlined where it does not
recurse: an augmented primal and its reverse function become one function and the frame between them ordinary memory, and a tape has
the type of what one value keeps there.
"""

from __future__ import annotations

from enzyme_magic.backend.ir.attributes import Attribute
from enzyme_magic.backend.ir.graphs.callgraph import CallGraph
from enzyme_magic.backend.ir.module import Module
from enzyme_magic.backend.ir.text import parser, printer
from enzyme_magic.backend.llvm import link
from enzyme_magic.backend.passes import native_code
from enzyme_magic.backend.rules.registry import INACTIVE

WRITTEN = "em-written"  # attribute of functions that differentiation wrote


def mark(module: Module) -> None:
    """Note that differentiation wrote the functions of `module`, in place."""
    for function in module.definitions():
        function.attributes = function.attributes.with_(Attribute(WRITTEN, None, quoted=True))


def differentiable(text: str) -> str:
    """The program's text, ready to be optimized and differentiated."""
    supports = native_code.needed(text, [part for part in native_code.PARTS if part not in native_code.OPAQUE])
    followed = native_code.defined(native_code.FOLLOWED)
    module = parser.parse(link.link([text, *supports]) if supports else text)
    recursive = CallGraph.of(module).recursive
    for function in module.definitions():
        ours = WRITTEN in function.attributes or function.name in followed
        if ours and function not in recursive and INACTIVE not in function.attributes:
            function.attributes = function.attributes.without(["noinline"]).with_(Attribute("alwaysinline"))
    return printer.print_module(module)
