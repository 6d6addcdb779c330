import assert from "node:assert/strict";
import { test } from "node:test";
import { placed } from "./drawn_tree.js";

const walk = (...depths) => placed(depths.map((depth) => ({ depth })));

test("a word is in the middle of those that follow it", () => {
  const { places, rows, deepest } = walk(0, 1, 2, 2, 1);
  assert.deepEqual([rows, deepest], [2.5, 2]);
  assert.deepEqual(places.map(({ y }) => y), [1.5, 1, 0.5, 1.5, 2]);
  assert.deepEqual(places.map(({ parent }) => parent), [-1, 0, 1, 1, 0]);
});

test("a short branch lies under a long one, and in no column are two words nearer than a row", () => {
  const { places, rows } = walk(0, 1, 2, 3, 4, 4, 4, 2, 1, 1);
  assert.ok(rows < 7); // there are seven ends
  for (const depth of [1, 2, 3, 4]) {
    const column = places.filter((place) => place.depth === depth).map(({ y }) => y);
    column.slice(1).forEach((y, i) => assert.ok(y - column[i] >= 1 - 1e-9));
  }
});

test("a beginning alone has a row to itself", () => {
  const { places, rows } = walk(0);
  assert.deepEqual([places[0].y, rows], [0.5, 1]);
});
