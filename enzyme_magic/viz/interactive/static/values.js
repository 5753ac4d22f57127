// A call of the gradient, step by step: what each value is, what its adjoint is, what lies on the tape.

class ValuesPanel {
  static tab = ["values", "Values"];

  constructor(inspector) {
    this.inspector = inspector;
  }

  build() {
    const move = (by) => this.move(by);
    this.calls = h("select", { "aria-label": "the call", onchange: () => this.choose(Number(this.calls.value)) });
    this.only = h("code", {});
    this.inputs = h("span", { class: "inputs" });
    this.first = h("button", { type: "button", onclick: () => move(-Infinity) }, "start");
    this.back = h("button", { type: "button", onclick: () => move(-1) }, "← back");
    this.next = h("button", { type: "button", onclick: () => move(1) }, "next →");
    this.turn = h("button", { type: "button", onclick: () => this.go(this.turning()) }, "to the reverse sweep");
    this.slider = h("input", { type: "range", min: 0, step: 1, class: "long", "aria-label": "moment", oninput: () => this.go(Number(this.slider.value)) });
    this.where = h("output", {});
    this.sentence = h("p", { class: "sentence", "aria-live": "polite" });
    this.code = h("div", { class: "listing source", role: "region", "aria-label": "C source with values" });
    this.tape = h("div", { class: "tape", role: "region", "aria-label": "tape" });
    this.table = h("div", { class: "table-box" });
    this.bar = h("div", {}, h("div", { class: "call" }, "the gradient of", this.calls, this.only, this.inputs), h("div", { class: "bar" }, this.first, this.back, this.next, this.slider, this.where, this.turn));
    this.stage = h("div", { class: "sweeps" }, this.code, this.table, this.tape);
    this.none = h("p", {});
    this.plots = new PlotsView(this.inspector);
    this.load();
    return [this.bar, this.none, this.sentence, this.stage, ...this.plots.build()];
  }

  trace() {
    const traces = this.inspector.get("traces") || [];
    return traces[Math.min(traces.length - 1, Math.max(0, this.inspector.get("call")))] || null;
  }

  now() {
    return Math.min(this.trace().steps.length - 1, Math.max(0, this.inspector.get("moment")));
  }

  /** The first step of the reverse sweep. */
  turning() {
    return Math.max(0, (this.trace()?.steps || []).findIndex((step) => step.sweep !== "forward"));
  }

  go(moment) {
    if (!this.trace()?.steps.length) return;
    this.inspector.set("moment", Math.min(this.trace().steps.length - 1, Math.max(0, moment)));
  }

  move(by) {
    if (this.trace()) this.go(this.now() + by);
  }

  choose(call) {
    this.inspector.set("call", call);
  }

  /** Another set of calls: choices, fields, and the listing, in which only the marks change from step to step. */
  load() {
    const traces = this.inspector.get("traces") || [];
    if (!traces.length && this.inspector.alive()) this.inspector.model.send({ kind: "traces" });
    const trace = this.trace();
    this.calls.replaceChildren(...traces.map((one, index) => h("option", { value: index }, one.call)));
    this.calls.hidden = traces.length < 2;
    this.only.textContent = traces.length === 1 ? traces[0].call : "";
    this.fields(trace);
    this.sentenceOf = trace && trace.steps.length ? trace.steps.map((step) => phrase(step)) : [];
    this.rows = new Map();
    const lines = trimmed(this.inspector.record.data.source).map((line) => {
      const note = h("span", { class: "note" });
      const row = h("div", { class: "row", "data-line": line.number }, h("span", { class: "number" }, line.number), h("code", {}, cTokens(line.text).map(([text, kind]) => (kind ? h("span", { class: kind }, text) : text)), line.text ? "" : " "), note);
      this.rows.set(line.number, { row, note });
      return row;
    });
    this.code.replaceChildren(...lines);
    this.update();
  }

  /** With a kernel, numbers can be typed: the call is followed anew. */
  fields(trace) {
    if (!this.inspector.alive() || !trace) return this.inputs.replaceChildren();
    const numbers = this.inspector.record.data.parameters.filter((parameter) => /^(float|double|long double)$/.test(parameter.c_type));
    const values = new Map(trace.arguments);
    const point = this.inspector.get("point");
    const boxes = numbers.map(({ name }) => {
      const taken = () => field.value !== "" && this.inspector.set("point", { ...this.inspector.get("point"), [name]: Number(field.value) });
      const field = h("input", { type: "number", step: "any", value: point[name] ?? values.get(name) ?? "", onchange: taken, onkeydown: (event) => event.key === "Enter" && taken() });
      return labelled(`${name} =`, field);
    });
    this.inputs.replaceChildren(...boxes);
  }

  /** First the function that was asked about, then the line of this moment. */
  shown() {
    if (!this.seen) begin(this.code, this.inspector.record);
    this.seen = true;
    reveal(this.code, this.code.querySelector(".row.now"));
  }

