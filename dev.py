#!/usr/bin/env python3
"""Everything one does with a checkout: `python3 dev.py demo | test | lint | bench | notebooks | native | docs | classroom | nightly
| lock`.

The first use makes `.venv` beside this file and installs `requirements.lock` into it; later uses see that the lock has not
changed and start at once. With EM_REQUIRE_FRAMEWORKS=1 it also installs `requirements-frameworks.lock` (PyTorch, JAX, TensorFlow,
SciPy and others), whose tests are skipped otherwise. Needs Python 3.11 and the standard library; pip's own settings (PIP_*,
pip.conf) are respected.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "ready"
LOCK = ROOT / "requirements.lock"
FRAMEWORKS = ROOT / "requirements-frameworks.lock"
PROJECT = ROOT / "pyproject.toml"
OLDEST = (3, 11)


def main(arguments: list[str]) -> int:
    command = COMMANDS.get(arguments[0]) if arguments else None
    if command is None:
        print((__doc__ or "").strip())
        for name, function in COMMANDS.items():
            print(f"  {name:9} {(function.__doc__ or '').splitlines()[0]}")
        return 0 if arguments in (["-h"], ["--help"]) else 2
    return command(arguments[1:])


def demo(arguments: list[str]) -> int:
    """The main job: a C function, its gradient, the text picture, and out/relu3.html."""
    prepare()
    return run("-m", "enzyme_magic", "demo", *(arguments or ["out/relu3.html"]))


def test(arguments: list[str]) -> int:
    """Lint, types and every test but the nightly ones; arguments go to pytest instead."""
    prepare()
    if arguments:
        return run("-m", "pytest", *arguments)
    return max(lint([]), run("-m", "pytest", "-q", "-m", "not nightly", *parallel()))


def lint(arguments: list[str]) -> int:
    """ruff and mypy. `--fix` repairs what ruff can."""
    prepare()
    fix = "--fix" in arguments
    steps = [
        ["ruff", "check", *(["--fix"] if fix else [])],
        ["ruff", "format", *([] if fix else ["--check"])],
        ["mypy"],
    ]
    return max(run("-m", *step) for step in steps)


def nightly(arguments: list[str]) -> int:
    """All tests, the nightly ones too, with many more random examples."""
    prepare()
    return run("-m", "pytest", "-q", "--hypothesis-profile=nightly", *parallel(), *arguments)


def bench(arguments: list[str]) -> int:
    """Every benchmark, or those named: `dev.py bench relu3`."""
    prepare()
    scripts = [path for path in sorted((ROOT / "benchmarks").glob("*.py")) if not path.name.startswith("_")]
    chosen = [path for path in scripts if not arguments or path.stem in arguments]
    if not chosen:
        return fail(f"no such benchmark; there are {', '.join(path.stem for path in scripts)}")
    return max(run(str(path)) for path in chosen)


def notebooks(arguments: list[str]) -> int:
    """Run the notebooks of the course, or those named, and write them with their outputs: `dev.py notebooks 01 04`."""
    prepare()
    return run("notebooks/build.py", *arguments)


def native(arguments: list[str]) -> int:
    """Compile the C of the run-time support to the LLVM text that is kept beside it."""
    prepare()
    return run("-m", "enzyme_magic.backend.passes.native_code", *arguments)


def docs(arguments: list[str]) -> int:
    """Write out/site (or the folder named): the documentation as a site that is read without a network."""
    prepare()
    return run("docs/site/build.py", *arguments)


def classroom(arguments: list[str]) -> int:
    """Write out/classroom (or the folder named): the course with all wheels, pages and texts, for a room without a network."""
    prepare()
    folder = Path(arguments[0] if arguments else ROOT / "out" / "classroom").resolve()
    code = run("notebooks/classroom.py", str(folder))
    if code == 0:
        course_wheels(PYTHON, folder / "wheels")
        print(f"{folder}: take it along; `sh start.sh` in it needs no network.")
    return code


def course_wheels(python: Path, folder: Path) -> None:
    """Beside the wheel of this project those of everything that the course needs, in the versions of the lock."""
    (wheel,) = folder.glob("enzyme_magic-*.whl")
    wanted = ["--constraint", str(LOCK), "--dest", str(folder), f"enzyme_magic[course] @ {wheel.as_uri()}"]
    pip(python, "download", "--only-binary", ":all:", *wanted)


def lock(arguments: list[str]) -> int:
    """Write both locks: the newest versions that pyproject.toml allows and the oldest Python can use."""
    import tomllib

    if sys.version_info[:2] != OLDEST:
        return fail(
            'run lock with Python 3.11: conditions such as python_version < "3.12" are judged by the Python that runs pip'
        )
    project = tomllib.loads(PROJECT.read_text())["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["test"], *extras["dev"]]
    wanted = [requirement for requirement in wanted if not requirement.startswith(project["name"])]
    (names,) = re.findall(r"\[(.*)\]", extras["frameworks"][0])
    pins = resolved(wanted)
    write_lock(LOCK, pins)
    more = resolved([*pins, *(requirement for name in names.split(",") for requirement in extras[name])])
    write_lock(FRAMEWORKS, [pin for pin in more if pin not in pins])
    return 0


def resolved(wanted: list[str]) -> list[str]:
    """Pins of these requirements and all that they need, without the local part of a version: `2.13.0`, not `2.13.0+cpu`."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        oldest = ["--python-version", ".".join(map(str, OLDEST)), "--only-binary", ":all:", "--target", folder]
        python = make_venv(Path(folder) / "venv")
        pip(python, "install", "--dry-run", "--ignore-installed", "--report", str(report), *oldest, *wanted)
        found = [item["metadata"] for item in json.loads(report.read_text())["install"]]
    return sorted(f"{item['name']}=={item['version'].partition('+')[0]}" for item in found)


