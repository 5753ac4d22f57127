"""Object code of the run-time support on disk: made once, never taken where it is not what was kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from enzyme_magic.backend.llvm.objects import elf, jit
from enzyme_magic.backend.runtime.native import kept_objects, support
from enzyme_magic.backend.store.artifacts import ArtifactStore
from enzyme_magic.config import Settings

TEXT = "define double @em.run.example(double %x) {\n  %y = fadd double %x, %x\n  ret double %y\n}\n"


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """The texts that the code generator was given, in a cache folder of the test's own."""
    texts: list[str] = []
    emit = jit.runtime_object

    def noted(text: str, level: int = 1) -> bytes:
        texts.append(text)
        return emit(text, level)

    monkeypatch.setattr(jit, "runtime_object", noted)
    _keep_in(monkeypatch, tmp_path)
    return texts


def _keep_in(monkeypatch: pytest.MonkeyPatch, folder: Path, artifacts: bool = True) -> None:
    monkeypatch.setattr(kept_objects, "settings", lambda: Settings(cache_dir=folder, artifacts=artifacts))


def _code(folder: Path) -> Path:
    (found,) = folder.rglob(kept_objects.FILE)
    return found


def test_code_is_generated_once(made: list[str]) -> None:
    first = kept_objects.object_of(TEXT)
    assert kept_objects.object_of(TEXT) == first
    assert made == [TEXT]
    assert "em.run.example" in elf.read(first).defined


def test_another_text_or_level_is_other_code(made: list[str]) -> None:
    kept_objects.object_of(TEXT)
    assert "other" in elf.read(kept_objects.object_of(TEXT.replace("em.run.example", "other"))).defined
    kept_objects.object_of(TEXT, level=0)
    assert len(made) == 3


@pytest.mark.parametrize("part", ["host_cpu", "host_features", "llvm_version"])
def test_code_of_another_machine_or_llvm_is_not_taken(
    made: list[str], monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    kept_objects.object_of(TEXT)
    other: Callable[[], object] = (lambda: (1, 2, 3)) if part == "llvm_version" else (lambda: "")
    with monkeypatch.context() as changed:
        changed.setattr(kept_objects.binding, part, other)
        changed.setattr(jit, "runtime_object", lambda text, level: b"made for the other")
        assert kept_objects.object_of(TEXT) == b"made for the other"
    assert "em.run.example" in elf.read(kept_objects.object_of(TEXT)).defined
    assert made == [TEXT]


def test_damaged_code_is_made_again(made: list[str], tmp_path: Path) -> None:
    first = kept_objects.object_of(TEXT)
    _code(tmp_path).write_bytes(first[:-1] + b"!")
    assert kept_objects.object_of(TEXT) == first
    assert made == [TEXT, TEXT]


def test_code_that_others_could_have_written_is_not_taken(made: list[str], tmp_path: Path) -> None:
    kept_objects.object_of(TEXT)
    ArtifactStore(tmp_path / "support").root.chmod(0o777)
    kept_objects.object_of(TEXT)
    assert made == [TEXT, TEXT]


def test_nothing_is_kept_where_artifacts_are_off(
    made: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _keep_in(monkeypatch, tmp_path / "off", artifacts=False)
    kept_objects.object_of(TEXT)
    kept_objects.object_of(TEXT)
    assert made == [TEXT, TEXT]
    assert not (tmp_path / "off").exists()


def test_the_support_is_not_among_the_users_cells(made: list[str], tmp_path: Path) -> None:
    kept_objects.object_of(TEXT)
    assert ArtifactStore(tmp_path).entries() == ()


def test_the_whole_support_is_loaded_from_disk(made: list[str]) -> None:
    support._library.__wrapped__()
    count = len(made)
    assert count > 1
    library = support._library.__wrapped__()
    assert len(made) == count
    assert library.address("em.run.leave")
