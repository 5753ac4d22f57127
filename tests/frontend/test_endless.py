"""Files that are no ordinary ones: clang and we wait for none of them."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from enzyme_magic.backend.frontend import sources
from enzyme_magic.errors import CompileError

F = "\ndouble f(double x) { return x * x; }"
QUICK = 20  # seconds; the limit of a compilation is longer


@pytest.mark.parametrize(
    "text",
    [
        '#include "/dev/zero"',
        '#include "pipe.h"',
        '#define H "/dev/urandom"\n#include H',
        '#if __has_include("pipe.h")\n#endif',
    ],
)
def test_what_has_no_end_is_not_included(compile_c, tmp_path: Path, text: str) -> None:
    os.mkfifo(tmp_path / "pipe.h")
    begun = time.monotonic()
    with pytest.raises(CompileError, match="is a device or a pipe") as caught:
        compile_c(text + F, include=(str(tmp_path),))
    assert (caught.value.code, caught.value.span.line) == ("EM115", 1)
    assert time.monotonic() - begun < QUICK
    (tmp_path / "pipe.h").unlink()
    (tmp_path / "pipe.h").write_text("#define TWO 2\n")
    assert (
        "fmul"
        in compile_c('#include "pipe.h"\ndouble f(double x) { return TWO * x; }', include=(str(tmp_path),)).irs[0]
    )


def test_another_header_that_includes_it(compile_c, tmp_path: Path) -> None:
    (tmp_path / "outer.h").write_text('#include "/dev/zero"\n')
    with pytest.raises(CompileError, match="'/dev/zero' is a device or a pipe"):
        compile_c('#include "outer.h"' + F, include=(str(tmp_path),))


def test_we_read_ordinary_files_only(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.c")
    (tmp_path / "file.c").write_text(F)
    for path in (tmp_path / "pipe.c", tmp_path, Path("/dev/zero")):
        assert sources.digest(path) is None
        with pytest.raises(CompileError, match="EM118"):
            sources.read(path)
    assert sources.read(tmp_path / "file.c").text == F
    assert len(sources.digest(tmp_path / "file.c") or "") == 64
