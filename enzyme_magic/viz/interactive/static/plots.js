// Measured plots beside a call: the function along one number, with a cursor that reads its points; times of the function and its gradient.

class PlotsView {
  constructor(inspector) {
    this.inspector = inspector;
    this.at = new Map(); // of each curve the point that the cursor is on
  }

  build() {
    this.curves = h("div", {});
    this.times = h("div", {});
    this.along = h("details", { class: "plots" }, h("summary", {}, "Along one number: value, gradient, differences"), this.asking(), this.curves);
    this.cost = h("details", { class: "plots" }, h("summary", {}, "How long the function and its gradient take"), this.measuring(), this.times);
    this.update();
    return [this.along, this.cost];
  }

  /** With a kernel: over which number. Enter draws. */
  asking() {
    const { inspector } = this;
    if (!inspector.alive()) return this.needs("curves", "along", "view='curve', over='x'");
    const names = inspector.record.data.parameters.filter((parameter) => /^(const )?(float|double|long double)\b/.test(parameter.c_type)).map(({ name, c_type }) => (/[*[]/.test(c_type) ? `${name}[0]` : name));
    const draw = () => field.value.trim() && inspector.model.send({ kind: "curve", over: field.value.trim() });
    const field = h("input", { type: "text", value: names[0] ?? "", size: 10, onkeydown: (event) => event.key === "Enter" && draw() });
    const places = names.slice(1, 5).map((name) => h("code", {}, name));
    return h("div", { class: "bar" }, labelled("over", field), h("button", { type: "button", onclick: draw }, "draw"), places.length ? h("span", { class: "note" }, "or ", places.flatMap((place, k) => (k ? [", ", place] : [place]))) : null);
  }

  measuring() {
    const { inspector } = this;
    if (!inspector.alive()) return this.needs("costs", "cost", "view='cost', at=(…)");
    return h("div", { class: "bar" }, h("button", { type: "button", onclick: () => inspector.model.send({ kind: "costs" }) }, "measure"));
  }

  /** What a page without these plots says; nothing where it has them. */
  needs(name, box, how) {
    const found = this.inspector.get(name) || {};
    if (Object.keys(found).length) return null;
    return h("p", { class: "note" }, `Not in this page. f.export("f.html", ${how.replaceAll("'", '"')}) has it, and a notebook with a kernel draws it.`);
  }

  update() {
    const curves = this.inspector.get("curves") || [];
    const costs = this.inspector.get("costs") || {};
    this.curves.replaceChildren(...curves.map((curve) => this.curve(curve)));
    this.times.replaceChildren(...(costs.picture ? [this.drawing(costs.picture), this.rows(costs)] : []));
    if (curves.length) this.along.open = true;
    if (costs.picture) this.cost.open = true;
  }

  /** The drawing; what it says in words when the kernel has not sent it yet. */
  drawing(name) {
    return this.inspector.picture(name) || h("p", { class: "note" }, "The drawing is being made …");
  }

  curve(curve) {
    const last = curve.points.length - 1;
    const drawn = this.drawing(curve.picture);
    const line = s("line", { y1: curve.frame.top, y2: curve.frame.bottom, class: "cursor" });
    if (drawn instanceof SVGElement) drawn.append(line);
    const said = h("output", { "aria-live": "off" });
    const slider = h("input", { type: "range", min: 0, max: last, step: 1, class: "long", "aria-label": `${curve.over}: a point of the curve`, oninput: () => go(Number(slider.value)) });
    const go = (to) => {
      const at = Math.min(last, Math.max(0, to));
      this.at.set(curve.over, at);
      const [x, value, gradient, difference] = curve.points[at];
      const across = curve.frame.left + ((curve.frame.right - curve.frame.left) * (x - curve.frame.low)) / (curve.frame.high - curve.frame.low);
      for (const end of ["x1", "x2"]) line.setAttribute(end, across);
      said.textContent = `${curve.over} = ${measured(x)}: value ${measured(value)}, gradient ${measured(gradient)}, differences ${measured(difference)}`;
      slider.value = at;
      slider.setAttribute("aria-valuetext", said.textContent);
    };
    const rows = curve.points.map((point) => h("tr", {}, point.map((number) => h("td", {}, measured(number)))));
    const head = h("thead", {}, h("tr", {}, [curve.over, "value", "gradient", "differences"].map((text) => h("th", { scope: "col" }, text))));
    const table = h("details", {}, h("summary", {}, "as a table"), h("div", { class: "table-box" }, h("table", {}, h("caption", {}, curve.title), head, h("tbody", {}, rows))));
    go(this.at.get(curve.over) ?? Math.floor(last / 2));
    return h("figure", {}, drawn, h("div", { class: "bar" }, h("label", { class: "grow" }, h("span", {}, curve.over), slider), said), this.sentences(curve), table);
  }

  sentences({ sentences }) {
    return h("ul", {}, sentences.map((text) => h("li", {}, `${text}.`)));
  }

  rows(costs) {
    const rows = costs.rows.map(([what, optimized, time]) => h("tr", {}, h("td", {}, what), h("td", {}, optimized ? "optimized" : "not optimized"), h("td", {}, time)));
    const head = h("thead", {}, h("tr", {}, ["what", "", "one call"].map((text) => h("th", { scope: "col" }, text))));
    return h("details", {}, h("summary", {}, "as a table"), h("div", { class: "table-box" }, h("table", {}, h("caption", {}, `${costs.title}. ${costs.sentences.join(". ")}.`), head, h("tbody", {}, rows))));
  }
}

/** A number as people read it; null is what is not finite. */
function measured(number) {
  return number === null ? "not finite" : String(Number(number.toPrecision(6)));
}
