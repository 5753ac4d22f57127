"""The sample reports as a fixture, and the measurements several tests share."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType

import pytest

from enzyme_magic.report import Report


def _load() -> ModuleType:
    path = Path(__file__).with_name("samples.py")
    spec = importlib.util.spec_from_file_location("viz_samples", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_MODULE = _load()


@pytest.fixture(scope="session")
def samples() -> Mapping[str, Callable[[], Report]]:
    """Name -> function that builds the report."""
    found: Mapping[str, Callable[[], Report]] = _MODULE.SAMPLES
    return found


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test with the argument `sample` runs for every sample report."""
    if "sample" in metafunc.fixturenames:
        metafunc.parametrize("sample", list(_MODULE.SAMPLES))


@pytest.fixture
def report(sample: str, samples: Mapping[str, Callable[[], Report]]) -> Report:
    return samples[sample]()
