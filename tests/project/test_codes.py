"""Error codes: every code that the package can raise is explained, and nothing else is."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from enzyme_magic import doctor, errors
from enzyme_magic.errors_catalog import CATALOG

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "enzyme_magic"
KINDS = {
    "EM1": (errors.ToolchainError, errors.CompileError, errors.UnsupportedIRError),
    "EM2": (errors.DifferentiationError,),
    "EM3": (errors.ArgumentError,),
    "EM4": (errors.ExecutionError,),
    "EM5": (errors.ViewError,),
    "EM6": (errors.ToolchainError, errors.ArgumentError, errors.DifferentiationError),
    "EM9": (errors.InternalError,),
}


def used() -> dict[str, list[str]]:
    """Code -> the places that name it: whole string literals, not prose."""
    found: dict[str, list[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.parent.name == "errors_catalog":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.fullmatch(r"EM\d{3}", node.value):
                found.setdefault(node.value, []).append(f"{path.relative_to(ROOT)}:{node.lineno}")
    return found


def test_every_code_is_explained() -> None:
    missing = {code: places for code, places in used().items() if code not in CATALOG}
    assert missing == {}, "describe them in enzyme_magic/errors_catalog/"


def test_every_explained_code_is_used() -> None:
    assert sorted(set(CATALOG) - set(used())) == []


def test_codes_mentioned_in_prose_exist() -> None:
    for path in [*PACKAGE.rglob("*.py"), *ROOT.glob("*.md"), *ROOT.glob("notebooks/*.ipynb")]:
        unknown = set(re.findall(r"\bEM\d{3}\b", path.read_text())) - set(CATALOG)
        assert unknown == set(), path


def test_codes_are_of_the_class_their_number_says() -> None:
    """`SomeError(..., code="EM123")`: the hundreds belong to the class."""
    wrong = []
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            code = next((key.value for key in node.keywords if key.arg == "code"), None)
            if not isinstance(code, ast.Constant) or not isinstance(code.value, str):
                continue
            kinds = KINDS.get(code.value[:3], ())
            cls = getattr(errors, node.func.id, None)
            if cls is not None and not issubclass(cls, kinds):
                wrong.append(f"{path.relative_to(ROOT)}:{node.lineno} {node.func.id} {code.value}")
    assert wrong == []


@pytest.mark.parametrize("code", sorted(CATALOG))
def test_an_entry_is_written_for_people(code: str) -> None:
    entry = CATALOG[code]
    assert entry.title
    assert not entry.title.endswith(".")
    assert entry.meaning.endswith(".")
    text = doctor.explain(code)
    assert text.startswith(f"{code}: {entry.title}\n")
    assert entry.repair in text
    assert doctor.explain(code.lower()) == text


def test_an_unknown_code_lists_those_near_it() -> None:
    text = doctor.explain("EM199")
    assert text.startswith("there is no code EM199; near it: EM100, ")
    assert "EM300" not in text
    assert "EM900" in doctor.explain("nonsense")
