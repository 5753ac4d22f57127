"""What the tests of the frameworks share: skipping where one is not installed, and failing there when CI says so."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from enzyme_magic.config import settings


def framework(name: str) -> Any:
    """The module; skips the test file where it is missing, unless EM_REQUIRE_FRAMEWORKS=1."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        if settings().require_frameworks:
            raise
        pytest.skip(f"{name} is not installed", allow_module_level=True)  # of the file, or of one test
