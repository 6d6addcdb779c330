// Every number of a translation as a node: its value, the rule that made it, and the numbers that went in.
//
// A node's name is array:row:column, short enough for an address. The arrays are
//   e.x          the source's word vectors         d2.x            the target's, when word 2 is written (counted from 0)
//   e.q.0 .k .v  queries, keys, values of head 0   d2.cq.0 .ck .cv those of cross-attention
//   e.s.0 .w .o  scores, weights, what head 0 finds
//   e.a          attention's answer, through W_O   d2.ca           cross-attention's
//   e.r1 .n1     the sum with the residual connection, and its norm; .m1 and .d1 are the row's mean and spread
//   e.h .f       neurons, and what the feed-forward network adds
//   d2.l .p      logits and probabilities          pos             the positional encoding
// and a learned number is L.encoder.0.w_q:row:column. The model has one layer on either side.
import { position } from "./transformer.js";

const EPS = 1e-5;
const SUMS = { e: { 1: ["x", "a"], 2: ["n1", "f"] }, d: { 1: ["x", "a"], 2: ["n1", "ca"], 3: ["n2", "f"] } };
const ADDED = { x: "word", n1: "before", n2: "before", a: "found", ca: "found", f: "found" };
const STAGE = { a: "attention", ca: "cross", f: "feed-forward" };
const FIELDS = { q: "query", k: "key", v: "value", s: "scores", w: "weights", o: "output" };
const LAYER = { e: "encoder.0", d: "decoder.0" };

const mean = (row) => row.reduce((sum, value) => sum + value, 0) / row.length;
const spread = (row) => {
  const middle = mean(row);
  return Math.sqrt(mean(row.map((value) => (value - middle) ** 2)) + EPS);
};

export function parse(id) {
  const [array, row = 0, column = 0] = id.split(":");
  if (array === "pos") return { array, side: "pos", key: "pos", row: +row, column: +column };
  if (array.startsWith("L.")) return { array, side: "L", key: array.slice(2), row: +row, column: +column };
  const [side, key, head] = array.split(".");
  return { array, side: side[0], turn: side === "e" ? null : +side.slice(1), key, head: head === undefined ? null : +head, row: +row, column: +column };
}

