import assert from "node:assert/strict";
import { test } from "node:test";
import { placeOf, tenTo } from "./ratio.js";

test("a ratio of 1 is in the middle, tens are steps, and what is beyond is on the border", () => {
  assert.deepEqual([1, 100, 0.01, 1e9, 0].map((ratio) => placeOf(ratio, 4)), [0, 0.5, -0.5, 1, -1]);
});

test("a bend spreads what is near 1: a ten-thousandth of the scale is seen at a hundredth", () => {
  const places = [1, 1.000921, 1e4, 1e-4].map((ratio) => +placeOf(ratio, 4, 0.5).toFixed(3));
  assert.deepEqual(places, [0, 0.01, 1, -1]);
});

test("a power of ten is written out where it is short", () => {
  assert.deepEqual([-6, -2, 0, 4, 6].map(tenTo), ["1e−6", "0.01", "1", "10000", "1e6"]);
});
