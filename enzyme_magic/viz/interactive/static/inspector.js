// The whole: header, tabs, the chain of reasons beside them, keys, theme. State lives in the model, so that a kernel can share it.

const LONGEST_CHAIN = 150; // reasons that are written out; all of them light up
const OVERLAYS = 200;
const WIDE = new Set(["cache", "ir", "quiz"]); // tabs with the reasons below
let inspectors = 0;

class Inspector {
  constructor(model, host) {
    this.model = model;
    this.host = host;
    this.number = ++inspectors;
    this.root = h("div", { class: "inspector" });
    host.setAttribute("data-lm-suppress-shortcuts", "true"); // the keys are ours while the focus is inside
    const shadow = host.attachShadow({ mode: "open" });
    shadow.append(h("style", {}, CSS), this.root);
    this.shadow = shadow;
    this.listeners = [];
    this.wide = new Set(WIDE);
    this.root.addEventListener("click", (event) => this.clicked(event));
    this.root.addEventListener("keydown", (event) => this.pressed(event));
    for (const name of ["selected", "tab", "wrt", "direction", "hide_inactive", "left", "right", "sizes", "caching", "plans", "step", "traces", "passes", "passed", "fixes", "curves", "costs", "call", "moment", "theme", "revealed", "report", "pictures", "message", "quiz"]) {
      this.listen(`change:${name}`, () => this.changed(name));
    }
    this.stopTheme = followTheme(() => this.retheme());
    this.load();
  }

  listen(event, handler) {
    this.model.on(event, handler);
    this.listeners.push([event, handler]);
  }

  destroy() {
    for (const [event, handler] of this.listeners) this.model.off(event, handler);
    this.stopTheme();
  }

  get(name) {
    return this.model.get(name);
  }

  set(name, value) {
    this.model.set(name, value);
    this.model.save_changes();
  }

  /** Whether a kernel can be asked. */
  alive() {
    return Boolean(this.model.send);
  }

  wrt() {
    return this.get("wrt");
  }

  // building -----------------------------------------------------------------------------------------------------------

  load() {
    const inside = this.root.contains(this.shadow.activeElement);
    this.build();
    if (inside) this.tabs.get(this.tab()).panel.focus();
  }

  build() {
    this.wide = new Set(WIDE);
    this.record = new Record(this.get("report"));
    this.places = new Places();
    this.root.dataset.theme = this.theme();
    const kinds = [SourcePanel, ActivityPanel, IRPanel, CachePanel, StepsPanel, ValuesPanel];
    if (this.get("quiz")) kinds.unshift(QuizPanel);
    this.panels = new Map(kinds.map((Kind) => [Kind.tab[0], new Kind(this)]));
    this.opened = new Map();
    this.lastWrt = this.wrt();
    const same = this.rowTexts === this.record.rows.map((row) => row.text).join("\n");
    if (!same) this.previousChoice = null; // another text: its instructions have other names
    this.rowTexts = this.record.rows.map((row) => row.text).join("\n");
    this.tabs = new Map();
    const bar = h("div", { class: "tabs", role: "tablist", "aria-label": "views" });
    this.body = h("div", { class: "panels" });
    for (const Kind of kinds) {
      const [name, label] = Kind.tab;
      const id = `em-${this.number}-${name}`;
      const tab = h("button", { type: "button", role: "tab", id: `${id}-tab`, "aria-controls": id, "data-tab": name }, label);
      const panel = h("div", { role: "tabpanel", id, "aria-labelledby": `${id}-tab`, tabindex: 0, hidden: true });
      this.tabs.set(name, { tab, panel });
      bar.append(tab);
      this.body.append(panel);
    }
    this.why = h("aside", { "aria-label": "reasons", tabindex: -1 });
    this.live = h("p", { class: "hidden", "aria-live": "polite" });
    this.status = h("p", { class: "message", role: "status" });
    this.root.replaceChildren(this.header(), bar, this.status, h("div", { class: "columns" }, this.body, this.why), this.live);
    this.open(this.tab());
    this.highlight();
    this.changed("message");
  }

