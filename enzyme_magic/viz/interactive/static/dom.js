// Small helpers to build and mark elements. Text goes in as text, never as markup.

/** An element: attributes (on… are listeners, true/false switch one on and off), then children: nodes, texts, lists of them. */
function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value);
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

function setAttribute(element, name, value) {
  if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
  else if (name === "style") Object.assign(element.style, value);
  else if (value === true) element.setAttribute(name, "");
  else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
}

/** A labelled control of a toolbar. */
function labelled(text, control) {
  return h("label", {}, h("span", {}, text), control);
}

function checkbox(text, checked, change) {
  const box = h("input", { type: "checkbox", checked, onchange: () => change(box.checked) });
  return h("label", {}, box, h("span", {}, text));
}

/** A <select>; options are [value, text]. */
function choice(text, options, value, change) {
  const list = h("select", { onchange: () => change(list.value) });
  for (const [key, label] of options) list.append(h("option", { value: key, selected: key === value }, label));
  return labelled(text, list);
}

/** Radio buttons in a fieldset; options are [value, text]. */
function radios(title, name, options, value, change) {
  const buttons = options.map(([key, label]) => {
    const button = h("input", { type: "radio", name, value: key, checked: key === value, onchange: () => change(key) });
    return h("label", {}, button, h("span", {}, label));
  });
  return h("fieldset", {}, h("legend", {}, title), buttons);
}

/** A registry of the elements that stand for a thing (an instruction, a line, a slot): marking costs what is marked, not what is shown. */
class Places {
  constructor() {
    this.elements = new Map();
    this.marked = new Map();
  }

  add(key, element) {
    if (!key) return;
    if (!this.elements.has(key)) this.elements.set(key, new Set());
    this.elements.get(key).add(element);
  }

  /** Only the elements of `keys` carry the class `name` afterwards. */
  mark(name, keys) {
    for (const element of this.marked.get(name) || []) element.classList.remove(name);
    const now = new Set();
    for (const key of keys) for (const element of this.elements.get(key) || []) now.add(element);
    for (const element of now) element.classList.add(name);
    this.marked.set(name, now);
  }

  /** Forget elements that are no longer in the page. */
  prune() {
    for (const [key, set] of this.elements) {
      for (const element of set) if (!element.isConnected) set.delete(element);
      if (!set.size) this.elements.delete(key);
    }
  }
}

const SIGNS = { active: "●", idle: "◇", mixed: "◐", inactive: "○", cached: "▣", plain: " ", "": " " };
const WORDS = { active: "active", idle: "predicted, but not in this call", mixed: "partly active", inactive: "inactive", cached: "stored for the reverse sweep", plain: "not told: an address, or a call that moves numbers in memory", "": "" };

/** The gutter cell of a row: sign for eyes, word for readers. */
function gutter(mark) {
  return h("span", { class: `gutter ${mark || "plain"}`, title: WORDS[mark] }, h("span", { "aria-hidden": "true" }, SIGNS[mark]), h("span", { class: "hidden" }, WORDS[mark]));
}

/** Scrolls `box`, and nothing around it, until `element` in it is seen; a drawing also to its side. */
function reveal(box, element) {
  if (!element) return;
  const [outer, inner] = [box.getBoundingClientRect(), element.getBoundingClientRect()];
  const head = box.querySelector("thead, .pair.head")?.getBoundingClientRect().height || 0;
  const aside = inner.right > outer.right || inner.left < outer.left;
  if (aside && box.classList.contains("picture")) box.scrollLeft += (inner.left + inner.right - outer.left - outer.right) / 2;
  if (inner.top < outer.top + head) box.scrollTop -= outer.top + head - inner.top;
  else if (inner.bottom > outer.bottom) box.scrollTop += inner.bottom - outer.bottom;
}

/** Whether a part of `element` is seen in `box`. */
function inSight(box, element) {
  const [outer, inner] = [box.getBoundingClientRect(), element.getBoundingClientRect()];
  return inner.width > 0 && inner.bottom > outer.top && inner.top < outer.bottom && inner.right > outer.left && inner.left < outer.right;
}

/** Bytes for people: "24 B", "8.0 kB" (kB = 1000 B). */
function human(bytes) {
  if (bytes < 1000) return `${Math.round(bytes)} B`;
  for (const unit of ["kB", "MB", "GB", "TB"]) {
    bytes /= 1000;
    if (bytes < 1000) return `${bytes.toFixed(1)} ${unit}`;
  }
  return `${(bytes / 1000).toFixed(1)} PB`;
}

function plural(count, noun) {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** A box that looks for a text: Enter goes to the next place, with Shift to the previous one, Escape empties it. Who extends it says where the text is (`places`) and shows it (`show`). */
class SearchBox {
  constructor(label) {
    this.label = label;
    this.at = -1;
  }

  build() {
    this.search = h("input", { type: "search", "aria-label": this.label, placeholder: "search  ( / )", oninput: () => this.find(0), onkeydown: (event) => this.key(event) });
    this.count = h("output", { "aria-live": "polite" });
    return h("fieldset", {}, h("legend", {}, "search"), this.search, this.count);
  }

  /** step 1 and -1: the next and the previous place; 0: the first. */
  find(step) {
    const wanted = this.search.value.trim().toLowerCase();
    const found = wanted ? this.places(wanted) : [];
    this.at = !found.length ? -1 : step ? (this.at + step + found.length) % found.length : 0;
    this.count.textContent = wanted ? (found.length ? `${this.at + 1} of ${found.length}` : "not found") : "";
    this.show(found, this.at);
  }

  key(event) {
    if (event.key === "Enter") this.find(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") {
      this.search.value = "";
      this.find(0);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** "2, 4 and 16". */
function listed(parts) {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts[parts.length - 1]}`;
}
