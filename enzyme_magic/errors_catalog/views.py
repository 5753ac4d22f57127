"""Error codes: pictures, pages and widgets."""

from __future__ import annotations

from enzyme_magic.errors_catalog.entry import Entry

VIEWS: dict[str, Entry] = {
    "EM500": Entry("no such view", "A picture of that name does not exist; the message lists those that do."),
    "EM501": Entry("pictures are not available", "There is no theme of that name, or no picture room was loaded."),
    "EM502": Entry("no such stage", "The report has no IR stage of that name."),
    "EM503": Entry(
        "no such format", "The ending of a file name says what is written into it; the message lists the endings."
    ),
    "EM504": Entry("file cannot be written", "The folder or the file refuses it; the message names the cause."),
    "EM505": Entry(
        "no saved report", "The file cannot be read, is no report saved as .json, or another version wrote it."
    ),
    "EM506": Entry(
        "not available as C",
        "The gradient cannot be written as C text of which it is certain that it means the same; the message says why.",
    ),
    "EM510": Entry(
        "the picture cannot be drawn",
        "Neither the engine in the pygraphviz wheel nor a dot program could be started. The text form says the same things.",
        "Install pygraphviz again, or Graphviz with dot on PATH.",
    ),
    "EM511": Entry(
        "drawing took too long", "Laying the picture out was stopped after a few seconds. The text form has all of it."
    ),
    "EM512": Entry(
        "the engine failed",
        "Graphviz reported an error.",
        "%enzyme_doctor draws a small picture to see whether it works at all.",
    ),
}
