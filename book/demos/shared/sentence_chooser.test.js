import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { byLetter, hintOf, refusal, wordsOf } from "./sentence_chooser.js";

const { source } = JSON.parse(readFileSync(new URL("../../../attention/trained/translator.json", import.meta.url))).model;
const said = (text) => wordsOf(text).join(" ");

test("case and punctuation do not count", () => {
  assert.equal(said(" The dog, sees: “the CAT” (yesterday)! "), "the dog sees the cat yesterday");
});

test("what is written short becomes the words that the model knows, with either apostrophe", () => {
  const short = "I don't, he doesn’t, we didn't; it isn't; they aren't. I'm you're it's he’s that's won't can't they'd I've she'll";
  const whole = "i do not he does not we did not it is not they are not i am you are it is he is that is will not can not they would i have she will";
  assert.equal(said(short), whole);
  for (const word of ["do", "does", "did", "is", "are", "not", "'s"]) assert.ok(source.includes(word), word);
});

test("an owner's 's is a word of the model, and so is an Italian article", () => {
  assert.equal(said("the girl's doctor 's cat"), "the girl 's doctor 's cat");
  assert.equal(said("l’argine dell'orologio"), "l' argine dell' orologio");
});

test("a word that the model does not know is named, with those that are spelt like it", () => {
  const refused = (text) => refusal({ source }, wordsOf(text), "i love you");
  assert.equal(refused("the dog sees the cat"), null);
  assert.deepEqual(refused("a dogg"), { text: "The model does not know “a”, “dogg”. All words that it knows are in the list below.", word: "a", nearest: [] });
  assert.deepEqual(refused("the dogg").nearest, ["dog", "dogs", "do"]);
  assert.match(refused("the dogg").text, /does not know “dogg”\. Spelt like it:$/);
  assert.match(refused("dogg xylophone").text, /Spelt like “dogg”:$/);
  assert.match(refused("q w e r").text, /“q”, “w”, “e” …/);
  assert.match(refused("").text, /such as “i love you”/);
});

test("while a sentence is typed, it is said what Enter does, or which word is not known yet", () => {
  assert.equal(hintOf(null, "Enter translates"), "Enter translates");
  assert.equal(hintOf(null, false), "");
  assert.equal(hintOf({ text: "…", word: "wh" }, "Enter translates"), "“wh” is not known yet");
  assert.equal(hintOf({ text: "…" }, "Enter translates"), "");
});

test("the known words are listed by their first letters, without signs for no word", () => {
  assert.deepEqual(byLetter(["<pad>", "see", "'s", "è", "città", "elm", "cats"]), [["c", ["cats", "città"]], ["e", ["è", "elm"]], ["s", ["'s", "see"]]]);
});
