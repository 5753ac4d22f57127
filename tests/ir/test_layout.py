"""Sizes and offsets against clang's own answers (sizeof, offsetof, _Alignof) and LLVM's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from enzyme_magic.backend.ir.instructions import GetElementPtr
from enzyme_magic.backend.ir.layout import DataLayout
from enzyme_magic.backend.ir.text.parser import parse
from enzyme_magic.backend.ir.types import (
    DOUBLE,
    FLOAT,
    FP128,
    HALF,
    I1,
    I8,
    I16,
    I32,
    I64,
    POINTER,
    X86_FP80,
    ArrayType,
    IntType,
    NamedType,
    PointerType,
    StructType,
    Type,
    VectorType,
)
from enzyme_magic.backend.ir.values import ConstantExpression, ConstantInt
from enzyme_magic.backend.llvm import binding
from enzyme_magic.errors import InternalError

SOURCE = """
#include <stddef.h>
typedef float v3 __attribute__((ext_vector_type(3)));
struct inner { char c; double d; short s; };
struct __attribute__((packed)) tight { char c; double d; int i; };
struct outer { char a; struct inner in[3]; float f; struct tight t; v3 v; long double l; void *p; char tail; };
struct outer object;
long expected[] = {sizeof(struct outer), _Alignof(struct outer), offsetof(struct outer, a), offsetof(struct outer, in),
    offsetof(struct outer, f), offsetof(struct outer, t), offsetof(struct outer, v), offsetof(struct outer, l),
    offsetof(struct outer, p), offsetof(struct outer, tail), sizeof(struct inner), sizeof(struct tight)};
void *address(struct outer *o) { return &o->in[2].d; }
char *back(struct outer *o) { return (char *)o - 24; }
void *moving(struct outer *o, int k) { return &o->in[k].s; }
"""


@pytest.fixture(scope="module")
def module(clang: Callable[[Path, list[str]], str], tmp_path_factory: pytest.TempPathFactory):  # type: ignore[no-untyped-def]
    source = tmp_path_factory.mktemp("layout") / "layout.c"
    source.write_text(SOURCE)
    return parse(clang(source, ["-O2", "-Xclang", "-disable-llvm-passes"]))


def test_struct_layout_is_clangs(module) -> None:  # type: ignore[no-untyped-def]
    layout = DataLayout.of(module)
    table = module.variables["expected"].initializer
    size, align, *offsets, inner, tight = [element.value for element in table.elements]
    outer = NamedType("struct.outer")
    assert layout.size_of(outer) == size
    assert layout.align_of(outer) == align
    body = layout.resolve(outer)
    assert isinstance(body, StructType)
    fields = [k for k, t in enumerate(body.elements) if not (isinstance(t, ArrayType) and t.element == I8)]
    assert [layout.field_offset(outer, k) for k in fields] == offsets
    assert layout.size_of(NamedType("struct.inner")) == inner
    assert layout.size_of(NamedType("struct.tight")) == tight


def gep_offsets(module, name: str) -> list[int | None]:  # type: ignore[no-untyped-def]
    layout = DataLayout.of(module)
    return [layout.constant_offset(i) for i in module.functions[name].instructions() if isinstance(i, GetElementPtr)]


def test_constant_offsets(module) -> None:  # type: ignore[no-untyped-def]
    layout = DataLayout.of(module)
    inner = NamedType("struct.inner")
    steps = gep_offsets(module, "address")
    assert None not in steps
    assert (
        sum(step or 0 for step in steps)
        == layout.field_offset(NamedType("struct.outer"), 1) + 2 * layout.size_of(inner) + 8
    )
    assert gep_offsets(module, "back") == [-24]
    assert None in gep_offsets(module, "moving")


def test_constant_expressions_have_offsets() -> None:
    module = parse("@a = global [4 x double] zeroinitializer\n@p = global ptr getelementptr (double, ptr @a, i64 3)")
    expression = module.variables["p"].initializer
    assert isinstance(expression, ConstantExpression)
    assert DataLayout.of(module).constant_offset(expression) == 24
    assert DataLayout.of(module).constant_offset(module.variables["a"]) is None


TYPES: list[Type] = [
    *(I1, I8, I16, I32, I64, IntType(24), IntType(37), IntType(128), HALF, FLOAT, DOUBLE, X86_FP80, FP128, POINTER),
    *(
        VectorType(2, FLOAT),
        VectorType(3, FLOAT),
        VectorType(4, DOUBLE),
        VectorType(8, I1),
        VectorType(3, I8),
        VectorType(5, DOUBLE),
    ),
    *(
        ArrayType(5, I16),
        ArrayType(0, DOUBLE),
        StructType(()),
        StructType((I8, I64, I8)),
        StructType((I8, DOUBLE), packed=True),
    ),
    *(StructType((I8, X86_FP80)), StructType((I1, VectorType(3, FLOAT))), ArrayType(3, StructType((I32, I8)))),
]


@pytest.mark.parametrize("type_", TYPES, ids=str)
def test_sizes_are_llvms(type_: Type) -> None:
    layout = DataLayout.parse(binding.host_layout())
    llvm = binding.llvm()
    data = llvm.create_target_data(binding.host_layout())  # afresh: it remembers struct types by their address
    with (
        binding.guard,
        llvm.create_context() as context,
        llvm.parse_assembly(f"@x = global {type_} poison", context) as module,
    ):
        theirs = module.get_global_variable("x").global_value_type
        assert layout.size_of(type_) == data.get_abi_size(theirs)
        assert layout.align_of(type_) == data.get_abi_alignment(theirs)


def test_store_size_leaves_padding_out() -> None:
    layout = DataLayout.parse(binding.host_layout())
    assert (layout.store_size(X86_FP80), layout.size_of(X86_FP80)) == (10, 16)
    assert (layout.store_size(VectorType(3, FLOAT)), layout.size_of(VectorType(3, FLOAT))) == (12, 16)
    assert (layout.store_size(I1), layout.store_size(IntType(37)), layout.size_of(IntType(37))) == (1, 5, 8)


def test_pointers_of_other_address_spaces() -> None:
    layout = DataLayout.parse("e-p:32:32-p3:16:16:16:8-i64:64")
    assert layout.pointer_bits == 32
    assert layout.size_of(PointerType(3)) == 2
    assert layout.pointer(3).index_bits == 8
    assert layout.size_of(PointerType(9)) == 4
    assert not layout.big_endian
    assert DataLayout.parse("E").big_endian


@pytest.mark.parametrize("type_", [VectorType(2, DOUBLE, scalable=True), NamedType("opaque")], ids=str)
def test_types_without_a_size(type_: Type) -> None:
    with pytest.raises(InternalError):
        DataLayout.parse("", {"opaque": None}).size_of(type_)


def test_fields_that_are_not_there() -> None:
    with pytest.raises(InternalError, match="no field 2"):
        DataLayout.parse("").field_offset(StructType((I8, I8)), 2)
    assert DataLayout.parse("").step(ArrayType(3, I32), ConstantInt(I64, -1)) == (I32, -4)
