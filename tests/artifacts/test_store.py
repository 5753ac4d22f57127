"""The artifact store: what is got is what was put, or nothing; the disk never raises."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import filelock  # here, not in a test that has given up its permissions
import pytest

from enzyme_magic.backend.store.artifacts import MANIFEST, ArtifactStore
from enzyme_magic.config import Options
from enzyme_magic.errors import InternalError

FILES = {"program.o": b"\x7fELF\0\xff", "report.json": b"{}", "empty": b""}


@pytest.fixture
def store(tmp_path: Path) -> ArtifactStore:
    return ArtifactStore(tmp_path / "cache")


def put(store: ArtifactStore, files: dict[str, bytes] = FILES, **parts: object) -> str:
    key = store.key(parts)
    assert store.put(key, files) is None
    return key


def test_nothing_is_made_before_the_first_put(store: ArtifactStore) -> None:
    assert store.get(store.key({"a": 1})) is None
    assert store.entries() == ()
    assert store.size() == 0
    assert store.clear() == 0
    assert not store.root.exists()


def test_what_was_put_comes_back(store: ArtifactStore) -> None:
    key = put(store, source="double f(double x) { return x; }")
    assert store.get(key) == FILES
    assert ArtifactStore(store.root.parent.parent).get(key) == FILES


def test_put_again_replaces(store: ArtifactStore) -> None:
    key = put(store, a=1)
    put(store, {"other": b"1"}, a=1)
    assert store.get(key) == {"other": b"1"}


def test_no_working_folder_is_left(store: ArtifactStore) -> None:
    for _ in range(2):
        put(store, a=1)
        put(store, {"x": b""}, a=1)
    assert sorted(path.name for path in store.root.iterdir() if path.name.startswith(("new-", "old-"))) == []


KEYS: list[dict[str, object]] = [
    {"a": 1},
    {"a": "1"},
    {"a": b"1"},
    {"a": 1.0},
    {"a": True},
    {"a": None},
    {"a": Path("1")},
    {"a": [1]},
    {"a": [[1]]},
    {"a": {"1": 1}},
    {"a": {1: 1}},
    {"b": 1},
    {"a": Options()},
    {"a": Options(opt=1)},
    {"a": "\udcff"},
    {"a": [b"1", b"2"]},
    {"a": [b"12"]},
]


def test_different_parts_have_different_keys() -> None:
    assert len({ArtifactStore.key(parts) for parts in KEYS}) == len(KEYS)


def test_key_does_not_depend_on_order_or_sequence_kind() -> None:
    assert ArtifactStore.key({"a": (1, 2), "b": 2}) == ArtifactStore.key({"b": 2, "a": [1, 2]})
    assert ArtifactStore.key({"a": {"x": 1, "y": 2}}) == ArtifactStore.key({"a": {"y": 2, "x": 1}})


def test_key_is_the_same_in_another_process() -> None:
    code = (
        "from enzyme_magic.backend.store.artifacts import ArtifactStore\n"
        "print(ArtifactStore.key({'a': {'x': 1, 'y': b'2'}, 'b': (1.5, None)}))"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "7"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.strip() == ArtifactStore.key({"a": {"x": 1, "y": b"2"}, "b": (1.5, None)})


def test_a_part_without_a_canonical_form_is_refused() -> None:
    with pytest.raises(InternalError, match="a set cannot be part of a key"):
        ArtifactStore.key({"a": {1, 2}})


@pytest.mark.parametrize("name", ["", "..", "a/b", "/etc/x", MANIFEST])
def test_only_plain_file_names(store: ArtifactStore, name: str) -> None:
    with pytest.raises(InternalError, match="no name for a kept file"):
        store.put(store.key({}), {name: b""})


@pytest.mark.parametrize("key", ["", "..", "x" * 64, "A" * 64, "0" * 63])
def test_only_keys(store: ArtifactStore, key: str) -> None:
    with pytest.raises(InternalError, match="no key"):
        store.get(key)


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))


DAMAGES = {
    "one bit": lambda folder: flip(folder / "program.o"),
    "cut short": lambda folder: (folder / "program.o").write_bytes(b"\x7f"),
    "emptied": lambda folder: (folder / "program.o").write_bytes(b""),
    "a file missing": lambda folder: (folder / "report.json").unlink(),
    "manifest missing": lambda folder: (folder / MANIFEST).unlink(),
    "manifest cut": lambda folder: (folder / MANIFEST).write_bytes((folder / MANIFEST).read_bytes()[:20]),
    "manifest emptied": lambda folder: (folder / MANIFEST).write_bytes(b""),
    "manifest of another kind": lambda folder: (folder / MANIFEST).write_text('["program.o"]'),
    "manifest not text": lambda folder: (folder / MANIFEST).write_bytes(b"\xff\xfe\0"),
    "manifest with nothing in it": lambda folder: (folder / MANIFEST).write_text("0"),
    "manifest is a pipe": lambda folder: ((folder / MANIFEST).unlink(), os.mkfifo(folder / MANIFEST)),
    "manifest is a link": lambda folder: linked(folder / MANIFEST),
    "manifest too deep": lambda folder: (folder / MANIFEST).write_text("[" * 60_000),
    "manifest too large": lambda folder: (folder / MANIFEST).write_bytes(
        b" " * (1 << 17) + (folder / MANIFEST).read_bytes()
    ),
    "manifest of another entry": lambda folder: of_another(folder / MANIFEST),
    "manifest with a path": lambda folder: (folder / MANIFEST).write_text(
        json.dumps({"": folder.name, "../x": [0, ""]})
    ),
    "a file is a link": lambda folder: linked(folder / "program.o"),
    "a file is a pipe": lambda folder: ((folder / "program.o").unlink(), os.mkfifo(folder / "program.o")),
    "a file that others may write": lambda folder: (folder / "program.o").chmod(0o606),
    "a folder that others may write": lambda folder: folder.chmod(0o777),
    "a folder that is a link": lambda folder: linked(folder),
}


def linked(path: Path) -> None:
    """The same content by way of a symbolic link."""
    moved = path.parents[3] / "moved"
    path.rename(moved)
    path.symlink_to(moved)


def of_another(manifest: Path) -> None:
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"": "0" * 64}))


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_entry_is_absent_and_can_be_put_again(store: ArtifactStore, damage: str) -> None:
    key = put(store, a=1)
    other = put(store, a=2)
    folder = store.root / key[:2] / key
    DAMAGES[damage](folder)
    assert store.get(key) is None
    assert not folder.exists()
    assert store.get(other) == FILES
    assert store.put(key, FILES) is None
    assert store.get(key) == FILES


def test_put_mends_a_damaged_entry(store: ArtifactStore) -> None:
    key = put(store, a=1)
    flip(store.root / key[:2] / key / "program.o")
    assert store.put(key, FILES) is None
    assert store.get(key) == FILES


def test_clear_entries_and_size(store: ArtifactStore) -> None:
    first = put(store, {"x": b"1" * 1000}, a=1)
    second = put(store, {"x": b"1" * 3000}, a=2)
    os.utime(store.root / first[:2] / first, (10.0, 10.0))
    assert [entry.key for entry in store.entries()] == [second, first]
    assert store.entries()[1].used == 10.0
    assert 4000 < store.size() < 5000
    assert store.get(first) is not None
    assert store.entries()[0].key == first, "using an entry makes it the newest"
    assert store.clear() == 2
    assert (store.entries(), store.size(), store.get(first)) == ((), 0, None)


def test_the_entries_not_used_for_longest_go_first(tmp_path: Path) -> None:
    keys = [put(ArtifactStore(tmp_path), {"x": b"1" * 1000}, a=k) for k in range(5)]
    for age, key in enumerate(keys):
        os.utime(tmp_path / "artifacts" / "v1" / key[:2] / key, (100.0 - age, 100.0 - age))
    small = ArtifactStore(tmp_path, limit=3500)
    last = put(small, {"x": b"1" * 1000}, a="last")
    assert {entry.key for entry in small.entries()} == {last, keys[0], keys[1]}


def test_all_entries_are_looked_at_now_and_then_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With thousands of kept cells that takes longer than the rest of keeping one."""
    looked = []
    entries = ArtifactStore.entries
    monkeypatch.setattr(ArtifactStore, "entries", lambda self: looked.append(self) or entries(self))
    for k in range(16):
        put(ArtifactStore.shared(tmp_path, 32_000), {"x": b"1" * 500}, a=k)
    assert len(looked) == 1 + 3  # at first, and for each 2,000 bytes


