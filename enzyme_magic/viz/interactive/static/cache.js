// What the forward sweep saves for the reverse sweep: bytes at a chosen size, each value with its reason, other plans.

class CachePanel {
  static tab = ["cache", "Cache"];

  constructor(inspector) {
    this.inspector = inspector;
  }

  build() {
    const { cache } = this.inspector.record.data;
    this.total = h("output", { class: "total" });
    this.table = h("div", { class: "table-box" });
    this.picture = h("details", {}, h("summary", {}, "as a diagram"), h("div", { class: "picture" }));
    this.picture.addEventListener("toggle", () => this.draw());
    const parts = [h("p", { class: "change" }, `${cache.sentence} `), this.sliders(), this.plans(), this.table, this.picture];
    this.update();
    return parts;
  }

  sliders() {
    const { cache } = this.inspector.record.data;
    const rows = cache.sliders.map((slider) => {
      const input = h("input", { type: "range", min: 0, max: slider.values.length - 1, step: 1, "aria-label": `${slider.parameter}`, oninput: () => this.inspector.set("sizes", { ...this.inspector.get("sizes"), [slider.parameter]: slider.values[input.value] }) });
      const text = h("output", {});
      return { slider, input, text, others: slider.others.map(([name, value]) => `${name} = ${value.toLocaleString("en")}`).join(", ") };
    });
    this.inputs = rows;
    if (!rows.length) return h("p", {}, cache.total === "0" ? "" : `In total: ${cache.total} bytes.`);
    const boxes = rows.map(({ slider, input, text, others }) => h("label", {}, h("span", {}, `${slider.parameter}${others ? ` (at ${others})` : ""}`), input, text));
    return h("div", { class: "bar" }, h("fieldset", {}, h("legend", {}, "sizes"), boxes), this.total);
  }

  /** Plans under assumptions that the C text does not state, each planned anew by the compiler when the record was made. */
  plans() {
    const { cache } = this.inspector.record.data;
    if (!cache.alternatives.length) return null;
    const rows = cache.alternatives.map((other) => h("tr", {}, h("td", {}, other.assume.map(([name, what]) => (what === "restrict" || what === "const" ? `${what} on ${name}` : `${name} = ${what}`)).join(", ")), h("td", {}, h("code", {}, formula(other.total))), h("td", {}, other.saves === "" ? "not known before the call" : h("code", {}, formula(other.saves)))));
    return h("div", { class: "table-box" }, h("table", {}, h("caption", {}, "What if the C text said more? Planned anew, not guessed."), h("thead", {}, h("tr", {}, ["assumption", "bytes then", "bytes saved"].map((text) => h("th", { scope: "col" }, text)))), h("tbody", {}, h("tr", {}, h("td", {}, "as it is"), h("td", {}, h("code", {}, formula(cache.total))), h("td", {}, "")), rows)));
  }

  update() {
    const sizes = this.inspector.get("sizes");
    for (const { slider, input, text } of this.inputs) {
      const index = nearest(slider.values, sizes[slider.parameter] ?? 1000);
      input.value = index;
      input.setAttribute("aria-valuetext", `${slider.parameter} = ${slider.values[index]}: ${human(slider.totals[index])}`);
      text.textContent = `${slider.parameter} = ${slider.values[index].toLocaleString("en")}: ${human(slider.totals[index])}`;
    }
    this.rebuildTable();
  }

  rebuildTable() {
    const { record } = this.inspector;
    this.table.replaceChildren();
    this.inspector.places.prune();
    const known = this.bytes();
    const largest = Math.max(1, ...known.values());
    const head = ["", "value", "decision", "line", "type", "count", "bytes", known.size ? "now" : null, "because"].filter((text) => text !== null);
    const rows = record.data.cache.rows.map((slot) => {
      const bytes = known.get(slot.identifier);
      const stored = slot.decision === "store";
      const bar = bytes === undefined ? "" : [h("span", { class: "meter", "aria-hidden": "true", style: { width: `${(60 * bytes) / largest}px` } }), human(bytes)];
      const because = [slot.reason, slot.overwritten_line ? `overwritten in line ${slot.overwritten_line}` : "", slot.read_line ? `read by the adjoint of line ${slot.read_line}` : ""].filter((text, index, all) => text && !(index === 1 && all[0].includes("overwrites")));
      const row = h("tr", { class: `row ${stored ? "cached" : "inactive"}`, tabindex: -1 }, h("td", {}, gutter(stored ? "cached" : "inactive")), h("td", {}, h("code", {}, slot.expression)), h("td", {}, DECISIONS[slot.decision] || slot.decision), h("td", {}, slot.line ?? ""), h("td", {}, slot.type), h("td", {}, h("code", {}, formula(slot.count))), h("td", {}, h("code", {}, formula(slot.bytes))), known.size ? h("td", {}, bar) : null, h("td", {}, because.join("; ")));
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
    const entry = this.inputs.find(({ slider }) => slider.parameter === this.inspector.lastSize) || this.inputs[0];
    if (!entry) return new Map();
    const { slider, input } = entry;
    this.total.textContent = `${human(slider.totals[input.value])} in all`;
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

function nearest(values, wanted) {
  return values.reduce((best, value, index) => (Math.abs(value - wanted) < Math.abs(values[best] - wanted) ? index : best), 0);
}

/** "8*n" as people write it. */
function formula(text) {
  return text.includes("**") ? text : text.replaceAll("*", "·");
}
