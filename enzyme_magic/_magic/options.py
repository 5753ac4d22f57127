"""The options of `%%enzyme_c`: one table, from which come parsing, the help behind `?`, Tab and "did you mean".

Lines are split as a POSIX shell splits them, so that `-c -ffast-math`, `-c "-O3 -g"` and `--compile-args='-O3 -g'` all mean what
they say: an option that takes a value takes the next word even where that begins with a dash. Nothing here knows IPython's state.
"""

from __future__ import annotations

import argparse
import difflib
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from IPython.core.error import UsageError

from enzyme_magic.viz.theme import CHOICES

LEVELS = ("0", "1", "2", "3")


@dataclass(frozen=True, slots=True)
class Option:
    """`value` is the name of its value in the help, None for a switch; `repeat`: may be given several times."""

    flags: tuple[str, ...]
    help: str
    value: str | None = None
    repeat: bool = False
    choices: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The attribute under which the parsed value is found."""
        return self.flags[-1].lstrip("-").replace("-", "_")


CELL = (
    Option(("-O", "--opt"), "optimization before differentiation, 0 to 3 (2)", "LEVEL", choices=LEVELS),
    Option(("--post-opt",), "optimization of the gradient, 0 to 3 (3)", "LEVEL", choices=LEVELS),
    Option(("--cpu",), "make the code for x86-64-v3 (or another level), not for this machine", "LEVEL"),
    Option(("-c", "--compile-args"), 'further words for clang: -c -ffast-math, -c "-g -Wall"', "ARGS", repeat=True),
    Option(("-I", "--include"), "folder in which #include looks for headers", "DIR", repeat=True),
    Option(("-D", "--define"), "preprocessor macro, as in -D N=3", "MACRO", repeat=True),
    Option(("-l", "--link"), "library to link: -l m", "LIB", repeat=True),
    Option(("-L", "--library-path"), "folder in which -l looks for libraries", "DIR", repeat=True),
    Option(
        ("--wrt",), "parameters of the gradient shown: --wrt x or --wrt x,y (every active one)", "NAMES", repeat=True
    ),
    Option(("--activity",), "declare a parameter inactive: --activity w=const", "NAME=const", repeat=True),
    Option(("--shape",), "extent of a pointer parameter: --shape x=n", "NAME=EXTENT", repeat=True),
    Option(("--custom",), "rules of em.custom_vjp, em.custom_jvp, em.inactive: --custom rule", "VARIABLE", repeat=True),
    Option(("--uses",), "functions of earlier cells that this one calls: --uses scaled", "NAMES", repeat=True),
    Option(("--at",), 'example arguments, in Python: --at "x=np.arange(4.)" or --at 2.0', "ARGS", repeat=True),
    Option(("--check",), "compare the gradient with finite differences at the --at arguments"),
    Option(("--show",), "show this view instead of the first screen; may be repeated", "VIEW", repeat=True),
    Option(("--widget",), "show the pictures as a widget that answers clicks (docs/interactive.md)"),
    Option(("--quiz",), "as --widget: predict what is active and what is stored, then reveal"),
    Option(("--isolate",), "run the functions in a worker process: no crash ends the kernel (docs/security.md)"),
    Option(
        ("--strict",), "derivatives as written: no sum reordered, exp and its kin by libm only (docs/performance.md)"
    ),
    Option(("--sanitize",), "check what C leaves undefined while it runs: indices, division by zero, shifts, overflow"),
    Option(("-q", "--quiet"), "show nothing but warnings"),
    Option(("-f", "--force"), "compile even when the same cell is kept on disk"),
    Option(("-v", "--verbose"), "show clang's notes and how long each stage took"),
    Option(("--strict-headers",), "do not add the #include of a standard function that is used without one"),
    Option(("-h", "--help"), "show this help and compile nothing"),
)
SHOW = (
    Option(("--view",), "which picture or table", "VIEW"),
    Option(("--widget",), "all of them as a widget that answers clicks (docs/interactive.md)"),
    Option(("--quiz",), "as --widget: predict what is active and what is stored, then reveal"),
    Option(("-h", "--help"), "show this help"),
)
EXPORT = (
    Option(("--view",), "the view for .svg .png .dot .txt, the stage for .ll", "VIEW"),
    Option(("--theme",), "light or dark, for .svg .png .dot (light)", "THEME"),
    Option(("--wrt",), "parameters of the gradient: --wrt x,y (every active one)", "NAMES", repeat=True),
    Option(("-h", "--help"), "show this help"),
)
ARTIFACTS = (
    Option(("--clear",), "remove every compiled cell kept on disk"),
    Option(("-h", "--help"), "show this help"),
)
CONFIG = (
    Option(("--cpu",), "a level of x86-64 for the cells that follow: --cpu x86-64-v3; host: this machine", "LEVEL"),
    Option(("--isolate",), "run the cells that follow in worker processes"),
    Option(("--no-isolate",), "run the cells that follow in the kernel"),
    Option(("--strict",), "derivatives of the cells that follow as written, no sum reordered, libm only"),
    Option(("--no-strict",), "derivatives of the cells that follow as fast as they are without --strict"),
    Option(
        ("--theme",),
        "of pictures and widgets: light, dark, or auto (widgets follow the page)",
        "THEME",
        choices=CHOICES,
    ),
    Option(("-h", "--help"), "show this help"),
)
HELP = (Option(("-h", "--help"), "show this help"),)


class Parser(argparse.ArgumentParser):
    """argparse that raises IPython's UsageError instead of ending the process. `takes_names`: words that are no options."""

    takes_names = False

    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


