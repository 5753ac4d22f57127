"""Every exercise: a right answer passes, the skeleton counts as no answer, typical wrong answers are told what is wrong."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import enzyme_magic as em
from enzyme_magic._magic.namespace import Namespace
from enzyme_magic.workshop.c_task import compiled
from enzyme_magic.workshop.course import EXERCISES
from enzyme_magic.workshop.course.afterwards import SLOPE as ASKED
from enzyme_magic.workshop.course.first import LEAKY
from enzyme_magic.workshop.course.modes import ADJOINT
from enzyme_magic.workshop.course.optimize import FAST
from enzyme_magic.workshop.course.programs import SMOOTH, SQUARES
from enzyme_magic.workshop.exercises import Exercise, said


@pytest.fixture(autouse=True)
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has answered anything."""
    monkeypatch.setattr("enzyme_magic.workshop.standing._path", lambda: tmp_path / "workshop.json")


def test_what_there_is() -> None:
    kinds = Counter(exercise.task.kind for exercise in EXERCISES)
    assert len(EXERCISES) >= 24
    assert kinds["choice"] * 3 <= len(EXERCISES)
    assert kinds["C"] >= 8
    assert len({exercise.key for exercise in EXERCISES}) == len(EXERCISES)


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.key)
def test_exercise(exercise: Exercise) -> None:
    key = exercise.key
    skeleton = getattr(exercise.task, "skeleton", ...)
    assert em.workshop.check(key, skeleton).state == "open"
    assert em.workshop.check(key, ...).state == "open"
    assert len(exercise.mistakes) >= 2
    for attempt, mistake in enumerate(exercise.mistakes, 1):
        given = mistake.given()
        answer = em.workshop.check(key, given)
        assert (answer.state, answer.reason) == ("wrong", said(mistake.sentence))
        if attempt <= len(exercise.hints):
            assert answer.help == f"Hint {attempt} of 2: {said(exercise.hints[attempt - 1])}"
    assert em.workshop.check(key, given).help == f"The solution:\n{exercise.task.solution()}"
    answer = em.workshop.check(key, exercise.task.reference())
    assert answer, answer
    assert answer.reason == said(exercise.because)
    assert exercise.title in em.workshop.question(key)


NUMBER = re.compile(r"(?<![\w.²³/^(−·*-])\d+(?:\.\d+)?(?![\w²³/·*^]|\.\d)")  # and no part of a formula
COUNTED = re.compile(r"(?i)\b(?:two|three|four|five) (?:lines?|doubles?|bytes?|steps?|values?|iterations?)|\bline \d")


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.key)
def test_numbers_of_explanations_are_computed(exercise: Exercise) -> None:
    """A text that is written down holds no number but those of the question and of the C that is asked for, and no count."""
    given = set(NUMBER.findall(exercise.question)) | set(NUMBER.findall(getattr(exercise.task, "wanted", "")))
    for told in (exercise.because, *exercise.hints, *(mistake.sentence for mistake in exercise.mistakes)):
        if isinstance(told, str):
            assert set(NUMBER.findall(told)) <= given, told
            assert not COUNTED.search(told), told


def test_a_plan_that_stores_something_else_is_explained_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    right = 1000 * sum(row.size for row in compiled(SMOOTH, "smooth").report.cache.stored())
    assert "2 double values of 8 bytes" in str(em.workshop.check("04.1", right).reason)
    program = SMOOTH.replace("a[i] * a[i-1] + w[i]", "a[i] + w[i]")
    monkeypatch.setattr("enzyme_magic.workshop.course.cache.SMOOTH", program)
    stored = compiled(program, "smooth").report.cache.stored()
    answer = em.workshop.check("04.1", 1000 * sum(row.size for row in stored))
    assert answer
    assert "2 double" not in answer.reason


def test_a_function_of_a_cell_is_an_answer_like_its_text() -> None:
    task = next(exercise for exercise in EXERCISES if exercise.key == "01.4").task
    assert em.workshop.check("01.4", em.compile_c(str(task.reference())).leaky)
    assert em.workshop.check("01.4", em.compile_c("double leaky(double x) { return 0; }").leaky).state == "open"


