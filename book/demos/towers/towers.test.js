import assert from "node:assert/strict";
import { test } from "node:test";
import { amount, describe, row } from "./towers.js";

const LINES = {
  size: { post: [[1, 1], [2, 1]], pre: [[1, 1.5], [2, 2]], no_norm: [[1, 2], [2, 4000]], no_residual: [[1, 1], [2, 1]] },
  difference: { post: [[1, 0.6], [2, 0.5]], pre: [[1, 0.7], [2, 0.6]], no_norm: [[1, 0.6], [2, 0.5]], no_residual: [[1, 0.3], [2, 1e-12]] },
  gradient: { post: [[1, 0.9], [2, 0.8]], pre: [[1, 1], [2, 2]], no_norm: [[1, 2], [2, 30]], no_residual: [[1, 0.5], [2, 0.25]] },
};

test("what rounding leaves is written as less than 1e−12, and what is small keeps its digits", () => {
  assert.deepEqual([1e-12, 4.5e-4, 0.338, 145_000].map(amount), ["<1e−12", "0.000450", "0.338", "1.5e5"]);
  assert.deepEqual(row(LINES.difference, 2), ["0.500", "<1e−12", "0.500", "0.600"]);
});

test("the sentence names the numbers of the measure that is drawn", () => {
  const told = (measure, depth) => describe({ ...LINES, measure, depth });
  assert.equal(
    told("size", 2),
    "After 2 untrained layers, the numbers have a spread of 4000 without a norm, 1 with post-norm and 2 with pre-norm.",
  );
  assert.match(told("difference", 1), /^After one untrained layer, .* is 0\.300 without the residual connection, 0\.600 with post-norm and 0\.700 with pre-norm\.$/);
  assert.match(told("gradient", 2), /arrives at the bottom as 30 without a norm, 0\.800 with post-norm and 2 with pre-norm\.$/);
});
