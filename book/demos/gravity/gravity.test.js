import assert from "node:assert/strict";
import { test } from "node:test";
import { MOST, describe, isOver, largestDistance, look, massAndPull, selfAttention, stations, towards, wordsOf } from "./falling.js";
import { inLines } from "./gravity.js";
import { labelsOf } from "./gravity_plane.js";

const VECTORS = { money: [2, 0], bank: [1, 1], grows: [1, 0], river: [0, 2], flows: [0, 1] };
const STATE = { sentence: "money", steps: 0, ...VECTORS };

const rounded = (values) => values.map((value) => +value.toFixed(4));
const says = (changes) => describe({ ...STATE, ...changes }).replaceAll("\u00a0", " ");

// --- the numbers ---

test("one static bank has two contextual vectors", () => {
  assert.deepEqual(rounded(look(STATE).output[1]), [1.4223, 0.4223]);
  assert.deepEqual(rounded(look(STATE, "river").output[1]), [0.4223, 1.4223]);
});

test("self-attention gives the curriculum's first row", () => {
  assert.deepEqual(rounded(selfAttention([[2, 0], [1, 1], [0, 2]]).output[0]), [1.8509, 0.1491]);
});

test("a token need not attend most to itself", () => {
  assert.deepEqual(rounded(selfAttention([[1, 0], [3, 0]]).weights[0]), [0.1192, 0.8808]);
});

test("after a step the words are where the arrows of the step before ended, and after three they are together", () => {
  assert.deepEqual(look({ ...STATE, steps: 1 }).x, look(STATE).output);
  assert.deepEqual(rounded(look({ ...STATE, steps: 1 }).x[1]), [1.4223, 0.4223]);
  assert.deepEqual(rounded(look({ ...STATE, steps: 2 }).x[1]), [1.6194, 0.2273]);
  const apart = [0, 1, 2, 3].map((steps) => largestDistance(look({ ...STATE, steps }).x));
  assert.deepEqual(rounded(apart), [1.4142, 0.4824, 0.0183, 0]);
});

test("a weight is a mass times a pull, over the sum of them: e, e and 1 for bank", () => {
  const { mass, pull } = massAndPull(look(STATE).x, 1);
  assert.deepEqual(rounded(mass), [7.3891, 2.7183, 1.6487]); // e², e, √e
  assert.deepEqual(rounded(pull), [0.3679, 1, 0.6065]); // 1/e, 1, 1/√e
  const both = mass.map((value, j) => value * pull[j]);
  assert.deepEqual(rounded(both.map((value) => value / (2 * Math.E + 1))), rounded(look(STATE).weights[1]));
});

test("a word farther out pulls more, for its mass grows faster than its pull falls", () => {
  const at = (money) => look({ ...STATE, money });
  assert.deepEqual(rounded([[1.5, 0], [3, 0]].map((money) => at(money).weights[1][0])), [0.3072, 0.6652]);
  const [near, far] = [[1.5, 0], [3, 0]].map((money) => massAndPull(at(money).x, 1));
  assert.ok(far.mass[0] > near.mass[0] && far.pull[0] < near.pull[0]);
});

test("it is over when both sentences have fallen together, or after the last step", () => {
  assert.equal(isOver({ ...STATE, steps: 2 }), false);
  assert.equal(isOver({ ...STATE, steps: 3 }), true);
  const apart = { ...STATE, river: [-1, 3], flows: [3, -1] };
  assert.equal(isOver({ ...apart, steps: MOST - 1 }), false);
  assert.equal(isOver({ ...apart, steps: MOST }), true);
});

test("a word goes to the side of its largest weight times distance", () => {
  assert.deepEqual(towards(look(STATE), 1), [0]);
  // Of weights 0.25, 0.5, 0.25, the far word counts more than the near one: 0.25 · 3 against 0.25 · 1.
  const weights = [[0.5, 0.25, 0.25]];
  assert.deepEqual(towards({ x: [[0, 0], [0, 1], [3, 0]], weights }, 0), [2]);
  assert.deepEqual(towards({ x: [[0, 0], [0, 1], [1, 0]], weights }, 0), [1, 2]);
});

