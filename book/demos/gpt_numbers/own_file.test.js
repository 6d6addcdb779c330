import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { boxOf, opened } from "./gpt_numbers.js";
import { cutBy, readFile, refused } from "./own_file.js";
import { parse, recompute } from "../shared/graph.js";
import { linesOf } from "../shared/number_card.js";
import { question } from "../shared/number_words.js";
import { sidesOf } from "../shared/sides.js";

// own_text learned these from 800 English and 800 Italian sentences of the course, in 300 and 400 steps, with 1 and 2 layers.
const textOf = (name) => readFileSync(new URL(`../../../tests/data/own_text/${name}.gpt.json`, import.meta.url), "utf8");
const [english, italian] = ["english", "italian"].map((name) => readFile(textOf(name)));
const changed = (values) => JSON.stringify({ ...JSON.parse(textOf("english")), ...values });

// The Italian model with as many tokens as a file may have: each new one is a copy of an old one, turned round.
function large() {
  const file = JSON.parse(textOf("italian"));
  const { embedding } = file.parameters;
  const count = 2000 - file.tokens.length;
  const bytes = Buffer.from(embedding.data, "base64");
  const width = bytes.length / file.tokens.length;
  const rows = Array.from({ length: count }, (_, i) => bytes.subarray(width * (1 + (i % 100)), width * (2 + (i % 100))).toReversed());
  const data = Buffer.concat([bytes, ...rows]).toString("base64");
  const scales = [...embedding.scales, ...Array(count).fill(0.004)];
  return readFile(JSON.stringify({ ...file, tokens: [...file.tokens, ...Array.from({ length: count }, (_, i) => `new${i}`)], parameters: { ...file.parameters, embedding: { data, scales } } }));
}

test("a text is cut by the file's merges, and spaces and new lines are seen", () => {
  assert.deepEqual(cutBy([["a", "b"], [" ", "ab"], ["ab", "a"]], "aba ab  abab"), ["aba", " ab", " ", " ab", "ab"]);
  assert.deepEqual(italian.cut(" il medico gatto\nle").join(" "), "␣il ␣medico ␣ ga t to ↵le");
  assert.equal(italian.plain("␣il ␣medico ␣ ga t to ↵le"), " il medico gatto\nle");
  assert.equal(new Set(italian.trained.target).size, italian.trained.target.length);
  assert.ok(italian.trained.target.every((word) => !/\s/.test(word)));
});

test("a token that looks like another, or like a name of the model's own, is told apart", () => {
  const { tokens } = JSON.parse(textOf("english"));
  const { trained } = readFile(changed({ tokens: tokens.map((token, i) => ({ 1: "␣", 2: " ", 3: "<eos>" })[i] ?? token) }));
  assert.deepEqual(trained.target.slice(0, 4), ["<sos>", "␣", "␣′", "<eos>′"]);
});

test("another file is refused, and the message says why", () => {
  const { parameters } = JSON.parse(textOf("english"));
  const wrong = {
    "{": /no file of own_text: choose one/,
    "[1]": /no file of own_text/,
    [changed({ own_text: 2 })]: /of version 2, and this page reads version 1/,
    [changed({ tokens: Array(2001).fill("a") })]: /too large: tokens 2,001, and this page shows up to 2,000/,
    [changed({ layers: 3 })]: /too large: layers 3/,
    [changed({ layers: 2 })]: /damaged \(layer\.1\.w_q\)/,
    [changed({ tokens: ["", "a"] })]: /damaged \(embedding\)/,
    [changed({ parameters: { ...parameters, gamma: { vector: [1] } } })]: /damaged \(its sizes\)/,
    [changed({ merges: undefined })]: /damaged/,
  };
  for (const [text, message] of Object.entries(wrong)) assert.throws(() => readFile(text), { message });
});

test("a typed text is refused for a letter that was never read, or for its length", () => {
  assert.equal(refused(english, " the cats"), null);
  assert.match(refused(english, " the Ω"), /“Ω” is not in the text/);
  assert.match(refused(english, ""), /how a text may begin/);
  assert.match(refused(english, " the".repeat(33)), /33 tokens, and the page shows up to 32/);
});

const asNumber = (text) => Number(text.replace("−", "-"));

// A card's printed terms add up to its printed sum, and its operands make its value.
function check(graph, id) {
  const made = graph.explain(id);
  assert.ok(!made.terms.length || Math.abs(recompute(made) - made.value) < 1e-12, `${id}: ${recompute(made)} is not ${made.value}`);
  for (const all of [false, true]) {
    const { lines, digits } = linesOf(sidesOf(graph).explain({ now: { id } }), all);
    const at = lines.findIndex(({ total }) => total === "sum");
    if (at < 0) continue;
    const sum = lines.slice(0, at).reduce((total, { text }) => total + asNumber(text || "0"), 0);
    assert.ok(Math.abs(sum - asNumber(lines[at].text)) < 0.1 ** digits / 2, `${id}: printed terms are ${sum}, printed sum ${lines[at].text}`);
  }
}

test("in both files each kind of number comes out of its operands, and printed terms make the printed sum", () => {
  for (const own of [english, italian]) {
    const { graph, row, offered } = opened(own.trained, own.examples[1]);
    const last = own.trained.layers - 1;
    const kinds = ["x:0:3", "m:1:0", "d:1:0", "n:1:5", `l:${row}:9`, `p:${row}:${offered[0]}`, `p:${row}:7`].map((name) => `g.${name}`);
    const inside = ["m1:1:0", "d2:1:0", "n1:1:7", "uq.3:1:0", "q.3:1:1", "k.0:1:2", "v.2:1:1", "s.1:1:0", "w.1:1:1", "o.2:1:3", "a:1:11", "r1:0:0", "h:1:40", "f:1:12", "r2:1:3"];
    for (const id of [...kinds, ...inside.map((name) => `g${last}.${name}`)]) check(graph, id);
    assert.match(question(graph, `g.p:${row}:${offered[0]}`), /^How likely is “.+” after “␣?\S+/);
    assert.equal(boxOf(`g.p:${row}:1`, own.trained.layers), `layer ${last + 1} l`);
    assert.equal(boxOf("L.gamma:0:0", own.trained.layers), `layer ${last + 1} n`);
  }
});

test("of 2,000 words a card shows the largest and all others as one, and a comparison still divides its difference", () => {
  const own = large();
  assert.equal(own.trained.target.length, 2000);
  const [now, was] = [own.examples[0], own.examples[1]].map((text) => opened(own.trained, text));
  for (const token of [now.offered[0], 1999]) {
    const id = `g.p:${now.row}:${token}`;
    check(now.graph, id);
    const { terms } = now.graph.explain(id);
    assert.equal(terms.length, 102);
    assert.equal(terms.at(-1).label.word, "1,899 others");
    const { lines } = linesOf(sidesOf(now.graph).explain({ now: { id } }), true);
    assert.ok(lines.length < 110);
  }
  const sides = sidesOf(now.graph, was.graph);
  const row = Math.min(now.row, was.row);
  const { difference, shares } = sides.explain(sides.resolve([`g.p:${row}:${now.offered[0]}`])[0]);
  assert.ok(Math.abs(shares.reduce((sum, { share }) => sum + share, 0) - difference) < 1e-12);
  assert.equal(parse(now.first).row, now.row);
});
