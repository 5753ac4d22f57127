"""A notebook that needs a package which is not there ends with one sentence, not with a traceback."""

from __future__ import annotations

import importlib.util

from enzyme_magic.errors import ToolchainError, user_frames


class Missing(ToolchainError):
    """The package of a notebook is not installed. IPython shows its sentence alone."""

    default_code = "EM348"

    def _render_traceback_(self) -> list[str]:
        return [f"{self.message} {self.hint}"]


@user_frames
def need(package: str, extra: str = "") -> None:
    """Ends the notebook here unless `package` is installed. extra: of ours, that brings it.

    Raises Missing (a ToolchainError) EM348.
    """
    if not _is_there(package):
        command = f"pip install 'enzyme_magic[{extra}]'" if extra else f"pip install {package}"
        raise Missing(f"This notebook needs {package}, which is not installed; the others do not.", hint=command)


def _is_there(package: str) -> bool:
    try:
        return importlib.util.find_spec(package) is not None
    except (ImportError, ValueError):  # a part of what is not there; no name
        return False