test("a word that joins a sentence takes part in it, and in no other", () => {
  const joined = { ...STATE, guests: [["boat", "money", 0, 2]] };
  assert.deepEqual(wordsOf(joined, "money"), ["money", "bank", "grows", "boat"]);
  // As long as money and as far from bank, it gets as much: e² of 3e² + e.
  const share = Math.exp(2) / (3 * Math.exp(2) + Math.E);
  assert.deepEqual(rounded(look(joined).weights[1]), rounded([share, share, share / Math.E, share]));
  assert.deepEqual(look(joined, "river"), look(STATE, "river"));
});

test("the stations of a word are the place given and that after each step", () => {
  const all = stations({ ...STATE, steps: 2 }, "money").map((points) => rounded(points[1]));
  assert.deepEqual(all, [[1, 1], [1.4223, 0.4223], [1.6194, 0.2273]]);
});

// --- the words ---

test("the sentence says what is taken, and where both banks go", () => {
  assert.equal(
    says({}),
    "“bank” takes 42.2% from “money”, 42.2% from itself and 15.5% from “grows”: it moves to [1.42, 0.42], " +
      "towards “money”. In “river bank flows” the same vector moves to [0.42, 1.42], towards “river”.",
  );
  assert.match(says({ sentence: "river" }), /^“bank” takes 42\.2% from “river”, .* In “money bank grows” the same/);
});

test("after a step it says how far apart the words are, and where bank goes next", () => {
  assert.equal(
    says({ steps: 1 }),
    "After 1 step the words of “money bank grows” are up to 0.48 apart. Next, “bank” moves to [1.62, 0.23], towards “money”.",
  );
});

test("words that have fallen together are said to have, in one sentence or in both", () => {
  assert.match(says({ steps: 3 }), /^After 3 steps the words of each sentence have fallen together/);
  const one = says({ steps: 3, river: [-1, 3], flows: [3, -1] });
  assert.match(one, /of “money bank grows” have fallen together: .* the words of “river bank flows” are up to /);
  const other = says({ steps: 3, river: [-1, 3], flows: [3, -1], sentence: "river" });
  assert.match(other, /the words of “river bank flows” are up to [5-9]\.\d+ apart\. Next, “bank” /);
});

test("after the last step nothing comes next", () => {
  const last = says({ steps: MOST, grows: [-1, 3], money: [3, -1] });
  assert.match(last, /apart\. This demo goes no further than 50 steps\.$/);
});

test("a word at the origin takes as much from each, and the sentence says why", () => {
  assert.match(says({ bank: [0, 0] }), /^“bank” is at the origin: .* so it takes as much from each: it moves to \[1, 0\],/);
});

test("words in one place are said to move together, and three of them to stay", () => {
  assert.match(says({ grows: [2, 0] }), /towards “money” and “grows”\. “money” and “grows” are in one place: their/);
  assert.match(says({ bank: [2, 0] }), /“money” and “bank” are in one place/);
  const all = says({ money: [1, 1], grows: [1, 1] });
  assert.match(all, /takes 33\.3% from .* stays at \[1, 1\]\. All words are in one place/);
});

test("opposite pulls of the same strength leave a word where it is", () => {
  assert.match(says({ bank: [0, 1], money: [1, 1], grows: [-1, 1] }), /33\.3% from “grows”: it stays at \[0, 1\]\./);
  assert.match(says({ bank: [0, 0], money: [1, 1], grows: [-1, -1] }), /as much from each: it stays at \[0, 0\]\./);
});

test("equal pulls that are not opposite move it between them", () => {
  const mirrored = says({ bank: [0, 1], money: [1, 0], grows: [-1, 0] });
  assert.match(mirrored, /moves to \[0, 0\.58\], towards “money” and “grows”\./);
});

