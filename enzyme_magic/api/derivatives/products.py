"""`VJPFunction`, `Pullback`, `JVPFunction`: products of the Jacobian with vectors, from either side.

Invariant: pure, and safe to call from several threads. A pullback owns what it needs: arguments are copied when it is made (unless
donated), so it may be called at any time, repeatedly, in any thread, and gives the same answer. Each call of a pullback runs the C
function forwards and backwards.

For complex numbers z = a + ib the gradient is d/da + i d/db, and a cotangent c stands for Re(c) times the real part plus Im(c)
times the imaginary part. (JAX uses the conjugate of both.)
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from enzyme_magic.api.derivatives.outputs import RESULT
from enzyme_magic.api.derivatives.setting import Setting, call_of
from enzyme_magic.api.derivatives.wrt import Wrt, memory_of
from enzyme_magic.backend.frontend.c_types import Void
from enzyme_magic.backend.runtime.calls.derivative import Given
from enzyme_magic.backend.runtime.contents import NamedByContent, content_of
from enzyme_magic.backend.runtime.values import buffers, purity
from enzyme_magic.backend.runtime.values.buffers import Buffer
from enzyme_magic.errors import user_frames

if TYPE_CHECKING:
    from enzyme_magic.api.function import CFunction


class Transform:
    """A transform of one function, with its options. Subclasses are callables."""

    verb = ""

    def __init__(
        self,
        function: CFunction,
        wrt: Wrt = None,
        outputs: Wrt = None,
        *,
        donate: bool = False,
        unchecked: bool = False,
    ) -> None:
        """See `enzyme_magic.vjp`. Errors of `wrt` and `outputs` come at once for explicit ones, on first use for the defaults."""
        self.function = function
        self.options: dict[str, Any] = {
            "wrt": tuple(wrt) if isinstance(wrt, list) else wrt,
            "outputs": tuple(outputs) if isinstance(outputs, list) else outputs,
            "donate": donate,
            "unchecked": unchecked,
        }
        self.donate = donate
        if wrt is not None or outputs is not None:
            _ = self.setting

    @cached_property
    def setting(self) -> Setting:
        """The parameters and outputs it is about."""
        options = self.options
        wrt, outputs, unchecked = options["wrt"], options["outputs"], options["unchecked"]
        return Setting(self.function, wrt, outputs, unchecked=unchecked, copied=not self.donate)

    @property
    def __signature__(self) -> inspect.Signature:
        return self.function.__signature__

    @property
    def __name__(self) -> str:
        """With a hash of what it computes, as of now: caches of results (joblib's) tell functions apart by their names."""
        return f"{self.verb}_{self.function.name}_{content_of(self)}"

    def __repr__(self) -> str:
        chosen = "".join(f", {name}={value!r}" for name, value in self.options.items() if value)
        return f"<{self.verb} of {self.function.c_signature} from {self.function.program.name}{chosen}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (type(self), self.function, self.options)

    def __copy__(self) -> Self:
        return self  # it never changes

    def __deepcopy__(self, memo: Any) -> Self:
        return self


def _rebuilt(kind: type[Transform], function: CFunction, options: Mapping[str, Any]) -> Transform:
    return kind(function, **options)


class VJPFunction(Transform):
    """`vjp(*args)` gives (value, pullback)."""

    verb = "vjp"

    @user_frames
    def __call__(self, /, *args: Any, **c_parameters: Any) -> tuple[Any, Pullback]:
        setting = self.setting
        values = setting.convert(args, c_parameters)
        kept = self._kept(values)
        working = values if self.donate else purity.working_copies(values, setting.written)
        result = setting.primal.run(working)
        value = setting.outputs.pack(setting.values_of(result, working))
        return value, Pullback(setting, kept)

    def _kept(self, values: list[Any]) -> list[Any]:
        """The arguments as they are now, for the pullback: what may change and is read is copied."""
        roles = self.function.roles
        changing = roles.written if self.donate else frozenset(range(len(values)))
        return purity.working_copies(values, changing & roles.read)


class Pullback(NamedByContent):
    """`pullback(cotangent)` gives the gradient of the outputs, weighted with the cotangent.

    The cotangent has the structure of the value: bare for one output, otherwise a tuple of as many, `Outputs`, or a mapping from
    names; None (or a missing name) is zero. out: as for `grad`, arrays that take the gradients of pointer parameters.
    """

    __slots__ = ("_kept", "_setting")

    def __init__(self, setting: Setting, kept: list[Any]) -> None:
        self._setting = setting
        self._kept = kept

    @user_frames
    def __call__(self, cotangent: Any, *, out: Any = None) -> Any:
        setting = self._setting
        shadows: dict[int, Buffer] = {}
        seed = None
        for output, given in zip(setting.outputs.outputs, setting.outputs.unpack(cotangent), strict=True):
            label = f"cotangent of {output.name}"
            if output.index != RESULT and output.active:
                shadows[output.index] = setting.memory(label, self._kept[output.index], given)
            elif output.active and given is not None:
                seed = setting.number(label, output.type, given)
            elif given is not None:
                raise setting.mistake(label, "is given, and it holds no floating numbers", "None")
        self._use(shadows, out)
        working = self._working()
        taken = setting.derivative("reverse")(working, Given(memory=shadows, result=seed))
        parts = [taken.memory[k].array if setting.is_pointer(k) else taken.numbers[k] for k in setting.wrt.indices]
        return setting.pack_gradients(parts)

    def _working(self) -> list[Any]:
        """Memory to write to; what C only writes need not hold anything."""
        setting, roles = self._setting, self._setting.function.roles
        working = purity.working_copies(self._kept, setting.written & roles.read)
        for index in setting.written - roles.read:
            array = working[index].array
            if array is not None:
                working[index] = buffers.buffer_of(buffers.zeros(array.shape, array.dtype))
        return working

    def _use(self, shadows: dict[int, Buffer], out: Any) -> None:
        """The caller's memory as shadows, with the seeds there."""
        setting = self._setting
        given = memory_of(out, setting.wrt, setting.names, setting.types, setting.function.name)
        for index, target in purity.result_memory(setting.arguments, given, self._kept).items():
            if index in shadows:
                target.array[...] = shadows[index].array
            else:
                buffers.clear(target.array)
            shadows[index] = target

    def __repr__(self) -> str:
        return f"<pullback of {self._setting.function.c_signature}>"


class JVPFunction(Transform):
    """`jvp(primals, tangents)` gives (value, tangent)."""

    verb = "jvp"

    @user_frames
    def __call__(self, primals: Any, tangents: Any) -> tuple[Any, Any]:
        setting = self.setting
        args, named = call_of(primals)
        values = setting.convert(args, named)
        directions = setting.tangents(primals, tangents)
        numbers, shadows = {}, {}
        for index in setting.wrt.indices:
            label, given = f"tangent of {setting.names[index]}", directions.get(index)
            if setting.is_pointer(index):
                shadows[index] = setting.memory(label, values[index], given)
            elif given is not None:
                numbers[index] = setting.number(label, setting.types[index], given)
        working = values if self.donate else purity.working_copies(values, setting.written)
        taken = setting.derivative("forward")(working, Given(numbers, shadows))
        outputs = setting.outputs
        returns = not isinstance(self.function.c_signature.result, Void)
        value = outputs.pack(setting.values_of(taken.value if returns else None, working))
        moved = [_tangent(output.index, taken) if output.active else None for output in outputs.outputs]
        return value, outputs.pack(moved)


def _tangent(index: int, taken: Any) -> Any:
    return taken.tangent if index == RESULT else taken.memory[index].array
