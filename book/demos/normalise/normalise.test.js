import assert from "node:assert/strict";
import { test } from "node:test";
import { band, describe, mean, neighbour, normalise, reach, variance } from "./normalise.js";

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

const numbers = (state, stage) => normalise(state).map((number) => number[stage]);

test("1, 2, 3, 4 is centred, divided by 1.1180, stretched and moved", () => {
  assert.deepEqual(numbers(STATE, "centred"), [-1.5, -0.5, 0.5, 1.5]);
  [-1.3416, -0.4472, 0.4472, 1.3416].forEach((wanted, i) => close(numbers(STATE, "divided")[i], wanted));
  [-1.3416, -0.8944, 1.4472, 3.6833].forEach((wanted, i) => close(numbers(STATE, "stretched")[i], wanted));
  close(normalise(STATE)[0].spread, 1.118);
});

test("over columns each number has its own mean and spread", () => {
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
    "“cat” minus the mean, divided by the spread: its numbers have mean 0 and spread 1.",
  );
  assert.match(describe({ ...STATE, loud: true }), /“purrs” is 10 times as large, and none of these numbers has noticed\.$/);
  assert.match(describe({ ...STATE, loud: true, over: "column" }), /every number here has changed with it\.$/);
  assert.match(describe({ ...STATE, loud: true, stage: "given" }), /^“cat” as it is: .* now subtract the mean\.$/);
  assert.match(describe({ ...STATE, over: "column" }), /compared with those of the other words in its column\.$/);
});
