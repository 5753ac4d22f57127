"""The law of arrows: who may import whom. ARCHITECTURE.md draws it; this reads the imports of every module."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "enzyme_magic"
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted((ROOT / PACKAGE).rglob("*.py"))
}

# Room -> rooms it may import, besides itself. A room is the longest prefix in this table.
BASE = {"errors", "config", "report", "points", "errors_catalog", "ownership", "progress", "orphans"}
IR = {*BASE, "backend.ir"}
FRONTEND = {
    *IR,
    "backend.library",
    "backend.frontend",
    "backend.frontend.c_types",
    "backend.frontend.extent",
    "backend.native",
}
LIBRARY = {*IR, "backend.library"}
RULES = {*LIBRARY, "backend.rules"}
PREPARE = {*LIBRARY, "backend.prepare"}
COUNTS = {*PREPARE, *RULES, "backend.analysis.counts"}
MEMORY = {*COUNTS, "backend.analysis.calls", "backend.analysis.memory", "backend.analysis.types.type_tree"}
TYPES = {*MEMORY, "backend.analysis.types", "backend.frontend.c_types"}
DERIVATIVES = {*MEMORY, "backend.analysis.derivatives"}
ANALYSIS = {*TYPES, *DERIVATIVES, "backend.analysis"}
AUTODIFF = {*ANALYSIS, "backend.autodiff", "backend.native"}
BACKEND = {
    *AUTODIFF,
    *FRONTEND,
    "backend",
    "backend.llvm",
    "backend.store.artifacts",
    "backend.runtime.native.support",
    "backend.runtime.native.texts",
    "backend.runtime.native.constants",
    "backend.runtime.calls.handlers",
}
API = {*BACKEND, "backend.runtime", "backend.tracing", "api", "testing"}
EVERYTHING = {*API, "viz", "pictures", "workshop", "magics", "_magic", "doctor", "integrations", "__main__"}
ALLOWED: dict[str, set[str]] = {
    "errors": set(),
    "ownership": set(),
    "config": {"errors"},
    "report": {"errors", "points"},
    "points": set(),
    "progress": set(),
    "orphans": set(),
    "errors_catalog": set(),
    "backend.ir": BASE,
    "backend.native": IR,
    "backend.store.artifacts": BASE,
    "backend.frontend": FRONTEND,
    "backend.frontend.c_types": {"errors"},
    "backend.frontend.extent": set(),
    "backend.llvm": BASE,
    "backend.rules": RULES,
    "backend.library": {"backend.library"},  # a table knows no IR
    "backend.tracing": {*IR, "backend.tracing"},  # a judge of the analyses knows none of them
    "backend.prepare": PREPARE,
    "backend.analysis": ANALYSIS,
    "backend.analysis.counts": COUNTS,
    "backend.analysis.calls": MEMORY,
    "backend.analysis.memory": MEMORY,
    "backend.analysis.types": TYPES,
    "backend.analysis.types.type_tree": {*IR, "backend.analysis.types"},
    "backend.analysis.derivatives": DERIVATIVES,
    "backend.autodiff": AUTODIFF,
    "backend": BACKEND,  # the files beside the rooms: pipeline, explain and their helpers
    "backend.runtime": {
        *BASE,
        "backend.llvm",
        "backend.native",
        "backend.frontend.c_types",
        "backend.frontend.extent",
        "backend.runtime.native.kept_objects",
        "backend.runtime.native.support",
        "backend.runtime.native.constants",
        "backend.runtime.native.texts",
        "backend.runtime.calls.handlers",
    },
    "backend.runtime.native.support": {
        *BASE,
        "backend.llvm",
        "backend.runtime.native.constants",
        "backend.runtime.native.kept_objects",
        "backend.runtime.native.texts",
    },  # native code that derivatives link to
    "backend.runtime.native.kept_objects": {*BASE, "backend.llvm", "backend.store.artifacts"},
    "backend.runtime.native.constants": set(),
    "backend.runtime.native.texts": BASE,
    "backend.runtime.calls.handlers": {*BASE, "backend.native"},  # Python functions that they link to
    "api": API,
    "testing": API,
    "integrations": {*API},
    "workshop": {*API},
    "viz": {"report", "points", "errors"},
    "pictures": {"errors", "report", "points", "viz"},
    "_magic": EVERYTHING - {"magics"},
    "doctor": EVERYTHING - {"magics", "_magic"},
    "magics": EVERYTHING,
    "__main__": EVERYTHING,
    "": EVERYTHING - {"_magic", "viz"},  # the table of contents; that it imports lazily is tested in test_imports.py
}
ONLY = {  # an outside package -> the one room that may import it
    "llvmlite": "backend.llvm",
    "IPython": "magics _magic doctor",
    "ipywidgets": "viz magics _magic",
    "anywidget": "viz",
    "graphviz": "viz api",
    "pygraphviz": "viz",
    "ziglang": "backend.frontend",
    "platformdirs": "config",
    "filelock": "backend.store.artifacts",
    "numpy": "backend.runtime api testing integrations workshop magics _magic",
}


def room_of(module: str) -> str:
    name = module.removeprefix(PACKAGE).removeprefix(".")
    return max((room for room in ALLOWED if room == name or name.startswith(room + ".") or not room), key=len)


class RuntimeOnly(ast.NodeTransformer):
    """Removes what only the type checker sees."""

    def visit_If(self, node: ast.If) -> ast.AST | None:
        return None if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING" else self.generic_visit(node)


@cache
def imports(module: str, typing: bool = True) -> tuple[tuple[str, int], ...]:
    """(imported module, line), with `from package import submodule` resolved to the submodule."""
    return tuple(_imports(module, typing))


def _imports(module: str, typing: bool) -> Iterator[tuple[str, int]]:
    tree: ast.AST = ast.parse(MODULES[module].read_text())
    for node in ast.walk(tree if typing else RuntimeOnly().visit(tree)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = absolute(module, node)
            for alias in node.names:
                yield (f"{base}.{alias.name}" if f"{base}.{alias.name}" in MODULES else base), node.lineno


def absolute(module: str, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    parts = module.split(".")
    package = parts if MODULES[module].name == "__init__.py" else parts[:-1]
    return ".".join([*package[: len(package) - node.level + 1], *([node.module] if node.module else [])])


def test_every_module_is_in_a_room() -> None:
    lost = [name for name in MODULES if room_of(name) == "" and name != PACKAGE]
    assert lost == [], "add the new room to ALLOWED here and to the table in ARCHITECTURE.md"


@pytest.mark.parametrize("module", MODULES)
def test_arrows(module: str) -> None:
    room = room_of(module)
    wrong = [
        f"{MODULES[module].relative_to(ROOT)}:{line} imports {target}"
        for target, line in imports(module)
        if target.split(".")[0] == PACKAGE and target != PACKAGE
        if room_of(target) not in {room, *ALLOWED[room]}
    ]
    assert wrong == [], f"{room or PACKAGE} may import {', '.join(sorted(ALLOWED[room])) or 'nothing'}"


def test_what_writes_does_not_import_what_decides() -> None:
    """Plans are made in one room of autodiff, for `derivation`; the writers are handed what they need of them."""
    autodiff = f"{PACKAGE}.backend.autodiff"
    deciding = {f"{autodiff}.planning.plan", f"{autodiff}.planning.planner"}
    importers = {
        name
        for name in MODULES
        if name.startswith(autodiff) and not name.startswith(f"{autodiff}.planning")
        if any(target in deciding for target, _ in imports(name, typing=False))
    }
    assert importers == {f"{autodiff}.derivation"}


@pytest.mark.parametrize("module", MODULES)
def test_outside_packages(module: str) -> None:
    room = room_of(module)
    wrong = [
        f"{MODULES[module].relative_to(ROOT)}:{line} imports {target}"
        for target, line in imports(module)
        if (owners := ONLY.get(target.split(".")[0])) and room not in owners.split()
    ]
    assert wrong == []


def test_only_config_reads_the_environment() -> None:
    readers = {
        name
        for name, path in MODULES.items()
        for node in ast.walk(ast.parse(path.read_text()))
        if (isinstance(node, ast.Attribute) and node.attr in {"environ", "environb", "getenv", "getenvb"})
    }
    assert readers == {f"{PACKAGE}.config"}


def test_there_are_no_circles() -> None:
    graph = {
        name: {target for target, _ in imports(name, typing=False) if target in MODULES and target != name}
        for name in MODULES
    }
    graph = {
        name: {target for target in targets if not name.startswith(target + ".")} for name, targets in graph.items()
    }
    done: set[str] = set()
    for start in graph:
        path: list[tuple[str, Iterator[str]]] = [(start, iter(sorted(graph[start])))]
        while path:
            inside = [name for name, _ in path]
            following = next(path[-1][1], None)
            if following is None:
                done.add(path.pop()[0])
            elif following in inside:
                pytest.fail("circle: " + " -> ".join([*inside[inside.index(following) :], following]))
            elif following not in done:
                path.append((following, iter(sorted(graph[following]))))


@pytest.mark.parametrize("module", MODULES)
def test_every_module_says_what_it_is(module: str) -> None:
    path = MODULES[module]
    tree = ast.parse(path.read_text())
    assert ast.get_docstring(tree) or not tree.body, f"{path.relative_to(ROOT)} has no docstring"


@pytest.mark.parametrize("module", MODULES)
def test_files_stay_readable(module: str) -> None:
    assert len(MODULES[module].read_text().splitlines()) <= 500, "is this still one concern?"
