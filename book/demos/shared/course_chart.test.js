import assert from "node:assert/strict";
import { test } from "node:test";
import { courseOf, pointsOf } from "./course_chart.js";

test("a number of a vector and one of a matrix, at each moment", () => {
  assert.deepEqual(courseOf([{ vector: [1, 2] }, { vector: [3, 5] }], { row: 0, column: 1 }), [2, 5]);
  const packed = (...bytes) => ({ data: btoa(String.fromCharCode(...bytes)), scales: [0.5, 2] });
  assert.deepEqual(courseOf([packed(2, 4, 6, 8), packed(2, 4, 6, 255)], { row: 1, column: 1 }), [16, -2]);
});

test("0 is in view, and time runs evenly", () => {
  const { points, zero } = pointsOf([0, 150, 600], [2, 1, 1.5]);
  assert.deepEqual(points.map(([x]) => x), [6, 68, 254]);
  assert.deepEqual(points.map(([, y]) => y), [6, 35, 20.5]);
  assert.equal(zero, 64);
});
