"""Reports of small C functions; programs are compiled once per session and source."""

from collections.abc import Callable

import pytest

from enzyme_magic.backend import explain, pipeline
from enzyme_magic.backend.autodiff.calls.request import Request
from enzyme_magic.backend.frontend.sources import Source
from enzyme_magic.config import Options, read_settings
from enzyme_magic.report import Report


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., pipeline.CompiledProgram]:
    """compiled(source, opt=2) -> CompiledProgram."""
    settings = read_settings(
        {"ENZYME_MAGIC_CACHE_DIR": str(tmp_path_factory.mktemp("cache")), "HOME": str(tmp_path_factory.mktemp("home"))}
    )
    known: dict[tuple[str, int], pipeline.CompiledProgram] = {}

    def build(text: str, opt: int = 2) -> pipeline.CompiledProgram:
        if (text, opt) not in known:
            known[text, opt] = pipeline.compile_program([Source(text, "In[1]")], Options(opt=opt), settings, "In[1]")
        return known[text, opt]

    return build


@pytest.fixture(scope="session")
def explained(compiled: Callable[..., pipeline.CompiledProgram]) -> Callable[..., Report]:
    """explained(source, function, wrt, opt=2, …) -> Report."""

    def build(text: str, function: str, wrt: tuple[int, ...] = (0,), opt: int = 2, **request: object) -> Report:
        return explain.report(compiled(text, opt), Request(function, wrt=wrt, **request))

    return build
