// What Heads computes and says. Pure, so that node can test it.
import { dot, matmul, softmax, total, transpose } from "../shared/attention.js";
import { short, vector } from "../shared/numbers.js";

export const BIG = 0.1; // from here on a weight is named
const upTo = (count) => Array.from({ length: count }, (_, i) => i);

// Which slice of which word each head has in each of its rows: [head][row] -> { word, slice }. A reshape alone reads
// all numbers on, word after word, and gives the first head as many of them as it has room for.
export function originsOf(n, h, reshaped) {
  const origin = (head, row) => (reshaped ? head * n + row : row * h + head);
  const place = (slice) => ({ word: Math.floor(slice / h), slice: slice % h });
  return upTo(h).map((head) => upTo(n).map((row) => place(origin(head, row))));
}

export function cut(matrix, origins) {
  const width = matrix[0].length / origins.length;
  return origins.map((rows) => rows.map(({ word, slice }) => matrix[word].slice(slice * width, (slice + 1) * width)));
}

// Every number on show: the wide queries, what each head is given, sees, finds and adds, and the output.
export function look({ x, w_q, w_k, w_v, w_o, names, reshaped, silent }) {
  const h = names.length;
  const origins = originsOf(x.length, h, reshaped);
  const query = matmul(x, w_q);
  const [queries, keys, values] = [query, matmul(x, w_k), matmul(x, w_v)].map((wide) => cut(wide, origins));
  const heads = upTo(h).map((i) => attend(queries[i], keys[i], values[i], share(w_o, i, h)));
  const isOn = (_, i) => !silent.includes(i);
  const output = x.map((_, row) => sum(heads.filter(isOn).map(({ added }) => added[row]), w_o[0].length));
  return { query, origins, heads, output };
}

function attend(query, key, value, w_o) {
  const divisor = Math.sqrt(key[0].length);
  const weights = query.map((one) => softmax(key.map((other) => dot(one, other) / divisor)));
  const found = matmul(weights, value);
  return { query, key, value, weights, found, added: matmul(found, w_o) };
}

// The rows of W_O that one head meets.
const share = (w_o, i, h) => w_o.slice((i * w_o.length) / h, ((i + 1) * w_o.length) / h);

const sum = (rows, width) => (rows.length ? transpose(rows).map(total) : new Array(width).fill(0));

// --- the words ---

const isEven = (weights) => Math.max(...weights) - Math.min(...weights) < 1e-9;

// Whom a row of weights names: the big ones, the largest first.
export function sharesOf(words, weights) {
  if (isEven(weights)) return `all alike, ${short(weights[0])} each`;
  const big = weights.map((weight, j) => ({ weight, word: words[j] })).filter(({ weight }) => weight >= BIG);
  return big.sort((a, b) => b.weight - a.weight).map(({ weight, word }) => `${word} ${short(weight)}`).join(", ");
}

export function describe(state, { heads, output, origins }) {
  const { words, names, head, row, reshaped, silent } = state;
  if (reshaped) return describeSmear(state, origins);
  const called = (i) => `head ${i} (${names[i]})`;
  const asker = `“${words[row]}”`;
  if (silent.length === names.length) return `Without any head nothing is added: the output of ${asker} is ${vector(output[row])}.`;
  if (silent.length) {
    const whole = sum(heads.map(({ added }) => added[row]), output[0].length);
    const off = silent.map(called).join(" and ");
    const chosen = `${called(head)} ${silent.includes(head) ? "would add" : "still adds"} ${vector(heads[head].added[row])}`;
    return `Without ${off}, the output of ${asker} is ${vector(output[row])} and not ${vector(whole)}; ${chosen}.`;
  }
  const { query, weights, found } = heads[head];
  const start = `Of each word, ${called(head)} has slice ${head}. ${asker} has the query ${vector(query[row])} there and `;
  const even = "takes every word alike: it has no question about this word, and still adds the sentence’s average.";
  return start + (isEven(weights[row]) ? even : `looks at ${sharesOf(words, weights[row])}; it finds ${vector(found[row])}.`);
}

function describeSmear({ words, head, row, silent }, origins) {
  const h = origins.length;
  const { word } = origins[head][row];
  const held = words.map((_, i) => origins[head].filter((origin) => origin.word === i).length);
  const [whole, none] = [h, 0].map((count) => held.filter((slices) => slices === count).length);
  const of = `Reshape only: head ${head} has ${whole} of ${words.length} words whole and nothing of ${none} other${none === 1 ? "" : "s"}. `;
  const off = silent.includes(head) ? " It is switched off, and adds nothing." : "";
  if (word === row) return `${of}Its row “${words[row]}” is a piece of that word still.${off}`;
  return `${of}Its row “${words[row]}” is really a piece of “${words[word]}”, and attends in its place.${off}`;
}
