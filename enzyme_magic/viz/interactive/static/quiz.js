// Predict, then reveal: which lines are active, which values are stored. The other tabs open when the answers are given.

class QuizPanel {
  static tab = ["quiz", "Quiz"];

  constructor(inspector) {
    this.inspector = inspector;
    this.questions = questions(inspector.record);
  }

  build() {
    const answers = this.inspector.get("answers");
    this.notes = new Map();
    const rows = this.questions.map((question) => {
      const list = h("select", { "aria-label": question.text, onchange: () => this.inspector.set("answers", { ...this.inspector.get("answers"), [question.key]: list.value }) }, h("option", { value: "" }, "?"), question.choices.map((text) => h("option", { value: text, selected: answers[question.key] === text }, text)));
      const note = h("span", { class: "note" });
      const row = h("div", { class: "row" }, h("span", { class: "number" }, question.number), h("code", {}, question.code || " "), list, note);
      this.notes.set(question.key, { note, list, row });
      return row;
    });
    const groups = group(rows.map((row, index) => [row, this.questions[index].group]), ([, title]) => title);
    const blocks = [...groups].map(([title, members]) => h("div", { class: "block" }, h("div", { class: "head" }, title), members.map(([row]) => row)));
    this.score = h("p", { class: "change", "aria-live": "assertive" });
    this.button = h("button", { type: "button", onclick: () => this.inspector.set("revealed", true) }, "reveal");
    this.update();
    const wrt = this.inspector.record.data.wrt.join(", ");
    return [h("p", {}, `Predict for the gradient with respect to ${wrt}; then reveal. What is active depends on these parameters and reaches the result.`), h("div", { class: "listing quiz" }, blocks), this.button, this.score];
  }

  update() {
    if (!this.inspector.get("revealed")) return;
    const answers = this.inspector.get("answers");
    let right = 0;
    for (const question of this.questions) {
      const { note, list, row } = this.notes.get(question.key);
      const hit = answers[question.key] === question.answer;
      right += hit;
      list.disabled = true;
      row.classList.add(hit ? "right" : "wrong");
      note.textContent = `${hit ? "✓" : "✗"} ${question.answer}${question.why ? `: ${question.why}` : ""}`;
      this.inspector.selectable(question.key, row);
    }
    this.button.hidden = true;
    this.score.textContent = `${right} of ${this.questions.length} right. Click a line for its reasons; the other tabs are open now.`;
  }
}

/** [{key, group, number, code, choices, answer, why}] from the verdicts of the record. */
function questions(record) {
  const found = [];
  for (const line of record.data.source) {
    const rows = record.idsOfLine.get(line.number) || [];
    if (!rows.length || !line.mark) continue; // loops and merges leave instructions on lines that say nothing of them
    const answer = line.mark !== "inactive" && rows.some((row) => row.verdict.active) ? "active" : "inactive";
    const why = line.note.replace(/^active: /, "");
    found.push({ key: `L${line.number}`, text: `line ${line.number}`, group: "does something on the line carry a derivative?", number: line.number, code: line.text, choices: ["active", "inactive"], answer, why });
  }
  for (const slot of record.data.cache.rows) {
    found.push({ key: slot.identifier, text: slot.expression, group: "is the value stored for the reverse sweep?", number: slot.line ?? "", code: slot.expression, choices: ["stored", "not stored"], answer: slot.decision === "store" ? "stored" : "not stored", why: slot.reason });
  }
  return found;
}
