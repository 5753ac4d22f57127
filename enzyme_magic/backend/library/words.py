"""The words of a line of the table: what a function does to memory and to the world, as a summary.

  reads K, writes K         the call reads / writes memory argument K points to; K* for every variadic argument
  K:8  K:$2  K:$1$2  K:str  how many bytes: a constant, the value of argument 2, a product, up to a terminator
  K:real                    as many bytes as the floating type has
  returns K|fresh|unknown|errno|static   what a returned pointer points into (static: memory of the library)
  alloc KIND:$1, frees K    allocates (so many bytes); frees argument K
  store K<-J, K<-fresh      a pointer into J's memory (or fresh memory) is put into K's memory
  copies K<-J, fresh<-J     K's memory (fresh memory) gets bytes of J's memory, pointers included
  sets NAME, library        writes the global NAME; changes a state of the library no pointer of the program reaches
  stream K                  argument K is a FILE, which is such a state
  captures K                the pointer stays in the library
  errno  prints  exits  callback K  once     `once`: not repeatable (input, time, random numbers, a state of the library)
  refused TEXT              differentiation refuses it (TEXT to the end of the line)
  unknown                   the table knows the function, and not what it does: other threads may run, or a callback

Not modelled: `%n` in a printf format (it writes an integer, never a floating value), locale changes, signals.
"""

from __future__ import annotations

from dataclasses import replace

from enzyme_magic.backend.library.summary import (
    ANYWHERE,
    ERRNO_PLACE,
    GLOBAL,
    NEW,
    NOTHING,
    Place,
    Summary,
    TouchedBytes,
    anything,
    argument,
    reachable,
)


def summary(words: str, real: int, reason: str) -> Summary:
    """The summary that `words` say. real: the bytes of the floating type. reason: of the summary."""
    return _Reader(real, reason).apply(words.split())


def factors(size: str) -> tuple[int, ...]:
    """`$1$2` -> (1, 2): the arguments whose product it is."""
    return tuple(int(part) for part in size.split("$")[1:])


def _location(text: str) -> tuple[int, str]:
    """`1:$2` → (1, "$2"); `*` → (-1, "")."""
    head, _, size = text.partition(":")
    return (-1 if head == "*" else int(head)), size


def _extent(index: int, size: str, real: int) -> TouchedBytes | None:
    if not size:
        return None
    if size == "str":
        return TouchedBytes(index, exact=False)
    if size.startswith("$"):
        return TouchedBytes(index, 1, factors(size))
    return TouchedBytes(index, real if size == "real" else int(size))


class _Reader:
    """Builds the summary of one line."""

    def __init__(self, real: int, reason: str) -> None:
        self.real = real
        self.summary = replace(NOTHING, reason=reason)

    def apply(self, words: list[str]) -> Summary:
        pending = iter(words)
        for word in pending:
            action = getattr(self, f"on_{word}")
            if word == "refused":
                action(" ".join(pending))
            elif action.__code__.co_argcount == 2:
                action(next(pending))
            else:
                action()
        return self.summary

    def grow(self, **fields: object) -> None:
        self.summary = replace(self.summary, **fields)  # type: ignore[arg-type]

    def on_reads(self, text: str) -> None:
        if text.endswith(">"):
            self.grow(reads=self.summary.reads | {reachable(int(text[:-1]))})
            return
        index, size = _location(text)
        extent = _extent(index, size, self.real)
        self.grow(
            reads=self.summary.reads | {argument(index)},
            read_extents=self.summary.read_extents + ((extent,) if extent else ()),
        )

    def on_writes(self, text: str) -> None:
        index, size = _location(text)
        extent = _extent(index, size, self.real)
        self.grow(
            writes=self.summary.writes | {argument(index)},
            write_extents=self.summary.write_extents + ((extent,) if extent else ()),
        )

    def on_returns(self, text: str) -> None:
        named = {"fresh": NEW, "unknown": ANYWHERE, "static": ANYWHERE, "errno": ERRNO_PLACE}
        place = named.get(text) or (reachable(int(text[:-1])) if text.endswith(">") else argument(int(text)))
        self.grow(returns=self.summary.returns | {place})

    def on_alloc(self, kind: str) -> None:
        self.grow(allocates=kind.partition(":")[0], repeatable=False)

    def on_frees(self, text: str) -> None:
        self.grow(frees=self.summary.frees | {argument(int(text))}, repeatable=False)

    def on_copies(self, text: str) -> None:
        target, _, source = text.partition("<-")
        into = NEW if target == "fresh" else argument(int(target))
        self.grow(stores=self.summary.stores | {(into, reachable(int(source)))})

    def on_store(self, text: str) -> None:
        target, _, source = text.partition("<-")
        pointee = NEW if source == "fresh" else argument(int(source))
        self.grow(stores=self.summary.stores | {(argument(int(target)), pointee)})

    def on_sets(self, name: str) -> None:
        self.grow(writes=self.summary.writes | {Place(GLOBAL, name=name)}, repeatable=False)

    def on_captures(self, text: str) -> None:
        self.grow(captures=self.summary.captures | {int(text)})

    def on_stream(self, text: str) -> None:
        """A FILE: memory of the library, nobody else looks into it."""
        self.grow(repeatable=False)

    def on_callback(self, text: str) -> None:
        self.grow(callbacks=(*self.summary.callbacks, int(text)))

    def on_errno(self) -> None:
        self.grow(writes=self.summary.writes | {ERRNO_PLACE})

    def on_library(self) -> None:
        self.grow(repeatable=False)

    def on_prints(self) -> None:
        self.grow(prints=True, repeatable=False)

    def on_exits(self) -> None:
        self.grow(may_exit=True, repeatable=False)

    def on_once(self) -> None:
        self.grow(repeatable=False)

    def on_refused(self, text: str) -> None:
        self.summary = replace(anything(self.summary.reason), refused=text)
