import assert from "node:assert/strict";
import { test } from "node:test";
import { MOST_WORDS, cosine, count, describe, turnedRound, wordsOf } from "./counts.js";

const close = (got, wanted, within = 1e-12) => assert.ok(Math.abs(got - wanted) <= within, `${got} is not ${wanted}`);
const counted = (...sentences) => count({ sentences, chosen: 0 });

test("the third sentence's cat is 1/5 · ln(3/2) = 0.0811, and the is 0", () => {
  const { words, weighed } = counted("the cat sat", "the dog sat", "the cat ate the fish");
  assert.deepEqual(words, ["the", "cat", "sat", "dog", "ate", "fish"]);
  close(weighed[2][1], 0.0811, 5e-5);
  assert.deepEqual(weighed.map((row) => row[0]), [0, 0, 0]);
});

test("mat cat mat and cat rat rat are counted as in the note", () => {
  const { words, counts, vectors } = counted("mat cat mat", "cat rat rat", "");
  assert.deepEqual(words, ["mat", "cat", "rat"]);
  assert.deepEqual(counts, [[2, 1, 0], [0, 1, 2], [0, 0, 0]]);
  assert.deepEqual(vectors, [[1, 0, 0], [0, 1, 0], [1, 0, 0]]);
});

test("a dog that bites a man counts as a man who bites a dog", () => {
  const seen = counted("Dog bites man", "man bites dog", "the dog");
  assert.deepEqual(seen.counts[0], seen.counts[1]);
  close(cosine(seen.counts[0], seen.counts[1]), 1);
  assert.match(describe(seen), /Sentences 1 and 2 say the same words in another order/);
});

test("nothing, and words that JavaScript has a use for, are counted like others", () => {
  assert.match(describe(counted("", "  ", "\t")), /nothing to count/);
  const odd = counted("constructor __proto__ <b>hi</b>", "constructor", "");
  assert.deepEqual(odd.words, ["constructor", "__proto__", "<b>hi</b>"]);
  assert.deepEqual(odd.counts, [[1, 1, 1], [1, 0, 0], [0, 0, 0]]);
  assert.equal(cosine(odd.counts[0], odd.counts[2]), 0);
  assert.ok(odd.weighed.flat().every(Number.isFinite));
});

test("of a long sentence the first twelve words count, and that is said", () => {
  const long = Array.from({ length: 40 }, (_, i) => `w${i}`).join(" ");
  assert.equal(wordsOf(long).length, MOST_WORDS);
  assert.match(describe(counted("a", long, "b")), /Of sentence 2 the first 12 words count/);
});

test("a reversed sentence changes only the one-hot table, and no column moves", () => {
  const before = counted("dog bites man", "man bites dog", "the dog");
  const turned = count({ sentences: ["man bites dog", "man bites dog", "the dog"], chosen: 0 }, before);
  assert.deepEqual([turned.words, turned.counts, turned.weighed], [before.words, before.counts, before.weighed]);
  assert.notDeepEqual(turned.vectors, before.vectors);
  assert.match(describe(turned, before), /^Sentence 1 has its words in another order/);
});

test("with another word, columns are in the order of first appearance again", () => {
  const before = counted("dog bites man", "", "");
  const other = count({ sentences: ["man bites the dog", "", ""], chosen: 0 }, before);
  assert.deepEqual(other.words, ["man", "bites", "the", "dog"]);
  assert.match(describe(other, before), /^The vocabulary has/);
});

test("a word with a full stop is said to be another word", () => {
  assert.match(describe(counted("a dog.", "a dog", "")), /“dog\.” is another word than “dog”\./);
  assert.doesNotMatch(describe(counted("a dog", "a ...", "")), /another word/);
});

test("a sentence reversed twice is itself", () => {
  assert.equal(turnedRound(" dog  bites man "), "man bites dog");
  assert.equal(turnedRound(""), "");
});

test("where no two sentences share a word, that is said, and the rarest word is named", () => {
  const said = describe(counted("a", "b c", "d"));
  assert.match(said, /No two share a word\. The largest TF-IDF is 1\.0986, of “a” in sentence 1 and “d” in sentence 3\./);
  assert.match(describe(counted("a b", "c d", "e f")), /is 0\.5493, of “a” in sentence 1, “b” in sentence 1 and 4 more\./);
  assert.match(describe(counted("a b", "a c", "d")), /sentences 1 and 2 are most alike: 0\.5000/);
  assert.match(describe(counted("a b", "a b", "a")), /Sentences 1 and 2 are the same\. “a” is in all three/);
});
