"""LLVM's work on a text that may end the process, done first in a process of its own.

LLVM stops the whole process at what it thinks cannot be: a broken module with debug info, a type that its code generator does not
know. Invariant: what `rehearse` gives back has been parsed, verified, optimized and compiled once by the same LLVM with the same
options in the worker, so that it can be done here. Whose texts need it is the caller's decision, with `is_unusual` for C.
"""

from __future__ import annotations

import re

from enzyme_magic.backend.llvm.apart import worker

# Intrinsics that clang writes for ordinary C, and that every code generator knows (x86.sse2 is part of x86-64).
_ORDINARY = re.compile(
    r"(?:abs|annotation|assume|bitreverse|bswap|canonicalize|ceil|copysign|cos|ctlz|ctpop|cttz|dbg|donothing|eh|exp|exp10|exp2|expect|fabs|"
    r"floor|fma|fmuladd|fptosi|fptoui|frameaddress|frexp|fshl|fshr|invariant|is|launder|ldexp|lifetime|llrint|llround|log|log10|log2|lrint|lround|"
    r"maxnum|maximum|memcpy|memmove|memset|minnum|minimum|nearbyint|objectsize|pow|powi|prefetch|ptr|returnaddress|rint|round|roundeven|sadd|sin|"
    r"sincos|smax|smin|smul|sqrt|sshl|ssub|sideeffect|stackrestore|stacksave|strip|tan|trap|trunc|uadd|ubsantrap|umax|umin|umul|ushl|usub|"
    r"va_copy|va_end|va_start|var|vector|x86\.sse2?|experimental\.noalias|experimental\.constrained)\b"
)
_INTRINSIC = re.compile(r"^declare [^\n]*@llvm\.(?P<name>[\w.]+)\(", re.MULTILINE)


def is_unusual(text: str) -> bool:
    """Whether a module that clang made uses intrinsics beyond those of ordinary C."""
    return any(not _ORDINARY.match(found["name"]) for found in _INTRINSIC.finditer(text))


def rehearse(text: str, opt: int, post_opt: int) -> str:
    """`text` as LLVM prints it, which this process can optimize and compile. Raises as `worker.work` does."""
    return worker.work("rehearse", text, opt=opt, post_opt=post_opt).decode("utf-8", "surrogatepass")
