import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, lookOf } from "./thread.js";

test("the sentence below the thread names the head and the word that are looked at most", () => {
  const run = { source: ["the", "bank"], written: [{ word: "l'" }, { word: "<eos>" }], cross: [[[0.4, 0.6], [0.1, 0.9]], [[0.75, 0.25], [0.5, 0.5]]] };
  assert.equal(lookOf(run, 0), "To write “l'”, head 1 looks at “bank”: 0.90 of all its attention.");
  assert.equal(lookOf(run, 1), "To write “end”, head 0 looks at “the”: 0.75 of all its attention.");
});

test("a ribbon's address names the demo, the sentence and the way", () => {
  assert.equal(addressOf("translator.html", "i love", ["d0.p:0:5"]), "translator.html#demo=every_number&sentence=i%20love&trail=%5B%22d0.p%3A0%3A5%22%5D");
});
