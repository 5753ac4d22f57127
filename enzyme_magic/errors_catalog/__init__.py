"""What each error code means and what usually helps: the table behind `%enzyme_doctor EM110`.

Invariant (tested): exactly the codes that the package raises are here. The message of an error says what happened
this time, at which line; an entry says what kind of thing that is. One file per class of error, by the code's first digit.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from enzyme_magic.errors_catalog.arguments import ARGUMENTS
from enzyme_magic.errors_catalog.compilation import COMPILATION
from enzyme_magic.errors_catalog.differentiation import DIFFERENTIATION
from enzyme_magic.errors_catalog.entry import ErrorEntry
from enzyme_magic.errors_catalog.execution import EXECUTION
from enzyme_magic.errors_catalog.frameworks import FRAMEWORKS
from enzyme_magic.errors_catalog.internal import INTERNAL
from enzyme_magic.errors_catalog.toolchain import TOOLCHAIN
from enzyme_magic.errors_catalog.views import VIEWS

__all__ = ["CATALOG", "ErrorEntry"]

_GROUPS = (TOOLCHAIN, COMPILATION, DIFFERENTIATION, ARGUMENTS, EXECUTION, VIEWS, FRAMEWORKS, INTERNAL)
CATALOG: Mapping[str, ErrorEntry] = MappingProxyType(
    {code: entry for group in _GROUPS for code, entry in sorted(group.items())}
)
