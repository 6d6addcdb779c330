// Who looks at whom: the words in a column, and arcs from one of them to the words that it looks at, as thick as the
// weights. Heights are counted in rows of the matrices beside them; the style sheet says how high a row is.
import { select } from "d3-selection";
import { put, setShare, write } from "../shared/matrix.js";
import { short } from "../shared/numbers.js";
import { toldApart } from "../shared/widget.js";

const EDGE = 68; // where the words begin, in pixels from the left
const LOOP = 22; // how far a loop reaches out
const NEAR = 14; // and an arc: to a word nearby, at least
const FAR = 36; // and from the first word to the last
const ALL_OF_IT = 8; // how thick the arc is that carries all of the weight
const BIG = 0.1; // from here on a weight is written on its arc

// How far an arc reaches out between two of so many places.
export const reach = (from, to, count) =>
  from === to ? LOOP : NEAR + ((FAR - NEAR) * Math.abs(to - from)) / (count - 1);

// The outline of an arc: half an ellipse, or a loop for what a word keeps.
export function arc(from, to, count) {
  const handle = EDGE - (4 / 3) * LOOP;
  if (from === to) return `M${EDGE} ${from + 0.2}C${handle} ${from - 0.5} ${handle} ${from + 1.5} ${EDGE} ${from + 0.8}`;
  const radii = `${reach(from, to, count)} ${Math.abs(to - from) / 2}`;
  return `M${EDGE} ${from + 0.5}A${radii} 0 0 ${to > from ? 0 : 1} ${EDGE} ${to + 0.5}`;
}

// What the arcs say, in words.
export function looksAt(words, weights, row) {
  if (Math.max(...weights) - Math.min(...weights) < 1e-9) return `“${words[row]}” looks at all words alike`;
  const big = weights.flatMap((weight, j) => (weight >= BIG ? [`“${words[j]}” ${short(weight)}`] : []));
  return `“${words[row]}” looks at ${big.join(", ") || "every word a little"}`;
}

// choose(i) is called for the word that is to ask, hover(i) for one under the mouse, hover(null) when it leaves.
export function arcs(parent, choose, hover) {
  const block = parent.insert("div", ":first-child").attr("class", "arcs");
  const lines = block.append("div").attr("class", "lines").attr("role", "img");
  const svg = lines.append("svg").attr("preserveAspectRatio", "none").attr("aria-hidden", "true");
  const list = block.append("div").attr("class", "words").attr("role", "radiogroup").attr("aria-label", "Word that asks");
  list.on("pointerleave", () => hover(null));
  const draw = ({ words, weights, order }, row, chosen) => {
    const count = words.length;
    block.style("--rows", count);
    svg.attr("viewBox", `0 0 ${EDGE} ${count}`);
    lines.attr("aria-label", looksAt(words, weights[row], row));
    drawLines(svg, weights[row], row, count);
    drawLabels(lines, weights[row], row, count);
    drawWords(list, { words, weights, order, row, chosen }, choose, hover);
  };
  return { block, draw };
}

function drawLines(svg, weights, row, count) {
  const line = svg.selectAll("path").data(weights).join("path").attr("d", (_, j) => arc(row, j, count));
  line.attr("data-value", (weight) => weight).attr("stroke-width", (weight) => (ALL_OF_IT * weight).toFixed(3));
}

function drawLabels(lines, weights, row, count) {
  const big = weights.map((weight, j) => ({ weight, j })).filter(({ weight }) => weight >= BIG);
  const label = lines.selectAll("span").data(big).join("span").attr("data-value", ({ weight }) => weight);
  const outside = ({ weight, j }) => reach(row, j, count) + (ALL_OF_IT * weight) / 2 + 2;
  label.style("--at", ({ j }) => (row + j + 1) / 2).style("right", (d) => `${outside(d)}px`);
  label.each(function ({ weight }) {
    write(this, short(weight));
  });
}

function drawWords(list, { words, weights, order, row, chosen }, choose, hover) {
  const word = list.selectAll("button").data(words).join((enter) => emptyWords(enter, list, choose, hover));
  const apart = toldApart(words);
  word.each(function (text, i) {
    write(this, text);
    put(this, "tabindex", i === chosen ? 0 : -1);
    put(this, "aria-checked", i === chosen);
    const stays = apart[i] ?? text;
    put(this, "aria-label", order[i] === i ? stays : `${text}, moved from place ${order[i] + 1} to ${i + 1}`);
    this.classList.toggle("asks", i === row);
    this.classList.toggle("moved", order[i] !== i);
    setShare(this, weights[row][i]);
  });
}

function emptyWords(enter, list, choose, hover) {
  const word = enter.append("button").attr("type", "button").attr("role", "radio").attr("class", "shaded");
  const place = (node) => list.selectAll("button").nodes().indexOf(node);
  word.on("click", (event) => choose(place(event.currentTarget)));
  word.on("pointerover", (event) => event.pointerType === "mouse" && hover(place(event.currentTarget)));
  word.on("keydown", (event) => {
    const all = list.selectAll("button").nodes();
    const to = goal(event.key, place(event.currentTarget), all.length);
    if (to === null) return;
    event.preventDefault();
    choose(to);
    all[to].focus();
  });
  return word;
}

// Where a key moves the choice among so many words.
export function goal(key, from, count) {
  const [next, previous, last] = [from + 1, from - 1, count - 1];
  const ways = { ArrowDown: next, ArrowRight: next, ArrowUp: previous, ArrowLeft: previous, Home: 0, End: last };
  return key in ways ? Math.min(Math.max(ways[key], 0), last) : null;
}
