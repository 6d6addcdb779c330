import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { boxOf, compared, opened } from "./every_number.js";
import { recompute } from "../shared/graph.js";
import { linesOf, written } from "../shared/number_card.js";
import { trailIn } from "../shared/number_walk.js";
import { labelOf, question, ruleInWords, shortName } from "../shared/number_words.js";
import { sidesOf } from "../shared/sides.js";
import { unpacked } from "../shared/transformer.js";
import { stopsOf } from "./tour.js";

const trained = unpacked(JSON.parse(readFileSync(new URL("../../../attention/trained/translator.json", import.meta.url))).model);
const now = opened(trained, "i love you very much", []);
const { graph, run } = now;
const KINDS = ["e.x:2:4", "e.q.1:0:3", "e.k.2:4:15", "e.v.3:1:0", "e.s.0:1:2", "e.w.0:1:2", "e.o.2:3:7", "e.a:4:63", "e.r1:0:0", "e.m1:2:0",
  "e.d1:2:0", "e.n1:2:9", "e.h:1:100", "e.f:1:12", "e.r2:3:3", "e.n2:3:3", "d1.x:1:5", "d2.w.1:2:0", "d2.w.1:0:2", "d1.cq.0:1:2", "d1.ck.0:4:2",
  "d1.cs.0:1:4", "d1.cw.0:1:4", "d1.co.0:1:4", "d1.ca:1:4", "d1.r3:1:4", "d1.n3:1:4", "d1.l:1:5", "d1.p:1:5", "pos:3:7", "pos:3:8"];
const SWITCHES = ["scaling", "positions", "residual", "norm", "mask", "cross.0.2", "encoder.0.0", "decoder.0.1"];

test("each kind of number comes out of its operands again, whatever is switched off", () => {
  for (const off of [[], ...SWITCHES.map((name) => [name])]) {
    const other = opened(trained, "i love you very much", off).graph;
    for (const id of KINDS.filter(other.exists)) {
      const made = other.explain(id);
      assert.ok(Math.abs(recompute(made) - made.value) < 1e-12, `${id} without ${off}: ${recompute(made)} is not ${made.value}`);
      for (const { factors } of made.terms) for (const one of factors.filter(({ id }) => id)) assert.equal(other.value(one.id), one.value);
    }
  }
});

test("a hidden word has the weight 0, and a silent head finds 0", () => {
  assert.equal(graph.explain("d2.w.1:0:2").value, 0);
  assert.match(ruleInWords(graph.explain("d2.w.1:0:2")), /hidden by the mask/);
  const silent = opened(trained, "i love you very much", ["cross.0.2"]).graph.explain("d0.co.2:0:1");
  assert.deepEqual([silent.value, silent.rule, silent.terms.length], [0, "off", 0]);
});

// A card's printed terms, with its rounding where it has a line, make its printed sum, to the last decimal.
function addsUp(made, all, what) {
  const { lines, digits } = linesOf(made, all);
  const units = (text) => Math.round(Number((text || "0").replace("−", "-")) * 10 ** digits);
  const at = lines.findIndex(({ total }) => total);
  if (at < 0 || !["sum", "difference"].includes(lines[at].total)) return 0;
  const sum = lines.slice(0, at).reduce((added, { text }) => added + units(text), 0);
  assert.equal(sum, units(lines[at].text), `${what}, ${all ? "unfolded" : "folded"}`);
  return 1;
}

const ask = (words, off, said = null) => opened(trained, words, off, said);

test("each card of each sentence of the page adds up as it is printed, alone and of two sides", () => {
  const page = readFileSync(new URL("../../translator.md", import.meta.url), "utf8");
  const sentences = page.match(/^sentences = \[([^\]]*)\]/m)[1].match(/"[^"]+"/g).map((text) => text.slice(1, -1));
  assert.ok(sentences.length >= 6);
  let cards = 0;
  for (const sentence of sentences) {
    const one = ask(sentence, []);
    const other = compared(ask, { sentence, against: sentences[0] === sentence ? sentences[1] : sentences[0], own: false, off: [] }, one.run);
    for (const sides of [sidesOf(one.graph), sidesOf(one.graph, other.graph)]) {
      one.run.written.forEach(({ token }, t) => {
        const trail = [`d${t}.p:${t}:${token}`];
        for (let next = trail[0]; next; ) {
          const pair = sides.resolve(trail).at(-1);
          for (const all of [false, true]) cards += addsUp(sides.explain(pair), all, `${sentence}: ${trail.at(-1)}`);
          next = sides.largest(pair);
          if (next) trail.push(next);
        }
      });
    }
  }
  for (const id of KINDS) for (const all of [false, true]) cards += addsUp(sidesOf(graph).explain({ now: { id }, was: null }), all, id);
  assert.ok(cards > 1000, `${cards}`);
});

test("of a long sum the seven largest are shown first, and of a softmax the one that is asked about", () => {
  const { lines } = linesOf(sidesOf(graph).explain({ now: { id: "d1.p:1:5" }, was: null }));
  assert.equal(lines.filter(({ share, more }) => share !== undefined && !more).length <= 8, true);
  assert.ok(lines.some(({ now: one }) => one?.own));
  const unfolded = linesOf(sidesOf(graph).explain({ now: { id: "e.f:1:12" }, was: null }), true).lines;
  const sizes = unfolded.filter(({ now: one }) => one).map(({ share }) => Math.abs(share));
  assert.deepEqual(sizes, [...sizes].sort((a, b) => b - a));
  assert.ok(unfolded.some(({ fold }) => fold));
});

