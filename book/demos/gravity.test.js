import assert from "node:assert/strict";
import { test } from "node:test";
import { describe, hardestPull, look, selfAttention } from "./gravity.js";

const VECTORS = { money: [2, 0], bank: [1, 1], grows: [1, 0], river: [0, 2], flows: [0, 1] };
const STATE = { sentence: "money", chosen: 1, ...VECTORS };

const rounded = (values) => values.map((value) => +value.toFixed(4));
const says = (changes) => describe({ ...STATE, ...changes }).replaceAll("\u00a0", " ");

test("one static bank has two contextual vectors", () => {
  assert.deepEqual(rounded(look(STATE).output[1]), [1.4223, 0.4223]);
  assert.deepEqual(rounded(look({ ...STATE, sentence: "river" }).output[1]), [0.4223, 1.4223]);
});

test("self-attention gives the curriculum's first row", () => {
  const { scores, output } = selfAttention([[2, 0], [1, 1], [0, 2]]);
  assert.deepEqual(scores, [[4, 2, 0], [2, 2, 2], [0, 2, 4]]);
  assert.deepEqual(rounded(output[0]), [1.8509, 0.1491]);
});

test("a token need not attend most to itself", () => {
  assert.deepEqual(rounded(selfAttention([[1, 0], [3, 0]]).weights[0]), [0.1192, 0.8808]);
});

test("a word farther out pulls more, for its score grows with its length", () => {
  const pulls = [[1.5, 0], [3, 0]].map((money) => look({ ...STATE, money }).weights[1][0]);
  assert.deepEqual(rounded(pulls), [0.3072, 0.6652]);
});

test("the hardest pull is a weight times a distance", () => {
  assert.deepEqual(hardestPull(look(STATE), 1), [0]);
  // Of weights .25, .5, .25, the far word pulls harder than the near one: .25 · 3 against .25 · 1.
  const weights = [[0.5, 0.25, 0.25]];
  assert.deepEqual(hardestPull({ x: [[0, 0], [0, 1], [3, 0]], weights }, 0), [2]);
  assert.deepEqual(hardestPull({ x: [[0, 0], [0, 1], [1, 0]], weights }, 0), [1, 2]);
});

test("the sentence says what is taken, where the word goes, and where the other sentence takes it", () => {
  assert.equal(
    says({}),
    "“bank” takes 42.2% from “money”, 42.2% from itself and 15.5% from “grows”, and moves to [1.4223, .4223], " +
      "towards “money”. Between “river” and “flows” the same vector moves to [.4223, 1.4223], towards “river”.",
  );
  assert.match(says({ sentence: "river", chosen: 0 }), /^“river” takes 78\.7% from itself, .* towards “bank”\.$/);
});

test("a word at the origin takes a third from each, and the sentence says why", () => {
  assert.match(
    says({ bank: [0, 0] }),
    /^“bank” is at the origin: its score with every word is 0, so it takes a third from each, and moves to \[1, 0\],/,
  );
});

test("words in one place are said to move together, and three of them to stay", () => {
  assert.match(says({ grows: [2, 0] }), /towards “money” and “grows”\. “money” and “grows” are in one place: their/);
  assert.match(says({ bank: [2, 0] }), /“money” and “bank” are in one place/);
  const all = says({ money: [1, 1], grows: [1, 1] });
  assert.match(all, /takes 33\.3% from .* and stays at \[1, 1\]\. All three words are in one place/);
});

test("opposite pulls of the same strength leave a word where it is", () => {
  assert.match(says({ bank: [0, 1], money: [2, 1], grows: [-2, 1] }), /33\.3% from “grows”, and stays at \[0, 1\]\./);
  assert.match(says({ bank: [0, 0], money: [2, 1], grows: [-2, -1] }), /a third from each, and stays at \[0, 0\]\./);
});

test("equal pulls that are not opposite move it between them", () => {
  const between = says({ bank: [0, 1], money: [2, 0], grows: [-2, 0] });
  assert.match(between, /moves to \[0, \.5761\], towards “money” and “grows”\./);
});

test("at the corners a word gives nearly all of its weight to itself and hardly moves", () => {
  const corners = says({ money: [3, 3], bank: [-3, 3], grows: [3, -3] });
  assert.match(corners, /less than 0\.1% from “money”, more than 99\.9% from itself .* hardly moves from \[−3, 3\]\./);
});
