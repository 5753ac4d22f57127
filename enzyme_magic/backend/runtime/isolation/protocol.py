"""What goes over the line between a process and its worker: heads of requests and answers.

Invariant: both sides read this file and nothing else. A request is a head, and what is to be prepared pickled; an answer is a head,
and what was raised as JSON. An answer repeats the mark of its request: what C code writes into the line is no answer, and one
call's is not another's.
"""

from __future__ import annotations

import struct

# Requests: function, or what to prepare; answers: status. Then the request's mark, and how many bytes follow.
HEADER = struct.Struct("=qqq")
LOAD, FUNCTION = -1, -2
DONE, RAISED, SPOILED = 0, 1, 2  # the last: the memory of the worker may be damaged
