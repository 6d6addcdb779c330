import assert from "node:assert/strict";
import { test } from "node:test";
import { amount, height, marks, outline, row } from "./depth.js";
import { strength, band, describe, describeDepth, mean, neighbour, normalise, reach, variance } from "./normalise.js";

const close = (got, wanted, within = 5e-5) => assert.ok(Math.abs(got - wanted) <= within, `${got} is not ${wanted}`);

const STATE = {
  words: ["your", "cat", "purrs"],
  x: [[4, 4, 0, 0], [1, 2, 3, 4], [3, 0, 0, 1]],
  affine: [[1, 2, 1, 2], [0, 0, 1, 1]],
  token: 1,
  stage: "divided",
  over: "token",
  loud: false,
};
const LINES = {
  size: { post: [[1, 1], [2, 1]], pre: [[1, 1.5], [2, 2]], no_norm: [[1, 2], [2, 4000]], no_residual: [[1, 1], [2, 1]] },
  difference: { post: [[1, 0.6], [2, 0.5]], pre: [[1, 0.7], [2, 0.6]], no_norm: [[1, 0.6], [2, 0.5]], no_residual: [[1, 0.3], [2, 1e-12]] },
  gradient: { post: [[1, 0.9], [2, 0.8]], pre: [[1, 1], [2, 2]], no_norm: [[1, 2], [2, 30]], no_residual: [[1, 0.5], [2, 0.25]] },
};

const numbers = (state, stage) => normalise(state).map((number) => number[stage]);

test("1, 2, 3, 4 is centred, divided by 1.1180, stretched and moved", () => {
  assert.deepEqual(numbers(STATE, "centred"), [-1.5, -0.5, 0.5, 1.5]);
  [-1.3416, -0.4472, 0.4472, 1.3416].forEach((wanted, i) => close(numbers(STATE, "divided")[i], wanted));
  [-1.3416, -0.8944, 1.4472, 3.6833].forEach((wanted, i) => close(numbers(STATE, "stretched")[i], wanted));
  close(normalise(STATE)[0].spread, 1.118);
});

test("over columns each number has a mean and a spread of its own", () => {
  const [first, second] = normalise({ ...STATE, over: "column" });
  close(first.middle, 8 / 3);
  close(first.spread ** 2, 14 / 9, 1e-4);
  close(second.centred, 0);
});

test("the neighbour that is ten times as large moves columns, and not the token", () => {
  const loud = { ...STATE, loud: true };
  assert.equal(neighbour(STATE), 2);
  assert.equal(neighbour({ ...STATE, token: 2 }), 0);
  assert.deepEqual(numbers(loud, "divided"), numbers(STATE, "divided"));
  close(normalise({ ...loud, over: "column" })[0].middle, 35 / 3);
});

test("the band is a spread to either side of the mean, and follows the steps", () => {
  const [, second] = normalise(STATE);
  const ends = (stage) => band(second, stage);
  close(ends("given")[0], 2.5 - 1.118);
  close(ends("centred")[1], 1.118);
  assert.deepEqual(ends("divided"), [-1, 1]);
  assert.deepEqual(ends("stretched"), [-2, 2]);
});

test("the variance of 1, 2, 3, 4 is 1.25, and the axis reaches 4 at least", () => {
  assert.equal(mean([1, 2, 3, 4]), 2.5);
  assert.equal(variance([1, 2, 3, 4]), 1.25);
  assert.equal(reach(STATE), 4);
  assert.equal(reach({ x: [[0.5, -7.2]] }), 8);
});

test("the sentence says mean and spread, and who has noticed the neighbour", () => {
  assert.equal(
    describe(STATE),
    "“cat” less the mean, divided by the spread: its numbers have mean 0 and spread 1.",
  );
  assert.match(describe({ ...STATE, loud: true }), /“purrs” is 10 times as large, and none of these numbers has noticed\.$/);
  assert.match(describe({ ...STATE, loud: true, over: "column" }), /every number here has changed with it\.$/);
  assert.match(describe({ ...STATE, loud: true, stage: "given" }), /^“cat” as it is: .* now subtract the mean\.$/);
  assert.match(describe({ ...STATE, over: "column" }), /compared with those of the other words in its column\.$/);
});

test("what rounding leaves is written as less than 1e−12, and what is small keeps its digits", () => {
  assert.deepEqual([1e-12, 4.5e-4, 0.338, 145_000].map(amount), ["<1e−12", "0.000450", "0.338", "1.5e5"]);
  assert.deepEqual(row(LINES.difference, 2).map(({ text }) => text), ["0.500", "0.600", "0.500", "<1e−12"]);
});

test("the axis ends at powers of ten, has six marks at most, and takes less than a millionth for that", () => {
  assert.deepEqual(marks(LINES.size), { low: 0, high: 4, below: false, ticks: [0, 1, 2, 3, 4] });
  assert.deepEqual(marks(LINES.difference), { low: -6, high: 0, below: true, ticks: [-6, -4, -2, 0] });
  const axis = { low: -2, high: 2 };
  assert.deepEqual([1e-9, 0.01, 1, 10, 1e5].map((value) => height(value, axis)), [0, 0, 50, 75, 100]);
});

test("a line runs from the first layer at the left to the last at the right", () => {
  assert.equal(outline(LINES.size.no_norm, { low: 0, high: 4 }, 2), "M0.00 92.47L100.00 9.95");
  assert.equal(outline([[1, 10]], { low: 0, high: 2 }, 1), "M0.00 50.00");
});

test("the second sentence names the numbers of the measure that is drawn", () => {
  const told = (measure, depth) => describeDepth({ ...LINES, measure, depth });
  assert.equal(
    told("size", 2),
    "2 untrained layers: the numbers have a spread of 1 with post-norm, 2 with pre-norm and 4000 without a norm.",
  );
  assert.match(told("difference", 1), /^One untrained layer: .* is 0\.600 with post-norm, 0\.700 with pre-norm and 0\.300 without the residual\.$/);
  assert.match(told("gradient", 2), /comes down as 0\.800 with post-norm, 2 with pre-norm and 30 without a norm\.$/);
});

test("a swatch is full at 1 and pale at a hundredth, and fills up again where a number has grown", () => {
  assert.deepEqual([1, 0.01, 1e-4, 0].map(strength), [1, 0.5, 0, 0]);
  assert.deepEqual([10, 1000, 1e6].map(strength).map((s) => +s.toFixed(9)), [0.6, 1, 1]);
});
