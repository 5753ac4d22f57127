// LLVM text for people: what may be hidden, which words stand out, and which lines of two texts are the same. No elements here.

const FILTERS = [
  ["debug", "debug records"],
  ["metadata", "metadata"],
  ["attributes", "attributes"],
  ["lifetimes", "lifetimes"],
  ["others", "other functions"],
];

const PARAMETER_ATTRIBUTES =
  /\b(?:noundef|nonnull|noalias|nocapture|readonly|readnone|writeonly|writable|signext|zeroext|inreg|returned|immarg|local_unnamed_addr|unnamed_addr|dso_local|nofree|uwtable|nounwind|willreturn|tail(?= call)|dead_on_unwind)\b ?|\b(?:captures|dereferenceable|dereferenceable_or_null|initializes|range|nofpclass|memory)\((?:[^()]|\([^()]*\))*\) ?/g;

/** [{text, line}] of a module's text: without what `hidden` names, each with its C line where debug info says so. */
function visibleLines(text, hidden, functionNames) {
  const places = locations(text);
  const found = [];
  let inside = "";
  for (const raw of text.split("\n")) {
    const define = /^define .*?@("[^"]+"|[\w.$-]+)\(/.exec(raw);
    if (define) inside = define[1].replaceAll('"', "");
    const skip = dropped(raw, hidden) || (hidden.has("others") && (inside ? !functionNames.has(inside) : raw.trim() !== ""));
    if (!skip && !(raw.trim() === "" && (!found.length || !found[found.length - 1].text))) {
      const dbg = /!dbg (!\d+)/.exec(raw);
      found.push({ text: shortened(raw, hidden), line: (dbg && !define && places.get(dbg[1])) || null });
    }
    if (raw === "}") inside = "";
  }
  return found;
}

