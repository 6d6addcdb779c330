// The matrices of Row by row as tiles: the stronger the larger, a ring where a number is negative, a dot where it is 0,
// and an empty cell where no step has come yet.
import { corner } from "./layout.js";
import { masked } from "./steps.js";
import { wantsNone } from "../shared/motion.js";
import { STAGES } from "./stops.js";

const MADE_IN = { query: 0, key: 1, value: 2, scores: 3, output: 5 };
const BEFORE = 0.5; // opacity of scores that are not weights yet
const LEAST = 0.2; // of its colour, for the smallest number: visible by night, too
const LEAVES = 350; // milliseconds in which a tile fades

// How much of its colour a tile has, from 0 to 1. A weight's is its share; elsewhere small numbers are lifted.
export const depth = (kind, share) => (kind === "weights" ? 0.1 + 0.9 * share : LEAST + (1 - LEAST) * share ** 0.7);

// What is on show: every tile with its place, its number and how visible it is.
export function tilesOf(all, place, state, chosen) {
  const now = STAGES.indexOf(state.stage);
  return Object.entries(place.blocks).flatMap(([name, block]) => {
    const most = { weights: 1 };
    const isMade = (row, column) => {
      const made = MADE_IN[name];
      if (made === undefined || made < now) return 1;
      if (made > now) return 0;
      return state.whole || (row === chosen && column <= state.column) ? 1 : 0;
    };
    const size = largest(all[name]);
    return all[name].flatMap((numbers, row) =>
      numbers.map((number, column) => {
        const isWeight = name === "scores" && (now > 4 || (now === 4 && (state.whole || row === chosen)));
        const value = isWeight ? all.weights[row][column] : number;
        const waits = name === "scores" && now === 4 && !isWeight;
        const inBar = isWeight && state.bar && row === chosen;
        const kind = isWeight ? "weights" : name;
        const share = Math.min(1, Math.abs(value) / (isWeight ? most.weights : size));
        return {
          key: `${name}-${MADE_IN[name] === undefined && name !== "x" ? row : all.order[row]}-${name === "scores" ? all.order[column] : column}`,
          name, row, column, value,
          kind,
          hidden: name === "scores" && masked(all, "scores", row, column),
          depth: depth(kind, share),
          shown: isMade(row, column),
          waits,
          delay: state.whole && MADE_IN[name] === now ? 45 * Math.abs(row - chosen) : 0,
          ...(inBar ? inBarAt(all.weights[row], column, block, row) : at(block, row, column)),
        };
      }),
    );
  });
}

const largest = (matrix) => Math.max(1e-9, ...matrix.flat().map(Math.abs));

function at(block, row, column) {
  const [x, y] = corner(block, row, column);
  return { x, y, width: block.cell, height: block.high };
}

// The row as one bar, as long as it was: each word's part of it is its weight.
function inBarAt(weights, column, block, row) {
  const before = weights.slice(0, column).reduce((sum, weight) => sum + weight, 0);
  const long = weights.length * block.cell;
  return { x: block.x + before * long, y: block.y + row * block.high, width: Math.max(weights[column] * long, 1), height: block.high };
}

const DOT = 3; // pixels

// What a change takes away fades, and is no longer found by its place.
export function fade(gone) {
  gone.classed("leaving", true).attr("data-at", null);
  if (wantsNone()) gone.remove();
  else setTimeout(() => gone.remove(), LEAVES);
}

export function drawTiles(group, tiles) {
  const rect = group.selectAll("rect:not(.leaving)").data(tiles, ({ key }) => key).join("rect", (found) => found, fade);
  const kindOf = ({ kind, value, hidden, shown }) => (!shown ? "to-come" : `${kind}${hidden ? " hidden" : value < 0 ? " minus" : ""}`);
  rect.attr("class", kindOf).attr("rx", 2).attr("data-made", ({ shown }) => shown);
  rect.attr("data-value", ({ value }) => value).attr("data-at", ({ name, row, column }) => `${name} ${row} ${column}`);
  const isDot = ({ value, width, hidden, shown }) => shown && !hidden && Math.abs(value) < 5e-4 && width > DOT + 2;
  rect.style("transform", (tile) => {
    const in2 = isDot(tile) ? [(tile.width - DOT) / 2, (tile.height - DOT) / 2] : [1, 1];
    return `translate(${tile.x + in2[0]}px, ${tile.y + in2[1]}px)`;
  });
  rect.style("width", (tile) => `${isDot(tile) ? DOT : Math.max(tile.width - 2, 0.5)}px`);
  rect.style("height", (tile) => `${isDot(tile) ? DOT : tile.height - 2}px`);
  rect.style("--share", (tile) => (isDot(tile) ? 0.6 : tile.depth)).style("opacity", ({ waits }) => (waits ? BEFORE : 1));
  rect.style("transition-delay", ({ delay }) => (delay ? `${delay}ms` : null));
}
