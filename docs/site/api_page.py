"""The page of the Python interface, from signatures and docstrings."""

from __future__ import annotations

import ast
import inspect
import textwrap
from typing import Any

import markdown

import enzyme_magic as em
from enzyme_magic import workshop
from enzyme_magic.api.checks.nan_trace import NanTrace
from enzyme_magic.api.custom import CustomRule
from enzyme_magic.api.derivatives.hessian import HessianFunction
from enzyme_magic.api.derivatives.jacobian import JacobianFunction
from enzyme_magic.api.derivatives.products import JVPFunction, Pullback, VJPFunction
from enzyme_magic.api.function import PUBLIC
from enzyme_magic.api.tables import ActivityTable, CacheTable
from enzyme_magic.testing import Checked

FUNCTIONS = (
    ("Compiling", ("compile_c", "compile", "compile_ir")),
    ("Derivatives", ("grad", "value_and_grad", "vjp", "jvp", "jacobian", "jacfwd", "jacrev", "hessian", "hvp", "vmap")),
    ("Derivatives of your own", ("custom_vjp", "custom_jvp", "inactive")),
    ("Questions", ("check_grads", "why_zero")),
)
OF_GRADIENTS = ("as_function", "grad", "jacobian", "jvp", "map", "names", "vjp")
OF_PROGRAMS = ("functions", "diagnostics", "notes", "timings", "with_shape", "extended", "select")
OF_REPORTS = ("to_json", "from_json", "selection", "stage")
OF_TUPLES = ("asdict", "ravel")
CLASSES: tuple[tuple[type, tuple[str, ...]], ...] = (
    (em.Program, OF_PROGRAMS),
    (em.CFunction, PUBLIC),
    (em.GradientFunction, OF_GRADIENTS),
    (VJPFunction, ()),
    (Pullback, ()),
    (JVPFunction, ()),
    (JacobianFunction, ()),
    (HessianFunction, ()),
    (em.Gradients, OF_TUPLES),
    (em.Outputs, OF_TUPLES),
    (CustomRule, ()),
    (ActivityTable, ()),
    (CacheTable, ()),
    (Checked, ()),
    (em.WhyZero, ()),
    (NanTrace, ()),
    (em.time_limit, ()),
    (em.Report, OF_REPORTS),
    (em.GradientC, ()),
    (em.Diagnostic, ()),
    (em.Span, ()),
)
ERRORS = tuple(n for n in em.__all__ if isinstance(getattr(em, n), type) and issubclass(getattr(em, n), em.EnzymeError))
OTHERS = {"load_ipython_extension", "unload_ipython_extension", "workshop"}
INTRODUCTION = """# Python interface

Everything is in `enzyme_magic`, here `em`. [](api.md) shows it at work. Arguments are those of the C function: numbers, and
NumPy arrays for pointers. A gradient has the shape and dtype of its argument, a Jacobian output.shape + input.shape. Times are
milliseconds, sizes bytes.
"""


def page() -> str:
    parts = [INTRODUCTION]
    for title, names in FUNCTIONS:
        parts.append(f"## {title}\n")
        parts += [function(f"em.{name}", getattr(em, name)) for name in names]
    parts += [function(f"em.{name}", getattr(em, name)) for name in others() if not isinstance(getattr(em, name), type)]
    parts.append("## Objects\n")
    parts += [class_(made, members) for made, members in CLASSES]
    parts += [class_(getattr(em, name), ()) for name in others() if isinstance(getattr(em, name), type)]
    parts.append("## Errors\n\nEach has `code`, `hint`, `span` and `line`; the codes are in [](errors.md).\n")
    rows = ((markdown.code(f"em.{name}"), markdown.escape(inspect.getdoc(getattr(em, name)) or "")) for name in ERRORS)
    parts.append(markdown.table(("class", "raised for"), rows))
    parts.append("## The workshop\n")
    parts += [function(f"em.workshop.{name}", getattr(workshop, name)) for name in workshop.__all__]
    return "\n".join(parts)


def others() -> list[str]:
    """Public names that no list here has."""
    known = (
        {name for _, names in FUNCTIONS for name in names} | {made.__name__ for made, _ in CLASSES} | {*ERRORS} | OTHERS
    )
    return [name for name in em.__all__ if name not in known]


def function(name: str, made: Any, level: int = 3) -> str:
    if not callable(made) or isinstance(made, type):
        return f"{'#' * level} `{name}`\n\n{markdown.prose(docstring_of(made) if isinstance(made, type) else '')}"
    return (
        f"{'#' * level} `{name}`\n\n```python\n{signature(name, made)}\n```\n\n{markdown.prose(inspect.getdoc(made))}"
    )


def class_(made: type, members: tuple[str, ...]) -> str:
    parts = [f"### `{made.__name__}`\n", markdown.prose(docstring_of(made))]
    rows = [(markdown.code(member_name(made, name)), summary(made, name)) for name in members if has(made, name)]
    if rows:
        parts.append(markdown.table(("member", "gives"), rows))
    return "\n".join(parts)


def has(made: type, name: str) -> bool:
    """Whether the class says what it is: not so for attributes that only instances have."""
    return inspect.getattr_static(made, name, None) is not None


def member_name(made: type, name: str) -> str:
    found = inspect.getattr_static(made, name)
    if isinstance(found, classmethod | staticmethod):
        found = found.__func__
    return signature(name, found, bound=True) if inspect.isfunction(found) else name


def summary(made: type, name: str) -> str:
    """A member's docstring on one line of a table."""
    found = inspect.getattr_static(made, name)
    text = inspect.getdoc(getattr(found, "func", found)) or ""
    return markdown.escape(" ".join(text.split()))


def docstring_of(made: type) -> str:
    """The class's own docstring, also where its instances have another one."""
    own = vars(made).get("__doc__")
    if isinstance(own, str):
        return own
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(made))).body
    assert isinstance(definition, ast.ClassDef)
    return ast.get_docstring(definition) or ""


def signature(name: str, made: Any, bound: bool = False) -> str:
    """Without annotations, which the text says better; each parameter on a line of its own where the line would be long."""
    found = inspect.signature(made)
    kept = [p.replace(annotation=p.empty) for p in list(found.parameters.values())[bound:]]
    text = str(found.replace(parameters=kept, return_annotation=found.empty))
    return f"{name}{text}"
