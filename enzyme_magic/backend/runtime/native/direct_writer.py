"""LLVM text, line by line, of a function that Python calls directly: values and checks.

Invariant: a check that fails goes to the block `slow`, where nothing has been written yet, or, once arrays have been made, to the
block that releases them. This is text; direct_text.py puts it together.
"""

from __future__ import annotations

from collections.abc import Sequence

from enzyme_magic.backend.runtime.values import objects

PYTHON = (
    *("PyBool_FromLong", "PyBytes_AsString", "PyErr_Occurred", "PyFloat_FromDouble", "PyLong_AsLongLongAndOverflow"),
    *("PyLong_FromLongLong", "PyLong_FromUnsignedLongLong", "PyObject_Vectorcall", "PyTuple_GetItem", "PyTuple_New"),
    *("PyType_GenericAlloc", "Py_DecRef", "Py_IncRef"),
)
_EXACT = 1 << 53  # integers up to here are doubles

DECLARED = """
@em.type.float = external global i8
@em.type.double = external global i8
@em.type.int = external global i8
@em.type.array = external global i8
declare ptr @em.run.arena_current()
declare ptr @PyBool_FromLong(i64)
declare ptr @PyBytes_AsString(ptr)
declare ptr @PyErr_Occurred()
declare ptr @PyFloat_FromDouble(double)
declare i64 @PyLong_AsLongLongAndOverflow(ptr, ptr)
declare ptr @PyLong_FromLongLong(i64)
declare ptr @PyLong_FromUnsignedLongLong(i64)
declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)
declare ptr @PyTuple_GetItem(ptr, i64)
declare ptr @PyTuple_New(i64)
declare ptr @PyType_GenericAlloc(ptr, i64)
declare void @Py_DecRef(ptr)
declare void @Py_IncRef(ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.abs.i64(i64, i1)
declare i64 @llvm.uadd.sat.i64(i64, i64)
declare i64 @llvm.readcyclecounter()
declare zeroext i1 @em.direct.keeps(ptr, i64)
declare void @em.direct.measured(ptr, i64, i1 zeroext, i64)
declare double @llvm.fabs.f64(double)
declare float @llvm.fabs.f32(float)
declare { i64, i1 } @llvm.sadd.with.overflow.i64(i64, i64)
declare { i64, i1 } @llvm.ssub.with.overflow.i64(i64, i64)
declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64)
declare i64 @em.direct.count(i32, ptr)
declare zeroext i1 @em.direct.same(i32, ptr, i32, ptr)
declare zeroext i1 @em.direct.apart(ptr, i64, ptr, i64)
declare ptr @em.direct.zeros(i64, ptr, i32, ptr)
declare ptr @em.direct.none()
declare ptr @em.direct.filled(ptr, ptr, i64)
declare ptr @em.direct.single(float)
declare zeroext i1 @em.direct.settled()
"""

_CHECKED = {"+": "sadd", "-": "ssub", "*": "smul", "mul": "smul"}


