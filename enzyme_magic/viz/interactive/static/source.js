// The annotated source: one row a line; clicking a line selects all its instructions.

class SourcePanel {
  static tab = ["source", "Source"];

  constructor(inspector) {
    this.inspector = inspector;
  }

  build() {
    const { record } = this.inspector;
    const rows = trimmed(record.data.source).map((line) => this.row(line));
    const list = h("div", { class: "listing source", role: "listbox", "aria-label": "C source" }, rows);
    this.box = h("div", { class: "trio" }, list);
    const linked = checkbox("beside it: the gradient as C, and the IR", false, (on) => this.link(on));
    return [h("div", { class: "bar" }, linked), this.box, legend(["active", "mixed", "inactive", "cached"])];
  }

  /** First the function that was asked about; what is selected, where something is. */
  shown() {
    if (this.seen) return;
    this.seen = true;
    begin(this.box.querySelector(".listing"), this.inspector.record);
  }

  /** The panes are made when they are first wanted. */
  link(on) {
    this.panes ||= new Panes(this.inspector).build();
    for (const pane of this.panes) if (on) this.box.append(pane);
    else pane.remove();
    this.box.classList.toggle("three", on);
    this.inspector.linked(on);
  }

  row(line) {
    const known = line.mark in SIGNS ? line.mark : "";
    const row = h(
      "div",
      { class: `row ${known || "plain"}`, role: "option", tabindex: -1 },
      h("span", { class: "number" }, line.number),
      gutter(known),
      h("code", {}, cTokens(line.text).map(([text, kind]) => (kind ? h("span", { class: kind }, text) : text)) , line.text ? "" : " "),
      h("span", { class: "note" }, line.note),
    );
    this.inspector.selectable(`L${line.number}`, row);
    return row;
  }
}

/** Scrolls a listing of the source to the function that was asked about. */
function begin(listing, record) {
  const row = listing.children[firstLine(record.data) - 1];
  if (row) listing.scrollTop += row.getBoundingClientRect().top - listing.getBoundingClientRect().top;
}

/** The number of the line with which the function begins. */
function firstLine(data) {
  const known = data.parameters.map((parameter) => parameter.line).filter(Boolean);
  if (known.length) return Math.min(...known);
  const named = new RegExp(`\\b${data.function}\\s*\\(`);
  return data.source.find((line) => named.test(line.text) && !line.text.includes(";"))?.number ?? 1;
}

function trimmed(lines) {
  let end = lines.length;
  while (end > 0 && !lines[end - 1].text.trim() && !lines[end - 1].mark) end--;
  return lines.slice(0, end);
}

const C_WORDS = /^(auto|break|case|const|continue|default|do|double|else|enum|extern|float|for|goto|if|inline|int|long|register|restrict|return|short|signed|sizeof|static|struct|switch|typedef|union|unsigned|void|volatile|while|size_t)$/;

function cTokens(text) {
  const found = [];
  let end = 0;
  for (const match of text.matchAll(/(\/\/.*$|\/\*.*?\*\/)|("(?:\\.|[^"\\])*")|([A-Za-z_]\w*)/g)) {
    const kind = match[1] ? "comment" : match[3] && C_WORDS.test(match[3]) ? "word" : "";
    if (!kind) continue;
    found.push([text.slice(end, match.index), ""], [match[0], kind]);
    end = match.index + match[0].length;
  }
  found.push([text.slice(end), ""]);
  return found.filter(([part]) => part);
}

function legend(marks) {
  return h("p", { class: "legend" }, marks.map((mark) => h("span", {}, h("span", { class: `gutter ${mark}`, "aria-hidden": "true" }, SIGNS[mark]), ` ${WORDS[mark]}`)));
}
