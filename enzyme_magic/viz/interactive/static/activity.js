// The activity of each instruction: as the control flow graph that Graphviz laid out, or as rows; for any recorded choice of parameters.

class ActivityPanel {
  static tab = ["activity", "Activity"];

  constructor(inspector) {
    this.inspector = inspector;
    this.asRows = false;
  }

  build() {
    this.graph = h("div", { class: "picture" });
    this.minimap = new Minimap(this.graph);
    this.trail = h("nav", { class: "trail", "aria-label": "the loop or call that is drawn" });
    this.finder = new Finder(this.inspector);
    this.list = h("div", { class: "listing instructions", role: "listbox", "aria-label": "instructions" });
    this.change = h("p", { class: "change", "aria-live": "polite" });
    this.buildGraph();
    this.buildRows();
    const bar = h("div", { class: "bar" }, this.parameterBoxes(), this.directions(), this.switches(), this.finder.build());
    this.update();
    return [bar, this.change, this.trail, this.minimap.box, this.list, legend(["active", ...(this.inspector.record.inCall(this.inspector.record.order[0]) ? ["idle"] : []), "inactive", "cached"])];
  }

  parameterBoxes() {
    const { record, model } = this.inspector;
    const chosen = new Set(this.inspector.wrt());
    const boxes = record.candidates().map((name) =>
      checkbox(name, chosen.has(name), (on) => {
        const now = new Set(this.inspector.wrt());
        if (on) now.add(name);
        else now.delete(name);
        this.inspector.set("wrt", record.candidates().filter((other) => now.has(other)));
      }),
    );
    this.boxes = boxes.map((label) => label.querySelector("input"));
    const fixed = record.data.parameters.filter((parameter) => !record.candidates().includes(parameter.name));
    return h("fieldset", {}, h("legend", {}, "active parameters"), boxes, fixed.map((parameter) => h("span", { class: "fixed" }, `${parameter.name}: ${unasked(parameter)}`)));
  }

  directions() {
    const options = [["active", "both"], ["varies", "varies"], ["matters", "matters"]];
    if (this.inspector.record.inCall(this.inspector.record.order[0])) options.push(["call", "this call"]);
    return radios("highlight", `direction-${this.inspector.number}`, options, this.inspector.get("direction"), (value) => this.inspector.set("direction", value));
  }

  switches() {
    const hide = checkbox("hide inactive", this.inspector.get("hide_inactive"), (on) => this.inspector.set("hide_inactive", on));
    this.hideBox = hide.querySelector("input");
    const rows = checkbox("as rows", this.asRows, (on) => {
      this.asRows = on;
      this.update();
    });
    this.wholeBox = checkbox("whole drawing", false, (on) => {
      this.whole = on;
      this.fit();
    });
    this.wholeBox.hidden = true;
    return h("fieldset", {}, h("legend", {}, "view"), hide, rows, this.wholeBox);
  }

  buildGraph() {
    this.groups = new Map();
    this.svg = null;
    if (this.part && !this.parts().some((part) => part.name === this.part)) this.part = "";
    const svg = this.inspector.picture(this.part ? `activity_${this.part}` : "activity");
    this.graph.replaceChildren();
    this.inspector.places.prune();
    this.showTrail();
    if (!svg) return;
    this.graph.append(svg);
    for (const text of [...svg.querySelectorAll(".graph > text")]) text.remove(); // title, counts and legend stand outside of the drawing
    this.svg = svg;
    for (const id of this.inspector.record.order) {
      const group = svg.getElementById(`a_${id}`);
      if (!group) continue;
      this.groups.set(id, cellsOf(group));
      group.setAttribute("role", "button");
      group.setAttribute("tabindex", "-1");
      this.inspector.selectable(id, group);
    }
    for (const part of this.parts()) if (part.parent === (this.part || "")) openable(svg.getElementById(`box_${part.region}`), part, () => this.go(part.name));
  }

  parts() {
    return this.inspector.record.data.parts || [];
  }

  /** Draws that part, "" is the whole; what had the focus is gone, so that the drawing gets it. */
  go(name, focus = true) {
    this.part = name;
    this.buildGraph();
    this.update();
    this.inspector.highlight();
    if (focus) (this.trail.querySelector("[aria-current]") || this.graph).focus();
  }

