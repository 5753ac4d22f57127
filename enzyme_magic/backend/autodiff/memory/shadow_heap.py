"""Heap memory and its shadows in derivative code: LLVM text, and the declarations to call it.

Invariant: the shadow of an allocation is a block of its own of the same size, zeroed, with a header that says whether
the program freed the primal. An allocation that failed (null) has a null shadow. In reverse mode nothing is freed while
the reverse sweep may still read it: `free` only sets the header, and the reversed allocation, the last place that can
need the memory, frees the shadow and, if the header says so, the primal. TBAA says that the header holds integers: so a derivative
of this code knows it, too.
"""

from __future__ import annotations

from enzyme_magic.backend.analysis.calls.runtime_calls import HEAP_RELEASE_BY, HEAP_SIZE
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import I32, I64, POINTER, VOID, FunctionType

HEADER = 64  # keeps the alignment of the block
SIZE_AT = HEADER - 8  # bytes before the shadow: the size that was asked for


def _kept_end(name: str, release: str) -> str:
    """What becomes of a list of shadows at the end of a derivative."""
    return f"""
define linkonce_odr void @{name}(ptr %list) {{
entry:
  %head = load ptr, ptr %list
  br label %next
next:
  %node = phi ptr [ %head, %entry ], [ %following, %one ]
  %last = icmp eq ptr %node, null
  br i1 %last, label %done, label %one
one:
  %start = load ptr, ptr %node
  %shadow.p = getelementptr %em.kept, ptr %node, i64 0, i32 3
  %shadow = load ptr, ptr %shadow.p
  %following.p = getelementptr %em.kept, ptr %node, i64 0, i32 4
  %following = load ptr, ptr %following.p
  {release}
  call void @free(ptr %node)
  br label %next
done:
  ret void
}}
"""


SUPPORT = f"""
declare noalias ptr @em.run.shadow_block(i64, i64)
declare void @free(ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

define linkonce_odr ptr @em.shadow.allocate(ptr %primal, i64 %bytes) {{
  %nothing = icmp eq ptr %primal, null
  br i1 %nothing, label %none, label %some
none:
  ret ptr null
some:
  %padded = add i64 %bytes, {2 * HEADER - 1}
  %whole = and i64 %padded, {-HEADER}
  %block = call ptr @em.run.shadow_block(i64 {HEADER}, i64 %whole)
  call void @llvm.memset.p0.i64(ptr align {HEADER} %block, i8 0, i64 %whole, i1 false)
  %shadow = getelementptr i8, ptr %block, i64 {HEADER}
  %size = getelementptr i8, ptr %shadow, i64 {-SIZE_AT}
  store i64 %bytes, ptr %size, !tbaa !0
  ret ptr %shadow
}}

; The size that was asked for. A function of its own, so that a derivative of this code need not ask what lies in a header.
define linkonce_odr i64 @em.heap.size(ptr %shadow) {{
  %size = getelementptr i8, ptr %shadow, i64 {-SIZE_AT}
  %asked = load i64, ptr %size, !tbaa !0
  ret i64 %asked
}}

define linkonce_odr void @em.shadow.free(ptr %primal, ptr %shadow) {{
  %nothing = icmp eq ptr %primal, null
  br i1 %nothing, label %done, label %release
release:
  %block = getelementptr i8, ptr %shadow, i64 {-HEADER}
  call void @free(ptr %block)
  br label %done
done:
  ret void
}}

define linkonce_odr void @em.heap.freed(ptr %primal, ptr %shadow) {{
  %nothing = icmp eq ptr %primal, null
  br i1 %nothing, label %done, label %note
note:
  %block = getelementptr i8, ptr %shadow, i64 {-HEADER}
  store i64 1, ptr %block, !tbaa !0
  br label %done
done:
  ret void
}}

define linkonce_odr void @em.heap.release(ptr %primal, ptr %shadow) {{
  %nothing = icmp eq ptr %primal, null
  br i1 %nothing, label %done, label %some
some:
  %block = getelementptr i8, ptr %shadow, i64 {-HEADER}
  %freed = load i64, ptr %block, !tbaa !0
  %wanted = icmp ne i64 %freed, 0
  br i1 %wanted, label %primal.too, label %shadow.only
primal.too:
  call void @free(ptr %primal)
  br label %shadow.only
shadow.only:
  call void @free(ptr %block)
  br label %done
done:
  ret void
}}

!0 = !{{!1, !1, i64 0}}
!1 = !{{!"long", !2, i64 0}}
!2 = !{{!"omnipotent char", !3, i64 0}}
!3 = !{{!"Simple C/C++ TBAA"}}
"""

