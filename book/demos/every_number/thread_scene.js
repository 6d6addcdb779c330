// What the thread shows at a time, from `now`: { seen, places, turn, from, lift }.
//   seen   what the demo gives, as thread.js says
//   places where the words are laid out: { above, below, unit }, each { x, top, bottom, wide }
//   turn   the Italian word that is looked at in place of the chosen one, or null
//   from   the English word that is looked at, or null
//   lift   pixels that the two lines of words have given way to arcs
import { arcs, ribbons, SEEN } from "./ribbons.js";
import { total } from "../shared/attention.js";
import { near } from "../shared/numbers.js";

const ROOM = 60; // pixels that a line gives way
const EDGE = 8; // pixels from the left: the start, where there is no room before the first word
const SMALLEST = 14; // pixels of a letter
const [WIDEST, NARROWEST] = [22, 5]; // pixels of a ribbon whose weight is 1
const [APART, OVER] = [0.94, 1.15]; // of the way to a word's neighbour, and of the word's width, for its ribbons

export const percent = (share) => (share > 0.999 ? ">99.9%" : share < 0.001 ? "<0.1%" : `${(100 * share).toFixed(1)}%`);

// How wide a weight of 1 is: all heads together are hardly wider than a word, and never reach its neighbour.
export function unitOf(lines, heads) {
  const ways = lines.flatMap((words) => words.slice(1).map(({ x, top }, i) => (top === words[i].top ? x - words[i].x : Infinity)));
  const narrowest = Math.min(...lines.flat().map(({ wide }) => wide));
  return Math.min(WIDEST, Math.max(NARROWEST, Math.min(Math.min(...ways) * APART, narrowest * OVER) / heads));
}

// About how wide the longer sentence is in one line, in its own ems: a letter, and the space around a word.
const widthOf = (words, least) => total(words.map((word) => Math.max(0.5 * word.length + 1.15, least)));
export const emsOf = ({ source, written }) => Math.max(widthOf(source, 2.6), widthOf(written.map(({ word }) => word), 2.8));

// The lines that it takes where letters of the least size would fit in.
export const linesIn = (wide, ems) => Math.ceil((ems * SMALLEST) / wide);

const isAt = ({ look, ...seen }, place) => look?.place === place && !!seen[place];

export const turnOf = ({ seen, turn }) => turn ?? (seen.look?.place === "cross" ? seen.look.row : seen.turn);

export const liftFor = ({ seen }) => [isAt(seen, "encoder") ? ROOM : 0, isAt(seen, "decoder") ? -ROOM : 0];

// How much of all heads' attention each English word gets from one Italian word.
export function sharesOf({ seen }, t) {
  const heads = seen.cross[t];
  return seen.source.map((_, j) => total(heads.map((row) => row[j])) / heads.length);
}

// The weights of one row, which is weights[head][column], head by head.
function numbersOf({ seen }, place, row, weights, words) {
  const { look } = seen;
  return weights.flatMap((of, head) =>
    of.map((weight, column) => ({
      place, head, row, column, weight,
      text: `head ${head} · ${words[column]} · ${near(weight)}`,
      isLit: look?.place === place && look.head === head && look.row === row && look.column === column,
    })),
  );
}

export const ribbonNumbers = (now) => numbersOf(now, "cross", turnOf(now), now.seen.cross[turnOf(now)], now.seen.source);

export function ribbonsOf({ seen, places }, t, [up, down]) {
  const above = places.above.map(({ x, bottom }) => ({ x, y: bottom + up }));
  return ribbons(seen.cross[t], above, { x: places.below[t].x, y: places.below[t].top + down }, places.unit);
}

// The ribbons of a word among those of the others, [head]: no hairs, and only those from the English word that is looked
// at, if one is.
export function wovenOf(now, t) {
  const ends = ribbonsOf(now, t, now.lift);
  const isWoven = (weight, j) => weight >= SEEN && (now.from === null || j === now.from);
  return now.seen.cross[t].map((row, head) => row.flatMap((weight, j) => (isWoven(weight, j) ? [ends[head * row.length + j]] : [])));
}

// The arcs of the row that is looked at, of the encoder over the English words or of the decoder under the Italian ones:
// numbers and ends. The decoder looks from the word to be written, and its first column is the start.
export function arcsOf(now) {
  const { seen } = now;
  const place = ["encoder", "decoder"].find((name) => isAt(seen, name));
  if (!place) return { numbers: [], ends: [] };
  const isAbove = place === "encoder";
  const words = isAbove ? wordsAbove(now) : wordsBelow(now);
  const weights = seen[place].map((head) => head[seen.look.row]);
  const size = { unit: now.places.unit, room: isAbove ? ROOM : -ROOM };
  const ends = arcs(weights, words, isAbove ? seen.look.row : seen.look.row + 1, size).flat();
  const numbers = numbersOf(now, place, seen.look.row, weights, words.map(({ word }) => word));
  const isDrawn = (_, i) => numbers[i].weight >= SEEN || numbers[i].isLit;
  return { numbers: numbers.filter(isDrawn), ends: ends.filter(isDrawn) };
}

const wordsAbove = ({ seen, places, lift }) => places.above.map(({ x, top }, j) => ({ word: seen.source[j], x, y: top + lift[0] }));

function wordsBelow({ seen, places, lift }) {
  const words = places.below.map(({ x, bottom }, t) => ({ word: seen.written[t].word, x, y: bottom + lift[1] }));
  return [{ word: "start", x: Math.max(words[0].x - places.below[0].wide, EDGE), y: words[0].y }, ...words];
}
