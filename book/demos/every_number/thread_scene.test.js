import assert from "node:assert/strict";
import { test } from "node:test";
import { arcsOf, emsOf, liftFor, linesIn, percent, ribbonNumbers, ribbonsOf, sharesOf, turnOf, unitOf, wovenOf } from "./thread_scene.js";

const place = (x, top = 0) => ({ x, top, bottom: top + 40, wide: 50 });

// Two words, two heads, and three words that are written.
function scene(changes = {}) {
  return {
    seen: {
      source: ["my", "cat"],
      written: ["il", "mio", "gatto"].map((word) => ({ word, share: 0.9 })),
      cross: [[[1, 0], [0.6, 0.4]], [[0.99, 0.01], [0.3, 0.7]], [[0, 1], [0.5, 0.5]]],
      encoder: [[[0.9, 0.1], [0.2, 0.8]], [[0.4, 0.6], [0.01, 0.99]]],
      decoder: [[[1, 0, 0], [0.4, 0.6, 0], [0.3, 0.3, 0.4]], [[1, 0, 0], [0.5, 0.5, 0], [0.01, 0.09, 0.9]]],
      turn: 0,
      look: null,
      ...changes.seen,
    },
    places: { above: [place(100), place(200)], below: [place(90, 240), place(160, 240), place(230, 240)], unit: 10 },
    turn: null, from: null, lift: [0, 0],
    ...changes.now,
  };
}

test("the word under the pointer comes before the one that the card is about, and that before the chosen one", () => {
  const look = { place: "cross", head: 1, row: 2, column: 0 };
  assert.equal(turnOf(scene()), 0);
  assert.equal(turnOf(scene({ seen: { look } })), 2);
  assert.equal(turnOf(scene({ seen: { look }, now: { turn: 1 } })), 1);
  assert.equal(turnOf(scene({ seen: { look: { ...look, place: "encoder" } } })), 0);
});

test("the words give way to arcs only where there are weights to draw", () => {
  const look = { place: "encoder", head: 0, row: 0, column: 1 };
  assert.deepEqual(liftFor(scene()), [0, 0]);
  assert.ok(liftFor(scene({ seen: { look } }))[0] > 0);
  assert.ok(liftFor(scene({ seen: { look: { ...look, place: "decoder" } } }))[1] < 0);
  assert.deepEqual(liftFor(scene({ seen: { look, encoder: undefined } })), [0, 0]);
});

test("a ribbon is named by its head, its word and its weight, and the one that the card is about is lit", () => {
  const numbers = ribbonNumbers(scene({ seen: { look: { place: "cross", head: 1, row: 0, column: 1 } } }));
  assert.deepEqual(numbers.map(({ text }) => text), ["head 0 · my · 1", "head 0 · cat · 0", "head 1 · my · 0.60", "head 1 · cat · 0.40"]);
  assert.deepEqual(numbers.map(({ isLit }) => isLit), [false, false, false, true]);
});

test("all ribbons of a word are as wide as its heads, and follow the words that give way", () => {
  const ends = ribbonsOf(scene(), 1, [60, 0]);
  assert.equal(ends.reduce((sum, [, , , , wide]) => sum + wide, 0), 20);
  assert.deepEqual(ends.map(([, y]) => y), [100, 100, 100, 100]);
});

test("no hairs are woven, and only the ribbons of an English word that is looked at", () => {
  assert.deepEqual(wovenOf(scene(), 1).map((head) => head.length), [1, 2]);
  assert.deepEqual(wovenOf(scene({ now: { from: 1 } }), 1).map((head) => head.length), [0, 1]);
});

test("the shares of the English words add up to 1", () => {
  assert.deepEqual(sharesOf(scene(), 0), [0.8, 0.2]);
});

test("arcs of the encoder lead from word to word, those of the decoder from the word to be written to the ones before", () => {
  const encoder = arcsOf(scene({ seen: { look: { place: "encoder", head: 1, row: 1, column: 0 } } }));
  assert.deepEqual(encoder.numbers.map(({ text }) => text), ["head 0 · my · 0.20", "head 0 · cat · 0.80", "head 1 · my · 0.01", "head 1 · cat · 0.99"]);
  const decoder = arcsOf(scene({ seen: { look: { place: "decoder", head: 0, row: 2, column: 1 } } }));
  assert.deepEqual(decoder.numbers.map(({ text }) => text), ["head 0 · start · 0.30", "head 0 · il · 0.30", "head 0 · mio · 0.40", "head 1 · il · 0.09", "head 1 · mio · 0.90"]);
  assert.ok(decoder.ends.every(([x0, x1]) => x1 < x0 && Math.abs(x0 - 230) < 10));
  assert.deepEqual(arcsOf(scene()), { numbers: [], ends: [] });
});

test("ribbons of all heads keep clear of the next word and are hardly wider than their own", () => {
  assert.ok(4 * unitOf([[place(0), place(40), place(100)]], 4) < 40);
  assert.ok(4 * unitOf([[place(0), place(300)]], 4) < 60);
  assert.ok(unitOf([[place(0), place(10, 50)]], 4) > 10);
});

test("a long sentence takes more lines where the demo is narrow", () => {
  const words = Array(18).fill("word");
  const ems = emsOf({ source: words, written: words.map((word) => ({ word })) });
  assert.equal(linesIn(928, ems), 1);
  assert.ok(linesIn(310, ems) === 3);
});

test("a share is never nothing or everything", () => {
  assert.deepEqual([0.9673, 0.99999, 0.0001].map(percent), ["96.7%", ">99.9%", "<0.1%"]);
});