  update() {
    const trace = this.trace();
    const shown = Boolean(trace && trace.steps.length);
    for (const part of [this.sentence, this.stage, this.slider.parentElement]) part.hidden = !shown;
    this.bar.hidden = !trace;
    this.none.hidden = shown && !trace.reason;
    if (shown && trace.reason) this.none.textContent = `${trace.reason}.`;
    if (!shown) {
      this.none.textContent = trace ? `No steps to show: ${trace.reason || "the gradient computes nothing"}.` : this.inspector.alive() ? "The kernel follows a call of the gradient …" : "This record follows no call of the gradient.";
      return;
    }
    const at = this.now();
    const step = trace.steps[at];
    this.calls.value = String(Math.max(0, this.inspector.get("call")));
    this.slider.max = trace.steps.length - 1;
    this.slider.value = at;
    this.slider.setAttribute("aria-valuetext", this.sentenceOf[at]);
    this.back.disabled = this.first.disabled = at === 0;
    this.next.disabled = at === trace.steps.length - 1;
    this.turn.disabled = at === this.turning();
    this.where.textContent = `step ${at + 1} of ${trace.steps.length}`;
    this.say(trace, step, at);
    this.mark(trace, step, at);
    this.showTape(trace, at);
    this.showTable(trace, step, at);
  }

  say(trace, step, at) {
    const parts = [h("b", { class: step.sweep }, SWEEPS[step.sweep]), " ", step.line ? h("span", { class: "note" }, `line ${step.line}  `) : "", h("code", {}, this.sentenceOf[at])];
    if (step.kink) parts.push(h("div", { class: `kink ${step.at_kink ? "here" : ""}` }, `⚡ kink where ${step.kink}: the derivative may jump there.${step.at_kink ? " This call is exactly on it: the side that C takes is differentiated." : ""}`));
    if (at === trace.steps.length - 1) parts.push(h("div", { class: "result" }, `${trace.call} = ${trace.value}, gradient: ${trace.gradient.map(([name, value]) => `${name}: ${value}`).join(", ")}`));
    this.sentence.replaceChildren(...parts);
  }

  /** Behind each line what its last step gave; the line of this step is marked. */
  mark(trace, step, at) {
    const said = new Map();
    for (let index = 0; index <= at; index++) {
      const { line, sweep } = trace.steps[index];
      if (line) said.set(line, [index, sweep]);
    }
    for (const [number, { row, note }] of this.rows) {
      const here = number === step.line;
      row.classList.toggle("now", here);
      row.setAttribute("aria-current", here ? "step" : "false");
      const last = said.get(number);
      note.textContent = last ? this.sentenceOf[last[0]] : "";
      row.classList.toggle("adjoint", Boolean(last) && last[1] !== "forward");
    }
    reveal(this.code, this.rows.get(step.line)?.row);
  }

  showTape(trace, at) {
    const held = trace.tape.filter((entry) => entry.pushed <= at && (entry.read.length ? Math.max(...entry.read) >= at : true));
    const cells = held.map((entry) => {
      const fresh = entry.pushed === at;
      const read = entry.read.includes(at);
      return h("div", { class: `cell ${fresh ? "fresh" : ""} ${read ? "read" : ""}` }, h("code", {}, entry.text), h("b", {}, entry.value), h("small", {}, fresh ? "put here now" : read ? (Math.max(...entry.read) === at ? "read, and gone next" : "read now") : ""));
    });
    const head = h("div", { class: "head" }, trace.tape.length ? `tape: ${plural(held.length, "value")}` : "tape: not needed");
    this.tape.replaceChildren(head, ...cells.reverse(), trace.tape.length && !held.length ? h("p", { class: "note" }, "empty") : "");
  }

  /** Each value once, with what it is now and its adjoint. */
  showTable(trace, step, at) {
    const found = new Map();
    const entry = (key, text) => {
      if (!found.has(key)) found.set(key, { text, value: "", adjoint: "" });
      return found.get(key);
    };
    for (const [name, value] of trace.arguments) entry(name, value.startsWith("[") ? `${name}, as given` : name).value = value;
    for (let index = 0; index <= at; index++) {
      const one = trace.steps[index];
      const name = one.place || one.text;
      if (one.sweep === "forward") entry(name, name).value = one.value;
      else entry(name, name).adjoint = readsOnly(one) ? `+ ${one.value}` : one.value;
    }
    const now = step.place || step.text;
    const rows = [...found].map(([key, { text, value, adjoint }]) => h("tr", { class: key === now ? "now" : "" }, h("td", {}, h("code", {}, text)), h("td", {}, value), h("td", {}, adjoint)));
    const head = ["name", "last value", "last adjoint"].map((text) => h("th", { scope: "col" }, text));
    const before = this.table.scrollTop;
    this.table.replaceChildren(h("table", { class: "values" }, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows)));
    this.table.scrollTop = before;
    reveal(this.table, this.table.querySelector("tr.now"));
  }
}

const SWEEPS = { forward: "forward", reverse: "reverse", end: "gradient" };

/** A step in words. */
function phrase(step) {
  if (step.sweep === "forward") return `${step.place && step.place !== step.text ? `${step.text} (${step.place})` : step.text} is ${step.value}`;
  if (step.sweep === "end") return `the gradient with respect to ${step.text} is ${step.value}`;
  const some = step.added.filter(([, , amount]) => amount !== "0" && amount !== "-0");
  if (readsOnly(step)) return `reading ${step.text} adds ${step.value} to its adjoint`;
  const gives = (some.length ? some : step.added.slice(0, 1)).map(([, name, amount]) => `${amount} to ${name}`);
  const has = step.value === "" ? step.text : `adjoint of ${step.text} is ${step.value}`;
  return gives.length ? `${has}; gives ${gives.join(", ")}` : has;
}

/** A read of memory: what it has got belongs to the memory, which may get more from others. */
function readsOnly(step) {
  return step.added.length === 1 && step.added[0][0] === "" && step.added[0][1] === step.place;
}