# realloc, in terms of the functions above.
REALLOC_SUPPORT = """
declare ptr @malloc(i64)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i64 @llvm.umin.i64(i64, i64)
declare ptr @em.shadow.allocate(ptr, i64)
declare i64 @em.heap.size(ptr)
declare void @em.heap.release(ptr, ptr)
declare void @em.heap.freed(ptr, ptr)

; After a realloc in forward mode: the old block goes, unless there is no new one.
define linkonce_odr void @em.heap.release.old(ptr %new, ptr %old, ptr %old.shadow) {
  %failed = icmp eq ptr %new, null
  br i1 %failed, label %done, label %release
release:
  call void @em.heap.release(ptr %old, ptr %old.shadow)
  br label %done
done:
  ret void
}

; The bytes that a realloc of %old to %bytes takes over to %new. The allocator may have given the primal more than was
; asked for; the shadow has the size that was asked for.
define linkonce_odr i64 @em.heap.common(ptr %new, ptr %old, ptr %old.shadow, i64 %bytes) {
  %failed = icmp eq ptr %new, null
  %fresh = icmp eq ptr %old, null
  %nothing = or i1 %failed, %fresh
  br i1 %nothing, label %none, label %some
none:
  ret i64 0
some:
  %asked = call i64 @em.heap.size(ptr %old.shadow)
  %common = call i64 @llvm.umin.i64(i64 %asked, i64 %bytes)
  ret i64 %common
}

define linkonce_odr ptr @em.heap.reallocate(ptr %old, ptr %old.shadow, i64 %bytes) {
  %new = call ptr @malloc(i64 %bytes)
  %common = call i64 @em.heap.common(ptr %new, ptr %old, ptr %old.shadow, i64 %bytes)
  call void @llvm.memcpy.p0.p0.i64(ptr %new, ptr %old, i64 %common, i1 false)
  ret ptr %new
}

define linkonce_odr ptr @em.shadow.reallocate(ptr %new, ptr %old, ptr %old.shadow, i64 %bytes) {
  %shadow = call ptr @em.shadow.allocate(ptr %new, i64 %bytes)
  %failed = icmp eq ptr %new, null
  br i1 %failed, label %done, label %move
move:
  %common = call i64 @em.heap.common(ptr %new, ptr %old, ptr %old.shadow, i64 %bytes)
  call void @llvm.memcpy.p0.p0.i64(ptr %shadow, ptr %old.shadow, i64 %common, i1 false)
  call void @em.heap.freed(ptr %old, ptr %old.shadow)
  br label %done
done:
  ret ptr %shadow
}

!0 = !{!1, !1, i64 0}
!1 = !{!"long", !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C/C++ TBAA"}
"""

# Derivatives of derivatives, in terms of the functions above: what frees two blocks and has shadows of both. A program with these
# in it is differentiated again with their bodies (nesting.py).
NESTED_SUPPORT = f"""
declare void @em.shadow.free(ptr, ptr)
declare void @em.heap.freed(ptr, ptr)

; Forward over reverse: %primal and %shadow are about to be released, and have shadows of their own.
define linkonce_odr void @em.heap.release.shadows(ptr %primal, ptr %shadow, ptr %primal.shadow, ptr %shadow.shadow) {{
  %nothing = icmp eq ptr %primal, null
  br i1 %nothing, label %done, label %some
some:
  %header = getelementptr i8, ptr %shadow, i64 {-HEADER}
  %freed = load i64, ptr %header, !tbaa !0
  %wanted = icmp ne i64 %freed, 0
  br i1 %wanted, label %primal.too, label %shadow.only
primal.too:
  call void @em.shadow.free(ptr %primal, ptr %primal.shadow)
  br label %shadow.only
shadow.only:
  call void @em.shadow.free(ptr %shadow, ptr %shadow.shadow)
  br label %done
done:
  ret void
}}

; Reverse over reverse: %primal and %shadow would be released here, and are later, where their allocations are reversed.
define linkonce_odr void @em.heap.released(ptr %primal, ptr %shadow, ptr %primal.shadow, ptr %shadow.shadow) {{
  %nothing = icmp eq ptr %primal, null
  br i1 %nothing, label %done, label %some
some:
  %header = getelementptr i8, ptr %shadow, i64 {-HEADER}
  %freed = load i64, ptr %header, !tbaa !0
  %wanted = icmp ne i64 %freed, 0
  br i1 %wanted, label %primal.too, label %shadow.only
primal.too:
  call void @em.heap.freed(ptr %primal, ptr %primal.shadow)
  br label %shadow.only
shadow.only:
  call void @em.heap.freed(ptr %shadow, ptr %shadow.shadow)
  br label %done
done:
  ret void
}}

; The same as em.heap.release where the primal is itself a shadow.
define linkonce_odr void @em.heap.release.shadow(ptr %shadow, ptr %shadow.shadow) {{
  %nothing = icmp eq ptr %shadow, null
  br i1 %nothing, label %done, label %some
some:
  %header = getelementptr i8, ptr %shadow.shadow, i64 {-HEADER}
  %freed = load i64, ptr %header, !tbaa !0
  %wanted = icmp ne i64 %freed, 0
  br i1 %wanted, label %shadow.too, label %inner.only
shadow.too:
  call void @em.shadow.free(ptr %shadow, ptr %shadow)
  br label %inner.only
inner.only:
  call void @em.shadow.free(ptr %shadow, ptr %shadow.shadow)
  br label %done
done:
  ret void
}}

!0 = !{{!1, !1, i64 0}}
!1 = !{{!"long", !2, i64 0}}
!2 = !{{!"omnipotent char", !3, i64 0}}
!3 = !{{!"Simple C/C++ TBAA"}}
"""

