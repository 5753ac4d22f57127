"""Failures here show lines, not arguments: the repr of a program and its analyses is as large as the program."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    option = item.config.option
    before, option.tbstyle = option.tbstyle, "short"
    try:
        return (yield)
    finally:
        option.tbstyle = before