  /** To the drawing around; false where the whole is drawn. */
  leave() {
    const part = this.parts().find((other) => other.name === this.part);
    if (part) this.go(part.parent);
    return Boolean(part);
  }

  /** The way from the whole to the part that is drawn, as buttons. */
  showTrail() {
    const way = [];
    for (let at = this.parts().find((part) => part.name === this.part); at; at = this.parts().find((part) => part.name === at.parent)) way.unshift(at);
    const step = (name, text, last) => h("button", { type: "button", "aria-current": last ? "true" : null, onclick: () => this.go(name) }, text);
    this.trail.hidden = !way.length;
    this.trail.replaceChildren(step("", this.inspector.record.data.function, false), ...way.flatMap((part, index) => [h("span", { "aria-hidden": "true" }, "›"), step(part.name, part.title, index === way.length - 1)]), h("span", { class: "note" }, way.at(-1)?.subtitle || ""));
  }

  /** Draws the part in which the selected thing is, where the present drawing does not have it. */
  follow(key) {
    if (!key || this.asRows || !this.parts().length) return;
    const members = this.inspector.record.members(key);
    if (!members.length || members.some((id) => this.groups.has(id))) return;
    const holding = this.parts().filter((part) => members.some((id) => part.rows.includes(id)));
    const wanted = holding.at(-1)?.name || ""; // those around come before those inside
    if (wanted === (this.part || "")) return;
    this.part = wanted;
    this.buildGraph();
    this.update();
  }

  /** Once the drawing is seen: its box without the room that the title had, and letters that can be read however wide it is. */
  shown() {
    const svg = this.svg;
    if (!svg?.getClientRects().length || svg.dataset.fitted) return;
    const boxes = [...svg.querySelectorAll(".graph > .node, .graph > .edge")].map((element) => element.getBBox());
    if (!boxes.length) return;
    const [left, top] = [Math.min(...boxes.map((box) => box.x)) - GAP, Math.min(...boxes.map((box) => box.y)) - GAP];
    const width = Math.max(...boxes.map((box) => box.x + box.width)) + GAP - left;
    const height = Math.max(...boxes.map((box) => box.y + box.height)) + GAP - top;
    const graph = svg.querySelector(".graph");
    graph.removeAttribute("transform");
    graph.querySelector("polygon")?.setAttribute("visibility", "hidden"); // the card; the page has the same colour
    for (const [name, value] of Object.entries({ viewBox: `${left} ${top} ${width} ${height}`, width: Math.round(width * SCALE), height: Math.round(height * SCALE) })) svg.setAttribute(name, value);
    svg.dataset.fitted = "true";
    this.minimap.draw(svg);
    this.place(SMALLEST * width * SCALE);
    this.wholeBox.hidden = !this.wide;
    this.fit();
  }

  /** Below a wide drawing stand the reasons that beside it would leave less than `room` for it: its letters could not be read. */
  place(room) {
    for (const below of [false, true]) {
      this.inspector.reasonsBelow("activity", below);
      this.minimap.move();
      this.wide = this.graph.clientWidth < room;
      if (!this.wide) break;
    }
  }

  fit() {
    const large = Boolean(this.wide && !this.whole);
    this.svg?.classList.toggle("large", large);
    this.minimap.move();
    const first = this.svg?.querySelector(".node");
    if (!large || !first?.getClientRects().length) return;
    const [box, frame] = [first.getBoundingClientRect(), this.graph.getBoundingClientRect()];
    this.graph.scrollLeft += box.left + box.width / 2 - frame.left - frame.width / 2;
  }

  buildRows() {
    const { record } = this.inspector;
    this.rows = new Map();
    const boxes = [["", "arguments", record.data.parameters], ...record.data.activity.blocks.map((block) => [block.name, block.runs || "", block.instructions])];
    for (const [name, runs, members] of boxes) {
      const items = members.map((member) => this.row(member));
      const leaving = record.data.activity.edges.filter((edge) => edge.source === name).map((edge) => `${edge.label ? `${edge.label} ` : ""}→ ${edge.target}`);
      this.list.append(
        h("div", { class: "block", role: "group", "aria-label": name || runs }, h("div", { class: "head" }, name || runs, name && runs ? h("small", {}, ` ${runs}`) : ""), items, h("div", { class: "folded" }), h("div", { class: "edges" }, leaving.join(", "))),
      );
    }
  }

