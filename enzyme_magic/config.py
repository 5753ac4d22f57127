"""Options of one compilation and settings of the process.

Invariant: this is the only module that reads os.environ. `Options` is frozen and hashable: it is part of the key
under which a compiled cell is kept. `Settings` says how the process works (where things are kept, limits) and is no
part of it.
"""

from __future__ import annotations

import math
import operator
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Literal

from enzyme_magic.errors import ArgumentError

LEVELS = (0, 1, 2, 3)


@dataclass(frozen=True, slots=True)
class Registration:
    """A derivative, or a promise about one, that Python adds to a program.

    kind: "gradient", "derivative", "inactive". function: what it belongs to. handler: the C function, or the name under which a
    Python function is called (python). augmented: the C function that runs before a gradient, if any.
    """

    kind: Literal["gradient", "derivative", "inactive"]
    function: str
    handler: str = ""
    augmented: str = ""
    python: bool = False


@dataclass(frozen=True, slots=True)
class Options:
    """What decides the code that is made.

    opt: optimization before differentiation, 0–3. post_opt: after it, 0–3.
    cpu: a level of x86-64 ("x86-64-v3") the code is made for; "" is this machine.
    include, define, link, library_path, compile_args: as on clang's command line (-I, -D, -l, -L, and anything else).
    shape: extents of array parameters, ((name, "n"), …). activity: ((name, "const"), …).
    strict_headers: do not add missing headers. strict: adjoint sums in order, libm only. custom: derivatives added by Python.
    sanitize: what C leaves undefined is checked while it runs, as far as clang can.
    isolate: the code runs in a worker process. It decides where the code is loaded, not what it is.
    """

    language: str = "c"
    opt: int = 2
    post_opt: int = 3
    cpu: str = ""
    include: tuple[str, ...] = ()
    define: tuple[str, ...] = ()
    link: tuple[str, ...] = ()
    library_path: tuple[str, ...] = ()
    compile_args: tuple[str, ...] = ()
    shape: tuple[tuple[str, str], ...] = ()
    activity: tuple[tuple[str, str], ...] = ()
    strict_headers: bool = False
    strict: bool = False
    isolate: bool = False
    sanitize: bool = False
    custom: tuple[Registration, ...] = ()

    def __post_init__(self) -> None:
        for name in ("opt", "post_opt"):
            value = getattr(self, name)
            if not _is_level(value):
                raise ArgumentError(
                    f"{name} must be 0, 1, 2 or 3, got {value!r}",
                    code="EM310",
                    hint=f"leave {name} out for the default",
                )
            object.__setattr__(self, name, int(value))  # of NumPy's too: what is a key of what is kept is Python's


def _is_level(value: object) -> bool:
    try:
        return not isinstance(value, bool) and operator.index(value) in LEVELS  # type: ignore[arg-type]
    except TypeError:
        return False


@dataclass(frozen=True, slots=True)
class Settings:
    """How this process works. Every field but the last has an environment variable ENZYME_MAGIC_<NAME>.

    cache_dir: where compiled cells and the compiler's own caches are kept (the folder is made when first needed).
    clang: path of a system clang to use instead of the bundled one.
    compile_timeout: seconds one run of clang may take. source_limit: bytes of source accepted.
    tape_limit: bytes one gradient may put on its tape.
    artifacts: keep compiled cells on disk.
    isolate_memory: bytes that the worker process of an isolated program may take; 0: as many as the machine has.
    inspector: "widget", or "page" where front ends show no widgets without a network (VS Code, Colab): a page in a frame.
    require_browser: the tests in a browser fail where there is none, instead of being skipped (EM_REQUIRE_BROWSER).
    require_frameworks: the tests of a framework fail where it is not installed, instead of being skipped (EM_REQUIRE_FRAMEWORKS).
    """

    cache_dir: Path
    clang: str | None = None
    compile_timeout: float = 60.0
    source_limit: int = 4_000_000
    tape_limit: int = 8 << 30
    artifacts: bool = True
    isolate_memory: int = 0
    inspector: str = "widget"
    require_browser: bool = False
    require_frameworks: bool = False
    environment: Mapping[str, str] = field(default_factory=dict, compare=False)


def read_settings(environment: Mapping[str, str] | None = None) -> Settings:
    """Settings from the environment (os.environ unless given)."""
    env = dict(os.environ if environment is None else environment)

    def value(name: str) -> str | None:
        return env.get(f"ENZYME_MAGIC_{name}") or None

    return Settings(
        cache_dir=Path(value("CACHE_DIR") or _default_cache_dir(env)),
        clang=value("CLANG"),
        compile_timeout=_number("COMPILE_TIMEOUT", value("COMPILE_TIMEOUT") or "60"),
        source_limit=int(_number("SOURCE_LIMIT", value("SOURCE_LIMIT") or "4_000_000", _UNITS)),
        tape_limit=int(_number("TAPE_LIMIT", value("TAPE_LIMIT") or "8G", _UNITS)),
        artifacts=value("ARTIFACTS") != "0",
        isolate_memory=int(_number("ISOLATE_MEMORY", value("ISOLATE_MEMORY") or "0", _UNITS)),
        inspector=value("INSPECTOR") or _inspector(env),
        require_browser=env.get("EM_REQUIRE_BROWSER") == "1",
        require_frameworks=env.get("EM_REQUIRE_FRAMEWORKS") == "1",
        environment=env,
    )


_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}  # of bytes: 8G, 512 MiB, 1.5gb
_NUMBER = re.compile(r"(?P<number>[0-9][0-9_]*(?:\.[0-9]*)?(?:[eE][0-9]+)?)\s*(?P<unit>[A-Za-z]*)")


def _number(name: str, text: str, units: Mapping[str, int] | None = None) -> float:
    """A number from the environment, in bytes where there are units. ArgumentError EM310 for anything else."""
    found = _NUMBER.fullmatch(text.strip())
    unit = re.sub(r"I?B?$", "", found["unit"].upper()) if found and units else found["unit"] if found else ""
    scale = (units or {"": 1}).get(unit)
    number = float(found["number"]) * (scale or 0) if found else 0.0
    if found is None or scale is None or math.isinf(number):
        example = "8G or 8589934592" if units else "60"
        raise ArgumentError(
            f"ENZYME_MAGIC_{name} is {text!r}, which is no number", code="EM310", hint=f"as in {example}"
        )
    return number


def _inspector(env: Mapping[str, str]) -> str:
    """VS Code and Colab fetch the code of widgets; a Jupyter server says so in the environment of its kernels, and does not."""
    fetching = any(env.get(name) for name in ("VSCODE_PID", "VSCODE_CWD", "COLAB_RELEASE_TAG"))
    return "page" if fetching and not env.get("JPY_SESSION_NAME") else "widget"


def _default_cache_dir(env: Mapping[str, str]) -> str:
    """platformdirs' choice; a folder of this user's below the temporary folder where there is no home."""
    if env.get("HOME") or env.get("XDG_CACHE_HOME") or os.name == "nt":
        from platformdirs import user_cache_dir

        return user_cache_dir("enzyme_magic", appauthor=False)
    import tempfile

    return str(Path(tempfile.gettempdir()) / f"enzyme_magic-{os.getuid()}")


@cache
def settings() -> Settings:
    """The process's settings, read once. Tests call `settings.cache_clear()`."""
    return read_settings()
