// Large graphs: folded boxes that open, a small map of the whole, a search through all instructions.

const MAP = { width: 110, height: 320 }; // pixels, at most
const MUCH = 1.2;
const TALLEST = 0.75; // of the window: see .picture

/** A folded box answers clicks, Enter and the space bar; its rows still select themselves. */
function openable(box, part, open) {
  if (!box) return;
  box.classList.add("fold");
  box.dataset.part = part.name;
  for (const [name, value] of Object.entries({ role: "button", tabindex: "0", "aria-label": `open ${part.title}, ${part.subtitle}: ${plural(part.rows.length, "row")}` })) box.setAttribute(name, value);
  const title = s("title", {}, `open ${part.title}: ${plural(part.rows.length, "row")}`);
  box.prepend(title);
  box.addEventListener("click", (event) => {
    if (event.target.closest("[data-key]")) return;
    event.preventDefault();
    event.stopPropagation();
    open();
  });
  box.addEventListener("keydown", (event) => {
    if (event.target !== box || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    event.stopPropagation();
    open();
  });
}

/** The boxes of a drawing that is larger than its frame, and which part of it is seen; a click goes there. Readers have the graph itself. */
class Minimap {
  constructor(frame) {
    this.frame = frame;
    this.map = s("svg", { class: "map", "aria-hidden": "true" });
    this.window = s("rect", { class: "window" });
    this.box = h("div", { class: "drawn" }, frame); // the map stands beside the frame
    frame.addEventListener("scroll", () => this.move());
    const go = (event) => event.buttons & 1 && this.go(event);
    this.map.addEventListener("pointerdown", go);
    this.map.addEventListener("pointermove", go);
    if (typeof ResizeObserver !== "undefined") new ResizeObserver(() => this.move()).observe(frame);
  }

  draw(svg) {
    this.svg = svg;
    const [left, top, width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
    const scale = Math.min(MAP.width / width, MAP.height / height);
    for (const [name, value] of Object.entries({ viewBox: `${left} ${top} ${width} ${height}`, width: Math.round(width * scale), height: Math.round(height * scale) })) this.map.setAttribute(name, value);
    const boxes = [...svg.querySelectorAll(".graph > .node")].map((node) => node.getBBox());
    this.map.replaceChildren(...boxes.map((box) => s("rect", { x: box.x, y: box.y, width: box.width, height: box.height })), this.window);
    this.move();
  }

  /** Whether the drawing is larger than its frame. Asked of sizes that do not change with the map, or it would come and go for ever. */
  needed() {
    const room = this.box.clientWidth;
    if (!this.svg?.isConnected || !room) return false;
    const [width, height] = ["width", "height"].map((name) => Number(this.svg.getAttribute(name)));
    const scale = this.svg.classList.contains("large") ? 1 : Math.min(1, room / width);
    return height * scale > MUCH * TALLEST * innerHeight || width * scale > MUCH * room;
  }

  move() {
    const { frame, svg } = this;
    const needed = this.needed();
    if (needed !== this.map.isConnected) needed ? this.box.append(this.map) : this.map.remove();
    if (!needed) return;
    const [left, top, width] = svg.getAttribute("viewBox").split(" ").map(Number);
    const [outer, drawn] = [frame.getBoundingClientRect(), svg.getBoundingClientRect()];
    const unit = width / drawn.width;
    const seen = { x: left + (outer.left - drawn.left) * unit, y: top + (outer.top - drawn.top) * unit, width: frame.clientWidth * unit, height: frame.clientHeight * unit };
    for (const [name, value] of Object.entries(seen)) this.window.setAttribute(name, value);
  }

  go(event) {
    event.preventDefault();
    const [own, drawn] = [this.map.getBoundingClientRect(), this.svg.getBoundingClientRect()];
    this.frame.scrollTop = ((event.clientY - own.top) / own.height) * drawn.height - this.frame.clientHeight / 2;
    this.frame.scrollLeft = ((event.clientX - own.left) / own.width) * drawn.width - this.frame.clientWidth / 2;
  }
}

/** Finds instructions by their text, what they compute in C, or their line; what is found is selected, and seen wherever it is folded. */
class Finder extends SearchBox {
  constructor(inspector) {
    super("search the graph");
    this.inspector = inspector;
  }

  places(wanted) {
    const { record } = this.inspector;
    const said = (id) => {
      const row = record.byId.get(id);
      return row ? `${row.text}\n${row.c}\n${row.line ? `line ${row.line}` : ""}` : record.name(id);
    };
    return record.order.filter((id) => said(id).toLowerCase().includes(wanted));
  }

  show(places, at) {
    if (at >= 0) this.inspector.set("selected", places[at]);
  }
}
