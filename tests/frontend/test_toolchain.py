"""Finding clang, and an environment that is hostile to it."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from enzyme_magic.backend.frontend.clang import process, toolchain
from enzyme_magic.backend.frontend.compile import compile_sources
from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.config import Options, Settings
from enzyme_magic.errors import CompileError, ToolchainError

F = Source("#include <math.h>\ndouble f(double x) { return sin(x); }", "In[3]")


def test_the_bundled_clang(settings) -> None:
    tool = toolchain.find(settings, 22)
    assert tool.kind == "bundled"
    assert tool.version.startswith(f"{tool.major}.")
    assert toolchain.target() in ("x86_64-linux-gnu", "aarch64-linux-gnu")
    assert toolchain.triple().split("-")[1:] == ["unknown", "linux", "gnu"]


def test_its_version_is_asked_once(settings, monkeypatch, runs) -> None:
    monkeypatch.setattr(toolchain, "_VERSIONS", {})
    toolchain.find(settings)
    monkeypatch.setattr(toolchain, "_VERSIONS", {})
    runs.clear()
    toolchain.find(settings)
    assert runs == [], "the second process reads it from the cache folder"
    (toolchain.zig_cache(settings) / "version.json").write_text("no json")
    monkeypatch.setattr(toolchain, "_VERSIONS", {})
    toolchain.find(settings)
    assert len(runs) == 1


def test_too_new_a_clang(settings) -> None:
    with pytest.raises(ToolchainError) as caught:
        toolchain.find(settings, 14)
    assert caught.value.code == "EM102"
    assert "14" in caught.value.hint


def test_no_clang(settings, monkeypatch) -> None:
    monkeypatch.setattr(toolchain.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ToolchainError) as caught:
        toolchain.find(settings)
    assert caught.value.code == "EM101"
    assert "pip install ziglang" in caught.value.hint


def test_a_system_clang_that_is_not_there(settings) -> None:
    with pytest.raises(ToolchainError) as caught:
        toolchain.find(replace(settings, clang="/nowhere/clang"))
    assert caught.value.code == "EM101"


def fake_clang(folder: Path, version: str) -> str:
    path = folder / f"clang {version[:6]}"
    path.write_text(f'#!/bin/sh\necho "{version}"\n')
    path.chmod(0o755)
    return str(path)


def test_a_system_clang_is_judged_by_its_version(settings, tmp_path) -> None:
    old = replace(settings, clang=fake_clang(tmp_path, "Debian clang version 19.1.7 (3)"))
    tool = toolchain.find(old, 22)
    assert (tool.kind, tool.major, tool.version) == ("system", 19, "19.1.7")
    gcc = replace(settings, clang=fake_clang(tmp_path, "gcc (Debian) 14.2.0"))
    with pytest.raises(ToolchainError) as caught:
        toolchain.find(gcc, 22)
    assert (caught.value.code, "gcc (Debian) 14.2.0" in str(caught.value)) == ("EM102", True)


def test_a_system_clang_compiles(settings, tmp_path) -> None:
    """The bundled clang behind a script stands for one: it gets a plain clang's command line."""
    zig = toolchain.find(settings).path
    script = tmp_path / "clang"
    script.write_text(f'#!/bin/sh\nexec "{zig}" cc "$@"\n')
    script.chmod(0o755)
    unit = compile_sources(
        [Source("double f(double x) { return x*x; }", "a")], Options(), replace(settings, clang=str(script)), 22
    )
    assert unit.version == "22.1.8" or unit.version.count(".") == 2
    assert str(unit.signatures["f"]) == "f(double x) -> double"


def without(settings: Settings, *names: str, **changes: str) -> Settings:
    env = {key: value for key, value in settings.environment.items() if key not in names}
    return replace(settings, environment={**env, **changes})


def test_home_unset(settings) -> None:
    assert compile_sources([F], Options(), without(settings, "HOME", "XDG_CACHE_HOME"), 22).irs


def test_home_that_cannot_be_written(settings) -> None:
    assert compile_sources([F], Options(), without(settings, HOME="/proc"), 22).irs


def test_empty_environment(settings) -> None:
    assert compile_sources([F], Options(), replace(settings, environment={}), 22).irs


def test_hostile_environment(settings, tmp_path) -> None:
    (tmp_path / "math.h").write_text("#error from CPATH\n")
    hostile = without(settings, CPATH=str(tmp_path), ZIG_GLOBAL_CACHE_DIR="/proc/x", CLICOLOR_FORCE="1", LANG="xx")
    assert compile_sources([F], Options(), hostile, 22).irs


@pytest.mark.parametrize("where", ["/proc/enzyme_magic", "/dev/null/x"])
def test_cache_folder_that_cannot_be_made(settings, where) -> None:
    assert compile_sources([F], Options(), replace(settings, cache_dir=Path(where)), 22).irs


def test_read_only_cache_folder(settings, tmp_path, monkeypatch) -> None:
    folder = tmp_path / "zig"
    folder.mkdir()
    folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    real = os.access
    # root may write everywhere: say what an ordinary user would be told
    monkeypatch.setattr(os, "access", lambda path, mode: False if Path(path) == folder else real(path, mode))
    chosen = replace(settings, cache_dir=tmp_path)
    assert toolchain.zig_cache(chosen) != folder
    assert compile_sources([F], Options(), chosen, 22).irs
    assert list(folder.iterdir()) == []


def test_cache_folder_with_spaces(settings, tmp_path) -> None:
    assert compile_sources([F], Options(), replace(settings, cache_dir=tmp_path / "my cache é"), 22).irs


