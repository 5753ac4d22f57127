from __future__ import annotations

import pytest

from .native import Natives


@pytest.fixture(scope="session")
def natives() -> Natives:
    """Every rule compiled in every floating type."""
    return Natives()
