import assert from "node:assert/strict";
import { test } from "node:test";
import { LARGEST, coil, nudge, placeLabels, plane } from "./plane.js";

// 400 pixels for four units, and room for the largest disc on each side: 100 pixels a unit.
const FIELD = plane(494);

test("both axes have the same scale, and up is up", () => {
  const [left, top] = FIELD.toPixels([0, 0]);
  assert.deepEqual(FIELD.toPixels([2, 1]), [left + 200, top - 100]);
  assert.deepEqual(FIELD.toPixels([3, -1]), [FIELD.edges.right, FIELD.edges.bottom]);
});

test("the largest disc stays on the ground at every border", () => {
  for (const width of [254, 340, 442, 900]) {
    const { ground, edges, unit } = plane(width);
    const rooms = [edges.left - ground.left, ground.right - edges.right, edges.top - ground.top, ground.bottom - edges.bottom];
    assert.ok(rooms.every((room) => room > LARGEST * unit), `${rooms} around ${unit}`);
  }
});

test("a place on the screen is a vector in steps of a twentieth, and one outside is on the border", () => {
  const [left, top] = FIELD.toPixels([0, 0]);
  assert.deepEqual(FIELD.toVector([left + 137, top + 52]), [1.35, -0.5]);
  assert.deepEqual(FIELD.toVector([left + 5000, top - 301]), [3, 3]);
});

test("arrow keys go a tenth, with Shift a half, stop at the border, and leave no rounding noise", () => {
  assert.deepEqual(nudge("ArrowRight", false, [0.2, 1]), [0.3, 1]);
  assert.deepEqual(nudge("ArrowLeft", true, [0.2, 1]), [-0.3, 1]);
  assert.deepEqual(nudge("ArrowUp", true, [2, 2.8]), [2, 3]);
  assert.deepEqual(nudge("ArrowDown", false, [2, -1]), [2, -1]);
  assert.equal(nudge("Tab", false, [2, 1]), null);
});

test("a spring goes from the edge of one disc to that of the other, and there is none where they touch", () => {
  const ends = coil([0, 0], [100, 0], 10, 20).match(/-?[\d.]+/g).map(Number);
  assert.deepEqual([ends.slice(0, 2), ends.slice(-2)], [[10, 0], [80, 0]]);
  assert.equal(coil([0, 0], [30, 0], 10, 20), "");
});

const EDGES = { left: 0, right: 600, top: 0, bottom: 600 };
const labelsOf = (dots, lines = []) => placeLabels(dots, dots.map(() => 14), dots.map(() => [40, 28]), lines, EDGES);

test("a label is above its dot, and below it where a line goes up", () => {
  assert.deepEqual(labelsOf([[300, 300]]), [[300, 272]]);
  assert.deepEqual(labelsOf([[300, 300]], [[[300, 300], [300, 200]]]), [[300, 328]]);
});

test("a label is on the side where it is wanted, unless that is taken", () => {
  const wanted = (heading, lines = []) => placeLabels([[300, 300]], [14], [[40, 28]], lines, EDGES, [], [heading])[0];
  assert.deepEqual(wanted([5, 0]), [334, 300]);
  assert.deepEqual(wanted([-1, 1]), [266, 328]);
  assert.notDeepEqual(wanted([5, 0], [[[300, 300], [400, 300]]]), [334, 300]);
});

test("a label in a corner goes inwards", () => {
  assert.deepEqual(labelsOf([[600, 0]]), [[580, 28]]);
  assert.deepEqual(labelsOf([[0, 600]]), [[20, 572]]);
});

test("labels of seven dots in one place lie apart and inside", () => {
  for (const dot of [[300, 300], [600, 0]]) {
    const labels = labelsOf(Array(7).fill(dot));
    const apart = ([a, b], [c, d]) => Math.abs(a - c) >= 40 || Math.abs(b - d) >= 28;
    assert.ok(labels.every((one, i) => labels.slice(i + 1).every((other) => apart(one, other))), labels.join("; "));
    assert.ok(labels.every(([x, y]) => x >= 20 && x <= 580 && y >= 14 && y <= 586), labels.join("; "));
  }
});
