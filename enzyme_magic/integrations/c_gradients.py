"""A gradient as a C function of its own, for callers that know only addresses: SciPy's low-level callables, Numba, ctypes.

Invariant: it takes the parameters of the C function. The derivative with respect to one number, or to one entry of an array, is
returned. Otherwise a pointer for each gradient follows, in the order of wrt, and gradients are added to what lies there, as Enzyme
does; the value is returned where it was asked for. Each is written as a request (`__enzyme_autodiff`, `__enzyme_fwddiff`), joined
to the compiled program; none is computed here.

Static variables are those of the program, and as after a request in C: they are not put back. No argument is checked.
"""

from __future__ import annotations

from dataclasses import dataclass

from enzyme_magic.api.derivatives.gradient_as_function import GradientAsFunction
from enzyme_magic.api.derivatives.gradient_function import GradientFunction
from enzyme_magic.api.function import CFunction
from enzyme_magic.backend.frontend.c_types import CType, Pointer, Scalar, Void, holds_floats, innermost, is_float
from enzyme_magic.backend.runtime.values.arguments import parameter_names
from enzyme_magic.errors import ArgumentError
from enzyme_magic.integrations.kernels import spelled

HEADER = "void *calloc(unsigned long, unsigned long);\nvoid free(void *);\n"


def as_c(gradient: GradientFunction, entry: int | None = None) -> CFunction:
    """The gradient as a C function. entry: only the derivative with respect to this element of the array in wrt, returned.

    Raises ArgumentError EM603 where that cannot be said with C's numbers and pointers.
    """
    gradient.function.require_float_result("grad")
    bottom = gradient.function.c_function if isinstance(gradient.function, GradientAsFunction) else gradient.function
    made = _written(gradient, entry)
    return bottom.program.extended(HEADER + made.text, made.symbol)[made.symbol]


@dataclass(frozen=True, slots=True)
class _Written:
    symbol: str
    text: str


def _unfit(gradient: GradientFunction, problem: str, hint: str) -> ArgumentError:
    return ArgumentError(f"{gradient.__name__} as a C function: {problem}", code="EM603", hint=hint)


def _pointed(type_: CType) -> str:
    """The type in the declaration: what a pointer to structs points to need not be known."""
    if not isinstance(type_, Pointer):
        return spelled(type_)
    held = innermost(type_.to)
    return f"{spelled(held)} *" if isinstance(held, Scalar) else "void *"


def _written(gradient: GradientFunction, entry: int | None) -> _Written:
    """The text of the function, after those of what it differentiates."""
    function = gradient.function
    if gradient.out is not None or gradient.caching is not None:
        raise _unfit(gradient, "out= and caching= belong to calls from Python", "em.grad(f, wrt=…)")
    if isinstance(function, GradientAsFunction):
        below = _written(function.gradient, None)
        if not _is_number(function.gradient):
            raise _unfit(gradient, "it is the gradient of a gradient that is no single number", "wrt='x' in both")
        signature, symbol, text = function.c_function.c_signature, below.symbol, below.text
    else:
        signature, symbol = function.c_signature, function.name
        types = ", ".join(_pointed(p.type) for p in signature.parameters) or "void"
        text = f"{spelled(signature.result)} {symbol}({types});\n"
    of = _Of(gradient, symbol, [p.type for p in signature.parameters], spelled(signature.result))
    written = of.partial(entry) if entry is not None else of.number() if _is_number(gradient) else of.added()
    made = f"em_grad_{symbol}"
    return _Written(made, text + written.replace("@", made))


def _is_number(gradient: GradientFunction) -> bool:
    """Whether it is one number: that is returned."""
    signature = gradient.function.c_signature
    bare = gradient.choice.bare and not gradient.value
    return bare and is_float(signature.parameters[gradient.choice.indices[0]].type)


