"""C functions as TensorFlow operations: `enzyme(x, filename="test.c", function="f")`, `op(p.f)(x, w)`.

Invariant: the gradient of an operation is another operation, so tapes nest. TensorFlow makes its forward mode
(`ForwardAccumulator`) of the same rules: it is reverse mode twice there. In `tf.function` the call is a `numpy_function`, a node
with a gradient of its own, never merged, dropped or reordered: XLA refuses it, and so does a SavedModel. `vectorized_map` makes one
such node of it, which calls C for all examples in a native loop. The node it is made of stays in the graph and is run once more: so
functions whose calls can be told apart (they print, or write variables) are refused there.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from enzyme_magic.api.function import CFunction
from enzyme_magic.backend.runtime.values.buffers import refuse_mask
from enzyme_magic.errors import ArgumentError, EnzymeError, user_frames
from enzyme_magic.integrations.contract import ArraySlot, OutShape
from enzyme_magic.integrations.extras import require
from enzyme_magic.integrations.files import file_operation
from enzyme_magic.integrations.identity import name_of
from enzyme_magic.integrations.operation import Operation, number_for, operation, results_of, switch, wrong_dtype

if TYPE_CHECKING:
    import tensorflow as tf
else:
    tf = require("tensorflow")

from tensorflow.python import pywrap_tfe
from tensorflow.python.eager import record
from tensorflow.python.framework import ops
from tensorflow.python.framework.func_graph import FuncGraph
from tensorflow.python.ops.parallel_for import control_flow_ops, pfor


@user_frames
def enzyme(inp: Any, *, filename: str | os.PathLike[str], function: str, out_shape: OutShape = None) -> Any:
    """`void f(T *inp, size_t n, T *out)` of a C file on `inp`; see `enzyme_magic.integrations.torch.enzyme`."""
    return TensorFlowOperation(file_operation(filename, function, out_shape))(inp)


@user_frames
def op(
    function: CFunction,
    *,
    shape: Mapping[str, Any] | None = None,
    out_shape: OutShape = None,
    outputs: str | Sequence[str] | None = None,
    named: bool = True,
) -> TensorFlowOperation:
    """Any C function on numbers and arrays of float or double; options as in docs/frameworks.md."""
    return TensorFlowOperation(
        operation(function, shape=shape, out_shape=out_shape, outputs=outputs), switch("named", named)
    )


class TensorFlowOperation:
    """Call it with tensors for the inputs in C order, integers by name; it gives a tensor, or a tuple of several (`named`)."""

    def __init__(self, operation: Operation, named: bool = True) -> None:
        self.operation, self.named = operation, named

    @tf.autograph.experimental.do_not_convert
    @user_frames
    def __call__(self, /, *tensors: Any, **named: Any) -> Any:
        try:
            return self._called(tensors, named)
        except EnzymeError as error:
            _leave_to_keras(error)
            raise

    def _called(self, tensors: Sequence[Any], named: Mapping[str, Any]) -> Any:
        own = self.operation
        values, integers = own.bind(tensors, named)
        checked = [_tensor(own.name, slot, value) for slot, value in zip(own.inputs, values, strict=True)]
        made = _apply(own, integers, checked)
        return made[0] if len(made) == 1 else self._results(*made)

    @cached_property
    def _results(self) -> Any:
        return results_of(self.operation, self.named)

    def __repr__(self) -> str:
        return repr(self.operation).replace("<operation", "<tensorflow operation")

    def __reduce__(self) -> tuple[Any, ...]:
        return TensorFlowOperation, (self.operation, self.named)


def _leave_to_keras(error: EnzymeError) -> None:
    """Of an error in a layer, Keras raises one of the same class with a longer text, which has neither code nor hint: not of one
    that it takes for its own."""
    error._keras_call_info_injected = True  # type: ignore[attr-defined]


def _tensor(function: str, slot: ArraySlot, value: Any) -> Any:
    """ArgumentError EM602 where the dtype is not the parameter's; Python numbers become tensors."""
    if isinstance(value, (tf.SparseTensor, tf.RaggedTensor)):
        raise ArgumentError(
            f"{function}: {slot.name} is a {type(value).__name__}, C reads dense memory",
            code="EM602",
            hint=f"convert {slot.name} to a dense tensor first",
        )
    refuse_mask(value, f"{function}: {slot.name}")
    number = number_for(function, slot, value)
    try:
        tensor = tf.convert_to_tensor(value, slot.dtype if number is not None else None)
    except (TypeError, ValueError):
        raise _no_tensor(function, slot, value) from None
    if tensor.dtype != slot.dtype:
        raise wrong_dtype(function, slot, tensor.dtype.name)
    if not slot.active and slot.dtype.kind == "f" and record.should_record_backprop([tensor]):
        raise ArgumentError(
            f"{function}: {slot.name} is watched by a tape, and it is constant in C",
            code="EM605",
            hint=f"pass tf.stop_gradient({slot.name}), or compile without activity={{'{slot.name}': 'const'}}",
        )
    return tensor


