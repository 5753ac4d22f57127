"""A real Jupyter server on loopback with folders of its own, and a notebook in a browser whose cells have run."""

from __future__ import annotations

import json
import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat

EXTENSION = Path(__file__).resolve().parents[2] / "labextension"
PATIENCE = 90  # seconds for anything to happen on a busy machine
SOON, ATTEMPTS = 10, 5  # seconds until a page has taken a key, and how often it is pressed


@dataclass(frozen=True)
class Server:
    port: int
    token: str
    root: Path

    def url(self, path: str, query: str = "") -> str:
        return f"http://127.0.0.1:{self.port}/{path}?token={self.token}{query}"

    def json(self, path: str) -> Any:
        with urllib.request.urlopen(self.url(path), timeout=10) as answer:
            return json.load(answer)

    def start_kernel(self, name: str) -> None:
        """The notebook's session, before a page asks for it: the server answers questions about a kernel badly while it starts."""
        wanted = {"path": name, "name": name, "type": "notebook", "kernel": {"name": "python3"}}
        head = {"Authorization": f"token {self.token}", "Content-Type": "application/json"}
        address = f"http://127.0.0.1:{self.port}/api/sessions"
        request = urllib.request.Request(address, json.dumps(wanted).encode(), head)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            answer.read()

    def end_kernels(self) -> None:
        for session in self.json("api/sessions"):
            request = urllib.request.Request(self.url(f"api/sessions/{session['id']}"), method="DELETE")
            request.add_header("Authorization", f"token {self.token}")
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                answer.read()

    def use_theme(self, theme: str) -> None:
        """ "light" or "dark", for pages that are opened from now on."""
        self._settings("themes", {"theme": f"JupyterLab {theme.capitalize()}"})

    def _settings(self, part: str, settings: dict[str, Any]) -> None:
        place = self.root.parent / "config" / "lab" / "user-settings" / "@jupyterlab" / "apputils-extension"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{part}.jupyterlab-settings").write_text(json.dumps(settings))

    def write(self, name: str, cells: list[str]) -> None:
        notebook = nbformat.v4.new_notebook()
        notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
        notebook.cells = [nbformat.v4.new_code_cell(text) for text in cells]
        nbformat.write(notebook, self.root / name)


@contextmanager
def serving(
    folder: Path,
    program: Sequence[str] = (sys.executable, "-m", "jupyterlab"),
    outside: Mapping[str, str] | None = None,
) -> Iterator[Server]:
    """JupyterLab and Notebook 7 from one server; everything it writes is below `folder`. outside: the environment around it,
    this process's own unless given."""
    root = folder / "notebooks"
    config = folder / "config"
    for path in (root, config / "labconfig"):
        path.mkdir(parents=True, exist_ok=True)
    quiet = {"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": True}}
    (config / "labconfig" / "page_config.json").write_text(json.dumps(quiet))
    server = Server(_free_port(), secrets.token_hex(8), root)
    server.use_theme("light")
    server._settings("notification", {"fetchNews": "false", "checkForUpdates": False})
    names = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "run",
        "IPYTHONDIR": "ipython",
    }
    environment = (
        dict(os.environ if outside is None else outside)
        | {name: str(folder / place) for name, place in names.items()}
        | {"HOME": str(folder)}
    )
    if outside is None:  # the page's extension as an installation would place it
        (folder / "path" / "labextensions").mkdir(parents=True)
        (folder / "path" / "labextensions" / "enzyme-magic").symlink_to(EXTENSION)
        environment["JUPYTER_PATH"] = os.pathsep.join(
            filter(None, [str(folder / "path"), os.environ.get("JUPYTER_PATH")])
        )
    environment["JUPYTERLAB_SETTINGS_DIR"] = str(config / "lab" / "user-settings")
    command = [
        *program,
        "--no-browser",
        "--ip=127.0.0.1",
        f"--port={server.port}",
        "--allow-root",
    ]
    command += [
        "--ServerApp.port_retries=0",
        f"--IdentityProvider.token={server.token}",
        f"--ServerApp.root_dir={root}",
    ]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, cwd=root, env=environment, stdout=log, stderr=log)
        try:
            _wait(lambda: _answers(server, process), "the server", folder / "log")
            yield server
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def run_cells(page: Any, server: Server, path: str, count: int) -> None:
    """Opens a notebook ("lab/tree/x.ipynb" or "notebooks/x.ipynb") and runs its first `count` cells."""
    server.start_kernel(path.rpartition("/")[2])
    page.goto(server.url(path, "&reset" if path.startswith("lab") else ""))
    page.wait_for_selector(".jp-CodeCell", timeout=PATIENCE * 1000)
    _wait(lambda: _idle(server), "the kernel")
    page.click(".jp-CodeCell >> nth=0 >> .cm-content")
    for k in range(count):
        cell = page.locator(".jp-CodeCell").nth(k)
        prompt = cell.locator(".jp-InputArea-prompt")
        for _ in range(ATTEMPTS):
            page.keyboard.press("Shift+Enter")
            if _soon(lambda prompt=prompt: prompt.inner_text().strip("[]: \u00a0") != ""):  # "*" while it runs
                break
            cell.locator(".cm-content").click()  # the keys were lost while the page was still being built


def run_all(page: Any, server: Server, name: str) -> Any:
    """Opens a notebook without outputs in JupyterLab, runs all cells from the menu, and gives the code cells as they are saved."""
    server.start_kernel(name)
    page.goto(server.url(f"lab/tree/{name}", "&reset"))
    page.wait_for_selector(".jp-CodeCell", timeout=PATIENCE * 1000)
    _wait(lambda: _idle(server), "the kernel")
    page.click(".jp-CodeCell >> nth=0 >> .cm-content")
    page.click(".lm-MenuBar-itemLabel >> text=/^Run$/")
    page.click(".lm-Menu-itemLabel >> text=/^Run All Cells$/")

    _wait(lambda: _idle(server) and all(cell.execution_count for cell in _saved(page, server.root / name)), "all cells")
    return _saved(page, server.root / name)


def _saved(page: Any, path: Path) -> list[Any]:
    before = path.stat().st_mtime_ns

    def written() -> bool:
        """The keys are pressed again: a page that still waits for the answer to the save before takes none."""
        page.keyboard.press("Control+s")
        return _soon(lambda: path.stat().st_mtime_ns > before and _whole(path), seconds=2)

    _wait(written, "the file")
    return [cell for cell in nbformat.read(path, 4).cells if cell.cell_type == "code"]


def _whole(path: Path) -> bool:
    """Whether the server has written all of it: a notebook is empty for a moment while it is saved."""
    return path.read_text(encoding="utf-8").endswith("}\n")


def _soon(condition: Callable[[], bool], seconds: float = SOON) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.1)
    return False


def _idle(server: Server) -> bool:
    try:
        kernels = server.json("api/kernels")
    except urllib.error.HTTPError:
        return False
    return any(kernel["connections"] > 0 and kernel["execution_state"] == "idle" for kernel in kernels)


def _answers(server: Server, process: subprocess.Popen[bytes]) -> bool:
    if process.poll() is not None:
        raise RuntimeError("the server ended")
    try:
        return bool(server.json("api/status"))
    except (urllib.error.URLError, OSError):
        return False


def _wait(condition: Any, what: str, log: Path | None = None) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.1)
    raise TimeoutError(f"waiting for {what}: {log.read_text()[-2000:] if log else ''}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
