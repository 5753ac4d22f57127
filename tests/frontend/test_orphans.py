"""Nothing of a killed process goes on: a compiler that hangs ends, and its folder goes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from enzyme_magic import orphans

PATIENCE = 60  # seconds; how busy the machine is says nothing

SHIM = """#!/bin/sh
case "$*" in *--version*) echo "clang version 19.1.7"; exit 0 ;; esac
sleep 1000 &
echo "$$ $!" > "$SHIM_TELLS.new"
mv "$SHIM_TELLS.new" "$SHIM_TELLS"
wait
"""
KERNEL = "import enzyme_magic as em; em.compile_c('double f(double x) { return x; }', force=True)"


def waited(condition) -> bool:
    end = time.monotonic() + PATIENCE
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()


def lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_hanging_compiler_ends_with_a_killed_kernel(tmp_path) -> None:
    shim, told, folder = tmp_path / "clang", tmp_path / "told", tmp_path / "temporary files"
    shim.write_text(SHIM)
    shim.chmod(0o755)
    folder.mkdir()
    ours = {"ENZYME_MAGIC_CLANG": str(shim), "ENZYME_MAGIC_CACHE_DIR": str(tmp_path / "cache"), "TMPDIR": str(folder)}
    with subprocess.Popen(
        [sys.executable, "-c", KERNEL], env={**os.environ, **ours, "SHIM_TELLS": str(told)}
    ) as kernel:
        try:
            assert waited(told.exists)
            assert list(folder.iterdir()) != []
        finally:
            kernel.kill()
    pids = [int(word) for word in told.read_text().split()]
    assert waited(lambda: not any(map(lives, pids)))
    assert waited(lambda: not list(folder.iterdir()))


LLVM = {
    "worker": """
from tests.llvm.test_apart import chain
from enzyme_magic.backend.llvm.apart import worker
told(worker._current().process.pid)
import enzyme_magic as em
em.compile_c(chain(24), force=True)
""",
    "printed passes": """
from enzyme_magic.backend.llvm.apart import printed_passes
printed_passes._CHILD = f"import os, time; os.write({writing}, b'%d' % os.getpid()); time.sleep(1000)"
printed_passes.subprocess.Popen = functools.partial(printed_passes.subprocess.Popen, pass_fds=[writing])
printed_passes.printed_passes("", 0, [])
""",
}


@pytest.mark.parametrize("name", LLVM)
def test_llvms_processes_end_with_a_killed_kernel(name: str, tmp_path) -> None:
    reading, writing = os.pipe()
    script = f"import functools, os\nwriting = {writing}\n"
    script += f"def told(pid): os.write(writing, b'%d' % pid)\n{LLVM[name]}"
    with subprocess.Popen(
        [sys.executable, "-c", script], pass_fds=[writing], env={**os.environ, "TMPDIR": str(tmp_path)}
    ) as kernel:
        try:
            child = int(os.read(reading, 20))
            assert lives(child)
        finally:
            kernel.kill()
            os.close(reading)
            os.close(writing)
    assert waited(lambda: not lives(child))
    assert waited(lambda: not list(tmp_path.iterdir()))


def test_what_has_ended_is_forgotten(tmp_path) -> None:
    script = f"""
import os, pathlib, subprocess
from enzyme_magic import orphans
kept, left = pathlib.Path({str(tmp_path)!r}, "kept here"), pathlib.Path({str(tmp_path)!r}, "left -here")
for folder in (kept, left):
    folder.mkdir()
    orphans.watch_folder(str(folder))
orphans.forget_folder(str(kept))
others = [subprocess.Popen(["sleep", "1000"], start_new_session=True, stdout=subprocess.DEVNULL) for _ in range(2)]
for other in others:
    orphans.watch_group(other.pid)
orphans.forget_group(others[0].pid)
if os.fork() == 0:
    os._exit(0)
print(*(other.pid for other in others), flush=True)
os.kill(os.getpid(), 9)
"""
    done = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, timeout=PATIENCE)
    forgotten, watched = map(int, done.stdout.split())
    try:
        assert waited(lambda: not lives(watched))
        assert waited(lambda: not (tmp_path / "left -here").exists())
        assert (tmp_path / "kept here").exists()
        assert lives(forgotten)
    finally:
        os.kill(forgotten, 9)


def test_it_is_nobodys_child_and_says_nothing() -> None:
    """C code may wait for all of its children."""
    script = f"{KERNEL}; import os; from enzyme_magic import orphans; assert orphans._pipe >= 0; os.wait()"
    done = subprocess.run([sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, timeout=300)
    assert "ChildProcessError" in done.stderr.rstrip().split("\n")[-1]
    assert "ResourceWarning" not in done.stderr


def test_one_that_was_ended_is_started_again(tmp_path) -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(orphans, "_pipe", theirs)
        orphans.watch_folder(str(tmp_path / "none"))
        assert orphans._pipe >= 0
        orphans.forget_folder(str(tmp_path / "none"))
        os.close(orphans._pipe)
