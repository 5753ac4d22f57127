"""`caching="checkpoint"`: loops run again from checkpoints in the reverse sweep, so that the tape holds a few iterations and
not all.

Deciding: `choice` (which loops, and why others do not), `extents` (which bytes a loop may overwrite). Writing: `outline` (a
loop as a call with a rule of its own), `sizes` (the extents, computed before the loop). At run time: `driver` (when
checkpoints are taken). `program` puts them together for one derivative.

It writes no derivative: a piece of a loop is a request, as C code makes it.
"""