  row(member) {
    const id = member.identifier;
    const mark = h("span", { class: "gutter" });
    const text = member.text || `${member.c_type} ${member.name}`.replace(/\* (?=\w+$)/, "*");
    const row = h("div", { class: "row", role: "option", tabindex: -1 }, mark, h("code", {}, text), h("span", { class: "note" }, member.line ? `line ${member.line}` : ""));
    this.rows.set(id, { row, mark });
    this.inspector.selectable(id, row);
    return row;
  }

  /** Marks as the chosen parameters and the chosen direction say. */
  update() {
    const { record } = this.inspector;
    const wrt = this.inspector.wrt();
    this.boxes?.forEach((box, index) => (box.checked = wrt.includes(record.candidates()[index])));
    if (this.hideBox) this.hideBox.checked = this.inspector.get("hide_inactive");
    const verdicts = record.verdicts(wrt);
    this.paint(verdicts || this.unknown());
    for (const part of [this.graph, this.list]) part.classList.toggle("unknown", !verdicts);
    this.say(wrt, verdicts);
    const drawn = this.groups.size > 0 && !this.asRows;
    this.minimap.box.hidden = !drawn;
    this.trail.hidden = !drawn || !this.part;
    this.shown();
    this.list.hidden = drawn;
  }

  /** No marks, where the record does not know this choice: never those of another. */
  unknown() {
    return new Map(this.inspector.record.order.map((id) => [id, { active: false, varies: false, matters: false, because: [] }]));
  }

  paint(verdicts) {
    const direction = this.inspector.get("direction");
    const hide = this.inspector.get("hide_inactive");
    const before = this.inspector.before();
    const own = this.isOwn(this.inspector.wrt());
    for (const id of this.inspector.record.order) {
      const call = direction === "call" ? this.inCall(id, verdicts, own) : null;
      const on = call ? call !== "inactive" : verdicts.get(id)[direction];
      const row = this.inspector.record.byId.get(id);
      const stored = Boolean(row && row.slot) && (on || (own && direction === "active"));
      const mark = call || (stored ? "cached" : on ? "active" : "inactive");
      const entry = this.rows.get(id);
      entry.row.className = `${entry.row.className.replace(/\b(active|idle|inactive|plain|cached|became|ceased)\b/g, "").replace(/ +/g, " ").trim()} ${mark}`;
      entry.mark.replaceChildren(...gutter(mark).childNodes);
      entry.mark.className = `gutter ${mark}`;
      entry.row.hidden = hide && !on;
      paintCells(this.groups.get(id), mark, hide && !on);
      const changed = before && before.has(id) !== verdicts.get(id).active ? (verdicts.get(id).active ? "became" : "ceased") : "";
      if (changed) entry.row.classList.add(changed);
      const group = this.groups.get(id)?.group;
      group?.classList.toggle("became", changed === "became");
      group?.classList.toggle("ceased", changed === "ceased");
      group?.setAttribute("aria-label", this.inspector.describe(id));
      entry.row.setAttribute("aria-label", this.inspector.describe(id));
    }
    for (const block of this.list.children) {
      const hidden = [...block.querySelectorAll(".row")].filter((row) => row.hidden).length;
      block.querySelector(".folded").textContent = hidden ? `… ${hidden} inactive` : "";
    }
  }

  /** What the watched call says, which was watched for the record's own parameters: nothing of other choices. */
  inCall(id, verdicts, own) {
    return own ? this.inspector.record.inCall(id) : verdicts.get(id).active ? "active" : "inactive";
  }

  /** Counts of the watched call, as a sentence. */
  ofCall() {
    const { record } = this.inspector;
    const predicted = record.rows.filter((row) => ["active", "idle"].includes(record.inCall(row.identifier)));
    const idle = predicted.filter((row) => record.inCall(row.identifier) === "idle").length;
    const carried = `In this call ${predicted.length - idle} of the ${plural(predicted.length, "active instruction")} that ${predicted.length === 1 ? "gives a number" : "give numbers"} carried a derivative`;
    return idle ? `${carried}; ${idle} ${idle === 1 ? "was" : "were"} predicted and did not.` : `${carried}.`;
  }

