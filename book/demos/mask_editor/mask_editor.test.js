import assert from "node:assert/strict";
import { test } from "node:test";
import { attend, describe, leakTest, maskOf, nameOf, painted } from "./mask_editor.js";

const words = ["a", "b", "c"];
const x = [[1, 0, 0, 1], [0, 2, 1, 0], [1, 1, 0, 0]];
const other = [[0, 0, 1, 0], [1, 0, 0, 0], [0, 0, 2, 2]];
const state = (preset, changed = 0, mask = maskOf(3, 2, preset)) => ({ words, x, other, length: 2, mask, preset, changed });

test("a causal mask is the lower triangle, a padding mask whole columns, and both what they share", () => {
  assert.deepEqual(maskOf(3, 2, "causal"), [[true, false, false], [true, true, false], [true, true, true]]);
  assert.deepEqual(maskOf(3, 2, "padding"), [[true, true, false], [true, true, false], [true, true, false]]);
  assert.deepEqual(maskOf(3, 2, "both"), [[true, false, false], [true, true, false], [true, true, false]]);
});

test("a mask is called by its preset until a cell is switched", () => {
  const causal = maskOf(3, 2, "causal");
  assert.equal(nameOf(causal, 2), "causal");
  assert.equal(nameOf(painted(causal, 0, 2, true), 2), "own");
  assert.deepEqual(painted(painted(causal, 0, 2, true), 0, 2, false), causal);
});

test("hidden scores are minus infinity, and the others share the whole", () => {
  const { scores, weights } = attend(x, maskOf(3, 2, "causal"));
  assert.deepEqual(scores, [[1, -Infinity, -Infinity], [0, 2.5, -Infinity], [0.5, 1, 1]]);
  assert.deepEqual(weights[0], [1, 0, 0]);
  assert.equal(weights[1][1].toFixed(4), "0.9241"); // 1 / (1 + e^−2.5)
});

test("a row that may look at nothing has weights and output of 0", () => {
  const { weights, output } = attend(x, [[true, true, true], [false, false, false], [true, true, true]]);
  assert.deepEqual([weights[1], output[1]], [[0, 0, 0], [0, 0, 0, 0]]);
});

test("the last word leaks to all before it, unless the mask is causal", () => {
  assert.deepEqual(leakTest(state("none", 3)).leaks, [true, true, false]);
  assert.deepEqual(leakTest(state("causal", 3)).leaks, [false, false, false]);
  assert.ok(leakTest(state("causal", 3)).moved[2] > 0);
  assert.deepEqual(leakTest(state("none", 0)).moved, [0, 0, 0]);
});

test("a hidden key moves nobody but itself", () => {
  const { moved, leaks } = leakTest(state("padding", 3));
  assert.deepEqual(moved.map((far) => far > 0), [false, false, true]);
  assert.deepEqual(leaks, [false, false, false]);
});

test("the sentence counts open cells, names what moved, and warns of what this word does not show", () => {
  const say = (given) => describe(given, leakTest(given));
  assert.equal(say(state("none")), "Nothing is hidden: 9 of 9 cells are open. No word is changed, so no output moves.");
  assert.match(say(state("none", 2)), /“b”, word 2, is another word now, and output 1 moved, though it comes before it: a leak\.$/);
  assert.match(say(state("none", 1)), /“a”, word 1, is another word now: all outputs moved; there is none before it\. /);
  assert.match(say(state("causal", 3)), /only output 3 moved, none before it\. No leak\.$/);
  assert.match(say(state("none", 3)), /outputs 1 and 2 moved, .* a leak\. Not of the future: words take from padding, .*\.$/);
  const open = painted(maskOf(3, 2, "causal"), 0, 1, true);
  assert.match(say(state("own", 3, open)), /No leak, but 1 cell above the diagonal is open\.$/);
  const blind = [[false, false, false], [true, true, false], [true, true, true]];
  assert.match(say(state("own", 0, blind)), /1 word may look at nothing and gets weights of 0\./);
});
