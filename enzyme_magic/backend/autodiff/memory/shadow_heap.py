"""Heap memory and its shadows in derivative code: the declarations to call what runtime/native/c/heap.c, realloc.c, nested.c,
kept.c and statics.c define, and the text of what depends on the types of an allocator of the program.

The invariants of shadows stand in heap.c.
"""

from __future__ import annotations

from enzyme_magic.backend.analysis.calls.runtime_calls import HEAP_RELEASE_BY
from enzyme_magic.backend.ir.module import Function
from enzyme_magic.backend.ir.types import I32, I64, POINTER, VOID, FunctionType

HEADER = 64  # keeps the alignment of the block
SIZE_AT = HEADER - 8  # bytes before the shadow: the size that was asked for

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


def _function(name: str, result: object, *parameters: object) -> Function:
    return Function(name, function_type=FunctionType(result, parameters))  # type: ignore[arg-type]


ALLOCATE_SHADOW = _function("em.shadow.allocate", POINTER, POINTER, I64)
FREE_SHADOW = _function("em.shadow.free", VOID, POINTER, POINTER)
RELEASE_OLD = _function("em.heap.release.old", VOID, POINTER, POINTER, POINTER)
FREED = _function("em.heap.freed", VOID, POINTER, POINTER)
RELEASE_BOTH = _function("em.heap.release", VOID, POINTER, POINTER)
REQUIRE = _function("em.shadow.require", VOID, POINTER, POINTER, POINTER, POINTER, I32)
COMMON = _function("em.heap.common", I64, POINTER, POINTER, POINTER, I64)
CHECK_BLOCK = _function(
    "em.run.check_block", VOID, POINTER, POINTER, POINTER, POINTER, I32
)  # runtime/native/c/releases.c
REALLOCATE = _function("em.heap.reallocate", POINTER, POINTER, POINTER, I64)
REALLOCATE_SHADOW = _function("em.shadow.reallocate", POINTER, POINTER, POINTER, POINTER, I64)
RELEASE_SHADOWS = _function("em.heap.release.shadows", VOID, POINTER, POINTER, POINTER, POINTER)
RELEASED = _function("em.heap.released", VOID, POINTER, POINTER, POINTER, POINTER)
RELEASE_SHADOW = _function("em.heap.release.shadow", VOID, POINTER, POINTER)
KEPT_SHADOW = _function("em.kept.shadow", POINTER, POINTER, POINTER, I64)
KEPT_BEGIN = _function("em.kept.begin", VOID, POINTER)
KEPT_VARIABLE = _function("em.kept.variable", VOID, POINTER, POINTER, I64, POINTER, I64)
KEPT_FOLLOW = _function("em.kept.follow", I64, POINTER, POINTER, POINTER, POINTER)
KEPT_FOLLOW_STATIC = _function("em.kept.follow.static", I64, POINTER, POINTER, POINTER, POINTER)
KEPT_END = _function("em.kept.end", VOID, POINTER)
KEPT_END_STATIC = _function("em.kept.end.static", VOID, POINTER)
KEPT_END_FORWARD = _function("em.kept.end.forward", VOID, POINTER)
KEPT_STATIC = _function("em.kept.static", POINTER, POINTER, POINTER, I64)
ALLOCATORS = (
    "malloc",
    "calloc",
    "realloc",
    "aligned_alloc",
)  # whose blocks the runtime knows, where a program keeps any
