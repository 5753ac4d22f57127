"""What the tests of the frameworks share: skipping where one is not installed, and failing there when CI says so."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

import pytest

from enzyme_magic.config import settings


def framework(name: str) -> Any:
    """The module; skips the test (or the file, while it is imported) where it is missing, unless EM_REQUIRE_FRAMEWORKS=1."""
    need(name)
    return importlib.import_module(name)


def need(name: str) -> None:
    """The same without importing it."""
    if importlib.util.find_spec(name.partition(".")[0]) is None and not settings().require_frameworks:
        pytest.skip(f"{name} is not installed", allow_module_level=True)
