import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { boxOf, chosen, opened } from "./gpt_numbers.js";
import { parse, recompute } from "../shared/graph.js";
import { question, ruleInWords } from "../shared/number_words.js";
import { sidesOf } from "../shared/sides.js";
import { unpacked } from "../shared/transformer.js";

const trained = unpacked(JSON.parse(readFileSync(new URL("../../../attention/trained/writer.json", import.meta.url))).model);
const now = opened(trained, "il gatto non vede");
const { graph } = now;
const KINDS = ["g.x:2:4", "g0.m1:1:0", "g0.d1:1:0", "g0.n1:1:7", "g0.uq.3:4:0", "g0.uk.1:2:5", "g0.q.3:4:0", "g0.q.3:4:1", "g1.k.0:2:6",
  "g1.v.2:3:1", "g0.s.1:4:2", "g1.w.1:4:2", "g1.w.1:2:4", "g0.o.2:3:7", "g1.a:4:31", "g0.r1:0:0", "g1.n2:2:9", "g0.h:1:60", "g1.f:1:12",
  "g1.r2:3:3", "g.m:4:0", "g.d:4:0", "g.n:4:3", "g.l:4:5", "g.p:4:5", "g.p:1:5", "pos:3:6", "pos:3:7"];

test("each kind of number comes out of its operands again", () => {
  for (const id of KINDS) {
    const made = graph.explain(id);
    assert.ok(Math.abs(recompute(made) - made.value) < 1e-12, `${id}: ${recompute(made)} is not ${made.value}`);
    for (const { factors } of made.terms) for (const one of factors.filter(({ id }) => id)) assert.equal(graph.value(one.id), one.value);
  }
});

test("at position 0 nothing is rotated, and a rotation keeps the length of each pair", () => {
  for (let c = 0; c < 8; c++) assert.equal(graph.value(`g0.q.1:0:${c}`), graph.value(`g0.uq.1:0:${c}`));
  const length = (array) => Math.hypot(graph.value(`${array}:4:2`), graph.value(`${array}:4:3`));
  assert.ok(Math.abs(length("g1.k.2") - length("g1.uk.2")) < 1e-12);
  assert.notEqual(graph.value("g1.k.2:4:2"), graph.value("g1.uk.2:4:2"));
});

test("from each offered word the largest leads to a learned number", () => {
  const sides = sidesOf(graph);
  for (const token of now.offered) {
    const trail = [`g.p:${now.row}:${token}`];
    for (let next = sides.largest({ now: { id: trail[0] } }); next; next = sides.largest(sides.resolve(trail).at(-1))) trail.push(next);
    assert.ok(trail.length <= 30, `${trail.length} numbers`);
    assert.match(parse(trail.at(-1)).side, /L|pos/);
  }
});

test("a card asks in words that name the word, the head and the layer", () => {
  const token = (word) => trained.target.indexOf(word);
  const asked = {
    [`g.p:4:${token("lo")}`]: "How likely is “lo” after “il gatto non vede”?",
    [`g.p:0:${token("il")}`]: "How likely is “il” at the beginning?",
    [`g.l:2:${token("non")}`]: "How strongly does the model vote for “non” after “il gatto”?",
    "g1.w.2:4:3": "How much does head 2 of layer 2 look at “non”, from “vede”?",
    "g0.s.0:2:1": "How well does the query of “gatto” fit the key of “il”, in head 0 of layer 1?",
    "g0.q.0:0:2": "The query of the start in head 0 of layer 1, number 3",
    "g0.uk.0:2:2": "The key of “gatto” in head 0 of layer 1, not yet rotated, number 3",
    "g1.a:4:0": "What self-attention in layer 2 adds to “vede”, number 1",
    "g1.r2:4:0": "“vede” after adding feed-forward in layer 2, number 1",
    "g0.n1:4:0": "“vede” after the norm before self-attention in layer 1, number 1",
    "g0.d2:4:0": "The spread of “vede” before feed-forward in layer 1",
    "g.n:4:0": "“vede” after the last norm, number 1",
    "g0.h:4:5": "Neuron 6 in layer 1, for “vede”",
    "g.x:4:5": "The vector of “vede”, number 6",
    "pos:4:5": "The cosine of an angle of position 4, number 6",
    [`L.embedding:${token("non")}:3`]: "Learned: number 4 of “non” in the word table",
    "L.layer.1.w_q:3:17": "Learned: row 4, column 18 of W_Q in layer 2",
    "L.layer.0.beta2:0:3": "Learned: β of norm 2 in layer 1, number 4",
    "L.gamma:0:3": "Learned: γ of the last norm, number 4",
  };
  for (const [id, text] of Object.entries(asked)) assert.equal(question(graph, id), text);
  assert.equal(ruleInWords(graph.explain("g0.q.0:2:0")), "A pair of numbers, rotated by the angle of their position.");
  assert.equal(ruleInWords(graph.explain("g.x:2:0")), "Its learned number times √32 = 5.6569.");
});

test("each number has its box in the drawing, learned ones that of what they made", () => {
  const boxes = { "g.x:0:0": "layer 1 x", "g0.m1:0:0": "layer 1 n1", "g0.uq.1:0:0": "layer 1 a", "g0.a:0:0": "layer 1 a", "g1.r1:0:0": "layer 2 r1",
    "g1.h:0:0": "layer 2 f", "g1.n2:0:0": "layer 2 n2", "g.n:0:0": "layer 2 n", "g.d:0:0": "layer 2 n", "g.p:0:0": "layer 2 l", "pos:0:0": null,
    "L.embedding:0:0": "layer 1 x", "L.layer.1.w_o:0:0": "layer 2 a", "L.layer.0.b1:0:0": "layer 1 f", "L.layer.0.beta1:0:0": "layer 1 n1", "L.gamma:0:0": "layer 2 n" };
  for (const [id, box] of Object.entries(boxes)) assert.equal(boxOf(id), box, id);
});

test("the next word is the one whose probability the trail begins with, or the likeliest", () => {
  assert.equal(chosen(now, [`g.p:4:${now.offered[2]}`, "g.l:4:3"]), now.offered[2]);
  assert.equal(chosen(now, ["g.p:1:3"]), now.offered[0]);
  assert.equal(chosen(now, ["g0.q.0:2:0"]), now.offered[0]);
});
