"""Every link of a built site leads somewhere: pages, anchors, pictures, style sheets. Addresses on the web are not asked."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """What a page links to, and which anchors it has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.anchors |= {value for key in ("id", "name") if (value := values.get(key))}
        self.links |= {value for key in ("href", "src") if (value := values.get(key))}


def broken(folder: Path) -> list[str]:
    """`page: link` for each that leads nowhere."""
    pages = {path.resolve(): Page(path.read_text()) for path in folder.rglob("*.html")}
    found = []
    for path, page in pages.items():
        for link in sorted(page.links):
            if fault(path, link, pages):
                found.append(f"{path.relative_to(folder.resolve())}: {link}")
    return found


def fault(path: Path, link: str, pages: dict[Path, Page]) -> bool:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return parts.scheme not in ("http", "https", "mailto", "data")
    aim = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if aim.is_dir():
        aim = aim / "index.html"
    if not aim.exists():
        return True
    return bool(parts.fragment and aim in pages and unquote(parts.fragment) not in pages[aim].anchors)


def from_the_web(folder: Path) -> list[str]:
    """`page: address` for scripts, styles and pictures that a reader without a network would miss."""
    found = []
    for path in sorted(folder.rglob("*.html")):
        loads = Loads(path.read_text()).addresses
        found += [f"{path.relative_to(folder)}: {address}" for address in sorted(loads)]
    return found


class Loads(HTMLParser):
    """Addresses on the web from which a page loads something by itself."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.addresses: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        address = values.get("src") if tag != "link" else values.get("href")
        if address and tag in ("script", "img", "link", "iframe") and urlsplit(address).netloc:
            self.addresses.add(address)
