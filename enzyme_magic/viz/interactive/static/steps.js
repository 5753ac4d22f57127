// How the gradient came about, step by step: what is active, then shadows and tape, then adjoints, then the optimized whole.

class StepsPanel {
  static tab = ["steps", "Steps"];

  constructor(inspector) {
    this.inspector = inspector;
    this.steps = synthesis(inspector.record);
  }

  build() {
    if (!this.steps.length) return [h("p", {}, "This record has no IR of a gradient.")];
    this.back = h("button", { type: "button", onclick: () => this.move(-1) }, "← back");
    this.next = h("button", { type: "button", onclick: () => this.move(1) }, "next →");
    this.slider = h("input", { type: "range", min: 0, max: this.steps.length - 1, step: 1, "aria-label": "step", oninput: () => this.inspector.set("step", Number(this.slider.value)) });
    this.title = h("p", { class: "change", "aria-live": "polite" });
    this.body = h("div", { class: "listing steps", role: "region", "aria-label": "the function at this step" });
    this.update();
    return [h("div", { class: "bar" }, h("fieldset", {}, h("legend", {}, "step"), this.back, this.slider, this.next)), this.title, this.body];
  }

  move(by) {
    this.inspector.set("step", Math.min(this.steps.length - 1, Math.max(0, this.now() + by)));
  }

  now() {
    return Math.min(this.steps.length - 1, Math.max(0, this.inspector.get("step")));
  }

  update() {
    if (!this.steps.length) return;
    const at = this.now();
    const step = this.steps[at];
    this.slider.value = at;
    this.slider.setAttribute("aria-valuetext", step.title);
    this.back.disabled = at === 0;
    this.next.disabled = at === this.steps.length - 1;
    this.title.textContent = `step ${at + 1} of ${this.steps.length}: ${step.title}`;
    this.body.replaceChildren();
    this.inspector.places.prune();
    const blocks = step.blocks.map((block) => h("div", { class: "block" }, h("div", { class: "head" }, block.name), block.rows.map((row) => this.row(row))));
    this.body.replaceChildren(...blocks);
    this.inspector.highlight();
    reveal(this.body, this.body.querySelector(".added")); // what is new is in sight
  }

  row({ text, mark, word, id }) {
    const sign = { new: "✚", active: "●", inactive: "○", cached: "▣" }[mark] || " ";
    const row = h("div", { class: `row ${mark === "new" ? "added" : mark || "plain"}` }, h("span", { class: `gutter ${mark === "new" ? "added" : mark || "plain"}`, "aria-hidden": "true" }, sign), h("code", {}, text), h("span", { class: "note" }, word));
    if (id) this.inspector.selectable(id, row);
    return row;
  }
}

/** The steps that the record can show: [{title, blocks: [{name, rows}]}]. */
function synthesis(record) {
  const gradient = record.stage("gradient");
  const optimized = record.stage("gradient-optimized");
  const steps = [];
  const active = record.rows.filter((row) => row.verdict.active).length;
  steps.push({
    title: `${active} of ${plural(record.rows.length, "instruction")} of the function are active`,
    blocks: record.data.activity.blocks.map((block) => ({ name: block.name, rows: block.instructions.map((row) => ({ text: row.text, id: row.identifier, mark: record.mark(row.identifier), word: row.line ? `line ${row.line}` : "" })) })),
  });
  if (gradient && gradient.blocks.some((block) => block.origins.length)) {
    const shadows = linesWith(gradient, ["primal", "shadow"], "shadow");
    const all = linesWith(gradient, ["primal", "shadow", "adjoint"], "adjoint");
    if (shadows.added) steps.push({ title: `${plural(shadows.added, "line")} added to the forward sweep: shadows, adjoint slots, the tape`, blocks: shadows.blocks });
    steps.push({ title: `${plural(all.added, "line")} added as the reverse sweep: adjoints`, blocks: all.blocks });
  }
  if (optimized) {
    steps.push({
      title: `optimized: ${gradient ? `${gradient.instructions} → ` : ""}${plural(optimized.instructions, "instruction")}`,
      blocks: optimized.blocks.map((block) => ({ name: block.name, rows: block.lines.map((text) => ({ text, mark: "", word: "" })) })),
    });
  }
  return steps.length > 1 ? steps : [];
}

const ORIGINS = { shadow: "forward sweep", adjoint: "reverse sweep", primal: "" };

function linesWith(stage, origins, fresh) {
  let added = 0;
  const blocks = [];
  for (const block of stage.blocks) {
    const rows = [];
    block.lines.forEach((text, index) => {
      const origin = block.origins[index] || "primal";
      if (!origins.includes(origin)) return;
      if (origin === fresh) added++;
      rows.push({ text, mark: origin === fresh ? "new" : "", word: ORIGINS[origin] });
    });
    if (rows.length) blocks.push({ name: block.name, rows });
  }
  return { added, blocks };
}
