import assert from "node:assert/strict";
import { test } from "node:test";
import { move, step } from "./row_by_row.js";
import { account, describe, matrices, picture } from "./steps.js";

const STATE = {
  words: ["hungry", "lion"],
  x: [[2, 0, 0], [1, 3, 0]],
  w_q: [[1, 0], [0, 2], [0, 0]],
  w_k: [[2, 0], [2, 0], [0, 3]],
  w_v: [[1], [1], [1]],
  scaled: false,
};
const ALL = matrices(STATE);

test("a cell of the queries is the sum of the products of its row and its column", () => {
  const { value, pairs, width } = account("query", ALL, 1, 0);
  assert.deepEqual(pairs, [[1, 1], [3, 0], [0, 0]]);
  assert.equal(value, 1);
  assert.equal(width, null);
});

test("a score is the query's row times the key's row, which stands above as a column", () => {
  assert.deepEqual(account("scores", ALL, 0, 1).pairs, [[2, 8], [0, 0]]);
  assert.deepEqual(picture("scores", ALL, 0).above.matrix, [[4, 8], [0, 0]]);
});

test("a scaled score names the width that it is divided by", () => {
  const { value, sum, width } = account("scores", matrices({ ...STATE, scaled: true }), 0, 1);
  assert.deepEqual([sum, width], [16, 2]);
  assert.equal(value, 16 / Math.SQRT2);
});

test("a weight is its power over the sum of its row's powers", () => {
  const { value, power, sum } = account("weights", ALL, 0, 0);
  assert.equal(power, Math.exp(-8));
  assert.equal(sum, 1 + Math.exp(-8));
  assert.equal(value, power / sum);
});

test("the weights stage shows the scores and powers of the row that is looked at", () => {
  assert.deepEqual(picture("weights", ALL, 1).above.matrix[0], ALL.scores[1]);
});

test("every stage is described in words with its number", () => {
  assert.equal(
    describe("query", ALL, 1, 1),
    "Column 1 of the query of “lion” is 6: the row of “lion” in x times column 1 of W_Q.",
  );
  assert.match(describe("value", ALL, 0, 0), /row of “hungry” in x times column 0 of W_V/);
  assert.match(describe("scores", ALL, 0, 1), /query of “hungry” times the key of “lion” is 16/);
  assert.match(describe("weights", ALL, 0, 1), /“hungry” gives more than 99\.9% of its attention to “lion”/);
  assert.match(describe("weights", ALL, 0, 0), /gives less than 0\.1% .* Most goes to “lion”, more than 99\.9%/);
  assert.match(describe("output", ALL, 0, 0), /output of “hungry” is 3\.999.: the row of “hungry” in the weights times/);
});

test("arrows stop at the edges, and Home and End go to the ends of the row", () => {
  const corner = { row: 0, column: 4 };
  assert.deepEqual(move("ArrowRight", corner, 3, 5), corner);
  assert.deepEqual(move("ArrowUp", corner, 3, 5), corner);
  assert.deepEqual(move("ArrowDown", corner, 3, 5), { row: 1, column: 4 });
  assert.deepEqual(move("Home", corner, 3, 5), { row: 0, column: 0 });
  assert.deepEqual(move("End", { row: 2, column: 0 }, 3, 5), { row: 2, column: 4 });
  assert.equal(move("a", corner, 3, 5), null);
});

test("the next cell goes on to the next row, and from the last cell to the first", () => {
  assert.deepEqual(step(1, { row: 0, column: 4 }, 3, 5), { row: 1, column: 0 });
  assert.deepEqual(step(1, { row: 2, column: 4 }, 3, 5), { row: 0, column: 0 });
  assert.deepEqual(step(-1, { row: 0, column: 0 }, 3, 5), { row: 2, column: 4 });
});
