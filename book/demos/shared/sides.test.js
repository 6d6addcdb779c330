import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { opened } from "../every_number/every_number.js";
import { textGraph } from "../gpt_numbers/gpt_nodes.js";
import { ofProduct } from "./division.js";
import { sidesOf } from "./sides.js";
import { unpacked } from "./transformer.js";

const kept = (name) => unpacked(JSON.parse(readFileSync(new URL(`../../../attention/trained/${name}.json`, import.meta.url))).model);
const trained = kept("translator");
const [RIVER, CITY] = ["the bank of the river is older than the bank in the city", "the bank of the city is older than the bank in the city"];
const token = (word) => trained.target.indexOf(word);
const pairOf = (t, one, other) => `d${t}.l:${t}:${token(one)}-${token(other)}`;

// The other side is shown the words of this one.
function asked(sentence, other, offNow = [], offWas = []) {
  const now = opened(trained, sentence, offNow);
  return sidesOf(now.graph, opened(trained, other, offWas, now.run.written.map((one) => one.token)).graph);
}

function followed(sides, first) {
  const trail = [first];
  for (let next = first; next && trail.length < 40; next = sides.largest(sides.resolve(trail).at(-1))) if (next !== first) trail.push(next);
  return trail;
}

test("a product's change is shared among its factors: Δ(ab) = ā Δb + b̄ Δa", () => {
  assert.deepEqual(ofProduct([3, 5], [1, 2]), [7, 6]); // 2 · 3.5 and 3 · 2, of 15 − 2
  assert.deepEqual(ofProduct([4], [1]), [3]);
  const [a, b, c] = ofProduct([2, 3, 5], [1, 1, 1]); // by hand, the mean of six orders: 55/6, 70/6, 99/6 less 29
  assert.ok(Math.abs(a + b + c - 29) < 1e-12);
  assert.ok(Math.abs(a - (1 * (15 / 3 + 1 / 3 + (3 + 5) / 6))) < 1e-12);
  assert.deepEqual(ofProduct([2, 4], [3]).map((part) => Math.round(part * 1e9) / 1e9), [-2.5, 7.5]); // what one side lacks is 1
});

test("why “l'” and not “la”: the way leads over one head to bank, and over another to river", () => {
  const trail = followed(asked(RIVER, CITY), pairOf(0, "l'", "la"));
  assert.deepEqual(trail.slice(1), ["~d0.n2:0", "~d0.ca:0", "~d0.co.1:0", "~e.n2:1", "~e.f:1", "~e.n1:1", "~e.a:1", "~e.o.2:1", "~e.x:4", `~L.source_embedding:${trained.source.indexOf("river")}`]);
});

test("why “il” and not “la”: the way leads to cat", () => {
  const trail = followed(asked("the cat sees the dog", "the girl sees the dog"), pairOf(0, "il", "la"));
  assert.equal(trail.at(-1), `~L.source_embedding:${trained.source.indexOf("cat")}`);
});

test("the ways down from a card carry all of its difference together, and what no way leads to carries nothing", () => {
  const sides = asked(RIVER, CITY);
  const first = pairOf(0, "l'", "la");
  const { now } = sides.explain(sides.resolve([first])[0]);
  const operands = new Set(now.terms.flatMap(({ factors }) => factors.map(({ id }) => id)));
  const all = [...operands].reduce((sum, id) => sum + sides.carried([first, id]), 0);
  assert.ok(Math.abs(all - 1) < 1e-9, `${all}`);
  assert.equal(sides.carried([first]), 1);
  assert.equal(sides.carried([first, "e.x:0:0"]), 0);
});

test("one side alone is followed by its largest term, to the bottom", () => {
  const trail = followed(sidesOf(opened(trained, "the cat sees the dog", []).graph), pairOf(0, "il", "la"));
  assert.match(trail.at(-1), /^~L\./);
});

let checked = 0;

// Each pair's shares make its difference; a row's value is its terms'; a row that stands for a number has its value.
function check(sides, trail) {
  const pairs = sides.resolve(trail);
  if (pairs.length < trail.length) return checked;
  const pair = pairs.at(-1);
  const { now, was, difference, shares } = sides.explain(pair);
  const near = (a, b, what) => assert.ok(Math.abs(a - b) < 1e-9 * Math.max(1, Math.abs(b)), `${what} of ${trail.at(-1)}: ${a} is not ${b}`);
  near(difference, now.value - was.value, "difference");
  if (now.terms.length || was.terms.length) near(shares.reduce((sum, { share }) => sum + share, 0), difference, "shares");
  for (const one of shares) near(one.parts.reduce((sum, part) => sum + part, one.scaled ?? 0), one.share, "parts");
  if (pair.now.direction && now.rule !== "neuron" && now.terms.length) near(now.terms.reduce((sum, { term }) => sum + term, 0), now.value, "terms");
  const rows = sides.wholes(pair);
  if (rows.length && pair.was && now.kind !== "score") near(rows[0].now.value - rows[0].was.value, difference, "row");
  return ++checked;
}

