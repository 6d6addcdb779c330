import assert from "node:assert/strict";
import { test } from "node:test";
import { begun, connections, describe, hops, needed, reached } from "./reach.js";

const words = ["a", "b", "c", "d", "e", "f", "g"];
const state = (architecture, depth, token) => ({ words, architecture, depth, token });

test("a convolution three wide goes one word further with each layer", () => {
  assert.deepEqual(reached(state("cnn", 2, 3)), [null, 2, 1, 1, 1, 2, null]);
  assert.equal(needed(state("cnn", 2, 0)), 6);
});

test("a recurrent network reaches what is read later, one step after the other", () => {
  assert.deepEqual(reached(state("rnn", 6, 2)), [null, null, 1, 2, 3, 4, null]);
  assert.deepEqual(reached(state("rnn", 2, 2)), words.map(() => null));
  assert.equal(hops("rnn", 2, 1), null);
});

test("attention reaches everything in one hop", () => {
  assert.deepEqual(reached(state("attention", 1, 5)), words.map(() => 1));
});

test("lit connections lead exactly to what is reached", () => {
  for (const architecture of ["cnn", "rnn", "attention"]) {
    for (const depth of [1, 3, 7]) {
      const here = state(architecture, depth, 2);
      const top = architecture === "rnn" ? 1 : depth;
      const ends = connections(here).filter(([, to, kind]) => kind !== "pale" && to[1] === top).map(([, to]) => to[0]);
      const found = words.map((_, j) => ends.includes(j));
      assert.deepEqual(found, reached(here).map((hop) => hop !== null), `${architecture} ${depth}`);
    }
  }
});

test("a path to an output has as many lit connections as it has hops, and straight up none once a word has heard", () => {
  const here = state("cnn", 3, 2);
  const into = (column, row) => connections(here).find(([, to, kind]) => kind !== "pale" && String(to) === String([column, row]));
  const back = (column, row) => (row ? (([[from], , kind]) => (kind === "lit") + back(from, row - 1))(into(column, row)) : 0);
  assert.deepEqual(words.map((_, j) => (hops("cnn", 2, j) <= 3 ? back(j, 3) : null)), reached(here));
});

test("a recurrent network begins with all words read, and attention with one layer", () => {
  assert.deepEqual(["cnn", "rnn", "attention"].map((kind) => begun(kind, words)), [3, 7, 1]);
});

test("the sentence counts outputs and hops", () => {
  assert.equal(
    describe(state("cnn", 2, 3)),
    "2 layers of convolution, three wide: “d”, word 4, reaches 5 outputs, the farthest in 2 hops. " +
      "The farthest would need 3 layers.",
  );
  assert.match(describe(state("rnn", 2, 2)), /has not been read yet/);
  assert.match(describe(state("attention", 1, 0)), /^1 layer of attention: .* reaches 7 outputs, the farthest in 1 hop\. It gets/);
});
