"""What the functions of direct_text.py share, as LLVM text: shapes of arrays, new arrays and tuples, errors of Python.

Invariant: a function that gives an object gives a new reference, or null with Python's error set. calls/direct.py compiles it once.
"""

from __future__ import annotations

import re

from enzyme_magic.backend.runtime.values import objects

PYTHON = (
    *(
        "PyDict_Size",
        "PyErr_Fetch",
        "PyErr_Occurred",
        "PyErr_Restore",
        "PyObject_CallFunctionObjArgs",
        "PyTuple_SetItem",
    ),
    *("Py_DecRef", "Py_IncRef"),
)
SHORT = 20_000  # ticks of the processor's clock: some microseconds
PENALTY = 1_000  # calls
NUMPY = ("new_from_descr", "zeros", "scalar", "set_base")

TEXT = f"""
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
@em.type.array = external global i8
@em.none = external global i8
@em.dtype.bytes = external global i8
@em.dtype.single = external global i8
@em.pending = external global i8
@em.raise_pending = external global i8
declare ptr @em.np.new_from_descr(ptr, ptr, i32, ptr, ptr, ptr, i32, ptr)
declare ptr @em.np.zeros(i32, ptr, ptr, i32)
declare i32 @em.np.set_base(ptr, ptr)
declare ptr @em.np.scalar(ptr, ptr, ptr)
declare i64 @PyDict_Size(ptr)
declare void @PyErr_Fetch(ptr, ptr, ptr)
declare ptr @PyErr_Occurred()
declare void @PyErr_Restore(ptr, ptr, ptr)
declare ptr @PyObject_CallFunctionObjArgs(ptr, ...)
declare i32 @PyTuple_SetItem(ptr, i64, ptr)
declare void @Py_DecRef(ptr)
declare void @Py_IncRef(ptr)

; The number of elements of an array.
define i64 @em.direct.count(i32 %rank, ptr %shape) {{
entry:
  %vector = icmp eq i32 %rank, 1
  br i1 %vector, label %one, label %head
one:
  %length = load i64, ptr %shape
  ret i64 %length
head:
  %axis = phi i32 [ 0, %entry ], [ %next, %more ]
  %count = phi i64 [ 1, %entry ], [ %times, %more ]
  %left = icmp slt i32 %axis, %rank
  br i1 %left, label %more, label %done
more:
  %at = getelementptr i64, ptr %shape, i32 %axis
  %extent = load i64, ptr %at
  %times = mul i64 %count, %extent
  %next = add i32 %axis, 1
  br label %head
done:
  ret i64 %count
}}

define i1 @em.direct.same(i32 %rank, ptr %a, i32 %other, ptr %b) {{
entry:
  %alike = icmp eq i32 %rank, %other
  br i1 %alike, label %head, label %no
head:
  %axis = phi i32 [ 0, %entry ], [ %next, %step ]
  %left = icmp slt i32 %axis, %rank
  br i1 %left, label %more, label %yes
more:
  %a.p = getelementptr i64, ptr %a, i32 %axis
  %b.p = getelementptr i64, ptr %b, i32 %axis
  %a.n = load i64, ptr %a.p
  %b.n = load i64, ptr %b.p
  %equal = icmp eq i64 %a.n, %b.n
  br i1 %equal, label %step, label %no
step:
  %next = add i32 %axis, 1
  br label %head
yes:
  ret i1 true
no:
  ret i1 false
}}

; Whether two pieces of memory have no byte in common.
define i1 @em.direct.apart(ptr %a, i64 %a.size, ptr %b, i64 %b.size) {{
  %a.end = getelementptr i8, ptr %a, i64 %a.size
  %b.end = getelementptr i8, ptr %b, i64 %b.size
  %a.first = icmp uge ptr %b, %a.end
  %b.first = icmp uge ptr %a, %b.end
  %apart = or i1 %a.first, %b.first
  ret i1 %apart
}}

; A zeroed array of this shape, 64-byte aligned inside of an array of bytes; null with Python's error.
define ptr @em.direct.zeros(i64 %bytes, ptr %dtype, i32 %rank, ptr %shape) {{
  %size = alloca i64
  %room = add i64 %bytes, 64
  store i64 %room, ptr %size
  call void @Py_IncRef(ptr @em.dtype.bytes)
  %raw = call ptr @em.np.zeros(i32 1, ptr %size, ptr @em.dtype.bytes, i32 0)
  %none = icmp eq ptr %raw, null
  br i1 %none, label %fail, label %view
view:
  %data.p = getelementptr i8, ptr %raw, i64 {objects.DATA}
  %data = load ptr, ptr %data.p
  %number = ptrtoint ptr %data to i64
  %away = sub i64 0, %number
  %gap = and i64 %away, 63
  %aligned = getelementptr i8, ptr %data, i64 %gap
  call void @Py_IncRef(ptr %dtype)
  %array = call ptr @em.np.new_from_descr(ptr @em.type.array, ptr %dtype, i32 %rank, ptr %shape, ptr null, ptr %aligned,
    i32 {objects.CONTIGUOUS | objects.ALIGNED | objects.WRITEABLE}, ptr null)
  %failed = icmp eq ptr %array, null
  br i1 %failed, label %drop, label %base
drop:
  call void @Py_DecRef(ptr %raw)
  br label %fail
base:
  %set = call i32 @em.np.set_base(ptr %array, ptr %raw)
  %unset = icmp ne i32 %set, 0
  br i1 %unset, label %lose, label %done
lose:
  call void @Py_DecRef(ptr %array)
  br label %fail
done:
  ret ptr %array
fail:
  ret ptr null
}}

define ptr @em.direct.none() {{
  call void @Py_IncRef(ptr @em.none)
  ret ptr @em.none
}}

; A new tuple takes new references over; null, and they are released, where one of them or the tuple is null.
define ptr @em.direct.filled(ptr %made, ptr %entries, i64 %count) {{
entry:
  %none = icmp eq ptr %made, null
  br label %head
head:
  %k = phi i64 [ 0, %entry ], [ %next, %step ]
  %bad = phi i1 [ %none, %entry ], [ %worse, %step ]
  %left = icmp slt i64 %k, %count
  br i1 %left, label %more, label %done
more:
  %entry.p = getelementptr ptr, ptr %entries, i64 %k
  %one = load ptr, ptr %entry.p
  %missing = icmp eq ptr %one, null
  %worse = or i1 %bad, %missing
  br i1 %none, label %drop, label %put
drop:
  call void @Py_DecRef(ptr %one)
  br label %step
put:
  %set = call i32 @PyTuple_SetItem(ptr %made, i64 %k, ptr %one)
  br label %step
step:
  %next = add i64 %k, 1
  br label %head
done:
  br i1 %bad, label %fail, label %give
fail:
  call void @Py_DecRef(ptr %made)
  ret ptr null
give:
  ret ptr %made
}}

define ptr @em.direct.single(float %number) {{
  %at = alloca float
  store float %number, ptr %at
  %made = call ptr @em.np.scalar(ptr %at, ptr @em.dtype.single, ptr null)
  ret ptr %made
}}

; Calls with and without the interpreter lock. Two words: the largest size of which a call was short, and a credit, negative after a
; call that kept the lock and was not short: then as many calls do without. Both are read and written with the lock.
define i1 @em.direct.keeps(ptr %times, i64 %size) {{
  %known = load i64, ptr %times
  %credit.p = getelementptr i64, ptr %times, i64 1
  %credit = load i64, ptr %credit.p
  %small = icmp ule i64 %size, %known
  %some = icmp sge i64 %known, 0
  %trusted = icmp sge i64 %credit, 0
  %fits = and i1 %small, %some
  %keeps = and i1 %fits, %trusted
  ret i1 %keeps
}}

define void @em.direct.measured(ptr %times, i64 %size, i1 %kept, i64 %ticks) {{
  %credit.p = getelementptr i64, ptr %times, i64 1
  %known = load i64, ptr %times
  %credit = load i64, ptr %credit.p
  %long = icmp ugt i64 %ticks, {SHORT}
  br i1 %long, label %late, label %soon
soon:
  %larger = call i64 @llvm.smax.i64(i64 %known, i64 %size)
  store i64 %larger, ptr %times
  %more = add i64 %credit, 1
  %better = call i64 @llvm.smin.i64(i64 %more, i64 0)
  store i64 %better, ptr %credit.p
  ret void
late:
  br i1 %kept, label %lose, label %done
lose:
  %less = sub i64 %size, 1
  %smaller = call i64 @llvm.smin.i64(i64 %known, i64 %less)
  store i64 %smaller, ptr %times
  store i64 {-PENALTY}, ptr %credit.p
  br label %done
done:
  ret void
}}

; After a call: whether no error is set, neither by the guard nor by a Python function that C called. What the latter raised came
; first.
define i1 @em.direct.settled() {{
  %waiting = call i64 @PyDict_Size(ptr @em.pending)
  %some = icmp ne i64 %waiting, 0
  br i1 %some, label %ask, label %look
ask:
  %error = alloca [3 x ptr]
  %value.p = getelementptr ptr, ptr %error, i64 1
  %trace.p = getelementptr ptr, ptr %error, i64 2
  call void @PyErr_Fetch(ptr %error, ptr %value.p, ptr %trace.p)
  %answer = call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr @em.raise_pending, ptr null)
  %type = load ptr, ptr %error
  %value = load ptr, ptr %value.p
  %trace = load ptr, ptr %trace.p
  %raised = icmp eq ptr %answer, null
  br i1 %raised, label %first, label %nothing
first:
  call void @Py_DecRef(ptr %type)
  call void @Py_DecRef(ptr %value)
  call void @Py_DecRef(ptr %trace)
  ret i1 false
nothing:
  call void @Py_DecRef(ptr %answer)
  call void @PyErr_Restore(ptr %type, ptr %value, ptr %trace)
  br label %look
look:
  %now = call ptr @PyErr_Occurred()
  %fine = icmp eq ptr %now, null
  ret i1 %fine
}}
"""

EXPORTS = tuple(re.findall(r"^define \S+ @(em\.direct\.\w+)", TEXT, re.M))
