"""Error codes: pictures, pages and widgets."""

from __future__ import annotations

from enzyme_magic.errors_catalog.entry import ErrorEntry

VIEWS: dict[str, ErrorEntry] = {
    "EM500": ErrorEntry("no such view", "A picture of that name does not exist; the message lists those that do."),
    "EM501": ErrorEntry("pictures are not available", "There is no theme of that name, or no picture room was loaded."),
    "EM502": ErrorEntry("no such stage", "The report has no IR stage of that name."),
    "EM503": ErrorEntry(
        "no such format", "The ending of a file name says what is written into it; the message lists the endings."
    ),
    "EM504": ErrorEntry("file cannot be written", "The folder or the file refuses it; the message names the cause."),
    "EM505": ErrorEntry(
        "no saved report", "The file cannot be read, is no report saved as .json, or another version wrote it."
    ),
    "EM506": ErrorEntry(
        "not available as C",
        "The gradient cannot be written as C text of which it is certain that it means the same; the message says why.",
    ),
    "EM507": ErrorEntry(
        "nothing to draw", "The call kept nothing, or its memory was not measured; the message says which."
    ),
    "EM510": ErrorEntry(
        "the picture cannot be drawn",
        "Neither the engine in the pygraphviz wheel nor a dot program could be started. The text form says the same things.",
        "Install pygraphviz again, or Graphviz with dot on PATH.",
    ),
    "EM511": ErrorEntry(
        "drawing took too long", "Laying the picture out was stopped after a few seconds. The text form has all of it."
    ),
    "EM512": ErrorEntry(
        "the engine failed",
        "Graphviz reported an error.",
        "%enzyme_doctor draws a small picture to see whether it works at all.",
    ),
}
