// The steps of attention in numbers: all matrices of a sentence, and what one cell is the sum of.
import { attention, softmax, total, transpose } from "../shared/attention.js";
import { long, percent } from "../shared/numbers.js";

const PRODUCTS = {
  query: ["x", "w_q"],
  key: ["x", "w_k"],
  value: ["x", "w_v"],
  scores: ["query", "keyTransposed"],
  output: ["weights", "value"],
};

// The words and their rows of x in the order of their places. While Python changes one after the other, an order may
// not fit yet: then it is the one that they came in.
export function arrange(state) {
  const inTurn = state.x.map((_, i) => i);
  const order = state.order?.length === inTurn.length ? state.order : inTurn;
  return { ...state, order, words: order.map((i) => state.words[i]), x: order.map((i) => state.x[i]) };
}

export const exchange = (order, a, b) => order.map((given, i) => (i === a ? order[b] : i === b ? order[a] : given));

// The entries of W_Q that are not as they came: [row, column] each.
export function edited({ w_q, start }) {
  const places = w_q.flatMap((numbers, k) => numbers.map((_, j) => [k, j]));
  return places.filter(([k, j]) => start[k]?.[j] !== undefined && start[k][j] !== w_q[k][j]);
}

export const edit = (matrix, row, column, value) =>
  matrix.map((numbers, k) => (k === row ? numbers.map((old, j) => (j === column ? value : old)) : numbers));

// state: words, x, w_q, w_k, w_v, scaled, mask. All matrices by name, with the keys also lying on their side. A mask has
// true where a row may look; none is null.
export function matrices(state) {
  const steps = attention(state);
  const mask = state.mask?.length === state.x.length ? state.mask : null;
  if (mask) steps.weights = steps.scores.map((row, i) => softmaxOf(row, mask[i]));
  if (mask) steps.output = steps.weights.map((row) => transpose(steps.value).map((column) => total(row.map((w, j) => w * column[j]))));
  return { ...state, ...steps, mask, keyTransposed: transpose(steps.key) };
}

function softmaxOf(scores, open) {
  const left = softmax(scores.filter((_, j) => open[j]));
  return open.map((isOpen) => (isOpen ? left.shift() : 0));
}

export const masked = ({ mask }, stage, row, column) =>
  (stage === "scores" || stage === "weights") && mask !== null && !mask[row][column];

// A row's scores as softmax sees them.
function seenScores(all, row) {
  return all.scores[row].map((score, j) => (masked(all, "scores", row, j) ? -Infinity : score));
}

// The numbers that one cell was made from: pairs to multiply and add, or a share of a sum.
export function account(stage, all, row, column) {
  const value = all[stage][row][column];
  if (stage === "weights") {
    const seen = seenScores(all, row);
    const largest = seen.some(Number.isFinite) ? Math.max(...seen) : 0; // a row that may look nowhere has no largest
    const powers = seen.map((score) => Math.exp(score - largest));
    return { value, score: seen[column], largest, power: powers[column], sum: total(powers) };
  }
  const [left, right] = PRODUCTS[stage];
  const pairs = all[left][row].map((number, k) => [number, all[right][k][column]]);
  const divided = stage === "scores" && all.scaled;
  return { value, pairs, sum: total(pairs.map(([a, b]) => a * b)), width: divided ? all.query[0].length : null };
}

// The row and the column of a product, in words.
const SOURCES = { query: ["x", "W_Q"], key: ["x", "W_K"], value: ["x", "W_V"], output: ["the weights", "V"] };

export function describe(stage, all, row, column) {
  const value = long(all[stage][row][column]);
  const [word, other] = [all.words[row], all.words[column]];
  if (stage === "weights") {
    const share = all.words.length > 1 ? percent(all.weights[row][column]) : "all";
    return `“${word}” gives ${share} of its attention to “${other}”. ${mostOf(all, row, column)}`;
  }
  if (stage === "scores") {
    const { width } = account(stage, all, row, column);
    const divided = width ? `, divided by √${width},` : "";
    return `The query of “${word}” times the key of “${other}”${divided} is ${value}. ${strongest(all, row, column)}`;
  }
  const [left, right] = SOURCES[stage];
  const made = `the row of “${word}” in ${left} times column ${column} of ${right}`;
  return `Column ${column} of the ${stage} of “${word}” is ${value}: ${made}.`;
}

// What the reader has changed, in words; nothing where nothing is.
export function changes(all) {
  const entries = edited(all);
  const moved = all.words.filter((_, i) => all.order[i] !== i);
  const sentences = [];
  if (entries.length) sentences.push(`${whatIsEdited(all, entries)}.`);
  if (moved.length) {
    const who = moved.length === 2 ? `“${moved[0]}” and “${moved[1]}” are swapped` : `${moved.length} words have moved`;
    const outputs = entries.length ? "" : ": each row of the output is the same as in the old order, in its new place";
    sentences.push(`${who}${outputs}.`);
  }
  return sentences.join(" ");
}

function whatIsEdited({ w_q, start }, entries) {
  if (entries.length > 1) return `${entries.length} entries of W_Q are changed`;
  const [[k, j]] = entries;
  return `W_Q is changed: row ${k}, column ${j} is ${long(w_q[k][j])}, not ${long(start[k][j])}`;
}

function strongest(all, row, column) {
  if (masked(all, "scores", row, column)) return "The mask hides it, so its weight is 0.";
  const { words, scores } = all;
  const { best, winners } = largest(words, seenScores(all, row));
  if (winners.length === words.length) return "All scores of this row are the same.";
  if (scores[row][column] === best) return "No score of this row is larger.";
  return `The largest score of this row is ${long(best)}, with “${winners[0]}”.`;
}

function mostOf({ words, weights }, row, column) {
  const { best, winners } = largest(words, weights[row]);
  if (winners.length === words.length) return "It attends to all words equally.";
  if (weights[row][column] === best) return "No word gets more; the row sums to 1.";
  return `Most goes to “${winners[0]}”, ${percent(best)}; the row sums to 1.`;
}

function largest(words, numbers) {
  const best = Math.max(...numbers);
  return { best, winners: words.filter((_, j) => numbers[j] === best) };
}