def test_working_directory_that_is_gone(settings, tmp_path, monkeypatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    before = Path.cwd()
    os.chdir(gone)
    try:
        gone.rmdir()
        assert compile_sources([F], Options(), settings, 22).irs
    finally:
        os.chdir(before)


def test_no_temporary_folder(settings, monkeypatch) -> None:
    monkeypatch.setattr(toolchain.tempfile, "mkdtemp", lambda **_: (_ for _ in ()).throw(OSError(28, "No space left")))
    with pytest.raises(ToolchainError) as caught:
        compile_sources([F], Options(), settings, 22)
    assert (caught.value.code, "No space left" in str(caught.value)) == ("EM106", True)


BOMB = (
    "".join(f"#define A{k}(x) {f'A{k + 1}(x) ' * 10}\n" for k in range(9))
    + "#define A9(x) x;\nvoid f(void) { A0(1) }\n"
)


def test_a_compile_without_end_is_stopped(settings) -> None:
    start = time.monotonic()
    with pytest.raises(ToolchainError) as caught:
        compile_sources([Source(BOMB, "In[3]")], Options(), replace(settings, compile_timeout=0.3), 22)
    assert caught.value.code == "EM105"
    assert time.monotonic() - start < 10


def test_a_compile_that_eats_the_memory_is_stopped(settings, monkeypatch) -> None:
    monkeypatch.setattr(process, "MEMORY_LIMIT", 400 << 20)
    with pytest.raises(ToolchainError) as caught:
        # On a busy machine clang may need longer than the default limit to eat that much.
        compile_sources([Source(BOMB, "In[3]")], Options(), replace(settings, compile_timeout=300), 22)
    assert caught.value.code == "EM104"


GRANDCHILD = "import resource, sys; sys.stdin.readline(); print(resource.getrlimit(resource.RLIMIT_AS)[0])"
CHILD = f"""
import subprocess, sys, time
grandchild = subprocess.Popen([sys.executable, '-c', {GRANDCHILD!r}], stdin=subprocess.PIPE, text=True)
open(sys.argv[1], 'w').close()
time.sleep(1)
grandchild.communicate('go')
"""


def test_the_limits_hold_for_a_process_that_the_compiler_started_before(monkeypatch, tmp_path) -> None:
    limit, started = process._limit, tmp_path / "started"

    def late(group: int) -> None:
        while not started.exists():
            time.sleep(0.01)
        limit(group)

    monkeypatch.setattr(process, "_limit", late)
    done = process.run([sys.executable, "-c", CHILD, str(started)], environment={}, timeout=250)
    assert done.stdout.split() == [str(process.MEMORY_LIMIT)], done.stderr


SCRIPT = """
import signal, sys, threading
from enzyme_magic.backend.frontend.clang import process
signal.signal(signal.SIGINT, signal.default_int_handler)
print("ready", flush=True)
try:
    process.run([sys.executable, "-c", "import subprocess, sys, time; p = subprocess.Popen(['sleep', '97531']); time.sleep(97531)"],
                environment={}, timeout=60)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def sleepers() -> list[str]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                command = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if b"97531" in command and b"environment={}" not in command:
                found.append(entry.name)
    return found


def wait_for(condition) -> bool:
    end = time.monotonic() + 10
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


def test_an_interrupt_ends_the_child_and_its_children() -> None:
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen([sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, env=env, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        assert wait_for(lambda: len(sleepers()) == 2)
        os.kill(child.pid, 2)
        assert child.stdout.readline() == "interrupted\n"
        assert child.wait(10) == 0
    assert wait_for(lambda: sleepers() == [])


def test_output_is_cut_and_a_closed_pipe_is_no_end() -> None:
    done = process.run(
        [sys.executable, "-c", "import sys; sys.stderr.write('x' * 9_000_000); print('end')"],
        environment={},
        timeout=60,
    )
    assert done.status == 0
    assert done.stdout == "end\n"
    assert process.OUTPUT_LIMIT <= len(done.stderr) < process.OUTPUT_LIMIT + (1 << 17)


def test_a_child_that_closes_its_output_and_goes_on_is_stopped() -> None:
    done = process.run(
        [sys.executable, "-c", "import os, time; os.close(1); os.close(2); time.sleep(60)"], environment={}, timeout=0.5
    )
    assert done.stopped == "timeout"


def test_a_compiler_that_is_no_program(settings, monkeypatch) -> None:
    tool = toolchain.find(settings)
    monkeypatch.setattr(toolchain, "find", lambda *_: replace(tool, path="/nowhere/zig"))
    with pytest.raises(ToolchainError) as caught:
        compile_sources([F], Options(), settings, 22)
    assert caught.value.code == "EM101"


def test_an_unsupported_machine(monkeypatch) -> None:
    monkeypatch.setattr(toolchain.platform, "machine", lambda: "s390x")
    with pytest.raises(ToolchainError) as caught:
        toolchain.target()
    assert caught.value.code == "EM103"


def test_compile_errors_are_not_toolchain_errors(settings) -> None:
    with pytest.raises(CompileError):
        compile_sources([Source("int f(void) { terminated unexpectedly signal }", "In[3]")], Options(), settings, 22)


def test_a_child_whose_parent_was_killed_has_a_limit_of_processor_time() -> None:
    """It is set from outside, so the child waits for it; then it computes on its own, and ends."""
    script = """
import resource, time
while resource.getrlimit(resource.RLIMIT_CPU)[0] == resource.RLIM_INFINITY:
    time.sleep(0.01)
print(resource.getrlimit(resource.RLIMIT_CPU)[0])
"""
    done = process.run([sys.executable, "-c", script], environment=os.environ, timeout=60.0)
    assert (done.status, done.stdout, done.stopped) == (0, "121\n", "")