test("shares make the difference, for each kind of number, whatever is switched off, down every way", () => {
  for (const off of [[], ["scaling"], ["positions"], ["residual"], ["norm"], ["mask"], ["cross.0.1"], ["encoder.0.2"], ["decoder.0.0"]]) {
    const sides = asked(RIVER, off.length ? RIVER : CITY, off);
    const kinds = ["p:1:82", "l:1:82", "l:1:82-76", "n3:1:5", "r3:1:5", "m3:1:0", "d3:1:0", "f:1:5", "h:1:9", "ca:1:5", "co.1:1:3", "cw.1:1:1", "cs.1:1:1", "cq.1:1:4", "ck.1:1:4", "cv.1:1:4", "a:1:5", "o.1:1:3", "w.1:1:0", "w.1:0:1", "s.1:1:0", "x:1:5"];
    for (const kind of kinds) check(sides, [`d1.${kind}`]);
    for (const kind of ["x:4:5", "q.2:1:3", "k.2:4:3", "v.2:4:3", "s.2:1:4", "w.2:1:4", "o.2:1:3", "a:1:5", "r1:1:5", "n1:1:5", "h:1:9", "f:1:5", "n2:1:5"]) check(sides, [`e.${kind}`]);
    const trail = sides.resolve(["d1.p:1:82"]).length ? followed(sides, "d1.p:1:82") : []; // without residuals, nothing is said
    trail.forEach((_, i) => check(sides, trail.slice(0, i + 1)));
  }
  assert.ok(checked > 300, `${checked}`);
});

test("the small GPT's numbers are shared in the same way", () => {
  const model = kept("writer");
  const graphOf = (text) => textGraph(model, ["<sos>", ...text.split(" ")]);
  const sides = sidesOf(graphOf("la ragazza"), graphOf("il ragazzo"));
  for (const id of ["g.p:2:9", "g.l:2:9", "g.n:2:3", "g1.s.0:2:1", "g1.w.1:2:1", "g0.q.0:2:4", "g0.uq.0:2:4", "g0.h:2:7", "g1.f:2:7", "g0.m1:2:0", "g0.d2:2:0"]) check(sides, [id]);
  const trail = followed(sides, "g.l:2:9-12");
  trail.forEach((_, i) => check(sides, trail.slice(0, i + 1)));
  assert.match(trail.at(-1), /^~L\.embedding:/);
});

test("shares make the difference where the other side does not have the word", () => {
  const sides = asked(RIVER.replace("in the", "in the white"), CITY); // its last word is number 13, counted from 0
  const before = checked;
  const ids = ["e.x:13:5", "e.w.2:13:4", "e.w.2:4:13", "e.a:13:5", "e.r1:13:5", "e.m1:13:0", "e.d1:13:0", "e.n1:13:5", "e.h:13:9", "d0.cw.1:0:13"];
  for (const id of ids) check(sides, [id]);
  assert.equal(checked, before + ids.length);
});

test("a name that stands in several terms, or for two rows, leads to the pair that changes", () => {
  const [, , spread] = asked(RIVER, RIVER, [], ["residual"]).resolve(["e.n2:1:5", "~e.n2:1", "e.d2:1:0"]);
  assert.equal(spread.was.id, "e.d2:1:0"); // the other side has no term of what came in
  const sides = asked(RIVER, CITY);
  const score = sides.resolve(["e.s.2:4:4"])[0]; // river looks at itself: its query's row and its key's have one name
  const changes = sides.wholes(score).map(({ now, was }) => Math.abs(now.value - was.value));
  const [, row] = sides.resolve(["e.s.2:4:4", sides.largest(score)]);
  assert.equal(Math.abs(row.now.value - row.was.value), Math.max(...changes));
  const [query, key] = sidesOf(opened(trained, RIVER, []).graph).wholes({ now: { id: "e.s.2:1:4" } });
  assert.ok(Math.abs(query.now.value - key.now.value) < 1e-12);
  assert.equal(sidesOf(opened(trained, RIVER, []).graph).largest({ now: { id: "e.s.2:1:4" } }), key.now.id);
});