@pytest.mark.parametrize(
    ("key", "answer", "words"),
    [
        ("01.1", 49, "49 is not the number"),
        ("01.3", {4, 5, 6}, "1 line missing and 2 lines too many"),
        ("01.4", "double leaky(double x) { return y; }", "The compiler says: .*y"),
        ("01.4", "double other(double x) { return x; }", "The compiler says: .*leaky"),
        ("01.4", "float leaky(float x) { return x; }", "asked for is leaky"),
        (
            "01.4",
            "double leaky(double x) { return 7; }",
            r"leaky\(-2.5\) gives 7 with the slope 0, and right is -0.25 with the",
        ),
        ("02.1", 2.6, "near. Give more digits"),
        (
            "02.3",
            ADJOINT % "*xb += y; *yb += x;",
            r"x=2, y=3, seed=1, xb=\[0.5\], yb=\[-4\]\) gives xb = \[3.5\], yb = \[-2\], and",
        ),
        ("01.3", {4, 6}, "1 line missing and 1 line too many. Line 6 gives a constant"),
        ("01.3", {1, 4, 7}, "Line 1 only gives x its name"),
        ("02.5", {5}, "Line 5 computes the result"),
        ("03.1", {2, 3, 5, 6, 7}, "2 lines too many. Line 5 .* Line 6 "),
        ("03.1", {2, 3, 5}, "1 line missing and 1 line too many. Line 5 "),
        ("04.3", SQUARES.partition("\n\n")[0], "Keep d_squares"),
        ("07.1", ASKED % "x * cos(x) + 1 * sin(x) + 0 * wave(x)", "made by hand"),
    ],
)
def test_answers_of_another_kind(key: str, answer: object, words: str) -> None:
    found = em.workshop.check(key, answer)
    assert found.state == "wrong"
    assert re.search(words, found.reason, re.S), found.reason


@pytest.mark.parametrize(
    ("key", "answer", "words"),
    [
        ("01.1", "many", "a number"),
        ("01.2", "z", "one of the letters a, b, c"),
        ("01.2", None, "one of the letters"),
        ("01.3", "4", "a set of line numbers"),
        ("01.4", 3, "The answer is C"),
    ],
)
def test_what_has_another_form_is_no_attempt(key: str, answer: object, words: str) -> None:
    """It costs no hint: who writes "16 kB" for a number has not been wrong yet."""
    for _ in range(4):
        found = em.workshop.check(key, answer)
        assert (found.state, found.help, found.attempts) == ("open", "", 0)
        assert re.search(words, found.reason), found.reason
    assert not found


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        ("01.1", "48"),
        ("01.2", 0),
        ("01.2", "'A'"),
        ("02.1", 2.58),
        ("02.4", "forward mode, 3 sweeps"),
        ("02.5", 4),
        ("02.5", np.array([4])),
        ("07.2", 12),
    ],
)
def test_right_answers_in_another_form(key: str, answer: object) -> None:
    found = em.workshop.check(key, answer)
    assert found, found


def test_progress_is_kept_exported_and_gathered(tmp_path: Path) -> None:
    em.workshop.check("01.1", 48.0)
    em.workshop.check("02.1", 3)
    assert em.workshop.progress().notebooks[0] == ("01", 1, 4)
    assert em.workshop.progress().wrong == (("02.1", 1),)
    folder = tmp_path / "class"
    folder.mkdir()
    em.workshop.export(folder / "anna.json", "Anna")
    em.workshop.again("01.1")
    assert em.workshop.progress().solved == 0
    em.workshop.export(folder / "ben.json")
    (folder / "other.json").write_text("[]")
    table = em.workshop.gather(folder)
    assert [(p.learner, p.solved) for p in table.learners] == [("Anna", 1), ("ben", 0)]
    assert table.others == ("other.json",)
    assert "Anna" in repr(table)
    assert "1 of 4" in repr(table.learners[0])
    with pytest.raises(em.ArgumentError, match="EM347"):
        em.workshop.gather(tmp_path / "nowhere")


