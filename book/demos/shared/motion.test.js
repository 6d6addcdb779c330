import assert from "node:assert/strict";
import { test } from "node:test";
import { between, ease, swing } from "./motion.js";

test("a flight begins at the old places and ends at the new ones", () => {
  const [from, to] = [[[0, 1], [2, 2]], [[1, 1], [2, 0]]];
  assert.deepEqual(between(from, to, 0), from);
  assert.deepEqual(between(from, to, 0.25), [[0.25, 1], [2, 1.5]]);
  assert.deepEqual(between(from, to, 1), to);
});

test("the curve begins and ends at rest, and is half way at half time", () => {
  assert.deepEqual([0, 0.5, 1].map(ease), [0, 0.5, 1]);
  assert.ok(ease(0.01) < 0.001 && ease(0.99) > 0.999);
});

test("a spring swings over its goal once and comes to rest on it, however the frames fall", () => {
  for (const frame of [0.004, 0.016, 0.05]) {
    const [points, speeds, goals] = [[[0, 0]], [[0, 0]], [[1, -2]]];
    let farthest = 0;
    let rests = false;
    for (let time = 0; time < 3 && !rests; time += frame) {
      rests = swing(points, speeds, goals, frame);
      farthest = Math.max(farthest, points[0][0]);
    }
    assert.ok(rests && farthest > 1.02 && farthest < 1.3, `${frame}: ${farthest}`);
    assert.ok(Math.abs(points[0][1] + 2) < 0.01);
  }
});
