"""The line of `%%enzyme_c`: split like a shell, unknown options answered with what was meant."""

from __future__ import annotations

import re

import pytest
from IPython.core.error import UsageError

from enzyme_magic._magic import options

CELL = options.make_parser("%%enzyme_c", "Compile.", "NAME", options.CELL)


def parse(line: str) -> dict[str, object]:
    return vars(options.parse(CELL, line, options.CELL))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("-c -ffast-math", ("-ffast-math",)),
        ("-c-ffast-math", ("-ffast-math",)),
        ("--compile-args=-ffast-math", ("-ffast-math",)),
        ("--compile-args -ffast-math", ("-ffast-math",)),
        ('-c "-O3 -g"', ("-O3", "-g")),
        ('-c="-O3 -g"', ("-O3", "-g")),
        ("--compile-args='-O3 -g'", ("-O3", "-g")),
        ("-c -O3", ("-O3",)),  # -O is an option of the magic too, but what follows -c is clang's
        ("-c -f", ("-f",)),
        ("-c -g -c -Wall", ("-g", "-Wall")),
        ("-c \"-DNAME='two words'\"", ("-DNAME=two words",)),
        ("", ()),
    ],
)
def test_words_for_clang(line: str, words: tuple[str, ...]) -> None:
    assert options.words(options.parse(CELL, line, options.CELL).compile_args) == words


@pytest.mark.parametrize("line", ["-O1", "-O 1", "-O=1", "--opt 1", "--opt=1"])
def test_ways_to_write_a_level(line: str) -> None:
    assert parse(line)["opt"] == "1"


def test_names_and_options_in_any_order() -> None:
    found = parse("f -O1 g --quiet h -DN=3 -D M -I 'a b' -lm -L/usr/lib -- -odd")
    assert found["names"] == ["f", "g", "h", "-odd"]
    assert found["define"] == ["N=3", "M"]
    assert found["include"] == ["a b"]
    assert (found["link"], found["library_path"]) == (["m"], ["/usr/lib"])
    assert found["quiet"] is True


def test_short_switches_together() -> None:
    found = parse("-fvq")
    assert (found["force"], found["verbose"], found["quiet"], found["check"]) == (True, True, True, False)


def test_negative_numbers_are_values() -> None:
    assert parse("--at -1.5")["at"] == ["-1.5"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("--shwo x", "unknown option --shwo; did you mean --show?"),
        ("--optt=1", "unknown option --optt; did you mean --opt?"),
        ("--strict_headers", "unknown option --strict_headers; did you mean --strict-headers?"),
        ("-ffast-math", "unknown option -ffast-math (what is meant for clang goes behind -c: -c -ffast-math)"),
        ("-Zx", "what is meant for clang goes behind -c: -c -Zx"),
        ("--zzzzzz", "unknown option --zzzzzz (what"),
        ("--force=1", "--force takes no value"),
        ("-c", "-c needs a value: -c ARGS"),
        ("--opt", "--opt needs a value"),
        ("--opt --force", "--opt needs a value"),
        ("-O 7", "invalid choice: '7'"),
        ("--opt x", "invalid choice: 'x'"),
        ("-c '-O3", "no closing quotation: -c '-O3"),
    ],
)
def test_what_is_wrong_is_said(line: str, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        parse(line)


def test_pairs() -> None:
    assert options.pairs(["x=n,y = m", "A=n*m"], "--shape", "x=n") == {"x": "n", "y": "m", "A": "n*m"}
    assert options.pairs([], "--shape", "x=n") == {}
    for wrong in ("x", "x=", "=n", "x=n,"):
        with pytest.raises(UsageError, match="expected NAME=VALUE, as in --shape x=n"):
            options.pairs([wrong], "--shape", "x=n")


def test_names() -> None:
    assert options.names(["x, y", "z"]) == ("x", "y", "z")


@pytest.mark.parametrize("table", [options.CELL, options.SHOW, options.ARTIFACTS, options.HELP])
def test_the_tables_are_sound(table: tuple[options.Option, ...]) -> None:
    flags = [flag for option in table for flag in option.flags]
    assert len(flags) == len(set(flags))
    assert len({option.name for option in table}) == len(table)
    assert all(re.fullmatch(r"-[a-zA-Z]|--[a-z][a-z-]+", flag) for flag in flags)
    assert all(option.help and option.flags[-1].startswith("--") for option in table)


def test_the_help_names_every_option() -> None:
    text = CELL.format_help()
    assert "%%enzyme_c" in text
    assert "%%%" not in text
    for option in options.CELL:
        for flag in option.flags:
            assert flag in text
        assert option.help.split()[0] in text