def _no_tensor(function: str, slot: ArraySlot, value: Any) -> ArgumentError:
    """ArgumentError EM602 for what TensorFlow makes no tensor of."""
    kind = type(value).__name__
    if kind == "KerasTensor":
        return ArgumentError(
            f"{function}: {slot.name} is a KerasTensor, which stands for values that are not there yet",
            code="EM602",
            hint=f"call {function} in the call() of a layer, or in a tf.keras.layers.Lambda",
        )
    return ArgumentError(
        f"{function}: {slot.name} must be a tensor, got {kind}",
        code="EM602",
        hint=f"tf.convert_to_tensor({slot.name}, tf.{slot.dtype})",
    )


def _apply(own: Operation, integers: Mapping[str, int], tensors: Sequence[Any], batch: int = 0) -> list[Any]:
    """The operation with its gradient. batch: how many leading axes of all tensors count examples."""
    if not tf.executing_eagerly():
        return _in_graph(own, integers, tensors, batch)
    if pywrap_tfe.TFE_Py_TapeSetIsEmpty():  # no tape and no accumulator looks
        return _now(own, integers, tensors, batch)

    @tf.custom_gradient
    def call(*inputs: Any) -> Any:
        def gradient(*cotangents: Any, variables: Any = None) -> Any:
            return _pulled(own, integers, inputs, cotangents, batch)

        return _now(own, integers, inputs, batch), gradient

    return list(call(*tensors))


def _pulled(
    own: Operation, integers: Mapping[str, int], inputs: Sequence[Any], cotangents: Sequence[Any], batch: int
) -> list[Any]:
    """A gradient for each input, None for the constant ones. Cotangents that came as slices (tf.gather) become dense."""
    given = [tf.convert_to_tensor(cotangent) for cotangent in cotangents]
    found = iter(_apply(own.vjp, integers, [*inputs, *given], batch))
    return [next(found) if slot.active else None for slot in own.inputs]


def _now(own: Operation, integers: Mapping[str, int], inputs: Sequence[Any], batch: int) -> list[Any]:
    return [tf.convert_to_tensor(array) for array in own([tensor.numpy() for tensor in inputs], integers, batch)]


def _in_graph(own: Operation, integers: Mapping[str, int], inputs: Sequence[Any], batch: int) -> list[Any]:
    """The call of C as a node of the graph, with the static shapes as far as they are known.

    The node itself names its gradient: loops, branches and vectorized_map copy nodes, and a gradient that stood around the node
    (tf.custom_gradient) would be lost there."""

    if own.is_ordered and _is_vectorized():
        raise _twice(own)

    def native(*arrays: Any) -> Any:
        return own(arrays, integers, batch)

    shapes = _static_shapes(own, [tensor.shape for tensor in inputs], integers, batch)
    graph = ops.get_default_graph()
    _refuse_saving(own, graph)
    override = graph.gradient_override_map({"PyFunc": _gradient_of(own, tuple(integers.items()), batch)})
    with record.stop_recording(), override:
        made = tf.numpy_function(
            native, inputs, [slot.dtype for slot in own.outputs], name=f"{own.name}_is_C_called_by_Python"
        )
    for tensor, shape in zip(made, shapes, strict=True):
        tensor.set_shape(shape)
    record.record_operation(  # for a tape in this graph, which does not ask nodes
        "PyFunc",
        made,
        list(inputs),
        lambda *cotangents: _pulled(own, integers, inputs, _dense(cotangents, made), batch),
    )
    return list(made)


