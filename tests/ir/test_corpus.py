"""The law of the room, on real programs: what is printed reads back as the same module, for us and for LLVM."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest

from enzyme_magic.backend.ir.checks.verify import verify
from enzyme_magic.backend.ir.instructions import Call
from enzyme_magic.backend.ir.names import Names
from enzyme_magic.backend.ir.text.parser import parse
from enzyme_magic.backend.ir.text.printer import line, print_module, short
from enzyme_magic.backend.llvm import optimize

from .conftest import CORPUS, LEVELS, read_by_llvm
from .structure import difference

WITH_THREAD_LOCALS = ("statics.cpp", "threads.c")  # refused by the pipeline, not by the model


def test_the_corpus_is_large_enough() -> None:
    assert len(CORPUS) >= 40


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", CORPUS)
def test_round_trip(name: str, level: str, corpus: Callable[[str, str], str]) -> None:
    original = corpus(name, level)
    module = parse(original)
    verify(module)
    printed = print_module(module)
    assert difference(module, parse(printed)) is None
    assert (
        read_by_llvm(printed).splitlines()[1:] == original.splitlines()[1:]
    )  # the first line names the module's buffer


@pytest.mark.parametrize("name", [name for name in CORPUS if name not in WITH_THREAD_LOCALS])
def test_round_trip_of_what_the_pipeline_sees(name: str, corpus: Callable[[str, str], str]) -> None:
    """Before AD: LCSSA phis, inferred attributes. After: vectors."""
    before = optimize.pre_ad(corpus(name, "canonical"), 2)
    for text in (before, optimize.post_ad(before, 3)):
        module = parse(text)
        verify(module)
        printed = print_module(module)
        assert difference(module, parse(printed)) is None
        assert read_by_llvm(printed).splitlines()[1:] == read_by_llvm(text).splitlines()[1:]


@pytest.mark.parametrize(
    "name", ["exceptions.cpp", "assembly.c", "vectors.c", "computed_goto.c", "strings.c", "varargs.c"]
)
def test_lines_are_those_of_llvm(name: str, corpus: Callable[[str, str], str]) -> None:
    """`line` writes what LLVM writes, attributes of calls and metadata apart."""
    text = corpus(name, "-O1")
    theirs = {" ".join(re.split(r" #\d|, !|\s!", part)[0].split()) for part in statements(text)}
    for function in parse(text).definitions():
        names = Names(function)
        for instruction in function.instructions():
            if not isinstance(instruction, Call) or not instruction.attributes:
                assert " ".join(line(instruction, names).split()) in theirs


def statements(text: str) -> Iterator[str]:
    """The lines of `text`, those that continue one joined to it."""
    joined = re.sub(r"\n( {4,}(?!#)|  \])", r" \1", text)
    return iter(joined.splitlines())


@pytest.mark.parametrize("name", CORPUS)
def test_pictures_are_short(name: str, corpus: Callable[[str, str], str]) -> None:
    for function in parse(corpus(name, "-O2")).definitions():
        names = Names(function)
        for instruction in function.instructions():
            picture = short(instruction, names)
            assert "\n" not in picture
            assert ", align" not in picture
            assert "!" not in picture
