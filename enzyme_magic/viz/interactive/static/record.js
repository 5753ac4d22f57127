// The report with its indexes: who is who, which chain of facts settles what. No elements here, nothing is inferred.

class Record {
  constructor(json) {
    const data = typeof json === "string" ? JSON.parse(json) : json;
    this.data = data;
    this.rows = data.activity.blocks.flatMap((block) => block.instructions);
    this.byId = new Map(this.rows.map((row) => [row.identifier, row]));
    this.parameters = new Map(data.parameters.map((parameter) => [parameter.identifier, parameter]));
    this.slots = new Map(data.cache.rows.map((row) => [row.identifier, row]));
    this.slotsOf = group(data.cache.rows.filter((row) => row.instruction), (row) => row.instruction);
    this.lines = new Map(data.source.map((line) => [line.number, line]));
    this.idsOfLine = group(this.rows.filter((row) => row.line), (row) => row.line);
    this.order = [...data.parameters.map((parameter) => parameter.identifier), ...this.rows.map((row) => row.identifier)];
    this.position = new Map(this.order.map((id, index) => [id, index]));
  }

  /** In C's words where there are any: "x*x", "a[i] = s", "x". */
  words(key) {
    const row = this.byId.get(key);
    return row ? row.c || JUMP[row.opcode] || row.text : this.name(key);
  }

  /** What a person calls it beside its IR: "%mul = fmul %x, %x", "x", "line 4", the C expression of a saved value. */
  name(key) {
    if (this.byId.has(key)) return this.byId.get(key).text;
    if (this.parameters.has(key)) return this.parameters.get(key).name;
    if (this.slots.has(key)) return this.slots.get(key).expression;
    return key.startsWith("L") ? `line ${key.slice(1)}` : key;
  }

  exists(key) {
    return this.position.has(key) || this.slots.has(key) || (/^L\d+$/.test(key) && this.lines.has(Number(key.slice(1))));
  }

  /** The C line of an instruction, parameter, saved value or line; null where there is none. */
  line(key) {
    if (/^L\d+$/.test(key)) return Number(key.slice(1));
    const found = this.byId.get(key) || this.parameters.get(key) || this.slots.get(key);
    return found ? found.line : null;
  }

  /** The instructions and parameters that a key stands for. */
  members(key) {
    if (/^L\d+$/.test(key)) return (this.idsOfLine.get(this.line(key)) || []).map((row) => row.identifier);
    const slot = this.slots.get(key);
    return slot ? (slot.instruction ? [slot.instruction] : []) : [key];
  }

  verdict(id) {
    const found = this.byId.get(id) || this.parameters.get(id);
    return found ? found.verdict : null;
  }

  /** Chains of `key`: [{title, roots}], each a tree of facts. */
  chains(key) {
    const chains = [];
    for (const id of this.members(key)) {
      const verdict = this.verdict(id);
      const row = this.byId.get(id);
      if (id !== key && row && JUMP[row.opcode] && !row.c) continue; // nobody asks a line why it goes on
      if (verdict) chains.push({ title: this.words(id), id, ir: row ? row.text : null, roots: verdict.because, active: verdict.active });
    }
    chains.sort((a, b) => Number(b.active) - Number(a.active)); // why something is active is asked first
    const slots = this.slots.has(key) ? [this.slots.get(key)] : this.members(key).flatMap((id) => this.slotsOf.get(id) || []);
    for (const slot of slots) if (slot.because.length) chains.push({ title: `${slot.expression}: ${DECISIONS[slot.decision] || slot.decision}`, id: slot.identifier, roots: slot.because });
    return chains;
  }

  /** The facts below `roots`, each once, with its depth; premises follow what they support. */
  facts(roots) {
    const seen = new Set();
    const found = [];
    const work = [...roots].reverse().map((index) => [index, 0]);
    while (work.length) {
      const [index, depth] = work.pop();
      if (seen.has(index) || !this.data.facts[index]) continue;
      seen.add(index);
      const fact = this.data.facts[index];
      found.push({ index, depth, fact });
      for (const premise of [...fact.premises].reverse()) work.push([premise, depth + 1]);
    }
    return found;
  }

  /** What is recorded for these parameters alone; null where it is not. */
  selection(names) {
    const wanted = [...names].sort().join("\n");
    return this.data.selections.find((found) => [...found.wrt].sort().join("\n") === wanted) || null;
  }

  /** id -> {active, varies, matters} for a choice of parameters; null where the record does not have it. */
  verdicts(names) {
    const own = [...names].sort().join("\n") === [...this.data.wrt].sort().join("\n");
    const choice = own ? null : names.length ? this.selection(names) : { active: [], varies: [] };
    if (!own && !choice) return null;
    const active = choice && new Set(choice.active);
    const varies = choice && new Set(choice.varies);
    const verdicts = new Map();
    for (const id of this.order) {
      const verdict = this.verdict(id);
      verdicts.set(id, own ? verdict : { active: active.has(id), varies: varies.has(id), matters: verdict.matters, because: [] });
    }
    return verdicts;
  }

  /** Parameters that some recorded choice differentiates for. */
  candidates() {
    const names = new Set([...this.data.wrt, ...this.data.selections.flatMap((found) => found.wrt)]);
    return this.data.parameters.map((parameter) => parameter.name).filter((name) => names.has(name));
  }

  stage(name) {
    return this.data.stages.find((stage) => stage.name === name) || null;
  }

  /** What the watched call says: "active" (carried a derivative), "idle" (predicted only), "plain" (not told: an address, a call that moves numbers in memory), "inactive"; null without such a call. */
  inCall(id) {
    const { watched } = this.data;
    if (!watched || watched.reason) return null;
    this.called ??= new Map(watched.rows.map((row) => [row.identifier, row]));
    const verdict = this.verdict(id);
    if (!verdict.active) return "inactive";
    if (this.parameters.has(id)) return "active";
    return this.called.has(id) ? (this.called.get(id).carried ? "active" : "idle") : "plain";
  }

  /** The mark of an instruction: stored values are marked as such, whatever else they are. */
  mark(id, verdicts) {
    const row = this.byId.get(id);
    if (row && row.slot) return "cached";
    const verdict = verdicts ? verdicts.get(id) : this.verdict(id);
    return verdict && verdict.active ? "active" : "inactive";
  }
}

const JUMP = { br: "goes on", switch: "goes on" };
const DECISIONS = { store: "stored", recompute: "computed again", available: "still available" };

function group(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(item);
  }
  return groups;
}