  header() {
    const { data, rows } = this.record;
    const active = rows.filter((row) => row.verdict.active).length;
    const stored = data.cache.rows.filter((row) => row.decision === "store").length;
    const hidden = this.get("quiz") && !this.get("revealed");
    const facts = hidden ? [] : [`${active} of ${plural(rows.length, "instruction")} active`, stored ? `${plural(stored, "value")} stored: ${data.size}` : "nothing stored", data.cost, data.example && data.example.length <= 60 ? data.example : null];
    const items = [`${data.mode === "forward" ? "derivative" : "gradient"} with respect to ${data.wrt.join(", ") || "nothing"}, ${data.mode} mode`, ...facts].filter(Boolean);
    return h("header", {}, h("h2", {}, data.signature || data.function), h("p", {}, items.join(" · ")));
  }

  tab() {
    if (this.get("quiz") && !this.get("revealed")) return "quiz";
    const wanted = this.get("tab");
    return this.tabs.has(wanted) ? wanted : this.get("quiz") ? "quiz" : "source";
  }

  open(name) {
    const locked = this.get("quiz") && !this.get("revealed");
    if (!this.opened.has(name)) {
      this.opened.set(name, true);
      this.tabs.get(name).panel.append(...this.panels.get(name).build().filter(Boolean));
    }
    for (const [other, { tab, panel }] of this.tabs) {
      const on = other === name;
      tab.setAttribute("aria-selected", on);
      tab.tabIndex = on ? 0 : -1;
      tab.disabled = locked && !on;
      panel.hidden = !on;
    }
    this.why.parentElement.classList.toggle("wide", this.wide.has(name));
    this.showWhy();
    if (name === "activity") this.panels.get(name).follow(this.get("selected"));
    this.panels.get(name).shown?.();
    this.revealSelection();
    this.outline();
  }

  /** Beside most tabs; below those that are wide, once there is something to say; not beside those that tell their own story. */
  showWhy() {
    const name = this.tab();
    const wide = this.wide.has(name);
    this.why.classList.toggle("full", Boolean(this.get("selected")));
    this.why.hidden = (this.get("quiz") && !this.get("revealed")) || ["steps", "values"].includes(name) || (wide && !this.get("selected"));
  }

  /** Three panes need the room that the reasons have beside other tabs. */
  linked(on) {
    this.reasonsBelow("source", on);
    this.highlight();
  }

  reasonsBelow(name, on) {
    if (on) this.wide.add(name);
    else this.wide.delete(name);
    this.why.parentElement.classList.toggle("wide", this.wide.has(this.tab()));
    this.showWhy();
  }

  /** `element` stands for `key`: a click on it selects the key, and it lights up when the key does. */
  selectable(key, element) {
    element.dataset.key = key;
    this.places.add(key, element);
  }

  /** The drawing of a view in the theme that is shown, as an element; null where there is none (the kernel is asked for it). */
  picture(name) {
    const key = `${name}-${this.theme()}`;
    const drawn = this.get("pictures") || {};
    const svg = this.model.picture ? this.model.picture(name, this.theme()) : parsed(drawn[key]);
    if (!svg) {
      if (this.model.send && !(key in drawn)) this.model.send({ kind: "picture", name, theme: this.theme() });
      return null;
    }
    for (const link of svg.querySelectorAll("a")) for (const attribute of [...link.attributes]) if (attribute.name.startsWith("xlink:")) link.removeAttribute(attribute.name);
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", svg.querySelector("desc")?.textContent || name);
    return svg;
  }

  // what was chosen ----------------------------------------------------------------------------------------------------

  changed(name) {
    if (name === "report" || name === "quiz") {
      this.load();
    } else if (name === "tab") {
      this.open(this.tab());
    } else if (name === "revealed") {
      this.root.querySelector("header").replaceWith(this.header());
      this.open(this.tab());
      this.updated("quiz");
    } else if (name === "selected") {
      this.highlight();
    } else if (name === "wrt") {
      const verdicts = this.record.verdicts(this.lastWrt);
      this.previousChoice = verdicts && { names: this.lastWrt, active: activeIn(verdicts) };
      this.lastWrt = this.wrt();
      this.updated("activity");
    } else if (name === "direction" || name === "hide_inactive") {
      this.updated("activity");
    } else if (name === "left" || name === "right") {
      this.updated("ir");
    } else if (name === "sizes") {
      const now = this.get("sizes");
      this.lastSize = Object.keys(now).find((key) => now[key] !== (this.sizesBefore || {})[key]) || this.lastSize;
      this.sizesBefore = now;
      this.updated("cache");
    } else if (name === "plans") {
      if (this.opened.has("cache")) this.panels.get("cache").updatePlans();
    } else if (name === "passes" || name === "passed") {
      if (this.opened.has("ir")) this.panels.get("ir").passes?.update(name === "passes");
    } else if (name === "fixes") {
      if (this.opened.has("cache")) this.panels.get("cache").tellFixes();
    } else if (name === "step") {
      this.updated("steps");
    } else if (name === "traces") {
      if (this.opened.has("values")) this.panels.get("values").load();
    } else if (name === "curves" || name === "costs") {
      if (this.opened.has("values")) this.panels.get("values").plots.update();
    } else if (name === "call" || name === "moment") {
      this.updated("values");
    } else if (name === "theme" || name === "pictures") {
      this.retheme(name === "pictures");
    } else if (name === "caching") {
      this.updated("cache"); // one that was refused goes back
    } else if (name === "message") {
      this.status.textContent = this.get("message") || "";
    }
  }

