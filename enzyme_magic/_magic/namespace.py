"""Which C functions a notebook's names stand for: publishing, and the sentences about it.

Invariant: `publish` is called with everything a cell defines after the whole cell has succeeded, so that a cell that fails
changes no name.
"""

from __future__ import annotations

import builtins
import difflib
import keyword
import re
from collections.abc import Iterable, Mapping, MutableMapping

from IPython.core.error import UsageError

from enzyme_magic.api import outdated
from enzyme_magic.api.function import CFunction


class Namespace:
    """The user's namespace, and from which cell each C function in it came."""

    def __init__(self, variables: MutableMapping[str, object]) -> None:
        self.variables = variables
        self._cells: dict[str, tuple[CFunction, str]] = {}

    def publish(self, functions: Mapping[str, CFunction], label: str) -> list[str]:
        """Bind the names; returns warnings about what they hide."""
        warnings = []
        for c_name, function in functions.items():
            name = python_name(c_name)
            if name != c_name:
                warnings.append(f"{c_name} is a word of Python: the function is called {name} here")
            warnings += self._hidden(name, label)
            self.variables[name] = function
            self._cells[name] = (function, label)
            outdated.replace(function)
        return warnings

    def _hidden(self, name: str, label: str) -> list[str]:
        if name in self.variables:
            old = self.variables[name]
            if isinstance(old, CFunction):
                return []
            return [f"{name} was {_article(type(old).__name__)} and is now the C function of {label}"]
        if hasattr(builtins, name):
            return [f"{name} now means the C function of {label}; Python's own is builtins.{name}"]
        return []

    def functions(self) -> dict[str, CFunction]:
        """Every C function the user can name."""
        items = list(self.variables.items())
        return {name: value for name, value in items if isinstance(value, CFunction) and not name.startswith("_")}

    def find(self, name: str) -> CFunction:
        """The C function called `name`; UsageError with the nearest name otherwise."""
        value = self.variables.get(name)
        if isinstance(value, CFunction):
            return value
        known = sorted(self.functions())
        near = difflib.get_close_matches(name, known, n=1)
        if near:
            raise UsageError(f"no C function {name}; did you mean {near[0]}?")
        if name in self.variables:
            raise UsageError(f"{name} is {_article(type(value).__name__)}, not a C function of %%enzyme_c")
        raise UsageError(f"no C function {name}; there {_listed(known) or 'is none yet: compile one with %%enzyme_c'}")

    def kept(self, names: Iterable[str], source: str, label: str = "", compiled: bool = False) -> str:
        """What a failed cell, `label`, left as it was: the functions it asked for or, without names, those it mentions. Those it
        asked for are known from now on as older than what is seen."""
        nothing = "No function was replaced" if compiled else "Nothing was compiled"
        alive = {name: cell for name, (function, cell) in self._cells.items() if self.variables.get(name) is function}
        asked = [name for name in names if name in alive]
        for name in asked:
            outdated.keep(self._cells[name][0], label)
        asked = asked or [name for name in alive if re.search(rf"(?<!\w){re.escape(name)}\s*\(", source)]
        if not asked:
            return f"{nothing}."
        cells = sorted({alive[name] for name in asked})
        if len(asked) == 1:
            return f"{nothing}; {asked[0]} still refers to the version from {cells[0]}."
        versions = "version" if len(cells) == 1 else "versions"
        return f"{nothing}; {_and(sorted(asked))} still refer to the {versions} from {_and(cells)}."


def python_name(name: str) -> str:
    """The C name, with an underscore behind it where Python forbids it."""
    return name + "_" if keyword.iskeyword(name) else name


def _article(noun: str) -> str:
    return f"an {noun}" if noun[:1].lower() in "aeiou" else f"a {noun}"


def _and(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _listed(names: list[str]) -> str:
    return f"{'is' if len(names) == 1 else 'are'} {_and(names)}" if names else ""
