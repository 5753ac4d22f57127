"""What the functions of direct_text.py share: the names of c/objects.c, and of what it calls. calls/direct.py loads it once."""

from __future__ import annotations

import re

from enzyme_magic.backend.runtime.native import texts

PART = "objects"
PYTHON = (
    *(
        "PyDict_Size",
        "PyErr_Fetch",
        "PyErr_Occurred",
        "PyErr_Restore",
        "PyLong_AsLongLongAndOverflow",
        "PyObject_CallFunctionObjArgs",
        "PyTuple_SetItem",
    ),
    *("Py_DecRef", "Py_IncRef"),
)
NUMPY = ("new_from_descr", "zeros", "scalar", "set_base")
_DEFINED = re.findall(r"^define ([^@\n]*@(em\.direct\.[\w.]+)\([^)]*\))", texts.text_of(PART), re.M)
EXPORTS = tuple(name for _, name in _DEFINED)
DECLARED = "\n".join(f"declare {words}" for words in (re.sub(r" %\w+", "", words) for words, _ in _DEFINED))
