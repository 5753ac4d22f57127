"""`%%enzyme_c`: what a cell binds, shows, hides and leaves alone."""

from __future__ import annotations

import builtins
import pickle
from typing import Any

import pytest
from IPython.core.error import UsageError
from IPython.core.inputtransformer2 import leading_indent
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from enzyme_magic._magic.cells import example_arguments
from enzyme_magic.api import outdated
from enzyme_magic.api.function import CFunction
from enzyme_magic.errors import ArgumentError, CompileError

RELU = "%%enzyme_c relu3\ndouble relu3(double x) { return x; }"
BROKEN = "%%enzyme_c relu3\ndouble relu3(double x) {\n  return syntax; }"


def shown(run: Any, text: str) -> Any:
    """(result, stdout, stderr, displayed mime bundles)."""
    with capture_output() as captured:
        result = run(text)
    return result, captured.stdout, captured.stderr, [output.data for output in captured.outputs]


def test_a_cell_binds_its_functions_and_returns_none(shell: InteractiveShell, run: Any) -> None:
    result, out, err, pictures = shown(run, RELU)
    assert result.success
    assert result.result is None
    assert isinstance(shell.user_ns["relu3"], CFunction)
    assert (out, err) == ("", "")
    (picture,) = pictures
    assert {"image/svg+xml", "text/plain"} <= set(picture)
    assert "text/html" not in picture
    assert "relu3(double x) -> double" in picture["text/plain"]


def test_the_label_is_the_cell_number(compiler: Any, run: Any) -> None:
    shown(run, "1")
    shown(run, RELU)
    assert compiler.last.label == "In[2]"
    shown(run, RELU)
    assert compiler.last.label == "In[3]"


def test_rules_come_from_the_variables(shell: InteractiveShell, compiler: Any, run: Any) -> None:
    shell.user_ns.update(one=1, several=[2, 3])
    assert run("%%enzyme_c --custom one --custom several\ndouble f(double x) { return x; }").success
    assert compiler.calls[-1].options["custom"] == [1, 2, 3]
    result = run("%%enzyme_c --custom nobody\ndouble f(double x) { return x; }")
    assert "no such variable" in str(result.error_in_exec)


def test_the_text_is_given_as_it_stands(compiler: Any, run: Any) -> None:
    body = "\n\n/* it's */\tdouble f(double x) { return 'a'; } // don't {x} $x\n\n"
    shown(run, "%%enzyme_c -q" + body)
    assert compiler.last.source.rstrip("\n") == body[1:].rstrip("\n")


def test_without_names_every_function_and_the_last_is_shown(shell: InteractiveShell, run: Any) -> None:
    _, out, _, pictures = shown(run, "%%enzyme_c\ndouble f(double x);\nstatic double h(double x);\ndouble g(double x);")
    assert {"f", "g"} <= set(shell.user_ns)
    assert "h" not in shell.user_ns
    assert out == "f(double x) -> double | grad: x\n"
    assert len(pictures) == 1
    assert "g(double x)" in pictures[0]["text/plain"]


def test_names_are_bound_and_shown_in_their_order(shell: InteractiveShell, run: Any) -> None:
    _, out, _, pictures = shown(run, "%%enzyme_c g f\ndouble f(double x);\ndouble h(double x);\ndouble g(double x);")
    assert {"f", "g"} <= set(shell.user_ns)
    assert "h" not in shell.user_ns
    assert out == ""
    assert [picture["text/plain"].split("(")[0] for picture in pictures] == ["g", "f"]


def test_a_name_that_is_not_in_the_cell(shell: InteractiveShell, run: Any) -> None:
    shown(run, RELU)
    before = shell.user_ns["relu3"]
    result, _, _, pictures = shown(run, "%%enzyme_c relu4\ndouble relu3(double x);\ndouble sigmoid(double x);")
    assert isinstance(result.error_in_exec, ArgumentError)
    assert "no function 'relu4'" in str(result.error_in_exec)
    assert "did you mean relu3?" in str(result.error_in_exec)
    assert pictures == []
    assert shell.user_ns["relu3"] is before
    assert "sigmoid" not in shell.user_ns
    other, *_ = shown(run, "%%enzyme_c zzz\ndouble relu3(double x);\ndouble sigmoid(double x);")
    assert "relu3, sigmoid" in str(other.error_in_exec)


