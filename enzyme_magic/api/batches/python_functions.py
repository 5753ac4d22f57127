"""`em.vmap` of a Python function: `f.jvp`, and whatever is written with functions of C (pullbacks have a loop: `pullbacks.py`).

Invariant: what the function gives for each example, one after the other, as one array for each leaf of its result. Leaves are
arrays and numbers in tuples, lists, dicts and named tuples. Axes are JAX's: one for a whole subtree or a tree of them, and None in
a tree stays None. An example is a fresh array, and what all of them share is read-only: a function that works in place modifies
nothing of its caller's, and no example sees what another one left.

It does not trace the function: each example is a call, and what a call prints or leaves in variables of C happens each time.
"""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from enzyme_magic.api.batches.axes import Axes, VmapLevel, axis_of, entries, mistake
from enzyme_magic.api.derivatives.named import Named
from enzyme_magic.api.derivatives.products import Transform
from enzyme_magic.backend.runtime.contents import NamedByContent
from enzyme_magic.backend.runtime.values import buffers
from enzyme_magic.errors import ArgumentError, user_frames

NUMBERS = "biufcV"  # kinds of dtypes; V: structs
WRITTEN_IN_PYTHON = (types.FunctionType, types.MethodType, functools.partial)


def is_python_function(fun: Any) -> bool:
    """Whether a call of it runs Python: functions, methods, and objects whose class defines `__call__` in Python."""
    return isinstance(fun, WRITTEN_IN_PYTHON) or (callable(fun) and isinstance(type(fun).__call__, types.FunctionType))


class MappedFunction(NamedByContent):
    """`mapped(*args)`."""

    def __init__(self, function: Callable[..., Any], level: VmapLevel) -> None:
        self.function, self.level = function, level
        self.__name__ = f"vmap_{_name(function)}"

    @user_frames
    def __call__(self, /, *args: Any, **named: Any) -> Any:
        """What the function gives, for all examples: each leaf has an axis more, where `out_axes` says."""
        name = _name(self.function)
        reader = _Arguments(name)
        given = [reader.argument(*one) for one in self._axes_of_arguments(name, args, named)]
        count = reader.count()
        made = []
        for k in range(count):
            values = [example(k) for example in given]
            try:
                found = self.function(*values[: len(args)], **dict(zip(named, values[len(args) :], strict=True)))
            except Exception as error:
                error.add_note(f"in example {k} of em.vmap({name})")
                raise
            made.append(_kept(name, found, reader.shared))
        return _together(name, made, self.level.out_axes, "result")

    def _axes_of_arguments(
        self, name: str, args: Sequence[Any], named: Mapping[str, Any]
    ) -> Iterator[tuple[str, Any, Axes]]:
        """(what it is, the value, its axes) for each argument, those by name last."""
        axes = self.level.in_axes
        if isinstance(axes, Mapping):
            places = _positions(self.function, args)
            unknown = [key for key in axes if key not in (*places, *named)]
            if unknown:
                raise mistake(f"{name}: in_axes names {unknown[0]}, which the call does not give", f"pass {unknown[0]}")
            chosen: Sequence[Axes] = [axes.get(place) for place in places]
            by_name = {key: axes.get(key) for key in named}
        else:
            if isinstance(axes, tuple) and len(axes) != len(args):
                raise mistake(
                    f"{name}: in_axes has {len(axes)} entries, and the call has {len(args)} positional arguments",
                    "one entry for each; arguments by name are mapped over their first axis; or a mapping from names",
                )
            chosen = axes if isinstance(axes, tuple) else [axes] * len(args)
            by_name = dict.fromkeys(named, 0)
        for k, (value, own) in enumerate(zip(args, chosen, strict=True)):
            yield f"argument {k}", value, own
        for key, value in named.items():
            yield key, value, by_name[key]

    def __repr__(self) -> str:
        return f"<vmap of {self.function!r}, in_axes={self.level.in_axes!r}, out_axes={self.level.out_axes!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return MappedFunction, (self.function, self.level)


class Functions:
    """Functions, one for each example: what `em.vmap` makes of a function among the results, as the pullback of `f.vjp`.

    `functions(weights)` calls each with its example of all arguments, as `em.vmap(lambda one, w: one(w))(functions, weights)` does.
    """

    def __init__(self, each: Sequence[Callable[..., Any]]) -> None:
        self._each = tuple(each)

    def __len__(self) -> int:
        return len(self._each)

    def __getitem__(self, index: int) -> Callable[..., Any]:
        return self._each[index]

    @user_frames
    def __call__(self, /, *args: Any, **named: Any) -> Any:
        return MappedFunction(_called, VmapLevel())(self, *args, **named)

    def __repr__(self) -> str:
        return f"<{len(self)} functions, from {self._each[0]!r}>"


