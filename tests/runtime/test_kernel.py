"""A real kernel, over the protocol: what goes wrong in C code ends a cell, and the next cell is answered."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.manager import KernelManager, start_new_kernel

PATIENCE = 120  # seconds; how busy the machine is says nothing
C = r"""
#include <stdio.h>
#include <stdlib.h>
double cube(double x) { return x * x * x; }
double spin(double x, long n) { double s = 0; for (long i = 0; i < n; i++) s += x * i; return s; }
double empty(double x) { for (unsigned i = 9; i >= 0; i--) x += i; return x; }
double store(double x, long at) { *(volatile double *)at = x; return x; }
double leaves(double x) { printf("leaving"); exit(3); }
double deep(double x, long n) { return n ? x * deep(x, n - 1) + deep(x / 2, n / 2) : x; }
"""


class Kernel:
    """One kernel and the client that talks to it."""

    def __init__(self, manager: KernelManager, client: Any) -> None:
        self.manager, self.client = manager, client
        self.displayed: list[str] = []  # as plain text

    def answer(self, cell: str, *, interrupt: bool = False) -> tuple[str, str]:
        """How a cell ends: "ok", or the name of its error; and what it printed or said last."""
        said: list[str] = []
        request = self.client.execute(cell)
        deadline = time.monotonic() + PATIENCE
        while True:
            message = self.client.get_iopub_msg(timeout=max(0.1, deadline - time.monotonic()))
            kind, content = message["msg_type"], message["content"]
            if message["parent_header"].get("msg_id") != request:
                continue
            if kind == "stream":
                said.append(content["text"])
                if interrupt and "running" in content["text"]:
                    self.manager.interrupt_kernel()
            if kind in ("display_data", "update_display_data"):
                self.displayed.append(content["data"]["text/plain"])
            if kind == "error":
                said.append(f"{content['ename']}: {content['evalue']}")
            if kind == "status" and content["execution_state"] == "idle":
                break
        while (reply := self.client.get_shell_msg(timeout=PATIENCE))["parent_header"].get("msg_id") != request:
            pass
        return reply["content"].get("ename", "ok"), "".join(said)


@contextlib.contextmanager
def started(folder: Path, **more: str) -> Iterator[Kernel]:
    """A kernel whose home is `folder`. more: of its environment."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("JUPYTER", "IPYTHON", "PYTEST"))}
    env |= {"HOME": str(folder), "PYTHONWARNINGS": "", **more}
    manager, client = start_new_kernel(startup_timeout=PATIENCE, env=env, cwd=str(folder))
    try:
        yield Kernel(manager, client)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    with started(tmp_path_factory.mktemp("home")) as made:
        assert made.answer("%load_ext enzyme_magic\nimport enzyme_magic as em") == ("ok", "")
        assert made.answer(f"%%enzyme_c\n{C}")[0] == "ok"
        yield made


@pytest.mark.parametrize(
    "call",
    [
        "spin(1.0, 10**15)",
        "spin.grad(1.0, 10**15)",
        "spin.map([1.0, 2.0], 10**15)",
        "em.check_grads(spin, (1.0, 10**15))",
    ],
)
def test_interrupt(kernel: Kernel, call: str) -> None:
    name, _ = kernel.answer(f"print('running', flush=True)\n{call}", interrupt=True)
    assert name == "KeyboardInterrupt"
    assert kernel.answer("print(cube(2.0), cube.grad(2.0))") == ("ok", "8.0 12.0\n")


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ("empty(1.0)", "EM408"),
        ("store(1.0, 16)", "EM408"),
        ("store.grad(1.0, 16)", "EM408"),
        ("leaves(1.0)", "EM401"),
        ("deep(1.0, 10**9)", "EM406"),
        ("with em.time_limit(0.05): spin(1.0, 10**15)", "EM410"),
    ],
)
def test_what_goes_wrong_is_an_error(kernel: Kernel, call: str, code: str) -> None:
    cell = f"try:\n    {call}\nexcept em.ExecutionError as error:\n    print(error.code)"
    name, said = kernel.answer(cell if not call.startswith("with") else cell.replace(": spin", ":\n        spin"))
    assert name == "ok"
    assert said.endswith(f"{code}\n")
    assert kernel.answer("print(cube(2.0), cube.grad(2.0))") == ("ok", "8.0 12.0\n")


LONG = """
import time
from enzyme_magic import progress
with progress.step("something long"):
    while progress._line._shown is None:
        time.sleep(0.01)
"""


def test_what_takes_long_has_a_line_that_vanishes(kernel: Kernel) -> None:
    assert kernel.answer(LONG) == ("ok", "")
    assert kernel.displayed[-2].startswith("enzyme_magic: something long, ")
    assert kernel.displayed[-1] == ""


ISOLATED = r"""
#include <stdio.h>
#include <stdlib.h>
double twice_freed(double x) { char *volatile p = malloc(10); free(p); free(p); return x; }
double waits(double x) { printf("running"); fflush(stdout); volatile int on = 1; while (on) ; return x; }
double square(double x) { return x * x; }
"""


def test_isolated_code_ends_a_cell_and_never_the_kernel(kernel: Kernel) -> None:
    assert kernel.answer("%enzyme_config --isolate")[0] == "ok"
    assert kernel.answer(f"%%enzyme_c -q\n{ISOLATED}")[0] == "ok"
    assert kernel.answer("%enzyme_config --no-isolate")[0] == "ok"
    for call in ("twice_freed(1.0)", "twice_freed.grad(1.0)"):
        name, said = kernel.answer(call)
        assert name == "ExecutionError"
        assert "EM411" in said
        assert kernel.answer("print(square(3.0), square.grad(3.0))") == ("ok", "9.0 6.0\n")
    name, said = kernel.answer("waits(1.0)", interrupt=True)  # what it prints arrives while it runs
    assert name == "InterruptedCall"
    assert kernel.answer("print(square(3.0), square.grad(3.0))") == ("ok", "9.0 6.0\n")
