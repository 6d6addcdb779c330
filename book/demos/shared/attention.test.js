import assert from "node:assert/strict";
import { test } from "node:test";
import { attention, matmul, relativePowers, softmax, transpose } from "./attention.js";

const close = (got, wanted, within = 1e-12) => {
  assert.equal(got.length, wanted.length);
  got.forEach((value, i) => assert.ok(Math.abs(value - wanted[i]) <= within, `${got} is not ${wanted}`));
};

test("softmax in base 3 gives the sixths and the half of Note 4", () => {
  close(softmax([0, 0, 1, 0], 3), [1 / 6, 1 / 6, 1 / 2, 1 / 6]);
});

test("softmax in base e gives 0.4754 to one match among four, and 0.9999 when its score is 10", () => {
  close([softmax([0, 0, 1, 0])[2]], [0.4754], 5e-5);
  close([softmax([0, 0, 10, 0])[2]], [0.9999], 5e-5);
});

test("softmax stays finite where exp overflows", () => {
  close(softmax([1e4, -1e4, 1e4]), [0.5, 0, 0.5]);
});

test("the largest score of a row has power 1, and the others less", () => {
  close(relativePowers([1, 3, 2]), [Math.exp(-2), 1, Math.exp(-1)]);
});

test("a product of matrices takes rows of the left and columns of the right", () => {
  assert.deepEqual(matmul([[1, 2, 3]], [[1, 0], [0, 1], [2, 2]]), [[7, 8]]);
  assert.deepEqual(transpose([[1, 2, 3]]), [[1], [2], [3]]);
});

// Two words of three numbers, d_k = 2, d_v = 1: every axis has its own size.
const SMALL = {
  x: [[1, 0, 2], [0, 1, 0]],
  w_q: [[1, 0], [0, 2], [0, 1]],
  w_k: [[0, 1], [3, 0], [1, 0]],
  w_v: [[1], [2], [3]],
};

test("attention computes every step of a worked example", () => {
  const steps = attention({ ...SMALL, scaled: false });
  assert.deepEqual(steps.query, [[1, 2], [0, 2]]);
  assert.deepEqual(steps.key, [[2, 1], [3, 0]]);
  assert.deepEqual(steps.value, [[7], [2]]);
  assert.deepEqual(steps.scores, [[4, 3], [2, 0]]);
  close(steps.weights[0], [0.731058578630005, 0.268941421369995]);
  close(steps.output[0], [7 * 0.731058578630005 + 2 * 0.268941421369995]);
});

test("scaled scores are divided by the root of d_k, not of d_model or d_v", () => {
  close(attention({ ...SMALL, scaled: true }).scores[0], [4 / Math.SQRT2, 3 / Math.SQRT2]);
});
