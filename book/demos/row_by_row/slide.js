// The sliding row: it leaves its matrix, turns upright, slides along the columns of the other one, and at each column
// its products drop into the sum. In the last step a row of weights slides down the rows of V, and they flow rightwards.
import { corner } from "./layout.js";

const PAIRS = { query: ["x", "w_q"], key: ["x", "w_k"], value: ["x", "w_v"], scores: ["query", "key"], output: ["weights", "value"] };
const ARRIVES = 0.4; // the share of a move in which the row slides; then products drop
const NARROW = 0.56; // of a cell: so wide is the row, beside the column that it is multiplied with
const ASIDE = -0.36; // and so far to the left, or above, it lies

// The strip and the products for the column of the state, u of the way from the column before.
export function slideOf(all, place, { stage, column, whole }, row, u) {
  const pair = PAIRS[stage];
  if (!pair || whole) return { strip: [], drops: [], target: null };
  const [left, other] = pair;
  const numbers = all[left][row];
  const source = place.blocks[left === "weights" ? "scores" : left];
  const block = place.blocks[other];
  const factor = (k) => (stage === "output" ? all.value[k][column] : stage === "scores" ? all.key[column][k] : all[other][k][column]);
  const cellOf = (k, c) => (stage === "output" ? corner(block, k, c) : stage === "scores" ? corner(block, c, k) : corner(block, k, c));
  const beside = ([x, y]) => (stage === "output" ? [x, y + ASIDE * block.cell] : [x + ASIDE * block.cell, y]);
  const share = Math.min(u / ARRIVES, 1);
  const smooth = share * share * (3 - 2 * share);
  const strip = numbers.map((number, k) => {
    const [x1, y1] = beside(cellOf(k, column));
    const [x0, y0] = column === 0 ? corner(source, row, k) : beside(cellOf(k, column - 1));
    const size = [block.cell, block.cell * NARROW];
    const [width, height] = stage === "output" ? size : size.toReversed();
    return { x: x0 + (x1 - x0) * smooth, y: y0 + (y1 - y0) * smooth, width, height, value: number, kind: left };
  });
  const result = place.blocks[stage];
  const [tx, ty] = corner(result, row, column);
  const target = { x: tx, y: ty, cell: result.cell };
  const products = numbers.map((number, k) => number * factor(k));
  const most = Math.max(1e-9, ...products.map(Math.abs));
  const fall = Math.min(Math.max((u - ARRIVES) / (1 - ARRIVES), 0), 1);
  const drops = products.map((product, k) => {
    const [x, y] = cellOf(k, column);
    const half = block.cell / 2;
    const eased = fall * fall;
    return {
      x: x + half + (tx + result.cell / 2 - x - half) * eased,
      y: y + half + (ty + result.cell / 2 - y - half) * eased,
      radius: fall > 0 && fall < 1 ? Math.sqrt(Math.abs(product) / most) * block.cell * 0.32 : 0,
      minus: product < 0,
    };
  });
  return { strip, drops, target };
}

export function drawSlide(group, { strip, drops, target }, all) {
  const most = (kind) => Math.max(1e-9, ...all[kind].flat().map(Math.abs));
  const tile = group.selectAll("rect.strip").data(strip).join("rect");
  tile.attr("class", ({ kind, value }) => `strip ${kind}${value < 0 ? " minus" : ""}`).attr("rx", 2.5);
  tile.attr("x", ({ x }) => x + 1).attr("y", ({ y }) => y + 1);
  tile.attr("width", ({ width }) => width - 2).attr("height", ({ height }) => height - 2);
  tile.style("--share", ({ kind, value }) => 0.1 + (0.9 * Math.abs(value)) / (kind === "weights" ? 1 : most(kind)));
  const drop = group.selectAll("circle").data(drops).join("circle").attr("class", ({ minus }) => (minus ? "drop minus" : "drop"));
  drop.attr("cx", ({ x }) => x).attr("cy", ({ y }) => y).attr("r", ({ radius }) => radius);
  const ring = group.selectAll("rect.target").data(target ? [target] : []).join("rect").attr("class", "target").attr("rx", 3);
  ring.attr("x", ({ x }) => x - 0.5).attr("y", ({ y }) => y - 0.5).attr("width", ({ cell }) => cell + 1).attr("height", ({ cell }) => cell + 1);
}
