import assert from "node:assert/strict";
import { test } from "node:test";
import { cut, describe, look, originsOf, sharesOf } from "./heads_maths.js";

const eye = [[1, 0], [0, 1]];
const words = ["a", "b", "c"];
const x = [[2, 0], [0, 3], [1, 1]];
const state = { words, x, w_q: eye, w_k: eye, w_v: eye, w_o: [[1, 10], [1, 20]], names: ["left", "right"], head: 0, row: 0 };
const shown = (changes) => ({ ...state, reshaped: false, silent: [], ...changes });
const near = (got, wanted) => got.forEach((value, i) => assert.ok(Math.abs(value - wanted[i]) < 5e-5, `${got}`));

test("arange(12) in three rows: head 0 has the left half of every row, or by reshape only the first half of all", () => {
  const twelve = [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]];
  assert.deepEqual(cut(twelve, originsOf(3, 2, false))[0], [[0, 1], [4, 5], [8, 9]]);
  assert.deepEqual(cut(twelve, originsOf(3, 2, true))[0], [[0, 1], [2, 3], [4, 5]]);
});

test("each head compares its own slices, and the output is the sum of what the heads add", () => {
  const { heads, output } = look(shown());
  const z = Math.exp(4) + 1 + Math.exp(2); // the left slices are 2, 0, 1
  near(heads[0].weights[0], [Math.exp(4) / z, 1 / z, Math.exp(2) / z]);
  near(heads[1].weights[0], [1 / 3, 1 / 3, 1 / 3]);
  const left = (2 * Math.exp(4) + Math.exp(2)) / z;
  near(output[0], [left + 4 / 3, 10 * left + 20 * (4 / 3)]);
  near(look(shown({ silent: [1] })).output[0], [left, 10 * left]);
  assert.deepEqual(look(shown({ silent: [0, 1] })).output[0], [0, 0]);
});

test("weights are named from the largest on, and even ones are said to be even", () => {
  assert.equal(sharesOf(words, [0.25, 0.7, 0.05]), "b 0.700, a 0.250");
  assert.equal(sharesOf(words, [1 / 3, 1 / 3, 1 / 3]), "all alike, 0.333 each");
});

test("the sentence says what the head has, what is lost without it, and what a reshape makes of words", () => {
  const said = (changes) => describe(shown(changes), look(shown(changes)));
  assert.match(said({}), /^Of each word, head 0 \(left\) has slice 0\. “a” has the query \[2\] there and looks at a 0\.867, c 0\.117; /);
  assert.match(said({ head: 1 }), /takes every word alike: it has no question about this word, and still adds the sentence’s average\.$/);
  assert.match(said({ silent: [0] }), /^Without head 0 \(left\), the output of “a” is \[1\.3333,\s26\.6667\] and not \[/);
  assert.match(said({ silent: [0] }), /and not \[3\.1843,\s45\.1760\]; head 0 \(left\) would add \[/);
  assert.match(said({ silent: [0], head: 1 }), /; head 1 \(right\) still adds \[1\.3333,\s26\.6667\]\.$/);
  assert.match(said({ silent: [0, 1] }), /^Without any head nothing is added: the output of “a” is \[0,\s0\]\.$/);
  assert.match(said({ reshaped: true }), /head 0 has 1 of 3 words whole and nothing of 1 other\. Its row “a” is a piece of that/);
  assert.match(said({ reshaped: true, row: 1 }), /Its row “b” is really a piece of “a”, and attends in its place\.$/);
  assert.match(said({ reshaped: true, silent: [0] }), / It is switched off, and adds nothing\.$/);
  assert.doesNotMatch(said({ reshaped: true, silent: [1] }), /switched off/);
});
