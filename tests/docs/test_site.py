"""The documentation as a site: built with every warning an error, every link followed, nothing fetched from the web.

Built once for all tests. Facts that live in the code are asked for on the pages that are generated from it.
"""

from __future__ import annotations

import doctest
import html
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from enzyme_magic._magic import options
from enzyme_magic.backend.rules.registry import RULES
from enzyme_magic.errors_catalog import CATALOG
from tests.project.test_project import environment_of_the_locks

ROOT = Path(__file__).resolve().parents[2]
RUN = ("checking", "getting_started", "languages", "sources")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if importlib.util.find_spec("sphinx") is None and not environment_of_the_locks():
        pytest.skip("Sphinx is not installed; `python3 dev.py test` installs it")
    folder = tmp_path_factory.mktemp("site") / "site"
    command = [sys.executable, str(ROOT / "docs" / "site" / "build.py"), str(folder)]
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "every link followed" in done.stdout
    return folder


def text(page: Path) -> str:
    return html.unescape(re.sub(r"<[^>]+>", "", page.read_text()))


def test_every_fact_of_the_code_is_on_its_page(site: Path) -> None:
    errors = (site / "errors.html").read_text()
    assert [code for code in CATALOG if f'id="{code.lower()}"' not in errors] == []
    assert all(entry.title in text(site / "errors.html") for entry in CATALOG.values())
    magics = text(site / "magics.html")
    assert [o.flags for o in (*options.CELL, *options.EXPORT) if o.flags[-1] not in magics] == []
    rules = text(site / "rules.html")
    assert [rule.formula for rule in RULES.values() if rule.formula not in rules] == []
    assert [edge.why for rule in RULES.values() for edge in rule.edges if edge.why not in rules] == []


def test_codes_and_names_of_pages_are_links(site: Path) -> None:
    page = (site / "refusals.html").read_text()
    assert 'href="errors.html#em213"' in page
    assert 'href="refusals.html"' in (site / "index.html").read_text()


def test_pictures_are_there_for_light_and_dark(site: Path) -> None:
    page = (site / "how_it_works.html").read_text()
    for theme in ("light", "dark"):
        found = re.findall(rf'class="only-{theme}" src="([^"]+)"', page)
        assert len(found) >= 4
        assert all("<svg" in (site / name).read_text() for name in found)


def test_it_can_be_searched_without_a_server(site: Path) -> None:
    assert (site / "searchindex.js").read_text().startswith("Search.setIndex(")


@pytest.mark.parametrize("name", RUN)
def test_the_examples_run(name: str) -> None:
    found = doctest.testfile(str(ROOT / "docs" / f"{name}.md"), module_relative=False)
    assert found.failed == 0
    assert found.attempted > 1


def test_the_readme_example_gives_what_its_comment_says() -> None:
    readme = (ROOT / "README.md").read_text()
    (example,) = (code for code in re.findall(r"```python\n(.*?)```", readme, re.DOTALL) if code.startswith("import"))
    *before, last = example.strip().splitlines()
    expression, said = last.split("  # ")
    names: dict[str, object] = {}
    exec("\n".join(before), names)
    assert repr(eval(expression, names)) == said
