"""The line magics, the help, Tab, and loading the extension."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from IPython.core import completer
from IPython.core.completer import provisionalcompleter
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from enzyme_magic import config
from enzyme_magic.backend.store.artifacts import ArtifactStore
from enzyme_magic.errors_catalog import CATALOG
from enzyme_magic.viz import theme
from enzyme_magic.viz.theme import DARK

MAGICS = {
    "cell": ["enzyme_c"],
    "line": ["enzyme_show", "enzyme_export", "enzyme_why", "enzyme_doctor", "enzyme_artifacts", "enzyme_config"],
}


@pytest.fixture
def relu3(run: Any) -> None:
    with capture_output():
        run("%%enzyme_c relu3\ndouble relu3(double x);")


def said(run: Any, line: str) -> str:
    """What a line prints; its error's text where it raises."""
    with capture_output(display=False) as captured:
        run(line)
    return captured.stdout + captured.stderr


def test_show(run: Any, relu3: None) -> None:
    with capture_output() as captured:
        run("%enzyme_show relu3")
        run("%enzyme_show --view activity relu3")
        run("%enzyme_show relu3 --view gradient-optimized")
    first, second, third = (output.data["text/plain"] for output in captured.outputs)
    assert len({first, second, third}) == 3
    assert "ret double" in third


def test_export(run: Any, relu3: None, tmp_path: Path) -> None:
    page, picture = tmp_path / "relu3.html", tmp_path / "cache.svg"
    assert said(run, f"%enzyme_export relu3 {page}") == f"relu3: {page}\n"
    assert page.read_text().startswith("<!DOCTYPE html>")
    said(run, f"%enzyme_export relu3 {picture} --view cache --theme dark --wrt x")
    assert "<title>Cache of relu3" in picture.read_text()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("%enzyme_show", "UsageError: which function?"),
        ("%enzyme_show a b", "UsageError: which function?"),
        ("%enzyme_show relu", "UsageError: no C function relu; did you mean relu3?"),
        ("%enzyme_show nothing_like_it", "UsageError: no C function nothing_like_it; there is relu3"),
        ("%enzyme_show data", "UsageError: data is a list, not a C function"),
        ("%enzyme_show relu3 --view nope", "ViewError: there is no view 'nope'"),
        ("%enzyme_show relu3 --veiw source", "unknown option --veiw; did you mean --view?"),
        ("%enzyme_export relu3", "UsageError: %enzyme_export NAME FILE"),
        ("%enzyme_export relu a.html", "did you mean relu3?"),
        ("%enzyme_export relu3 a.pdf", "ViewError: no format ends in '.pdf'"),
        ("%enzyme_export relu3 a.svg --theme pink", "ViewError: there is no theme"),
        ("%enzyme_why relu3", "UsageError: %enzyme_why NAME WHERE"),
        ("%enzyme_why", "UsageError: %enzyme_why NAME WHERE"),
        ("%enzyme_why relu 3", "did you mean relu3?"),
        ("%enzyme_artifacts --claer", "did you mean --clear?"),
        ("%enzyme_artifacts now", "unexpected: now"),
    ],
)
def test_what_is_wrong_is_said(run: Any, relu3: None, line: str, message: str) -> None:
    said(run, "data = [1]")
    text = said(run, line)
    assert message in text
    assert "Traceback" not in text


def test_before_anything_is_compiled(run: Any) -> None:
    assert "there is none yet: compile one with %%enzyme_c" in said(run, "%enzyme_show relu3")


@pytest.mark.parametrize(
    ("where", "asked"), [("4", "4"), ("line 4", "'line 4'"), ("%mul", "'%mul'"), ("  x  ", "'x'"), ("%1", "'%1'")]
)
def test_why(run: Any, relu3: None, where: str, asked: str) -> None:
    assert said(run, f"%enzyme_why relu3 {where}") == f"why relu3 {asked}\n"


def test_doctor_explains_codes(run: Any) -> None:
    text = said(run, "%enzyme_doctor EM110 em303")
    assert text.startswith("EM110: the C text does not compile\n")
    assert "\n\nEM303: an array for a scalar\n" in text
    assert "there is no code EM199" in said(run, "%enzyme_doctor EM199")


