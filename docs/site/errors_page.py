"""The page of all error codes, from `enzyme_magic.errors_catalog`."""

from __future__ import annotations

import markdown

from enzyme_magic.errors_catalog import (
    ARGUMENTS,
    CATALOG,
    COMPILATION,
    DIFFERENTIATION,
    EXECUTION,
    FRAMEWORKS,
    INTERNAL,
    TOOLCHAIN,
    VIEWS,
)

GROUPS = (
    ("The tools", "`ToolchainError`: clang or LLVM is missing, or does not do what it should.", TOOLCHAIN),
    ("Compilation", "`CompileError`, `UnsupportedIRError`: the text does not become a program.", COMPILATION),
    ("Differentiation", "`DifferentiationError`: a derivative that is refused; see [](refusals.md).", DIFFERENTIATION),
    ("Arguments", "`ArgumentError`: a call, or an option, that does not fit.", ARGUMENTS),
    ("While it runs", "`ExecutionError`: C code that ended abnormally; see [](security.md).", EXECUTION),
    ("Pictures", "`ViewError`: something that cannot be shown.", VIEWS),
    ("Frameworks", "Operations of PyTorch, JAX, TensorFlow and others; see [](frameworks.md).", FRAMEWORKS),
    ("Faults of this package", "`InternalError`: please report it with the cell.", INTERNAL),
)
INTRODUCTION = """# Error codes

Every error has a code that stays the same from version to version. The message says what happened this time and at which line; here
is what kind of thing it is, and what usually helps. `%enzyme_doctor EM110` and `python -m enzyme_magic doctor EM110` say the same.
"""


def page() -> str:
    rest = {code: entry for code, entry in CATALOG.items() if not any(code in group for _, _, group in GROUPS)}
    parts = [INTRODUCTION]
    for title, meaning, group in (*GROUPS, ("Others", "", rest)) if rest else GROUPS:
        parts.append(f"## {title}\n\n{meaning}\n")
        for name, entry in sorted(group.items()):
            parts.append(markdown.target(name.lower(), f"{name}: {markdown.escape(entry.title)}", 3))
            parts.append(markdown.escape(entry.meaning) + "\n")
            if entry.repair:
                parts.append(f"**Repair:** {markdown.escape(entry.repair)}\n")
    return "\n".join(parts)
