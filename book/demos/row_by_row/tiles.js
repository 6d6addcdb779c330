// The matrices of Row by row as tiles: the darker the larger, a ring where a number is negative, a dot where it is 0.
import { corner } from "./layout.js";
import { masked } from "./steps.js";
import { STAGES } from "./stops.js";

const MADE_IN = { query: 0, key: 1, value: 2, scores: 3, output: 5 };
const BEFORE = 0.5; // opacity of scores that are not weights yet
const TO_COME = 0.16; // opacity of what no step has made yet

// What is on show: every tile with its place, its number and how visible it is.
export function tilesOf(all, place, state, chosen) {
  const now = STAGES.indexOf(state.stage);
  return Object.entries(place.blocks).flatMap(([name, block]) => {
    const most = { scores: largest(all.scores), weights: 1 };
    const isMade = (row, column) => {
      const made = MADE_IN[name];
      if (made === undefined || made < now) return 1;
      if (made > now) return TO_COME;
      return state.whole || (row === chosen && column <= state.column) ? 1 : TO_COME;
    };
    const size = largest(all[name]);
    return all[name].flatMap((numbers, row) =>
      numbers.map((number, column) => {
        const isWeight = name === "scores" && (now > 4 || (now === 4 && (state.whole || row === chosen)));
        const value = isWeight ? all.weights[row][column] : number;
        const waits = name === "scores" && now === 4 && !isWeight;
        const inBar = isWeight && state.bar && row === chosen;
        return {
          key: `${name}-${MADE_IN[name] === undefined && name !== "x" ? row : all.order[row]}-${name === "scores" ? all.order[column] : column}`,
          name, row, column, value,
          kind: isWeight ? "weights" : name,
          hidden: name === "scores" && masked(all, "scores", row, column),
          share: Math.min(1, Math.abs(value) / (isWeight ? most.weights : size)),
          shown: isMade(row, column) * (waits ? BEFORE : 1),
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
  return { x, y, width: block.cell, height: block.cell };
}

// The row as one bar, as long as it was: each word's part of it is its weight.
function inBarAt(weights, column, block, row) {
  const before = weights.slice(0, column).reduce((sum, weight) => sum + weight, 0);
  const long = weights.length * block.cell;
  return { x: block.x + before * long, y: block.y + row * block.cell, width: Math.max(weights[column] * long, 1), height: block.cell };
}

const DOT = 3; // pixels

export function drawTiles(group, tiles) {
  const rect = group.selectAll("rect").data(tiles, ({ key }) => key).join("rect");
  rect.attr("class", ({ kind, value, hidden }) => `${kind}${hidden ? " hidden" : value < 0 ? " minus" : ""}`).attr("rx", 2);
  rect.attr("data-value", ({ value }) => value).attr("data-at", ({ name, row, column }) => `${name} ${row} ${column}`);
  const isDot = ({ value, width, hidden }) => !hidden && Math.abs(value) < 5e-4 && width > DOT + 2;
  rect.style("transform", (tile) => {
    const in2 = isDot(tile) ? [(tile.width - DOT) / 2, (tile.height - DOT) / 2] : [1, 1];
    return `translate(${tile.x + in2[0]}px, ${tile.y + in2[1]}px)`;
  });
  rect.style("width", (tile) => `${isDot(tile) ? DOT : Math.max(tile.width - 2, 0.5)}px`);
  rect.style("height", (tile) => `${isDot(tile) ? DOT : tile.height - 2}px`);
  rect.style("--share", (tile) => (isDot(tile) ? 0.5 : 0.1 + 0.9 * tile.share)).style("opacity", ({ shown }) => shown);
  rect.style("transition-delay", ({ delay }) => (delay ? `${delay}ms` : null));
}