def test_a_damaged_file_is_an_empty_one(tmp_path: Path) -> None:
    (tmp_path / "workshop.json").write_text(json.dumps({"exercises": {"01.1": {"wrong": "x", "right": 1}, "01.2": 3}}))
    assert em.workshop.progress().solved == 0
    (tmp_path / "workshop.json").write_text("{")
    assert em.workshop.check("01.1", 48.0)
    assert em.workshop.progress().solved == 1


def test_without_a_disk_it_is_kept_in_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("enzyme_magic.workshop.standing._path", lambda: Path("/dev/null/workshop.json"))
    em.workshop.check("01.1", 48.0)
    assert em.workshop.progress().solved == 1
    em.workshop.again("01.1")
    assert em.workshop.progress().solved == 0


def test_no_such_exercise() -> None:
    with pytest.raises(em.ArgumentError, match="there is no exercise") as caught:
        em.workshop.check("01.9", 1)
    assert "01.1, 01.2" in (caught.value.hint or "")
    for written in ("1.1", 1.1):
        with pytest.raises(em.ArgumentError, match="there is no exercise") as caught:
            em.workshop.check(written, 1)  # type: ignore[arg-type]
        assert caught.value.hint == 'did you mean "01.1"?'


def test_a_notebook_without_its_package_ends_with_a_sentence() -> None:
    em.workshop.need("numpy")
    with pytest.raises(em.ToolchainError, match="EM348") as caught:
        em.workshop.need("no_such_package", "torch")
    (line,) = caught.value._render_traceback_()  # type: ignore[attr-defined]
    assert line.endswith("pip install 'enzyme_magic[torch]'")


def test_a_variable_that_was_never_set_is_no_answer() -> None:
    """What lies there is 0 by chance, so the numbers would be right."""
    unset = FAST.replace("double s = 0;", "double s;")
    answer = em.workshop.check("05.3", unset)
    assert answer.state == "wrong"
    assert "The compiler says: " in answer.reason
    assert "variable 's' is uninitialized when used here" in answer.reason


def test_a_way_without_a_result_is_no_answer() -> None:
    answer = em.workshop.check("01.4", "double leaky(double x) { if (x > 0) return x * x * x; 0.1 * x; }")
    assert answer.state == "wrong"
    assert "does not return a value in all control paths" in answer.reason


def test_what_is_wrong_is_said_of_the_learners_cell() -> None:
    function = em.compile_c("double leaky(double x) { double r; if (x > 0) r = x; return r; }", name="In[7]").leaky
    assert "In[7], line 1" in em.workshop.check("01.4", function).reason


def test_a_call_that_ends_is_not_what_the_compiler_says() -> None:
    answer = em.workshop.check("01.4", "#include <stdlib.h>\ndouble leaky(double x) { abort(); }")
    assert answer.reason.startswith("A call of leaky says: abort() called")


def test_a_function_that_a_failed_cell_left_is_no_answer() -> None:
    """The learner looks at another text: neither a hint is lost nor a point won, until the cell compiles."""
    names = Namespace({})
    wrong, right = (em.compile_c(LEAKY % text).leaky for text in ("x", "x > 0 ? x * x * x : 0.1 * x"))
    for function in (wrong, right, em.compile_c(LEAKY % "0").leaky):
        names.publish({"leaky": function}, "In[1]")
        names.kept(["leaky"], "", "In[2]")
        answer = em.workshop.check("01.4", function)
        assert (answer.state, answer.attempts) == ("open", 0)
        assert answer.reason.startswith("The cell In[2] failed, so leaky is still what it was before.")
    names.publish({"leaky": right}, "In[3]")
    assert em.workshop.check("01.4", right)


def test_an_interrupted_answer_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """And no attempt."""
    task = next(exercise for exercise in EXERCISES if exercise.key == "01.4").task

    def endless(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(type(task), "_outcome", endless)
    with pytest.raises(em.InterruptedCall, match="leaky was interrupted") as caught:
        em.workshop.check("01.4", str(task.reference()))
    assert caught.value.hint == "does it have a loop that never ends?"
    assert em.workshop.progress().wrong == ()
