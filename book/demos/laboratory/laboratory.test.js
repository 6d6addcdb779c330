import assert from "node:assert/strict";
import { test } from "node:test";
import { describe, loss, share, sorted, toggled, turned } from "./laboratory.js";

const MODELS = [
  { name: "a", changed: "nothing", chapter: 10, loss: 0.0001, right: 0.99, order: 1 },
  { name: "b", changed: "no norm", chapter: 8, loss: 0.0015, right: 0.977, order: 0.9 },
  { name: "c", changed: "no mask", chapter: 9, loss: 0.0172, right: 0, order: 0 },
];
const names = (models) => models.map(({ name }) => name).join("");

test("a column sorts upwards, with a minus downwards, words by the alphabet", () => {
  assert.deepEqual(["chapter", "loss", "-right", "changed"].map((order) => names(sorted(MODELS, order))), ["bca", "abc", "abc", "cba"]);
});

test("a second click turns a column round, and a share begins with the largest", () => {
  assert.deepEqual([turned("loss", "loss"), turned("-loss", "loss"), turned("loss", "right"), turned("-right", "right")], ["-loss", "loss", "-right", "right"]);
});

test("a fifth model takes the place of the first that was chosen", () => {
  assert.deepEqual(toggled(["a", "b"], "a"), ["b"]);
  assert.deepEqual(toggled(["a", "b", "c", "d"], "e"), ["b", "c", "d", "e"]);
});

test("the sentence has each loss and share, and the lowest loss of several", () => {
  const state = { models: MODELS, chosen: ["b", "a"] };
  assert.equal(
    describe(state),
    "no norm: loss 0.0015, 97.7% right; nothing: loss 0.0001, 99.0% right. The lowest loss: nothing.",
  );
  assert.equal(describe({ ...state, chosen: ["c"] }), "no mask: loss 0.0172, 0.0% right.");
  assert.match(describe({ ...state, chosen: [] }), /^Nothing is compared\. Tick one/);
});

test("a small loss has four decimals, a large one none, and a share one", () => {
  assert.deepEqual([2204.3, 0.0001, 0.57312].map(loss), ["2204", "0.0001", "0.5731"]);
  assert.equal(share(0.9933), "99.3%");
});
