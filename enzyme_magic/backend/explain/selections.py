"""What would be active if fewer parameters were: for every subset of up to three, for pictures without a compiler.

Invariant: each answer is the verdict that a report for exactly these parameters gives. Subsets are taken smallest first until
MOST_VERDICTS have been said; a uniform entry tells its parameters apart only after the gradient has been taken, so it has none.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, combinations

from enzyme_magic.backend import deriving
from enzyme_magic.backend.analysis.derivatives.activity import Activity
from enzyme_magic.backend.autodiff.subject import Subject
from enzyme_magic.backend.explain.facts import FactList
from enzyme_magic.backend.explain.scene import Scene
from enzyme_magic.backend.explain.verdicts import Verdicts
from enzyme_magic.backend.ir.graphs.def_use import users
from enzyme_magic.report import Selection

LARGEST, MOST_VERDICTS = 3, 4000


def selections(scene: Scene) -> tuple[Selection, ...]:
    """Subsets of the parameters of the request, smallest first, each with the identifiers of what is active then."""
    if scene.uniform:
        return ()
    cost = len(scene.identifiers)
    wrt = scene.request.wrt
    subsets = chain.from_iterable(combinations(wrt, size) for size in range(1, LARGEST + 1))
    found: list[Selection] = []
    for subset in subsets:
        if (len(found) + 1) * cost > MOST_VERDICTS:
            break
        found.append(_selection(scene, subset))
    return tuple(found)


def _selection(scene: Scene, wrt: tuple[int, ...]) -> Selection:
    narrowed = replace(scene, subject=_subject(scene, _activity(scene, wrt)))
    verdicts = Verdicts(narrowed, FactList(narrowed), users(scene.prepared.function))
    judged = {scene.identifiers[i]: verdicts.of(i) for i in scene.function.instructions()}
    for argument in scene.prepared.function.arguments:
        judged[f"a{argument.index}"] = verdicts.of_parameter(argument)
    names = tuple(scene.signature.parameters[k].name for k in wrt)
    return Selection(
        names,
        tuple(identifier for identifier, verdict in judged.items() if verdict.active),
        tuple(identifier for identifier, verdict in judged.items() if verdict.varies),
    )


def _activity(scene: Scene, wrt: tuple[int, ...]) -> Activity:
    signature, primal = scene.signature, scene.program.primal(scene.request.function)
    wanted = deriving.function_request(signature, primal, replace(scene.request, wrt=wrt))
    return scene.program.module.analyses.activity(replace(wanted, function=scene.subject.request.function))


def _subject(scene: Scene, activity: Activity) -> Subject:
    subject = scene.subject
    return Subject(subject.request, subject.facts, activity, subject.demand)
