// What Counting words computes and says: three sentences, their vocabulary, and the tables that are counted from them.
import { dot } from "../shared/attention.js";
import { long } from "../shared/numbers.js";

export const MOST_WORDS = 12; // of a sentence: more columns than three such sentences have, nobody reads

const allWords = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);

export const wordsOf = (text) => allWords(text).slice(0, MOST_WORDS);

// Every different word, in order of first appearance. A Map, since a reader may well type "constructor".
export function vocabulary(lines) {
  const vocab = new Map();
  for (const word of lines.flat()) if (!vocab.has(word)) vocab.set(word, vocab.size);
  return vocab;
}

export const oneHot = (words, vocab) =>
  words.map((word) => Array.from(vocab.keys(), (other) => Number(other === word)));

export function bagOfWords(lines, vocab) {
  const counts = lines.map(() => new Array(vocab.size).fill(0));
  lines.forEach((words, i) => words.forEach((word) => (counts[i][vocab.get(word)] += 1)));
  return counts;
}

// tf · idf, as in the chapter: an empty sentence has a row of zeros.
export function tfIdf(counts) {
  const documents = (j) => counts.filter((row) => row[j]).length;
  return counts.map((row) => {
    const words = row.reduce((sum, count) => sum + count, 0) || 1;
    return row.map((count, j) => (count ? (count / words) * Math.log(counts.length / documents(j)) : 0));
  });
}

export function cosine(a, b) {
  const lengths = Math.sqrt(dot(a, a) * dot(b, b));
  return lengths ? dot(a, b) / lengths : 0;
}

// The vocabulary in an order that it had before, as long as it has the same words: columns stay where they are.
function settled(vocab, before = []) {
  const isSame = before.length === vocab.size && before.every((word) => vocab.has(word));
  return isSame ? vocabulary([before]) : vocab;
}

// Every number on show; `before` is what was on show.
export function count({ sentences, chosen }, before) {
  const lines = sentences.map(wordsOf);
  const vocab = settled(vocabulary(lines), before?.words);
  const counts = bagOfWords(lines, vocab);
  return {
    lines,
    words: [...vocab.keys()],
    vectors: oneHot(lines[chosen], vocab),
    counts,
    weighed: tfIdf(counts),
    cut: sentences.map((text) => allWords(text).length > MOST_WORDS),
  };
}

export const turnedRound = (text) => text.trim().split(/\s+/).reverse().join(" ");

// --- the words ---

export const PAIRS = [[0, 1], [0, 2], [1, 2]];

// What is to be said of what is shown, and of what has just changed.
export function describe({ lines, words, counts, weighed, cut }, before) {
  if (!words.length) return "Nothing is typed, so there is nothing to count. Type a word.";
  const size = `The vocabulary has ${words.length} word${words.length === 1 ? "" : "s"}.`;
  const said = [reordered(lines, before), size, order(lines, counts), everywhere(words, counts, weighed)];
  return [...said, withSigns(words), tooLong(cut)].filter(Boolean).join(" ");
}

// One sentence whose words are in another order: its one-hot rows are, too, and the counts stay.
function reordered(lines, before) {
  const sorted = (all) => [...all].sort().join(" ");
  const moved = before ? lines.flatMap((line, i) => (line.join(" ") === before.lines[i].join(" ") ? [] : [i])) : [];
  if (moved.length !== 1 || sorted(lines[moved[0]]) !== sorted(before.lines[moved[0]])) return "";
  return `Sentence ${moved[0] + 1} has its words in another order: only the one-hot table has changed.`;
}

function withSigns(words) {
  const found = words.find((word) => /[\p{L}\p{N}][.,;:!?]$/u.test(word));
  return found ? `“${shortened(found)}” is another word than “${shortened(found.slice(0, -1))}”.` : "";
}

function order(lines, counts) {
  const same = PAIRS.filter(([i, j]) => lines[i].length && String(counts[i]) === String(counts[j]));
  const other = same.filter(([i, j]) => lines[i].join(" ") !== lines[j].join(" "));
  if (other.length) {
    const [i, j] = other[0];
    return `Sentences ${i + 1} and ${j + 1} say the same words in another order, and their counts are the same.`;
  }
  if (same.length) return `Sentences ${same[0][0] + 1} and ${same[0][1] + 1} are the same.`;
  const [i, j] = PAIRS.reduce((best, pair) => (likeness(counts, pair) > likeness(counts, best) ? pair : best));
  const most = likeness(counts, [i, j]);
  return most ? `By counts, sentences ${i + 1} and ${j + 1} are most alike: ${long(most)}.` : "No two share a word.";
}

const likeness = (rows, [i, j]) => cosine(rows[i], rows[j]);

function everywhere(words, counts, weighed) {
  const all = words.filter((_, j) => counts.every((row) => row[j]));
  if (all.length) return `${listed(all)} ${all.length > 1 ? "are" : "is"} in all three, and TF-IDF gives 0.`;
  const largest = Math.max(...weighed.flat());
  const near = (value) => largest - value < 1e-9;
  const best = weighed.flatMap((row, i) => words.filter((_, j) => near(row[j])).map((word) => ({ word, i })));
  const named = best.slice(0, 2).map(({ word, i }) => `“${shortened(word)}” in sentence ${i + 1}`);
  const more = best.length - named.length;
  const rest = more > 0 ? ` and ${more} more` : "";
  return `The largest TF-IDF is ${long(largest)}, of ${named.join(rest ? ", " : " and ")}${rest}.`;
}

const shortened = (word) => ([...word].length > 20 ? `${[...word].slice(0, 19).join("")}…` : word);

function listed(words) {
  const named = words.slice(0, 3).map((word) => `“${shortened(word)}”`);
  if (words.length > 3) return `${named.join(", ")} and ${words.length - 3} more words`;
  return named.length > 1 ? `${named.slice(0, -1).join(", ")} and ${named.at(-1)}` : named[0];
}

function tooLong(cut) {
  const which = cut.flatMap((is, i) => (is ? [i + 1] : []));
  return which.length ? `Of sentence ${which.join(" and ")} the first ${MOST_WORDS} words count.` : "";
}
