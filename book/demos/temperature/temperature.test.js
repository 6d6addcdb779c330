import assert from "node:assert/strict";
import { test } from "node:test";
import { describe, draw, drawn, percent, probabilities, rows } from "./temperature.js";

const MOMENT = { said: "ti", words: ["amo", "chiamo", "capisco"], logits: [2, 1, 0] };
const close = (got, wanted) => got.forEach((value, i) => assert.ok(Math.abs(value - wanted[i]) < 5e-5, `${value} ${wanted[i]}`));

test("softmax of logits divided by the temperature, and greedy at 0", () => {
  close(probabilities([2, 1, 0], 1), [0.6652, 0.2447, 0.09]);
  close(probabilities([2, 1, 0], 0.5), [0.8668, 0.1173, 0.0159]);
  close(probabilities([2, 1, 0], 3), [0.4484, 0.3213, 0.2302]);
  assert.deepEqual(probabilities([1, 5, 5], 0), [0, 1, 0]);
  close(probabilities([5000, 4999], 1), [0.7311, 0.2689]);
});

test("a draw is the first word whose running sum exceeds u", () => {
  assert.deepEqual([0, 0.49, 0.5, 0.99].map((u) => draw([0.5, 0.25, 0.25], u)), [0, 0, 1, 2]);
  assert.deepEqual([...new Set(drawn(MOMENT, 0))], ["amo"]);
  assert.equal(new Set(drawn(MOMENT, 4)).size, 3);
});

test("what is not shown is one row, and the sentence counts the draws", () => {
  const many = { said: "", words: [..."abcdefghij"], logits: [..."abcdefghij"].map(() => 0) };
  assert.equal(rows(many, 1).at(-1).word, "3 others");
  close([rows(many, 1).at(-1).share], [0.3]);
  assert.equal(rows(MOMENT, 1).length, 3);
  assert.equal(percent(0.99995), ">99.99%");
  assert.equal(describe({ moments: [MOMENT], place: 0, temperature: 0 }), "Temperature 0, greedy: amo has 100.00%, and 20 of 20 draws are amo.");
});