def test_a_cell_that_fails_raises_a_card(run: Any, shell: InteractiveShell) -> None:
    shown(run, RELU)
    before = shell.user_ns["relu3"]
    result, out, err, _ = shown(run, BROKEN)
    error = result.error_in_exec
    assert isinstance(error, CompileError)
    assert shell.user_ns["relu3"] is before
    card = "\n".join(error._render_traceback_())
    assert card in out + err
    assert "Traceback" not in out + err
    lines = card.split("\n")
    assert lines[0] == "CompileError: In[2], line 2, column 10: expected expression  [EM110]"
    assert lines[1:4] == ["    2 |   return syntax; }", "      |          ^", "hint: write an expression"]
    assert lines[-1] == "Nothing was compiled; relu3 still refers to the version from In[1]."
    assert outdated.failed_cell(before) == "In[2]"
    shown(run, RELU)
    assert outdated.failed_cell(shell.user_ns["relu3"]) == ""
    assert card.count("consequence 0") == 1, "each further error is said once"
    assert "consequence 4" not in card
    assert "and 2 more errors" in card


def test_the_error_stays_an_ordinary_exception(run: Any) -> None:
    error = shown(run, BROKEN)[0].error_in_exec
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), copy.line, copy.code) == (CompileError, str(error), 2, "EM110")
    assert copy._render_traceback_() == error._render_traceback_()


def test_failed_then_mended_then_run_again(run: Any, shell: InteractiveShell, compiler: Any) -> None:
    assert not shown(run, BROKEN)[0].success
    assert "relu3" not in shell.user_ns
    assert shown(run, RELU)[0].success
    first = shell.user_ns["relu3"]
    assert shown(run, RELU)[0].success
    assert shell.user_ns["relu3"] is not first
    assert repr(first).endswith("In[2]>"), "an object held elsewhere keeps its version"
    assert len(compiler.calls) == 2


def test_the_consequence_names_what_the_cell_mentions(run: Any) -> None:
    shown(run, "%%enzyme_c\ndouble f(double x);\ndouble g(double x);")
    shown(run, "%%enzyme_c\ndouble h(double x);")

    def consequence(cell: str) -> str:
        return str(shown(run, cell)[0].error_in_exec._render_traceback_()[-1])

    assert consequence("%%enzyme_c\ndouble q(double x) { return syntax; }") == "Nothing was compiled."
    both = "%%enzyme_c\ndouble g(double x) { return f(syntax) + h(x); }"
    assert consequence(both) == "Nothing was compiled; f, g and h still refer to the versions from In[1] and In[2]."
    shown(run, "f = 1")
    assert consequence("%%enzyme_c f\nsyntax") == "Nothing was compiled.", "f is the user's own by now"


def test_a_view_that_does_not_exist_binds_nothing(run: Any, shell: InteractiveShell) -> None:
    shown(run, RELU)
    before = shell.user_ns["relu3"]
    result, *_ = shown(run, RELU.replace("relu3\n", "relu3 --show activty\n", 1))
    assert result.error_in_exec.code == "EM500"
    assert "did you mean 'activity'?" in str(result.error_in_exec)
    assert shell.user_ns["relu3"] is before
    assert result.error_in_exec._render_traceback_()[-1] == (
        "No function was replaced; relu3 still refers to the version from In[1]."
    )


def test_show_chooses_views(run: Any) -> None:
    pictures = shown(run, RELU.replace("relu3\n", "relu3 --show source --show gradient\n", 1))[3]
    assert len(pictures) == 2
    assert "instructions" not in pictures[0]["text/plain"].split("\n")[0]


def test_quiet_shows_only_warnings(run: Any) -> None:
    _, out, err, pictures = shown(run, "%%enzyme_c -q\ndouble unused(double x);")
    assert (out, pictures) == ("", [])
    assert err == "In[1], line 1, column 3: warning: unused variable 'unused'\n"