test("at the corners a word gives nearly all of its weight to itself and hardly moves", () => {
  const corners = says({ money: [3, 3], bank: [-1, 3], grows: [3, -1], steps: 0 });
  assert.match(corners, /“bank” takes 1\.8% from “money”, 98\.2% from itself and less than 0\.1% from “grows”/);
  assert.match(says({ money: [3, -1], bank: [-1, 3], grows: [3, -0.5] }), /hardly moves from \[−1, 3\]\./);
});

// --- the labels ---

const body = (of, word, i, dot) => ({ of, word, i, dot, size: 9, weight: 0.5, isBank: i === 1, chosen: of === "money" });
const bodies = [
  ...["money", "bank", "grows"].map((word, i) => body("money", word, i, [50 * i, 0])),
  ...["river", "bank", "flows"].map((word, i) => body("river", word, i, [50 * i, 99])),
];
const tips = ["money", "river"].map((of) => ({ of, dot: [70, 10], size: 9 }));
const names = (areOne) => labelsOf({ bodies, tips, areOne }).map(({ name }) => name).filter(Boolean);

test("before a step there is one bank and the two that it becomes; afterwards there are the two", () => {
  assert.deepEqual(names(true), ["money", "bank", "grows", "river", "flows", "money bank", "river bank"]);
  assert.deepEqual(names(false), ["money", "grows", "river", "flows", "money bank", "river bank"]);
});

test("words that cover each other are named together", () => {
  const near = bodies.map((body) => ({ ...body, dot: [body.i, body.of === "money" ? 0 : 99] }));
  const named = labelsOf({ bodies: near, tips, areOne: false }).map(({ name }) => name);
  assert.deepEqual(named, ["money bank grows", "river bank flows"]);
});

test("what bank takes is beside the lines of the chosen sentence only, and what it keeps below its name", () => {
  const below = (areOne) => labelsOf({ bodies, tips, areOne }).map((label) => label.below).filter(Boolean);
  assert.deepEqual(below(true), ["keeps 0.50", "takes 0.50", "0.50"]);
  assert.deepEqual(below(false), ["takes 0.50", "0.50"]);
});

test("a new bank's name is straight beside its spring, and a word's is on the side away from bank", () => {
  const ends = labelsOf({ bodies, tips: [{ of: "money", bank: bodies[1], dot: [80, 40], size: 9 }], areOne: true });
  assert.deepEqual(ends.find(({ name }) => name === "money bank").heading, [-40, 30]);
  assert.deepEqual(ends.find(({ name }) => name === "grows").heading, [50, 0]);
});

test("a weight is beside its own line, on the side where no other line leaves", () => {
  const dots = { money: [100, 100], bank: [0, 0], grows: [0, 100] };
  const placed = bodies.map((body) => ({ ...body, dot: dots[body.word] ?? body.dot }));
  const weights = labelsOf({ bodies: placed, tips: [], areOne: true }).filter(({ name }) => !name);
  assert.deepEqual(weights.map(({ heading }) => heading), [[100, -100], [-100, 0]]);
});

// --- the bars ---

test("every part of a bar has its name below it, apart from the others, at a desk and on a telephone", () => {
  const words = ["money", "bank", "grows", "loan", "boat"];
  const parts = words.map((word, i) => ({ word, weight: [0.23, 0.23, 0.08, 0.23, 0.23][i] }));
  for (const [wide, of] of [[210, parts], [130, parts], [130, parts.slice(0, 3).map((part, i) => ({ ...part, weight: [0.42, 0.42, 0.16][i] }))]]) {
    const named = inLines(of, wide).map((name) => ({ ...name, right: name.left + 6 * name.text.length }));
    assert.ok(named.every(({ text, left, right }) => text && left >= 0 && right <= wide), JSON.stringify(named));
    const apart = (a, b) => a.line !== b.line || a.right < b.left || b.right < a.left;
    assert.ok(named.every((one, i) => named.slice(i + 1).every((other) => apart(one, other))));
  }
});
