// The IR stages: one, or two side by side with what became of each line; filters and search.

const MOST_LINES = 6000;
const LONG = 600;

/** Marks the lines of the IR that hold a text. */
class LineFinder extends SearchBox {
  constructor(panel) {
    super("search the IR");
    this.panel = panel;
  }

  places(wanted) {
    this.panel.unfoldAll();
    return [...this.panel.table.querySelectorAll(".row")].filter((row) => row.querySelector("code")?.textContent.toLowerCase().includes(wanted));
  }

  show(found, at) {
    for (const row of this.panel.table.querySelectorAll(".found, .here")) row.classList.remove("found", "here");
    for (const row of found) row.classList.add("found");
    if (at < 0) return;
    found[at].classList.add("here");
    found[at].closest(".pair[hidden]")?.removeAttribute("hidden"); // one of folded rows
    found[at].scrollIntoView({ block: "nearest" });
  }
}

class IRPanel {
  static tab = ["ir", "IR"];

  constructor(inspector) {
    this.inspector = inspector;
    this.hidden = new Set(FILTERS.map(([key]) => key));
    this.onlyChanges = false;
    this.finder = new LineFinder(this);
    this.folds = []; // of rows that are made when they are seen
    this.copies = new Map();
  }

  build() {
    const stages = this.inspector.record.data.stages.map((stage) => [stage.name, stage.name]);
    if (!stages.length) return [h("p", {}, "This record has no IR.")];
    const pick = (name, text, options) => choice(text, options, this.inspector.get(name), (value) => this.inspector.set(name, value));
    this.table = h("div", { class: "listing ir", role: "region", "aria-label": "IR" });
    this.summary = h("p", { class: "change", "aria-live": "polite" });
    const filters = FILTERS.map(([key, text]) => checkbox(text, this.hidden.has(key), (on) => this.filter(key, on)));
    const changes = checkbox("only changes", this.onlyChanges, (on) => {
      this.onlyChanges = on;
      this.update();
    });
    this.bar = h(
      "div",
      { class: "bar" },
      h("fieldset", {}, h("legend", {}, "stages"), pick("left", "left", stages), pick("right", "right", [["", "none"], ...stages]), changes),
      h("fieldset", {}, h("legend", {}, "hide"), filters),
      this.finder.build(),
    );
    this.passes = new PassesView(this.inspector);
    this.update();
    return [this.bar, this.passes.build(), this.summary, this.table];
  }

  filter(key, on) {
    if (on) this.hidden.add(key);
    else this.hidden.delete(key);
    this.update();
  }

  update() {
    const { record } = this.inspector;
    const left = record.stage(this.inspector.get("left"));
    const right = record.stage(this.inspector.get("right"));
    const sides = [left, right].filter(Boolean).map((stage) => this.lines(stage));
    for (const [index, select] of [...this.bar.querySelectorAll("select")].entries()) select.value = this.inspector.get(index ? "right" : "left");
    this.table.replaceChildren();
    this.folds = [];
    this.inspector.places.prune();
    this.table.classList.toggle("two", sides.length === 2);
    if (!sides.length) this.summary.textContent = "No stage is chosen.";
    else if (sides.length === 1) this.one(left || right, sides[0]);
    else this.two(left, right, ...sides);
    this.finder.find(0);
    this.inspector.highlight();
  }

  /** The lines of a stage with the keys that they stand for: an instruction where it is that very one, else the C line. */
  lines(stage) {
    const { record } = this.inspector;
    const names = new Set([record.data.function, `diffe_${record.data.function}`, ...definitions(stage.text, record.data.function)]);
    const found = visibleLines(stage.text, this.hidden, names);
    const copies = found.filter((line) => this.copied(stage).has(bare(line.text)));
    const pairs = compare(record.rows.map((row) => bare(row.llvm)), copies.map((line) => bare(line.text)));
    for (const pair of pairs) if (["same", "renamed"].includes(pair.kind)) copies[pair.right].id = record.rows[pair.left].identifier;
    this.markLoops(stage, found);
    return found;
  }

