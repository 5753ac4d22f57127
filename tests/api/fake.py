"""A compiled program made by hand: what the pipeline gives, without the compiler."""

from __future__ import annotations

from dataclasses import dataclass, field

from enzyme_magic.api.program import Program
from enzyme_magic.backend.autodiff.calls.request import Request
from enzyme_magic.backend.frontend.c_types import CParameter, CType, Pointer, Scalar, Signature, Void
from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.backend.llvm.objects.jit import Library, compile_object
from enzyme_magic.backend.native import Entry, MemoryNeed, ResultField, Slot
from enzyme_magic.config import Options
from enzyme_magic.errors import Diagnostic

DOUBLE = Scalar("double", "float", 8)
INT = Scalar("int", "int", 4)
SIZE = Scalar("size_t", "uint", 8, base="unsigned long")
IN = Pointer(DOUBLE, const=True)
OUT = Pointer(DOUBLE)

TEXT = """
define double @cube(double %x) {
  %s = fmul double %x, %x
  %c = fmul double %s, %x
  ret double %c
}
define double @product(double %x, double %lambda) {
  %v = fmul double %x, %lambda
  ret double %v
}
define double @first(ptr %x, i64 %n, ptr %out) {
  %v = load double, ptr %x
  %s = fmul double %v, %v
  store double %s, ptr %out
  ret double %s
}
define double @grad(i32 %k) {
  %v = sitofp i32 %k to double
  ret double %v
}
"""
DERIVATIVES = {
    ("cube", (0,), False): (
        "define double @diffe_cube(double %x) {\n"
        "  %s = fmul double %x, %x\n  %g = fmul double %s, 3.0\n  ret double %g\n}",
        Entry("diffe_cube", (Slot("primal", 0),), ResultField("gradient", "double", 0)),
    ),
    ("cube", (0,), True): (
        "define void @diffe_cube_v(double %x, ptr %results) {\n"
        "  %s = fmul double %x, %x\n  %v = fmul double %s, %x\n  %g = fmul double %s, 3.0\n"
        "  store double %v, ptr %results\n  %p = getelementptr double, ptr %results, i64 1\n"
        "  store double %g, ptr %p\n  ret void\n}",
        Entry(
            "diffe_cube_v",
            (Slot("primal", 0), Slot("results")),
            fields=(ResultField("value", "double"), ResultField("gradient", "double", 0, 8)),
            size=16,
        ),
    ),
    ("product", (0, 1), False): (
        "define void @diffe_product(double %x, double %y, ptr %results) {\n"
        "  store double %y, ptr %results\n  %p = getelementptr double, ptr %results, i64 1\n"
        "  store double %x, ptr %p\n  ret void\n}",
        Entry(
            "diffe_product",
            (Slot("primal", 0), Slot("primal", 1), Slot("results")),
            fields=(ResultField("gradient", "double", 0), ResultField("gradient", "double", 1, 8)),
            size=16,
        ),
    ),
    ("product", (1,), False): (
        "define double @diffe_product_1(double %x, double %y) {\n  ret double %x\n}",
        Entry("diffe_product_1", (Slot("primal", 0), Slot("primal", 1)), ResultField("gradient", "double", 1)),
    ),
    ("first", (0,), False): (
        "define void @diffe_first(ptr %x, ptr %dx, i64 %n, ptr %out, ptr %dout) {\n"
        "  %v = load double, ptr %x\n  %g = fmul double %v, 2.0\n  store double %g, ptr %dx\n"
        "  store double %v, ptr %out\n  ret void\n}",
        Entry(
            "diffe_first",
            (Slot("primal", 0), Slot("shadow", 0), Slot("primal", 1), Slot("primal", 2), Slot("shadow", 2)),
        ),
    ),
}


def signature(name: str, result: CType, *parameters: CParameter, static: bool = False) -> Signature:
    return Signature(name, result, parameters, line=1, file="In[3]", static=static)


SIGNATURES = {
    "cube": signature("cube", DOUBLE, CParameter("x", DOUBLE)),
    "product": signature("product", DOUBLE, CParameter("x", DOUBLE), CParameter("lambda", DOUBLE)),
    "first": signature(
        "first", DOUBLE, CParameter("x", IN, ("n",)), CParameter("n", SIZE), CParameter("out", OUT, ("1",))
    ),
    "grad": signature("grad", DOUBLE, CParameter("k", INT)),
    "hidden": signature("hidden", Void(), static=True),
    "driver": signature("driver", DOUBLE, CParameter("rows", Pointer(OUT))),
}


@dataclass
class FakePrimal:
    entry: Entry
    written: tuple[int, ...] = ()
    read: tuple[int, ...] = ()
    uniform: bool = False
    needs: tuple[MemoryNeed, ...] = ()
    separable: tuple[int, ...] = ()


@dataclass
class FakeDerivative:
    entry: Entry
    library: Library
    gradient_ir: str
    gradient_optimized_ir: str
    timings: dict[str, float] = field(default_factory=dict)


@dataclass
class FakeCompiled:
    """`made` counts how often each derivative was compiled."""

    signatures: dict[str, Signature] = field(default_factory=lambda: dict(SIGNATURES))
    diagnostics: tuple[Diagnostic, ...] = (Diagnostic("warning", "unused variable 'y'"),)
    notes: tuple[str, ...] = ("added #include <math.h>",)
    timings: dict[str, float] = field(default_factory=lambda: {"front end": 30.0})
    made: list[Request] = field(default_factory=list)
    _library: Library | None = None

    @property
    def library(self) -> Library:
        if self._library is None:
            self._library = Library.load([compile_object(TEXT)], ["cube", "product", "first", "grad"])
        return self._library

    def primal(self, function: str) -> FakePrimal:
        parameters = self.signatures[function].parameters
        slots = tuple(Slot("primal", index) for index in range(len(parameters)))
        entry = Entry(function, slots, ResultField("value", "double"))
        return FakePrimal(entry, (2,), (0,)) if function == "first" else FakePrimal(entry)

    def inlinable_ir(self) -> str:
        return self.ir("optimized", next(iter(self.signatures)))

    def ir(self, stage: str, function: str) -> str:
        return TEXT

    def derivative(self, request: Request) -> FakeDerivative:
        self.made.append(request)
        text, entry = DERIVATIVES[request.function, request.wrt, request.value]
        return FakeDerivative(entry, Library.load([compile_object(text)], [entry.symbol]), "; gradient\n" + text, text)


def program() -> Program:
    return Program(FakeCompiled(), [Source("/* C */", "In[3]")], Options(), "In[3]")
