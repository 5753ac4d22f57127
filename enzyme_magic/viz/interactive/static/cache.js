// What the forward sweep saves for the reverse sweep: bytes at a chosen size, each value with its reason, other plans.

class CachePanel {
  static tab = ["cache", "Cache"];

  constructor(inspector) {
    this.inspector = inspector;
  }

  build() {
    const { cache } = this.inspector.record.data;
    const stored = cache.rows.filter((row) => row.decision === "store");
    this.everything = cache.rows.length - stored.length <= FEW || !stored.length;
    const rest = plural(cache.rows.length - stored.length, "value");
    this.more = this.everything ? null : checkbox(`also the ${rest} that ${cache.rows.length - stored.length === 1 ? "is" : "are"} not stored`, false, (on) => {
      this.everything = on;
      this.rebuildTable();
    });
    this.plot = h("div", { class: "plot" });
    this.table = h("div", { class: "table-box" });
    this.picture = h("details", {}, h("summary", {}, "as a diagram"), h("div", { class: "picture" }));
    this.picture.addEventListener("toggle", () => this.draw());
    this.memory = h("figure", { class: "memory" });
    const parts = [stored.length ? null : h("p", { class: "change" }, `${cache.sentence}.`), h("div", { class: "bar" }, this.sliders(), this.presets()), this.memory, this.plot, this.more, this.table, this.assumptions(), this.picture];
    this.update();
    this.drawMemory();
    return parts;
  }

  /** Bytes kept during one call, where one was measured; beside it the same in words. */
  drawMemory() {
    const { measured } = this.inspector.record.data.cache;
    if (!measured?.curve?.functions.length) return;
    const svg = this.inspector.picture("memory");
    const { moments, kept, functions, turn } = measured.curve;
    const rows = moments.map((moment, k) => h("tr", {}, h("td", {}, moment.toLocaleString("en")), h("td", {}, turn !== null && moment >= turn ? "reverse sweep" : "forward sweep"), kept[k].map((bytes) => h("td", {}, human(bytes)))));
    const head = h("thead", {}, h("tr", {}, ["event", "sweep", ...functions].map((text) => h("th", { scope: "col" }, text))));
    const table = h("details", {}, h("summary", {}, "as a table"), h("div", { class: "table-box" }, h("table", {}, h("caption", {}, `Bytes kept during ${measured.call}`), head, h("tbody", {}, rows))));
    this.memory.replaceChildren(...[svg, table].filter(Boolean));
  }

  sliders() {
    const { cache } = this.inspector.record.data;
    const rows = cache.sliders.map((slider) => {
      const input = h("input", { type: "range", min: 0, max: slider.values.length - 1, step: 1, "aria-label": `${slider.parameter}`, oninput: () => this.inspector.set("sizes", { ...this.inspector.get("sizes"), [slider.parameter]: slider.values[input.value] }) });
      const text = h("output", {});
      return { slider, input, text };
    });
    this.inputs = rows;
    if (!rows.length) return cache.total === "0" && !cache.bound ? null : h("p", { class: "change" }, `In total: ${bytesOf(cache)}.`);
    const boxes = rows.map(({ slider, input, text }) => h("label", {}, h("span", {}, slider.parameter), input, text));
    return h("fieldset", {}, h("legend", {}, "bytes stored, by size"), h("p", { class: "change" }, `In total: ${bytesOf(cache)}.`), h("div", { class: "sliders" }, boxes), rows.length > 1 ? h("p", { class: "note" }, `Each slider moves alone: ${heldAt(rows[0].slider)}.`) : null);
  }

  /** Other plans of the same gradient, which a kernel makes: what is illegal is refused with its reason. */
  presets() {
    const alive = this.inspector.alive();
    const now = this.inspector.get("caching");
    const options = [["minimum-cut", "as planned (minimum cut)"], ["store-all", "store all"], ["recompute-all", "compute all again"]];
    const buttons = radios("plan", `plan-${this.inspector.number}`, options, now.preset || "minimum-cut", (preset) => this.inspector.set("caching", { preset }));
    const compare = h("button", { type: "button", onclick: () => this.inspector.alive() && this.inspector.model.send({ kind: "plans" }) }, "compare the plans");
    buttons.append(compare);
    this.presetButtons = [...buttons.querySelectorAll("input")];
    if (!alive) {
      for (const control of buttons.querySelectorAll("input, button")) control.disabled = true;
      buttons.append(h("span", { class: "fixed" }, "other plans need a kernel"));
    }
    return buttons;
  }

  /** Store or compute again, for one value. */
  switch(slot) {
    const now = this.inspector.get("caching");
    const options = [["", "as planned"], ["store", "store"], ["recompute", "compute again"]];
    const list = h("select", { "aria-label": `plan for ${slot.expression}`, onchange: () => this.decide(slot.instruction, list.value) });
    for (const [value, text] of options) list.append(h("option", { value, selected: value === (now[slot.instruction] || "") }, text));
    return list;
  }

