"""`python -m enzyme_magic report`: what is written, what is said, and the exit status."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from enzyme_magic.__main__ import main

RELU = "double relu(double x) { return x > 0 ? x : 0; }\n"
TWO = RELU + "double square(double x) { return x * x; }\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.c").write_text(RELU)
    (tmp_path / "two.c").write_text(TWO)
    (tmp_path / "broken.c").write_text("double f(double x) {\n  return y * x;\n}\n")
    (tmp_path / "whole.c").write_text("int f(int x) { return x; }\n")
    (tmp_path / "bad.json").write_text("{}")
    return tmp_path


def test_c_to_page_and_saved_report_to_page(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "one.c", "-o", "out/direct.html"]) == 0
    assert main(["report", "two.c", "-f", "relu", "-o", "relu.json", "-O", "1", "-D", "N=3"]) == 0
    assert "relu(double x) -> double" in capsys.readouterr().out
    code = (
        "import sys; sys.modules['llvmlite'] = sys.modules['ziglang'] = None\n"
        "from enzyme_magic.__main__ import main\n"
        "sys.exit(main(['report', 'relu.json', '-o', 'again.html']))"
    )
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": str(root)}, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    page = (folder / "again.html").read_text()
    assert page.count("<svg") == (folder / "out/direct.html").read_text().count("<svg") >= 8


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["two.c", "-o", "a.html"], 1, "-f NAME, one of: relu, square"),
        (["two.c", "-f", "rleu", "-o", "a.html"], 1, "did you mean relu?"),
        (["broken.c", "-o", "a.html"], 1, "broken.c, line 2, column 10"),
        (["whole.c", "-o", "a.html"], 1, "f has no parameter to differentiate"),
        (["one.c", "-o", "a.svg", "--view", "nope"], 1, "views: dashboard"),
        (["bad.json", "-o", "a.html"], 1, "is no saved report"),
        (["one.c", "-o", "a.pdf"], 2, ".html .svg"),
        (["gone.c", "-o", "a.html"], 2, "there is no file gone.c"),
        (["one.txt", "-o", "a.html"], 2, "ends in none of .c .ll .json"),
        (["bad.json", "-o", "a.html", "-f", "relu"], 2, "--function has no meaning"),
    ],
)
def test_what_is_wrong_is_said(
    words: list[str], status: int, said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", *words]) == status
    assert said in capsys.readouterr().err
    assert not [path for path in folder.iterdir() if path.name.startswith("a.")]


@pytest.mark.parametrize("words", [[], ["one.c"], ["one.c", "-o", "a.svg", "--theme", "pink"], ["one.c", "-O", "9"]])
def test_argparse_ends_with_two(words: list[str], folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["report", *words])
    assert caught.value.code == 2
    assert "usage:" in capsys.readouterr().err
