"""What goes over the line between a process and its worker: heads of requests and answers.

Invariant: both sides read this file and nothing else. A request is a head, and what is to be prepared pickled; an answer is a head,
and what was raised as JSON.
"""

from __future__ import annotations

import struct

HEADER = struct.Struct(
    "=qq"
)  # requests: function, or what to prepare, and bytes that follow; answers: status, bytes that follow
LOAD, FUNCTION = -1, -2
DONE, RAISED, SPOILED = 0, 1, 2  # the last: the memory of the worker may be damaged