def test_a_function_without_gradient_is_bound_and_says_so(run: Any, shell: InteractiveShell) -> None:
    result, out, _, pictures = shown(run, "%%enzyme_c\nint int_square(int x);")
    assert result.success
    assert "int_square" in shell.user_ns
    assert "no gradient: an int has no derivative" in out
    assert "hint: return a double" in out
    assert pictures == []
    assert shown(run, "%%enzyme_c --wrt x\nint int_square(int x);")[0].error_in_exec.code == "EM200", (
        "asked for: an error"
    )


def test_hiding_a_builtin_or_a_variable_warns(run: Any, shell: InteractiveShell) -> None:
    err = shown(run, "%%enzyme_c -q\ndouble abs(double x);")[2]
    assert err == "warning: abs now means the C function of In[1]; Python's own is builtins.abs\n"
    assert shown(run, "%%enzyme_c -q\ndouble abs(double x);")[2] == "", "a C function may be replaced"
    assert builtins.abs(-1) == 1
    shown(run, "data = [1]")
    err = shown(run, "%%enzyme_c -q\ndouble data(double x);")[2]
    assert err == "warning: data was a list and is now the C function of In[4]\n"


def test_a_word_of_python_gets_an_underscore(run: Any, shell: InteractiveShell) -> None:
    err = shown(run, "%%enzyme_c -q\ndouble lambda(double x);")[2]
    assert "called lambda_ here" in err
    assert "lambda_" in shell.user_ns


def test_options_reach_the_compiler(run: Any, compiler: Any) -> None:
    line = '-O1 --post-opt 2 -c -ffast-math -c "-g -Wall" -I inc -DN=3 -D M -lm -L lib -f --strict-headers '
    line += "--shape x=n,y=m --activity w=const -q"
    shown(run, f"%%enzyme_c {line}\ndouble f(double x);")
    assert compiler.last.options == {
        "opt": 1,
        "post_opt": 2,
        "compile_args": ("-ffast-math", "-g", "-Wall"),
        "include": ("inc",),
        "define": ("N=3", "M"),
        "link": ("m",),
        "library_path": ("lib",),
        "force": True,
        "strict_headers": True,
        "shape": {"x": "n", "y": "m"},
        "activity": {"w": "const"},
    }
    shown(run, "%%enzyme_c -q\ndouble f(double x);")
    assert {"opt", "post_opt"}.isdisjoint(compiler.last.options), "the defaults are the API's"


def test_every_option_of_a_cell_exists_in_the_api() -> None:
    from enzyme_magic._magic import cells, options
    from enzyme_magic.config import Options

    line = options.parse(options.make_parser("x", "x", "NAME", options.CELL), "-O1 --post-opt 1", options.CELL)
    assert set(cells.keywords(line)) <= set(Options.__dataclass_fields__)


def test_wrt_is_asked_for_and_shown(run: Any) -> None:
    pictures = shown(run, RELU.replace("relu3\n", "relu3 --wrt x,y\n", 1))[3]
    assert "x, y" in pictures[0]["text/plain"]


def test_example_arguments_are_shown(run: Any) -> None:
    shown(run, "offset = 1.0")
    pictures = shown(run, RELU.replace("relu3\n", "relu3 --at 'offset + 1'\n", 1))[3]
    assert "grad(2.0) = 4.0" in pictures[0]["text/plain"]


@pytest.mark.parametrize("words", ["nope", "1/0", "1 +", ")(", "x=1, x=2"])
def test_example_arguments_that_cannot_be_evaluated(run: Any, compiler: Any, words: str) -> None:
    error = shown(run, f'%%enzyme_c --at "{words}"\ndouble f(double x);')[0].error_in_exec
    assert isinstance(error, ArgumentError)
    assert error.code == "EM330"
    assert f"--at {words}: " in str(error)
    assert compiler.calls == [], "said before anything is compiled"


def test_check_needs_arguments(run: Any, shell: InteractiveShell) -> None:
    error = shown(run, RELU.replace("relu3\n", "relu3 --check\n", 1))[0].error_in_exec
    assert error.code == "EM331"
    assert "relu3" not in shell.user_ns


@pytest.mark.parametrize("line", ["--shwo x", "-O 9", "-c 'a", "--shape x"])
def test_a_wrong_line_is_a_usage_error(run: Any, compiler: Any, line: str) -> None:
    result, _, err, _ = shown(run, f"%%enzyme_c {line}\ndouble f(double x);")
    assert isinstance(result.error_in_exec, UsageError)
    assert err.startswith("UsageError: ")
    assert compiler.calls == []


