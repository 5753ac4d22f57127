"""The browser of the interactive tests."""

from tests.interactive.conftest import browser, missing_fixture

__all__ = ["browser", "missing_fixture"]
