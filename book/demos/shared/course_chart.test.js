import assert from "node:assert/strict";
import { test } from "node:test";
import { courseOf, isDrawn, madeBy, pointsOf, told } from "./course_chart.js";

const packed = (...bytes) => ({ data: btoa(String.fromCharCode(...bytes)), scales: [0.5, 2] });

test("a number of a vector and one of a matrix, at each moment", () => {
  assert.deepEqual(courseOf([{ vector: [1, 2] }, { vector: [3, 5] }], { row: 0, column: 1 }), [2, 5]);
  assert.deepEqual(courseOf([packed(2, 4, 6, 8), packed(2, 4, 6, 255)], { row: 1, column: 1 }), [16, -2]);
  assert.deepEqual(courseOf([packed(2, 4, 6, 8)], { row: 1, column: 0 }, [1, -1]), [-4]); // 12 − 16
});

test("0 is in view, and time runs evenly", () => {
  const { points, zero } = pointsOf([0, 150, 600], [2, 1, 1.5]);
  assert.deepEqual(points.map(([x]) => x), [66, 116, 266]);
  assert.deepEqual(points.map(([, y]) => y), [12, 58, 35]);
  assert.equal(zero, 104);
});

test("chance made the first value, and training the way to the last", () => {
  assert.deepEqual(madeBy([0.25, 0.5, 0.125]), { chance: 0.25, training: -0.125 });
});

test("a number that moved by less than a tenth is one that chance chose more than training", () => {
  const said = told([0, 164, 600], [0.2509, 0.25, 0.2444], true);
  assert.match(said, /at 3 moments\. Chance began it at 0\.2509; 600 steps of training moved it by −0\.0065, to 0\.2444\. So chance chose this number more/);
  assert.doesNotMatch(told([0, 600], [0.25, -0.25], true), /more than training/);
  assert.match(told([0, 600], [0.25, 0.25], true), /left it there\. So chance/);
});

test("the shares that are told add up, though each is rounded", () => {
  assert.match(told([0, 1], [0.10004, 0.20006], true), /0\.1000; 1 steps of training moved it by \+0\.1001, to 0\.2001/);
});

test("what begins at one value for all of its kind was not drawn", () => {
  assert.deepEqual([{ vector: [1, 1] }, { vector: [1, 2] }, packed(2, 2, 2, 2)].map(isDrawn), [false, true, true]);
  assert.match(told([0, 600], [1, 0.97], false), /Like all of its kind, it began at 1\.0000; .* −0\.0300, to 0\.9700\.$/);
});
