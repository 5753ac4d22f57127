"""One compiler cache for the whole session: its first use costs more than a test."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from enzyme_magic.backend.frontend import compile as frontend
from enzyme_magic.backend.frontend.clang import process
from enzyme_magic.backend.frontend.compile import Unit, compile_sources
from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.config import Options, Settings

Compile = Callable[..., Unit]


@pytest.fixture(scope="session")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return Settings(cache_dir=tmp_path_factory.mktemp("cache"), environment=dict(os.environ))


@pytest.fixture
def compile_c(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Compile:
    """Compile one text named In[3]; options as keywords. Nothing is remembered from other tests."""
    monkeypatch.setattr(frontend, "_memory", type(frontend._memory)())

    def compile_(text: str, *, path: Path | None = None, **options: object) -> Unit:
        return compile_sources([Source(text, "In[3]", path)], Options(**options), settings, 22)  # type: ignore[arg-type]

    return compile_


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The command lines of the runs of clang so far."""
    seen: list[list[str]] = []
    real = process.run

    def counted(argv: list[str], **how: object) -> process.Completed:
        seen.append(list(argv))
        return real(argv, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(process, "run", counted)
    return seen
