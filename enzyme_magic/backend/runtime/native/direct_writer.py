"""LLVM text, line by line, of a function that Python calls directly: values and checks.

Invariant: a check that fails goes to the block `slow`, where nothing has been written yet, or, once arrays have been made, to the
block that releases them. What needs no types of the function is C (c/objects.c), and called. direct_text.py puts it together.
"""

from __future__ import annotations

from collections.abc import Sequence

from enzyme_magic.backend.runtime.native.constants import OBJECT_TYPE

PYTHON = (
    *("PyBool_FromLong", "PyBytes_AsString", "PyErr_Occurred", "PyFloat_FromDouble", "PyLong_AsLongLongAndOverflow"),
    *("PyLong_FromLongLong", "PyLong_FromUnsignedLongLong", "PyObject_Vectorcall", "PyTuple_GetItem", "PyTuple_New"),
    *("PyType_GenericAlloc", "Py_DecRef", "Py_IncRef"),
)

VIEW = ("data", "shape", "count", "rank")  # struct view of c/objects.c

DECLARED = """
@em.type.int = external global i8
%em.view = type { ptr, ptr, i64, i64 }
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
declare { i64, i1 } @llvm.sadd.with.overflow.i64(i64, i64)
declare { i64, i1 } @llvm.ssub.with.overflow.i64(i64, i64)
declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64)
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

    def word(self, place: int) -> str:
        """A word of the function's block."""
        return self.op(f"load ptr, ptr {self.op(f'getelementptr ptr, ptr %words, i64 {place}')}")

    def field(self, view: str, name: str) -> str:
        """Of an array that was asked for it."""
        at = self.op(f"getelementptr %em.view, ptr {view}, i64 0, i32 {VIEW.index(name)}")
        return self.op(f"load {'ptr' if name in ('data', 'shape') else 'i64'}, ptr {at}")

    def dimension(self, view: str, axis: int) -> str:
        shape = self.field(view, "shape")
        return self.op(f"load i64, ptr {self.op(f'getelementptr i64, ptr {shape}, i64 {axis}')}")

    def checked(self, operator: str, a: str, b: str) -> str:
        """Integer arithmetic that fits."""
        both = self.op(f"call {{ i64, i1 }} @llvm.{_CHECKED[operator]}.with.overflow.i64(i64 {a}, i64 {b})")
        over = self.op(f"extractvalue {{ i64, i1 }} {both}, 1")
        self.need(self.op(f"xor i1 {over}, true"))
        return self.op(f"extractvalue {{ i64, i1 }} {both}, 0")

    def whole(self, given: str) -> str:
        """An int's value as an i64."""
        kind = self.op(f"load ptr, ptr {self.op(f'getelementptr i8, ptr {given}, i64 {OBJECT_TYPE}')}")
        self.need(self.op(f"icmp eq ptr {kind}, @em.type.int"))
        over = self.variable("i32")
        number = self.op(f"call i64 @PyLong_AsLongLongAndOverflow(ptr {given}, ptr {over})")
        self.need(self.op(f"icmp eq i32 {self.op(f'load i32, ptr {over}')}, 0"))
        return number

    def real(self, given: str, word: str) -> str:
        """A float's value, or an int's that is one, as a C double or float."""
        fine = self.variable("i8")
        name = "em.direct.real.single" if word == "float" else "em.direct.real"
        value = self.op(f"call {word} @{name}(ptr {given}, ptr {fine})")
        self.need(self.op(f"icmp ne i8 {self.op(f'load i8, ptr {fine}')}, 0"))
        return value

    def filled(self, made: str, entries: Sequence[str]) -> str:
        """A new tuple with these new references; null, and they are released, where one of them or the tuple is null."""
        table = self.variable(f"[{max(len(entries), 1)} x ptr]")
        for index, entry in enumerate(entries):
            self.line(f"store ptr {entry}, ptr {self.op(f'getelementptr ptr, ptr {table}, i64 {index}')}")
        return self.op(f"call ptr @em.direct.filled(ptr {made}, ptr {table}, i64 {len(entries)})")
