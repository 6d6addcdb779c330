import assert from "node:assert/strict";
import { test } from "node:test";
import { arc, goal, looksAt, reach } from "./arcs.js";

test("an arc leads from the middle of one row to the middle of another, on the left of both", () => {
  assert.match(arc(0, 3, 4), /^M68 0\.5A36 1\.5 0 0 0 68 3\.5$/);
  assert.match(arc(3, 0, 4), /^M68 3\.5A36 1\.5 0 0 1 68 0\.5$/);
});

test("what a word keeps is a loop at its own row", () => {
  assert.match(arc(2, 2, 4), /^M68 2\.2C.* 68 2\.8$/);
});

test("an arc reaches out farther, the farther apart its words are", () => {
  const far = [1, 2, 10].map((to) => reach(0, to, 11));
  assert.deepEqual(far, far.toSorted((a, b) => a - b));
  assert.equal(reach(2, 5, 11), reach(9, 6, 11));
  assert.equal(reach(0, 0, 1), reach(4, 4, 11));
});

test("the words for the arcs name the large weights, and say when there are none", () => {
  const words = ["in", "lion", "grass"];
  assert.equal(looksAt(words, [0.05, 0.834, 0.116], 0), "“in” looks at “lion” 0.834, “grass” 0.116");
  assert.equal(looksAt(words, [1 / 3, 1 / 3, 1 / 3], 1), "“lion” looks at all words alike");
  const many = Array.from({ length: 20 }, (_, i) => String(i));
  assert.equal(looksAt(many, many.map((_, i) => (i ? 0.05 : 0.0501)), 0), "“0” looks at every word a little");
});

test("arrows move the choice among the words and stop at the ends", () => {
  assert.deepEqual(["ArrowDown", "ArrowUp", "Home", "End"].map((key) => goal(key, 0, 11)), [1, 0, 0, 10]);
  assert.equal(goal("ArrowDown", 10, 11), 10);
  assert.equal(goal("x", 3, 11), null);
});
