import assert from "node:assert/strict";
import { test } from "node:test";
import { describe, flip, lookUp } from "./soft_dictionary.js";

const NOTE = { tokens: "AABA", query: "B", booster: 1, base: "3" };
const rounded = (values) => values.map((value) => +value.toFixed(4));

test("the note's example: scores 0 0 1 0, powers 1 1 3 1, output half and half", () => {
  const found = lookUp(NOTE);
  assert.deepEqual(found.scores, [0, 0, 1, 0]);
  assert.deepEqual([...found.powers, found.sum], [1, 1, 3, 1, 6]);
  assert.deepEqual(rounded(found.output), [0.5, 0.5]);
});

test("booster 10 in base e leaves almost nothing but the match", () => {
  assert.deepEqual(rounded(lookUp({ ...NOTE, booster: 10, base: "e" }).output), [0.0001, 0.9999]);
});

test("looking for A shares the weight among the A", () => {
  assert.deepEqual(rounded(lookUp({ ...NOTE, query: "A" }).weights), [0.3, 0.3, 0.1, 0.3]);
});

test("flipping a token changes that one and no other", () => {
  assert.equal(flip("AABA", 0), "BABA");
  assert.equal(flip("AABA", 2), "AAAA");
});

test("the description gives the share, and says when the lookup cannot choose", () => {
  assert.match(describe(NOTE), /50\.0% of the weight is on B.*The lookup is soft/);
  assert.match(describe({ ...NOTE, tokens: "AAAA" }), /none of the weight is on B.*no B to find/);
  assert.match(describe({ ...NOTE, tokens: "BB" }), /all of the weight is on B.*Every token is B/);
  assert.match(describe({ ...NOTE, booster: 0 }), /makes all scores equal/);
  assert.match(describe({ ...NOTE, booster: 10 }), /more than 99\.9% of the weight is on B.*nearly hard/);
  assert.match(describe({ ...NOTE, booster: 12 }), /the output is \[\.0000,\u00a01\.0000\]/);
});
