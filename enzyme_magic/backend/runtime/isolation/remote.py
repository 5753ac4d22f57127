"""Functions of a worker as callables: what a native call is here, it is there.

Invariant: a Remote takes the native parameters of its Entry in slot order, as every invoker does (calls/invoke.py), and gives what
the function returns by value. Addresses of arrays must lie in shared memory: staging.py sees to it. Memory that belongs to
the call itself (results, tables) is copied to the call's frame and back.

One worker serves a program and all that is built on it, one call at a time. It is started by the first call, and again after
it has died; what it has to load is asked for anew then.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import threading
import weakref
from typing import Any

from enzyme_magic.backend.frontend.c_types import Signature
from enzyme_magic.backend.llvm.objects.elsewhere import Elsewhere
from enzyme_magic.backend.native import Entry
from enzyme_magic.backend.runtime import stops, waits
from enzyme_magic.backend.runtime.isolation import shared
from enzyme_magic.backend.runtime.isolation.frames import CallFrame, OwnMemory, frame_of
from enzyme_magic.backend.runtime.isolation.protocol import FUNCTION, LOAD
from enzyme_magic.backend.runtime.isolation.worker import Worker
from enzyme_magic.backend.runtime.waits import Waiting
from enzyme_magic.errors import EnzymeError, InternalError, Span


class Home:
    """The worker of a program: the one that runs, and what it has loaded."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self._worker: Worker | None = None
        self._libraries: dict[Elsewhere, int] = {}
        self._functions: dict[Remote, int] = {}
        _homes.add(self)

    def call(self, function: Remote, wait: Waiting) -> None:
        """Run it; its frame is filled."""
        worker = self._running(wait)
        number = self._functions.get(function)
        if number is None:
            number = self._make_known(worker, function, wait)
        try:
            worker.call(number, function.name, wait)
        except EnzymeError as error:
            error.span = error.span or self._line(worker.place)
            raise

    def _line(self, place: Any) -> Span | None:
        """The C line of a fault, of which the worker knows the library, the function and the offset in its code."""
        with contextlib.suppress(Exception):  # its memory may be damaged, and what it says nonsense
            number, function, offset = place
            library = next(library for library, known in self._libraries.items() if known == number)
            return library.lines(function, offset) if library.lines is not None else None
        return None

    def _running(self, wait: Waiting) -> Worker:
        if self._worker is None or not self._worker.alive:
            self._libraries.clear()
            self._functions.clear()
            self._worker = Worker(wait)
        return self._worker

    def _make_known(self, worker: Worker, function: Remote, wait: Waiting) -> int:
        library = self._load(worker, function.library, wait)
        frame = function.frame_address
        asked = {"library": library, "entry": function.entry, "signature": function.signature, "frame": frame}
        worker.ask(FUNCTION, asked, function.name, wait)
        self._functions[function] = len(self._functions)
        return self._functions[function]

    def _load(self, worker: Worker, library: Elsewhere, wait: Waiting) -> int:
        if library not in self._libraries:
            needs = [self._load(worker, needed, wait) for needed in library.needs if isinstance(needed, Elsewhere)]
            worker.ask(LOAD, {"image": library.image, "needs": needs}, f"loading {library.called}", wait)
            self._libraries[library] = len(self._libraries)
        return self._libraries[library]

    def forget(self) -> None:
        """In a forked child."""
        self.lock = threading.Lock()
        if self._worker is not None:
            self._worker.forget()
        self._worker = None


_homes: weakref.WeakSet[Home] = weakref.WeakSet()
_making = threading.Lock()


def home_of(library: Elsewhere) -> Home:
    with _making:
        if not library.home:
            library.home.append(Home())
        made: Home = library.home[0]
        return made


def _in_child() -> None:
    for home in list(_homes):
        home.forget()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_making.acquire, after_in_parent=_making.release, after_in_child=_making.release)
    os.register_at_fork(after_in_child=_in_child)


class Remote:
    """One function of a worker."""

    def __init__(self, entry: Entry, signature: Signature, library: Elsewhere) -> None:
        self.entry, self.signature, self.library = entry, signature, library
        self.name = signature.name
        self.home = home_of(library)
        stops.own_slot()  # the main thread listens, whose call it may be
        made = frame_of(entry, signature)
        self._made: CallFrame = made
        own = {place.slot for place in made.places} | set(made.arenas)
        self._numbers = tuple((f"p{k}", k) for k in range(len(entry.slots)) if k not in own)
        self._places = tuple((f"p{place.slot}", place) for place in made.places)
        self._block: shared.SharedBlock | None = None
        self._frame: Any = None

    @property
    def frame_address(self) -> int:
        assert self._block is not None
        return self._block.address

    def __call__(self, *arguments: Any) -> Any:
        region = shared.region()
        for k in self._made.pointers:
            address = arguments[k]
            if address and not region.start <= address < region.end:
                raise InternalError(f"{self.name}: argument {k} is not in shared memory", code="EM925")
        lock = self.home.lock
        waits.take(lock, self.name)
        try:
            frame = self._frame_in(region)
            for field, k in self._numbers:
                setattr(frame, field, arguments[k])
            for field, place in self._places:
                setattr(frame, field, self._given(place, arguments[place.slot]))
            with waits.Waiting() as wait:
                self.home.call(self, wait)
            for _, place in self._places:
                if place.back:
                    self._taken(place, arguments[place.slot])
            return frame.result if self._made.returns else None
        finally:
            lock.release()

    def _frame_in(self, region: shared.SharedRegion) -> Any:
        if self._block is None or self._block.region is not region:
            self._block = region.take(self._made.size)
            self._frame = self._made.kind.from_address(self._block.address)
        return self._frame

    def _given(self, place: OwnMemory, source: int) -> int:
        """The memory at `source` as it is, in the frame."""
        base = self.frame_address
        target = base + place.offset
        if not place.cells:
            ctypes.memmove(target, source, place.size)
            return target
        there = (ctypes.c_void_p * len(place.cells)).from_address(target)
        here = (ctypes.c_void_p * len(place.cells)).from_address(source)
        for k, (offset, size) in enumerate(place.cells):
            ctypes.memmove(base + offset, here[k] or 0, size)
            there[k] = base + offset
        return target

    def _taken(self, place: OwnMemory, target: int) -> None:
        """What the call left there, back at `target`."""
        base = self.frame_address
        if not place.cells:
            ctypes.memmove(target, base + place.offset, place.size)
            return
        here = (ctypes.c_void_p * len(place.cells)).from_address(target)
        for k, (offset, size) in enumerate(place.cells):
            ctypes.memmove(here[k] or 0, base + offset, size)
