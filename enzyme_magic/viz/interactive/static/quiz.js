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
      if (!question.choices) return h("div", { class: "row plain" }, h("span", { class: "number" }, question.number), h("code", {}, question.code || " "));
      const list = h("select", { "aria-label": question.text, onchange: () => this.answered(question, list.value) }, h("option", { value: "" }, "?"), question.choices.map((text) => h("option", { value: text, selected: answers[question.key] === text }, text)));
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
    this.progress = h("output", {});
    const bar = h("div", { class: "bar" }, this.button, this.progress, this.score);
    this.count();
    const wrt = this.inspector.record.data.wrt.join(", ");
    return [h("p", {}, `Predict for the gradient with respect to ${wrt}; then reveal. What is active depends on these parameters and reaches the result.`), h("div", { class: "listing quiz" }, blocks), bar];
  }

  asked() {
    return this.questions.filter((question) => question.choices);
  }

  answered(question, answer) {
    this.inspector.set("answers", { ...this.inspector.get("answers"), [question.key]: answer });
    this.count();
  }

  count() {
    const answers = this.inspector.get("answers");
    const asked = this.asked();
    this.progress.textContent = this.inspector.get("revealed") ? "" : `${asked.filter((question) => answers[question.key]).length} of ${asked.length} answered`;
  }

  update() {
    if (!this.inspector.get("revealed")) return;
    const answers = this.inspector.get("answers");
    let right = 0;
    this.count();
    for (const question of this.asked()) {
      const { note, list, row } = this.notes.get(question.key);
      const hit = answers[question.key] === question.answer;
      right += hit;
      list.disabled = true;
      row.classList.add(hit ? "right" : "wrong");
      note.textContent = `${hit ? "✓" : "✗"} ${question.answer}${question.why ? `: ${question.why}` : ""}`;
      this.inspector.selectable(question.key, row);
    }
    this.button.hidden = true;
    this.score.textContent = `${right} of ${this.asked().length} right. Click a line for its reasons; the other tabs are open now.`;
  }
}

/** A value as its line writes it: the compiler may know `terms > 3` by another name. */
function asWritten(record, slot) {
  const line = slot.line && record.lines.get(slot.line);
  const names = (text) => new Set(text.match(/[A-Za-z_]\w*/g));
  const known = line && names(line.text);
  if (!line || [...names(slot.expression)].every((name) => known.has(name))) return slot.expression;
  return `${slot.type === "bool" ? "the condition" : "what is computed"} in: ${line.text.trim()}`;
}

/** [{key, group, number, code, choices, answer, why}] from the verdicts of the record; lines that nothing is asked about have no choices. */
function questions(record) {
  const found = [];
  const asked = (line) => Boolean(line.mark && (record.idsOfLine.get(line.number) || []).length); // loops and merges leave instructions on lines that say nothing of them
  const heads = record.data.parameters.map((parameter) => parameter.line).filter(Boolean);
  const numbers = [...heads, ...record.data.source.filter(asked).map((line) => line.number)];
  for (const line of record.data.source) {
    const rows = record.idsOfLine.get(line.number) || [];
    if (line.number < Math.min(...numbers) || line.number > Math.max(...numbers)) continue;
    if (!asked(line)) {
      found.push({ group: "does something on the line carry a derivative?", number: line.number, code: line.text });
      continue;
    }
    const answer = line.mark !== "inactive" && rows.some((row) => row.verdict.active) ? "active" : "inactive";
    const why = line.note.replace(/^active: /, "");
    found.push({ key: `L${line.number}`, text: `line ${line.number}`, group: "does something on the line carry a derivative?", number: line.number, code: line.text, choices: ["active", "inactive"], answer, why });
  }
  const names = new Set(record.data.parameters.map((parameter) => parameter.name));
  for (const slot of record.data.cache.rows) {
    if (!slot.instruction && !names.has(slot.expression)) continue; // what was added to the function cannot be predicted from its text
    const code = asWritten(record, slot);
    found.push({ key: slot.identifier, text: code, group: "is the value stored for the reverse sweep?", number: slot.line ?? "", code, choices: ["stored", "not stored"], answer: slot.decision === "store" ? "stored" : "not stored", why: slot.reason });
  }
  return found;
}
