"""Error codes: mistakes in this package."""

from __future__ import annotations

from enzyme_magic.errors_catalog.entry import Entry

_REPORT = "This is a mistake in enzyme_magic, not in your code. Please report it with the cell and what %enzyme_doctor prints."

INTERNAL: dict[str, Entry] = {
    "EM900": Entry("a violated invariant", _REPORT),
    "EM910": Entry("IR that LLVM cannot parse", _REPORT),
    "EM911": Entry("IR that LLVM rejects", _REPORT),
    "EM912": Entry(
        "IR of another machine", "The IR was made for another processor or system than this one. " + _REPORT
    ),
    "EM913": Entry("no such LLVM pass", _REPORT),
    "EM914": Entry("a symbol is not where it should be", _REPORT),
    "EM915": Entry("a call carried a derivative where the analysis says that there is none", _REPORT),
    "EM920": Entry("a native parameter of unknown kind", _REPORT),
    "EM921": Entry("a native result of unknown type", _REPORT),
    "EM924": Entry("passes that do not end in the optimized gradient", _REPORT),
    "EM923": Entry("a formula with foreign parts", _REPORT),
    "EM922": Entry("a native function of the wrong kind", _REPORT),
}
