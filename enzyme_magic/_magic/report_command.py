"""`python -m enzyme_magic report`: the pictures of a C file or of a saved report, for people without a notebook.

    python -m enzyme_magic report file.c -f NAME -o out.html
    python -m enzyme_magic report saved.json -o out.html

Arguments are checked before anything is compiled. Exit status: 0 written, 1 the C text, the gradient or the file has a fault (told
on stderr, with the C line), 2 the command line has one.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from enzyme_magic._magic import card, options, screen
from enzyme_magic.errors import ArgumentError, EnzymeError
from enzyme_magic.report import Report
from enzyme_magic.viz import export as files
from enzyme_magic.viz.theme import THEMES

SUMMARY = "write the pictures of a C function, or of a saved report, to a file"
_COMPILATION = ("opt", "post_opt", "compile_args", "include", "define", "wrt", "function")


def add(commands: Any) -> argparse.ArgumentParser:
    """The subcommand, in argparse's collection of them."""
    parser: argparse.ArgumentParser = commands.add_parser("report", help=SUMMARY, description=SUMMARY)
    parser.add_argument("file", type=Path, help="C text (.c), LLVM IR (.ll), or a saved report (.json)")
    parser.add_argument("-o", "--output", type=Path, required=True, help=f"file to write: {' '.join(files.FORMATS)}")
    parser.add_argument("-f", "--function", help="the function; needed where the file has several")
    parser.add_argument("--wrt", action="append", metavar="NAMES", help="gradient with respect to these parameters")
    parser.add_argument("--view", help="the view for .svg .png .dot .txt, the stage for .ll")
    parser.add_argument("--theme", default="light", choices=list(THEMES), help="for .svg .png .dot")
    parser.add_argument("-O", "--opt", choices=options.LEVELS, help="optimization before differentiation (2)")
    parser.add_argument("--post-opt", choices=options.LEVELS, help="optimization of the gradient (3)")
    parser.add_argument("-c", "--compile-args", action="append", metavar="ARGS", help='words for clang: -c="-g -Wall"')
    parser.add_argument("-I", "--include", action="append", metavar="DIR", help="folder with headers")
    parser.add_argument("-D", "--define", action="append", metavar="MACRO", help="preprocessor macro")
    parser.set_defaults(parser=parser)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """The exit status."""
    try:
        files.ending_of(arguments.output)
        _check(arguments)
        report = _saved(arguments) if arguments.file.suffix == ".json" else _compiled(arguments)
        target = files.export(report, arguments.output, arguments.view, arguments.theme)
    except EnzymeError as error:
        screen.warn(card.text(error).splitlines())
        return 2 if error.code in ("EM503", "EM322", "EM332") else 1
    screen.say(f"{report.signature or report.function}: {target}")
    return 0


def _check(arguments: argparse.Namespace) -> None:
    if arguments.file.suffix not in (".c", ".ll", ".json"):
        raise ArgumentError(f"{arguments.file} ends in none of .c .ll .json", code="EM332")
    if not arguments.file.is_file():
        raise ArgumentError(f"there is no file {arguments.file}", code="EM332")


def _saved(arguments: argparse.Namespace) -> Report:
    given = [name.replace("_", "-") for name in _COMPILATION if getattr(arguments, name) is not None]
    if given:
        said = ", ".join(f"--{name}" for name in given)
        raise ArgumentError(f"a saved report is not compiled: {said} has no meaning for it", code="EM332")
    return files.saved(arguments.file)


def _compiled(arguments: argparse.Namespace) -> Report:
    from enzyme_magic.api.checks import following
    from enzyme_magic.api.compilation import compile_c, compile_ir
    from enzyme_magic.api.program import NoSuchFunction

    given = {name: getattr(arguments, name) for name in ("opt", "post_opt", "include", "define")}
    wanted: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    wanted |= {name: int(wanted[name]) for name in ("opt", "post_opt") if name in wanted}
    if arguments.compile_args:
        wanted["compile_args"] = options.words(arguments.compile_args)
    compile_file = compile_ir if arguments.file.suffix == ".ll" else compile_c
    program = compile_file(arguments.file, **wanted)
    screen.warn(map(str, program.diagnostics))
    names = list(program)
    if arguments.function is None and len(names) != 1:
        hint = f"-f NAME, one of: {', '.join(names)}" if names else "its functions are all static"
        raise NoSuchFunction(f"{arguments.file} has {len(names)} functions", hint=hint)
    function = program[arguments.function or names[0]]
    wrt = options.names(arguments.wrt or ()) or None
    return following.of_small_numbers(function, wrt, function.make_report(wrt=wrt))
