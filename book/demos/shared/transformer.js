// The course's translator in the page: chapters 2 to 12 as pure functions, each step kept, and parts to switch off.
// Rows are tokens. `off` says what is missing: { heads: ["encoder.0.2", …], scaling, positions, residual, norm, mask }.
import { matmul, softmax, transpose } from "./attention.js";

export const [PAD, SOS, EOS] = ["<pad>", "<sos>", "<eos>"];
const EPS = 1e-5; // inside the root of the norm

export const add = (a, b) => a.map((row, i) => row.map((value, j) => value + b[i][j]));
const plus = (x, bias) => x.map((row) => row.map((value, j) => value + bias[j]));
const slice = (x, from, to) => x.map((row) => row.slice(from, to));
// f of every row, but of none that is known: where no row looks ahead, older ones stay as they are (the KV cache).
const further = (known = [], x, f) => [...known, ...f(x.slice(known.length))];
const beside = (parts) => parts[0].map((_, i) => parts.flatMap((part) => part[i]));

// PE(p, 2i) = sin(p ω_i), PE(p, 2i + 1) = cos(p ω_i), ω_i = 10000^(−2i / width)
export function position(p, width) {
  return Array.from({ length: width }, (_, c) => {
    const angle = p / 10000 ** ((c - (c % 2)) / width);
    return c % 2 ? Math.cos(angle) : Math.sin(angle);
  });
}

// Each word's row of the table, brought to the scale of the positions, plus the position.
export function embed(tokens, table, off) {
  const width = table[0].length;
  return tokens.map((token, p) => {
    const at = off.positions ? null : position(p, width);
    return table[token].map((value, c) => Math.sqrt(width) * value + (at ? at[c] : 0));
  });
}

export function layerNorm(x, gamma, beta) {
  return x.map((row) => {
    const mean = row.reduce((sum, value) => sum + value, 0) / row.length;
    const variance = row.reduce((sum, value) => sum + (value - mean) ** 2, 0) / row.length;
    const spread = Math.sqrt(variance + EPS);
    return row.map((value, c) => (gamma[c] * (value - mean)) / spread + beta[c]);
  });
}

function addAndNorm(x, found, gamma, beta, off) {
  const sum = off.residual ? found : add(x, found);
  return { sum, output: off.norm ? sum : layerNorm(sum, gamma, beta) };
}

// softmax of each row, over the keys that may be seen; a row that may see nothing gets zeros.
export function maskedSoftmax(scores, sees) {
  return scores.map((row, i) => {
    const open = row.flatMap((score, j) => (sees(i, j) ? [j] : []));
    const weights = row.map(() => 0);
    softmax(open.map((j) => row[j])).forEach((weight, k) => (weights[open[k]] = weight));
    return weights;
  });
}

const everyone = () => true;
export const noneAhead = (i, j) => j <= i;

// One head with every step: slices of queries, keys and values, scores, weights, and what the head hands over.
function head(query, key, value, sees, isOff, off) {
  const divisor = off.scaling ? 1 : Math.sqrt(query[0].length);
  const scores = matmul(query, transpose(key)).map((row) => row.map((score) => score / divisor));
  const weights = maskedSoftmax(scores, sees);
  const output = matmul(weights, value);
  return { query, key, value, scores, weights, output: isOff ? output.map((row) => row.map(() => 0)) : output };
}

// `place` names the attention, such as "encoder.0" or "cross.0": head 2 of it is silenced as "encoder.0.2".
// `rotated` turns the rows of a query or a key, if anything does; `known` is what this returned for the rows before.
export function multiHead(x, memory, w, h, { sees, place, off, rotated }, known) {
  const query = further(known?.query, x, (rows) => matmul(rows, w.w_q));
  const key = further(known?.key, memory, (rows) => matmul(rows, w.w_k));
  const value = further(known?.value, memory, (rows) => matmul(rows, w.w_v));
  const width = query[0].length / h;
  const heads = Array.from({ length: h }, (_, i) => {
    const [q, k, v] = [query, key, value].map((all) => slice(all, i * width, (i + 1) * width));
    const isOff = off.heads?.includes(`${place}.${i}`);
    return rotated ? { ...head(rotated(q), rotated(k), v, sees, isOff, off), unrotated: { query: q, key: k } } : head(q, k, v, sees, isOff, off);
  });
  const merged = beside(heads.map(({ output }) => output));
  return { query, key, value, heads, merged, output: further(known?.output, merged, (rows) => matmul(rows, w.w_o)) };
}

export function feedForward(x, { w1, b1, w2, b2 }, known) {
  const relu = (rows) => rows.map((row) => row.map((value) => Math.max(0, value)));
  const hidden = further(known?.hidden, x, (rows) => relu(plus(matmul(rows, w1), b1)));
  return { hidden, output: further(known?.output, hidden, (rows) => plus(matmul(rows, w2), b2)) };
}

// The parameters "encoder.0.w_q", … of one layer under their names without it; prefix "cross_" for the second attention.
export const layerOf = (parameters, name, prefix = "") =>
  new Proxy({}, { get: (_, key) => parameters[`${name}.${prefix}${key}`] });

