"""Error codes: mistakes in this package."""

from __future__ import annotations

from enzyme_magic.errors_catalog.entry import ErrorEntry

_REPORT = "This is a mistake in enzyme_magic, not in your code. Please report it with the cell and what %enzyme_doctor prints."

INTERNAL: dict[str, ErrorEntry] = {
    "EM900": ErrorEntry("a violated invariant", _REPORT),
    "EM910": ErrorEntry("IR that LLVM cannot parse", _REPORT),
    "EM911": ErrorEntry("IR that LLVM rejects", _REPORT),
    "EM912": ErrorEntry(
        "IR of another machine", "The IR was made for another processor or system than this one. " + _REPORT
    ),
    "EM913": ErrorEntry("no such LLVM pass", _REPORT),
    "EM914": ErrorEntry("a symbol is not where it should be", _REPORT),
    "EM915": ErrorEntry("a call carried a derivative where the analysis says that there is none", _REPORT),
    "EM920": ErrorEntry("a native parameter of unknown kind", _REPORT),
    "EM921": ErrorEntry("a native result of unknown type", _REPORT),
    "EM924": ErrorEntry("passes that do not end in the optimized gradient", _REPORT),
    "EM925": ErrorEntry("a worker process that does not do as agreed", _REPORT),
    "EM923": ErrorEntry("a formula with foreign parts", _REPORT),
    "EM922": ErrorEntry("a native function of the wrong kind", _REPORT),
}
