// What a node is, in words: the question that its card answers, a short name for the trail, and the rule that made it.
import { parse } from "./graph.js";

const LETTERS = { q: "query", k: "key", v: "value" };
const TABLES = { source_embedding: "the English word table", target_embedding: "the Italian word table", w_out: "the last layer" };
const MATRICES = { w_q: "W_Q", w_k: "W_K", w_v: "W_V", w_o: "W_O", w1: "W₁", w2: "W₂", b1: "b₁", b2: "b₂" };
const spoken = (word) => ({ "<eos>": "the end", "<sos>": "the start" })[word] ?? `“${word}”`;

// What a row belongs to: a source word, a word that the decoder has been shown, or the word that it is about to write.
function ownerOf(graph, { side, turn, row, key }) {
  if (side === "e" || key === "ck" || key === "cv") return spoken(graph.sourceWords[row]);
  return "xkv".includes(key) ? spoken(graph.shown(turn)[row]) : `the row for writing ${writes(graph, row)}`;
}

const writes = (graph, turn) => spoken(graph.target(turn));

// Which attention: the encoder's, the decoder's own, or from the decoder to the source.
const placeOf = ({ side, key }) => (side === "e" ? "the encoder" : key[0] === "c" ? "cross-attention" : "the decoder");

const keyWord = (graph, at) => spoken(at.side === "e" || at.key[0] === "c" ? graph.sourceWords[at.column] : graph.shown(at.turn)[at.column]);

export function question(graph, id) {
  const text = asked(graph, id);
  return text[0].toUpperCase() + text.slice(1);
}

function asked(graph, id) {
  const at = parse(id);
  const { key, head, row, column, turn, side } = at;
  const own = key[0] === "c" && key.length > 1 ? key.slice(1) : key;
  const number = `number ${column + 1}`;
  if (side === "pos") return `Position ${row}, ${number}`;
  if (side === "L") return learnedName(graph, at);
  if (key === "p") return `How likely is ${spoken(graph.words_out[column])} as word ${turn + 1}?`;
  if (key === "l") return `How strongly does the model vote for ${spoken(graph.words_out[column])}?`;
  if (own === "w") return `How much does head ${head} of ${placeOf(at)} look at ${keyWord(graph, at)}, ${side === "e" ? `from ${ownerOf(graph, at)}` : `to write ${writes(graph, row)}`}?`;
  if (own === "s") return `How well does the query ${side === "e" ? `of ${ownerOf(graph, at)}` : `for writing ${writes(graph, row)}`} fit the key of ${keyWord(graph, at)}, in head ${head} of ${placeOf(at)}?`;
  const owner = ownerOf(graph, at);
  if (LETTERS[own]) return `The ${LETTERS[own]} of ${owner} in head ${head} of ${placeOf(at)}, ${number}`;
  if (own === "o") return `What head ${head} of ${placeOf(at)} finds for ${owner}, ${number}`;
  if (own === "a") return `What ${key === "ca" ? "cross-attention" : "self-attention"} adds to ${owner}, ${number}`;
  if (key === "x") return `The vector of ${owner} with its position, ${number}`;
  if (key === "h") return `Neuron ${column + 1}, for ${owner}`;
  if (key === "f") return `What the feed-forward network adds to ${owner}, ${number}`;
  const sublayer = { 1: "self-attention", 2: side === "e" ? "feed-forward" : "cross-attention", 3: "feed-forward" }[key[1]];
  if (key[0] === "r") return `${owner} after adding ${sublayer}, ${number}`;
  if (key[0] === "n") return `${owner} after the norm behind ${sublayer}, ${number}`;
  return `The ${key[0] === "m" ? "mean" : "spread"} of ${owner} after adding ${sublayer}`;
}

