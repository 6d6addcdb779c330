import assert from "node:assert/strict";
import { test } from "node:test";
import { move } from "../shared/cells.js";
import { figure, figuresOf } from "./figures.js";
import { corner, layout, tileAt } from "./layout.js";
import { slideOf } from "./slide.js";
import { account, arrange, changes, describe, edit, edited, exchange, masked, matrices } from "./steps.js";
import { STAGES, countOf, marks, placeOf, stopAt } from "./stops.js";
import { tilesOf } from "./tiles.js";

const STATE = {
  words: ["hungry", "lion"],
  x: [[2, 0, 0], [1, 3, 0]],
  w_q: [[1, 0], [0, 2], [0, 0]],
  w_k: [[2, 0], [2, 0], [0, 3]],
  w_v: [[1], [1], [1]],
  scaled: false,
};
const ALL = matrices(arrange(STATE));

test("a cell of the queries is the sum of the products of its row and its column", () => {
  const { value, pairs, width } = account("query", ALL, 1, 0);
  assert.deepEqual(pairs, [[1, 1], [3, 0], [0, 0]]);
  assert.equal(value, 1);
  assert.equal(width, null);
});

test("a score is the query's row times the key's row, which is above as a column", () => {
  assert.deepEqual(account("scores", ALL, 0, 1).pairs, [[2, 8], [0, 0]]);
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

test("a hidden score has no part in the sum of its row, and is not the largest", () => {
  const hidden = matrices(arrange({ ...STATE, mask: [[true, false], [true, true]] }));
  const { value, power, sum, largest } = account("weights", hidden, 0, 0);
  assert.deepEqual([value, power, sum, largest], [1, 1, 1, 8]);
  assert.deepEqual([account("weights", hidden, 0, 1).value, account("weights", hidden, 0, 1).power], [0, 0]);
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

test("a mask takes its words out of the softmax, and the rest sums to 1", () => {
  const all = matrices({ ...STATE, mask: [[true, false], [true, true]] });
  assert.deepEqual(all.weights[0], [1, 0]);
  assert.deepEqual(all.output[0], all.value[0]);
  assert.deepEqual(all.weights[1], ALL.weights[1]);
  assert.deepEqual([masked(all, "weights", 0, 1), masked(all, "weights", 1, 0), masked(ALL, "scores", 0, 1)], [true, false, false]);
});

// --- the scrubber ---

test("each step has a stop for each column of the row and one for all rows; softmax two for its row", () => {
  assert.equal(countOf(ALL), (2 + 1) + (2 + 1) + (1 + 1) + (2 + 1) + (2 + 1) + (1 + 1));
  assert.deepEqual(stopAt(0, ALL, 0), { stage: "query", column: 0, whole: false, bar: false });
  assert.deepEqual(stopAt(8, ALL, 1), { stage: "scores", column: 0, whole: false, bar: false });
  assert.deepEqual(stopAt(11, ALL, 1), { stage: "weights", column: 1, whole: false, bar: true });
  assert.deepEqual(stopAt(99, ALL, 0), { stage: "output", column: 0, whole: true, bar: false });
});

test("a place and its stop are one another's", () => {
  for (let place = 0; place < countOf(ALL); place++) assert.equal(placeOf(stopAt(place, ALL, 1), ALL), place);
});

test("marks cover the scrubber without a gap", () => {
  const all = marks(ALL);
  assert.deepEqual(all.map(({ stage }) => stage), STAGES);
  assert.deepEqual(all.slice(1).map(({ first }) => first), all.slice(0, -1).map(({ last }) => last + 1));
});

// --- the picture ---

const view = (changes) => ({ stage: "scores", column: 1, whole: false, bar: false, ...changes });
const PLACE = layout("attention", ALL, 700);
const at = (tiles, name, row, column) => tiles.find((tile) => tile.name === name && tile.row === row && tile.column === column);

test("a word is one row and one column: its key above, and its value below, its column of scores", () => {
  const { scores, key, value, query } = PLACE.blocks;
  for (const j of [0, 1]) {
    const [x] = corner(scores, 0, j);
    assert.deepEqual([corner(key, j, 0)[0], corner(value, j, 0)[0]], [x, x]);
    assert.equal(corner(query, j, 0)[1], corner(scores, j, 0)[1]);
  }
});

test("all parts of both pictures lie inside them, on a telephone as in a window", () => {
  for (const room of [280, 340, 700, 1100]) {
    for (const scene of ["projections", "attention"]) {
      const { width, height, blocks } = layout(scene, ALL, room);
      assert.ok(width <= room, `${scene} is ${width} wide in ${room}`);
      for (const block of Object.values(blocks)) {
        const [x, y] = corner(block, block.rows - 1, block.columns - 1);
        assert.ok(x + block.cell <= width && y + block.high <= height);
      }
    }
  }
});

test("what the row has not come to is empty, and then all rows are made", () => {
  const made = (changes) => tilesOf(ALL, PLACE, view(changes), 0).filter(({ name }) => name === "scores").map((tile) => tile.shown > 0.5);
  assert.deepEqual(made({ column: 0 }), [true, false, false, false]);
  assert.deepEqual(made({ column: 1 }), [true, true, false, false]);
  assert.deepEqual(made({ whole: true }), [true, true, true, true]);
});

test("softmax makes one bar of the row, as long as it was, and then weights", () => {
  const bar = tilesOf(ALL, PLACE, view({ stage: "weights", bar: true }), 1);
  const long = PLACE.blocks.scores.cell * 2;
  assert.ok(Math.abs(at(bar, "scores", 1, 1).x - at(bar, "scores", 1, 0).x - ALL.weights[1][0] * long) < 1e-9);
  const after = tilesOf(ALL, PLACE, view({ stage: "weights" }), 1);
  assert.deepEqual([at(after, "scores", 1, 0).value, at(after, "scores", 0, 0).value], [ALL.weights[1][0], ALL.scores[0][0]]);
});

test("words that change places take their tiles along", () => {
  const swapped = matrices(arrange({ ...STATE, order: [1, 0] }));
  const keys = (all) => new Map(tilesOf(all, PLACE, view(), 0).map((tile) => [tile.key, tile.value]));
  const inTurn = matrices(arrange({ ...STATE, order: [0, 1] }));
  assert.deepEqual(new Map([...keys(inTurn)].sort()), new Map([...keys(swapped)].sort()));
});

test("the row comes from its matrix and ends beside the column; its products end in the sum", () => {
  const start = slideOf(ALL, PLACE, view({ column: 0 }), 1, 0);
  assert.deepEqual(start.strip.map(({ x, y }) => [x, y]), [0, 1].map((k) => corner(PLACE.blocks.query, 1, k)));
  const end = slideOf(ALL, PLACE, view({ column: 1 }), 1, 1);
  assert.deepEqual(end.strip.map(({ value }) => value), ALL.query[1]);
  const [x, y] = corner(PLACE.blocks.scores, 1, 1);
  const { cell, high } = PLACE.blocks.scores;
  assert.deepEqual(end.target, { x, y, cell, high });
  assert.ok(end.drops.every((drop) => Math.abs(drop.x - x - cell / 2) < 1e-9 && drop.radius === 0));
});

test("the row comes to rest inside the column that it meets, each number above its own", () => {
  const projected = layout("projections", ALL, 700);
  for (const [place, changes, other] of [[PLACE, { column: 1 }, "key"], [projected, { stage: "query", column: 1 }, "w_q"], [PLACE, { stage: "output", column: 0 }, "value"]]) {
    const { strip } = slideOf(ALL, place, view(changes), 1, 1);
    const block = place.blocks[other];
    strip.forEach(({ x, y, width, height }, k) => {
      const [left, top] = other === "key" ? corner(block, 1, k) : corner(block, k, changes.column);
      assert.deepEqual([x, width, y + height], [left, block.cell, top]);
      assert.equal(height, block.lane);
    });
  }
});

test("nothing jumps between the two pictures: they are equally large", () => {
  for (const room of [280, 340, 700]) {
    const [one, other] = ["projections", "attention"].map((scene) => layout(scene, ALL, room));
    assert.deepEqual([one.width, one.height], [other.width, other.height]);
  }
});

test("a place of the drawing is a tile, its lane included", () => {
  for (const [name, block] of Object.entries(PLACE.blocks)) {
    const [x, y] = corner(block, 1, 0);
    assert.deepEqual(tileAt(PLACE, [x + 1, y + 1]), [name, 1, 0]);
    assert.deepEqual(tileAt(PLACE, [x + 1, y + 1 - block.lane]), [name, 1, 0]);
  }
  assert.equal(tileAt(PLACE, [0, 0]), null);
});

// --- the numbers in the tiles ---

const written = (changes, row) => figuresOf(tilesOf(ALL, PLACE, view(changes), row), view(changes), row).map(({ text }) => text);

test("numbers are in the row, in the column that it meets, and in what they make; a zero is none", () => {
  assert.deepEqual(written({ column: 0 }, 0), ["2", "4", "8"]); // hungry's query, its key, their score
  assert.deepEqual(written({ column: 1 }, 0), ["2", "8", "8", "16"]);
  assert.deepEqual(written({ stage: "weights" }, 1), ALL.weights[1].filter((one) => one >= 5e-3).map((one) => one.toFixed(2)));
});

test("a number has two decimals, fewer where there is little room, and is left out where none will do", () => {
  const told = (value, width, height = 20) => figure({ x: 0, y: 0, width, height, value, depth: 1 })?.text;
  assert.deepEqual([told(11.314, 40), told(11.314, 26), told(11.314, 15), told(11.314, 9)], ["11.31", "11.3", "11", undefined]);
  assert.deepEqual([told(0.333, 32), told(0.333, 15), told(0.001, 40), told(2, 40, 9)], ["0.33", undefined, undefined, undefined]);
});

test("nothing slides while softmax works, and where all rows are shown", () => {
  assert.deepEqual(slideOf(ALL, PLACE, view({ stage: "weights" }), 0, 1).strip, []);
  assert.deepEqual(slideOf(ALL, PLACE, view({ whole: true }), 0, 1).strip, []);
});
