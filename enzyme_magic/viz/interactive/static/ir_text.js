// LLVM text for people: what may be hidden, which words stand out, and which lines of two texts are the same. No elements here.

const FILTERS = [
  ["debug", "debug records"],
  ["metadata", "metadata"],
  ["attributes", "attributes"],
  ["lifetimes", "lifetimes"],
  ["others", "other functions"],
];

const PARAMETER_ATTRIBUTES =
  /(?<![.@%\w])(?:noundef|nonnull|noalias|nocapture|readonly|readnone|writeonly|writable|signext|zeroext|inreg|returned|immarg|local_unnamed_addr|unnamed_addr|dso_local|nofree|uwtable|nounwind|willreturn|tail(?= call)|dead_on_unwind)\b ?|(?<![.@%\w])(?:captures|dereferenceable|dereferenceable_or_null|initializes|range|nofpclass|memory)\((?:[^()]|\([^()]*\))*\) ?/g;

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
  if (hidden.has("metadata") && (/^(!|source_filename|target |; ModuleID)/.test(text) || text.includes("@llvm.experimental.noalias.scope.decl"))) return true;
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

const MOST_CHANGES = 300;

/** Pairs [left index or null, right index or null] in order, by skeleton: lines that occur once in both texts are the anchors of long texts (patience), the longest common subsequence decides between them (Myers, greedy). */
function align(left, right) {
  const [a, b] = [left.map(skeleton), right.map(skeleton)];
  const pairs = [];
  alignBetween(a, b, [0, a.length], [0, b.length], pairs);
  return pairs;
}

function alignBetween(a, b, [from, to], [start, end], pairs) {
  while (from < to && start < end && a[from] === b[start]) pairs.push([from++, start++]);
  let tail = 0;
  while (from < to - tail && start < end - tail && a[to - 1 - tail] === b[end - 1 - tail]) tail++;
  const [last, final] = [to - tail, end - tail];
  const found = last - from + final - start > MOST_CHANGES ? anchors(a, b, [from, last], [start, final]) : [];
  if (found.length) {
    let [x, y] = [from, start];
    for (const [mine, theirs] of found) {
      alignBetween(a, b, [x, mine], [y, theirs], pairs);
      pairs.push([mine, theirs]);
      [x, y] = [mine + 1, theirs + 1];
    }
    alignBetween(a, b, [x, last], [y, final], pairs);
  } else {
    for (const [x, y] of shortest(a.slice(from, last), b.slice(start, final))) pairs.push([x === null ? null : x + from, y === null ? null : y + start]);
  }
  for (let index = tail; index > 0; index--) pairs.push([to - index, end - index]);
}

/** Lines that occur once on each side, as many as keep their order. */
function anchors(a, b, [from, to], [start, end]) {
  const once = (texts, first, last) => {
    const places = new Map();
    for (let index = first; index < last; index++) places.set(texts[index], places.has(texts[index]) ? -1 : index);
    return places;
  };
  const theirs = once(b, start, end);
  const both = [...once(a, from, to)].filter(([text, x]) => x >= 0 && (theirs.get(text) ?? -1) >= 0).map(([text, x]) => [x, theirs.get(text)]);
  const tops = []; // the ends of the best chains, by length
  const before = new Map();
  for (const pair of both.sort((one, other) => one[0] - other[0])) {
    let [low, high] = [0, tops.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (tops[middle][1] < pair[1]) low = middle + 1;
      else high = middle;
    }
    before.set(pair, tops[low - 1]);
    tops[low] = pair;
  }
  const chain = [];
  for (let at = tops.at(-1); at; at = before.get(at)) chain.unshift(at);
  return chain;
}

