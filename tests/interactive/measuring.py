"""Contrast and layout as they are seen: the colours that the browser paints and the places of every text of an inspector."""

from __future__ import annotations

from typing import Any

ENOUGH = 4.5

# Every visible text of the inspector with its colour and the colour behind it, as the browser paints them.
# A colour on its way (a tab that was just left) is not what people read: what moves is taken to its end first.
MEASURE = """(host) => {
  const root = host.shadowRoot;
  for (const moving of root.getAnimations()) moving.finish();
  const rgb = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255).map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const opaque = (colour) => { const c = rgb(colour); return c.length === 3 || (c.length === 4 && c[3] === 1) ? c : null; };
  const filled = (element) => ["polygon", "rect"].includes(element.tagName) && opaque(getComputedStyle(element).fill);
  const behindDrawing = (text) => {
    const box = text.getBoundingClientRect();
    const [x, y] = [box.left + 1, box.top + box.height / 2];
    let found = null;
    for (const polygon of text.ownerSVGElement.querySelectorAll("polygon, rect")) {
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


# Every visible text that is cut off, lies outside of the page or over another one: [what, text, …]. Texts that scroll in another
# box, and what stands over a scrolled text (a heading that stays), are no neighbours.
LAYOUT = """(host) => {
  const root = host.shadowRoot;
  const texts = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    const text = node.data.trim();
    if (!text || !element.getClientRects().length || element.closest("style, .hidden, option, title, desc")) continue;
    const folded = element.closest("details:not([open])");
    if (folded && !element.closest("summary")) continue;
    if (!element.checkVisibility({ contentVisibilityAuto: true }) || element.closest(".pair.head")) continue;
    const range = document.createRange();
    const start = node.data.indexOf(text);
    range.setStart(node, start);
    range.setEnd(node, start + text.length);
    for (const box of range.getClientRects()) if (box.width > 1) texts.push({ text: text.slice(0, 60), box, element });
  }
  const scrolled = (element) => {
    for (let at = element; at && at !== root; at = at.parentElement)
      if (/auto|scroll/.test(getComputedStyle(at).overflow)) return at;
    return null;
  };
  const apart = (one, other) => scrolled(one) !== scrolled(other) || one.closest("aside") !== other.closest("aside");
  const found = [];
  for (const { text, box, element } of texts) {
    for (let at = element; at && at !== root; at = at.parentElement) {
      const style = getComputedStyle(at);
      const frame = at.getBoundingClientRect();
      const over = box.right > frame.right + 1 || box.left < frame.left - 1;
      if (over && /hidden|clip/.test(style.overflowX)) found.push(["cut", text]);
    }
    if (!scrolled(element) && (box.right > innerWidth || box.left < 0)) found.push(["outside", text]);
    const card = element.ownerSVGElement?.getBoundingClientRect();
    if (card && (box.right > card.right + 1 || box.bottom > card.bottom + 1)) found.push(["cut", text]);
  }
  const parts = texts.filter((one) => one.box.height < 60).sort((one, other) => one.box.top - other.box.top);
  for (let i = 0; i < parts.length; i++) for (let j = i + 1; j < parts.length && parts[j].box.top < parts[i].box.bottom - 3; j++) {
    const [one, other] = [parts[i], parts[j]];
    if (one.element === other.element || apart(one.element, other.element)) continue;
    const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
    const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
    if (across > 2 && down > 3) found.push(["over", one.text, other.text, across, down]);
  }
  if (document.documentElement.scrollWidth > innerWidth) found.push(["wide", String(document.documentElement.scrollWidth)]);
  return found;
}"""


def untidy(page: Any) -> list[Any]:
    """What is cut or overlaps on an exported page, in the open tab."""
    found: list[Any] = page.evaluate(LAYOUT, page.locator("#em-inspector").element_handle())
    return found