def _called(function: Callable[..., Any], /, *args: Any, **named: Any) -> Any:
    return function(*args, **named)


def _name(function: Any) -> str:
    while isinstance(function, functools.partial):
        function = function.func
    own = None if isinstance(function, Transform) else getattr(function, "__name__", None)
    return own or type(function).__name__


def _positions(function: Callable[..., Any], args: Sequence[Any]) -> list[str]:
    """The names of positional arguments; places of those that have none."""
    names: list[str] = []
    try:
        for parameter in inspect.signature(function).parameters.values():
            if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
                names.append(parameter.name)
    except (TypeError, ValueError):
        pass
    return (names + [f"argument {k}" for k in range(len(names), len(args))])[: len(args)]


# Arguments -------------------------------------------------------------------------------------------------------------


class _Arguments:
    """The arguments of one call. sizes: of the mapped axes; shared: arrays that all examples are given."""

    def __init__(self, function: str) -> None:
        self.function = function
        self.sizes: dict[str, int] = {}
        self.shared: list[Any] = []

    def argument(self, what: str, value: Any, axes: Axes) -> Callable[[int], Any]:
        """The argument of example k, for each k."""
        if value is None or axes is None:
            shared = self._read_only(value)
            return lambda k: shared
        found = children(value)
        if found is not None:
            keys, parts, build = found
            own = self._entries(what, axes, keys)
            inner = [self.argument(f"{what}[{key!r}]", *one) for key, *one in zip(keys, parts, own, strict=True)]
            return lambda k: build([example(k) for example in inner])
        if isinstance(axes, (tuple, Mapping)):
            raise self._mistake(f"in_axes of {what} is {axes!r}, and it is one array", "one number, or None")
        return self._mapped(what, value, axis_of(self.function, what, axes) or 0)

    def _entries(self, what: str, axes: Axes, keys: Sequence[Any]) -> Sequence[Axes]:
        if isinstance(axes, Mapping):
            unknown = [key for key in axes if key not in keys]
            if unknown:
                raise self._mistake(f"in_axes of {what} names {unknown[0]!r}", f"it has {', '.join(map(str, keys))}")
            return [axes.get(key) for key in keys]
        if not isinstance(axes, tuple):
            return [axes] * len(keys)
        if len(axes) != len(keys):
            raise self._mistake(f"in_axes of {what} has {len(axes)} entries, and it has {len(keys)}", "one for each")
        return axes

    def _mapped(self, what: str, value: Any, axis: int) -> Callable[[int], Any]:
        import numpy as np

        if isinstance(value, Functions):
            if axis not in (0, -1):
                raise self._mistake(f"{what} is functions in a row, and in_axes maps axis {axis} of them", "0")
            self.sizes[what] = len(value)
            return value.__getitem__
        buffers.refuse_mask(value, f"{self.function}: {what}")
        array = buffers.array_of(value, lambda problem: self._mistake(f"{what} {problem}", "an array"))
        if array.dtype.kind not in NUMBERS:
            raise self._mistake(f"{what} is a {type(value).__name__}, which has no axes", "in_axes=None for it")
        if not -array.ndim <= axis < array.ndim:
            has = f"has {array.ndim} axes" if array.ndim else "is one number"
            hint = "None for what is the same for all examples"
            raise self._mistake(f"{what} {has}, and in_axes maps axis {axis} of it", hint)
        self.sizes[what] = array.shape[axis]
        first = np.moveaxis(array, axis, 0)
        return lambda k: first[k].copy(order="C")

    def _read_only(self, value: Any) -> Any:
        """What all examples share: arrays as read-only views."""
        import numpy as np

        found = children(value)
        if found is not None:
            _, parts, build = found
            return build([self._read_only(part) for part in parts])
        if not isinstance(value, np.ndarray):
            return value
        view = value.view()
        view.flags.writeable = False
        self.shared.append(view)
        return view

    def count(self) -> int:
        """How many examples there are."""
        if not self.sizes:
            raise self._mistake("nothing is mapped", "in_axes gives an axis for one argument at least")
        if len(set(self.sizes.values())) > 1:
            listed = ", ".join(f"{what} has {n}" for what, n in self.sizes.items())
            hint = "arrays with as many examples; None in in_axes for what is the same for all"
            raise self._mistake(f"the mapped axes differ in size: {listed}", hint)
        count = next(iter(self.sizes.values()))
        if not count:
            raise self._mistake("there are no examples, and only a call tells what it gives", "one example at least")
        return count

    def _mistake(self, problem: str, hint: str) -> ArgumentError:
        return mistake(f"{self.function}: {problem}", hint)


