"""The run-time support in C: its LLVM text is current, on every processor, and modules get what they need of it."""

from __future__ import annotations

import pytest

from enzyme_magic.backend.llvm import link
from enzyme_magic.backend.passes import native_code

PARTS = (*native_code.PARTS, *native_code.RUNTIME, *native_code.WHOLE, *native_code.BODIES)


@pytest.mark.parametrize("part", PARTS)
def test_the_text_is_what_clang_makes_of_the_c(part: str) -> None:
    for machine in native_code.MACHINES:
        assert native_code.compiled(part, machine) == native_code.text_of(part, machine), "python3 dev.py native"


def test_every_file_is_a_part() -> None:
    assert sorted(path.stem for path in native_code.FOLDER.glob("*.c")) == sorted(PARTS)
    assert sorted({path.name.partition(".")[0] for path in native_code.FOLDER.glob("*.ll")}) == sorted(PARTS)


def test_a_module_gets_what_it_mentions_and_what_that_mentions() -> None:
    text = "declare ptr @em.shadow.reallocate(ptr, ptr, ptr, i64)\n"
    text += "define ptr @f(ptr %p) {\n  %q = call ptr @em.shadow.reallocate(ptr %p, ptr %p, ptr %p, i64 8)\n  ret ptr %q\n}\n"
    assert native_code.needed("define void @f() {\n  ret void\n}\n") == []
    assert native_code.needed(text) == [native_code.text_of("realloc"), native_code.text_of("heap")]
    assert native_code.needed(text, native_code.FOLLOWED) == [native_code.text_of("realloc")]
    whole = link.link([text, *native_code.needed(text)])
    assert "@em.shadow.allocate(" in whole
    assert "@em.heap.release.old(" not in whole, "what nobody calls stays away"
    assert native_code.needed(whole) == []