export function encode({ parameters, h, layers }, tokens, off = {}) {
  const embedded = embed(tokens, parameters.source_embedding, off);
  const steps = [];
  let x = embedded;
  for (let i = 0; i < layers; i++) {
    const p = layerOf(parameters, `encoder.${i}`);
    const attention = multiHead(x, x, p, h, { sees: everyone, place: `encoder.${i}`, off });
    const first = addAndNorm(x, attention.output, p.gamma1, p.beta1, off);
    const thought = feedForward(first.output, p);
    const second = addAndNorm(first.output, thought.output, p.gamma2, p.beta2, off);
    steps.push({ input: x, attention, first, thought, second });
    x = second.output;
  }
  return { embedded, steps, output: x };
}

// `known` is what it returned for the tokens before: only with the mask do their rows stay as they are.
export function decode({ parameters, h, layers }, tokens, memory, off = {}, known = null) {
  const embedded = embed(tokens, parameters.target_embedding, off);
  const steps = [];
  let x = embedded;
  for (let i = 0; i < layers; i++) {
    const p = layerOf(parameters, `decoder.${i}`);
    const before = known?.steps[i];
    const back = multiHead(x, x, p, h, { sees: off.mask ? everyone : noneAhead, place: `decoder.${i}`, off }, before?.back);
    const first = addAndNorm(x, back.output, p.gamma1, p.beta1, off);
    const matrices = layerOf(parameters, `decoder.${i}`, "cross_");
    const across = multiHead(first.output, memory, matrices, h, { sees: everyone, place: `cross.${i}`, off }, before?.across);
    const second = addAndNorm(first.output, across.output, p.gamma2, p.beta2, off);
    const thought = feedForward(second.output, p, before?.thought);
    const third = addAndNorm(second.output, thought.output, p.gamma3, p.beta3, off);
    steps.push({ input: x, back, first, across, second, thought, third });
    x = third.output;
  }
  const logits = further(known?.logits, x, (rows) => plus(matmul(rows, parameters.w_out), parameters.b_out));
  return { embedded, steps, output: x, logits };
}

const largest = (row) => row.reduce((best, value, i) => (value > row[best] ? i : best), 0);

// Encode once, then the likeliest word each time until EOS. `written[t]` is what was computed for word t, which was
// shown `tokens.slice(0, t + 1)`. `said` are tokens that are written instead, as far as they go, and no further.
export function translate(model, words, off = {}, said = null, longest = 24) {
  const source = encode(model, words.map((word) => model.source.indexOf(word)), off);
  const eos = model.target.indexOf(EOS);
  const tokens = [model.target.indexOf(SOS)];
  const written = [];
  let step = null;
  const isDone = () => (said ? written.length === said.length : written.length === longest || tokens.at(-1) === eos);
  while (!isDone()) {
    step = decode(model, tokens, source.output, off, off.mask ? null : step);
    const logits = step.logits.at(-1);
    tokens.push(said ? said[written.length] : largest(logits));
    written.push({ ...step, logits, probabilities: softmax(logits), token: tokens.at(-1) });
  }
  const spelt = tokens.slice(1).filter((token) => token !== eos);
  return { source, written, words: spelt.map((token) => model.target[token]) };
}

// Words that the model has never seen, each with known ones that are spelt like it: no more than half of its letters
// are changed, and those with the fewest changes come first.
export function unknownWords(model, words, most = 3) {
  const known = model.source.filter((word) => word !== PAD);
  const unseen = [...new Set(words)].filter((word) => !known.includes(word));
  return unseen.map((word) => {
    const distances = known.map((other) => [editDistance(word, other), other]);
    const near = distances.filter(([distance]) => distance <= word.length / 2).sort((a, b) => a[0] - b[0]);
    return { word, nearest: near.slice(0, most).map(([, other]) => other) };
  });
}

// How many letters have to be inserted, removed or replaced: Levenshtein's distance, row by row.
export function editDistance(a, b) {
  let before = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      row.push(Math.min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a[i - 1] !== b[j - 1])));
    }
    before = row;
  }
  return before.at(-1);
}

// A model as `quantised.py` packs it: whole numbers from −127 to 127 with one scale a row, vectors as they are.
export function unpacked({ h, layers, source, target, parameters }) {
  const opened = Object.entries(parameters).map(([name, parameter]) => [name, numbersOf(parameter)]);
  return { h, layers, source, target, parameters: Object.fromEntries(opened) };
}

export const numbersOf = ({ data, scales, vector }) => vector ?? rowsOf(atob(data), scales);

// Each letter is one byte, and its number is signed.
function rowsOf(letters, scales) {
  const width = letters.length / scales.length;
  return scales.map((scale, i) => fill(new Array(width), letters, i * width, scale));
}

// Like collect() in attention.js, a separate function, so that it is compiled soon: a page waits for 158,000 numbers.
function fill(row, letters, from, scale) {
  for (let j = 0; j < row.length; j++) row[j] = ((letters.charCodeAt(from + j) << 24) >> 24) * scale;
  return row;
}
