import assert from "node:assert/strict";
import { test } from "node:test";
import { inRange, look, move, opened, partnerOf, putBack, setEntry, step, swap } from "../shared/choices.js";
import { account, arrange, changes, describe, edit, edited, exchange, matrices, picture } from "../shared/steps.js";

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

test("a score is the query's row times the key's row, which is above as a column", () => {
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

test("words and their rows of x are in the order of the places, and values do not move", () => {
  const { words, x, order } = arrange({ ...STATE, order: [1, 0] });
  assert.deepEqual(words, ["lion", "hungry"]);
  assert.deepEqual(x, [[1, 3, 0], [2, 0, 0]]);
  assert.deepEqual(matrices(arrange({ ...STATE, order: [1, 0] })).output, ALL.output.toReversed());
  assert.deepEqual(order, [1, 0]);
  assert.deepEqual(arrange({ ...STATE, order: [0, 1, 2] }).order, [0, 1]);
});

test("an exchange moves two and no other", () => {
  assert.deepEqual(exchange([0, 1, 2, 3], 3, 1), [0, 3, 2, 1]);
  assert.deepEqual(exchange([3, 2, 1, 0], 0, 1), [2, 3, 1, 0]);
});

test("an edit changes one entry of a copy", () => {
  const changed = edit(STATE.w_q, 1, 0, -4);
  assert.deepEqual(changed, [[1, 0], [-4, 2], [0, 0]]);
  assert.deepEqual(STATE.w_q, [[1, 0], [0, 2], [0, 0]]);
  assert.deepEqual(edited({ w_q: changed, start: STATE.w_q }), [[1, 0]]);
});

test("what is changed is said, and that the output moves along is said where nothing else is", () => {
  const said = (order, w_q) => changes(arrange({ ...STATE, start: STATE.w_q, order, w_q }));
  const once = edit(STATE.w_q, 2, 1, 5);
  assert.equal(said([0, 1], STATE.w_q), "");
  assert.equal(said([0, 1], once), "W_Q is changed: row 2, column 1 is 5, not 0.");
  assert.equal(said([0, 1], edit(once, 0, 0, -1)), "2 entries of W_Q are changed.");
  assert.equal(
    said([1, 0], STATE.w_q),
    "“lion” and “hungry” are swapped: each row of the output is the same as in the old order, in its new place.",
  );
  assert.match(said([1, 0], once), /^W_Q is changed: .* 0\. “lion” and “hungry” are swapped\.$/);
});

function reader(traits = {}) {
  const state = { ...STATE, order: [0, 1], start: STATE.w_q, stage: "scores", row: 0, column: 1, ...traits };
  const model = { get: (name) => state[name], set: (name, value) => (state[name] = value), save_changes() {} };
  return { state, demo: opened(model) };
}

test("chosen words stay chosen when they are swapped, and a second swap undoes the first", () => {
  const { state, demo } = reader();
  assert.equal(partnerOf(demo, look(demo)), 1);
  swap(demo);
  assert.deepEqual([state.order, state.row, state.column], [[1, 0], 1, 0]);
  swap(demo);
  assert.deepEqual([state.order, state.row, state.column], [[0, 1], 0, 1]);
});

test("put back restores W_Q and the order, and keeps the chosen words", () => {
  const { state, demo } = reader({ stage: "query", column: 0 });
  setEntry(demo, 7);
  assert.deepEqual(state.w_q, [[7, 0], [0, 2], [0, 0]]);
  swap(demo);
  putBack(demo);
  assert.deepEqual([state.order, state.w_q, state.row, state.column], [[0, 1], STATE.w_q, 0, 0]);
});

test("an entry goes from −9 to 9, and never is −0", () => {
  assert.deepEqual([inRange(12), inRange(-12), inRange(2.5)], [9, -9, 2.5]);
  const { state, demo } = reader({ stage: "query", column: 0 });
  setEntry(demo, -0);
  assert.ok(Object.is(state.w_q[0][0], 0));
});

test("by default, the entry to change is the first that the chosen word uses", () => {
  const { demo } = reader({ stage: "query", x: [[0, 0, 0], [0, 0, 4]], row: 1, column: 0 });
  assert.equal(look(demo).entry, 2);
  demo.entry = 1;
  assert.equal(look(demo).entry, 1);
});