class Writer:
    """The lines of one function, and the variables of its stack. owned: arrays made so far, to be released where the call fails."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.variables: list[str] = []
        self.here = "entry"
        self.owned: list[str] = []
        self._used = 0

    def line(self, text: str) -> None:
        self.lines.append(f"  {text}")

    def op(self, text: str) -> str:
        """A new value."""
        self._used += 1
        self.line(f"%v{self._used} = {text}")
        return f"%v{self._used}"

    def variable(self, word: str) -> str:
        """Memory of the function's stack."""
        self._used += 1
        self.variables.append(f"  %v{self._used} = alloca {word}, align 16")
        return f"%v{self._used}"

    def label(self, word: str) -> str:
        self._used += 1
        return f"{word}{self._used}"

    def begin(self, label: str) -> None:
        self.lines.append(f"{label}:")
        self.here = label

    def need(self, condition: str, otherwise: str = "slow") -> None:
        """The function goes on only where the condition holds."""
        go = self.label("go")
        self.line(f"br i1 {condition}, label %{go}, label %{otherwise}")
        self.begin(go)

    def failing(self) -> str:
        """The block that releases what is owned now and returns with Python's error."""
        return f"fail{len(self.owned)}"

    def own(self, array: str) -> None:
        """A new array, which may be null."""
        self.need(self.op(f"icmp ne ptr {array}, null"), self.failing())
        self.owned.append(array)

    def field(self, object_: str, offset: int, word: str = "ptr") -> str:
        return self.op(f"load {word}, ptr {self.op(f'getelementptr i8, ptr {object_}, i64 {offset}')}")

    def dimension(self, shape: str, axis: int) -> str:
        return self.op(f"load i64, ptr {self.op(f'getelementptr i64, ptr {shape}, i64 {axis}')}")

    def checked(self, operator: str, a: str, b: str) -> str:
        """Integer arithmetic that fits."""
        both = self.op(f"call {{ i64, i1 }} @llvm.{_CHECKED[operator]}.with.overflow.i64(i64 {a}, i64 {b})")
        over = self.op(f"extractvalue {{ i64, i1 }} {both}, 1")
        self.need(self.op(f"xor i1 {over}, true"))
        return self.op(f"extractvalue {{ i64, i1 }} {both}, 0")

    def whole(self, given: str) -> str:
        """An int's value as an i64."""
        self.need(self.op(f"icmp eq ptr {self.field(given, objects.TYPE)}, @em.type.int"))
        return self._whole(given)

    def _whole(self, given: str) -> str:
        over = self.variable("i32")
        number = self.op(f"call i64 @PyLong_AsLongLongAndOverflow(ptr {given}, ptr {over})")
        self.need(self.op(f"icmp eq i32 {self.op(f'load i32, ptr {over}')}, 0"))
        return number

    def real(self, given: str, word: str) -> str:
        """A float's value, or an int's that is one; for a C float rounded once, where that is finite."""
        kind = self.field(given, objects.TYPE)
        plain, other, integer, joined = (self.label(word) for word in ("plain", "other", "integer", "joined"))
        self.line(f"br i1 {self.op(f'icmp eq ptr {kind}, @em.type.float')}, label %{plain}, label %{other}")
        self.begin(other)
        self.line(f"br i1 {self.op(f'icmp eq ptr {kind}, @em.type.double')}, label %{plain}, label %{integer}")
        self.begin(plain)
        direct = self.field(given, objects.NUMBER, "double")
        self.line(f"br label %{joined}")
        self.begin(integer)
        self.need(self.op(f"icmp eq ptr {kind}, @em.type.int"))
        number = self._whole(given)
        self.need(self.op(f"icmp sle i64 {number}, {_EXACT}"))
        self.need(self.op(f"icmp sge i64 {number}, {-_EXACT}"))
        converted = self.op(f"sitofp i64 {number} to double")
        if word == "float":
            again = self.op(f"fpext float {self.op(f'fptrunc double {converted} to float')} to double")
            self.need(self.op(f"fcmp oeq double {again}, {converted}"))
        end = self.here
        self.line(f"br label %{joined}")
        self.begin(joined)
        value = self.op(f"phi double [ {direct}, %{plain} ], [ {converted}, %{end} ]")
        return value if word == "double" else self._narrowed(value)

    def _narrowed(self, value: str) -> str:
        infinity = "0x7FF0000000000000"
        narrow = self.op(f"fptrunc double {value} to float")
        size = self.op(f"call float @llvm.fabs.f32(float {narrow})")
        finite = self.op(f"fcmp une float {size}, {infinity}")
        endless = self.op(f"fcmp oeq double {self.op(f'call double @llvm.fabs.f64(double {value})')}, {infinity}")
        self.need(self.op(f"or i1 {finite}, {endless}"))
        return narrow

    def filled(self, made: str, entries: Sequence[str]) -> str:
        """A new tuple with these new references; null, and they are released, where one of them or the tuple is null."""
        table = self.variable(f"[{max(len(entries), 1)} x ptr]")
        for index, entry in enumerate(entries):
            self.line(f"store ptr {entry}, ptr {self.op(f'getelementptr ptr, ptr {table}, i64 {index}')}")
        return self.op(f"call ptr @em.direct.filled(ptr {made}, ptr {table}, i64 {len(entries)})")