test("a card asks in words that name the word, the head and the place", () => {
  assert.equal(question(graph, "d0.cw.0:0:2"), "How much does head 0 of cross-attention look at “you”, to write “ti”?");
  assert.equal(question(graph, "d0.cs.0:0:2"), "How well does the query for writing “ti” fit the key of “you”, in head 0 of cross-attention?");
  assert.equal(question(graph, "e.x:2:4"), "The vector of “you” with its position, number 5");
  assert.equal(question(graph, "d1.n3:1:12"), "The row for writing “amo” after feed-forward and its norm, number 13");
  assert.equal(question(graph, "L.encoder.0.w_q:3:17"), "Learned: row 4, column 18 of W_Q in the encoder");
  assert.equal(shortName("d0.cw.0:0:2"), "weight");
  assert.equal(ruleInWords(graph.explain("d0.cs.0:0:2")), "16 products, added up and divided by √16 = 4.");
  const unscaled = opened(trained, "i love you very much", ["scaling"]).graph;
  assert.equal(ruleInWords(unscaled.explain("d0.cs.0:0:2")), "16 products, added up; scaling is switched off.");
});

test("rows, columns, biases and positions are counted as people count, and each part has its name", () => {
  const asked = (id) => question(graph, id);
  assert.equal(asked("L.encoder.0.b1:0:6"), "Learned: bias 7 of b₁ in the encoder");
  assert.equal(asked("L.decoder.0.gamma2:0:4"), "Learned: γ of norm 2 in the decoder, number 5");
  assert.equal(asked("L.decoder.0.cross_w_v:2:6"), "Learned: row 3, column 7 of W_V in cross-attention");
  assert.equal(asked("pos:3:8"), "Position 3, number 9"); // positions count from 0, as in chapter 7
  assert.equal(asked("d1.p:1:5"), `How likely is “${trained.target[5]}” as word 2?`);
  assert.equal(ruleInWords(graph.explain("e.x:2:4")), "Its learned number times √64 = 8, plus its position.");
  const labels = (id) => graph.explain(id).terms.map(({ label }) => labelOf(label));
  assert.deepEqual(labels("e.n1:2:9"), ["the sum", "− mean", "÷ spread", "× γ", "+ β"]);
  assert.deepEqual(labels("e.w.0:1:2"), ["i", "love", "you", "very", "much"]);
  assert.deepEqual(labels("e.f:1:12").slice(-2), ["no. 160", "bias"]);
});

test("each number has its box in the drawing, learned ones that of what they made", () => {
  assert.deepEqual(["d0.p:0:1", "d0.cw.0:0:1", "d0.n2:0:1", "e.h:0:1", "e.a:0:1", "pos:0:1"].map(boxOf), ["decoder l", "decoder c", "decoder 2", "encoder f", "encoder a", null]);
  assert.deepEqual(["L.decoder.0.cross_w_q:0:0", "L.decoder.0.gamma2:0:0", "L.encoder.0.w1:0:0", "L.w_out:0:0"].map(boxOf), ["decoder c", "decoder 2", "encoder f", "decoder l"]);
});

test("a trail ends where a translation does not have its next number, and begins with the first word", () => {
  const sides = sidesOf(graph);
  assert.deepEqual(trailIn(now, sides, ["d0.l:0:17", "d9.l:9:1", "e.x:0:0"]), ["d0.l:0:17"]);
  assert.deepEqual(trailIn(now, sides, ["nonsense"]), [`d0.p:0:${run.written[0].token}`]);
});

test("each stop of the tour is inside the sum of the one before, and both self-attentions are among them", () => {
  const stops = stopsOf(trained);
  assert.ok(stops.length >= 9 && stops.length <= 12);
  stops.forEach(({ set, trail }, n) => {
    const one = ask(set.sentence, []);
    const sides = sidesOf(one.graph, compared(ask, { ...set, off: [] }, one.run).graph);
    assert.equal(sides.resolve(trail).length, trail.length, `stop ${n + 1}`);
    const before = stops[n - 1];
    const goesOn = before && before.set === set;
    assert.ok(!goesOn || before.trail.every((id, i) => id === trail[i]), `stop ${n + 1}`);
    trail.slice(1).forEach((id, i) => assert.ok(operands(sides, trail.slice(0, i + 1)).includes(id), `${id} below ${trail[i]}`));
  });
  const passed = stops.flatMap(({ trail }) => trail);
  for (const attention of ["~e.a:1", "~d0.ca:0", "~d6.a:6"]) assert.ok(passed.includes(attention));
});

function operands(sides, trail) {
  const pair = sides.resolve(trail).at(-1);
  const { now: made } = sides.explain(pair);
  return [...made.terms.flatMap(({ factors }) => factors.map(({ id }) => id)), ...sides.wholes(pair).map((row) => row.now.id)];
}

test("numbers keep four decimals, and seven where they are tiny", () => {
  assert.deepEqual([13.29820, -3.6010233, 0.00006, 0].map((value) => written(value)), ["13.2982", "−3.6010", "0.0000600", "0.0000"]);
});
