import assert from "node:assert/strict";
import { test } from "node:test";
import { deciders, decidingHeads } from "./asking.js";

// A sentence speaks for the word by 2 for each "a", and against it by 3 for each "b".
const trial = (words) => words.reduce((sum, word) => sum + ({ a: 2, b: -3 }[word] ?? 0), 0);

test("of the words that may stand in a place, the one that changes most is told, and whether it turns the choice round", () => {
  const found = deciders(["a", "c", "x"], trial, { a: ["c", "b"], c: ["a"] });
  assert.deepEqual(found.map(({ word, other, change, turns }) => [word, other, change, turns]), [["a", "b", -5, true], ["c", "a", 2, false]]);
  assert.equal(found[0].sentence, "b c x");
});

test("of the heads, those whose loss changes most come first", () => {
  const without = { one: 3, two: -1, three: 6 };
  const found = decidingHeads(Object.keys(without), ([head]) => (head ? without[head] : 4));
  assert.deepEqual(found, [{ head: "two", change: -5, turns: true }, { head: "three", change: 2, turns: false }, { head: "one", change: -1, turns: false }]);
});
