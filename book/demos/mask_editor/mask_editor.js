// Mask editor: who may look at whom, switched cell by cell, what scores and weights become of it, and who learns of the
// future when one word is replaced by another.
import { select } from "d3-selection";
import { matmul, softmax, transpose } from "../shared/attention.js";
import { move } from "../shared/cells.js";
import { choice, controlBar } from "../shared/controls.js";
import { paintable } from "../shared/hand.js";
import { drawMatrix, put, shapeOf, write } from "../shared/matrix.js";
import { setting } from "../shared/numbers.js";
import { assign, follow, frame, sentence, valuesOf } from "../shared/widget.js";

const TRAITS = ["words", "x", "other", "length", "mask", "preset", "changed"];
const PRESETS = ["none", "causal", "padding", "both"];
const STILL = 1e-9; // what moves by less has not moved: rounding

// --- the numbers ---

const SEES = {
  none: () => true,
  causal: (i, j) => j <= i,
  padding: (i, j, length) => j < length,
  both: (i, j, length) => j <= i && j < length,
};

export const maskOf = (n, length, preset) => grid(n, (i, j) => SEES[preset](i, j, length));

const grid = (n, valueOf) => Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => valueOf(i, j)));

export function nameOf(mask, length) {
  const same = (preset) => String(maskOf(mask.length, length, preset)) === String(mask);
  return PRESETS.find(same) ?? "own";
}

export const painted = (mask, row, column, isOpen) => grid(mask.length, (i, j) => (i === row && j === column ? isOpen : mask[i][j]));

// Masked attention of x with itself: hidden scores are −∞, and a row of nothing else gets weights of 0.
export function attend(x, mask) {
  const divisor = Math.sqrt(x[0].length);
  const every = matmul(x, transpose(x));
  const scores = grid(x.length, (i, j) => (mask[i][j] ? every[i][j] / divisor : -Infinity));
  const weights = scores.map((row) => (row.some(Number.isFinite) ? softmax(row) : row.map(() => 0)));
  return { scores, weights, output: matmul(weights, x) };
}

// With the changed word in its place: scores, weights, by how far each output moved, and which of them had no right to.
export function leakTest({ x, other, mask, changed }) {
  const there = x.map((row, i) => (i === changed - 1 ? other[i] : row));
  const before = attend(x, mask);
  const now = attend(there, mask);
  const moved = now.output.map((row, i) => Math.hypot(...row.map((value, c) => value - before.output[i][c])));
  const isMoved = moved.map((distance) => distance > STILL);
  return { ...now, moved: moved.map((far, i) => (isMoved[i] ? far : 0)), leaks: isMoved.map((is, i) => is && i < changed - 1) };
}

// --- the words ---

const NAMES = {
  none: "Nothing is hidden",
  causal: "Later words are hidden",
  padding: "Padding is hidden",
  both: "Later words and padding are hidden",
  own: "A mask of your own",
};

export function describe(state, { weights, moved, leaks }) {
  const { words, mask, preset, changed } = state;
  const seen = mask.flat().filter(Boolean).length;
  const start = `${NAMES[preset]}: ${seen} of ${words.length ** 2} cells are open.`;
  const blind = words.filter((_, i) => !mask[i].some(Boolean)).length;
  const zeros = blind ? ` ${count(blind, "word")} may look at nothing and ${blind === 1 ? "gets" : "get"} weights of 0.` : "";
  return `${start}${zeros} ${verdict(state, moved, leaks)}`;
}

function verdict({ words, changed, mask, length }, moved, leaks) {
  if (!changed) return "No word is changed, so no output moves.";
  const name = `“${words[changed - 1]}”, word ${changed}, is another word now`;
  const early = places(leaks);
  const late = places(moved.map((far, i) => far > 0 && i >= changed - 1));
  const all = late.length === words.length;
  const rest = all ? "all outputs moved" : late.length ? `${early.length ? "" : "only "}${outputs(late)} moved` : "no output moved";
  const filling = changed > length ? " Not of the future: words take from padding, which means nothing." : "";
  if (!early.length) return `${name}: ${rest}${changed === 1 ? "; there is none before it" : ", none before it"}. ${ahead(mask)}`;
  return `${name}, and ${outputs(early)} moved, though ${early.length === 1 ? "it comes" : "they come"} before it: a leak.${filling}`;
}

// One word that leaks nothing proves little: another may.
function ahead(mask) {
  const open = mask.flatMap((row, i) => row.filter((is, j) => is && j > i)).length;
  return open ? `No leak, but ${count(open, "cell")} above the diagonal ${open === 1 ? "is" : "are"} open.` : "No leak.";
}

const places = (flags) => flags.flatMap((is, i) => (is ? [i + 1] : []));

const outputs = (numbers) => `${numbers.length === 1 ? "output" : "outputs"} ${listed(numbers)}`;

const listed = (numbers) => numbers.join(", ").replace(/, (\d+)$/, " and $1");

const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

// --- the drawing ---

