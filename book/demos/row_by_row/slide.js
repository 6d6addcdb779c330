// The sliding row: it leaves its matrix, turns upright, slides along the columns of the other one, and comes to rest in
// each column, number over number; then its products drop into the sum. In the last step a row of weights slides down
// the rows of V, and they flow rightwards.
import { figure } from "./figures.js";
import { corner } from "./layout.js";
import { depth } from "./tiles.js";

export const PAIRS = { query: ["x", "w_q"], key: ["x", "w_k"], value: ["x", "w_v"], scores: ["query", "key"], output: ["weights", "value"] };
const ARRIVES = 0.4; // the share of a move in which the row slides; then products drop

// The strip and the products for the column of the state, u of the way from the column before.
export function slideOf(all, place, { stage, column, whole }, row, u) {
  const pair = PAIRS[stage];
  if (!pair || whole) return { strip: [], drops: [], target: null };
  const [left, other] = pair;
  const numbers = all[left][row];
  const source = place.blocks[left === "weights" ? "scores" : left];
  const block = place.blocks[other];
  const factor = (k) => (stage === "output" ? all.value[k][column] : stage === "scores" ? all.key[column][k] : all[other][k][column]);
  const cellOf = (k, c) => (stage === "scores" ? corner(block, c, k) : corner(block, k, c));
  const inLane = ([x, y]) => [x, y - block.lane, block.cell, block.lane];
  const share = Math.min(u / ARRIVES, 1);
  const smooth = share * share * (3 - 2 * share);
  const strip = numbers.map((number, k) => {
    const to = inLane(cellOf(k, column));
    const from = column === 0 ? [...corner(source, row, k), source.cell, source.high] : inLane(cellOf(k, column - 1));
    const [x, y, width, height] = from.map((start, i) => start + (to[i] - start) * smooth);
    return { x, y, width, height, value: number, kind: left, rests: share === 1, pair: block.high };
  });
  const result = place.blocks[stage];
  const [tx, ty] = corner(result, row, column);
  const target = { x: tx, y: ty, cell: result.cell, high: result.high };
  const products = numbers.map((number, k) => number * factor(k));
  const most = Math.max(1e-9, ...products.map(Math.abs));
  const fall = Math.min(Math.max((u - ARRIVES) / (1 - ARRIVES), 0), 1);
  const drops = products.map((product, k) => {
    const [x, y] = cellOf(k, column);
    const [right, down] = [x + block.cell / 2, y];
    const eased = fall * fall;
    return {
      x: right + (tx + result.cell / 2 - right) * eased,
      y: down + (ty + result.high / 2 - down) * eased,
      radius: fall > 0 && fall < 1 ? Math.sqrt(Math.abs(product) / most) * block.high * 0.34 : 0,
      minus: product < 0,
    };
  });
  return { strip, drops, target };
}

const isNothing = ({ value }) => Math.abs(value) < 5e-3;

export function drawSlide(group, { strip, drops, target }, all) {
  const most = (kind) => Math.max(1e-9, ...all[kind].flat().map(Math.abs));
  const depthOf = ({ kind, value }) => depth(kind, Math.abs(value) / (kind === "weights" ? 1 : most(kind)));
  // A number and the one below it that it is multiplied with, in one frame.
  const pair = group.selectAll("rect.pair").data(strip.filter((one) => one.rests && !isNothing(one))).join("rect").attr("class", "pair").attr("rx", 3.5);
  pair.attr("x", ({ x }) => x - 0.5).attr("y", ({ y }) => y - 0.5).attr("width", ({ width }) => width + 1).attr("height", (one) => one.height + one.pair + 1);
  const tile = group.selectAll("rect.strip").data(strip).join("rect");
  tile.attr("class", ({ kind, value }) => `strip ${kind}${isNothing({ value }) ? " nothing" : value < 0 ? " minus" : ""}`).attr("rx", 2);
  tile.attr("x", ({ x }) => x + 1).attr("y", ({ y }) => y + 1);
  tile.attr("width", ({ width }) => width - 2).attr("height", ({ height }) => height - 2).style("--share", depthOf);
  const texts = strip.map((one) => figure({ ...one, depth: depthOf(one) })).filter((one) => one);
  const text = group.selectAll("text").data(texts).join("text").text((one) => one.text).attr("class", (one) => one.on);
  text.attr("x", (one) => one.x).attr("y", (one) => one.y).style("font-size", (one) => `${one.size}px`);
  const drop = group.selectAll("circle").data(drops).join("circle").attr("class", ({ minus }) => (minus ? "drop minus" : "drop"));
  drop.attr("cx", ({ x }) => x).attr("cy", ({ y }) => y).attr("r", ({ radius }) => radius);
  const ring = group.selectAll("rect.target").data(target ? [target] : []).join("rect").attr("class", "target").attr("rx", 3);
  ring.attr("x", ({ x }) => x - 0.5).attr("y", ({ y }) => y - 0.5).attr("width", ({ cell }) => cell + 1).attr("height", ({ high }) => high + 1);
}