class _Of:
    """Writes the functions around one request. @ stands for the name."""

    def __init__(self, gradient: GradientFunction, symbol: str, types: list[CType], result: str) -> None:
        self.gradient, self.symbol, self.types, self.result = gradient, symbol, types, result
        self.wrt = gradient.choice.indices
        self.parameters = [f"{_pointed(type_)} a{k}" for k, type_ in enumerate(types)]

    def number(self) -> str:
        """The derivative with respect to one number, forwards."""
        (k,) = self.wrt
        passed = ", ".join(
            f"enzyme_dup, a{i}, ({spelled(t)})1" if i == k else f"enzyme_const, a{i}" for i, t in self._numbered()
        )
        return self._forward(spelled(self.types[k]), passed, "", "")

    def partial(self, entry: int) -> str:
        """The derivative with respect to one element of an array, forwards."""
        if len(self.wrt) != 1 or not isinstance(self.types[self.wrt[0]], Pointer) or self.gradient.value or entry < 0:
            raise _unfit(self.gradient, f"entry={entry} is of one array in wrt", "em.grad(f, wrt='x')")
        (k,) = self.wrt
        element = _pointed(self.types[k]).removesuffix(" *")
        passed = ", ".join(f"enzyme_dup, a{i}, d" if i == k else f"enzyme_const, a{i}" for i, _ in self._numbered())
        count = self._count(k)
        lines = [
            f"long long n = {count};",
            f'if ({entry} >= n) return __builtin_nan("");',
            f"{element} *d = calloc(n, sizeof *d);",
            f"d[{entry}] = 1;",
        ]
        before = "".join(f"{line}\n  " for line in lines)
        return self._forward(element, passed, before, "\n  free(d);")

    def _forward(self, type_: str, passed: str, before: str, after: str) -> str:
        self._refuse_written(frozenset(self.wrt))
        request = f"__enzyme_fwddiff_{self.result}"
        head = f"{self.result} {request}(void *, ...);\n{self.result} @({', '.join(self.parameters)}) {{\n  {before}"
        return f"{head}{self.result} r = {request}((void *){self.symbol}, {passed});{after}\n  return r;\n}}\n"

    def added(self) -> str:
        """Gradients in memory, reverse mode; numbers go through memory too."""
        self._refuse_written(frozenset(self.wrt))
        places = [f"*a{k}" if k in self.wrt and not isinstance(t, Pointer) else f"a{k}" for k, t in self._numbered()]
        types = [
            f"{_pointed(t)} *" if place.startswith("*") else _pointed(t)
            for place, t in zip(places, self.types, strict=True)
        ]
        inner = ", ".join(f"{type_} a{k}" for k, type_ in enumerate(types))
        text = f"static void @_c({inner}, {self.result} *r) {{ *r = {self.symbol}({', '.join(places)}); }}\n"
        added, passed = [], []
        for k, type_ in self._numbered():
            if k not in self.wrt:
                passed.append(f"enzyme_const, a{k}")
                continue
            number = not isinstance(type_, Pointer)
            added.append(f"{_pointed(type_)} {'*' if number else ''}d{k}")
            passed.append(f"enzyme_dup, {'&' if number else ''}a{k}, d{k}")
        result = self.result if self.gradient.value else "void"
        ends = "  return r;\n" if self.gradient.value else ""
        return (
            f"{text}void __enzyme_autodiff_@(void *, ...);\n{result} @({', '.join([*self.parameters, *added])}) {{\n"
            f"  {self.result} r = 0, s = 1;\n"
            f"  __enzyme_autodiff_@((void *)@_c, {', '.join([*passed, 'enzyme_dup, &r, &s'])});\n{ends}}}\n"
        )

    def _numbered(self) -> list[tuple[int, CType]]:
        return list(enumerate(self.types))

    def _refuse_written(self, given: frozenset[int]) -> None:
        """What C writes through carries derivatives, so that it needs a shadow: memory of the caller's."""
        function = self.gradient.function
        names = parameter_names(function.c_signature)
        for k in sorted(function.roles.written - given):
            type_ = self.types[k] if k < len(self.types) else Void()
            if k not in function.roles.passive and isinstance(type_, Pointer) and holds_floats(innermost(type_.to)):
                raise _unfit(
                    self.gradient,
                    f"the function writes to {names[k]}, and there is no memory for the derivatives of that",
                    f"put {names[k]} into wrt, or write a C function without it",
                )

    def _count(self, index: int) -> str:
        """How many elements an array has, in the parameters of the C function."""
        arguments = self.gradient.function.arguments()
        name = arguments.names[index]
        declared = arguments.extents.arrays.get(name)
        texts = [e.text if e else None for e in declared.extents] if declared else []
        if len(texts) != 1 or texts[0] not in arguments.names:
            found = [n.elements for n in arguments.needs if n.parameter == index and n.elements in arguments.names]
            texts = list(found[:1])
        if len(texts) != 1 or texts[0] is None:
            raise _unfit(
                self.gradient,
                f"how many elements {name} has is not known",
                f"write {name}[n] in C, or shape={{'{name}': 'n'}}",
            )
        return f"a{arguments.names.index(texts[0])}"