  decide(instruction, decision) {
    const next = { ...this.inspector.get("caching") };
    if (decision) next[instruction] = decision;
    else delete next[instruction];
    this.inspector.set("caching", next);
  }

  /** The plans beside one another: bytes to the right, time upwards; as bars of bytes where no time was measured. */
  updatePlans() {
    const plans = (this.inspector.get("plans") || []).map((plan) => ({ ...plan, bytes: this.bytesOf(plan) }));
    this.plot.replaceChildren();
    if (!plans.length) return;
    const timed = plans.every((plan) => plan.seconds !== null);
    const rows = plans.map((plan) => h("tr", {}, h("td", {}, plan.name), h("td", {}, bounded(plan.bound, h("code", {}, inBytes(plan.total)))), h("td", {}, plan.bytes === null ? "" : bounded(plan.bound, human(plan.bytes))), h("td", {}, plan.seconds === null ? "not measured: inspect(at=…) or --at" : duration(plan.seconds))));
    const head = ["plan", "keeps", this.sizeOfPlans() ? "at this size" : "in bytes", "time of one gradient"].map((text) => h("th", { scope: "col" }, text));
    this.plot.append(h("table", {}, h("caption", {}, this.aboutPlans(timed)), h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows)));
    if (timed && plans.every((plan) => plan.bytes !== null)) this.plot.prepend(tradeOff(plans));
  }

  /** Bytes are those of the slider, times those of one call, whose sizes may be others. */
  aboutPlans(timed) {
    const size = this.sizeOfPlans();
    const measured = this.inspector.record.data.cache.measured;
    const parts = [size, timed ? `times of ${measured ? measured.call : "the call"}` : ""].filter(Boolean);
    return `The plans beside one another${parts.length ? `: ${parts.join(", ")}` : ""}`;
  }

  /** At which size the bytes of plans are: that of the slider, or of the formulas where the plan in use has no slider. */
  sizeOfPlans() {
    const moved = this.sizeNow();
    const slider = moved ? moved.slider : (this.inspector.get("plans") || []).flatMap((plan) => plan.sliders)[0];
    if (!slider) return "";
    const at = moved ? Number(moved.input.value) : nearest(slider.values, this.inspector.get("sizes")[slider.parameter] ?? 1000);
    const others = slider.others.length ? ` (${heldAt(slider)})` : "";
    return `bytes at ${slider.parameter} = ${slider.values[at].toLocaleString("en")}${others}`;
  }

  /** The slider that was moved last, or the first one. */
  sizeNow() {
    return this.inputs.find(({ slider }) => slider.parameter === this.inspector.lastSize) || this.inputs[0];
  }

  /** Bytes of a plan at the slider that was moved last; null where they are not known before the call. */
  bytesOf(plan) {
    if (/^\d+$/.test(plan.total)) return Number(plan.total);
    const wanted = this.sizeNow();
    const found = plan.sliders.find((slider) => !wanted || slider.parameter === wanted.slider.parameter) || plan.sliders[0];
    return found ? found.totals[nearest(found.values, this.inspector.get("sizes")[found.parameter] ?? 1000)] : null;
  }

  /** Plans under assumptions that the C text does not state, each planned anew by the compiler when the record was made. */
  assumptions() {
    const { cache } = this.inspector.record.data;
    if (!cache.alternatives.length) return null;
    const rows = cache.alternatives.map((other) => h("tr", {}, h("td", {}, other.assume.map(([name, what]) => (what === "restrict" || what === "const" ? `${what} on ${name}` : `${name} = ${what}`)).join(", ")), h("td", {}, h("code", {}, inBytes(other.total))), h("td", {}, other.saves === "" ? "not known before the call" : h("code", {}, inBytes(other.saves))), this.fixButton(other)));
    return h("div", { class: "table-box" }, h("table", {}, h("caption", {}, "What if the C text said more? Each line is a plan of its own."), h("thead", {}, h("tr", {}, ["assumption", "keeps then", "less by", "try it"].map((text) => h("th", { scope: "col" }, text)))), h("tbody", {}, h("tr", {}, h("td", {}, "as it is"), h("td", {}, h("code", {}, inBytes(cache.total))), h("td", {}, ""), h("td", {}, "")), rows)));
  }

  /** Applies a hint to a copy of the C text: built, its gradient compared, bytes and time before and after. */
  fixButton(other) {
    const alive = this.inspector.alive();
    const said = h("pre", { class: "fix", "aria-live": "polite" });
    const button = h("button", { type: "button", disabled: !alive, title: alive ? null : "needs a kernel: f.try_fix()", onclick: () => this.inspector.alive() && this.inspector.model.send({ kind: "fix", hint: other.sentence }) }, "apply to a copy");
    this.fixTexts = new Map([...(this.fixTexts || []), [other.sentence, said]]);
    this.tellFixes();
    return h("td", {}, button, said);
  }

  tellFixes() {
    for (const [hint, box] of this.fixTexts || []) box.textContent = (this.inspector.get("fixes") || {})[hint] || "";
  }

  update() {
    const sizes = this.inspector.get("sizes");
    for (const { slider, input, text } of this.inputs) {
      const index = nearest(slider.values, sizes[slider.parameter] ?? 1000);
      input.value = index;
      input.setAttribute("aria-valuetext", `${slider.parameter} = ${slider.values[index]}: ${human(slider.totals[index])}`);
      text.textContent = `${slider.parameter} = ${slider.values[index].toLocaleString("en")}: ${human(slider.totals[index])}`;
    }
    const preset = this.inspector.get("caching").preset || "minimum-cut";
    for (const button of this.presetButtons) button.checked = button.value === preset;
    this.rebuildTable();
    this.updatePlans();
  }

  shown() {
    const { rows } = this.inspector.record.data.cache;
    return this.everything ? rows : rows.filter((row) => row.decision === "store");
  }

  rebuildTable() {
    const { record } = this.inspector;
    this.table.replaceChildren();
    this.inspector.places.prune();
    const known = this.bytes();
    const largest = Math.max(1, ...known.values());
    const alive = this.inspector.alive();
    const head = ["", "value", "decision", alive ? "switch" : null, "line", "what", known.size ? null : "bytes", known.size ? "bytes now" : null, "because"].filter((text) => text !== null);
    const rows = this.shown().map((slot) => {
      const bytes = known.get(slot.identifier);
      const stored = slot.decision === "store";
      const bar = bytes === undefined ? "" : [h("span", { class: "meter", "aria-hidden": "true", style: { width: `${(60 * bytes) / largest}px` } }), ...bounded(slot.least && "at least", human(bytes))];
      const because = [slot.reason, slot.overwritten_line && !slot.reason.includes(`line ${slot.overwritten_line}`) ? `overwritten in line ${slot.overwritten_line}` : "", slot.read_line ? `read by the adjoint of line ${slot.read_line}` : ""].filter(Boolean);
      const row = h("tr", { class: `row ${stored ? "cached" : "inactive"}`, tabindex: -1 }, h("td", {}, gutter(stored ? "cached" : "inactive")), h("td", {}, h("code", {}, slot.expression)), h("td", {}, DECISIONS[slot.decision] || slot.decision), alive ? h("td", {}, slot.instruction && slot.decision !== "available" ? this.switch(slot) : "") : null, h("td", slot.line ? { "data-head": "line" } : {}, slot.line ?? ""), h("td", {}, slot.type, slot.count === "1" || !slot.count ? "" : [" × ", h("code", {}, formula(slot.count))]), known.size ? h("td", { class: "size" }, bar) : h("td", {}, stored ? bounded(slot.least && "at least", h("code", {}, inBytes(slot.bytes))) : ""), h("td", {}, because.join("; ")));
      this.inspector.selectable(slot.identifier, row);
      if (slot.instruction) this.inspector.places.add(slot.instruction, row);
      return row;
    });
    const empty = h("tr", {}, h("td", { colspan: head.length }, "The reverse sweep needs no value of the forward sweep."));
    this.table.replaceChildren(h("table", { class: "slots" }, h("thead", {}, h("tr", {}, head.map((text) => h("th", { scope: "col" }, text)))), h("tbody", {}, rows.length ? rows : empty)));
    this.inspector.highlight();
  }

  /** slot -> bytes at the slider that was moved last (the first one otherwise). */
  bytes() {
    const entry = this.sizeNow();
    if (!entry) return new Map();
    const { slider, input } = entry;
    return new Map(slider.rows.map(([id, bytes]) => [id, bytes[input.value]]));
  }

  draw() {
    const box = this.picture.querySelector(".picture");
    if (!this.picture.open) return;
    const svg = this.inspector.picture("cache");
    box.replaceChildren(svg || "");
    if (!svg) {
      box.textContent = "The diagram needs the kernel.";
      return;
    }
    for (const slot of this.inspector.record.data.cache.rows) {
      for (const ending of ["", "_value", "_read"]) {
        const group = svg.getElementById(`a_${slot.identifier}${ending}`);
        if (group) this.inspector.selectable(slot.identifier, group);
      }
    }
    this.inspector.highlight();
  }
}