function render({ model, el }) {
  const root = frame(select(el), "mask-editor", "Mask editor");
  const bar = controlBar(root);
  const drawPreset = choice(bar, model, "preset", "Hide", [["none", "nothing"], "causal", "padding", "both"], (preset) => ({
    mask: maskOf(model.get("words").length, model.get("length"), preset),
  }));
  const tester = bar.append("div");
  let drawTester = () => {};
  const tables = root.append("div").attr("class", "trio");
  const drawMask = maskTable(tables.append("table").attr("class", "seen"), model);
  const say = sentence(tables); // on a telephone right below the mask, where a tap shows what it did
  const [scores, weights] = ["scores", "weights"].map((name) => tables.append("table").attr("class", name));
  let shown = "";
  return follow(model, TRAITS, () => {
    const state = valuesOf(model, TRAITS);
    const found = leakTest(state);
    if (shown !== state.words.join("\n")) {
      shown = state.words.join("\n");
      tester.selectAll("*").remove();
      const options = [[0, "none"], ...state.words.map((word, i) => [i + 1, word])];
      drawTester = choice(tester, model, "changed", "Change the word", options);
    }
    drawPreset(state);
    drawTester(state);
    drawMask(state, found);
    drawScores(scores, state, found);
    drawWeights(weights, state, found);
    say(describe(state, found));
  });
}

// Only an exact 0 or 1 is written without decimals, as everywhere.
const hundredths = (value) => (value === 0 || value === 1 ? String(value) : value.toFixed(2));

const heads = ({ words }) => words.map((word, i) => `${i + 1} ${word}`);

// The cells of the mask are painted: a stroke opens what it passes where it began on a closed cell, and closes it where
// it began on an open one. The space bar switches a cell where the arrow keys have led. Beside each row is its effect:
// how far the output of that row moved.
function maskTable(table, model) {
  const at = { row: 0, column: 1 };
  let isOpening;
  table.attr("role", "grid");
  const cell = () => table.node().tBodies[0].rows[at.row].cells[at.column + 1];
  const paint = ([row, column], isFirst = true) => {
    Object.assign(at, { row, column });
    const before = model.get("mask");
    if (isFirst) isOpening = !before[row][column];
    const mask = painted(before, row, column, isOpening);
    assign(model, { mask, preset: nameOf(mask, model.get("length")) });
    cell().focus({ preventScroll: true });
  };
  const flip = () => paint([at.row, at.column]);
  paintable(table, placeOf, paint);
  table.on("click", ({ detail, target }) => detail === 0 && placeOf(target) && paint(placeOf(target))); // without a hand
  table.on("keydown", (event) => {
    const n = model.get("words").length;
    const to = move(event.key, at, n, n);
    if (!to && event.key !== " " && event.key !== "Enter") return;
    event.preventDefault();
    if (!to) return flip();
    Object.assign(at, to);
    name(table, at, model.get("words"), model.get("mask"));
    cell().focus();
  });
  return (state, { moved, leaks }) => {
    const last = state.words.length - 1;
    Object.assign(at, { row: Math.min(at.row, last), column: Math.min(at.column, last) });
    const matrix = state.mask.map((row, i) => [...row.map(Number), moved[i]]);
    const columnHeads = [...heads(state), "moved by"];
    drawMatrix(table, { matrix, rowHeads: heads(state), columnHeads, name: "mask: who looks at whom", width: 30 });
    table.attr("aria-label", `Mask, ${shapeOf(state.mask)}: arrow keys choose a cell, the space bar switches it`);
    name(table, at, state.words, state.mask);
    drawMoved(table, moved, leaks);
    markChanged(table, state);
  };
}

// The cell of the mask that an element is in, as [row, column], or null.
function placeOf(element) {
  const found = element?.closest(".seen tbody td:not(.moved)");
  return found ? [found.parentNode.sectionRowIndex, found.cellIndex - 1] : null;
}

function name(table, at, words, mask) {
  table.selectAll("tbody tr").each(function (_, i) {
    select(this).selectAll("td").filter((_, j) => j < mask.length).each(function (_, j) {
      const isOpen = mask[i][j];
      write(this, isOpen ? "✓" : "–");
      this.classList.toggle("open", isOpen);
      put(this, "role", "gridcell");
      put(this, "aria-selected", isOpen);
      put(this, "aria-label", `${i + 1} ${words[i]} ${isOpen ? "may" : "may not"} look at ${j + 1} ${words[j]}`);
      put(this, "tabindex", i === at.row && j === at.column ? 0 : -1);
    });
  });
}

function drawScores(table, state, { scores }) {
  const cells = drawMatrix(table, {
    matrix: scores, rowHeads: heads(state), columnHeads: heads(state), name: "scores ÷ √d", width: 29,
  });
  cells.each(function (score) {
    if (score !== -Infinity) write(this, setting(score));
    this.classList.toggle("hidden", score === -Infinity);
  });
  markChanged(table, state);
}

function drawMoved(table, moved, leaks) {
  const farthest = Math.max(...moved, 1e-9);
  table.selectAll("tbody tr").each(function (_, i) {
    const cell = this.cells[this.cells.length - 1];
    cell.className = `moved${leaks[i] ? " leak" : moved[i] > 0 ? " on" : ""}`;
    cell.style.setProperty("--share", (moved[i] / farthest).toFixed(3));
    write(cell, `${hundredths(moved[i])}${leaks[i] ? " leak" : ""}`);
    cell.drawn = undefined;
  });
}

function drawWeights(table, state, { weights }) {
  const cells = drawMatrix(table, {
    matrix: weights, rowHeads: heads(state), columnHeads: heads(state), name: "weights", width: 31, shade: true,
  });
  cells.each(function (weight) {
    write(this, hundredths(weight));
  });
  markChanged(table, state);
}

function markChanged(table, { changed }) {
  table.selectAll("tbody tr").each(function (_, i) {
    this.classList.toggle("changed", i === changed - 1);
  });
  table.selectAll("thead th").each(function (_, j) {
    this.classList.toggle("changed", j === changed);
  });
}

export default { render };
