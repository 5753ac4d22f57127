"""A cell keeps its result under another execution number: what is kept on disk does not depend on what the cell is called.

The name of a text without a file (`In[3]`) is a label: it stands in signatures, in messages, and in the debug info of the IR,
where it is exchanged when the record is used again. Where the program itself speaks of it (`__FILE__`, `assert`) it is part of the
program.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.backend.store.persist import DerivativeRecord, ProgramRecord
from enzyme_magic.errors import Diagnostic

_PLAIN = re.compile(r"[\w .()\[\]<>:-]+")
_LABEL = '(!DIFile\\(filename: |^source_filename = )"{}"'


def unnamed(sources: Sequence[Source]) -> tuple[Source, ...]:
    """The sources under names that say their place only; files keep theirs."""
    return tuple(replace(s, name=f"<{k}>") if s.path is None else s for k, s in enumerate(sources))


def is_label(record: ProgramRecord, sources: Sequence[Source]) -> bool:
    """Whether the program is the same under other names of its texts."""
    names = [source.name for source in sources if source.path is None]
    if not all(_PLAIN.fullmatch(name) for name in names) or len(set(names)) != len(names):
        return False
    texts = [_with_names(text, dict.fromkeys(names, "")) for text in (record.input_ir, record.optimized_ir)]
    return not any(name in text for name in names for text in texts)


def renamed(record: ProgramRecord, sources: Sequence[Source]) -> ProgramRecord:
    """The record of the same texts under the names that `sources` have now."""
    now = tuple(source.name for source in sources)
    names = {old: new for old, new in zip(record.names, now, strict=True) if old != new}
    if not names:
        return record
    signatures = {key: replace(s, file=names.get(s.file, s.file)) for key, s in record.signatures.items()}
    return replace(
        record,
        input_ir=_with_names(record.input_ir, names),
        optimized_ir=_with_names(record.optimized_ir, names),
        signatures=signatures,
        diagnostics=tuple(_diagnostic(d, names) for d in record.diagnostics),
        names=now,
    )


def renamed_derivative(record: DerivativeRecord, sources: Sequence[Source]) -> DerivativeRecord:
    """As `renamed`, of a derivative."""
    now = tuple(source.name for source in sources)
    names = {old: new for old, new in zip(record.names, now, strict=True) if old != new}
    if not names:
        return record
    gradient, optimized = (_with_names(text, names) for text in (record.gradient_ir, record.gradient_optimized_ir))
    return replace(record, gradient_ir=gradient, gradient_optimized_ir=optimized, names=now)


def _with_names(text: str, names: Mapping[str, str]) -> str:
    either = "|".join(map(re.escape, names))
    labels = re.compile(_LABEL.format(f"({either})"), re.M)
    return labels.sub(lambda found: f'{found[1]}"{names[found[2]]}"', text)


def _diagnostic(found: Diagnostic, names: Mapping[str, str]) -> Diagnostic:
    span = found.span and replace(found.span, file=names.get(found.span.file, found.span.file))
    return replace(found, span=span, notes=tuple(_diagnostic(note, names) for note in found.notes))
