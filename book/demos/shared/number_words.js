// What a node is, in words: the question that its card answers, a short name for the trail, and the rule that made it.
// What differs between models is in graph.names: whose a row is, where an array stands, what a learned number belongs to.
import { parse } from "./graph.js";

const LETTERS = { q: "query", k: "key", v: "value" };
const MATRICES = { w_q: "W_Q", w_k: "W_K", w_v: "W_V", w_o: "W_O", w1: "W₁", w2: "W₂", b1: "b₁", b2: "b₂" };
export const spoken = (word) => ({ "<eos>": "the end", "<sos>": "the start" })[word] ?? `“${word}”`;

const headed = (text) => text[0].toUpperCase() + text.slice(1);

// What is asked of the last number of a trail.
export function question(graph, trail) {
  const ids = [trail].flat();
  return headed(parse(ids.at(-1)).isRow ? rowAsked(graph, ids) : asked(graph.names, parse(ids.at(-1))));
}

function asked(names, at) {
  const { key, head, side } = at;
  const own = ownOf(key);
  if (side === "L") return `Learned: ${names.table(at) ?? learned(names.matrix(at), at.row, at.column)}`;
  if (key === "p") return names.likely(at);
  if (key === "l") return at.rival === undefined ? `How strongly does the model vote for ${names.vote(at)}?` : names.rather(at);
  if (own === "w") return `How much does head ${head} of ${names.place(at)} look at ${names.key(at)}, ${names.looks(at)}?`;
  if (own === "s") return `How well does the query ${names.asks(at)} fit the key of ${names.key(at)}, in head ${head} of ${names.place(at)}?`;
  if ("md".includes(key[0])) return `The ${key[0] === "m" ? "mean" : "spread"} of ${names.owner(at)} ${names.stage(at)}`;
  if (key === "h") return `Neuron ${at.column + 1}${names.ofLayer(at)}, for ${names.owner(at)}`;
  return `${subject(names, at)}, number ${at.column + 1}`;
}

const ownOf = (key) => (key[0] === "c" && key.length > 1 ? key.slice(1) : key);

// What a row is, in words.
function subject(names, at) {
  const { key, head, row, side } = at;
  const own = ownOf(key);
  if (side === "pos") return names.position(at);
  if (side === "L") return names.vector?.(at) ?? learnedRow(names.matrix(at));
  const where = `head ${head} of ${names.place(at)}`;
  const owner = names.owner(at);
  if (own[0] === "u") return `the ${LETTERS[own[1]]} of ${owner} in ${where}, not yet rotated`;
  if (LETTERS[own]) return `the ${LETTERS[own]} of ${owner} in ${where}`;
  if (own === "o") return `what ${where} finds for ${owner}`;
  if (own === "a") return `what ${names.attention(at)} adds to ${owner}`;
  if (key === "x") return `the vector of ${owner}${names.withPosition}`;
  if (key === "h") return `neuron ${row + 1}${names.ofLayer(at)}, for ${owner}`;
  if (key === "f") return `what the feed-forward network${names.ofLayer(at)} adds to ${owner}`;
  return `${owner} ${names.stage(at)}`;
}

// A row is asked for what the last number above it was about.
function rowAsked({ names }, ids) {
  const at = parse(ids.at(-1));
  const above = ids.findLastIndex((id) => !parse(id).isRow);
  return `how much does ${subject(names, at)} ${purpose(names, parse(ids[above]), parse(ids[above + 1]))}?`;
}

function purpose(names, from, first) {
  const own = ownOf(from.key);
  if (from.key === "l") return `speak for ${names.vote(from)}${from.rival === undefined ? "" : ` rather than ${names.vote({ ...from, column: from.rival })}`}`;
  if (own === "s") {
    const isKey = ownOf(first.key) === "k" || !isOfQuery(from, first);
    return isKey ? `answer the query ${names.asks(from)}, in head ${from.head}` : `look for ${names.key(from)}, in head ${from.head}`;
  }
  if (from.key === "h") return `wake neuron ${from.column + 1}`;
  return `make number ${from.column + 1} of ${subject(names, from)}`;
}

// Whether a row below a score is the query's: of self-attention the words tell, of cross-attention the side.
const isOfQuery = (score, row) => (score.key[0] === "c" ? row.side === score.side : row.row === score.row);

// A learned number of a layer: its matrix or vector, such as w_q, and where that is.
function learned({ name, where }, row, column) {
  if (name.startsWith("gamma") || name.startsWith("beta")) return `${name.startsWith("gamma") ? "γ" : "β"} of ${where}, number ${column + 1}`;
  if (name.startsWith("b")) return `bias ${column + 1} of ${MATRICES[name]} in ${where}`;
  return `row ${row + 1}, column ${column + 1} of ${MATRICES[name]} in ${where}`;
}

const learnedRow = ({ name, where }) => (name.startsWith("b") && MATRICES[name] ? `the biases ${MATRICES[name]} in ${where}` : `${name.startsWith("gamma") ? "γ" : "β"} of ${where}`);

const SHORT = { u: "not yet rotated", p: "probability", l: "logit", w: "weight", s: "score", q: "query", k: "key", v: "value", o: "found", a: "attention", x: "vector", h: "neuron", f: "feed-forward", r: "sum", n: "norm", m: "mean", d: "spread" };

export function shortName(id) {
  const { side, key, rival } = parse(id);
  if (side === "L") return "learned";
  if (side === "pos") return "position";
  if (rival !== undefined) return "logits";
  return SHORT[ownOf(key)[0]];
}