  /** Whether the record was made for these parameters: only then does it know what is stored. */
  isOwn(wrt) {
    return [...wrt].sort().join() === [...this.inspector.record.data.wrt].sort().join();
  }

  say(wrt, verdicts) {
    const { record } = this.inspector;
    const own = this.isOwn(wrt);
    if (!wrt.length) {
      this.change.textContent = "No parameter is chosen: nothing is active.";
      return;
    }
    if (!verdicts) {
      this.change.textContent = "This choice is not in the record: it needs the kernel. The marks are left out.";
      return;
    }
    const total = record.rows.length;
    const active = record.rows.filter((row) => verdicts.get(row.identifier).active).length;
    const sentence = `${active} of ${plural(total, "instruction")} active with respect to ${wrt.join(", ") || "nothing"}`;
    const parts = [`${sentence}.`];
    if (own && record.data.watched && !record.data.watched.reason) parts.push(this.ofCall());
    const folded = this.groups.size ? record.order.length - this.groups.size : 0;
    if (folded && !this.asRows) parts.push(`${plural(folded, "row")} not in this drawing: “as rows” has all${this.parts().some((part) => part.parent === (this.part || "")) ? ", a click on a folded loop or call opens it" : ""}.`);
    const before = this.inspector.before();
    if (before) {
      const became = record.order.filter((id) => verdicts.get(id).active && !before.has(id)).length;
      const ceased = record.order.filter((id) => !verdicts.get(id).active && before.has(id)).length;
      parts.push(`Against ${this.inspector.beforeName}: ${became} became active, ${ceased} became inactive.`);
    }
    if (!own) parts.push(`Reasons and saved values are those of the gradient with respect to ${record.data.wrt.join(", ")}.`);
    this.change.textContent = parts.join(" ");
  }
}

const GAP = 6;
const SCALE = 4 / 3; // Graphviz counts in points
const SMALLEST = 0.75;

/** The drawn row of an instruction: its group, the gutter cell and sign that Graphviz drew before it, the small print after it. The
 * sign is a blank where the watched call does not tell of the row: other views of the same drawing have one there. */
function cellsOf(group) {
  const cells = { group, gutter: null, sign: null, aside: [] };
  const [first, second] = [group.nextElementSibling, group.nextElementSibling?.nextElementSibling];
  if (isSmallPrint(first)) cells.aside = [first];
  else if (isFilled(first) && isSmallPrint(second)) cells.aside = [first, second];
  let other = group.previousElementSibling;
  if (other && other.tagName === "text" && other.textContent.trim().length <= 1) {
    cells.sign = other;
    other = other.previousElementSibling;
    if (isFilled(other)) cells.gutter = other;
  }
  return cells;
}

function isFilled(element) {
  return element?.tagName === "polygon" && element.getAttribute("fill") !== "none";
}

function isSmallPrint(element) {
  return element?.tagName === "text" && element.textContent.trim().length > 1;
}

function paintCells(cells, mark, hidden) {
  if (!cells) return;
  const parts = [cells.group, cells.gutter, cells.sign, ...cells.aside].filter(Boolean);
  for (const part of parts) {
    part.classList.remove("active", "idle", "inactive", "plain", "cached");
    part.classList.add("cell", mark);
    if (cells.aside.includes(part)) part.classList.add("aside");
    part.classList.toggle("veiled", hidden);
  }
  cells.gutter?.classList.add("gutter-cell");
  if (cells.sign) {
    cells.sign.classList.add("sign");
    cells.sign.classList.toggle("alone", !cells.gutter); // drawn as inactive: it stands on the card, not on a colour
    cells.sign.textContent = SIGNS[mark];
  }
}

/** Why nobody can ask for the derivative with respect to a parameter. */
function unasked({ role, c_type }) {
  if (role === "out") return "output";
  const whole = /\b(int|long|short|char|size_t|bool|_Bool|unsigned|\w+_t)\b/.test(c_type) && !c_type.includes("*");
  return whole ? "integer, no derivative" : "no derivative";
}