  /** Each line of a loop that LLVM made from another one knows of that; the function that was asked for comes first in a text. */
  markLoops(stage, lines) {
    const copies = new Map((stage.copies || []).flatMap((copy) => copy.blocks.map((block) => [block, copy])));
    let copy = null;
    for (const line of lines) {
      const label = /^("[^"]*"|[\w.$-]+):/.exec(line.text);
      if (label) copy = copies.get(label[1].replaceAll('"', "")) || null;
      if (line.text === "}") break;
      if (!label) line.copy = copy;
    }
  }

  /** The lines of a stage that are the function's own: all of the optimized function, what the gradient copied of it. */
  copied(stage) {
    if (!this.copies.has(stage.name)) {
      const own = stage.name === "optimized" ? () => true : (block, index) => stage.name === "gradient" && block.origins[index] === "primal";
      this.copies.set(stage.name, new Set(stage.blocks.flatMap((block) => block.lines.filter((_, index) => own(block, index))).map(bare)));
    }
    return this.copies.get(stage.name);
  }

  one(stage, lines) {
    this.summary.textContent = `${stage.name}: ${stage.title}, ${plural(stage.instructions, "instruction")}.`;
    this.rows(lines.slice(0, MOST_LINES).map((line) => h("div", { class: "pair" }, this.cell(line))));
    if (lines.length > MOST_LINES) this.table.append(h("p", {}, `… ${lines.length - MOST_LINES} more lines`));
  }

  two(left, right, mine, theirs) {
    const compared = byOrigin(compare(mine.map((line) => line.text), theirs.map((line) => line.text)), mine, theirs);
    for (const pair of compared) if (pair.kind === "new" && theirs[pair.right].copy) pair.kind = "copy";
    const counts = group(compared.filter((pair) => (mine[pair.left] || theirs[pair.right]).text.trim()), (pair) => pair.kind);
    const number = (kind) => (counts.get(kind) || []).length;
    this.summary.textContent =
      `${left.name} → ${right.name}: ${left.instructions.toLocaleString("en")} → ${plural(right.instructions, "instruction")}; ` +
      `${number("same")} lines the same, ${number("renamed")} renamed, ${number("changed")} changed, ${number("gone")} gone, ${number("new")} new.${this.origins(counts, mine, theirs)}${loops(right, this.inspector.record)}`;
    const found = beside(compared);
    const shown = this.onlyChanges ? found.filter((pair) => !["same", "renamed"].includes(pair.kind)) : found;
    const head = h("div", { class: "pair head" }, h("div", {}, `${left.name}: ${left.title}`), h("div", {}, `${right.name}: ${right.title}`));
    const row = (pair) => {
      const [gone, fresh] = pair.kinds || [pair.kind, pair.kind];
      return h("div", { class: "pair" }, this.cell(mine[pair.left], CHANGES[gone], gone), this.cell(theirs[pair.right], CHANGES[fresh], fresh));
    };
    this.rows([head, ...this.folded(shown.slice(0, MOST_LINES), row, theirs)]);
    if (shown.length > MOST_LINES) this.table.append(h("p", {}, `… ${shown.length - MOST_LINES} more lines`));
  }

  /** What was matched by its C line, in words. */
  origins(counts, mine, theirs) {
    const moved = (counts.get("moved") || []).filter((pair) => pair.left !== null).length;
    const repeated = (counts.get("copy") || []).map((pair) => theirs[pair.right]);
    const copies = repeated.filter((line) => !line.copy);
    const inside = repeated.length - copies.length;
    const same = hasLines(mine) && hasLines(theirs) ? "operations of the same C lines" : "operations that were there before";
    return `${moved ? ` ${plural(moved, "more line")} ${moved === 1 ? "is" : "are"} found in another place.` : ""}${copies.length ? ` ${plural(copies.length, "more line")} ${copies.length === 1 ? "repeats" : "repeat"} ${same}${again(copies)}.` : ""}${inside ? ` ${plural(inside, "more line")} ${inside === 1 ? "is" : "are"} in loops that take several iterations at once.` : ""}`;
  }