def write_lock(path: Path, pins: list[str]) -> None:
    path.write_text("\n".join(["# Made by `python3 dev.py lock`; do not edit.", *pins, ""]))
    print(f"{path.name}: {len(pins)} packages")


COMMANDS = {
    "demo": demo,
    "test": test,
    "lint": lint,
    "bench": bench,
    "native": native,
    "notebooks": notebooks,
    "docs": docs,
    "classroom": classroom,
    "nightly": nightly,
    "lock": lock,
}


def prepare() -> None:
    """Make the environment what the locks say; nothing to do when its stamp says so already."""
    wanted = stamp()
    found = json.loads(STAMP.read_text()) if STAMP.is_file() else {}
    if PYTHON.exists() and wanted.items() <= found.items():
        return
    start = time.monotonic()
    size = "about 4 GB" if "frameworks" in wanted else "about 1.3 GB"
    print(f"Setting up .venv ({size}, once; some minutes with a slow network) ...", flush=True)
    if not PYTHON.exists() or (found and found["made for"] != wanted["made for"]):
        make_venv(VENV)
    locks = [LOCK, FRAMEWORKS] if "frameworks" in wanted else [LOCK]
    pip(PYTHON, "install", *(argument for path in locks for argument in ("-r", str(path))))
    pip(PYTHON, "install", "--no-deps", "--no-build-isolation", "--editable", str(ROOT))
    place_pages()
    STAMP.write_text(json.dumps(wanted))
    print(f"Ready after {time.monotonic() - start:.0f} s.", flush=True)


def place_pages() -> None:
    """What Jupyter's pages get from the wheel (C in cells, pictures that fit): an editable installation has no place for it."""
    place = VENV / "share" / "jupyter" / "labextensions" / "enzyme-magic"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.unlink(missing_ok=True)
    place.symlink_to(ROOT / "labextension")


def stamp() -> dict[str, str]:
    """What the environment depends on: another Python or place (its scripts name it) needs a new one, another lock an update."""
    made_for = {"made for": f"{sys.version} in {VENV}", "contents": digest(LOCK, PROJECT)}
    if os.environ.get("EM_REQUIRE_FRAMEWORKS") == "1":
        return {**made_for, "frameworks": digest(FRAMEWORKS)}
    return made_for  # frameworks that are there already stay


def digest(*paths: Path) -> str:
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in paths)).hexdigest()


def make_venv(folder: Path) -> Path:
    """A fresh environment without pip (works where ensurepip is missing); returns its interpreter."""
    import venv

    if folder.is_symlink() or folder.is_file():
        raise SystemExit(f"dev.py: {folder} is in the way")
    venv.EnvBuilder(with_pip=False, clear=True, symlinks=True).create(folder)
    return folder / "bin" / "python"


def pip(python: Path, *arguments: str) -> None:
    """Run pip for the environment of `python`: the pip of this interpreter, else one made by ensurepip."""
    if importlib.util.find_spec("pip"):
        command = [sys.executable, "-m", "pip", "--python", str(python)]
    elif bootstrap(python):
        command = [str(python), "-m", "pip"]
    else:
        raise SystemExit("dev.py: this Python has neither pip nor ensurepip; install python3-pip or python3-venv first")
    quiet = [] if sys.stdout.isatty() else ["--quiet"]
    command += ["--no-input", "--disable-pip-version-check", *quiet, *arguments]
    if subprocess.run(command, env=environment()).returncode:
        raise SystemExit(f"dev.py: pip failed (see above); `python3 dev.py {sys.argv[1]}` starts again")


def bootstrap(python: Path) -> bool:
    if list((python.parent.parent / "lib").glob("python*/site-packages/pip/__init__.py")):
        return True
    command = [str(python), "-m", "ensurepip", "--default-pip"]
    return subprocess.run(command, env=environment(), capture_output=True).returncode == 0


def run(*arguments: str) -> int:
    """The environment's Python in the checkout; Ctrl-C ends the child, then us."""
    try:
        code = subprocess.run(
            [str(PYTHON), *arguments], cwd=ROOT, env=environment(), stdin=subprocess.DEVNULL
        ).returncode
    except KeyboardInterrupt:
        code = 130
    return code if code >= 0 else 128 - code


def environment() -> dict[str, str]:
    """Ours, with a home where there is none: IPython and Jupyter would write into the current folder instead. Bytecode is kept:
    the tests start hundreds of processes, and each would compile the whole package again."""
    env = dict(os.environ)
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    home = env.get("HOME", "")
    if not (os.path.isabs(home) and os.path.isdir(home) and os.access(home, os.W_OK)):
        (VENV / "home").mkdir(parents=True, exist_ok=True)
        env["HOME"] = str(VENV / "home")
    return env


def parallel() -> list[str]:
    """One worker for each processor this process may use, four at most (each holds a compiler). Tests of a file share one: what
    they have in common is made once. Files in their order: else those of few and long tests come last, and others wait for them."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return ["-n", str(max(1, min(4, count))), "--dist", "loadfile", "--no-loadscope-reorder"]


def fail(message: str) -> int:
    print(f"dev.py: {message}", file=sys.stderr)
    return 2


def newer_python() -> str | None:
    """The newest Python on PATH that is new enough."""
    found = (shutil.which(f"python3.{minor}") for minor in range(19, OLDEST[1] - 1, -1))
    return next((path for path in found if path), None)


if __name__ == "__main__":
    if sys.version_info < OLDEST:
        python = newer_python()
        if python is None:
            sys.exit("dev.py: Python 3.11 or newer is needed")
        os.execv(python, [python, *sys.argv])
    sys.exit(main(sys.argv[1:]))
