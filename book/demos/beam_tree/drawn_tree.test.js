import assert from "node:assert/strict";
import { test } from "node:test";
import { placed } from "./drawn_tree.js";

test("ends take a row each, and a word is in the middle of those below it", () => {
  const { places, ends, deepest } = placed([0, 1, 2, 2, 1].map((depth) => ({ depth })));
  assert.deepEqual([ends, deepest], [3, 2]);
  assert.deepEqual(places.map(({ y }) => y), [1.5, 1, 0.5, 1.5, 2.5]);
  assert.deepEqual(places.map(({ parent }) => parent), [-1, 0, 1, 1, 0]);
});

test("a beginning alone is its own end", () => {
  const { places, ends } = placed([{ depth: 0 }]);
  assert.deepEqual([places[0].y, ends], [0.5, 1]);
});
