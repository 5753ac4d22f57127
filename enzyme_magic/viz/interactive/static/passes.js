// The optimizer's passes over the gradient, one by one: what each changed, with a sentence and the lines.

const AROUND = 3; // lines that are shown around a change

class PassesView {
  constructor(inspector) {
    this.inspector = inspector;
  }

  build() {
    this.body = h("div", {});
    this.box = h("details", { class: "passes" }, h("summary", {}, "Pass by pass: what the optimizer did to the gradient"), this.body);
    this.box.addEventListener("toggle", () => this.opened());
    this.update(true);
    return this.box;
  }

  steps() {
    return this.inspector.get("passes")?.steps || [];
  }

  opened() {
    if (!this.box.open || this.steps().length) return;
    const alive = this.inspector.alive();
    this.body.replaceChildren(h("p", { class: "note" }, alive ? "The optimizer runs again …" : "Passes need a kernel, or a page written by f.export('f.html', view='passes')."));
    if (alive) this.inspector.model.send({ kind: "passes" });
  }

  update(anew) {
    const steps = this.steps();
    if (!steps.length) return;
    if (anew) this.controls(steps);
    const at = Math.min(steps.length, Math.max(0, this.inspector.get("passed")));
    const step = steps[at - 1];
    this.slider.value = at;
    this.back.disabled = at === 0;
    this.next.disabled = at === steps.length;
    const title = step ? `${at} of ${steps.length}: ${step.title}` : `before the ${steps.length} passes that changed something`;
    this.slider.setAttribute("aria-valuetext", step ? `${title}: ${step.caption}` : title);
    this.said.replaceChildren(h("b", {}, title), step ? `  ${step.caption}.` : "", step ? h("small", {}, ` ${[step.about, `LLVM's ${step.name} on ${step.on}`].filter(Boolean).join("; ")}`) : "");
    this.lines.replaceChildren(...(step ? this.changed(at) : this.whole(0)));
    this.lines.scrollTop = 0;
  }

  controls(steps) {
    const go = (to) => this.inspector.set("passed", Math.min(steps.length, Math.max(0, to)));
    const now = () => this.inspector.get("passed");
    this.back = h("button", { type: "button", onclick: () => go(now() - 1) }, "← back");
    this.next = h("button", { type: "button", onclick: () => go(now() + 1) }, "next →");
    this.slider = h("input", { type: "range", min: 0, max: steps.length, step: 1, class: "long", "aria-label": "pass", oninput: () => go(Number(this.slider.value)) });
    this.said = h("p", { class: "change", "aria-live": "polite" });
    this.lines = h("div", { class: "listing ir", role: "region", "aria-label": "what the pass changed", tabindex: 0 });
    this.texts = [this.inspector.get("passes").start.split("\n")];
    this.body.replaceChildren(this.together(), h("div", { class: "bar" }, h("fieldset", { class: "grow" }, h("legend", {}, "pass"), this.back, this.slider, this.next)), this.said, this.lines);
  }

  /** One sentence for each kind of optimization: what all its runs did. */
  together() {
    const told = (found) => h("li", {}, h("b", {}, found.title), found.about ? ` ${found.about}` : "", `. ${plural(found.runs, "run")} changed something: ${found.sentence}.`);
    const found = this.inspector.get("passes").optimizations || [];
    return found.length ? h("details", { class: "together", open: true }, h("summary", {}, "What each optimization did"), h("ul", {}, found.map(told))) : "";
  }

  /** The module's lines after that many passes. */
  text(count) {
    const { steps } = this.inspector.get("passes");
    while (this.texts.length <= count) {
      const lines = [...this.texts.at(-1)];
      for (const change of steps[this.texts.length - 1].changes) lines.splice(change.at, change.gone, ...change.lines);
      this.texts.push(lines);
    }
    return this.texts[count];
  }

  whole(count) {
    return this.text(count).slice(0, MOST_LINES).map((line) => this.row(line, "", ""));
  }

  /** The changed lines, what is gone before what is new, with some lines around and "…" where others are left out. */
  changed(count) {
    const before = this.text(count - 1);
    const same = (from, to) => before.slice(from, to).map((line) => this.row(line, " ", ""));
    const edits = [...this.inspector.get("passes").steps[count - 1].changes].reverse();
    const rows = [];
    let shown = 0;
    edits.forEach(({ at, gone, lines }, index) => {
      const from = Math.max(shown, at - AROUND);
      if (from > shown) rows.push(this.row("", "…", ""));
      rows.push(...same(from, at), ...before.slice(at, at + gone).map((line) => this.row(line, "−", "gone")), ...lines.map((line) => this.row(line, "+", "new")));
      shown = Math.min(at + gone + AROUND, edits[index + 1]?.at ?? before.length);
      rows.push(...same(at + gone, shown));
    });
    return rows.slice(0, MOST_LINES);
  }

  row(line, sign, kind) {
    const code = h("code", {}, tokens(line).map(([text, word]) => (word ? h("span", { class: word }, text) : text)), line ? "" : " ");
    return h("div", { class: `row ${kind}`, title: kind || null }, h("span", { class: "sign" }, sign || " "), code);
  }
}
