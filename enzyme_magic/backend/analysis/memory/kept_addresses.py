"""Of which variables may memory hold the address when a function begins?

    static double h, *late;   void set(void) { late = &h; }      *late may be h in every other function

Theorem: an address gets into memory by an initializer or because some function lets it out: stores it where others see it, returns
it, or hands it to a call that may do so. Points-to analysis says the second of each function, callees first (`escaped`).

Invariant: what is not named here is reached by its name only, or by a parameter, which callers answer for.
"""

from __future__ import annotations

from enzyme_magic.backend.analysis.calls.effects import Effects
from enzyme_magic.backend.analysis.memory.memory_objects import returned_pointers
from enzyme_magic.backend.ir.graphs.callgraph import globals_in
from enzyme_magic.backend.ir.module import GlobalVariable, Module


def variables(module: Module, effects: Effects) -> frozenset[str]:
    """Their names."""
    names = {
        found.name
        for variable in module.variables.values()
        if variable.initializer is not None and not variable.name.startswith("llvm.")  # LLVM's own lists are no memory
        for found in globals_in(variable.initializer)
        if isinstance(found, GlobalVariable)
    }
    for function in module.definitions():
        points_to = effects.points_to(function)
        let_out = points_to.escaped | points_to.leaked
        for pointer in returned_pointers(function):
            let_out |= points_to.mask(pointer)
        for number, item in enumerate(points_to.objects):
            if item.kind == "global":
                let_out |= points_to.contents[number]
        names.update(item.name for item in points_to.members(let_out) if item.kind == "global")
    return frozenset(names)
