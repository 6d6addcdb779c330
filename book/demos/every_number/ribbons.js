// What the thread draws, as numbers: ribbons between words, arcs over them, and how far the writing has come.
import { total } from "../shared/attention.js";
import { ease } from "../shared/motion.js";

export const SEEN = 0.02; // a smaller weight is not drawn

// The ribbons of one row of weights, weights[head][column], head by head: [x0, y0, x1, y1, width] from a word above to
// the one below. At the word below, a head has one unit of width, which its ribbons fill, since their weights add up to
// 1. At a word above, they lie side by side.
export function ribbons(weights, above, below, unit) {
  const starts = above.map(({ x }, j) => x - (unit * total(weights.map((row) => row[j]))) / 2);
  let end = below.x - (unit * weights.length) / 2;
  return weights.flatMap((row) =>
    row.map((weight, j) => {
      const wide = unit * weight;
      starts[j] += wide;
      end += wide;
      return [starts[j] - wide / 2, above[j].y, end - wide / 2, below.y, wide];
    }),
  );
}

// The arcs of one row of weights, from the word that looks to each word, as [x0, x1, y, height, width]. Those of the
// heads lie side by side; height is negative below the words.
export function arcs(weights, words, looker, { unit, room }) {
  const [from, wide] = [words[looker], unit / 2];
  const most = Math.abs(room) - wide;
  return weights.map((row, head) =>
    row.map((weight, column) => {
      const [way, by] = [words[column].x - from.x, (head - (weights.length - 1) / 2) * wide];
      const [x0, x1] = column === looker ? [from.x - unit, from.x + unit] : [from.x, words[column].x];
      const high = Math.min(most, Math.max(most / 3, Math.abs(way) / 3)) * Math.sign(room);
      return [x0 + by, x1 + by, from.y, high, Math.max(wide * weight, 1)];
    }),
  );
}

// The outline of a ribbon, as far as it reaches: two edges that leave and arrive upright. Where the ribbon slants, one
// edge is moved up and the other down, which keeps it as wide there as at its ends.
export function band([x0, y0, x1, y1, wide], reach = 1) {
  const bend = (y1 - y0) / 2;
  const slant = Math.atan2(2 * (x1 - x0), y1 - y0); // from upright, half way
  const edge = (side) => {
    const shift = (-side / 1.1) * Math.tan(slant / 2);
    return begun([[x0 + side, y0], [x0 + side, y0 + bend + shift], [x1 + side, y1 - bend + shift], [x1 + side, y1]], reach);
  };
  return outline(edge(-wide / 2), edge(wide / 2));
}

export function bow([x0, x1, y, high, wide]) {
  const edge = (by) => {
    const [out, top] = [by * Math.sign(x1 - x0), y - (4 / 3) * (high + by * Math.sign(high))];
    return [[x0 - out, y], [x0 - out, top], [x1 + out, top], [x1 + out, y]];
  };
  return outline(edge(wide / 2), edge(-wide / 2));
}

// The first part of a cubic Bézier curve, by de Casteljau.
function begun(points, share) {
  if (share === 1) return points;
  const first = [];
  for (let rest = points; rest.length; ) {
    const now = rest;
    first.push(now[0]);
    rest = now.slice(1).map((point, i) => point.map((value, axis) => now[i][axis] + share * (value - now[i][axis])));
  }
  return first;
}

function outline(there, back) {
  const [a, b, c, d, e, f, g, h] = [...there, ...back.toReversed()].map((point) => point.map((at) => at.toFixed(1)).join(" "));
  return `M${a}C${b} ${c} ${d}L${e}C${f} ${g} ${h}Z`;
}

// Milliseconds of the writing: the source comes, each word is written, all is seen, and it goes.
const [COMES, WORDS, RESTS, GOES] = [400, 3600, 1600, 350];
const WORD = [230, 750]; // at least and at most

export const within = (value, least = 0, most = 1) => Math.min(Math.max(value, least), most);
// How long it takes to write all once more.
export const cycleOf = (words) => writtenAt(words) + GOES;

const eachOf = (words) => within(WORDS / words, ...WORD);

// When the whole translation is seen and about to go: where the writing begins, so that nothing jumps.
export const writtenAt = (words) => COMES + eachOf(words) * words + RESTS;

// The writing of so many words at a time, over and over: how far the source has come, the word that is being written
// (`words` once all are), how far its ribbons reach, how far it is seen itself, and how far everything has gone.
export function writing(time, words) {
  const each = eachOf(words);
  const at = time % (writtenAt(words) + GOES);
  const turn = within(Math.floor((at - COMES) / each), 0, words);
  const share = within((at - COMES) / each - turn);
  return {
    source: within(at / COMES),
    turn,
    reach: ease(within(share / 0.7)),
    word: within((share - 0.45) / 0.4),
    gone: within((at - writtenAt(words)) / GOES),
  };
}
