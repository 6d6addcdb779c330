// The numbers in the tiles: of the row that is carried, of the column that it meets, and of what they have made. A
// number is there where it can be read, with two decimals or, if need be, one.
import { near } from "../shared/numbers.js";
import { PAIRS } from "./slide.js";

const SMALLEST = 10; // pixels of a letter
const LARGEST = 13;
const widthOf = (text, size) => size * [...text].reduce((sum, letter) => sum + (letter === "." ? 0.31 : 0.64), 0);

// What is written on a tile, or null where it is 0 or does not fit.
export function figure({ x, y, width, height, value, minus, depth, kind }) {
  if (Math.abs(value) < 5e-3 || height < SMALLEST + 1) return null;
  const size = Math.min(LARGEST, Math.max(SMALLEST, Math.floor(0.62 * height)));
  const written = [near(value), ...(Math.abs(value) >= 1 ? [value.toFixed(1).replace("-", "−"), value.toFixed(0).replace("-", "−")] : [])];
  for (const text of written) {
    const fitting = [size, SMALLEST].find((one) => widthOf(text, one) <= width - 1);
    if (fitting) return { text, size: fitting, x: x + width / 2, y: y + height / 2 + 0.36 * fitting, on: ground(value < 0 ? 0 : depth, kind) };
  }
  return null;
}

// Whether ink or paper is read on a tile: by day paper from three quarters on, by night from half on.
function ground(depth, kind) {
  const isStrong = kind === "weights" || kind === "x";
  return depth > (isStrong ? 0.52 : 0.78) ? "on-full" : depth > 0.52 ? "on-half" : "on-pale";
}

// Which tiles of a view have their numbers: tiles as tilesOf gives them.
export function figuresOf(tiles, { stage, column, whole, bar }, row) {
  const [left, other] = PAIRS[stage] ?? [];
  const source = left === "weights" ? "scores" : left;
  const isMet = ({ name, row: i, column: j }) => !whole && name === other && (stage === "scores" ? i : j) === column;
  const isLit = (tile) =>
    (tile.name === source && tile.row === row) ||
    (tile.name === (stage === "weights" ? "scores" : stage) && tile.row === row && !bar) ||
    (tile.name === "w_q" && stage === "query") || // which the hand may change
    isMet(tile);
  return tiles.filter((tile) => tile.shown && !tile.hidden && isLit(tile)).map(figure).filter((one) => one);
}

export function drawFigures(group, figures) {
  const text = group.selectAll("text").data(figures).join("text").text((one) => one.text).attr("class", (one) => one.on);
  text.attr("x", (one) => one.x).attr("y", (one) => one.y).style("font-size", (one) => `${one.size}px`);
}

// The number under the pointer, in a bubble above its tile.
export function drawBubble(group, tile, text, { width }) {
  const one = group.selectAll("g").data(tile ? [tile] : []).join((enter) => {
    const added = enter.append("g");
    added.append("rect").attr("rx", 5).attr("height", 22);
    added.append("text").attr("y", 15.5);
    return added;
  });
  if (!tile) return;
  const wide = 14 + 7.6 * text.length;
  const left = Math.min(Math.max(tile.x + tile.width / 2 - wide / 2, 0), width - wide);
  one.attr("transform", `translate(${left}, ${Math.max(tile.y - 25, 0)})`);
  one.select("rect").attr("width", wide);
  one.select("text").attr("x", wide / 2).text(text);
}
