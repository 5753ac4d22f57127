"""Options and sources as a user may write them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic.api.compilation import _sources, compile, make_options
from enzyme_magic.errors import ArgumentError, CompileError
from enzyme_magic.integrations.operation import operation


def test_one_string_or_several():
    options = make_options(include="inc", define={"N": 3, "FAST": None}, link=("m",), compile_args=["-g"])
    assert options.include == ("inc",)
    assert options.define == ("N=3", "FAST")
    assert options.link == ("m",)
    assert options.compile_args == ("-g",)
    assert make_options(include=[Path("a"), "b"]).include == ("a", "b")
    assert make_options(define=["A=1"]).define == ("A=1",)


def test_mappings():
    options = make_options(shape={"x": "n", "A": ("n", "m")}, activity={"w": "const"})
    assert options.shape == (("x", "n"), ("A", "n,m"))
    assert options.activity == (("w", "const"),)
    assert make_options(shape=(("x", "n"),)).shape == (("x", "n"),)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"optt": 2}, "did you mean opt?"),
        ({"frobnicate": 1}, "options: language, opt"),
        ({"include": [1]}, "include takes strings"),
        ({"shape": ["x=n"]}, "shape takes a mapping"),
        ({"include": ["a\0b"]}, "include cannot hold NUL"),
        ({"define": {"A": "\ud800"}}, "define cannot hold NUL"),
        ({"opt": 4}, "opt must be 0, 1, 2 or 3"),
        ({"opt": True}, "opt must be"),
    ],
)
def test_mistakes(options, text):
    with pytest.raises(ArgumentError) as caught:
        make_options(**options)
    assert text in str(caught.value)


def test_texts_and_paths(tmp_path):
    path = tmp_path / "k.c"
    path.write_text("double f(double x) { return x; }")
    assert [s.text for s in _sources(path, None)] == [path.read_text()]
    assert _sources(str(path), None)[0].path == path
    assert _sources("int f;", None)[0].text == "int f;"
    several = _sources(["int a;", path], "In[3]")
    assert several[0].name == "In[3] 1"
    assert several[1].path == path


def test_no_source():
    for bad in ([], 3, [3], None):
        with pytest.raises(ArgumentError, match="a text or a path"):
            compile(bad)


def test_a_name_is_a_text():
    with pytest.raises(ArgumentError, match="name is what messages call the source"):
        compile("int f;", name=3)


def test_a_missing_file():
    with pytest.raises(CompileError) as caught:
        compile("no/such/file.c")
    assert caught.value.code == "EM118"


def test_unknown_language():
    with pytest.raises(ArgumentError, match="language 'cobol'"):
        compile("x", language="cobol")


@pytest.mark.parametrize("wrong", ["typo", 3, ["store-all"], {"preset": "no"}, {"%0": "keep"}, {"bytes": 64}])
def test_a_cache_plan_that_is_none_is_refused_when_the_gradient_is_made(wrong):
    p = compile("double f(double x) { return x*x; }")
    for make in (em.grad, em.value_and_grad):
        with pytest.raises(ArgumentError) as caught:
            make(p.f, caching=wrong)
        assert caught.value.code == "EM337"


@pytest.mark.parametrize("wrong", [-1, (2, -3), "1 - 2", "m", "n-"])
def test_extents_that_no_array_has(wrong):
    source = "double f(const double *x, int n) { return n > 0 ? x[0] : 0; }"
    for make in (lambda: compile(source, shape={"x": wrong}), lambda: operation(compile(source).f, shape={"x": wrong})):
        with pytest.raises(ArgumentError, match="shape of x") as caught:
            make()
        assert caught.value.code == "EM322"
    assert compile(source, shape={"x": 0}).f(np.empty(0), 0) == 0