# Where in the shadow of a static variable a pointer into it leads (static_targets.py): %table has %count rows {start, size, shadow,
# ends}. Null where it leads into none of them; and to where one ends and another begins, where `ends` says that this may be meant.
STATIC_SUPPORT = """
%em.row = type { ptr, i64, ptr, i64 }

define linkonce_odr ptr @em.kept.static(ptr %pointer, ptr %table, i64 %count) {
entry:
  %address = ptrtoint ptr %pointer to i64
  br label %next
next:
  %k = phi i64 [ 0, %entry ], [ %k.next, %row ]
  %found = phi ptr [ null, %entry ], [ %found.next, %row ]
  %hits = phi i64 [ 0, %entry ], [ %hits.next, %row ]
  %over = icmp eq i64 %k, %count
  br i1 %over, label %done, label %row
row:
  %row.p = getelementptr %em.row, ptr %table, i64 %k
  %start = load ptr, ptr %row.p
  %size.p = getelementptr %em.row, ptr %table, i64 %k, i32 1
  %size = load i64, ptr %size.p
  %shadow.p = getelementptr %em.row, ptr %table, i64 %k, i32 2
  %shadow = load ptr, ptr %shadow.p
  %from = ptrtoint ptr %start to i64
  %distance = sub i64 %address, %from
  %inside = icmp ult i64 %distance, %size
  %at.end = icmp eq i64 %distance, %size
  %ends.p = getelementptr %em.row, ptr %table, i64 %k, i32 3
  %ends = load i64, ptr %ends.p
  %kept.end = icmp ne i64 %ends, 0
  %end = and i1 %at.end, %kept.end
  %there = getelementptr i8, ptr %shadow, i64 %distance
  %none = icmp eq ptr %shadow, null
  %place = select i1 %none, ptr null, ptr %there
  %here = or i1 %inside, %end
  %found.next = select i1 %here, ptr %place, ptr %found
  %hit = zext i1 %here to i64
  %hits.next = add i64 %hits, %hit
  %k.next = add i64 %k, 1
  br label %next
done:
  %one = icmp eq i64 %hits, 1
  %sure = select i1 %one, ptr %found, ptr null
  ret ptr %sure
}
"""

