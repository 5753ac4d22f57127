"""What caches of results know a function by: a name with a hash of what it computes, as of now.

joblib's Memory asks an object for `func_name`, then for its `__name__`, and compares nothing else that a change of the C text would
change. What does not pickle (rules of this process) has another name each time: nothing that was kept is found for it.
"""

from __future__ import annotations

import hashlib
import pickle
import uuid


def content_of(what: object) -> str:
    """A hash of what it computes, the same in every process; of this moment alone where it does not pickle."""
    try:
        text = pickle.dumps(what)
    except Exception:
        text = uuid.uuid4().bytes
    return hashlib.sha256(text).hexdigest()[:12]


class NamedByContent:
    """A function that caches of results tell from others by what it computes; its `__name__` stays short."""

    __slots__ = ()

    @property
    def func_name(self) -> str:
        """The name that joblib asks for first."""
        return f"{getattr(self, '__name__', type(self).__name__)}_{content_of(self)}"