function dropped(raw, hidden) {
  const text = raw.trim();
  if (hidden.has("debug") && (text.startsWith("#dbg_") || text.includes("call void @llvm.dbg."))) return true;
  if (hidden.has("metadata") && (/^(!|source_filename|target |; ModuleID)/.test(text))) return true;
  if (hidden.has("attributes") && (/^(attributes #|; Function Attrs)/.test(text))) return true;
  return hidden.has("lifetimes") && text.includes("@llvm.lifetime.");
}

function shortened(raw, hidden) {
  let text = raw;
  if (hidden.has("metadata")) text = text.replace(/,? ![\w.]+ !\w+/g, "").replace(/\s*; preds = .*$/, "");
  if (hidden.has("attributes")) text = text.replace(PARAMETER_ATTRIBUTES, "").replace(/ #\d+/g, "").replace(/, align \d+/g, "").replace(/ +([,)])/g, "$1");
  return text.trimEnd();
}

/** "!29" -> the C line of that debug location. */
function locations(text) {
  const places = new Map();
  for (const found of text.matchAll(/^(!\d+) = (?:distinct )?!DILocation\(line: (\d+)/gm)) places.set(found[1], Number(found[2]));
  return places;
}

/** [[text, kind]]: kind is "word" (opcodes, keywords), "value", "global", "comment", "meta" or "". */
function tokens(text) {
  const found = [];
  const pattern = /(;.*$)|(%"[^"]*"|%[\w.$-]+)|(@"[^"]*"|@[\w.$-]+)|(![\w.]+|#\w+)|("[^"]*")|(0x[0-9A-Fa-f]+|-?\d[\w.+]*)|([A-Za-z_][\w.]*:?)/g;
  const kinds = ["comment", "value", "global", "meta", "text", "literal", "name"];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > end) found.push([text.slice(end, match.index), ""]);
    let kind = kinds[match.slice(1).findIndex((part) => part !== undefined)];
    if (kind === "name") kind = match[0].endsWith(":") ? "label" : TYPES.test(match[0]) ? "type" : "word";
    found.push([match[0], kind]);
    end = match.index + match[0].length;
  }
  if (end < text.length) found.push([text.slice(end), ""]);
  return found;
}

const TYPES = /^(void|half|bfloat|float|double|fp128|x86_fp80|i\d+|ptr|label|metadata|token|x|to)$/;
const NAMES = /%"[^"]*"|%[\w.$-]+|^("[^"]*"|[\w.$-]+):/g;

/** The line without its names: two lines with the same skeleton do the same to possibly different values. */
function skeleton(text) {
  return text.trim().replace(NAMES, "%");
}

function namesOf(text) {
  return [...text.trim().matchAll(NAMES)].map((found) => (found[1] ? `%${found[1]}` : found[0]));
}

const MOST_CHANGES = 1000;

/** Pairs [left index or null, right index or null] in order: the longest common subsequence by skeleton (Myers, greedy). */
function align(left, right) {
  const a = left.map(skeleton);
  const b = right.map(skeleton);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const middle = shortest(a.slice(start, a.length - end), b.slice(start, b.length - end));
  const pairs = [];
  for (let index = 0; index < start; index++) pairs.push([index, index]);
  for (const [x, y] of middle) pairs.push([x === null ? null : x + start, y === null ? null : y + start]);
  for (let index = end; index > 0; index--) pairs.push([a.length - index, b.length - index]);
  return pairs;
}

function shortest(a, b) {
  const limit = Math.min(a.length + b.length, MOST_CHANGES);
  const trace = [];
  let frontier = new Map([[1, 0]]);
  for (let cost = 0; cost <= limit; cost++) {
    trace.push(new Map(frontier));
    for (let k = -cost; k <= cost; k += 2) {
      const down = k === -cost || (k !== cost && (frontier.get(k - 1) ?? -1) < (frontier.get(k + 1) ?? -1));
      let x = down ? frontier.get(k + 1) ?? 0 : frontier.get(k - 1) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      frontier.set(k, x);
      if (x >= a.length && x - k >= b.length) return walkBack(trace, a.length, b.length);
    }
  }
  return [...a.map((_, index) => [index, null]), ...b.map((_, index) => [null, index])]; // too different to be worth aligning
}

function walkBack(trace, x, y) {
  const pairs = [];
  for (let cost = trace.length - 1; cost >= 0; cost--) {
    const frontier = trace[cost];
    const k = x - y;
    const down = k === -cost || (k !== cost && (frontier.get(k - 1) ?? -1) < (frontier.get(k + 1) ?? -1));
    const before = down ? k + 1 : k - 1;
    const fromX = frontier.get(before) ?? 0;
    const fromY = fromX - before;
    while (x > fromX && y > fromY && x > 0 && y > 0) pairs.push([--x, --y]);
    if (cost === 0) break;
    if (down) pairs.push([null, --y]);
    else pairs.push([--x, null]);
  }
  return pairs.reverse();
}

/**
 * What became of each line: [{left, right, kind}], kind "same", "renamed" (the same on other names), "changed" (other values), "gone", "new".
 * A name of the left is matched with the name that is defined in the same place on the right; using anything else is a change.
 */
function compare(left, right) {
  const pairs = align(left, right);
  const renamed = new Map();
  const taken = new Set();
  for (const [x, y] of pairs) {
    if (x === null || y === null) continue;
    const mine = namesOf(left[x]);
    const theirs = namesOf(right[y]);
    const defines = /^\s*%\S+ = |^\S+:/.test(left[x]) ? 1 : /^define /.test(left[x]) ? mine.length : 0;
    for (let index = 0; index < defines; index++) {
      if (renamed.has(mine[index]) || taken.has(theirs[index])) continue;
      renamed.set(mine[index], theirs[index]);
      taken.add(theirs[index]);
    }
  }
  return pairs.map(([x, y]) => {
    if (x === null) return { left: null, right: y, kind: "new" };
    if (y === null) return { left: x, right: null, kind: "gone" };
    const theirs = namesOf(right[y]);
    const kept = namesOf(left[x]).every((name, index) => (renamed.get(name) ?? name) === theirs[index]);
    const same = left[x].trim() === right[y].trim();
    return { left: x, right: y, kind: !kept ? "changed" : same ? "same" : "renamed" };
  });
}
