"""Contrast as it is seen: the colours that the browser paints, of every text of an inspector."""

from __future__ import annotations

from typing import Any

ENOUGH = 4.5

# Every visible text of the inspector with its colour and the colour behind it, as the browser paints them.
MEASURE = """(host) => {
  const root = host.shadowRoot;
  const rgb = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255).map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const opaque = (colour) => { const c = rgb(colour); return c.length === 3 || (c.length === 4 && c[3] === 1) ? c : null; };
  const filled = (element) => element.tagName === "polygon" && opaque(getComputedStyle(element).fill);
  const behindDrawing = (text) => {
    const box = text.getBoundingClientRect();
    const [x, y] = [box.left + 1, box.top + box.height / 2];
    let found = null;
    for (const polygon of text.ownerSVGElement.querySelectorAll("polygon")) {
      if (polygon.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_PRECEDING) continue;
      const area = polygon.getBoundingClientRect();
      if (area.left <= x + 0.5 && area.right >= x && area.top <= y && area.bottom >= y) found = filled(polygon) || found;
    }
    return found;
  };
  const behind = (element) => {
    for (let at = element; at && at !== root; at = at.parentElement) {
      const colour = opaque(getComputedStyle(at).backgroundColor);
      if (colour) return colour;
    }
    return null;
  };
  const results = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || !element.getClientRects().length) continue;
    if (element.closest("style, .hidden, option, title, desc, [disabled]")) continue;
    const style = getComputedStyle(element);
    if (style.visibility === "hidden") continue;
    const drawn = element.ownerSVGElement;
    const colour = opaque(drawn ? style.fill : style.color);
    const back = (drawn && behindDrawing(element)) || behind(drawn || element);
    if (!colour || !back) { results.push([node.data, 0, "unknown colour"]); continue; }
    const [a, b] = [light(colour), light(back)].sort((x, y) => y - x);
    results.push([node.data, (a + 0.05) / (b + 0.05), `${colour} on ${back} in ${element.className.baseVal ?? element.className}`]);
  }
  return results;
}"""


def contrasts(page: Any, inspector: Any | None = None) -> list[Any]:
    """[text, contrast, colours] of each text. inspector: a locator of its root; that of an exported page otherwise."""
    if inspector is None:
        host = page.locator("#em-inspector").element_handle()
    else:
        host = inspector.evaluate_handle("element => element.getRootNode().host")
    found: list[Any] = page.evaluate(MEASURE, host)
    return found


def too_weak(page: Any, inspector: Any | None = None) -> list[Any]:
    return [item for item in contrasts(page, inspector) if item[1] < ENOUGH]
