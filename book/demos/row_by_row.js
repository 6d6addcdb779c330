// Row by row: each number of attention beside the row and the column that made it.
import { select } from "d3-selection";
import { onOff } from "./controls.js";
import { cellWidth, drawMatrix, light } from "./matrix.js";
import { long } from "./numbers.js";
import { STAGES, account, describe, hasWordColumns, matrices, picture } from "./steps.js";
import { assign, follow, frame, sentence, uniqueName, valuesOf } from "./widget.js";

const TRAITS = ["words", "x", "w_q", "w_k", "w_v", "scaled", "stage", "row", "column"];
const TITLES = { query: "Q", key: "K", value: "V", scores: "scores", weights: "weights", output: "output" };

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

function render({ model, el }) {
  const root = frame(select(el), "row-by-row", "Row by row");
  const demo = { model, hovered: null, columns: { words: 2, numbers: 0 }, ids: uniqueName("row-by-row") };
  const drawTabs = tabs(root, demo);
  const panel = root.append("div").attr("role", "tabpanel").attr("id", `${demo.ids}-panel`).attr("class", "panel");
  const drawText = explanation(panel);
  const drawScene = scene(panel, demo);
  const drawButtons = buttons(root, demo);
  const say = sentence(root);
  demo.draw = () => {
    const view = look(demo);
    drawTabs(view);
    drawScene(view);
    drawText(view);
    drawButtons(view);
    const sayOf = ({ row, column }) => describe(view.stage, view.all, row, column);
    say(sayOf(view), sayOf(view.chosen));
  };
  const forget = follow(model, ["column"], () => remember(demo));
  const leave = follow(model, TRAITS, demo.draw);
  return () => [forget, leave].forEach((stop) => stop());
}

// What is on show: the model's state, its matrices, and the cell under the mouse or else the chosen one.
function look({ model, hovered }) {
  const state = valuesOf(model, TRAITS);
  const all = matrices(state);
  const rows = all[state.stage].length;
  const columns = all[state.stage][0].length;
  const chosen = { row: Math.min(state.row, rows - 1), column: Math.min(state.column, columns - 1) };
  const seen = hovered && hovered.row < rows && hovered.column < columns ? hovered : chosen;
  return { stage: state.stage, all, rows, columns, chosen, ...seen };
}

function choose(demo, { row, column }) {
  demo.columns[kind(demo.model.get("stage"))] = column;
  assign(demo.model, { row, column });
}

// A step opens where its kind of column was left: V has two columns, and looking at it must not lose the word that was
// chosen among the scores. Only a cell of the new step can be chosen, so stage and column change together.
function open(demo, stage) {
  const { all, chosen } = look(demo);
  const column = Math.min(demo.columns[kind(stage)], all[stage][0].length - 1);
  assign(demo.model, { stage, row: chosen.row, column });
}

const kind = (stage) => (hasWordColumns(stage) ? "words" : "numbers");

// A column that Python or another view chose. One that was only cut to a narrow matrix was chosen by nobody.
function remember(demo) {
  const { stage, columns, chosen } = look(demo);
  const known = demo.columns[kind(stage)];
  if (Math.min(known, columns - 1) !== chosen.column) demo.columns[kind(stage)] = chosen.column;
}

function tabs(root, demo) {
  const list = root.append("div").attr("role", "tablist").attr("aria-label", "Step").attr("class", "tabs");
  const tab = list.selectAll("button").data(STAGES).join("button").attr("type", "button").attr("role", "tab");
  tab.attr("aria-controls", `${demo.ids}-panel`).attr("id", (stage) => `${demo.ids}-${stage}`);
  tab.append("small").text((_, i) => i + 1);
  tab.append("span").text((stage) => TITLES[stage]);
  tab.on("click", (event, stage) => open(demo, stage));
  tab.on("keydown", (event, stage) => {
    const to = move(event.key, { row: 0, column: STAGES.indexOf(stage) }, 1, STAGES.length);
    if (!to || event.key === "ArrowUp" || event.key === "ArrowDown") return;
    event.preventDefault();
    open(demo, STAGES[to.column]);
    tab.nodes()[to.column].focus();
  });
  return ({ stage }) => {
    tab.attr("aria-selected", (name) => name === stage).attr("tabindex", (name) => (name === stage ? 0 : -1));
    root.select("[role=tabpanel]").attr("aria-labelledby", `${demo.ids}-${stage}`);
  };
}

function scene(panel, demo) {
  const scroller = panel.append("div").attr("class", "scroller");
  const cross = scroller.append("div").attr("class", "cross");
  const [above, left, result] = ["above", "left", "result"].map((name) => cross.append("table").attr("class", name));
  result.attr("role", "grid");
  listen(result, demo);
  let revealed;
  return (view) => {
    const { stage, all, row, column, chosen } = view;
    const shown = picture(stage, all, row);
    place(panel, cross, shown);
    drawBlocks({ above, left, result }, shown, all.words, stage);
    light(above, -1, column);
    light(left, row, -1);
    light(result, row, column);
    nameCells(result, view);
    if (revealed !== `${stage} ${chosen.row} ${chosen.column}`) reveal(scroller.node(), cellAt(result, chosen));
    revealed = `${stage} ${chosen.row} ${chosen.column}`;
  };
}

// The explanation stands in the empty corner where there is room for it; the style sheet asks for a wide page too.
function place(panel, cross, { left, above }) {
  const words = 72; // as wide as the style sheet makes them
  const cell = left ? cellWidth(left.matrix) : 0;
  const width = left ? words + left.matrix[0].length * cell : 0;
  panel.classed("roomy", width >= 300 && above.matrix.length >= 8).style("--corner", `${width}px`);
  const longest = Math.max(...above.rowHeads.map((head) => head.length));
  cross.classed("narrow-gutter", longest <= 2).classed("has-left", left).style("--left-cell", `${cell}px`);
}

