// What a node is, in words: the question that its card answers, a short name for the trail, and the rule that made it.
// What differs between models is in graph.names: whose a row is, where an array stands, what a learned number belongs to.
import { parse } from "./graph.js";

const LETTERS = { q: "query", k: "key", v: "value" };
const MATRICES = { w_q: "W_Q", w_k: "W_K", w_v: "W_V", w_o: "W_O", w1: "W₁", w2: "W₂", b1: "b₁", b2: "b₂" };
export const spoken = (word) => ({ "<eos>": "the end", "<sos>": "the start" })[word] ?? `“${word}”`;

export function question({ names }, id) {
  const text = asked(names, parse(id));
  return text[0].toUpperCase() + text.slice(1);
}

function asked(names, at) {
  const { key, head, row, column, side } = at;
  const own = key[0] === "c" && key.length > 1 ? key.slice(1) : key;
  const number = `number ${column + 1}`;
  if (side === "pos") return `${names.position(at)}, ${number}`;
  if (side === "L") return `Learned: ${names.table(at) ?? learned(names.matrix(at), row, column)}`;
  if (key === "p") return names.likely(at);
  if (key === "l") return `How strongly does the model vote for ${names.vote(at)}?`;
  const where = `head ${head} of ${names.place(at)}`;
  if (own === "w") return `How much does ${where} look at ${names.key(at)}, ${names.looks(at)}?`;
  if (own === "s") return `How well does the query ${names.asks(at)} fit the key of ${names.key(at)}, in ${where}?`;
  const owner = names.owner(at);
  if (own[0] === "u") return `The ${LETTERS[own[1]]} of ${owner} in ${where}, not yet rotated, ${number}`;
  if (LETTERS[own]) return `The ${LETTERS[own]} of ${owner} in ${where}, ${number}`;
  if (own === "o") return `What ${where} finds for ${owner}, ${number}`;
  if (own === "a") return `What ${names.attention(at)} adds to ${owner}, ${number}`;
  if (key === "x") return `The vector of ${owner}${names.withPosition}, ${number}`;
  if (key === "h") return `Neuron ${column + 1}${names.ofLayer(at)}, for ${owner}`;
  if (key === "f") return `What the feed-forward network${names.ofLayer(at)} adds to ${owner}, ${number}`;
  if (key[0] === "r" || key[0] === "n") return `${owner} ${names.stage(at)}, ${number}`;
  return `The ${key[0] === "m" ? "mean" : "spread"} of ${owner} ${names.stage(at)}`;
}

// A learned number of a layer: its matrix or vector, such as w_q, and where that is.
function learned({ name, where }, row, column) {
  if (name.startsWith("gamma") || name.startsWith("beta")) return `${name.startsWith("gamma") ? "γ" : "β"} of ${where}, number ${column + 1}`;
  if (name.startsWith("b")) return `bias ${column + 1} of ${MATRICES[name]} in ${where}`;
  return `row ${row + 1}, column ${column + 1} of ${MATRICES[name]} in ${where}`;
}

const SHORT = { u: "not yet rotated", p: "probability", l: "logit", w: "weight", s: "score", q: "query", k: "key", v: "value", o: "found", a: "attention", x: "vector", h: "neuron", f: "feed-forward", r: "sum", n: "norm", m: "mean", d: "spread" };

export function shortName(id) {
  const { side, key } = parse(id);
  if (side === "L") return "learned";
  if (side === "pos") return "position";
  return SHORT[key[0] === "c" && key.length > 1 ? key[1] : key[0]];
}

// A number that a term is multiplied by: 8, or 5.6569.
export const factor = (value) => String(Number(value.toFixed(4)));

// √64 = 8, or √32 = 5.6569.
const root = (value) => `√${Math.round(value ** 2)} = ${factor(value)}`;

// What each kind of sum is, where `n` is how many terms it has.
const SUMS = {
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

export function ruleInWords({ rule, kind, terms, divisor, key, angle, hidden, column }) {
  const n = terms.length;
  if (rule === "learned") return "Training chose this number. There is nothing below it.";
  if (rule === "wave") return `${column % 2 ? "cos" : "sin"} ${angle.toFixed(4)}: the same for every sentence. There is nothing below it.`;
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

const PARTS = { first: "first", second: "second", "less second": "−\u00a0second", before: "what came in", found: "what was added", vector: "√64 × its learned number", position: "its position", same: "the sum" };
const NORM = { number: "the sum", mean: "− mean", spread: "÷ spread", gamma: "× γ", beta: "+ β", bias: "bias" };

export function labelOf(label) {
  if (typeof label === "string") return NORM[label];
  if (label.word !== undefined) return spoken(label.word).replace(/[“”]/g, "");
  if (label.part) return PARTS[label.part];
  return `no. ${label.number}`;
}