# Shadows of blocks that were there before (kept_blocks.py): a list of {start, size, serial, shadow, next}, its head in %list. The
# runtime's em.run.block_find tells the block around an address: {start, size, serial}, the serial 0 where there is none.
KEPT_SUPPORT = f"""
%em.kept = type {{ ptr, i64, i64, ptr, ptr }}
declare void @em.run.block_find(ptr, ptr)
declare ptr @malloc(i64)
declare void @free(ptr)
declare ptr @em.shadow.allocate(ptr, i64)
declare void @em.shadow.free(ptr, ptr)
declare void @em.heap.release(ptr, ptr)

define linkonce_odr ptr @em.kept.shadow(ptr %list, ptr %pointer) {{
entry:
  %block = alloca %em.kept, align 8
  %nothing = icmp eq ptr %pointer, null
  br i1 %nothing, label %none, label %look
none:
  ret ptr null
look:
  %address = ptrtoint ptr %pointer to i64
  br label %next
next:
  %place = phi ptr [ %list, %look ], [ %link, %other ]
  %node = load ptr, ptr %place
  %last = icmp eq ptr %node, null
  br i1 %last, label %ask, label %compare
compare:
  %start = load ptr, ptr %node
  %size.p = getelementptr %em.kept, ptr %node, i64 0, i32 1
  %size = load i64, ptr %size.p
  %from = ptrtoint ptr %start to i64
  %distance = sub i64 %address, %from
  %inside = icmp ult i64 %distance, %size
  br i1 %inside, label %known, label %other
other:
  %link = getelementptr %em.kept, ptr %node, i64 0, i32 4
  br label %next
known:
  %shadow.p = getelementptr %em.kept, ptr %node, i64 0, i32 3
  %shadow = load ptr, ptr %shadow.p
  %there = getelementptr i8, ptr %shadow, i64 %distance
  ret ptr %there
ask:
  call void @em.run.block_find(ptr %pointer, ptr %block)
  %serial.p = getelementptr %em.kept, ptr %block, i64 0, i32 2
  %serial = load i64, ptr %serial.p
  %unknown = icmp eq i64 %serial, 0
  br i1 %unknown, label %none, label %make
make:
  %first = load ptr, ptr %block
  %bytes.p = getelementptr %em.kept, ptr %block, i64 0, i32 1
  %bytes = load i64, ptr %bytes.p
  %fresh = call ptr @em.shadow.allocate(ptr %first, i64 %bytes)
  %new = call ptr @malloc(i64 40)
  store ptr %first, ptr %new
  %new.size = getelementptr %em.kept, ptr %new, i64 0, i32 1
  store i64 %bytes, ptr %new.size
  %new.serial = getelementptr %em.kept, ptr %new, i64 0, i32 2
  store i64 %serial, ptr %new.serial
  %new.shadow = getelementptr %em.kept, ptr %new, i64 0, i32 3
  store ptr %fresh, ptr %new.shadow
  %new.next = getelementptr %em.kept, ptr %new, i64 0, i32 4
  store ptr null, ptr %new.next
  store ptr %new, ptr %place
  br label %look
}}
{
    "".join(
        _kept_end(name, release)
        for name, release in (
            ("em.kept.end", "call void @em.heap.release(ptr %start, ptr %shadow)"),
            ("em.kept.end.lane", "call void @em.shadow.free(ptr %start, ptr %shadow)"),
        )
    )
}
; In forward mode a block that was released meanwhile has taken its shadow along.
define linkonce_odr void @em.kept.end.forward(ptr %list) {{
entry:
  %block = alloca %em.kept, align 8
  %head = load ptr, ptr %list
  br label %next
next:
  %node = phi ptr [ %head, %entry ], [ %following, %drop ]
  %last = icmp eq ptr %node, null
  br i1 %last, label %done, label %one
one:
  %start = load ptr, ptr %node
  %serial.p = getelementptr %em.kept, ptr %node, i64 0, i32 2
  %serial = load i64, ptr %serial.p
  %shadow.p = getelementptr %em.kept, ptr %node, i64 0, i32 3
  %shadow = load ptr, ptr %shadow.p
  %following.p = getelementptr %em.kept, ptr %node, i64 0, i32 4
  %following = load ptr, ptr %following.p
  call void @em.run.block_find(ptr %start, ptr %block)
  %now.p = getelementptr %em.kept, ptr %block, i64 0, i32 2
  %now = load i64, ptr %now.p
  %same = icmp eq i64 %now, %serial
  br i1 %same, label %release, label %drop
release:
  call void @em.shadow.free(ptr %start, ptr %shadow)
  br label %drop
drop:
  call void @free(ptr %node)
  br label %next
done:
  ret void
}}
"""

# Memory of an allocator of the program (`__enzyme_allocation_like`) goes back to it: what em.heap.release is for malloc. The
# arguments behind the third are those of the function that takes it back; their types are in the name.
RELEASE_BY = HEAP_RELEASE_BY


def release_by(type_: FunctionType) -> Function:
    """The function that releases by calling a function of this type."""
    name = RELEASE_BY + ".".join(map(str, (type_.result, *type_.parameters)))
    return Function(name, function_type=FunctionType(VOID, (POINTER, POINTER, POINTER, *type_.parameters)))


