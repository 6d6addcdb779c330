import assert from "node:assert/strict";
import { test } from "node:test";
import { describe, dot, dragged, encoding, held, look, speeds } from "./clock_hands.js";

const close = (got, wanted, within = 1e-12) => assert.ok(Math.abs(got - wanted) <= within, `${got} is not ${wanted}`);
const STATE = { d_model: 4, position: 5, offset: 1 };

test("position 1 at width 4 is sin 1, cos 1, sin 0.01, cos 0.01", () => {
  [0.8415, 0.5403, 0.01, 1].forEach((wanted, i) => close(encoding(1, 4)[i], wanted, 5e-5));
  assert.deepEqual(encoding(0, 4), [0, 1, 0, 1]);
});

test("eight numbers make clocks of the speeds 1, 0.1, 0.01 and 0.001", () => {
  speeds(8).forEach((speed, i) => close(speed, 10 ** -i));
});

test("at width 4 neighbours have the dot product 1.5403 at 5 and at 20", () => {
  close(look(STATE).product, 1.5403, 5e-5);
  close(look({ ...STATE, position: 20 }).product, look(STATE).product);
});

test("each clock adds the cosine of its angle, and the sum is the dot product", () => {
  const { clocks, product } = look({ d_model: 8, position: 7, offset: 5 });
  clocks.forEach(({ cosine, speed }) => {
    close(cosine, Math.cos(5 * speed));
  });
  close(clocks.reduce((sum, { cosine }) => sum + cosine, 0), product);
  close(product, dot(encoding(7, 8), encoding(12, 8)));
});

test("the bars of all rows are those of any other position, moved along", () => {
  const [here, there] = [10, 13].map((position) => look({ ...STATE, position }).profile);
  assert.equal(here.length, 64);
  here.slice(0, 61).forEach((value, p) => close(there[p + 3], value));
});

test("a press takes the second marker where it is near and below the first, and the first anywhere else", () => {
  const near = (row, offset) => held(row, { position: 20, offset });
  assert.deepEqual([19, 20, 21, 23, 25, 26].map((row) => near(row, 1)), [
    "position", "position", "offset", "offset", "offset", "position",
  ]);
  assert.deepEqual([25, 26, 30, 34, 35].map((row) => near(row, 10)), [
    "position", "offset", "offset", "offset", "position",
  ]);
  assert.deepEqual([21, 22, 23].map((row) => near(row, 3)), ["position", "offset", "offset"]); // the nearer one
  assert.deepEqual([20, 21].map((row) => near(row, 0)), ["position", "offset"]); // both lie on row 20
});

test("a drag stops at the ends", () => {
  assert.deepEqual(dragged(70, "position", STATE), { position: 40 });
  assert.deepEqual(dragged(-3, "position", STATE), { position: 0 });
  assert.deepEqual(dragged(60, "offset", STATE), { offset: 23 });
  assert.deepEqual(dragged(2, "offset", STATE), { offset: 0 });
});

test("the sentence says what came of a change", () => {
  const told = (change) => describe({ ...STATE, ...change }, STATE);
  assert.equal(
    describe(STATE),
    "Positions 5 and 6, 4 numbers each: on every clock the second hand is 1 step ahead, and the dot product of the " +
      "two rows is 1.5403.",
  );
  assert.match(told({ position: 20 }), /^Position 20: all hands have turned, .* So PE\(20\) · PE\(21\) stays 1\.5403\.$/);
  assert.match(told({ offset: 6 }), /^Offset 6: only the second hands have turned, .* is now 1\.9584\.$/);
  assert.match(told({ offset: 0 }), /^Offset 0: .* as large as it gets, 2\.0000\. Press below the row/);
  assert.match(told({ offset: 23 }), /^Offset 23: .* goes no further ahead\.$/);
  assert.match(told({ position: 40 }), /^Position 40: .* goes no further, to leave room for the second\.$/);
  assert.match(told({ d_model: 16 }), /^16 numbers make 8 clocks, .* of 8 at most\.$/);
  assert.match(told({ position: 20, offset: 2 }), /^Positions 20 and 22/);
});
