import assert from "node:assert/strict";
import { test } from "node:test";
import * as transformer from "./transformer.js";

const { editDistance, layerNorm, maskedSoftmax, multiHead, position, translate, unknownWords, unpacked } = transformer;

const close = (got, wanted, within = 5e-5) => {
  assert.equal(got.length, wanted.length);
  got.forEach((value, i) => assert.ok(Math.abs(value - wanted[i]) <= within, `${got} is not ${wanted}`));
};

test("position 1 of width 4 is 0.8415, 0.5403, 0.0100 and 1", () => {
  close(position(1, 4), [0.8415, 0.5403, 0.01, 0.99995]);
});

test("a norm brings 1, 2, 3, 4 to mean 0 and variance 1, then stretches and moves each number", () => {
  close(layerNorm([[1, 2, 3, 4]], [1, 1, 1, 1], [0, 0, 0, 0])[0], [-1.3416, -0.4472, 0.4472, 1.3416]);
  close(layerNorm([[1, 2, 3, 4]], [2, 1, 1, 0], [0, 5, 0, 7])[0], [-2.6833, 4.5528, 0.4472, 7]);
});

test("scores 1, 2, 3 under a causal mask give the chapter's weights, and a row that sees nothing gets zeros", () => {
  const rows = maskedSoftmax([[1, 2, 3], [1, 2, 3], [1, 2, 3]], (i, j) => j <= i);
  close(rows[0], [1, 0, 0]);
  close(rows[1], [0.2689, 0.7311, 0]);
  close(rows[2], [0.09, 0.2447, 0.6652]);
  assert.deepEqual(maskedSoftmax([[1, 2]], () => false), [[0, 0]]);
});

// One token, two heads of one number each: a head alone hands its value over, and w_o turns the two around.
const TURN = { w_q: [[1, 0], [0, 1]], w_k: [[1, 0], [0, 1]], w_v: [[2, 0], [0, 3]], w_o: [[0, 1], [1, 0]] };

test("heads take their columns, are side by side again, and a silenced one passes on zeros", () => {
  const ask = (off) => multiHead([[5, 7]], [[5, 7]], TURN, 2, { sees: () => true, place: "cross.0", off });
  assert.deepEqual(ask({}).merged, [[10, 21]]);
  assert.deepEqual(ask({}).output, [[21, 10]]);
  assert.deepEqual(ask({ heads: ["cross.0.1"] }).output, [[0, 10]]);
  assert.deepEqual(ask({ heads: ["encoder.0.1"] }).output, [[21, 10]]);
});

test("from kitten to sitting it takes three letters", () => {
  assert.equal(editDistance("kitten", "sitting"), 3);
  assert.equal(editDistance("", "abc"), 3);
  assert.deepEqual([editDistance("amo", "am"), editDistance("am", "amo"), editDistance("flaw", "lawn")], [1, 1, 2]);
});

test("an unknown word comes with the known ones that are spelt like it, once", () => {
  const source = ["<pad>", "cat", "dog", "house"];
  assert.deepEqual(unknownWords({ source }, ["cat", "cats", "cats"]), [{ word: "cats", nearest: ["cat"] }]);
});

test("whole numbers and their scales become a matrix again, below zero too", () => {
  const data = btoa(String.fromCharCode(1, 0x81, 127, 0)); // 1, −127, 127, 0
  const parameters = { w: { data, scales: [0.5, 2] }, b: { vector: [1, 2] } };
  const opened = unpacked({ h: 1, layers: 1, source: [], target: [], parameters }).parameters;
  assert.deepEqual(opened, { w: [[0.5, -63.5], [254, 0]], b: [1, 2] });
});

// No layer at all: the decoder's word is that whose column of w_out fits the last token's row best.
test("words are written one after another until the end is the likeliest, or too many are written", () => {
  const parameters = {
    source_embedding: [[0, 0], [1, 0]],
    target_embedding: [[0, 0], [1, 0], [0, 1], [0, 0]],
    w_out: [[0, 0, 9, 0], [0, 0, 0, 9]],
    b_out: [0, 0, 0, 0],
  };
  const model = { h: 1, layers: 0, source: ["<pad>", "hi"], target: ["<pad>", "<sos>", "ciao", "<eos>"], parameters };
  const { words, written } = translate(model, ["hi"], { positions: true });
  assert.deepEqual(words, ["ciao"]);
  assert.equal(written.length, 2);
  parameters.b_out = [0, 0, 50, 0];
  assert.deepEqual(translate(model, ["hi"], { positions: true }, null, 3).words, ["ciao", "ciao", "ciao"]);
});
