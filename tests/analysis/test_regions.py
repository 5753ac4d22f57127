"""Which memory may be the same: places in a region, ways that disagree, and what is lost with it."""

from __future__ import annotations

from math import inf

from enzyme_magic.backend.analysis.types.regions import AliasClasses
from enzyme_magic.backend.analysis.types.type_facts import CopyLink, Node


def nodes(text: str) -> list[Node]:
    return [Node(name) for name in text.split()]


def places(regions: AliasClasses, *found: Node) -> list[int | None]:
    return [regions.of(node)[1] for node in found]


def together(regions: AliasClasses, a: Node, b: Node) -> bool:
    return regions.of(a)[0] is regions.of(b)[0]


def test_distances_add_up() -> None:
    regions, (a, b, c) = AliasClasses(), nodes("a b c")
    regions.join(a, b, 8)
    regions.join(c, b, -16)
    first, second, third = places(regions, a, b, c)
    assert first is not None
    assert second is not None
    assert third is not None
    assert (second - first, third - first) == (8, 24)
    assert {node.label for node, _ in regions.of(a)[0].nodes} == {"a", "b", "c"}


def test_ways_that_disagree_leave_no_place() -> None:
    regions, (a, b, c) = AliasClasses(), nodes("a b c")
    regions.join(a, b, 8)
    regions.join(a, b, 8)
    assert None not in places(regions, a, b)
    regions.join(a, b, 16)
    regions.join(a, c, 0)
    assert places(regions, a, b, c) == [None, None, None]


def test_an_unknown_distance_leaves_the_rest_as_it_is() -> None:
    regions, (a, b, c) = AliasClasses(), nodes("a b c")
    regions.join(a, b, 8)
    regions.join(a, c, None)
    first, second, third = places(regions, a, b, c)
    assert first is not None
    assert second is not None
    assert (second - first, third) == (8, None)


def copied(a: Node, at: int, b: Node, to: int, length: int | None, step: int = 0) -> CopyLink:
    return CopyLink(a, at, step, b, to, 0, length, moves=True)


def test_pointers_that_may_lie_anywhere_lead_to_one() -> None:
    regions, (a, b, p, q, bits) = AliasClasses(), nodes("a b p q bits")
    bits.size = 8
    regions.point(p, a)
    regions.copy(copied(p, 0, bits, 0, None))
    regions.copy(copied(bits, 0, q, 0, None))
    regions.measure()
    assert not together(regions, p, q)
    regions.point(q, b)
    assert together(regions, a, b)
    c, d = nodes("c d")
    regions.point(a, c)
    regions.point(b, d)
    assert together(regions, c, d)


def test_pointers_at_different_places_lead_to_different_regions() -> None:
    regions, (a, b, c, p, q) = AliasClasses(), nodes("a b c p q")
    regions.point(p, a, at=0)
    regions.point(p, b, at=8)
    regions.join(p, q, 8)
    regions.point(q, c, at=0)
    assert together(regions, b, c)
    assert not together(regions, a, b)


def test_places_that_overlap_are_one() -> None:
    regions, (a, b, c, p, bits) = AliasClasses(), nodes("a b c p bits")
    bits.size = 4
    regions.point(p, a, at=0)
    regions.point(p, b, at=8)
    regions.copy(CopyLink(p, 8, 0, bits, 0, 0, 4))
    assert not together(regions, a, b)
    regions.point(p, c, at=4)
    assert together(regions, a, b)
    assert together(regions, b, c)


def test_members_of_the_items_of_an_array_are_told_apart() -> None:
    regions, (a, b, c, d, p) = AliasClasses(), nodes("a b c d p")
    regions.point(p, a, at=16)
    regions.point(p, b, at=24)
    regions.point(p, c, at=32)
    assert not together(regions, a, c)
    regions.point(p, d, at=0, modulus=16)
    assert together(regions, a, c)
    assert together(regions, a, d)
    assert not together(regions, a, b)
    regions.point(p, Node("e"), at=4, modulus=8)
    assert together(regions, a, b)


def test_a_place_that_is_not_certain_makes_all_one() -> None:
    for spoil in range(3):
        regions, (a, b, p, q) = AliasClasses(), nodes("a b p q")
        regions.point(p, a, at=0)
        regions.point(p, b, at=8)
        if spoil == 0:
            regions.point(p, Node("c"))
        elif spoil == 1:
            regions.join(p, q, None)
        else:
            regions.join(p, q, 0)
            regions.join(p, q, 8)
        assert together(regions, a, b)


def test_copies_keep_members_apart() -> None:
    regions, (a, b, c, p, q) = AliasClasses(), nodes("a b c p q")
    regions.copy(copied(p, 0, q, 16, 24))
    regions.point(p, a, at=0)
    regions.point(p, b, at=16)
    regions.point(q, c, at=32)
    assert together(regions, b, c)
    assert not together(regions, a, b)
    d = Node("d")
    regions.point(q, d, at=40)
    assert not together(regions, d, a)
    regions.copy(copied(p, 0, q, 0, None))
    regions.measure()
    assert together(regions, a, b)
    assert together(regions, a, d)


def test_copies_of_unknown_length_inside_of_a_region_move_nothing_elsewhere() -> None:
    regions, (a, b, p, q) = AliasClasses(), nodes("a b p q")
    regions.point(p, a, at=0)
    regions.point(p, b, at=8)
    regions.copy(copied(p, 16, q, 16, None))
    regions.join(p, q)
    regions.measure()
    assert not together(regions, a, b)
    regions.copy(copied(p, 16, q, 8, None))
    regions.measure()
    assert together(regions, a, b)


def test_what_escapes_is_one_and_leads_to_itself() -> None:
    regions, (a, b, c, p) = AliasClasses(), nodes("a b c p")
    regions.escape(a)
    regions.escape(b)
    regions.point(a, c)
    regions.release(p)
    assert together(regions, a, c)
    d = Node("d")
    regions.point(p, d)
    assert together(regions, d, b)


def test_losses_are_shared_from_their_place_on() -> None:
    regions, (a, b, c) = AliasClasses(), nodes("a b c")
    regions.join(a, b, 8)
    region, place = regions.of(b)
    assert place is not None
    region.lost = place + 16  # as b sees it, from byte 16 on
    regions.join(a, c, 4)
    merged = regions.of(a)[0]
    seen = {node.label: merged.lost_for(k) for node, k in merged.nodes}
    assert seen == {"a": 24, "b": 16, "c": 20}
    assert len(regions.take_spoiled()) == 1
    regions.join(a, c, 12)
    assert merged.lost_for(regions.of(a)[1]) == -inf


def test_one_node_stands_for_a_spoiled_region() -> None:
    """With all of its nodes for each of them, a join cost what the region has, and the losses after it the square of that."""
    regions, many = AliasClasses(), [Node(str(k)) for k in range(200)]
    regions.of(many[0])[0].lost = 0
    for node in many[1:]:
        regions.join(many[0], node, 8)
    assert len(regions.spoiled) < 2 * len(many)
    assert len(regions.take_spoiled()) == 1
    assert not regions.spoiled