def test_doctor_examines(run: Any) -> None:
    text = said(run, "%enzyme_doctor")
    for name in ("package", "machine", "clang", "LLVM", "trial", "kept cells", "pictures", "settings"):
        assert f"  {name}" in text


def test_artifacts(run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENZYME_MAGIC_CACHE_DIR", str(tmp_path / "kept"))
    config.settings.cache_clear()
    try:
        assert said(run, "%enzyme_artifacts").startswith("0 compiled cells, 0 B in ")
        store = ArtifactStore(tmp_path / "kept")
        store.put(store.key({"a": 1}), {"code.o": b"1" * 2000})
        text = said(run, "%enzyme_artifacts")
        assert text.startswith("1 compiled cell, 2.")
        assert str(store.root) in text
        assert said(run, "%enzyme_artifacts --clear") == f"removed 1 compiled cell from {store.root}\n"
        assert store.entries() == ()
    finally:
        config.settings.cache_clear()


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind, names in MAGICS.items() for name in names])
def test_help(run: Any, shell: InteractiveShell, kind: str, name: str) -> None:
    written = "%%" + name if kind == "cell" else "%" + name
    document = shell.object_inspect(written)["docstring"]
    assert f"usage: {written}" in document
    assert "-h, --help" in document
    cell = f"{written} -h\nx" if kind == "cell" else f"{written} -h"
    assert said(run, cell).strip() == document.strip()


def completions(shell: InteractiveShell, text: str) -> list[str]:
    """What Tab offers at the end of `text`, as the whole word that results."""
    with provisionalcompleter():
        found = list(shell.Completer.completions(text, len(text)))
    return [completion.text for completion in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("%%enzyme_c --comp", ["--compile-args"]),
        ("%%enzyme_c relu3 --st", ["--strict", "--strict-headers"]),
        ("%%enzyme_c --opt ", ["0", "1", "2", "3"]),
        ("%%enzyme_c --show act", ["activity"]),
        ("%enzyme_show rel", ["relu3"]),
        ("%enzyme_show relu3 --view ca", ["cache"]),
        ("%enzyme_why rel", ["relu3"]),
        ("%enzyme_artifacts --c", ["--clear"]),
        ("%enzyme_doctor EM11", [code for code in sorted(CATALOG) if code.startswith("EM11")]),
    ],
)
def test_tab(shell: InteractiveShell, run: Any, relu3: None, text: str, expected: list[str]) -> None:
    found = completions(shell, text)
    if not hasattr(completer, "context_matcher"):  # before IPython 8.6: among other words
        found = [word for word in found if word in expected]
    assert found == expected


def test_tab_offers_every_option(shell: InteractiveShell) -> None:
    found = completions(shell, "%%enzyme_c -")
    assert {"--opt", "-O", "--compile-args", "-c", "--wrt", "--at", "--check", "--force"} <= set(found)


def test_tab_leaves_the_c_text_alone(shell: InteractiveShell, run: Any, relu3: None) -> None:
    assert "relu3" not in completions(shell, "%%enzyme_c\n%enzyme_c rel")
    assert "--strict-headers" not in completions(shell, "%%enzyme_c f\ndouble f(double x) { return x --st")


def count(shell: InteractiveShell) -> tuple[int, int]:
    """How often this extension is in the shell: (matchers and transformations, magics)."""
    matchers = [getattr(item, "matcher_identifier", "") for item in shell.Completer.custom_matchers]
    magics = sum(name.startswith("enzyme_") for kind in shell.magics_manager.magics.values() for name in kind)
    transformations = [type(item).__name__ for item in shell.input_transformers_cleanup]
    assert matchers.count("enzyme_magic") == transformations.count("FirstLine")
    return matchers.count("enzyme_magic"), magics