  updated(name) {
    if (this.opened.has(name)) this.panels.get(name).update();
  }

  /** What was active before, for the difference: under the previous choice, else in the previous run of the cell. */
  before() {
    if (this.previousChoice) {
      this.beforeName = `the previous choice (${this.previousChoice.names.join(", ") || "nothing"})`;
      return this.previousChoice.active;
    }
    const run = this.get("previous");
    if (!run || !run.active) return null;
    this.beforeName = run.name;
    const known = new Set(run.known);
    const now = activeIn(this.record.verdicts(this.record.data.wrt));
    return new Set(this.record.order.filter((id) => (known.has(id) ? run.active.includes(id) : now.has(id))));
  }

  // the chain of reasons -----------------------------------------------------------------------------------------------

  highlight() {
    const inside = this.why.contains(this.shadow.activeElement);
    if (this.tab() === "activity" && this.opened.has("activity")) this.panels.get("activity").follow(this.get("selected"));
    this.light(this.get("selected"));
    this.revealSelection();
    if (inside) this.why.focus(); // what had the focus is gone, and keys must not go to the page
  }

  /** What is selected is seen in every part of the open tab that has it; what is seen already does not move. */
  revealSelection() {
    if (!this.get("selected")) return;
    for (const box of this.tabs.get(this.tab()).panel.querySelectorAll(".listing, .picture")) {
      for (const name of ["selected", "same-line"]) {
        const places = [...box.querySelectorAll(`.${name}`)];
        if (!places.length) continue;
        if (!places.some((place) => inSight(box, place))) reveal(box, places[0]);
        break;
      }
    }
  }

  light(key) {
    this.showWhy();
    if (!key || !this.record.exists(key)) {
      for (const name of ["selected", "chain", "same-line"]) this.places.mark(name, []);
      this.why.replaceChildren(h("h3", {}, "Why?"), h("p", { class: "note" }, "Click an instruction, a line or a saved value: the reasons stand here. Keys: j and k go down and up, Enter comes here, Esc clears; / searches the graph in Activity, else the IR."));
      this.live.textContent = "";
      this.outline();
      return;
    }
    const chains = this.record.chains(key);
    const chain = new Set();
    let shown = 0;
    const parts = [];
    for (const { title, id, ir, roots } of chains) {
      const facts = this.record.facts(roots);
      for (const { fact } of facts) {
        if (fact.subject) chain.add(fact.subject);
        if (fact.line) chain.add(`L${fact.line}`);
      }
      if (shown >= LONGEST_CHAIN) continue;
      const items = facts.slice(0, LONGEST_CHAIN - shown);
      shown += items.length;
      const rest = facts.length - items.length;
      parts.push(h("h4", { title: ir || null }, h("code", {}, title)), h("ol", {}, items.map((item) => this.factItem(item)), rest ? h("li", {}, `… ${rest} more`) : null));
      chain.add(id);
    }
    const members = this.record.members(key);
    this.places.mark("chain", chain);
    this.places.mark("selected", [key, ...members, ...(this.record.slotsOf.get(key) || []).map((slot) => slot.identifier)]);
    const line = this.record.line(key);
    this.places.mark("same-line", line ? [`L${line}`, `~L${line}`] : []);
    this.why.replaceChildren(h("h3", {}, this.title(key)), ...(parts.length ? parts : [h("p", { class: "note" }, this.record.lines.get(line)?.note || "The line does nothing that is differentiated.")]));
    this.live.textContent = this.describe(key);
    this.outline();
  }

