"""Memory of a watched call: regions of bytes, and marks on bytes.

Invariant: an address lies in exactly one region or in none; every access is checked, and one outside of all regions is
NotDecided, not a fault. A mark is a cell (start, size, node, tangent) shared by the bytes it covers; bytes without a mark
depend on nothing active. Regions never move: an address is a number that no pointer of the process has.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from enzyme_magic.backend.tracing.record import NotDecided

FIRST, SHIFT, GUARD = 1 << 60, 36, 1 << 20
LARGEST = 1 << 28  # bytes of one region


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """A marked number in memory. `size` bytes from offset `start` on."""

    start: int
    size: int
    node: int
    tangent: float | None


@dataclass(slots=True, eq=False)
class MemoryRegion:
    """`name` is for messages. `live` False: it was given back."""

    base: int
    data: bytearray
    name: str
    heap: bool = False
    live: bool = True
    marks: dict[int, Cell] = field(default_factory=dict)


class TracedMemory:
    """All regions of one call."""

    def __init__(self) -> None:
        self._regions: list[MemoryRegion] = []

    def allocate(self, size: int, name: str, heap: bool = False) -> MemoryRegion:
        """A new region of zero bytes."""
        if not 0 <= size <= LARGEST:
            raise NotDecided(f"{name} takes {size:,} bytes")
        region = MemoryRegion(FIRST + (len(self._regions) << SHIFT) + GUARD, bytearray(size), name, heap)
        self._regions.append(region)
        return region

    def find(self, address: int, size: int) -> tuple[MemoryRegion, int]:
        """The region and the offset of `size` bytes at `address`."""
        number = (address - FIRST) >> SHIFT
        if 0 <= number < len(self._regions):
            region = self._regions[number]
            offset = address - region.base
            if region.live and offset >= 0 and offset + size <= len(region.data):
                return region, offset
        raise NotDecided("the call touches memory that the watched run does not know")

    def read(self, address: int, size: int) -> bytes:
        region, offset = self.find(address, size)
        return bytes(region.data[offset : offset + size])

    def cells(self, address: int, size: int) -> list[Cell]:
        """The marks on these bytes, each once."""
        region, offset = self.find(address, size)
        if not region.marks:
            return []
        return list(dict.fromkeys(c for k in range(offset, offset + size) if (c := region.marks.get(k)) is not None))

    def whole(self, address: int, size: int) -> Cell | None:
        """The one mark that covers exactly these bytes."""
        region, offset = self.find(address, size)
        cell = region.marks.get(offset)
        if cell is None or cell.start != offset or cell.size != size:
            return None
        return cell if all(region.marks.get(k) is cell for k in range(offset, offset + size)) else None

    def write(self, address: int, data: bytes, node: int = 0, tangent: float | None = 0.0) -> None:
        """The bytes, with one mark on all of them (node 0: none)."""
        region, offset = self.find(address, len(data))
        region.data[offset : offset + len(data)] = data
        if node:
            cell = Cell(offset, len(data), node, tangent)
            for k in range(offset, offset + len(data)):
                region.marks[k] = cell
        elif region.marks:
            for k in range(offset, offset + len(data)):
                region.marks.pop(k, None)

    def copy(self, target: int, source: int, size: int) -> None:
        """memmove, marks included."""
        if not size:
            return
        there, at = self.find(source, size)
        here, to = self.find(target, size)
        data = bytes(there.data[at : at + size])
        moved: dict[Cell, Cell] = {}
        marks = {k: cell for k in range(size) if (cell := there.marks.get(at + k)) is not None}
        here.data[to : to + size] = data
        for k in range(size):
            cell = marks.get(k)
            if cell is None:
                here.marks.pop(to + k, None)
                continue
            if cell not in moved:
                moved[cell] = Cell(cell.start - at + to, cell.size, cell.node, cell.tangent)
            here.marks[to + k] = moved[cell]