def test_loading_again_is_loading_once(shell: InteractiveShell, run: Any, relu3: None) -> None:
    assert count(shell) == (1, 7)
    with capture_output():
        for line in ("%load_ext enzyme_magic", "%reload_ext enzyme_magic", "%reload_ext enzyme_magic"):
            assert run(line).success
            assert count(shell) == (1, 7)
        assert run("%enzyme_show relu3").success
        assert run("%unload_ext enzyme_magic").success
        assert count(shell) == (0, 0)
        assert run("%load_ext enzyme_magic").success
        assert count(shell) == (1, 7)


def test_hooks_of_others_are_left_alone(shell: InteractiveShell) -> None:
    """No custom exception handler, no event, no display formatter of the shell is taken."""
    assert shell.CustomTB is None or shell.custom_exceptions == ()
    assert all("enzyme" not in getattr(f, "__module__", "") for fs in shell.events.callbacks.values() for f in fs)


def test_config(run: Any, compiler: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "enzyme_magic.backend.llvm.objects.tuning.lacking", lambda cpu: ("avx512f",) if "v4" in cpu else ()
    )
    cell = "\ndouble f(double x);"
    assert said(run, "%enzyme_config") == "cells are compiled for this machine\n"
    assert said(run, "%enzyme_config --cpu x86-64-v3") == "cells are compiled for x86-64-v3\n"
    said(run, f"%%enzyme_c -q f{cell}")
    assert compiler.last.options["cpu"] == "x86-64-v3"
    said(run, f"%%enzyme_c -q --cpu x86-64 f{cell}")
    assert compiler.last.options["cpu"] == "x86-64"
    said(run, f"%%enzyme_c -q --cpu host f{cell}")
    assert "cpu" not in compiler.last.options
    assert "it has no avx512f" in said(run, "%enzyme_config --cpu x86-64-v4")
    said(run, f"%%enzyme_c -q f{cell}")
    assert "cpu" not in compiler.last.options


def test_config_of_where_cells_run(run: Any, compiler: Any) -> None:
    cell = "\ndouble f(double x);"
    assert said(run, "%enzyme_config --isolate") == "cells run in worker processes\n"
    said(run, f"%%enzyme_c -q{cell}")
    assert compiler.last.options["isolate"] is True
    assert said(run, "%enzyme_config --no-isolate") == "cells run in the kernel\n"
    said(run, f"%%enzyme_c -q{cell}")
    assert "isolate" not in compiler.last.options
    said(run, f"%%enzyme_c -q --isolate{cell}")
    assert compiler.last.options["isolate"] is True


def test_config_of_strict_derivatives(run: Any, compiler: Any) -> None:
    cell = "\ndouble f(double x);"
    assert said(run, "%enzyme_config --strict") == "derivatives compute as C is written\n"
    said(run, f"%%enzyme_c -q{cell}")
    assert compiler.last.options["strict"] is True
    assert said(run, "%enzyme_config --no-strict") == "derivatives may differ in the last digits\n"
    said(run, f"%%enzyme_c -q{cell}")
    assert "strict" not in compiler.last.options
    said(run, f"%%enzyme_c -q --strict{cell}")
    assert compiler.last.options["strict"] is True


def test_config_of_an_unknown_cpu(run: Any, compiler: Any) -> None:
    assert "EM345" in said(run, "%enzyme_config --cpu znver9")


def test_a_refusal_in_python_is_a_card_too(run: Any) -> None:
    text = said(run, "from enzyme_magic.report import Report\nReport.from_json('')")
    assert "line 2: Report.from_json('')" in text
    assert "EM334" in text
    assert "report.py" not in text
    assert "Traceback" not in text


def test_tb_shows_every_frame(run: Any) -> None:
    said(run, "from enzyme_magic.report import Report\nReport.from_json('')")
    assert "Traceback" in said(run, "%tb")


def test_the_theme_of_pictures(run: Any, relu3: None) -> None:
    try:
        assert said(run, "%enzyme_config --theme dark") == "pictures are dark; widgets too\n"
        with capture_output() as captured:
            run("%enzyme_show relu3 --view source")
        assert DARK.background in captured.outputs[0].data["image/svg+xml"]
        assert said(run, "%enzyme_config --theme auto") == "pictures are light; widgets follow the page\n"
    finally:
        theme.choose("auto")