const FEW = 8; // rows that are shown beside the stored ones unasked

function nearest(values, wanted) {
  return values.reduce((best, value, index) => (Math.abs(value - wanted) < Math.abs(values[best] - wanted) ? index : best), 0);
}

/** "the others are 100 each": where the sizes are that a slider does not move. */
function heldAt(slider) {
  const values = new Set(slider.others.map(([, value]) => value));
  const held = [...values].map((value) => value.toLocaleString("en"));
  if (values.size === 1) return slider.others.length === 1 ? `the other size is ${held[0]}` : `the other ${slider.others.length} sizes are ${held[0]}`;
  return slider.others.map(([name, value]) => `${name} = ${value.toLocaleString("en")}`).join(", ");
}

/** An amount that is a lower bound says so. */
function bounded(bound, amount) {
  return bound ? [`${bound} `, amount] : [amount];
}

/** "8·n bytes"; "8·n B + 1 B × iterations of the loop at line 4": what loops count themselves stands behind the unit. */
function amount(total) {
  if (!/(?:iterations|tests) of /.test(total)) return `${formula(total)} bytes`;
  return inBytes(total);
}

/** The same, short: "8·n B". */
function inBytes(total) {
  if (!total) return "";
  const parts = total.split(/ \+ (?=(?:\d+ × )?(?:iterations|tests) of )/).map((part) => part.match(/^(?:(\d+) × )?((?:iterations|tests) of .*)$/) || part);
  return parts.map((found) => (typeof found === "string" ? `${formula(found)} B` : `${found[1] || 1} B × ${found[2]}`)).join(" + ");
}

