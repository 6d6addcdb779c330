import assert from "node:assert/strict";
import { test } from "node:test";
import { softmax } from "../shared/attention.js";
import { describe, deviation, entropy, height, histogram, measure, slope } from "./saturation.js";

const close = (got, wanted, within = 1e-12) => assert.ok(Math.abs(got - wanted) <= within, `${got} is not ${wanted}`);

// Two queries and three keys; a row of scores for d_k = 1, 2 and 4.
const STATE = {
  scores: [[1, 0, 0, 0, 1, 0], [2, 0, 0, 0, 2, 0], [16, 0, -2, 4, 4, 4]],
  n_k: 3,
  d_k: 4,
  scaled: false,
  row: 0,
};

test("the slope of softmax falls from 0.1966 at [1, 0] to 0.000335 at [8, 0], 586 times less", () => {
  const [small, large] = [[1, 0], [8, 0]].map((scores) => slope(softmax(scores)));
  close(small, 0.1966, 5e-5);
  close(large, 0.000335, 5e-7);
  assert.equal(Math.round(small / large), 586);
});

test("the slope of even weights among two is a quarter, the most there is", () => {
  assert.equal(slope([0.5, 0.5]), 0.25);
});

test("the entropy of four equal weights is ln 4, and 0 · ln 0 counts as 0", () => {
  close(entropy([0.25, 0.25, 0.25, 0.25]), 1.3862943611198906);
  close(entropy([0.5, 0, 0.5]), Math.LN2);
  assert.ok(Object.is(entropy([0, 1]), 0));
});

test("the deviation of 2 4 4 4 5 5 7 9 is 2", () => {
  assert.equal(deviation([2, 4, 4, 4, 5, 5, 7, 9]), 2);
});

test("the row of scores is that of d_k, cut into one row for each query", () => {
  const { all, queries, inBand } = measure(STATE);
  assert.deepEqual(all, [16, 0, -2, 4, 4, 4]);
  assert.deepEqual(queries.map(({ scores }) => scores), [[16, 0, -2], [4, 4, 4]]);
  assert.equal(inBand, 5);
  assert.deepEqual(measure({ ...STATE, d_k: 2 }).all, [2, 0, 0, 0, 2, 0]);
});

test("scaled scores are divided by the root of d_k", () => {
  const { all, queries } = measure({ ...STATE, scaled: true });
  assert.deepEqual(all, [8, 0, -1, 2, 2, 2]);
  const two = measure({ scores: [[0, 0], [0, 0], [4, 0]], n_k: 2, d_k: 4, scaled: true });
  close(two.queries[0].largest, 0.8808, 5e-5);
  close(queries[1].entropy, Math.log(3));
});

test("a mean is over the queries", () => {
  const { means, queries } = measure(STATE);
  close(means.largest, (queries[0].largest + 1 / 3) / 2);
  close(means.slope, (queries[0].slope + 2 / 9) / 2);
  close(means.entropy, (queries[0].entropy + Math.log(3)) / 2);
});

test("a score on an edge counts to its right, and the last bin keeps both of its edges", () => {
  const { counts, outside } = histogram([0, 4, -4, -0.5, 3.9, -100, 100, 96]);
  assert.equal(counts.length, 50);
  assert.deepEqual(counts.slice(23, 27), [0, 2, 2, 1]);
  assert.deepEqual([counts[0], counts[49], outside], [1, 2, 0]);
});

test("what lies outside of the axis is in no bin, and is counted", () => {
  const { counts, outside } = histogram([-107.8, 3, 100.1]);
  assert.deepEqual([counts.reduce((sum, count) => sum + count), outside], [1, 2]);
});

test("a bar of a quarter of the scores is half as high as the plot", () => {
  assert.deepEqual([0, 0.25, 1].map(height), [0, 0.5, 1]);
});

test("the description tells what is shared, and by how much", () => {
  const even = { ...STATE, scores: [[1, 1, 1, 0, 0, 0]], d_k: 1, row: 1 };
  assert.equal(
    describe(even, measure(even)),
    "Keys 1 wide, scores as they are: 6 of 6 scores lie between −4 and 4, and query 1 gives 33.3% of its weight to " +
      "key 0. On average the strongest key takes 33.3% and the slope is 0.2222: the weight is shared.",
  );
});

test("the description says when one key takes over, and never all", () => {
  const told = (scores) => {
    const state = { ...STATE, scores: [scores], d_k: 1 };
    return describe(state, measure(state));
  };
  assert.match(told([3, 0, 0, 0, 3, 0]), /query 0 gives 90\.9% .* to key 0.*: one key begins to take over\.$/);
  const hard = told([90, 0, 0, 0, 70, 0]);
  assert.match(hard, /4 of 6 scores lie .* gives more than 99\.9% .* takes more than 99\.9% and .* less than 1e−12/);
  assert.match(hard, /: one key takes nearly everything\.$/);
  assert.match(describe({ ...STATE, scaled: true }, measure(STATE)), /^Keys 4 wide, scores divided by √4: 5 of 6/);
});
