import assert from "node:assert/strict";
import { test } from "node:test";
import { describe, flip, lookUp, play } from "./soft_dictionary.js";

const NOTE = { tokens: "AABA", query: "B", booster: 1, base: "3" };
const rounded = (values) => values.map((value) => +value.toFixed(4));

test("the note's example: scores 0 0 1 0, powers 1 1 3 1, output half and half", () => {
  const found = lookUp(NOTE);
  assert.deepEqual(found.scores, [0, 0, 1, 0]);
  assert.deepEqual([...found.powers, found.sum], [1, 1, 3, 1, 6]);
  assert.deepEqual(rounded(found.output), [0.5, 0.5]);
});

test("booster 10 in base e leaves almost only the match", () => {
  assert.deepEqual(rounded(lookUp({ ...NOTE, booster: 10, base: "e" }).output), [0.0001, 0.9999]);
});

test("looking for A shares the weight among the A", () => {
  assert.deepEqual(rounded(lookUp({ ...NOTE, query: "A" }).weights), [0.3, 0.3, 0.1, 0.3]);
});

test("flipping a token changes that one and no other", () => {
  assert.equal(flip("AABA", 0), "BABA");
  assert.equal(flip("AABA", 2), "AAAA");
});

const played = (state) => play(state.tokens, lookUp(state).output);

test("the larger share is the guess: with e it loses, at a booster of ln 3 it ties, above it wins", () => {
  const game = { ...NOTE, base: "e" };
  assert.deepEqual(rounded(lookUp(game).output), [0.5246, 0.4754]);
  assert.deepEqual(played(game), { guess: "A", next: "B", result: "lost" });
  assert.deepEqual(played({ ...game, booster: Math.log(3) }), { guess: null, next: "B", result: "tie" });
  assert.deepEqual(played({ ...game, booster: 1.1 }), { guess: "B", next: "B", result: "won" });
  assert.equal(played(NOTE).result, "tie");
});

test("without a B the next letter is A, whatever one looks for", () => {
  for (const query of ["A", "B"]) {
    assert.deepEqual(played({ ...NOTE, tokens: "AAA", query }), { guess: "A", next: "A", result: "won" });
  }
  assert.equal(played({ ...NOTE, query: "A" }).result, "lost");
});

test("the description gives the share and the outcome", () => {
  assert.match(describe(NOTE), /50\.0% of the weight is on B.*Both shares are the same: a tie, and no guess\.$/);
  assert.match(describe({ ...NOTE, tokens: "AAAA" }), /The larger share guesses A, and there is no B: won\.$/);
  assert.match(describe({ ...NOTE, booster: 0 }), /The larger share guesses A, but there is a B: lost\.$/);
  assert.match(describe({ ...NOTE, booster: 10 }), /more than 99\.9% .* guesses B, and there is a B: won\.$/);
  assert.match(describe({ ...NOTE, booster: Math.log(3) }), /with booster ln 3 = 1\.0986: /);
});

test("the description says when the lookup cannot choose, and when it hardly does anything else", () => {
  assert.match(describe({ ...NOTE, tokens: "AAAA" }), /none of the weight is on B.*no B to find/);
  assert.match(describe({ ...NOTE, tokens: "BB" }), /all of the weight is on B.*Every token is B/);
  assert.match(describe({ ...NOTE, booster: 0 }), /makes all scores equal/);
  assert.match(describe({ ...NOTE, booster: 10 }), /The lookup is nearly hard/);
  assert.match(describe({ ...NOTE, booster: 12 }), /the output is \[0\.0000,\u00a01\.0000\]/);
});
