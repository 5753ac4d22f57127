"""A shell with the extension loaded, and a compiler that is a fake: these tests are about the magics alone."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.terminal.interactiveshell import TerminalInteractiveShell
from traitlets.config import Config

from enzyme_magic.api.function import CFunction
from enzyme_magic.api.program import Program
from enzyme_magic.errors import CompileError, Diagnostic, DifferentiationError, Span
from enzyme_magic.report import (
    ActivityGraph,
    BlockRow,
    CacheBreakdown,
    InstructionRow,
    Parameter,
    Report,
    SourceLine,
    Stage,
    StageBlock,
    Verdict,
)
from enzyme_magic.testing import Checked


def report(name: str, source: str, label: str, wrt: tuple[str, ...]) -> Report:
    active = Verdict(True, True, True)
    row = InstructionRow("i0", "%r = fmul %x, %x", "%r = fmul double %x, %x", "fmul", active, "%r", 1)
    lines = tuple(SourceLine(n, text, "active" if n == 1 else "") for n, text in enumerate(source.split("\n"), 1))
    stages = tuple(
        Stage(stage, stage, "define …", (StageBlock("entry", ("ret double %x",)),), (), 1)
        for stage in ("input", "optimized", "gradient", "gradient-optimized")
    )
    return Report(
        function=name,
        signature=f"{name}(double x) -> double",
        mode="reverse",
        wrt=wrt,
        source_name=label,
        source=lines,
        parameters=(Parameter("a0", "x", "double", "value", active),),
        activity=ActivityGraph((BlockRow("entry", (row,)),), ()),
        stages=stages,
        cache=CacheBreakdown((), "nothing saved"),
    )


class FakeFunction(CFunction):
    """x*x, with the gradient 2x; functions whose name begins with int_ have none."""

    def __init__(self, program: FakeProgram, name: str) -> None:
        self.program = program  # type: ignore[assignment]
        self.__name__ = name

    def __call__(self, *args: Any, **c_parameters: Any) -> Any:
        return args[0] * args[0]

    def make_report(self, *, mode: str = "reverse", wrt: Any = None) -> Report:
        if self.__name__.startswith("int_"):
            raise DifferentiationError("an int has no derivative", hint="return a double")
        return report(self.__name__, self.program.source, self.program.label, wrt or ("x",))

    def why(self, where: Any = None, **options: Any) -> Any:
        return f"why {self.__name__} {where!r}"

    def __str__(self) -> str:
        return f"{self.__name__}(double x) -> double | grad: x"

    def __repr__(self) -> str:
        return f"<C function {self.__name__} from {self.program.label}>"


@dataclass
class FakeProgram:
    source: str
    label: str
    options: dict[str, Any]
    diagnostics: tuple[Diagnostic, ...] = ()

    def __post_init__(self) -> None:
        self.compiled = SimpleNamespace(signatures={}, from_disk="on disk" in self.source)
        names = re.findall(r"^(?!static)\w+ (\w+)\(", self.source, flags=re.M)
        self.functions: dict[str, CFunction] = {name: FakeFunction(self, name) for name in names}
        self._functions = self.functions

    select = Program.select
    _no_such = Program._no_such
    __iter__ = Program.__iter__

    def __getitem__(self, name: str) -> CFunction:
        self.name = self.label
        if name not in self.functions:
            raise self._no_such(name)  # type: ignore[misc]
        return self.functions[name]


@dataclass
class Compiler:
    """What `compile_c` was asked for; a text with the word `syntax` does not compile, `unused` gets a warning."""

    calls: list[FakeProgram] = field(default_factory=list)

    def compile_c(self, source: str, *, name: str, force: bool, **options: Any) -> FakeProgram:
        if "syntax" in source:
            raise self.error(source, name)
        program = FakeProgram(source, name, {**options, "force": force})
        if "unused" in source:
            program.diagnostics = (Diagnostic("warning", "unused variable 'unused'", Span(name, 1, 3), "-Wunused"),)
        self.calls.append(program)
        return program

    @staticmethod
    def error(source: str, name: str) -> CompileError:
        number, text = next((n, text) for n, text in enumerate(source.split("\n"), 1) if "syntax" in text)
        span = Span(name, number, text.index("syntax") + 1, text=text)
        first = Diagnostic("error", "expected expression", span)
        others = [Diagnostic("error", f"consequence {k}", dataclasses.replace(span, line=9 + k)) for k in range(6)]
        return CompileError(first.message, span=span, hint="write an expression", diagnostics=(first, *others))

    @property
    def last(self) -> FakeProgram:
        return self.calls[-1]


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch) -> Compiler:
    fake = Compiler()
    monkeypatch.setattr("enzyme_magic._magic.cells.compile_c", fake.compile_c)
    monkeypatch.setattr("enzyme_magic.api.checks.trial.grad", lambda f, wrt=None: lambda x: 2 * x)
    monkeypatch.setattr("enzyme_magic.api.checks.trial.check_gradient", lambda f, args, **options: Checked(1, 0.0))
    monkeypatch.setattr("enzyme_magic.api.checks.trial._cost", lambda f, wrt, args, end: None)
    return fake


@contextmanager
def shell_of(kind: type[InteractiveShell], folder: Path) -> Iterator[InteractiveShell]:
    config = Config()
    config.HistoryManager.enabled = False
    kind.clear_instance()
    shell = kind.instance(config=config, ipython_dir=str(folder))
    try:
        shell.run_line_magic("load_ext", "enzyme_magic")
        yield shell
    finally:
        shell.restore_sys_module_state()
        kind.clear_instance()


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[InteractiveShell]:
    """A shell whose front end can draw."""
    with shell_of(InteractiveShell, tmp_path) as made:
        yield made


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[InteractiveShell]:
    with shell_of(TerminalInteractiveShell, tmp_path) as made:
        yield made


Run = Callable[[str], Any]


@pytest.fixture
def run(shell: InteractiveShell, compiler: Compiler) -> Run:
    """Run a cell; returns its ExecutionResult."""
    return lambda text: shell.run_cell(text, store_history=True)