function drawBlocks({ above, left, result }, shown, words, stage) {
  const matrix = shown.result.matrix;
  const width = Math.max(cellWidth(matrix), cellWidth(shown.above.matrix));
  const columnHeads = shown.columnWords ?? matrix[0].map((_, j) => String(j));
  drawMatrix(above, { ...shown.above, columnHeads, width });
  drawMatrix(result, { ...shown.result, rowHeads: words, width, shade: stage === "weights" });
  left.style("display", shown.left ? null : "none");
  if (shown.left) {
    const shade = stage === "output";
    drawMatrix(left, { ...shown.left, rowHeads: words, width: cellWidth(shown.left.matrix), shade });
  }
  above.classed("worded", Boolean(shown.columnWords));
  left.classed("worded", stage === "output");
}

function nameCells(result, { stage, all, chosen }) {
  const heads = hasWordColumns(stage) ? all.words : null;
  result.attr("aria-label", `${TITLES[stage]}: choose a cell with the arrow keys`);
  result.select("tbody").selectAll("tr").each(function (numbers, i) {
    const cells = select(this).selectAll("td");
    const isChosen = (_, j) => i === chosen.row && j === chosen.column;
    cells.attr("tabindex", (_, j) => (isChosen(_, j) ? 0 : -1)).attr("aria-selected", isChosen);
    cells.attr("aria-label", (value, j) => `${all.words[i]}, ${heads ? heads[j] : `column ${j}`}: ${long(value)}`);
  });
}

const cellAt = (result, { row, column }) => result.node().tBodies[0].rows[row].cells[column + 1];

function listen(result, demo) {
  const cellOf = (event) => {
    const cell = event.target.closest("td");
    return cell && { row: cell.parentNode.sectionRowIndex, column: cell.cellIndex - 1 };
  };
  const hover = (cell) => {
    demo.hovered = cell;
    demo.draw();
  };
  result.on("pointerover", (event) => event.pointerType === "mouse" && hover(cellOf(event)));
  result.on("pointerleave", () => demo.hovered && hover(null));
  result.on("click", (event) => cellOf(event) && choose(demo, cellOf(event)));
  result.on("keydown", (event) => {
    const { chosen, rows, columns } = look(demo);
    const to = move(event.key, chosen, rows, columns);
    if (!to) return;
    event.preventDefault();
    demo.hovered = null;
    choose(demo, to);
    cellAt(result, to).focus();
  });
}

// A cell outside the scrolling box is brought into it; the page itself stays where it is.
function reveal(scroller, cell) {
  const [box, target] = [scroller.getBoundingClientRect(), cell.getBoundingClientRect()];
  const words = cell.parentNode.cells[0].offsetWidth + 8; // they stay in sight at the left edge, over what scrolls
  const hidden = box.left + words - target.left;
  if (target.right > box.right) scroller.scrollLeft += target.right - box.right + 4;
  else if (hidden > 0) scroller.scrollLeft -= hidden;
}

function explanation(panel) {
  const box = panel.append("div").attr("class", "explanation");
  const formula = box.append("p").attr("class", "formula");
  const title = box.append("p").attr("class", "title");
  const sum = box.append("p").attr("class", "sum");
  return ({ stage, all, row, column }) => {
    const { formula: text, columnWords, result } = picture(stage, all, row);
    const numbers = account(stage, all, row, column);
    formula.html(text);
    title.html(`${result.name} [<span></span>] = `);
    title.select("span").text(`${all.words[row]}, ${columnWords ? columnWords[column] : column}`);
    title.append("strong").text(long(numbers.value)).attr("data-value", numbers.value);
    sum.text("").call(stage === "weights" ? writeShare : writePairs, numbers);
  };
}

function writePairs(line, { value, pairs, sum, width }) {
  if (width) line.append("span").text("( ");
  pairs.forEach(([a, b], k) => {
    if (k) line.append("span").text(" + ");
    const pair = line.append("span").attr("class", Math.abs(a * b) < 5e-5 ? "pair zero" : "pair");
    pair.append("b").attr("class", "first").text(long(a));
    pair.append("span").text(" · ");
    pair.append("b").attr("class", "second").text(long(b));
  });
  const divided = width ? ` ) ÷ √${width} = ${long(sum)} ÷ ${long(Math.sqrt(width))}` : "";
  line.append("span").attr("class", "total").text(`${divided} = ${long(value)}`);
}

function writeShare(line, { value, score, largest, power, sum }) {
  line.append("span").text("exp( ");
  line.append("b").attr("class", "second").text(long(score));
  line.append("span").text(` − ${long(largest)} ) ÷ sum of the row’s exp = `);
  line.append("b").attr("class", "second").text(long(power));
  line.append("span").text(" ÷ ");
  line.append("b").attr("class", "first row-sum").text(long(sum)).attr("data-value", sum);
  line.append("span").attr("class", "total").text(` = ${long(value)}`);
}

function buttons(root, demo) {
  const bar = root.append("div").attr("class", "buttons");
  const go = (by) => {
    const { chosen, rows, columns } = look(demo);
    choose(demo, step(by, chosen, rows, columns));
  };
  const button = (text) => bar.append("button").attr("type", "button").attr("class", "plain").text(text);
  button("Previous cell").on("click", () => go(-1));
  button("Next cell").on("click", () => go(1));
  const drawSwitch = onOff(bar, demo.model, "scaled");
  return ({ all }) => drawSwitch(all, `divide scores by √${all.query[0].length}`);
}

export default { render };
