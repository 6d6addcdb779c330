// Our small GPT in the page, and its numbers as nodes. Its arrays are
//   g.x           word vectors, the start first     g0.m1 .d1 .n1  mean, spread and norm of what comes into layer 0
//   g0.uq.0 .uk   queries and keys of its head 0    g0.q.0 .k .v   the same rotated, and values
//   g0.s.0 .w .o  scores, weights, what it finds    g0.a           attention's answer, through W_O
//   g0.r1 .r2     sums with the residual connection g0.n2 .h .f    norm, neurons, what the feed-forward network adds
//   g.n           the last norm, .m and .d as above g.l .p         logits and probabilities of the next word
//   pos           sines and cosines of the angles that queries and keys are rotated by
import { matmul, softmax, transpose } from "../shared/attention.js";
import { graphOf } from "../shared/graph.js";
import { spoken } from "../shared/number_words.js";
import { add, embed, feedForward, layerNorm, layerOf, multiHead, noneAhead, position } from "../shared/transformer.js";

export const MANY = 300; // words: of more, a softmax shows the largest apart
const LARGEST = 100;

// (a, b) → (a cos − b sin, a sin + b cos) for each pair; a position's row holds the sine and the cosine of each angle.
const rotated = (rows) => rows.map((row, p) => {
  const angles = position(p, row.length);
  return row.map((value, c) => (c % 2 ? row[c - 1] * angles[c - 1] + value * angles[c] : value * angles[c + 1] - row[c + 1] * angles[c]));
});

// The logits and probabilities of the next word after every beginning of a text, with each step kept.
export function read({ parameters, h, layers }, tokens) {
  const embedded = embed(tokens, parameters.embedding, { positions: true });
  const steps = [];
  let x = embedded;
  for (let i = 0; i < layers; i++) {
    const p = layerOf(parameters, `layer.${i}`);
    const before = layerNorm(x, p.gamma1, p.beta1);
    const attention = multiHead(before, before, p, h, { sees: noneAhead, off: {}, rotated });
    const first = add(x, attention.output);
    const middle = layerNorm(first, p.gamma2, p.beta2);
    const thought = feedForward(middle, p);
    const second = add(first, thought.output);
    steps.push({ input: x, before, attention, first, middle, thought, second });
    x = second;
  }
  const output = layerNorm(x, parameters.gamma, parameters.beta);
  const logits = matmul(output, transpose(parameters.embedding));
  return { embedded, steps, output, logits, probabilities: logits.map((row) => softmax(row)) };
}

// Of a long softmax, the largest terms and the one that is asked about; all others are one, whose score is the logarithm of
// the sum of their powers of e.
const grouped = (softmax) => (row, column) => {
  const made = softmax(row, column);
  if (made.terms.length <= MANY) return made;
  const [own, ...rest] = made.terms.sort((a, b) => b.own - a.own || b.term - a.term);
  const [kept, others] = [[own, ...rest.slice(0, LARGEST)], rest.slice(LARGEST)];
  const term = others.reduce((sum, one) => sum + one.term, 0);
  const largest = own.factors[0].value - Math.log(own.term);
  const label = { word: `${others.length.toLocaleString("en")} others`, at: -1 };
  return { ...made, terms: [...kept, { label, factors: [{ value: largest + Math.log(term) }], term, own: false }] };
};

// All questions that can be asked of one text. `words` begin with the start.
export function textGraph(model, words) {
  const tokens = words.map((word) => model.target.indexOf(word));
  const run = read(model, tokens);
  const graph = graphOf(model.parameters);
  const width = model.parameters.embedding[0].length;
  const divisor = Math.sqrt(width / model.h);
  const attention = { labels: words, hides: (row, j) => j > row, divisor, isRotated: true };
  const keepSum = (name, rows, before, found) => graph.keepSum(name, rows, "residual", { [before]: "before", [found]: "found" });
  graph.keepPositions(width / model.h, (row) => position(row, width / model.h));
  graph.keepEmbedded("g.x", run.embedded, "vector", tokens, "embedding", width);
  let last = "g.x";
  run.steps.forEach((step, i) => {
    const [side, layer] = [`g${i}`, `layer.${i}.`];
    graph.keepNorm(side, 1, last, step.input, step.before, layer);
    graph.keepAttention(`${side}.`, step.attention, `${side}.n1`, `${side}.n1`, layer, attention);
    keepSum(`${side}.r1`, step.first, last, `${side}.a`);
    graph.keepNorm(side, 2, `${side}.r1`, step.first, step.middle, layer);
    graph.keepFeedForward(side, step.thought, `${side}.n2`, layer);
    last = `${side}.r2`;
    keepSum(last, step.second, `${side}.r1`, `${side}.f`);
  });
  graph.keepNorm("g", "", last, run.steps.at(-1).second, run.output, "");
  graph.keep("g.l", run.logits, graph.votes("g.n", (c, word) => `L.embedding:${word}:${c}`, width, (word) => model.parameters.embedding[word]));
  graph.keep("g.p", run.probabilities, grouped(graph.softmax("g.l", model.target)));
  return { ...graph, run, names: namesOf(model, words) };
}

// What the questions on the cards name.
function namesOf(model, words) {
  const owner = ({ row }) => spoken(words[row]);
  const inLayer = (turn) => (turn === null ? "" : ` in layer ${turn + 1}`);
  const after = (row) => (row ? ` after “${words.slice(1, row + 1).join(" ")}”` : " at the beginning");
  const stages = { r1: "after adding self-attention", r2: "after adding feed-forward", 1: "before self-attention", 2: "before feed-forward" };
  return {
    owner,
    withPosition: "",
    position: ({ row, column }) => `the ${column % 2 ? "cosine" : "sine"} of an angle of position ${row}`,
    place: ({ turn }) => `layer ${turn + 1}`,
    attention: ({ turn }) => `self-attention${inLayer(turn)}`,
    ofLayer: ({ turn }) => inLayer(turn),
    likely: ({ row, column }) => `How likely is ${spoken(model.target[column])}${after(row)}?`,
    rather: ({ row, column, rival }) => `Why ${spoken(model.target[column])} rather than ${spoken(model.target[rival])}${after(row)}?`,
    vote: ({ row, column }) => `${spoken(model.target[column])}${after(row)}`,
    key: ({ column }) => spoken(words[column]),
    looks: (at) => `from ${owner(at)}`,
    asks: (at) => `of ${owner(at)}`,
    stage({ key, turn }) {
      if (!key[1]) return key === "n" ? "after the last norm" : "after the last layer";
      const where = `${stages[key] ?? stages[key[1]]}${inLayer(turn)}`;
      return key[0] === "n" ? `after the norm ${where}` : where;
    },
    vector: ({ key, row }) => (key === "embedding" ? `the learned vector of ${spoken(model.target[row])}` : null),
    table: ({ key, row, column }) => (key === "embedding" ? `number ${column + 1} of ${spoken(model.target[row])} in the word table` : null),
    matrix({ key }) {
      const [, layer, name = key] = key.split(".");
      const isNorm = /^(gamma|beta)/.test(name);
      if (name === key) return { name, where: "the last norm" };
      return { name, where: `${isNorm ? `norm ${name.at(-1)} in ` : ""}layer ${Number(layer) + 1}` };
    },
  };
}