// A number that a term is multiplied by: 8, or 5.6569.
export const factor = (value) => String(Number(value.toFixed(4)));

// √64 = 8, or √32 = 5.6569.
const root = (value) => `√${Math.round(value ** 2)} = ${factor(value)}`;

// What each kind of sum is, where `n` is how many terms it has.
const ROW = "Each part's own share, added up";
const SUMS = {
  pair: () => "The logit of the one less the logit of the other. The last row made it, after its norm: its parts, each divided by the row's spread, and what does not depend on the sentence.",
  "row, residual": () => `${ROW}: what came in, and what was found.`,
  "row, no residual": () => `${ROW}; the residual connection is switched off.`,
  "row, norm": () => `${ROW}: those of the sum that the norm received, divided by the row's spread, and β.`,
  "row, no norm": () => `${ROW}; the norm is switched off.`,
  "row, heads": ({ n }) => `What its ${n} heads find, each through its own rows of W_O.`,
  "row, mixture": () => "The weight of each word times what that word offers.",
  "row, neurons": ({ n }) => `${n - 1} neurons, each times what it says, and the biases.`,
  "row, product": () => "The row that it was made from, through the learned matrix.",
  "row, rotation": () => "The row before it was rotated by its position.",
  "row, vector": ({ terms }) => `Its learned vector, times ${root(timesOf(terms))}.`,
  "row, vector with position": ({ terms }) => `Its learned vector, times ${root(timesOf(terms))}, and its position.`,
  "row, vector, positions off": ({ terms }) => `Its learned vector, times ${root(timesOf(terms))}; positions are switched off.`,

  product: ({ n, terms }) => `${n} terms, added up: what came in times learned numbers${terms.at(-1).label === "bias" ? ", and a learned bias" : ""}.`,
  score: ({ n, divisor }) => `${n} products, added up${divisor === 1 ? "; scaling is switched off" : ` and divided by ${root(divisor)}`}.`,
  mixture: () => "Each word's value times the weight that it gets, added up.",
  rotation: () => "A pair of numbers, rotated by the angle of their position.",
  residual: () => "What came in, plus what was found: the residual connection.",
  "no residual": () => "Only what was found: the residual connection is switched off.",
  "no norm": () => "The norm is switched off: the number stays as it is.",
  vector: ({ terms }) => `Its learned number times ${root(terms[0].times)}.`,
  "vector with position": ({ terms }) => `Its learned number times ${root(terms[0].times)}, plus its position.`,
  "vector, positions off": ({ terms }) => `Its learned number times ${root(terms[0].times)}; positions are switched off.`,
};

const timesOf = (terms) => terms[0].times;

export function ruleInWords({ rule, kind, terms, divisor, key, angle, hidden, column, direction }) {
  const n = terms.length;
  if (rule === "learned") return direction ? `Learned: ${n === 1 ? "one number" : `${n} numbers`}, each times what is asked of it. Nothing is below.` : "A parameter. Nothing is below it.";
  if (rule === "wave" && direction) return "Sines and cosines of its place, the same for every sentence. Nothing is below them.";
  if (rule === "wave") return `${column % 2 ? "cos" : "sin"} ${angle.toFixed(4)}: the same for every sentence. Nothing is below it.`;
  if (rule === "off") return "This head is switched off, so it adds 0.";
  if (rule === "softmax") return hidden ? "A later word is hidden by the mask, so its weight is 0." : `e to the power of its ${key === "p" ? "logit" : "score"} minus the largest one, divided by the sum of these powers.`;
  if (rule === "mean") return `${n} numbers, added up and divided by ${n}.`;
  if (rule === "spread") return "The squared distances from the mean: their mean, plus 0.00001, under a root.";
  if (rule === "norm") return "Subtract the mean, divide by the spread, multiply by γ, add β.";
  if (rule === "neuron") return "A sum of products; a negative sum becomes 0.";
  return SUMS[kind]({ n, terms, divisor });
}

// What the columns of a card hold: its factors and its terms. None where each row says it.
export function headsOf({ rule, kind, key }) {
  if (rule === "softmax") {
    const of = key === "p" ? "logit" : "score";
    return [of, `e^(${of} − largest)`];
  }
  const factors = { product: "came in · learned", score: "query · key", mixture: "weight · value", rotation: "number · cos or sin" }[kind];
  return factors ? [factors, "product"] : null;
}

const PARTS = { row: "the row", biases: "biases", first: "first", second: "second", "less second": "−\u00a0second", before: "what came in", found: "what was added", vector: "√64 × its learned number", position: "its position", same: "the sum" };
const NORM = { number: "the sum", mean: "− mean", spread: "÷ spread", gamma: "× γ", beta: "+ β" };

// What adds to a row, by its array.
const ADDED = { a: "self-attention", ca: "cross-attention", f: "feed-forward" };

export function labelOf(label, factors = []) {
  const [row] = factors;
  if (row?.direction && label.part === "found") return ADDED[parse(row.id).key];
  if (row?.direction && label.part === "vector") return "learned vector";
  if (label.head !== undefined) return `head ${label.head}`;
  if (row?.direction && label === "beta") return "β of the norm";
  if (label === "bias") return row?.direction ? "biases" : "bias";
  if (typeof label === "string") return NORM[label];
  if (label.word !== undefined) return spoken(label.word).replace(/[“”]/g, "");
  if (label.part) return PARTS[label.part];
  return `no. ${label.number}`;
}