# Results ---------------------------------------------------------------------------------------------------------------


def children(tree: Any) -> tuple[Sequence[Any], Sequence[Any], Callable[[Sequence[Any]], Any]] | None:
    """(keys, parts, what builds such a tree from parts) of a tuple, list, dict or named tuple; None for a leaf."""
    if isinstance(tree, Named):
        return tree._names, tree, tree._make
    if isinstance(tree, tuple) and hasattr(tree, "_fields") and hasattr(tree, "_make"):
        return tree._fields, tree, tree._make
    if type(tree) in (tuple, list):
        return range(len(tree)), tree, type(tree)
    if type(tree) is dict:
        keys = tuple(tree)
        return keys, tuple(tree.values()), lambda parts: dict(zip(keys, parts, strict=True))
    return None


def _kept(name: str, tree: Any, shared: Sequence[Any]) -> Any:
    """The result of one example, its arrays copied: the function may use their memory again. What all examples share stays."""
    import numpy as np

    found = children(tree)
    if found is not None:
        _, parts, build = found
        return build([_kept(name, part, shared) for part in parts])
    buffers.refuse_mask(tree, f"{name}: its result")
    if not isinstance(tree, np.ndarray) or any(tree is one for one in shared):
        return tree
    return tree.copy(order="C")


def _together(name: str, examples: Sequence[Any], out_axes: Axes, what: str) -> Any:
    """One tree of the results of all examples."""
    first = examples[0]
    found = children(first)
    if found is None:
        if isinstance(out_axes, (tuple, Mapping)):
            raise mistake(f"{name}: out_axes of {what} is {out_axes!r}, and it is one array", "one number")
        return _stacked(name, examples, axis_of(name, what, out_axes), what)
    keys, _, build = found
    columns = []
    for k, tree in enumerate(examples):
        other = children(tree)
        if other is None or type(tree) is not type(first) or list(other[0]) != list(keys):
            raise mistake(
                f"{name}: {what} of example {k} has another structure than that of example 0", "the same form"
            )
        columns.append(other[1])
    labels = [f"{what}[{key!r}]" for key in keys]
    return build(
        [
            _together(name, [parts[k] for parts in columns], axes, labels[k])
            for k, axes in enumerate(entries(name, out_axes, keys))
        ]
    )


def _stacked(name: str, leaves: Sequence[Any], axis: int | None, what: str) -> Any:
    import numpy as np

    first = leaves[0]
    if axis is None:
        if any(leaf is not first for leaf in leaves):
            raise mistake(f"{name}: out_axes is None for {what}, and it has a value for each example", "0")
        return first.copy() if isinstance(first, np.ndarray) else first
    if all(leaf is None for leaf in leaves):
        return None
    if all(callable(leaf) and not isinstance(leaf, np.generic) for leaf in leaves):
        return Functions(leaves)
    arrays = [
        buffers.array_of(leaf, lambda problem: mistake(f"{name}: {what} {problem}", "an array of numbers"))
        for leaf in leaves
    ]
    for k, (leaf, array) in enumerate(zip(leaves, arrays, strict=True)):
        if leaf is None or array.dtype.kind not in NUMBERS:
            raise mistake(f"{name}: {what} of example {k} is a {type(leaf).__name__}, no number or array", "an array")
        if (array.shape, array.dtype) != (arrays[0].shape, arrays[0].dtype):
            both = (
                f"{array.dtype} of shape {array.shape}, and that of example 0 is {arrays[0].dtype} of {arrays[0].shape}"
            )
            raise mistake(f"{name}: {what} of example {k} is {both}", "the same shape and dtype for all examples")
    rank = arrays[0].ndim + 1
    if not -rank <= axis < rank:
        raise mistake(f"{name}: out_axes puts the examples of {what} at axis {axis} of {rank}", "0")
    return np.ascontiguousarray(np.stack(arrays, axis))