def test_a_long_session_keeps_to_the_limit(tmp_path: Path) -> None:
    store = ArtifactStore.shared(tmp_path, 10_000)
    for k in range(60):
        put(store, {"x": b"1" * 1000}, a=k)
    assert store.size() < 10_000 + 10_000 // 16 + 2000


def test_the_entry_just_put_survives_any_limit(tmp_path: Path) -> None:
    store = ArtifactStore(tmp_path, limit=10)
    assert store.get(put(store, a=1)) == FILES


def test_folders_of_killed_processes_are_removed(store: ArtifactStore) -> None:
    store.root.mkdir(parents=True)
    old, young = store.root / "new-killed", store.root / "new-working"
    old.mkdir()
    young.mkdir()
    os.utime(old, (1.0, time.time() - 7200))
    put(store, a=1)
    assert not old.exists()
    assert young.exists()


@contextlib.contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """No write permission below `folder`, for root too."""
    paths = [folder, *folder.rglob("*")]
    for path in paths:
        path.chmod(0o555 if path.is_dir() else 0o444)
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
        for path in paths:
            path.chmod(0o755 if path.is_dir() else 0o644)


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder whose parents everybody may enter, unlike tmp_path's."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def test_read_only_from_the_start(shared: Path) -> None:
    store = ArtifactStore(shared)
    with read_only(shared):
        reason = store.put(store.key({"a": 1}), FILES)
        assert store.get(store.key({"a": 1})) is None
    assert reason is not None
    assert "is not kept" in reason
    assert "permission denied" in reason


