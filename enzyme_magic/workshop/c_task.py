"""Answers that are C: judged by what the function does with inputs that the learner has not seen.

A learner's function is right when it has the asked parameters, gives what `truth` gives on every hidden input (the result and every
array, and the slopes where `slopes` says so), and `also` finds nothing. A typical mistake is recognized by its behaviour: the
learner's function does what the mistaken text does. The right text of `wanted` serves as the truth where nothing else does.

Does not protect memory: a crash is an error, but C that writes beside its arrays may damage what lies there, here as everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from enzyme_magic.api import outdated
from enzyme_magic.api.compilation import compile_c
from enzyme_magic.api.function import CFunction
from enzyme_magic.errors import ArgumentError, EnzymeError, ExecutionError, InterruptedCall
from enzyme_magic.workshop.exercises import Mistake, said

_CHANCE = ("uninitialized", "sometimes-uninitialized", "return-type")
Arguments = tuple[Any, ...]
Outcome = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class CTask:
    """`name`: the function. `skeleton`, `wanted`: its text before and after. `inputs`: the hidden ones. `also`: what
    else is asked of the function, a sentence where it is missing."""

    name: str
    skeleton: str
    wanted: str
    inputs: Callable[[], Sequence[Arguments]]
    truth: Callable[..., Outcome] | None = None
    slopes: bool = False
    also: Callable[[CFunction], str] | None = None
    kind: str = "C"

    def untouched(self, answer: object) -> bool:
        if answer is ...:
            return True
        if isinstance(answer, CFunction) and outdated.failed_cell(answer):
            return False
        text = answer if isinstance(answer, str) else _text_of(answer)
        return text.split() == self.skeleton.split()

    def misformed(self, answer: object) -> str:
        if isinstance(answer, CFunction) and (cell := outdated.failed_cell(answer)):
            return (
                f"The cell {cell} failed, so {answer.name} is still what it was before. Mend the cell and run it again."
            )
        if isinstance(answer, (str, CFunction)):
            return ""
        return f"The answer is C: the function {self.name} of your cell, or its text. This is {answer!r}."

    def trouble(self, answer: object, mistakes: Iterable[Mistake]) -> str:
        try:
            assert isinstance(answer, (str, CFunction))  # see `misformed`
            function = compiled(answer, self.name) if isinstance(answer, str) else answer
            _refuse_unset(_text_of(function), function.program.name)
        except EnzymeError as error:
            return f"The compiler says: {error}"
        try:
            return self._judged(function, mistakes)
        except KeyboardInterrupt:
            hint = "does it have a loop that never ends?"
            raise InterruptedCall(f"{self.name} was interrupted", hint=hint) from None
        except (ArgumentError, ExecutionError) as error:
            return f"A call of {self.name} says: {error}"
        except EnzymeError as error:
            return f"The compiler says: {error}"

    def _judged(self, function: CFunction, mistakes: Iterable[Mistake]) -> str:
        wanted = compiled(self.wanted, self.name)
        if function.name != self.name or _types(function) != _types(wanted):
            return f"This is {function.c_signature}, and asked for is {wanted.c_signature}."
        inputs = self.inputs()
        found = [self._outcome(function, arguments) for arguments in inputs]
        further = self.also(function) if self.also else ""
        wrong = self._first_wrong(found, inputs)
        if not wrong and not further:
            return ""
        for mistake in mistakes:
            other = compiled(str(mistake.answer), self.name)
            same = all(_close(mine, self._outcome(other, a)) for mine, a in zip(found, inputs, strict=True))
            if same and further == (self.also(other) if self.also else ""):
                return said(mistake.sentence)
        return wrong or further

    def _first_wrong(self, found: Sequence[Outcome], inputs: Sequence[Arguments]) -> str:
        for mine, arguments in zip(found, inputs, strict=True):
            right = self._right(arguments)
            if not _close(mine, right):
                call = f"{self.name}({self._named(arguments)})"
                return f"{call} gives {self._told(mine)}, and right is {self._told(right)}."
        return ""

    def _named(self, arguments: Arguments) -> str:
        """The arguments of a call, with the names of the parameters where there are several."""
        names = [parameter.name for parameter in compiled(self.wanted, self.name).c_signature.parameters]
        if len(arguments) == 1:
            return _short(arguments[0])
        return ", ".join(f"{name}={_short(a)}" for name, a in zip(names, arguments, strict=True))

    def _told(self, outcome: Outcome) -> str:
        """An outcome in words: the result, the arrays that the function may write, the slopes."""
        signature = compiled(self.wanted, self.name).c_signature
        arrays = [p for p in signature.parameters if "*" in str(p.type) or "[" in str(p.type)]
        results = 0 if str(signature.result) == "void" else 1
        told = [_short(value) for value in outcome[:results]]
        after = outcome[results : results + len(arrays)]
        told += [
            f"{p.name} = {_short(value)}"
            for p, value in zip(arrays, after, strict=True)
            if not str(p.type).startswith("const")
        ]
        text = ", ".join(told)
        slopes = outcome[results + len(arrays) :]
        return f"{text} with the slope {', '.join(map(_short, slopes))}" if slopes else text

    def _right(self, arguments: Arguments) -> Outcome:
        if self.truth is not None:
            return self.truth(*_copies(arguments))
        return self._outcome(compiled(self.wanted, self.name), arguments)

    def _outcome(self, function: CFunction, arguments: Arguments) -> Outcome:
        """The result, every array as the call leaves it, and the slopes."""
        given = _copies(arguments)
        result = function(*given)
        outcome = (*(() if result is None else (result,)), *(a for a in given if isinstance(a, np.ndarray)))
        if not self.slopes:
            return outcome
        gradient = function.grad(*_copies(arguments))
        return (*outcome, *(gradient if isinstance(gradient, tuple) else (gradient,)))

    def reference(self) -> object:
        return self.wanted

    def solution(self) -> str:
        return self.wanted

    def prompt(self) -> str:
        return "Write it into the cell; it is tried with inputs that you do not see."

    def cells(self, key: str) -> tuple[str, ...]:
        return (
            f"%%enzyme_c --quiet {self.name}\n{self.skeleton}",
            f'em.workshop.check("{key}", {self.name})',
        )


@cache
def compiled(text: str, name: str) -> CFunction:
    """The function of a text; the same text is compiled once."""
    return compile_c(text, name=f"{name}.c")[name]


@cache
def _refuse_unset(text: str, name: str) -> None:
    """CompileError where a variable is read that was never set, or a way ends without a result: what lies there may be right by
    chance. Of a text that does not stand alone (a cell that uses others) nothing is said. name: of the cell."""
    try:
        compile_c(text, name=name)
    except EnzymeError:
        return
    compile_c(text, name=name, compile_args=[f"-Werror={kind}" for kind in _CHANCE])


def _text_of(answer: object) -> str:
    return answer.program.sources[0].text if isinstance(answer, CFunction) else ""


def _types(function: CFunction) -> tuple[str, ...]:
    signature = function.c_signature
    parameters = (str(p.type).replace("restrict", "").replace("const", "") for p in signature.parameters)
    return ("".join(str(signature.result).split()), *("".join(text.split()) for text in parameters))


def _copies(arguments: Arguments) -> Arguments:
    return tuple(a.copy() if isinstance(a, np.ndarray) else a for a in arguments)


def _close(mine: Outcome, other: Outcome) -> bool:
    if len(mine) != len(other):
        return False
    return all(np.allclose(a, b, rtol=1e-9, atol=1e-9, equal_nan=True) for a, b in zip(mine, other, strict=True))


def _short(value: Any) -> str:
    """A value as a person reads it."""
    if np.ndim(value) == 0:
        return f"{value:.6g}"
    return np.array2string(
        np.asarray(value), precision=4, separator=", ", threshold=8, formatter={"float": "{:.4g}".format}
    )
