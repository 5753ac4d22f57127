"""Alias answers against what really happens: random programs are run in an interpreter that watches memory."""

from __future__ import annotations

import pytest

from enzyme_magic.backend.analysis.memory.alias import Alias
from enzyme_magic.backend.analysis.memory.memory_objects import MemoryObject
from enzyme_magic.backend.ir.instructions import Instruction, Load, Store
from enzyme_magic.backend.ir.module import Function

from .compiled import Compiled, compiled
from .interpreter import SPACE, Machine, Watch
from .programs import SIZE, programs

SEEDS = range(8)
PER_SEED = 15


def _arrays(machine: Machine, shared: bool) -> tuple[list[int], dict[int, set[str]]]:
    """Arguments a, b, c, idx, n, and the parameters that point into each object."""
    a = machine.allocate("a")
    b = a + 16 if shared else machine.allocate("b")
    c, idx = machine.allocate("c"), machine.allocate("idx")
    for k in range(64):
        machine.memory[a + 8 * k] = (0.25 * k, 8)
        machine.memory[idx + 4 * k] = (k * 5 % 7, 4)
        if not shared:
            machine.memory[b + 8 * k] = (0.5 - 0.1 * k, 8)
    roles: dict[int, set[str]] = {}
    for name, address in (("a", a), ("b", b), ("c", c), ("idx", idx)):
        roles.setdefault(address // SPACE, set()).add(name)
    return [a, b, c, idx, SIZE], roles


def _run(program: Compiled, function: Function, shared: bool) -> tuple[Machine, Watch, dict[int, set[str]]]:
    machine = Machine(program.layout)
    arguments, roles = _arrays(machine, shared)
    machine.run(function, list(arguments))
    return machine, machine.watches[0], roles


def _names(item: object, roles: dict[int, set[str]], number: int) -> set[str]:
    if isinstance(item, Instruction):
        return {f"instruction {id(item)}"}
    return roles.get(number, set()) | {str(item)}


def _allowed(objects: frozenset[MemoryObject]) -> set[str]:
    found: set[str] = set()
    for item in objects:
        if item.kind in ("alloca", "allocation"):
            found.add(f"instruction {id(item.value)}")
        elif item.kind in ("argument", "global"):
            found.add(item.name)
        else:
            found |= {"anything outside"}
    return found


def _check_objects(alias: Alias, machine: Machine, watch: Watch, roles: dict[int, set[str]], mine: set[int]) -> None:
    for instruction, numbers in watch.touched.items():
        assert isinstance(instruction, (Load, Store))
        allowed = _allowed(alias.overlapping_objects(instruction.pointer))
        for number in numbers:
            truth = _names(machine.objects[number], roles, number)
            outside = "anything outside" in allowed and number not in mine
            assert truth & allowed or outside, f"line {instruction.line} touched {truth}, allowed {allowed}"


@pytest.mark.parametrize("level", [0, 2])
@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_overwritten_when_it_runs_is_known_to_be(seed: int, level: int) -> None:
    text, restricted = programs(seed, PER_SEED)
    program = compiled(text, level)
    kept = overwritten = 0
    for k in range(PER_SEED):
        function = program.function(f"f{k}")
        alias = program.alias(f"f{k}")
        for shared in (False,) if restricted[k] else (False, True):
            machine, watch, roles = _run(program, function, shared)
            mine = {n for n, o in enumerate(machine.objects) if isinstance(o, Instruction)}
            for load, writer in watch.overwritten.items():
                assert alias.overwritten_after(load) is not None, (
                    f"f{k}: {alias.describe(load.pointer)} on line {load.line} is overwritten by line {writer.line}"
                )
            _check_objects(alias, machine, watch, roles, mine)
        answers = program.overwrites(f"f{k}")
        kept += answers.count(None)
        overwritten += len(answers) - answers.count(None)
    assert kept >= 5  # the analysis is not simply afraid of everything
    assert overwritten >= 5


def test_the_watcher_sees_an_overwritten_load() -> None:
    program = compiled("void f(double *a, double *b) { a[0] = a[0] * 2; b[1] = b[0]; }", 0)
    machine = Machine(program.layout)
    machine.run(program.function("f"), [machine.allocate("a"), machine.allocate("b")])
    assert [load.line for load in machine.watches[0].overwritten] == [1]
    assert len(machine.watches[0].overwritten) == 1