// All questions that can be asked of one translation. `run` is what translate() returned for this model and `off`.
export function graphOf(model, run, off = {}) {
  const h = model.h;
  const width = model.parameters["encoder.0.w_q"].length;
  const headWidth = width / h;

  // The rows of an array, or null where there is no such array.
  function rows({ side, turn, key, head }) {
    const written = side === "d" ? run.written[turn] : null;
    if (!key || (side !== "e" && !written)) return null;
    const step = side === "e" ? run.source.steps[0] : written.steps[0];
    if (key === "x") return (written ?? run.source).embedded;
    if (key === "l" || key === "p") return written && { [turn]: key === "l" ? written.logits : written.probabilities };
    const across = key[0] === "c";
    const attention = side === "e" ? step.attention : across ? step.across : step.back;
    const own = across ? key.slice(1) : key;
    if (head !== null && FIELDS[own]) return attention?.heads[head]?.[FIELDS[own]] ?? null;
    if (own === "a") return attention.output;
    if (key === "h") return step.thought.hidden;
    if (key === "f") return step.thought.output;
    const found = step[[null, "first", "second", "third"][key[1]]];
    if (!found) return null;
    if (key[0] === "r") return found.sum;
    if (key[0] === "n") return found.output;
    if (key[0] === "m") return found.sum.map((row) => [mean(row)]);
    return key[0] === "d" ? found.sum.map((row) => [spread(row)]) : null;
  }

  function value(id) {
    const at = parse(id);
    if (at.side === "pos") return position(at.row, width)[at.column];
    if (at.side === "L") {
      const numbers = model.parameters[at.key];
      return Array.isArray(numbers?.[0]) ? numbers[at.row]?.[at.column] : numbers?.[at.column];
    }
    return rows(at)?.[at.row]?.[at.column];
  }

  const num = (id) => ({ id, value: value(id) });
  const exists = (id) => value(id) !== undefined;
  const learned = (name, row, column) => num(`L.${name}:${row}:${column}`);

  // Σ over c of row[c] · matrix[c][column], plus a bias: most of a Transformer.
  function product(array, row, count, matrix, column, bias) {
    const terms = Array.from({ length: count }, (_, c) => {
      const factors = [num(typeof array === "function" ? array(c) : `${array}:${row}:${c}`), learned(matrix, c, column)];
      return { label: { number: c + 1, of: count }, factors, term: factors[0].value * factors[1].value };
    });
    if (bias) terms.push({ label: "bias", factors: [learned(bias, 0, column)], term: value(`L.${bias}:0:${column}`) });
    return { rule: "sum", terms };
  }

  // Which words the rows of an array belong to: those of the source, or those that the decoder has been shown.
  const sourceWords = run.words_in;
  const shown = (turn) => ["<sos>", ...run.written.slice(0, turn).map(({ token }) => model.target[token])];

  function explain(id) {
    const at = parse(id);
    const made = { id, ...at, value: value(id), ...rule(at) };
    return made;
  }

  function rule(at) {
    const { side, turn, key, head, row, column } = at;
    if (side === "L") return { rule: "learned", terms: [] };
    if (side === "pos") return { rule: "wave", terms: [], angle: row / 10000 ** ((column - (column % 2)) / width) };
    const prefix = side === "e" ? "e" : `d${turn}`;
    const layer = LAYER[side];
    const across = key[0] === "c" && key.length > 1;
    const own = across ? key.slice(1) : key;
    const name = `${layer}.${across ? "cross_" : ""}`;
    if (key === "p" || own === "w") {
      const scores = key === "p" ? `${prefix}.l` : `${prefix}.${across ? "c" : ""}s.${head}`;
      const labels = key === "p" ? model.target : across || side === "e" ? sourceWords : shown(turn);
      const hidden = (j) => own === "w" && side === "d" && !across && !off.mask && j > row;
      const seen = labels.flatMap((word, j) => (hidden(j) ? [] : [{ word, score: num(`${scores}:${row}:${j}`), j }]));
      const largest = Math.max(...seen.map(({ score }) => score.value));
      const terms = seen.map(({ word, score, j }) => ({ label: { word }, factors: [score], term: Math.exp(score.value - largest), own: j === column }));
      return { rule: "softmax", terms, hidden: hidden(column) };
    }
    if (key === "l") return product(`${prefix}.n3`, row, width, "w_out", column, "b_out");
    if (own === "q") return product(across ? `${prefix}.n1` : `${prefix}.x`, row, width, `${name}w_q`, head * headWidth + column);
    if (own === "k" || own === "v") {
      return product(across ? "e.n2" : `${prefix}.x`, row, width, `${name}w_${own}`, head * headWidth + column);
    }
    if (own === "s") {
      const part = (letter, i, c) => num(`${prefix}.${across ? "c" : ""}${letter}.${head}:${i}:${c}`);
      const terms = Array.from({ length: headWidth }, (_, c) => {
        const factors = [part("q", row, c), part("k", column, c)];
        return { label: { number: c + 1, of: headWidth }, factors, term: factors[0].value * factors[1].value };
      });
      return { rule: "sum", terms, divisor: off.scaling ? 1 : Math.sqrt(headWidth) };
    }
    if (own === "o") {
      const place = across ? "cross.0" : LAYER[side];
      if (off.heads?.includes(`${place}.${head}`)) return { rule: "off", terms: [] };
      const labels = across || side === "e" ? sourceWords : shown(turn);
      const of = across ? `${prefix}.c` : `${prefix}.`;
      const terms = labels.map((word, j) => {
        const factors = [num(`${of}w.${head}:${row}:${j}`), num(`${of}v.${head}:${j}:${column}`)];
        return { label: { word }, factors, term: factors[0].value * factors[1].value };
      });
      return { rule: "sum", terms };
    }
    if (own === "a") {
      const piece = (c) => `${prefix}.${across ? "c" : ""}o.${Math.floor(c / headWidth)}:${row}:${c % headWidth}`;
      return product(piece, row, width, `${name}w_o`, column);
    }
    const n = Number(key[1]);
    if (key[0] === "r") {
      const parts = off.residual ? SUMS[side][n].slice(1) : SUMS[side][n];
      const terms = parts.map((part) => {
        const from = num(`${prefix}.${part}:${row}:${column}`);
        return { label: { part: ADDED[part], of: STAGE[part] ?? null }, factors: [from], term: from.value };
      });
      return { rule: "sum", terms, residual: !off.residual };
    }
    if (key[0] === "n") {
      const from = num(`${prefix}.r${n}:${row}:${column}`);
      if (off.norm) return { rule: "sum", terms: [{ label: { part: "same" }, factors: [from], term: from.value }] };
      const numbers = [from, num(`${prefix}.m${n}:${row}:0`), num(`${prefix}.d${n}:${row}:0`), learned(`${layer}.gamma${n}`, 0, column), learned(`${layer}.beta${n}`, 0, column)];
      const labels = ["number", "mean", "spread", "gamma", "beta"];
      return { rule: "norm", terms: numbers.map((one, i) => ({ label: labels[i], factors: [one], term: one.value })) };
    }
    if (key[0] === "m" || key[0] === "d") {
      const terms = Array.from({ length: width }, (_, c) => {
        const one = num(`${prefix}.r${n}:${row}:${c}`);
        return { label: { number: c + 1, of: width }, factors: [one], term: one.value };
      });
      if (key[0] === "m") return { rule: "mean", terms };
      const middle = num(`${prefix}.m${n}:${row}:0`);
      return { rule: "spread", terms: terms.map((one) => ({ ...one, term: (one.term - middle.value) ** 2 })), middle };
    }
    const before = side === "e" ? "n1" : "n2";
    if (key === "h") return { ...product(`${prefix}.${before}`, row, width, `${layer}.w1`, column, `${layer}.b1`), rule: "neuron" };
    if (key === "f") {
      return product(`${prefix}.h`, row, model.parameters[`${layer}.w2`].length, `${layer}.w2`, column, `${layer}.b2`);
    }
    if (key === "x") {
      const token = side === "e" ? run.tokens_in[row] : row ? run.written[row - 1].token : model.target.indexOf("<sos>");
      const table = side === "e" ? "source_embedding" : "target_embedding";
      const vector = learned(table, token, column);
      const terms = [{ label: { part: "vector" }, factors: [vector], times: Math.sqrt(width), term: Math.sqrt(width) * vector.value }];
      if (!off.positions) {
        const wave = num(`pos:${row}:${column}`);
        terms.push({ label: { part: "position" }, factors: [wave], term: wave.value });
      }
      return { rule: "sum", terms };
    }
    throw new Error(`no rule for ${at.array}`);
  }

  const matrix = (name) => model.parameters[name];
  return { value, explain, exists, shown, sourceWords, matrix };
}

