import assert from "node:assert/strict";
import { test } from "node:test";
import { height, nice, outline, ticks } from "./curves.js";

const close = (got, wanted) => assert.ok(Math.abs(got - wanted) <= 1e-12, `${got} is not ${wanted}`);

test("a tenth of the loss is a fifth of the height further down, from 10 to 0.0001", () => {
  [10, 1, 0.1, 0.01, 0.001, 0.0001].forEach((loss, i) => close(height(loss), 1 - i / 5));
});

test("a loss outside of the axis is drawn on its border", () => {
  assert.deepEqual([12, 0].map(height), [1, 0]);
});

test("nice numbers are 1, 2 and 5 of each unit, the next one up", () => {
  assert.deepEqual([0.25, 0.5, 1, 2.1, 5.1, 37].map(nice), [0.5, 0.5, 1, 5, 10, 50]);
});

test("ticks begin at 0, end at the last step or before it, and are few", () => {
  assert.deepEqual(ticks(600), [0, 200, 400, 600]);
  assert.deepEqual(ticks(90), [0, 50]);
  assert.deepEqual(ticks(1), [0, 0.5, 1]);
});

test("a line goes from its first step to its last, in hundredths of the box", () => {
  assert.equal(outline([[0, 10], [150, 1], [600, 0.1]], 600), "M0.00 0.00L25.00 20.00L100.00 40.00");
});