def _is_vectorized() -> bool:
    """Whether the graph that is being made is one example of what TensorFlow vectorizes."""
    frame = sys._getframe()
    while frame is not None and frame.f_code is not control_flow_ops._pfor_impl.__code__:
        frame = frame.f_back  # type: ignore[assignment]
    return frame is not None


def _twice(own: Operation) -> ArgumentError:
    return ArgumentError(
        f"{own.root.name} prints or writes variables: tf.vectorized_map would call it once more than there are examples",
        code="EM609",
        hint="tf.map_fn, which calls it for each example in turn; for Jacobians experimental_use_pfor=False",
    )


def _dense(cotangents: Sequence[Any], outputs: Sequence[Any]) -> list[Any]:
    """With zeros for outputs that nobody uses."""
    return [
        tf.zeros_like(output) if cotangent is None else cotangent
        for cotangent, output in zip(cotangents, outputs, strict=True)
    ]


_nodes: dict[str, tuple[Operation, Mapping[str, int], int]] = {}  # what a node does, by the name of its gradient
_lock = threading.Lock()


def _gradient_of(own: Operation, integers: tuple[tuple[str, int], ...], batch: int) -> str:
    """The name under which TensorFlow finds the gradient of a node; registered for the rest of the process."""
    name = f"enzyme_magic.{name_of(own)}({integers}, {batch})"

    def gradient(node: Any, *cotangents: Any) -> list[Any]:
        return _pulled(own, dict(integers), list(node.inputs), _dense(cotangents, node.outputs), batch)

    with _lock:
        if name not in _nodes:
            _nodes[name] = own, dict(integers), batch
            ops.RegisterGradient(name)(gradient)
    return name


@pfor.RegisterPFor("PyFunc")
def _for_all_examples(given: Any) -> Any:
    """A node in tf.vectorized_map: one call of C with a batch. Others of the kind, which are not ours, stay what they would be."""
    try:
        own, integers, batch = _nodes[given.get_attr("_gradient_op_type").decode()]
    except (KeyError, ValueError):
        return pfor._fallback_converter(given, root_cause="there is no registered converter for this op.", warn=True)
    if own.is_ordered:  # in a graph that was made before
        raise _twice(own)
    length = given.pfor.loop_len_vector
    inputs = [
        tensor if stacked else tf.broadcast_to(tensor[tf.newaxis], tf.concat([length, tf.shape(tensor)], 0))
        for tensor, stacked, _ in given.inputs
    ]
    return [pfor.wrap(made, True) for made in _in_graph(own, integers, inputs, batch + 1)]


def _refuse_saving(own: Operation, graph: Any) -> None:
    """No model can be saved with this call: a SavedModel would hold a node that no other process can run."""
    why = ArgumentError(
        f"{own.root.name} is C code of this process, a SavedModel cannot hold it", code="EM607", hint="save the weights"
    )
    while isinstance(graph, FuncGraph):
        graph.mark_as_unsaveable(str(why).replace("\n", "; "))
        graph = graph.outer_graph


def _static_shapes(own: Operation, shapes: Sequence[Any], integers: Mapping[str, int], batch: int) -> list[Any]:
    """The shapes of the outputs, with None where only the call will tell. ArgumentErrors where no call can be right."""
    if batch:
        axes = next((shape[:batch] for shape in shapes if shape.rank is not None), [None] * batch)
        return [
            tf.TensorShape(axes).concatenate(s) for s in _static_shapes(own, [s[batch:] for s in shapes], integers, 0)
        ]
    if any(shape.rank is None for shape in shapes):
        return [tf.TensorShape(None)] * len(own.outputs)
    sizes = [tuple(shape.as_list()) for shape in shapes]
    if all(shape.is_fully_defined() for shape in shapes):
        return [tf.TensorShape(shape) for shape in own.output_shapes(sizes, integers)]
    base = sizes[: len(own.contract.inputs)]
    known = [*base, *own.contract.open_outputs(base, integers)]
    first = len(own.contract.integers)
    return [tf.TensorShape(known[place.size - first]) for place in own.kernel.outputs]
