"""One name, one concept: a public class of the package has one home; and rooms say what lives in them.

What may share a name: an interface (`Protocol`) with what implements it, and a name that a framework gives.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "enzyme_magic"
GIVEN_BY_A_FRAMEWORK = {"Module"}  # torch.nn.Module


def test_a_class_has_one_home() -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_") and not _is_interface(node):
                homes[node.name].append(str(path.relative_to(PACKAGE)))
    assert len(homes) > 300
    shared = {name: places for name, places in homes.items() if len(places) > 1 and name not in GIVEN_BY_A_FRAMEWORK}
    assert shared == {}


def _is_interface(node: ast.ClassDef) -> bool:
    return any(ast.unparse(base).split("[")[0] == "Protocol" for base in node.bases)


LARGEST_ROOM = 17  # "about fifteen"


def test_a_room_says_what_lives_in_it_and_is_not_too_large() -> None:
    for folder in sorted({path.parent for path in PACKAGE.rglob("*.py")}):
        files = [path for path in folder.glob("*.py") if path.name != "__init__.py"]
        if not files:
            continue
        room = str(folder.relative_to(PACKAGE))
        assert len(files) <= LARGEST_ROOM, f"{room}: {len(files)} files"
        said = ast.get_docstring(ast.parse((folder / "__init__.py").read_text()))
        assert said, f"{room}: nothing says what lives there"


# Words that are not ours: LLVM's and C's, and kinds that a file on disk tells.
OPEN_KINDS = {
    "backend/ir/metadata.py",
    "backend/ir/types.py",
    "backend/analysis/types/type_tree.py",
    "backend/frontend/c_types.py",
    "backend/frontend/tokens.py",
}


def test_kinds_are_closed_sets() -> None:
    """A field `kind` is a Literal (or an enum), so that mypy knows its cases."""
    found = set()
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.AnnAssign) and ast.unparse(node) == "kind: str":
                found.add(str(path.relative_to(PACKAGE)))
    assert found <= OPEN_KINDS
