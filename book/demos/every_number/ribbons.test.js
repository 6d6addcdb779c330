import assert from "node:assert/strict";
import { test } from "node:test";
import { arcs, band, bow, ribbons, writing, writtenAt } from "./ribbons.js";

const WEIGHTS = [[0.7, 0.2, 0.1], [0, 0.5, 0.5]]; // [head][word]
const ABOVE = [{ x: 10, y: 0 }, { x: 50, y: 0 }, { x: 90, y: 4 }];

const numbersIn = (path) => path.match(/-?[\d.]+/g).map(Number);
const isNear = (a, b, by = 1e-9) => assert.ok(Math.abs(a - b) <= by, `${a} is not ${b}`);

test("the ribbons of a head fill one unit below, next to those of the other heads", () => {
  const all = ribbons(WEIGHTS, ABOVE, { x: 40, y: 100 }, 10);
  let end = 30;
  for (const [, , x1, y1, wide] of all) {
    isNear(x1 - wide / 2, end);
    assert.equal(y1, 100);
    end += wide;
  }
  isNear(end, 50);
});

test("the ribbons of a word above lie side by side under its middle", () => {
  const all = ribbons(WEIGHTS, ABOVE, { x: 40, y: 100 }, 10);
  const [first, second] = [all[1], all[4]]; // to the second word: head 0 and head 1
  isNear(first[0] - first[4] / 2, 50 - 3.5);
  isNear(first[0] + first[4] / 2, second[0] - second[4] / 2);
  assert.deepEqual(all.map(([, y]) => y), [0, 0, 4, 0, 0, 4]);
});

test("a ribbon begins and ends as wide as it is, and a steep one is as wide half way", () => {
  const [ax, ay, , , , , bx, by, cx, , , , , , dx] = numbersIn(band([20, 0, 24, 100, 8]));
  assert.deepEqual([ax, ay, bx, by, cx, dx], [16, 0, 20, 100, 28, 24]);
  const path = numbersIn(band([0, 0, 0, 100, 8]));
  assert.deepEqual(path.filter((_, i) => i % 2 === 0), [-4, -4, -4, -4, 4, 4, 4, 4]);
});

test("a ribbon that has come half way ends half way", () => {
  const path = numbersIn(band([0, 0, 60, 100, 6], 0.5));
  isNear((path[6] + path[8]) / 2, 30, 0.1);
  isNear((path[7] + path[9]) / 2, 50, 0.1);
});

test("arcs rise over the words or hang under them, and one to the word itself is a loop", () => {
  const [[near, self, far]] = arcs([[0.2, 0.3, 0.5]], ABOVE, 1, { unit: 10, room: 60 });
  assert.deepEqual([near[0], near[1]], [50, 10]);
  assert.ok(self[0] < 50 && self[1] > 50);
  assert.ok(far[3] > 0 && far[3] <= 55);
  const [[below]] = arcs([[1, 0, 0]], ABOVE, 1, { unit: 10, room: -60 });
  assert.ok(below[3] < 0);
  const heights = numbersIn(bow(below)).filter((_, i) => i % 2);
  assert.ok(Math.max(...heights) > 20 && Math.min(...heights) >= 0);
});

test("the writing comes, writes word by word, rests, goes, and begins again, in about six seconds", () => {
  for (const words of [1, 4, 9, 19]) {
    const over = writtenAt(words) + 350;
    assert.ok(over > 2500 && over < 7500, `${words} words take ${over} ms`);
    assert.deepEqual(writing(0, words), { source: 0, turn: 0, reach: 0, word: 0, gone: 0 });
    const turns = Array.from({ length: 400 }, (_, i) => writing((over * i) / 400, words).turn);
    assert.deepEqual([...new Set(turns)], Array.from({ length: words + 1 }, (_, i) => i));
    const rest = writing(writtenAt(words) - 1, words);
    assert.deepEqual([rest.source, rest.turn, rest.gone], [1, words, 0]);
    assert.ok(writing(over - 1, words).gone > 0.95 && writing(over, words).turn === 0);
  }
});
