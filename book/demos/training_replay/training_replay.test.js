import assert from "node:assert/strict";
import { test } from "node:test";
import { height, nearest, outline, recent } from "./replay_plot.js";
import { describe, given, look, lossText } from "./training_replay.js";

const snapshot = (guess, loss) => ({
  source: ["i", "see", "you"],
  shown: ["<sos>", "ti", "vedo"],
  target: ["ti", "vedo", "<eos>"],
  guess,
  loss,
  attention: [[[[0.2, 0.3, 0.5]], [[1, 0, 0]]]],
});
const record = {
  loss: [4, 2, 1, 1],
  checkpoints: [
    { step: 0, held_out: 0, watched: [snapshot("", [1.386, 3, 0.1])] },
    { step: 4, held_out: 0.5, watched: [snapshot("ti vedo", [0.0001, 0.1, 0.2])] },
  ],
};
const state = (moment, head = 0) => ({ record, moment, sentence: 0, head });

test("before the first step the loss is the one that this step began with", () => {
  assert.equal(recent(record.loss, 0), 4);
  assert.equal(recent(record.loss, 4), 2);
  assert.equal(recent(Array.from({ length: 20 }, (_, i) => i), 20), 14.5); // of the last ten, 10 to 19
});

test("a tenth of the loss is one mark lower, and nothing leaves the plot", () => {
  assert.equal(height(10), 1);
  assert.ok(Math.abs(height(1) - 0.8) < 1e-12);
  assert.deepEqual([height(1000), height(0)], [1, 0]);
  assert.ok(outline([1, 1]).startsWith("M0 20.00L50.00 20.00L100.00 20.00"));
});

test("a place on the chart belongs to the moment whose step is nearest", () => {
  assert.deepEqual([-3, 1.9, 2.1, 9].map((step) => nearest(record.checkpoints, step)), [0, 0, 1, 1]);
});

test("a guess is compared with what was wanted, word by word", () => {
  const { guess, isRight, hardest } = look(state(0));
  assert.deepEqual([guess, isRight, hardest], [[], false, 1]);
  assert.ok(look(state(1)).isRight);
  assert.deepEqual(look(state(1, 1)).weights, [[1, 0, 0]]);
});

test("a loss of 1.386 is a chance of one in four", () => {
  assert.ok(Math.abs(given(1.386) - 0.25) < 1e-4);
  assert.deepEqual([0, 0.0004, 0.036, 0.5, 2.3, 12].map(lossText), ["<0.001", "<0.001", "0.036", "0.500", "2.30", "12.0"]);
});

test("it says what is seen", () => {
  assert.equal(
    describe(state(0)),
    "Step 0 of 4: the loss is 4.00, and none of the held-out sentences come out right. “i see you” becomes nothing, " +
      "which is wrong. Under teacher forcing the hardest word is “vedo” after “ti”: it gets 5.0%.",
  );
  assert.ok(describe(state(1)).includes("50.0% of the held-out sentences come out right. “i see you” becomes “ti vedo”, which is right."));
});
