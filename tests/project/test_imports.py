"""What `import enzyme_magic` costs: none of the heavy packages is loaded before it is needed."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = (
    "IPython",
    "llvmlite",
    "numpy",
    "networkx",
    "graphviz",
    "pygraphviz",
    "ipywidgets",
    "platformdirs",
    "filelock",
    "mpmath",
)


def loaded_after(code: str) -> set[str]:
    program = f"{code}\nimport json, sys\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize(
    "code", ["import enzyme_magic", "import enzyme_magic as em; em.__version__, em.__all__, dir(em), em.EnzymeError"]
)
def test_the_import_is_light(code: str) -> None:
    assert loaded_after(code).isdisjoint(HEAVY)


def test_the_package_has_its_public_names() -> None:
    import enzyme_magic as em

    assert {"compile_c", "compile", "grad", "value_and_grad", "EnzymeError", "CompileError", "ArgumentError"} <= set(
        dir(em)
    )
    for name in em.__all__:
        assert getattr(em, name) is not None
    with pytest.raises(AttributeError, match="no_such_name"):
        em.no_such_name  # noqa: B018


def test_pictures_need_no_compiler() -> None:
    loaded = loaded_after(
        "import enzyme_magic.report, enzyme_magic.viz, pkgutil, importlib\n"
        "for m in pkgutil.iter_modules(enzyme_magic.viz.__path__): importlib.import_module('enzyme_magic.viz.' + m.name)"
    )
    assert not {
        name for name in loaded if name.startswith(("enzyme_magic.backend.", "enzyme_magic.api", "llvmlite", "IPython"))
    }
