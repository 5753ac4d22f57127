"""A real browser, one for all tests of a process: Playwright runs once in one. The flags keep Chromium from talking to anybody."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from enzyme_magic.config import read_settings

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]


def missing(what: str) -> None:
    """Skips; fails where a browser is required."""
    if read_settings().require_browser:
        pytest.fail(f"EM_REQUIRE_BROWSER=1, and there is no {what}")
    pytest.skip(f"there is no {what}")


@pytest.fixture(scope="session", name="missing")
def missing_fixture() -> Callable[[str], None]:
    return missing


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("playwright")
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        missing("chromium")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield running
        running.close()