def test_read_only_later_still_reads(shared: Path) -> None:
    store = ArtifactStore(shared)
    key = put(store, a=1)
    with read_only(shared):
        assert store.get(key) == FILES
        assert "permission denied" in str(store.put(store.key({"a": 2}), FILES))
        assert store.clear() == 0
        assert len(store.entries()) == 1
    flip(store.root / key[:2] / key / "program.o")
    with read_only(shared):
        assert store.get(key) is None


def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = ArtifactStore(tmp_path / "file")
    assert "is not kept" in str(store.put(store.key({}), FILES))
    assert store.get(store.key({})) is None


def test_code_somebody_else_could_have_put_there_is_not_used(store: ArtifactStore) -> None:
    key = put(store, a=1)
    store.root.chmod(0o777)
    assert store.get(key) is None
    assert "everybody can write" in str(store.put(key, FILES))
    store.root.chmod(0o700)
    assert store.get(key) == FILES
    above = store.root.parent.parent
    above.chmod(0o707)
    assert store.get(key) is None
    assert str(above) in str(store.put(key, FILES))
    above.chmod(0o1707)
    assert store.get(key) == FILES, "nobody can replace what is another's"
    above.chmod(0o700)


def test_what_is_kept_is_the_users_alone_whatever_the_mask(store: ArtifactStore) -> None:
    before = os.umask(0)
    try:
        key = put(store, a=1)
    finally:
        os.umask(before)
    kept = [store.root, *store.root.rglob("*")]
    assert all(path.stat().st_mode & 0o022 == 0 for path in kept if path.name != "lock")
    assert store.get(key) == FILES


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_the_folder_of_another_user_is_not_used(store: ArtifactStore) -> None:
    key = put(store, a=1)
    os.chown(store.root, 4321, -1)
    assert store.get(key) is None
    assert "belongs to another user" in str(store.put(key, FILES))


def test_a_lock_held_for_too_long_is_a_sentence(store: ArtifactStore, monkeypatch: pytest.MonkeyPatch) -> None:
    put(store, a=1)
    monkeypatch.setattr("enzyme_magic.backend.store.artifacts.LOCK_SECONDS", 0.05)
    with filelock.FileLock(store.root / "lock"):
        reason = store.put(store.key({"a": 2}), FILES)
        assert store.get(store.key({"a": 1})) == FILES, "readers never wait"
    assert "locked by another process" in str(reason)


WORKER = """
import sys, time
from enzyme_magic.backend.store.artifacts import ArtifactStore
store, me = ArtifactStore(sys.argv[1]), sys.argv[2].encode()
end, seen = time.monotonic() + 1.0, 0
while time.monotonic() < end:
    for k in range(3):
        key = store.key({"cell": k})
        files = {"a": me * 5000, "b": me * 3000}
        reason = store.put(key, files)
        assert reason is None, reason
        got = store.get(key)
        if got is not None:
            seen += 1
            assert len(got["a"]) == 5000 and len(got["b"]) == 3000, "a mixed entry"
            assert set(got["a"]) == set(got["b"]) and len(set(got["a"])) == 1, "a mixed entry"
    if me == b"2":
        store.clear()
assert seen > 5
"""


def test_three_processes_at_once(tmp_path: Path) -> None:
    """Two that put different bytes under the same keys, and one that also clears all the time."""
    workers = [
        subprocess.Popen([sys.executable, "-c", WORKER, str(tmp_path), str(k)], stderr=subprocess.PIPE, text=True)
        for k in range(3)
    ]
    for worker in workers:
        _, errors = worker.communicate(timeout=60)
        assert worker.returncode == 0, errors
    store = ArtifactStore(tmp_path)
    assert all(store.get(entry.key) for entry in store.entries())
    assert not list(store.root.glob("new-*"))


def test_what_a_package_holds_is_part_of_its_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its tables as well as its code."""
    from enzyme_magic.backend.store import persist

    monkeypatch.setattr("enzyme_magic.__file__", str(tmp_path / "__init__.py"))
    states = []
    for name in ("__init__.py", "room/code.py", "room/table.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x = 1")
        states.append(persist.package_state.__wrapped__())
    (tmp_path / "room" / "__pycache__").mkdir()
    (tmp_path / "room" / "__pycache__" / "code.pyc").write_bytes(b"1")
    assert len(set(states)) == 3
    assert persist.package_state.__wrapped__() == states[-1]
