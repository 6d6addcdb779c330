// The maths of the demos: rows are tokens, matrices are arrays of rows. Pure, so that node can test it.

export const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);

export const transpose = (matrix) => matrix[0].map((_, j) => matrix.map((row) => row[j]));

// Each row of the left collects the rows of the right, so many times each.
export function matmul(left, right) {
  return left.map((row) => {
    const sums = new Array(right[0].length).fill(0);
    row.forEach((factor, k) => collect(sums, factor, right[k]));
    return sums;
  });
}

// A separate function, since a whole model runs on it: called so often, it is compiled soon.
function collect(sums, factor, row) {
  for (let j = 0; j < sums.length; j++) sums[j] += factor * row[j];
}

// base^score over the sum of them all. Subtracting the largest score changes no weight and keeps exp finite.
export function softmax(scores, base = Math.E) {
  const powers = relativePowers(scores, base);
  const sum = total(powers);
  return powers.map((power) => power / sum);
}

export function relativePowers(scores, base = Math.E) {
  const scaled = scores.map((score) => score * Math.log(base));
  const largest = Math.max(...scaled);
  return scaled.map((score) => Math.exp(score - largest));
}

export const total = (numbers) => numbers.reduce((sum, value) => sum + value, 0);

// Every matrix of attention for one sentence, in the order in which it is computed.
export function attention({ x, w_q, w_k, w_v, scaled }) {
  const [query, key, value] = [w_q, w_k, w_v].map((w) => matmul(x, w));
  const divisor = scaled ? Math.sqrt(w_q[0].length) : 1;
  const scores = matmul(query, transpose(key)).map((row) => row.map((score) => score / divisor));
  const weights = scores.map((row) => softmax(row));
  return { query, key, value, scores, weights, output: matmul(weights, value) };
}
