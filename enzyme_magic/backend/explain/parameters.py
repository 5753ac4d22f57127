"""The C parameters of a function: what they are, and whether they are active.

A function that is called through a uniform entry has its parameters in memory: one is active where a value loaded from it is.
"""

from __future__ import annotations

from enzyme_magic.backend.explain.scene import Scene
from enzyme_magic.backend.explain.verdicts import Verdicts
from enzyme_magic.backend.explain.words import uniform
from enzyme_magic.backend.frontend import c_types
from enzyme_magic.backend.ir.instructions import Instruction, Load
from enzyme_magic.backend.ir.values import Value
from enzyme_magic.report import Parameter, Verdict


def parameters(scene: Scene, verdicts: Verdicts) -> tuple[Parameter, ...]:
    """One row per C parameter, in order."""
    arguments = scene.prepared.function.arguments
    stored = _loaded_from(scene) if scene.uniform else {}
    found = []
    for k, parameter in enumerate(scene.signature.parameters):
        verdict = (
            _verdict_on_values(k, stored, scene, verdicts) if scene.uniform else verdicts.of_parameter(arguments[k])
        )
        name = parameter.name or f"p{k}"
        extent = "*".join(part if part.isidentifier() or part.isdigit() else f"({part})" for part in parameter.extents)
        line = parameter.line or scene.signature.line or None
        found.append(
            Parameter(f"a{k}", name, str(parameter.type), _role(k, parameter, scene), verdict, extent or None, line)
        )
    return tuple(found)


def _role(index: int, parameter: c_types.CParameter, scene: Scene) -> str:
    if not isinstance(parameter.type, c_types.Pointer):
        return "value"
    primal = scene.program.primal(scene.request.function)
    written, read = index in primal.written, index in primal.read
    return "in/out" if written and read else "out" if written else "in"


def _loaded_from(scene: Scene) -> dict[int, list[Instruction]]:
    """The values read from each parameter's storage."""
    function = scene.prepared.function
    layout = scene.program.module.analyses.layout
    storage: dict[Value, int] = uniform.storage(function, layout)
    found: dict[int, list[Instruction]] = {}
    for instruction in function.instructions():
        if isinstance(instruction, Load):
            base = scene.subject.alias.evolution.address(instruction.pointer).base
            if base in storage:
                found.setdefault(storage[base], []).append(instruction)
    return found


def _verdict_on_values(index: int, stored: dict[int, list[Instruction]], scene: Scene, verdicts: Verdicts) -> Verdict:
    name = scene.signature.parameters[index].name or f"p{index}"
    judged = [verdicts.of_copy(value) for value in stored.get(index, [])]
    active = next((verdict for verdict in judged if verdict.active), None)
    facts = verdicts.facts
    if active is not None:
        fact = facts.say(("parameter", index), f"{name} is active", None, active.because)
        return Verdict(True, True, True, (fact,))
    varies = any(verdict.varies for verdict in judged)
    matters = any(verdict.matters for verdict in judged)
    because = judged[0].because if judged else ()
    why = "" if judged else ": it is not read"
    fact = facts.say(("parameter", index), f"{name} is inactive{why}", None, because)
    return Verdict(False, varies, matters, (fact,))
