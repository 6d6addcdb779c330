import assert from "node:assert/strict";
import { test } from "node:test";
import { long, percent, short, vector } from "./numbers.js";

test("a cell shows whole numbers whole and the others in four characters", () => {
  assert.deepEqual([0, 3, 2.9999999999999996].map(short), ["0", "3", "3"]);
  assert.deepEqual([0.8833, 9.2376, 9.998, 46.77, 162754.79].map(short), [".883", "9.24", "10.0", "46.8", "1.6e5"]);
  assert.equal(short(-0.5), "−.500");
});

test("a weight that only comes near 0 or 1 keeps its decimals", () => {
  assert.deepEqual([0.00002, 0.99996, 1 - 1e-13].map(short), [".000", "1.00", "1.00"]);
});

test("a sentence shows four decimals", () => {
  assert.deepEqual([16, 9.237604, -0.5, 2.5e7].map(long), ["16", "9.2376", "−0.5000", "2.500e7"]);
  assert.equal(vector([0.5, 0.00005]), "[0.5,\u00a00.0001]");
  assert.equal(percent(0.8833), "88.3%");
});
