import assert from "node:assert/strict";
import { test } from "node:test";
import { arcs, writers } from "./lanes.js";

test("every weight of a hundredth or more has an arc, from the word that asks", () => {
  const found = arcs([0.7, 0.009, 0.2, 0.091], 2);
  assert.deepEqual(found.map(({ from, to, weight }) => [from, to, weight]), [[2, 0, 0.7], [2, 2, 0.2], [2, 3, 0.091]]);
  assert.ok(found[0].path.startsWith("M2.5 1C2.5 ") && found[0].path.endsWith(" 0.5 1"));
});

test("a word that looks at itself gets a loop", () => {
  const [{ path }] = arcs([0, 1, 0], 1);
  assert.match(path, /^M1\.28 1C1\.2 .* 1\.72 1$/);
});

test("a number of the output belongs to the head that adds it, and to none where two add to it", () => {
  const added = [[2.5, 0.001, -3, 0], [0, 4, 2, 0]];
  assert.deepEqual(writers(added, []), [0, 1, null, null]);
  assert.deepEqual(writers(added, [0]), [null, 1, 1, null]);
});