  factItem({ depth, fact }) {
    const key = fact.subject || (fact.line ? `L${fact.line}` : "");
    const text = [fact.sentence, fact.line && !fact.sentence.includes(`line ${fact.line}`) ? h("small", {}, ` line ${fact.line}`) : null];
    const inner = key ? h("button", { type: "button", "data-key": key }, text) : h("span", {}, text);
    return h("li", { style: { marginLeft: `${Math.min(depth, 12) * 0.7}rem` }, "aria-level": depth + 1 }, inner);
  }

  title(key) {
    const index = this.record.rows.findIndex((row) => row.identifier === key);
    if (index >= 0) return `Instruction ${index + 1} of ${this.record.rows.length}`;
    if (this.record.parameters.has(key)) return `Parameter ${this.record.name(key)}`;
    if (this.record.slots.has(key)) return `Value ${this.record.name(key)}`;
    return `Line ${key.slice(1)}`;
  }

  /** One sentence for readers: "instruction 4 of 9: %mul = …, active, stored, because …". */
  describe(key) {
    const verdict = this.record.verdict(key);
    const first = verdict && this.record.data.facts[verdict.because[0]];
    const states = verdict ? [verdict.active ? "active" : "inactive", this.record.byId.get(key)?.slot ? "stored" : ""] : [];
    return [`${this.title(key)}: ${this.record.name(key)}`, ...states, first ? first.sentence : ""].filter(Boolean).join(", ");
  }

  /** Frames around the marked rows of the drawing that is seen (its rows have no box of their own to paint). */
  outline() {
    for (const old of this.root.querySelectorAll(".overlay")) old.remove();
    let left = OVERLAYS;
    for (const name of ["chain", "selected"]) {
      for (const element of this.places.marked.get(name) || []) {
        if (!(element instanceof SVGGraphicsElement) || left-- <= 0) continue;
        const box = around(this.panels.get("activity").groups?.get(element.dataset.key), element);
        if (!box.width) continue;
        const frame = document.createElementNS("http://www.w3.org/2000/svg", "rect");
        for (const [key, value] of Object.entries({ x: box.x + 1, y: box.y + 1, width: Math.max(0, box.width - 2), height: Math.max(0, box.height - 2), class: `overlay ${name}` })) frame.setAttribute(key, value);
        element.ownerSVGElement.querySelector(".graph").append(frame); // last, so that no other cell covers it
      }
    }
  }

  // hands --------------------------------------------------------------------------------------------------------------

  clicked(event) {
    const tab = event.target.closest("[data-tab]");
    if (tab) return this.set("tab", tab.dataset.tab);
    if (event.target.closest("input, select, label, summary, button:not([data-key])")) return;
    const found = event.target.closest("[data-key]");
    if (!found) return;
    event.preventDefault();
    this.set("selected", found.dataset.key);
  }

  pressed(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const typing = event.target.closest("input:not([type=checkbox]), select, textarea");
    const handled = event.target.closest("[role=tab]") ? this.tabKey(event.key) : !typing && this.panelKey(event);
    if (!handled) return;
    event.preventDefault();
    event.stopPropagation();
  }

