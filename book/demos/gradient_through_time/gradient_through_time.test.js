import assert from "node:assert/strict";
import { test } from "node:test";
import { describe, measure, size, states, ticks, verdict, visible } from "./gradient_through_time.js";

const close = (value, expected) => assert.ok(Math.abs(value - expected) < 1e-4 * expected, `${value} ${expected}`);

const one = (radius, inputs) => ({ rotation: [[1]], inputs: inputs.map((value) => [value]), radius, length: inputs.length });

test("fifty steps leave 0.00515 of it, or make it 117 times as large", () => {
  close(measure(one(0.9, new Array(50).fill(0))).straight.at(-1), 0.0051538);
  close(measure(one(1.1, new Array(50).fill(0))).bent.at(-1), 117.39085);
});

test("the chapter's sentence of one word has a gradient of 0.0441", () => {
  const state = one(0.5, [1, 0, 0]);
  const h = states(state.inputs, [[0.5]]);
  h.forEach(([value], t) => close(value, [0.761594, 0.363399, 0.179743][t]));
  close(measure(state).bent.at(-1), 0.0440966);
  assert.equal(measure(state).straight.at(-1), 0.125);
});

test("a rotation changes no size", () => {
  const rotation = [[0.6, 0.8], [-0.8, 0.6]];
  close(size(rotation), 1);
  const { straight } = measure({ rotation, inputs: [[1, 2], [0, 0], [3, 1]], radius: 1, length: 3 });
  straight.forEach((value) => close(value, 1));
});

test("a line is cut where it leaves the axis, and goes on where it comes back", () => {
  assert.deepEqual(visible([1, 1e4, 1e8, 1e12]), [[0, 0], [1, 4], [1.5, 6], null, null]);
  assert.deepEqual(visible([1, 1e-8, 1e-4]), [[0, 0], [0.75, -6], null, [1.5, -6], [2, -4]]);
  assert.deepEqual(visible([1, 0]), [[0, 0], [0, -6], null]);
});

test("ticks are few and whole", () => {
  assert.deepEqual(ticks(50), [0, 10, 20, 30, 40, 50]);
  assert.deepEqual(ticks(1), [0, 1]);
});

test("the sentence ends with what happens", () => {
  assert.match(describe({ radius: 0.9, length: 50 }, { straight: [1, 0.0051538], bent: [1, 1e-15] }),
    /^50 steps back, spectral radius 0\.9: 0\.9 to the power of 50 is 0\.0052, and with tanh less than 1e−12 is left\. The gradient vanishes\.$/);
  assert.equal(verdict(117, 117), "The gradient explodes.");
  assert.equal(verdict(117, 1e-5), "Without tanh it would grow; with it, the gradient vanishes.");
  assert.match(verdict(1.0000002, 1e-5), /^Without tanh it would stay as it is/);
  assert.equal(verdict(117, 1), "Without tanh it would explode; its slopes hold it back.");
  assert.equal(verdict(0.5, 0.4), "The first word can still be heard.");
});