def release_by_support(name: str) -> str:
    """Its text."""
    result, *types = name.removeprefix(RELEASE_BY).split(".")
    parameters = ", ".join(f"{type_} %passed.{k}" for k, type_ in enumerate(types))
    return f"""
declare void @free(ptr)

define linkonce_odr void @{name}(ptr %primal, ptr %shadow, ptr %release, {parameters}) {{
  %nothing = icmp eq ptr %primal, null
  br i1 %nothing, label %done, label %some
some:
  %block = getelementptr i8, ptr %shadow, i64 {-HEADER}
  %freed = load i64, ptr %block, !tbaa !0
  %wanted = icmp ne i64 %freed, 0
  br i1 %wanted, label %primal.too, label %shadow.only
primal.too:
  {"" if result == "void" else "%given = "}call {result} %release({parameters})
  br label %shadow.only
shadow.only:
  call void @free(ptr %block)
  br label %done
done:
  ret void
}}

!0 = !{{!1, !1, i64 0}}
!1 = !{{!"long", !2, i64 0}}
!2 = !{{!"omnipotent char", !3, i64 0}}
!3 = !{{!"Simple C/C++ TBAA"}}
"""


# A loaded pointer whose shadow nobody stored: it was kept from before the derivative began.
GUARD = """
declare void @em.run.kept(ptr, ptr, i32) noreturn

define linkonce_odr void @em.shadow.require(ptr %primal, ptr %shadow, ptr %text, ptr %file, i32 %line) {
  %missing = icmp eq ptr %shadow, null
  %wanted = icmp ne ptr %primal, null
  %bad = and i1 %missing, %wanted
  br i1 %bad, label %fail, label %done
fail:
  call void @em.run.kept(ptr %text, ptr %file, i32 %line)
  unreachable
done:
  ret void
}
"""


def _function(name: str, result: object, *parameters: object) -> Function:
    return Function(name, function_type=FunctionType(result, parameters))  # type: ignore[arg-type]


ALLOCATE_SHADOW = _function("em.shadow.allocate", POINTER, POINTER, I64)
FREE_SHADOW = _function("em.shadow.free", VOID, POINTER, POINTER)
RELEASE_OLD = _function("em.heap.release.old", VOID, POINTER, POINTER, POINTER)
FREED = _function("em.heap.freed", VOID, POINTER, POINTER)
RELEASE_BOTH = _function("em.heap.release", VOID, POINTER, POINTER)
REQUIRE = _function("em.shadow.require", VOID, POINTER, POINTER, POINTER, POINTER, I32)
COMMON = _function("em.heap.common", I64, POINTER, POINTER, POINTER, I64)
REALLOCATE = _function("em.heap.reallocate", POINTER, POINTER, POINTER, I64)
REALLOCATE_SHADOW = _function("em.shadow.reallocate", POINTER, POINTER, POINTER, POINTER, I64)
RELEASE_SHADOWS = _function("em.heap.release.shadows", VOID, POINTER, POINTER, POINTER, POINTER)
RELEASED = _function("em.heap.released", VOID, POINTER, POINTER, POINTER, POINTER)
RELEASE_SHADOW = _function("em.heap.release.shadow", VOID, POINTER, POINTER)
OF_REALLOC = tuple(f.name for f in (RELEASE_OLD, COMMON, REALLOCATE, REALLOCATE_SHADOW))  # what REALLOC_SUPPORT defines
NESTED = tuple(f.name for f in (RELEASE_SHADOWS, RELEASED, RELEASE_SHADOW))  # what NESTED_SUPPORT defines
NAMES = (HEAP_SIZE, *(f.name for f in (ALLOCATE_SHADOW, FREE_SHADOW, FREED, RELEASE_BOTH)))  # what SUPPORT defines
KEPT_SHADOW = _function("em.kept.shadow", POINTER, POINTER, POINTER)
KEPT_END = _function("em.kept.end", VOID, POINTER)
KEPT_END_LANE = _function("em.kept.end.lane", VOID, POINTER)
KEPT_END_FORWARD = _function("em.kept.end.forward", VOID, POINTER)
KEPT_STATIC = _function("em.kept.static", POINTER, POINTER, POINTER, I64)
KEPT = (KEPT_SHADOW.name,)  # what stands for all that KEPT_SUPPORT defines
ALLOCATORS = (
    "malloc",
    "calloc",
    "realloc",
    "aligned_alloc",
)  # whose blocks the runtime knows, where a program keeps any
PARTS = (
    (STATIC_SUPPORT, (KEPT_STATIC.name,)),
    (KEPT_SUPPORT, KEPT),
    (NESTED_SUPPORT, NESTED),
    (REALLOC_SUPPORT, OF_REALLOC),
)  # written with the functions of SUPPORT
