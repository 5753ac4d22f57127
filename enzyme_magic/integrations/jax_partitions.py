"""How XLA divides a batch of calls of C among devices: along the axes of the batch, and along no other.

Invariant: an axis of the batch is divided only where its parts are of one size, so no call sees an element that is not the caller's
(XLA fills up uneven parts with anything). All other axes, and what all examples share, are whole on every device: what C does with
them is not known here.

The rule speaks of XLA's tiles, not of meshes: a program may have several, and JAX wants one of primitives that ask for it. It is
for what XLA divides itself, in a `jit`; `shard_map` has divided already.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from enzyme_magic.integrations.extras import require

if TYPE_CHECKING:
    import jax
else:
    jax = require("jax")

from jax._src.lib import xla_client
from jax._src.sharding_impls import GSPMDSharding, ShardingContext
from jax.experimental.custom_partitioning import SdyShardingRule, custom_partitioning
from jax.experimental.xla_metadata import set_xla_metadata
from jax.interpreters import mlir
from jax.sharding import NamedSharding, PartitionSpec, get_abstract_mesh

Shape = tuple[int, ...]


def sharding_of_batch(arrays: Sequence[Any], full: Shape) -> Callable[[int], NamedSharding]:
    """The type of a result by the number of its axes behind those of the batch `full`: on meshes whose axes are explicit, the batch
    is divided as in the first of the arguments' types that divides it, and nothing else is."""
    found: list[Any] = [None] * len(full)
    for array in arrays:
        for axis, size in enumerate(full):
            part = array.sharding.spec[axis] if array.shape[axis] == size else None
            found[axis] = part if found[axis] is None and part not in found else found[axis]
    meshes = (array.sharding.mesh for array in arrays)
    mesh = next((own for own in meshes if not own.empty), get_abstract_mesh())
    return lambda others: NamedSharding(mesh, PartitionSpec(*found, *[None] * others))


def is_divisible(ctx: Any, batch: int) -> bool:
    """Whether the call that is lowered has a batch, and runs on several devices among which XLA divides."""
    context = ctx.module_context
    own = context.axis_context
    divides = isinstance(own, ShardingContext) and own.num_devices > 1
    return batch > 0 and divides and not context.lowering_parameters.for_export


def lower_divided(ctx: Any, name: str, call: Callable[..., Any], batch: int, *arrays: Any) -> Any:
    """The lowering of `call` of `arrays` with the rule. name: what it computes, which JAX's cache on disk would not see."""
    inputs, outputs = [value.shape for value in ctx.avals_in], [value.shape for value in ctx.avals_out]
    context = ctx.module_context
    devices = tuple(jax.devices("cpu"))[: context.axis_context.num_devices]  # how many: tiles have numbers of their own
    placed = context.replace(axis_context=ShardingContext(len(devices), devices))
    divided = with_rule(call, inputs, outputs, batch)

    def named(*values: Any) -> Any:
        with set_xla_metadata(enzyme_magic=name):
            return divided(*values)

    return mlir.lower_fun(named, multiple_results=True)(ctx.replace(module_context=placed), *arrays)


def with_rule(
    call: Callable[..., Any], inputs: Sequence[Shape], outputs: Sequence[Shape], batch: int
) -> Callable[..., Any]:
    """`call` of arrays. inputs, outputs: their shapes, of which the first `batch` axes are the batch's."""
    full = next((shape[:batch] for shape in outputs), (1,) * batch)
    made: Any = custom_partitioning(call)

    def partition(mesh: Any, arguments: Any, results: Any) -> Any:
        given = [*zip(outputs, results, strict=True), *zip(inputs, arguments, strict=True)]
        tiles = next((found for found in (_tiles(full, *pair) for pair in given) if found is not None), None)

        def sharding(shape: Shape) -> Any:
            return GSPMDSharding(results[0].sharding._device_assignment, _of_shape(tiles, full, shape))

        return mesh, call, [sharding(shape) for shape in outputs], tuple(map(sharding, inputs))

    made.def_partition(partition, sharding_rule=_rule(full, inputs, outputs), decode_shardings=False)
    divided: Callable[..., Any] = made
    return divided


def _tiles(full: Shape, shape: Shape, array: Any) -> np.ndarray[Any, Any] | None:
    """The numbers of the devices: an axis for each of the batch, as `array` is divided, and one for those with the same part. None
    where the array does not tell: it is whole, is not divided evenly, or has not all of the batch."""
    sharding = array.sharding._hlo_sharding
    if shape[: len(full)] != full or not sharding.is_tiled():
        return None
    if any(kind != xla_client.OpSharding.Type.REPLICATED for kind in sharding.subgroup_types()):
        return None
    parts = sharding.tile_assignment_dimensions()[: len(full)]
    if max(parts) == 1 or any(size % n for size, n in zip(full, parts, strict=True)):
        return None
    return np.array(sharding.tile_assignment_devices()).reshape(*parts, -1)


def _of_shape(tiles: np.ndarray[Any, Any] | None, full: Shape, shape: Shape) -> Any:
    """XLA's sharding of an array of this shape: divided where it has the axes of the batch, whole elsewhere."""
    if tiles is None:
        return xla_client.HloSharding.replicate()
    own = [axis for axis, size in enumerate(full) if shape[axis] == size]
    others = [axis for axis in range(tiles.ndim) if axis not in own]
    counts = [tiles.shape[axis] if axis in own else 1 for axis in range(len(full))]
    if max(counts) == 1:
        return xla_client.HloSharding.replicate()
    made = xla_client.OpSharding()
    made.type = xla_client.OpSharding.Type.OTHER
    made.tile_assignment_dimensions = [*counts, *[1] * (len(shape) - len(full)), tiles.size // math.prod(counts)]
    made.tile_assignment_devices = tiles.transpose(*own, *others).ravel().tolist()
    made.replicate_on_last_tile_dim = True
    return xla_client.HloSharding.from_proto(made)


def _rule(full: Shape, inputs: Sequence[Shape], outputs: Sequence[Shape]) -> SdyShardingRule:
    """How shardings spread: the axes of the batch are one in all arrays, every other axis is its array's own, and stays whole."""
    whole: list[str] = []

    def mapping(shape: Shape) -> tuple[str, ...]:
        names = []
        for axis, n in enumerate(shape):
            if axis < len(full) and n == full[axis]:
                names.append(f"batch{axis}")
            else:
                whole.append(f"own{len(whole)}")
                names.append(whole[-1])
        return tuple(names)

    found = tuple(map(mapping, inputs)), tuple(map(mapping, outputs))
    return SdyShardingRule(*found, need_replication_factors=tuple(whole))
