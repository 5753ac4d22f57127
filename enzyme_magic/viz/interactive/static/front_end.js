// The two ways in: as an anywidget's front end, and in an exported page, where the state lives in the page itself.

export default {
  render({ model, el }) {
    const host = document.createElement("div");
    el.append(host); // the shadow root is the child's: the widget's own element belongs to the front end
    const inspector = new Inspector(model, host);
    return () => inspector.destroy();
  },
};

/** What a widget's model is to the inspector, without a kernel. */
class PageModel {
  constructor(state) {
    this.state = state;
    this.handlers = new Map();
  }

  get(name) {
    return this.state[name];
  }

  set(name, value) {
    if (this.state[name] === value) return;
    this.state[name] = value;
    for (const handler of [...(this.handlers.get(`change:${name}`) || [])]) handler();
  }

  save_changes() {}

  on(event, handler) {
    this.handlers.set(event, [...(this.handlers.get(event) || []), handler]);
  }

  off(event, handler) {
    this.handlers.set(event, (this.handlers.get(event) || []).filter((other) => other !== handler));
  }

  /** The page holds every drawing in both themes; the ids of dark ones and of parts have a prefix. */
  picture(name, theme) {
    const drawn = document.querySelector(`section#${name} figure.${theme} svg`);
    if (!drawn) return null;
    const svg = drawn.cloneNode(true);
    for (const group of svg.querySelectorAll("[id]")) group.id = group.id.replace(/^(dark_)?(part\d+_)?/, "");
    return svg;
  }
}

/** Puts the inspector into an exported page, above the pictures, which are folded. */
export function startPage() {
  const state = JSON.parse(document.getElementById("em-state").textContent);
  const host = document.getElementById("em-inspector");
  host.hidden = false;
  const inspector = new Inspector(new PageModel(state), host);
  document.body.classList.add("interactive");
  fold(document.getElementById("em-more"), document.getElementById("em-below"));
  return inspector;
}

/** The pictures and texts below: the inspector has all of it, so they wait until they are asked for. */
function fold(button, below) {
  if (!button || !below) return;
  const show = (on) => {
    below.hidden = !on;
    button.setAttribute("aria-expanded", on);
  };
  button.hidden = false;
  button.addEventListener("click", () => show(below.hidden));
  show(false);
}