  /** Runs of copies are one row that counts them, and opens; until then its lines are not made. */
  folded(shown, row, theirs) {
    const rows = [];
    for (let at = 0; at < shown.length; at++) {
      const copy = shown[at].left === null ? theirs[shown[at].right].copy || null : null;
      const more = (pair, first) => pair.left === null && (theirs[pair.right].copy || null) === copy && (pair.kind === "copy" || (!first && !theirs[pair.right].text.trim()));
      let end = at;
      while (end < shown.length && more(shown[end], end === at)) end++;
      if (end - at < LEAST_COPIES) rows.push(row(shown[at]));
      else {
        rows.push(this.fold(shown.slice(at, end), copy, row, theirs));
        at = end - 1;
      }
    }
    return rows;
  }

  fold(pairs, copy, row, theirs) {
    const said = copy ? `${times(copy)}: ${plural(pairs.length, "line")}` : `${plural(pairs.length, "more line")} of operations that were there before${again(pairs.map((pair) => theirs[pair.right]))}`;
    const head = h("div", { class: "pair" });
    let hidden = null;
    const make = () => {
      if (hidden) return;
      hidden = pairs.map(row);
      for (const made of hidden) made.hidden = true;
      head.after(...hidden);
    };
    const toggle = () => {
      make();
      const on = button.getAttribute("aria-expanded") === "false";
      for (const made of hidden) made.hidden = !on;
      button.setAttribute("aria-expanded", on);
      this.inspector.light(this.inspector.get("selected"));
    };
    const button = h("button", { type: "button", "aria-expanded": "false", onclick: toggle }, said);
    this.folds.push(make);
    head.append(h("div", { class: "row none" }), h("div", { class: "row copy" }, h("span", { class: "sign" }, CHANGES.copy), button));
    return head;
  }

  /** Makes the lines of all folds: they can be found. */
  unfoldAll() {
    for (const make of this.folds.splice(0)) make();
  }

  /** Of long texts the browser lays out only what is seen. */
  rows(rows) {
    this.table.classList.toggle("long", rows.length > LONG);
    this.table.append(...rows);
  }

  cell(line, sign = "", kind = "") {
    if (!line) return h("div", { class: "row none" });
    if (!line.text.trim()) [sign, kind] = [sign && " ", ""]; // an empty line is no change
    const row = h("div", { class: `row ${kind}`, title: kind && kind !== "same" ? kind : null }, sign ? h("span", { class: "sign" }, sign) : "", h("code", {}, tokens(line.text).map(([text, word]) => (word ? h("span", { class: word }, text) : text)), line.text ? "" : " "), h("span", { class: "note" }, line.line ? `line ${line.line}` : ""));
    const key = line.id || (line.line ? `L${line.line}` : "");
    if (key) this.inspector.selectable(key, row);
    if (line.line) this.inspector.places.add(`~L${line.line}`, row);
    return row;
  }
}

const CHANGES = { same: " ", renamed: "≈", changed: "≠", moved: "↕", gone: "−", copy: "×", new: "+" };
const LEAST_COPIES = 4; // fewer are shown as they are

/** "for.body × 8 lanes × 2": a loop that takes several iterations of another at once. */
function times(copy) {
  return [copy.of, copy.lanes > 1 ? `${copy.lanes} lanes` : "", copy.times > 1 ? copy.times : ""].filter(Boolean).join(" × ");
}