function shortest(a, b) {
  const limit = Math.min(a.length + b.length, MOST_CHANGES);
  const middle = limit + 1; // of diagonal 0
  const trace = [];
  const frontier = new Int32Array(2 * limit + 3).fill(-1);
  frontier[middle + 1] = 0;
  for (let cost = 0; cost <= limit; cost++) {
    trace.push(frontier.slice());
    for (let k = -cost; k <= cost; k += 2) {
      const [below, above] = [frontier[middle + k - 1], frontier[middle + k + 1]];
      let x = k === -cost || (k !== cost && below < above) ? Math.max(above, 0) : below + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      frontier[middle + k] = x;
      if (x >= a.length && x - k >= b.length) return walkBack(trace, middle, a.length, b.length);
    }
  }
  return [...a.map((_, index) => [index, null]), ...b.map((_, index) => [null, index])]; // too different to be worth aligning
}

function walkBack(trace, middle, x, y) {
  const pairs = [];
  for (let cost = trace.length - 1; cost >= 0; cost--) {
    const frontier = trace[cost];
    const k = x - y;
    const down = k === -cost || (k !== cost && frontier[middle + k - 1] < frontier[middle + k + 1]);
    const before = down ? k + 1 : k - 1;
    const fromX = Math.max(frontier[middle + before], 0);
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

/** What an instruction does, whatever its values, flags and width: opcode, called function, type of an element; "" for what does nothing. */
function operation(text) {
  const body = text.trim().replace(/^(%"[^"]*"|%[\w.$-]+) = /, "").replace(/^(tail|musttail|notail) /, "");
  const opcode = /^[a-z]\w*(?= )/.exec(body)?.[0] || "";
  if (!opcode || /^(br|ret|phi|define|declare|unreachable)$/.test(opcode)) return "";
  const called = /@([\w.$-]+)\(/.exec(body)?.[1].replace(/^llvm\./, "").replace(/(\.v?\d*[a-z]+\d+)+$/, "") || "";
  const type = /\b(double|float|half|ptr|i\d+)\b/.exec(body)?.[1] || "";
  return `${opcode} ${called} ${type}`;
}

function hasLines(lines) {
  return lines.some((line) => line.line);
}

/** How many numbers an instruction handles at once. */
function lanes(text) {
  return Math.max(1, ...[...text.matchAll(/<(\d+) x /g)].map((found) => Number(found[1])));
}

/**
 * What is left of a comparison by order, matched by what it does, and by C line where both texts have them: a line that is gone and one that is new, with the same
 * skeleton, have "moved"; a new line with an operation of the left, beyond those that it replaces or in a vector, is a "copy". left, right: [{text, line}].
 */
function byOrigin(pairs, left, right) {
  const placed = hasLines(left) && hasLines(right);
  const key = (line, name) => (!name || !operation(line.text) ? "" : !placed ? name : line.line ? `${line.line} ${name}` : "");
  const gone = group(pairs.filter((pair) => pair.kind === "gone"), (pair) => key(left[pair.left], skeleton(left[pair.left].text)));
  for (const pair of pairs.filter((other) => other.kind === "new")) {
    const name = key(right[pair.right], skeleton(right[pair.right].text));
    const mine = name && gone.get(name)?.shift();
    if (mine) mine.kind = pair.kind = "moved";
  }
  const of = (side, wanted) => group(pairs.filter((pair) => wanted(pair)), (pair) => key(side(pair), operation(side(pair).text)));
  const known = of((pair) => left[pair.left], (pair) => pair.left !== null);
  const lost = of((pair) => left[pair.left], (pair) => pair.kind === "gone");
  const fresh = of((pair) => right[pair.right], (pair) => pair.kind === "new");
  for (const [name, made] of fresh) {
    if (!name || !known.has(name)) continue;
    const wide = made.filter((pair) => lanes(right[pair.right].text) > 1);
    const narrow = made.filter((pair) => !wide.includes(pair));
    const replaced = wide.length ? 0 : (lost.get(name) || []).length;
    for (const pair of [...wide, ...narrow.slice(replaced)]) pair.kind = "copy";
  }
  return pairs;
}
