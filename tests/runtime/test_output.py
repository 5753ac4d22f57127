"""C's standard output appears in order, wherever Python's goes."""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from enzyme_magic.backend.runtime.calls.callable import primal
from enzyme_magic.backend.runtime.values.arguments import ArgumentBinder

from .native_code import DOUBLE, INT, primal_code, signature

ROOT = Path(__file__).resolve().parents[2]
SAY = r"""
@format = constant [8 x i8] c"c %.1f\0A\00"
declare i32 @printf(ptr, ...)
define double @say(double %x) {
  %n = call i32 (ptr, ...) @printf(ptr @format, double %x)
  ret double %x
}
"""
MANY = r"""
@line = constant [17 x i8] c"0123456789\C3\A9\C3\A9\C3\A9\00"
declare i32 @puts(ptr)
define i32 @many(i32 %n) {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %r = call i32 @puts(ptr @line)
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %body, label %done
done:
  ret i32 %n
}
"""
CHILD = r"""
@command = constant [27 x i8] c"(sleep 2; echo late) & : ;\00"
declare i32 @system(ptr)
define i32 @child(i32 %n) {
  %r = call i32 @system(ptr @command)
  ret i32 %r
}
"""


def bound(text, name, result, parameter):
    sig = signature(name, result, parameter)
    return primal(primal_code(text, sig, prints=True), ArgumentBinder(sig))


@pytest.fixture
def say():
    return bound(SAY, "say", DOUBLE, ("x", DOUBLE))


def test_redirected_streams_receive_it(say):
    with contextlib.redirect_stdout(io.StringIO()) as stream:
        for index in range(5):
            print("python", index)
            say(float(index))
        print("end")
    expected = "".join(f"python {k}\nc {float(k)}\n" for k in range(5)) + "end\n"
    assert stream.getvalue() == expected


def test_pytest_sees_it(say, capsys):
    print("before")
    say(2.0)
    print("after")
    assert capsys.readouterr().out == "before\nc 2.0\nafter\n"


def test_more_than_a_pipe_holds_and_no_torn_characters(capsys):
    many = bound(MANY, "many", INT, ("n", INT))
    many(20_000)
    out = capsys.readouterr().out
    lines = out.splitlines()
    assert set(lines) == {"0123456789ééé"}
    assert len(lines) == 20_000


def test_a_child_in_the_background_delays_nothing(capsys):
    import time

    child = bound(CHILD, "child", INT, ("n", INT))
    start = time.monotonic()
    child(1)
    assert time.monotonic() - start < 1.5
    assert capsys.readouterr().out == ""


def test_threads_take_turns(say):
    with contextlib.redirect_stdout(io.StringIO()) as stream:
        threads = [threading.Thread(target=say, args=(float(k),)) for k in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(stream.getvalue().splitlines()) == [f"c {float(k)}" for k in range(8)]


SCRIPT = """
import sys
from enzyme_magic.backend.runtime.values.arguments import ArgumentBinder
from enzyme_magic.backend.runtime.calls.callable import primal
from tests.runtime.native_code import DOUBLE, primal_code, signature
text = '''
@format = constant [8 x i8] c"c %.1f\\\\0A\\\\00"
declare i32 @printf(ptr, ...)
declare void @exit(i32)
define double @say(double %x) {
  %n = call i32 (ptr, ...) @printf(ptr @format, double %x)
  %bad = fcmp olt double %x, 0.0
  br i1 %bad, label %leave, label %stay
leave:
  call void @exit(i32 1)
  unreachable
stay:
  ret double %x
}
'''
sig = signature("say", DOUBLE, ("x", DOUBLE))
say = primal(primal_code(text, sig, prints=True, may_exit=True), ArgumentBinder(sig))
"""
SEQUENCE = """
print("python 1")
say(1.0)
print("python 2")
try:
    say(-2.0)
except Exception as error:
    print(type(error).__name__)
say(3.0)
print("python 3")
"""
EXPECTED = ["python 1", "c 1.0", "python 2", "c -2.0", "ExecutionError", "c 3.0", "python 3"]


def test_in_a_pipe():
    command = [sys.executable, "-c", SCRIPT + SEQUENCE]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.splitlines() == EXPECTED


def test_without_any_standard_output():
    command = [sys.executable, "-c", f"import os\nos.close(1)\n{SCRIPT}\nassert say(1.0) == 1.0"]
    subprocess.run(command, check=True, cwd=ROOT)


@pytest.mark.filterwarnings("ignore")
def test_in_a_notebook_kernel():
    from jupyter_client.manager import start_new_kernel

    manager, client = start_new_kernel(cwd=str(ROOT), kernel_name="python3")
    try:
        text: list[str] = []

        def hook(message: dict) -> None:
            assert message["msg_type"] != "error", message["content"]
            if message["msg_type"] == "stream":
                text.append(message["content"]["text"])

        client.execute_interactive(SCRIPT, output_hook=hook, timeout=60)
        for _ in range(5):
            text.clear()
            client.execute_interactive(SEQUENCE, output_hook=hook, timeout=60)
            assert "".join(text).splitlines() == EXPECTED
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