// The value once more, from the operands alone.
export function recompute({ rule, terms, divisor = 1, angle, column, middle, hidden }) {
  const total = terms.reduce((sum, { term }) => sum + term, 0);
  if (rule === "sum") return total / divisor;
  if (rule === "neuron") return Math.max(0, total);
  if (rule === "softmax") return hidden ? 0 : terms.find(({ own }) => own).term / total;
  if (rule === "mean") return total / terms.length;
  if (rule === "spread") return Math.sqrt(terms.reduce((sum, { factors }) => sum + (factors[0].value - middle.value) ** 2, 0) / terms.length + EPS);
  if (rule === "wave") return column % 2 ? Math.cos(angle) : Math.sin(angle);
  if (rule === "off") return 0;
  if (rule === "norm") {
    const [number, of, by, gamma, beta] = terms.map(({ factors }) => factors[0].value);
    return (gamma * (number - of)) / by + beta;
  }
  return undefined; // learned
}

// The operand that had most to do with the value: of the largest term, what was computed rather than learned.
export function largest({ rule, terms }) {
  if (!terms.length) return null;
  const most = rule === "softmax" ? terms.find(({ own }) => own) ?? terms[0]
    : rule === "norm" ? terms[0] : terms.reduce((best, one) => (Math.abs(one.term) > Math.abs(best.term) ? one : best));
  return (most.factors.find(({ id }) => !id.startsWith("L.")) ?? most.factors[0]).id;
}