def make_parser(magic: str, description: str, positional: str | None, options: Sequence[Option]) -> Parser:
    """The parser, whose `format_help()` is what `magic?` shows."""
    parser = Parser(
        prog=magic, description=description, add_help=False, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    if positional:
        parser.takes_names = True
        parser.add_argument("names", metavar=positional, nargs="*")
    for option in options:
        if option.value is None:
            parser.add_argument(*option.flags, dest=option.name, action="store_true", help=option.help)
        else:
            parser.add_argument(
                *option.flags,
                dest=option.name,
                metavar=option.value,
                action="append" if option.repeat else "store",
                default=[] if option.repeat else None,
                choices=option.choices or None,
                help=option.help,
            )
    return parser


def parse(parser: Parser, line: str, options: Sequence[Option]) -> argparse.Namespace:
    """The parsed line of a magic; UsageError says what is wrong and what was probably meant."""
    named, words = normalize(split(line), options)
    if words and not parser.takes_names:
        raise UsageError(f"unexpected: {' '.join(words)}")
    return parser.parse_args([*named, *(["--", *words] if words else [])])


def split(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError as error:
        raise UsageError(f"{str(error).lower()}: {line}") from None


def normalize(tokens: Sequence[str], options: Sequence[Option]) -> tuple[list[str], list[str]]:
    """(options in the form --name=value, everything else)."""
    known = {flag: option for option in options for flag in option.flags}
    named: list[str] = []
    words: list[str] = []
    rest = list(tokens)
    while rest:
        token = rest.pop(0)
        if token == "--":
            words += rest
            break
        if not token.startswith("-") or token == "-" or _is_number(token):
            words.append(token)
            continue
        for flag, attached in _flags_and_values(token, known):
            option = known[flag]
            if option.value is None:
                named.append(option.flags[-1])
            else:
                value = attached if attached is not None else _next_value(flag, option, rest, known)
                named.append(f"{option.flags[-1]}={value}")
    return named, words


def _flags_and_values(token: str, known: dict[str, Option]) -> list[tuple[str, str | None]]:
    """`--opt=2`, `-O2` and `-c=-g` carry their value, the other forms leave it to the next word; `-fv` is `-f -v`."""
    if token.startswith("--"):
        flag, sign, value = token.partition("=")
        if flag not in known:
            raise UsageError(_unknown(token, known))
        if sign and known[flag].value is None:
            raise UsageError(f"{flag} takes no value")
        return [(flag, value if sign else None)]
    found: list[tuple[str, str | None]] = []
    for at, letter in enumerate(token[1:], 1):
        flag = f"-{letter}"
        if flag not in known:
            raise UsageError(_unknown(token, known))
        if known[flag].value is not None:
            return [*found, (flag, token[at + 1 :].removeprefix("=") or None)]
        found.append((flag, None))
    return found


def _next_value(flag: str, option: Option, rest: list[str], known: dict[str, Option]) -> str:
    """The next word. One that is an option of ours was not meant, except behind -c, whose values are clang's options."""
    if rest and (option.name == "compile_args" or rest[0] not in known):
        return rest.pop(0)
    raise UsageError(f"{flag} needs a value: {flag} {option.value}")


def _is_number(token: str) -> bool:
    try:
        float(token)
    except ValueError:
        return False
    return True


def _unknown(token: str, known: dict[str, Option]) -> str:
    flag = token.partition("=")[0]
    word, cutoff = (flag, 0.6) if flag.startswith("--") else ("-" + flag, 0.8)
    near = difflib.get_close_matches(word, [name for name in known if name.startswith("--")], n=1, cutoff=cutoff)
    meant = f"; did you mean {near[0]}?" if near else ""
    clang = f" (what is meant for clang goes behind -c: -c {token})" if "--compile-args" in known else ""
    return f"unknown option {flag}{meant}{clang}"


def pairs(values: Sequence[str], flag: str, example: str) -> dict[str, str]:
    """`x=n,y=m` and repeated options as one mapping."""
    found: dict[str, str] = {}
    for part in (part for value in values for part in value.split(",")):
        name, sign, value = (text.strip() for text in part.partition("="))
        if not (name and sign and value):
            raise UsageError(f"{flag} {part}: expected NAME=VALUE, as in {flag} {example}")
        found[name] = value
    return found


def words(values: Sequence[str]) -> tuple[str, ...]:
    """`-c "-g -Wall" -c -ffast-math` as separate words."""
    return tuple(word for value in values for word in split(value))


def names(values: Sequence[str]) -> tuple[str, ...]:
    """`--wrt x,y --wrt z` as names."""
    return tuple(name.strip() for value in values for name in value.split(",") if name.strip())
