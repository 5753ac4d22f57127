"""Optional packages: found when they are used, missing with the name of the extra that brings them."""

from __future__ import annotations

import importlib
from types import ModuleType

from enzyme_magic.errors import ToolchainError

EXTRAS = {"torch": "torch", "tensorflow": "tensorflow", "jax": "jax", "scipy": "scipy", "numba": "numba"}


def require(package: str) -> ModuleType:
    """The package, imported. ToolchainError EM600 where it is not installed."""
    try:
        return importlib.import_module(package)
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.partition(".")[0] != package:
            raise
        extra = EXTRAS[package]
        raise ToolchainError(
            f"{package} is not installed", code="EM600", hint=f"pip install 'enzyme_magic[{extra}]'"
        ) from None