/** What the optimizer made of loops, a sentence for vectors and one for what is unrolled; by their C lines where these are known. */
function loops(stage, record) {
  const copies = stage.copies || [];
  const [wide, long] = [copies.filter((copy) => copy.lanes > 1), copies.filter((copy) => copy.lanes === 1)];
  const one = (copy) => `${times({ ...copy, of: loopInC(copy.of, record) || copy.of })} (${copy.blocks[0]}${copy.blocks.length > 1 ? " …" : ""})`;
  const told = (what, found) => (found.length ? ` ${what}: ${found.map(one).join(", ")}.` : "");
  return told("In vectors", wide) + told("Unrolled", long);
}

/** "the loop with line 5 (reverse sweep)": LLVM names copies of a gradient's loops after its blocks, and those are named after the
 * function's, which have C lines. "" where that does not lead to one block. */
function loopInC(header, record) {
  const blocks = (name) => new Map((record.stage(name)?.blocks || []).map((block) => [block.name, block]));
  const [gradient, own] = [blocks("gradient"), blocks("optimized")];
  const whole = (name) => name.replace(/(\.us\d*)+$/, "");
  const copied = whole(header.replace(/\.(epil|prol)$/, ""));
  const names = new Set([copied, whole(copied.replace(/\.i\d*$/, ""))]); // as it is, or where the gradient was inlined
  const [found, other] = [...names].filter((name) => gradient.has(name));
  if (!found || other) return "";
  const lines = own.get(found.replace(/\.(reverse|previous)$/, ""))?.c_lines || [];
  if (!lines.length) return "";
  const said = lines[0] === lines.at(-1) ? `line ${lines[0]}` : `lines ${lines[0]}–${lines.at(-1)}`;
  return `the loop with ${said} (${own.has(found) ? "forward" : "reverse"} sweep)`;
}

/** " (lines 67 and 77, 12 in vectors of 4)": whose copies these are. */
function again(lines) {
  const numbers = [...new Set(lines.map((line) => line.line).filter(Boolean))].sort((one, other) => one - other);
  const named = numbers.length === 1 ? `line ${numbers[0]}` : numbers.length <= 4 ? `lines ${numbers.slice(0, -1).join(", ")} and ${numbers.at(-1)}` : `${numbers.length} lines, ${numbers[0]} to ${numbers.at(-1)}`;
  const vectors = lines.map((line) => lanes(line.text)).filter((count) => count > 1);
  const wide = [...new Set(vectors)].sort((one, other) => one - other);
  const parts = [numbers.length ? named : "", wide.length ? `${vectors.length.toLocaleString("en")} in vectors of ${listed(wide)}` : ""].filter(Boolean);
  return parts.length ? ` (${parts.join("; ")})` : "";
}

/** What is gone stands beside what is new in its place, so that neither side has long gaps. */
function beside(pairs) {
  const found = [];
  let gone = [];
  let fresh = [];
  const flush = () => {
    for (let k = 0; k < Math.max(gone.length, fresh.length); k++) {
      const [left, right] = [gone[k] ?? null, fresh[k] ?? null];
      const kinds = [left?.kind, right?.kind];
      found.push({ left: left?.left ?? null, right: right?.right ?? null, kind: kinds.filter(Boolean).length < 2 ? kinds[0] || kinds[1] : "replaced", kinds });
    }
    [gone, fresh] = [[], []];
  };
  for (const pair of pairs) {
    if (pair.right === null) gone.push(pair);
    else if (pair.left === null && pair.kind !== "copy") fresh.push(pair);
    else { // copies are folded: they stand alone
      flush();
      found.push(pair);
    }
  }
  flush();
  return found;
}

/** The functions that belong to one C function in a stage: itself, and its derivatives. */
function definitions(text, name) {
  const found = [...text.matchAll(/^define .*?@("[^"]+"|[\w.$-]+)\(/gm)].map((match) => match[1].replaceAll('"', ""));
  return found.filter((other) => other === name || other.startsWith(`diffe_${name}`) || other.endsWith(`_${name}`));
}

/** An instruction without what is hidden by default. */
function bare(text) {
  return shortened(text, new Set(["metadata", "attributes"])).trim();
}