/** All bytes of the gradient: exact, "at least" where called functions keep more, or measured. */
function bytesOf(cache) {
  if (cache.measured) return `${human(cache.measured.kept)} measured at ${cache.measured.call}`;
  if (!cache.bound) return amount(cache.total);
  return cache.total === "0" ? "a size that only the call tells" : `${cache.bound} ${amount(cache.total)}`;
}

/** "8*n" as people write it. */
function formula(text) {
  return text.includes("**") ? text : text.replaceAll("*", "·");
}

function duration(seconds) {
  if (seconds < 1e-3) return `${(seconds * 1e6).toFixed(1)} µs`;
  return seconds < 1 ? `${(seconds * 1e3).toFixed(1)} ms` : `${seconds.toFixed(2)} s`;
}

const PLOT = { width: 400, height: 190, left: 64, right: 112, top: 22, bottom: 36 };

/** Bytes against time, one point a plan, with their names; both axes begin at 0. */
function tradeOff(plans) {
  const most = Math.max(1, ...plans.map((plan) => plan.bytes));
  const longest = Math.max(...plans.map((plan) => plan.seconds));
  const x = (bytes) => PLOT.left + ((PLOT.width - PLOT.left - PLOT.right) * bytes) / most;
  const y = (seconds) => PLOT.height - PLOT.bottom - ((PLOT.height - PLOT.top - PLOT.bottom) * seconds) / longest;
  const label = `bytes stored against the time of one gradient: ${plans.map((plan) => `${plan.name} ${bounded(plan.bound, human(plan.bytes)).join("")}, ${duration(plan.seconds)}`).join("; ")}`;
  const floor = PLOT.height - PLOT.bottom;
  const parts = [
    s("line", { x1: PLOT.left, y1: floor, x2: PLOT.width - PLOT.right, y2: floor }),
    s("line", { x1: PLOT.left, y1: PLOT.top, x2: PLOT.left, y2: floor }),
    s("text", { x: PLOT.left, y: floor + 16 }, "0 B"),
    s("text", { x: PLOT.width - PLOT.right, y: floor + 16, "text-anchor": "end" }, human(most)),
    s("text", { x: (PLOT.left + PLOT.width - PLOT.right) / 2, y: floor + 31, "text-anchor": "middle" }, "bytes stored"),
    s("text", { x: PLOT.left - 6, y: PLOT.top + 8, "text-anchor": "end" }, duration(longest)),
    s("text", { x: PLOT.left, y: PLOT.top - 10 }, "time of one gradient"),
    s("text", { x: PLOT.left - 6, y: floor, "text-anchor": "end" }, "0"),
  ];
  const names = PLOT.width - PLOT.right + 16; // in a column of their own, so that none covers another or a point
  let height = 0;
  for (const plan of [...plans].sort((a, b) => b.seconds - a.seconds || b.bytes - a.bytes)) {
    height = Math.max(height + 16, y(plan.seconds));
    parts.push(s("line", { x1: x(plan.bytes), y1: y(plan.seconds), x2: names - 3, y2: height }), s("text", { x: names, y: height + 4 }, plan.name));
  }
  for (const plan of plans) parts.push(s("circle", { cx: x(plan.bytes), cy: y(plan.seconds), r: 5 }));
  return s("svg", { class: "trade-off", role: "img", "aria-label": label, viewBox: `0 0 ${PLOT.width} ${PLOT.height}`, width: PLOT.width, height: PLOT.height }, ...parts);
}

function s(tag, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}