  tabKey(key) {
    const names = [...this.tabs.keys()].filter((name) => !this.tabs.get(name).tab.disabled);
    const at = names.indexOf(this.tab());
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: names.length - 1 }[key];
    if (next === undefined) return false;
    const name = names[(next + names.length) % names.length];
    this.set("tab", name);
    this.tabs.get(name).tab.focus();
    return true;
  }

  panelKey(event) {
    const key = event.key;
    const inControl = event.target.closest("button, [type=checkbox], summary");
    if (key === "Escape") {
      this.set("selected", "");
      this.tabs.get(this.tab()).panel.focus();
    } else if (key === "/") {
      const drawn = this.tab() === "activity";
      if (!drawn) this.set("tab", "ir");
      this.panels.get(drawn ? "activity" : "ir").finder.search?.focus();
    } else if (key === "Backspace" && this.tab() === "activity") {
      return this.panels.get("activity").leave();
    } else if (key === "j" || key === "k" || (!inControl && (key === "ArrowDown" || key === "ArrowUp"))) {
      this.step(key === "j" || key === "ArrowDown" ? 1 : -1);
    } else if (["ArrowLeft", "ArrowRight"].includes(key) && ["steps", "values"].includes(this.tab())) {
      this.panels.get(this.tab()).move(key === "ArrowRight" ? 1 : -1);
    } else if (key === "Enter" && !inControl) {
      this.why.focus();
    } else {
      return false;
    }
    return true;
  }

  /** To the next thing of the open tab: a line, an instruction, a saved value. */
  step(by) {
    if (["steps", "values"].includes(this.tab())) return this.panels.get(this.tab()).move(by);
    const order = this.order();
    if (!order.length) return;
    const at = order.indexOf(this.get("selected"));
    const next = at < 0 ? (by > 0 ? 0 : order.length - 1) : Math.min(order.length - 1, Math.max(0, at + by));
    this.set("selected", order[next]);
    const panel = this.tabs.get(this.tab()).panel;
    const place = [...(this.places.elements.get(order[next]) || [])].find((element) => panel.contains(element) && element.getClientRects().length);
    place?.focus({ preventScroll: true });
    place?.scrollIntoView({ block: "nearest" });
  }

  order() {
    const tab = this.tab();
    if (tab === "source" || tab === "quiz") return this.record.data.source.filter((line) => line.instructions.length).map((line) => `L${line.number}`);
    if (tab === "cache") return this.panels.get("cache").shown().map((slot) => slot.identifier);
    if (tab !== "activity" || !this.get("hide_inactive")) return this.record.order;
    const verdicts = this.record.verdicts(this.wrt());
    const direction = this.get("direction");
    return this.record.order.filter((id) => !verdicts || verdicts.get(id)[direction === "call" ? "active" : direction]);
  }

  // colours ------------------------------------------------------------------------------------------------------------

  theme() {
    const wanted = this.get("theme");
    return wanted === "light" || wanted === "dark" ? wanted : pageTheme();
  }

  retheme(always = false) {
    if (!always && this.root.dataset.theme === this.theme()) return;
    this.root.dataset.theme = this.theme();
    if (this.opened.has("activity")) {
      this.panels.get("activity").buildGraph();
      this.panels.get("activity").update();
    }
    if (this.opened.has("cache")) {
      this.panels.get("cache").draw();
      this.panels.get("cache").drawMemory();
    }
    if (this.opened.has("values")) this.panels.get("values").plots.update();
    this.places.prune();
    this.highlight();
  }
}

/** The box of a drawn row: that of its cells, where `element` is the middle one of them. */
function around(cells, element) {
  const own = element.getBBox();
  if (cells?.group !== element) return own;
  if (!element.querySelector("polygon")) [own.y, own.height] = [own.y - 4, own.height + 8];
  const boxes = [own, cells.gutter || cells.sign, ...cells.aside].filter(Boolean).map((part) => (part instanceof Element ? part.getBBox() : part));
  const [x, y] = [Math.min(...boxes.map((box) => box.x)), own.y];
  return { x, y, width: Math.max(...boxes.map((box) => box.x + box.width)) - x, height: own.height };
}

function activeIn(verdicts) {
  return new Set([...verdicts].filter(([, verdict]) => verdict.active).map(([id]) => id));
}

function parsed(text) {
  if (!text) return null;
  const svg = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  return svg.tagName === "svg" ? document.importNode(svg, true) : null;
}

/** "dark" or "light" as the page around says: JupyterLab, VS Code, Colab, others, at last the system. */
function pageTheme() {
  const { body, documentElement: root } = document;
  if (body.dataset.jpThemeLight) return body.dataset.jpThemeLight === "false" ? "dark" : "light";
  if (body.classList.contains("vscode-dark") || body.classList.contains("vscode-high-contrast")) return "dark";
  if (body.classList.contains("vscode-light")) return "light";
  const named = root.getAttribute("theme") || root.dataset.theme || body.dataset.theme;
  if (named === "dark" || named === "light") return named;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

/** Calls `changed` when the page may have changed its theme; the function that stops it. */
function followTheme(changed) {
  const query = matchMedia("(prefers-color-scheme: dark)");
  const observer = new MutationObserver(changed);
  query.addEventListener("change", changed);
  for (const element of [document.body, document.documentElement]) observer.observe(element, { attributes: true, attributeFilter: ["class", "theme", "data-theme", "data-jp-theme-light"] });
  return () => {
    query.removeEventListener("change", changed);
    observer.disconnect();
  };
}