@pytest.mark.parametrize("line", ["-h", "--help", "relu3 -h"])
def test_help_compiles_nothing(run: Any, compiler: Any, line: str) -> None:
    _, out, _, pictures = shown(run, f"%%enzyme_c {line}\ndouble f(double x);")
    assert "--compile-args" in out
    assert "usage: %%enzyme_c" in out
    assert (compiler.calls, pictures) == ([], [])


def test_verbose_shows_the_stages(run: Any) -> None:
    assert shown(run, RELU.replace("relu3\n", "relu3 -v\n", 1))[0].success


def test_a_terminal_gets_text(terminal: InteractiveShell, compiler: Any) -> None:
    with capture_output(display=False) as captured:
        result = terminal.run_cell(RELU)
    assert result.success
    assert "relu3(double x) -> double" in captured.stdout
    assert "<svg" not in captured.stdout
    with capture_output(display=False) as captured:
        terminal.run_cell(BROKEN)
    assert "expected expression" in captured.stdout + captured.stderr
    assert "          ^" in captured.stdout + captured.stderr


def test_a_cell_from_disk_shows_the_same_and_says_so(run: Any) -> None:
    fresh = shown(run, "%%enzyme_c\ndouble f(double x); // on disc")[3][0]["text/plain"]
    kept = shown(run, "%%enzyme_c\ndouble f(double x); // on disk")[3][0]["text/plain"]
    assert "taken from disk" in kept
    assert "taken from disk" not in fresh
    missing = set(fresh.replace("disc", "disk").replace("In[1]", "In[2]").split("\n")) - set(kept.split("\n"))
    assert missing == set()


@pytest.mark.parametrize("above", ["# my function", "# one\n\n  # two", "// as in C", "/* as in C */"])
def test_a_comment_above_the_magic(run: Any, compiler: Any, above: str) -> None:
    result, out, err, _ = shown(run, f"{above}\n{RELU}")
    assert isinstance(result.error_before_exec, SyntaxError)
    assert "%%enzyme_c must be the first line of its cell" in out + err
    assert compiler.calls == []


@pytest.mark.parametrize(
    ("text", "said"),
    [(f" {RELU}", "remove the space before it"), (RELU[1:], "a cell of C begins with two signs: %%enzyme_c")],
)
def test_a_first_line_that_is_nearly_the_magic(run: Any, compiler: Any, text: str, said: str) -> None:
    result, out, err, _ = shown(run, text)
    if text[0] == " " and leading_indent([" a\n", "b\n"])[0] == "a\n":
        assert len(compiler.calls) == 1, "an old IPython takes the space away itself"
        return
    assert isinstance(result.error_before_exec, SyntaxError)
    assert said in out + err
    assert compiler.calls == []


def test_other_cells_are_not_looked_at(run: Any) -> None:
    assert shown(run, "# comment\n1 + 1")[0].success
    assert shown(run, "x = 1\ntext = '''\n%%enzyme_c\n'''")[0].success
    assert shown(run, "\n\n" + RELU)[0].success, "empty lines are fine"


def test_example_arguments_may_be_arrays_before_numpy_is_imported() -> None:
    (args, kwargs) = example_arguments(["np.arange(2.0), n=2"], {}) or ((), {})
    assert args[0].tolist() == [0.0, 1.0]
    assert kwargs == {"n": 2}
    assert example_arguments(["np"], {"np": 3}) == ((3,), {})


def test_a_cell_uses_functions_of_earlier_cells(run: Any, shell: InteractiveShell, compiler: Any) -> None:
    assert run("%%enzyme_c -q\ndouble scaled(double x) { return 3*x; }").success
    scaled = shell.user_ns["scaled"]
    assert run("%%enzyme_c -q --uses scaled\ndouble model(double x) { return scaled(x)*x; }").success
    (used,) = compiler.last.options["uses"]
    assert used is scaled.program
    result = run("%%enzyme_c -q --uses scaledd\ndouble f(double x) { return x; }")
    assert "did you mean scaled?" in str(result.error_in_exec)