function learnedName(graph, { key, row, column }) {
  const [side, , name] = key.split(".");
  if (TABLES[key]) {
    if (key === "w_out") return `Learned: row ${row + 1} of the last layer, for ${spoken(graph.words_out[column])}`;
    const words = key === "source_embedding" ? graph.words_in : graph.words_out;
    return `Learned: number ${column + 1} of ${spoken(words[row])} in ${TABLES[key]}`;
  }
  if (key === "b_out") return `Learned: the bias of ${spoken(graph.words_out[column])}`;
  const cross = name.startsWith("cross_");
  const where = cross ? "cross-attention" : `the ${side}`;
  const bare = name.replace("cross_", "");
  if (bare.startsWith("gamma") || bare.startsWith("beta")) return `Learned: ${bare.startsWith("gamma") ? "γ" : "β"} of norm ${bare.at(-1)} in ${where}, number ${column + 1}`;
  if (bare.startsWith("b")) return `Learned: bias ${column + 1} of ${MATRICES[bare]} in ${where}`;
  return `Learned: row ${row + 1}, column ${column + 1} of ${MATRICES[bare]} in ${where}`;
}

const SHORT = { p: "probability", l: "logit", w: "weight", s: "score", q: "query", k: "key", v: "value", o: "found", a: "attention", x: "vector", h: "neuron", f: "feed-forward", r: "sum", n: "norm", m: "mean", d: "spread" };

export function shortName(id) {
  const { side, key } = parse(id);
  if (side === "L") return "learned";
  if (side === "pos") return "position";
  return SHORT[key[0] === "c" && key.length > 1 ? key[1] : key[0]];
}

export function ruleInWords({ rule, terms, divisor = 1, side, key, angle, hidden, residual, column }) {
  if (rule === "learned") return "Training chose this number. There is nothing below it.";
  if (rule === "wave") return `${column % 2 ? "cos" : "sin"} ${angle.toFixed(4)}: the same for every sentence. There is nothing below it.`;
  if (rule === "off") return "This head is switched off, so it adds 0.";
  if (rule === "softmax") return hidden ? "A later word is hidden by the mask, so its weight is 0." : `e to the power of its ${key === "p" ? "logit" : "score"} less the largest one, divided by the sum of these powers.`;
  if (rule === "mean") return `${terms.length} numbers, added up and divided by ${terms.length}.`;
  if (rule === "spread") return "The squared distances from the mean: their mean, plus 0.00001, under a root.";
  if (rule === "norm") return "Subtract the mean, divide by the spread, multiply by γ, add β.";
  if (rule === "neuron") return "A sum of products; a negative sum becomes 0.";
  if (divisor !== 1) return `${terms.length} products, added up and divided by √${Math.round(divisor ** 2)} = ${divisor}.`;
  if (key === "x") return terms.length > 1 ? "Its learned number times √64 = 8, plus its position." : "Its learned number times √64 = 8; positions are switched off.";
  if (key[0] === "r" && side) return residual ? "What came in, plus what was found: the residual connection." : "Only what was found: the residual connection is switched off.";
  if (terms.length === 1 && terms[0].label.part === "same") return "The norm is switched off: the number stays as it is.";
  if (key.at(-1) === "o" || (key[0] === "o")) return "Each word's value times the weight that it gets, added up.";
  return `${terms.length} terms, added up: what came in times learned numbers${terms.at(-1)?.label === "bias" ? ", and a learned bias" : ""}.`;
}

// What the columns of a card hold: its factors and its terms. None where each row says it.
export function headsOf({ rule, key, terms }) {
  if (rule === "softmax") {
    const of = key === "p" ? "logit" : "score";
    return [of, `e^(${of} − largest)`];
  }
  if (terms[0]?.factors.length !== 2) return null;
  const factors = { s: "query · key", o: "weight · value" }[key.at(-1)] ?? "came in · learned";
  return [factors, "product"];
}

const PARTS = { word: "what came in", before: "what came in", found: "what was added", vector: "√64 × its learned number", position: "its position", same: "the sum" };
const NORM = { number: "the sum", mean: "− mean", spread: "÷ spread", gamma: "× γ", beta: "+ β", bias: "bias" };

export function labelOf(label) {
  if (typeof label === "string") return NORM[label];
  if (label.word !== undefined) return spoken(label.word).replace(/[“”]/g, "");
  if (label.part) return PARTS[label.part];
  return `no. ${label.number}`;
}
