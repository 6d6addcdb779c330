import assert from "node:assert/strict";
import { test } from "node:test";
import { describe, loss, share, slotted, sorted, toggled, turned } from "./laboratory.js";

const MODELS = [
  { name: "translator", changed: "nothing", chapter: 10, loss: 0.0001, right: 0.99, shares: [0.98, 1] },
  { name: "b", changed: "no norm", chapter: 8, loss: 0.0015, right: 0.977, shares: [0.977, 0.977] },
  { name: "c", changed: "no mask", chapter: 9, loss: 0.0172, right: 0, shares: [0, 0] },
];
const names = (models) => models.map(({ name }) => name[0]).join("");

test("a column sorts upwards, with a minus downwards, words by the alphabet", () => {
  assert.deepEqual(["chapter", "loss", "-right", "changed"].map((order) => names(sorted(MODELS, order))), ["bct", "tbc", "tbc", "cbt"]);
});

test("a second click turns a column round, and a share begins with the largest", () => {
  assert.deepEqual([turned("loss", "loss"), turned("-loss", "loss"), turned("loss", "right"), turned("-right", "right")], ["-loss", "loss", "-right", "right"]);
});

test("a fourth model beside the translator takes the place of the first that was chosen", () => {
  assert.deepEqual(toggled(["a", "b"], "a"), ["b"]);
  assert.deepEqual(toggled(["a", "b", "c"], "d"), ["b", "c", "d"]);
});

test("a model keeps its line for as long as it is chosen, and the translator always", () => {
  const first = slotted({}, ["a", "b", "c"]);
  assert.deepEqual(first, { translator: 0, a: 1, b: 2, c: 3 });
  assert.deepEqual(slotted(first, ["b", "c", "d"]), { translator: 0, b: 2, c: 3, d: 1 });
  assert.deepEqual(slotted(first, []), { translator: 0 });
});

test("the sentence has each share with its spread, the translator first", () => {
  assert.equal(
    describe({ models: MODELS, chosen: ["b"] }),
    "nothing: 99.0% right (98.0% to 100.0%); no norm: 97.7% right (97.7% to 97.7%).",
  );
  assert.equal(describe({ models: MODELS, chosen: [] }), "nothing: 99.0% right (98.0% to 100.0%). Tick up to three others in the table.");
});

test("a small loss has four decimals, a large one none, and a share one", () => {
  assert.deepEqual([2204.3, 0.0001, 0.57312].map(loss), ["2204", "0.0001", "0.5731"]);
  assert.equal(share(0.9933), "99.3%");
});
