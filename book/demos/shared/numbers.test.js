import assert from "node:assert/strict";
import { test } from "node:test";
import { fading, long, percent, setting, share, short, vector } from "./numbers.js";

test("a cell shows whole numbers whole and the others in four characters", () => {
  assert.deepEqual([0, 3, 2.9999999999999996].map(short), ["0", "3", "3"]);
  assert.deepEqual([0.8833, 9.2376, 9.998, 46.77, 162754.79].map(short), ["0.883", "9.24", "10.0", "46.8", "1.6e5"]);
  assert.equal(short(-0.5), "−0.500");
  assert.equal(short(-Infinity), "−∞");
});

test("a weight that only comes near 0 or 1 keeps its decimals", () => {
  assert.deepEqual([0.00002, 0.99996, 1 - 1e-13].map(short), ["0.000", "1.00", "1.00"]);
});

test("a sentence shows four decimals", () => {
  assert.deepEqual([16, 9.237604, -0.5, 2.5e7].map(long), ["16", "9.2376", "−0.5000", "2.500e7"]);
  assert.equal(vector([0.5, 0.00005]), "[0.5000,\u00a00.0001]");
});

test("a vector that only comes near 0 and 1 does not claim them", () => {
  assert.equal(vector([0.000006, 0.999994]), "[0.0000,\u00a01.0000]");
  assert.equal(vector([0, 1]), "[0,\u00a01]");
});

test("a share is a percentage, but never none or all by rounding", () => {
  assert.deepEqual([0.8833, 0.0003, 0.9998].map(percent), ["88.3%", "less than 0.1%", "more than 99.9%"]);
});

test("a setting has the decimals that were chosen", () => {
  assert.deepEqual([0, 0.5, 1, 2.3, 12].map(setting), ["0", "0.5", "1", "2.3", "12"]);
});

test("a weight keeps its decimals even where float64 has rounded it", () => {
  assert.deepEqual([0.5, 0, 1, 0.99997, 1 / 3].map(share), ["0.5000", "0.0000", "1.0000", "1.0000", "0.3333"]);
});

test("a number that dies away keeps its first digits until only rounding is left", () => {
  assert.deepEqual([1.3863, 0.1966, 0.00033535].map(fading), ["1.3863", "0.1966", "0.000335"]);
  assert.deepEqual([0.0000335, 3.4567e-9].map(fading), ["3.4e−5", "3.5e−9"]);
  assert.deepEqual([1e-13, 0].map(fading), ["<1e−12", "<1e−12"]);
});
