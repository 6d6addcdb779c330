import assert from "node:assert/strict";
import { test } from "node:test";
import { describe, keeping, named, pathTo, rowsOf, search } from "./beam_tree.js";

// The chapter's tree, without the branches that lead nowhere.
const TREE = {
  name: "A, B, x, y",
  words: ["<sos>", "A", "B", "x", "y", "x", "<eos>", "<eos>", "<eos>"],
  parents: [0, 0, 0, 1, 1, 2, 3, 4, 5],
  log_p: [0, Math.log(0.5), Math.log(0.4), Math.log(0.5), Math.log(0.45), Math.log(0.4), Math.log(0.5), Math.log(0.9), 0],
};

function ending(width) {
  const [{ node, total }] = search(TREE, width).at(-1).beams;
  return [pathTo(TREE, node).join(" "), Math.exp(total).toFixed(4)];
}

test("greedy ends at 0.125 and a beam of two at 0.2025", () => {
  assert.deepEqual(ending(1), ["A x end", "0.1250"]);
  assert.deepEqual(ending(2), ["A y end", "0.2025"]);
  assert.deepEqual(ending(3), ["A y end", "0.2025"]);
});

test("two beams may come from one parent, and the other parent is left behind", () => {
  const turns = search(TREE, 2);
  assert.deepEqual(turns[2].beams.map(({ node }) => node), [3, 4]);
  const states = Object.fromEntries(rowsOf(TREE, turns, 2).map(({ node, state }) => [node, state]));
  assert.deepEqual(states, { 0: "way", 1: "way", 2: "left", 3: "kept", 4: "kept", 5: "dropped" });
});

test("a finished beam stays as it is while others grow", () => {
  const tree = { words: ["<sos>", "<eos>", "A", "x", "<eos>"], parents: [0, 0, 0, 2, 3], log_p: [0, -1, -0.5, -0.2, -0.1] };
  const turns = search(tree, 2);
  assert.deepEqual(turns.at(-1).beams.map(({ node }) => node), [4, 1]);
  assert.equal(turns.length, 4);
});

test("the sentence says what was found, and what was lost on the way", () => {
  const turns = search(TREE, 2);
  assert.match(describe(TREE, turns, 2, 2), /“A x” with 0\.2500\. Dropped: 1, the best of them “B x” with 0\.1600/);
  assert.match(describe(TREE, turns, 3, 2), /“A y end” with 0\.2025, log-probability −1\.5970\. Greedy ends with 0\.1250/);
  assert.match(describe(TREE, search(TREE, 1), 3, 1), /It is greedy; width 2 finds a likelier one/);
});

test("a word that was dropped is kept by a wider beam, and a kept one by the same", () => {
  assert.deepEqual(keeping(TREE, 5, 2), { turn: 2, width: 3 });
  assert.deepEqual(keeping(TREE, 3, 2), { turn: 2, width: 2 });
  assert.deepEqual(keeping(TREE, 0, 3), { turn: 0, width: 3 });
});

test("a tree's name says in brackets whose guesses it holds", () => {
  assert.deepEqual(named({ name: "i see you (a small model)" }), { title: "i see you", whose: "a small model" });
  assert.deepEqual(named({ name: "i see you" }), { title: "i see you", whose: "" });
});
