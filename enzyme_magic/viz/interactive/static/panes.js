// Beside the C source: the gradient as C and the IR, linked. A statement of the gradient belongs to the line that its own comment names,
// an instruction is the record's; what is selected lights up in all three.

const STATEMENT = /^(.*?)\s*\/\* line (\d+)(?:: (.*))? \*\/$/;

class Panes {
  constructor(inspector) {
    this.inspector = inspector;
  }

  /** The two panes; selecting in them is selecting everywhere. */
  build() {
    return [this.pane("the gradient as C", this.gradient()), this.pane("the function's IR", this.ir())];
  }

  pane(title, rows) {
    return h("section", { class: "pane", "aria-label": title }, h("div", { class: "head" }, title), h("div", { class: "listing source" }, rows));
  }

  gradient() {
    const made = this.inspector.record.data.gradient_c;
    if (!made?.text) return [h("p", { class: "note" }, made?.reason || "The gradient as C is not in this record.")];
    return made.text.trimEnd().split("\n").map((line) => {
      const [, text, number, rule] = line.match(STATEMENT) || [null, line, "", ""];
      const known = number && this.inspector.record.lines.has(Number(number));
      const note = known ? `line ${number}${rule ? `: ${rule}` : ""}` : "";
      const row = h("div", { class: "row plain", tabindex: -1 }, h("code", {}, cTokens(text).map(([part, kind]) => (kind ? h("span", { class: kind }, part) : part)), text ? "" : " "), h("span", { class: "note" }, note));
      if (known) this.inspector.selectable(`L${number}`, row);
      return row;
    });
  }

  ir() {
    const { record } = this.inspector;
    return record.data.activity.blocks.flatMap((block) => [
      h("div", { class: "block" }, h("div", { class: "head" }, block.name)),
      ...block.instructions.map((member) => {
        const mark = record.mark(member.identifier);
        const about = [member.line ? `line ${member.line}` : "", member.verdict.active ? member.rule || "" : ""].filter(Boolean).join(": ");
        const row = h("div", { class: `row ${mark}`, tabindex: -1 }, gutter(mark), h("code", {}, member.text), h("span", { class: "note" }, about));
        this.inspector.selectable(member.identifier, row);
        if (member.line) this.inspector.places.add(`~L${member.line}`, row);
        return row;
      }),
    ]);
  }
}
