// What the reader of Row by row has chosen, and how that changes: a step, a cell of it, an entry of W_Q, the order.
import { arrange, edit, exchange, hasWordColumns, matrices } from "./steps.js";
import { assign, valuesOf } from "./widget.js";

export const TRAITS = ["words", "x", "w_q", "w_k", "w_v", "scaled", "order", "start", "stage", "row", "column"];
const LARGEST_ENTRY = 9;

// Where a key moves the chosen cell, inside a matrix of so many rows and columns.
export function move(key, { row, column }, rows, columns) {
  const to = (r, c) => ({ row: Math.min(Math.max(r, 0), rows - 1), column: Math.min(Math.max(c, 0), columns - 1) });
  if (key === "ArrowRight") return to(row, column + 1);
  if (key === "ArrowLeft") return to(row, column - 1);
  if (key === "ArrowDown") return to(row + 1, column);
  if (key === "ArrowUp") return to(row - 1, column);
  if (key === "Home") return to(row, 0);
  if (key === "End") return to(row, columns - 1);
  return null;
}

// The cell that follows in reading order, and after the last one the first.
export function step(by, { row, column }, rows, columns) {
  const place = (row * columns + column + by + rows * columns) % (rows * columns);
  return { row: Math.floor(place / columns), column: place % columns };
}

export const inRange = (value) => Math.min(Math.max(value, -LARGEST_ENTRY), LARGEST_ENTRY);

// A demo as it opens: what its model does not hold. columns: the last choice of a word, and of a number of a vector.
export function opened(model) {
  return { model, hovered: null, columns: { words: 2, numbers: 0 }, entry: null, partner: null };
}

// What is on show: the model's state, its matrices, and the cell under the mouse or else the chosen one.
export function look({ model, hovered, entry }) {
  const state = arrange(valuesOf(model, TRAITS));
  const all = matrices(state);
  const rows = all[state.stage].length;
  const columns = all[state.stage][0].length;
  const chosen = { row: Math.min(state.row, rows - 1), column: Math.min(state.column, columns - 1) };
  const seen = hovered && hovered.row < rows && hovered.column < columns ? hovered : chosen;
  return { stage: state.stage, all, rows, columns, chosen, ...seen, entry: entryOf(entry, all, chosen) };
}

// The row of W_Q whose entry can be changed, in the chosen column: by default, the first that the chosen word uses.
function entryOf(entry, { x, w_q }, chosen) {
  const used = Math.max(x[chosen.row].findIndex((number) => number !== 0), 0);
  return Math.min(entry ?? used, w_q.length - 1);
}

export function choose(demo, { row, column }) {
  demo.columns[kind(demo.model.get("stage"))] = column;
  assign(demo.model, { row, column });
}

export function chooseNext(demo, by) {
  const { chosen, rows, columns } = look(demo);
  choose(demo, step(by, chosen, rows, columns));
}

export function hover(demo, cell) {
  if (!cell && !demo.hovered) return;
  demo.hovered = cell;
  demo.draw();
}

// A step opens where its kind of column was left: V has two columns, and looking at it must not lose the word that was
// chosen among the scores. Only a cell of the new step can be chosen, so stage and column change together.
export function open(demo, stage) {
  const { all, chosen } = look(demo);
  const column = Math.min(demo.columns[kind(stage)], all[stage][0].length - 1);
  assign(demo.model, { stage, row: chosen.row, column });
}

const kind = (stage) => (hasWordColumns(stage) ? "words" : "numbers");

// A column that Python or another view chose. One that was only cut to a narrow matrix was chosen by nobody.
export function remember(demo) {
  const { stage, columns, chosen } = look(demo);
  const known = demo.columns[kind(stage)];
  if (Math.min(known, columns - 1) !== chosen.column) demo.columns[kind(stage)] = chosen.column;
}

// An entry of W_Q is in the column that is explained, so a change shows in the sum.
export function pick(demo, { row, column }) {
  demo.entry = row;
  choose(demo, { row: look(demo).chosen.row, column });
  demo.draw();
}

export function setEntry(demo, value) {
  const { all, entry, chosen } = look(demo);
  demo.entry = entry;
  assign(demo.model, { w_q: edit(all.w_q, entry, chosen.column, inRange(value) + 0) }); // + 0 makes −0 a 0
}

export function changeEntry(demo, by) {
  const { all, entry, chosen } = look(demo);
  setEntry(demo, all.w_q[entry][chosen.column] + by);
}

// The word to exchange the chosen one with, by the place that it was given: the last one asked for, or a neighbour.
export function partnerOf({ partner }, { all: { order }, chosen }) {
  if (order.includes(partner) && partner !== order[chosen.row]) return partner;
  return order[chosen.row + 1] ?? order[chosen.row - 1];
}

export function swap(demo) {
  const view = look(demo);
  const { order } = view.all;
  demo.partner = partnerOf(demo, view);
  reorder(demo, exchange(order, view.chosen.row, order.indexOf(demo.partner)));
}

export function putBack(demo) {
  const { all } = look(demo);
  reorder(demo, all.order.map((_, i) => i), { w_q: all.start });
}

// The chosen words stay chosen, wherever they go.
function reorder(demo, order, values = {}) {
  const { stage, all, chosen } = look(demo);
  const now = (place) => order.indexOf(all.order[Math.min(place, order.length - 1)]);
  demo.hovered = null;
  demo.columns.words = now(demo.columns.words);
  const column = hasWordColumns(stage) ? now(chosen.column) : chosen.column;
  assign(demo.model, { ...values, order, row: now(chosen.row), column });
}
