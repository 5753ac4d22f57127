"""dev.py on odd machines: no home, a space in the path, no pip, an environment that is ready. No test here needs a network."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import types
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = (
    "dev.py",
    "requirements.lock",
    "requirements-frameworks.lock",
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "Makefile",
)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with a space in its path, without the package."""
    folder = tmp_path / "my checkout"
    (folder / "benchmarks").mkdir(parents=True)
    for name in FILES:
        shutil.copy(ROOT / name, folder / name)
    return folder


def load(checkout: Path) -> types.ModuleType:
    spec = importlib.util.spec_from_file_location("dev_under_test", checkout / "dev.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def ready(checkout: Path) -> types.ModuleType:
    """An environment that looks installed."""
    module = load(checkout)
    module.make_venv(module.VENV)
    module.STAMP.write_text(json.dumps(module.stamp()))
    return module


def dev(
    checkout: Path, *arguments: str, program: str = "dev.py", **environment: str
) -> subprocess.CompletedProcess[str]:
    env = {"PATH": "/usr/bin:/bin", **environment}
    command = [sys.executable, "-S", program, *arguments] if program.endswith(".py") else [program, *arguments]
    return subprocess.run(command, cwd=checkout, env=env, capture_output=True, text=True, timeout=60)


def test_help_names_every_command(checkout: Path) -> None:
    done = dev(checkout)
    assert done.returncode == 2
    assert dev(checkout, "--help").returncode == 0
    assert dev(checkout, "nonsense").returncode == 2
    assert all(f"  {name}" in done.stdout for name in load(checkout).COMMANDS)


def test_without_pip_and_ensurepip_one_line_says_what_to_install(checkout: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    (broken / "ensurepip").mkdir(parents=True)
    (broken / "ensurepip" / "__init__.py").write_text('raise ImportError("not in this distribution")')
    done = dev(checkout, "demo", PYTHONPATH=str(broken), HOME="")
    assert done.returncode == 1
    assert (
        done.stderr == "dev.py: this Python has neither pip nor ensurepip; install python3-pip or python3-venv first\n"
    )


def test_an_unchanged_lock_starts_at_once(checkout: Path) -> None:
    ready(checkout)
    (checkout / "benchmarks" / "hello.py").write_text("import os, sys; print('ran', os.environ['HOME'], sys.prefix)")
    done = dev(checkout, "bench", HOME="")
    assert (done.returncode, done.stderr) == (0, "")
    venv = checkout / ".venv"
    assert done.stdout == f"ran {venv / 'home'} {venv}\n"


def test_exit_codes_come_through(checkout: Path) -> None:
    ready(checkout)
    (checkout / "benchmarks" / "fails.py").write_text("raise SystemExit(3)")
    assert dev(checkout, "bench").returncode == 3
    done = dev(checkout, "bench", "none")
    assert done.returncode == 2
    assert "there are fails" in done.stderr


def test_make_is_an_alias(checkout: Path) -> None:
    if not shutil.which("make"):
        pytest.skip("no make here")
    ready(checkout)
    (checkout / "benchmarks" / "hello.py").write_text("print('ran')")
    done = dev(checkout, "bench", program="make", PATH=f"{Path(sys.executable).parent}:/usr/bin:/bin")
    assert done.stdout == "ran\n"


def test_what_changes_the_environment(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EM_REQUIRE_FRAMEWORKS", raising=False)
    module = ready(checkout)
    steps: list[str] = []
    monkeypatch.setattr(module, "pip", lambda python, *arguments: steps.append(arguments[1]))
    monkeypatch.setattr(module, "make_venv", lambda folder: steps.append("venv"))
    module.prepare()
    assert steps == []
    (checkout / "requirements.lock").write_text("# other\n")
    module.prepare()
    assert steps == ["-r", "--no-deps"], "another lock updates"
    module.prepare()
    assert steps == ["-r", "--no-deps"]
    module.STAMP.write_text(json.dumps({**module.stamp(), "made for": "elsewhere"}))
    module.prepare()
    assert steps[2:] == ["venv", "-r", "--no-deps"], "another place or Python starts afresh"


def test_frameworks_are_installed_on_demand_only(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EM_REQUIRE_FRAMEWORKS", raising=False)
    module = ready(checkout)
    steps: list[tuple[str, ...]] = []
    monkeypatch.setattr(module, "pip", lambda python, *arguments: steps.append(arguments))
    monkeypatch.setenv("EM_REQUIRE_FRAMEWORKS", "1")
    module.prepare()
    both = ("-r", str(checkout / "requirements.lock"), "-r", str(checkout / "requirements-frameworks.lock"))
    assert [step[1:] for step in steps if "-r" in step] == [both]
    module.prepare()
    assert len(steps) == 2
    monkeypatch.setenv("EM_REQUIRE_FRAMEWORKS", "0")
    module.prepare()
    assert len(steps) == 2, "what is there already stays"
    monkeypatch.setenv("EM_REQUIRE_FRAMEWORKS", "1")
    (checkout / "requirements-frameworks.lock").write_text("# other\n")
    module.prepare()
    assert len(steps) == 4, "another lock updates"


def test_an_interrupted_installation_is_taken_up_again(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = ready(checkout)
    module.STAMP.unlink()
    monkeypatch.setattr(module, "pip", lambda *arguments: (_ for _ in ()).throw(SystemExit("pip failed")))
    for _ in range(2):
        with pytest.raises(SystemExit):
            module.prepare()
        assert not module.STAMP.exists()


@pytest.mark.parametrize("home", [None, "", "relative", "/nowhere/at/all", "/dev/null"])
def test_a_home_where_there_is_none(checkout: Path, monkeypatch: pytest.MonkeyPatch, home: str | None) -> None:
    module = load(checkout)
    monkeypatch.delenv("HOME") if home is None else monkeypatch.setenv("HOME", home)
    monkeypatch.setenv("PIP_INDEX_URL", "kept")
    environment = module.environment()
    assert environment["HOME"] == str(checkout / ".venv" / "home")
    assert os.path.isdir(environment["HOME"])
    assert environment["PIP_INDEX_URL"] == "kept"


def test_a_home_is_respected(checkout: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert load(checkout).environment()["HOME"] == str(tmp_path)


def test_a_file_called_venv_is_not_removed(checkout: Path) -> None:
    (checkout / ".venv").write_text("mine")
    done = dev(checkout, "demo")
    assert done.returncode != 0
    assert (checkout / ".venv").read_text() == "mine"


def test_jupyters_pages_get_their_extension(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An editable installation leaves out what the wheel places beside the package."""
    dev = load(checkout)
    monkeypatch.setattr(dev, "pip", lambda python, *arguments: None)
    shutil.copytree(ROOT / "labextension", checkout / "labextension")
    for _ in range(2):
        dev.STAMP.unlink(missing_ok=True)
        dev.prepare()
        placed = dev.VENV / "share" / "jupyter" / "labextensions" / "enzyme-magic" / "package.json"
        assert json.loads(placed.read_text())["name"] == "enzyme-magic"
