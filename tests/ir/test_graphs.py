"""CFG, dominators, def-use, cloning and layout, against networkx, brute force and clang."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import networkx as nx
import pytest

from enzyme_magic.backend.ir.attributes import EMPTY
from enzyme_magic.backend.ir.builder import Builder
from enzyme_magic.backend.ir.checks.verify import verify
from enzyme_magic.backend.ir.clone import clone_function, clone_instruction
from enzyme_magic.backend.ir.constants import float_constant, int_constant
from enzyme_magic.backend.ir.graphs import cfg
from enzyme_magic.backend.ir.graphs.def_use import replace_uses, users
from enzyme_magic.backend.ir.graphs.dominators import DominatorTree, PostDominatorTree
from enzyme_magic.backend.ir.instructions import Instruction, Phi
from enzyme_magic.backend.ir.module import Function, Module
from enzyme_magic.backend.ir.text.parser import parse
from enzyme_magic.backend.ir.text.printer import print_module
from enzyme_magic.backend.ir.types import DOUBLE, I1, I32, VOID, FunctionType
from enzyme_magic.backend.ir.values import Argument, Block, Value
from enzyme_magic.errors import InternalError, UnsupportedIRError

from .conftest import CORPUS, read_by_llvm


def graph_function(count: int, edges: list[tuple[int, int]]) -> Function:
    """A function of `count` blocks whose terminators are switches along `edges`."""
    function = Function("f", function_type=FunctionType(VOID, (I32,)))
    function.arguments = [Argument(I32, "n", EMPTY, 0)]
    function.blocks = [Block(f"b{k}", parent=function) for k in range(count)]
    for number, block in enumerate(function.blocks):
        targets = [function.blocks[b] for a, b in edges if a == number]
        builder = Builder(block)
        if targets:
            builder.switch(function.arguments[0], targets[0], list(enumerate(targets[1:])))
        else:
            builder.ret()
    return function


def random_graphs() -> list[Function]:
    rng = random.Random(20240607)
    functions = []
    for _ in range(120):
        count = rng.randint(1, 14)
        edges = (
            [(rng.randrange(count), rng.randrange(1, count)) for _ in range(rng.randint(0, 3 * count))]
            if count > 1
            else []
        )
        functions.append(graph_function(count, edges))
    return functions


def as_digraph(function: Function) -> nx.DiGraph:
    graph = nx.DiGraph()
    graph.add_nodes_from(function.blocks)
    graph.add_edges_from((block, successor) for block in function.blocks for successor in block.successors)
    return graph


def brute_dominates(graph: nx.DiGraph, root: object, a: object, b: object) -> bool:
    if a is b:
        return True
    return not nx.has_path(graph.subgraph([n for n in graph if n is not a]), root, b) if a is not root else True


def test_dominators_agree_with_brute_force() -> None:
    for function in random_graphs():
        graph, tree = as_digraph(function), DominatorTree.of(function)
        found = nx.descendants(graph, function.entry) | {function.entry}
        assert set(tree.idom) == found == cfg.reachable(function)
        assert tree.idom[function.entry] is None
        for a in found:
            for b in found:
                assert tree.dominates(a, b) == brute_dominates(graph, function.entry, a, b)
                common = tree.nearest_common(a, b)
                assert common is not None
                assert tree.dominates(common, a)
                assert tree.dominates(common, b)


def test_postdominators_agree_with_brute_force() -> None:
    for function in random_graphs():
        tree = PostDominatorTree.of(function)
        graph = as_digraph(function).reverse()
        exit_ = object()
        graph.add_node(exit_)
        graph.add_edges_from((exit_, root) for root in cfg.exits(function))
        for block in reversed(cfg.reverse_postorder(function)):
            if block not in nx.descendants(graph, exit_):
                graph.add_edge(exit_, block)
        for a in tree.idom:
            for b in tree.idom:
                assert tree.dominates(a, b) == brute_dominates(graph, exit_, a, b)
        assert cfg.reachable(function) <= set(tree.idom)


def test_unreachable_blocks_are_dominated_by_all_and_dominate_none() -> None:
    function = graph_function(3, [(0, 1), (2, 1)])
    entry, end, lost = function.blocks
    tree = DominatorTree.of(function)
    assert tree.dominates(end, lost)
    assert not tree.dominates(lost, end)
    assert tree.strictly_dominates(entry, end)
    assert not tree.strictly_dominates(end, end)


def test_deep_graphs_need_no_recursion() -> None:
    count = 10_000
    function = graph_function(0, [])
    function.blocks = [Block(f"b{k}", parent=function) for k in range(count)]
    last = function.blocks[-1]
    for here, following in zip(function.blocks, function.blocks[1:], strict=False):  # goto fail from everywhere
        Builder(here).switch(function.arguments[0], following, [(0, last)])
    Builder(last).ret()
    tree, post = DominatorTree.of(function), PostDominatorTree.of(function)
    assert tree.idom[last] is function.entry
    assert post.dominates(last, function.entry)
    assert len(cfg.reverse_postorder(function)) == count


def test_reverse_postorder_puts_blocks_before_their_successors() -> None:
    for function in random_graphs():
        order = {block: number for number, block in enumerate(cfg.reverse_postorder(function))}
        tree = DominatorTree.of(function)
        for block in order:
            assert all(order[d] <= order[block] for d in order if tree.dominates(d, block))


def test_predecessors_count_every_edge() -> None:
    function = graph_function(3, [(0, 1), (0, 1), (0, 2), (1, 2)])
    before = cfg.predecessors(function)
    assert before[function.blocks[1]] == [function.entry] * 2
    assert before[function.blocks[2]] == [function.entry, function.blocks[1]]
    assert before[function.entry] == []


def test_split_edge_merges_the_entries_of_parallel_edges() -> None:
    function = graph_function(3, [(0, 2), (0, 1), (0, 2), (1, 2)])
    entry, middle, end = function.blocks
    module = Module()
    module.add(function)
    phi = Phi(
        "phi",
        I32,
        [int_constant(I32, 4), int_constant(I32, 5), int_constant(I32, 4)],
        "p",
        blocks=[entry, middle, entry],
    )
    end.instructions.insert(0, phi)
    phi.parent = end
    verify(module)
    new = cfg.split_edge(entry, end)
    verify(module)
    assert phi.incoming == [(int_constant(I32, 4), new), (int_constant(I32, 5), middle)]
    assert Counter(entry.successors) == Counter([new, middle, new])
    assert function.blocks.index(new) == 1
    with pytest.raises(InternalError, match="no edge"):
        cfg.split_edge(end, entry)
    read_by_llvm(print_module(module))


def test_the_way_to_a_landing_pad_is_not_split(corpus: Callable[[str, str], str]) -> None:
    function = next(f for f in parse(corpus("exceptions.cpp", "-O1")).definitions() if f.name.startswith("_Z7handled"))
    invoke = next(i for i in function.instructions() if i.opcode == "invoke")
    assert invoke.parent is not None
    with pytest.raises(InternalError, match="cannot be split"):
        cfg.split_edge(invoke.parent, invoke.successors[1])


def test_users(relu3: Module) -> None:
    function = relu3.functions["relu3"]
    found = users(function)
    expected: dict[Value, list[Instruction]] = {}
    for instruction in function.instructions():
        for operand in instruction.operands:
            expected.setdefault(operand, []).append(instruction)
        for block in instruction.successors:
            expected.setdefault(block, []).append(instruction)
    for value, uses in found.items():
        assert uses == expected.get(value, [])
    assert function.arguments[0] in found
    assert set(function.blocks) < set(found)


@pytest.mark.parametrize("name", CORPUS)
def test_cloned_functions_are_valid_and_share_no_code(name: str, corpus: Callable[[str, str], str]) -> None:
    module = parse(corpus(name, "-O2"))
    for function in list(module.definitions()):
        values: dict[Value, Value] = {}
        if any(i.opcode == "indirectbr" for i in function.instructions()):
            with pytest.raises(UnsupportedIRError):
                clone_function(function, "copy", values)
            continue
        copy = clone_function(function, f"{function.name}.copy", values)
        module.add(copy)
        old = {*function.arguments, *function.blocks, *function.instructions()}
        assert old == set(values)
        for instruction in copy.instructions():
            assert not old & set(instruction.operands)
            assert not old & set(instruction.blocks if isinstance(instruction, Phi) else instruction.successors)
        assert "dbg" not in copy.metadata
    verify(module)
    read_by_llvm(print_module(module))


def test_clone_substitutes_arguments(relu3: Module) -> None:
    function = relu3.functions["relu3"]
    two = float_constant(DOUBLE, 2.0)
    values: dict[Value, Value] = {function.arguments[0]: two}
    copy = clone_function(function, "at_two", values)
    assert any(two in instruction.operands for instruction in copy.instructions())
    assert not any(copy.arguments[0] in instruction.operands for instruction in copy.instructions())


def test_clone_instruction_is_shallow_and_keeps_metadata(relu3: Module) -> None:
    original = next(i for i in relu3.functions["relu3"].instructions() if i.opcode == "fcmp")
    other = float_constant(DOUBLE, 9.0)
    copy = clone_instruction(original, {original.operands[0]: other})
    assert type(copy) is type(original)
    assert copy.operands == [other, original.operands[1]]
    assert copy.metadata == original.metadata
    assert copy.metadata is not original.metadata
    assert copy.parent is None
    assert original.operands[0] is not other


def test_replace_uses_follows_into_debug_records(corpus: Callable[[str, str], str]) -> None:
    module = parse(corpus("relu3.c", "-O1"))
    function = module.functions["relu3"]
    two = float_constant(DOUBLE, 2.0)
    replace_uses(function, {function.arguments[0]: two})
    text = print_module(module)
    assert "#dbg_value(double 2.000000e+00" in text
    assert text.count("%x") == 1  # the parameter itself
    read_by_llvm(text)


def test_builder_refuses_wrong_types() -> None:
    function = graph_function(1, [])
    builder = Builder(function.entry, function.entry.terminator)
    x = float_constant(DOUBLE, 1.0)
    k = int_constant(I32, 1)
    for wrong in (
        lambda: builder.fadd(x, k),
        lambda: builder.fadd(k, k),
        lambda: builder.add(x, x),
        lambda: builder.icmp("eq", x, x),
        lambda: builder.fcmp("oeq", k, k),
        lambda: builder.select(k, x, x),
        lambda: builder.sitofp(x, DOUBLE),
        lambda: builder.load(DOUBLE, x),
        lambda: builder.store(x, k),
        lambda: builder.cond_br(k, function.entry, function.entry),
        lambda: builder.call(function, [x]),
        lambda: builder.extract_value(x, 0),
        lambda: builder.add_incoming(builder.phi(I1), x, function.entry),
    ):
        before = sum(len(b.instructions) for b in function.blocks)
        with pytest.raises(InternalError):
            wrong()
        assert sum(len(b.instructions) for b in function.blocks) - before in (0, 1)  # 1: the empty phi
