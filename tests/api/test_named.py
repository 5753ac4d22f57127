"""The Gradients tuple."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from enzyme_magic.api.derivatives.named import Gradients, Outputs, gradients, outputs

G = gradients(("x", "lambda", "count", "ravel"), (1.0, np.array([2.0, 3.0]), 4.0, 5.0))


def test_entries_by_position_name_and_attribute():
    assert G[0] == G["x"] == G.x == 1.0
    assert G[-1] == 5.0
    assert G.lambda_ is G["lambda"] is G[1]
    assert G.count == G["count"] == 4.0
    assert G.ravel_ == G["ravel"] == 5.0
    assert G[:1] == (1.0,)
    assert len(G) == 4
    assert isinstance(G, Gradients)
    assert isinstance(G, tuple)


def test_unpacking_and_asdict_keep_cs_names():
    x, second, *_ = G
    assert x == 1.0
    assert second.tolist() == [2.0, 3.0]
    assert list(G.asdict()) == ["x", "lambda", "count", "ravel"]


def test_ravel():
    assert G.ravel().tolist() == [1.0, 2.0, 3.0, 4.0, 5.0]
    matrix = gradients(("A", "b"), (np.ones((2, 2)), None))
    assert matrix.ravel().tolist() == [1.0] * 4


@pytest.mark.parametrize(
    "operation",
    [
        lambda g: g + g,
        lambda g: g - g,
        lambda g: 2 * g,
        lambda g: g * 2,
        lambda g: g @ g,
        lambda g: g / 2,
        lambda g: -g,
        lambda g: np.float64(2) * g,
        lambda g: np.ones(2) - g,
        lambda g: (1.0,) + g,  # noqa: RUF005
    ],
)
def test_it_is_no_vector(operation):
    with pytest.raises(TypeError, match=r"g\.ravel\(\)|concatenate"):
        operation(G)


def test_unknown_names():
    with pytest.raises(KeyError, match=r"'y'.*x, lambda"):
        G["y"]
    with pytest.raises(AttributeError):
        G.y  # noqa: B018
    with pytest.raises(AttributeError):
        G.x = 2.0


def test_repr_and_pickle():
    small = gradients(("a", "b"), (1.0, 2.0))
    assert repr(small) == "Gradients(a=1.0, b=2.0)"
    again = pickle.loads(pickle.dumps(small))
    assert again == small
    assert again.b == 2.0
    assert type(again) is type(small)


def test_outputs_are_named_tuples_too():
    both = outputs(("result", "y"), (1.0, np.array([2.0, 3.0])))
    assert (both.result, both["y"].tolist()) == (1.0, [2.0, 3.0])
    assert isinstance(both, Outputs)
    assert not isinstance(both, Gradients)
    assert repr(outputs(("a", "b"), (1, 2))) == "Outputs(a=1, b=2)"
    assert pickle.loads(pickle.dumps(outputs(("a", "b"), (1, 2)))).b == 2
    with pytest.raises(TypeError, match="Outputs is a tuple of 2 outputs"):
        both + both


def test_nested_tuples_ravel_in_order():
    nested = outputs(("result", "y"), (gradients(("a", "b"), (1.0, np.array([2.0]))), np.array([[3.0, 4.0]])))
    assert nested.ravel().tolist() == [1.0, 2.0, 3.0, 4.0]
