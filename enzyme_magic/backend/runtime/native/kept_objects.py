"""Object code of the run-time support, kept on disk: the first call in a process loads it and runs no code generator.

Invariant: what is kept under a key was made from exactly this LLVM text, by this LLVM, for this processor; the artifact store says
whether the bytes are still the user's own. Where nothing can be kept, the code is made in every process. It lies in a store of its
own beside that of cells (`support/` in the cache folder), so that what users list and clear are their cells alone.

Does not write the text, and does not load the code.
"""

from __future__ import annotations

from enzyme_magic.backend.llvm import binding, traps
from enzyme_magic.backend.llvm.objects import jit
from enzyme_magic.backend.store.artifacts import ArtifactStore
from enzyme_magic.config import settings

FORMAT = 1  # raise it when `codegen.emit` makes other code of the same text
LIMIT = 1 << 24  # bytes; one process needs about 50 kB
FILE = "code.o"


def object_of(text: str, level: int = 1) -> bytes:
    """As `jit.runtime_object`, from disk where it was made before."""
    chosen = settings()
    if not chosen.artifacts:
        return jit.runtime_object(text, level)
    store, key = ArtifactStore.shared(chosen.cache_dir / "support", LIMIT), _key(text, level)
    files = store.get(key)
    if files is not None and set(files) == {FILE}:
        return files[FILE]
    code = jit.runtime_object(text, level)
    store.put(key, {FILE: code})
    return code


def _key(text: str, level: int) -> str:
    processor = [binding.host_triple(), binding.host_cpu(), binding.host_features()]
    version = ".".join(map(str, binding.llvm_version()))
    return ArtifactStore.key(
        {"format": FORMAT, "text": traps.add(text), "level": level, "llvm": version, "cpu": processor}
    )
