// A step of Row by row drawn as a cross: the rows of one factor on the left, the columns of the other above, and each
// cell of the product where its row and its column meet.
import { select } from "d3-selection";
import { changeEntry, choose, hover, look, move, pick } from "../shared/choices.js";
import { cellWidth, drawMatrix, light, put, shapeOf } from "../shared/matrix.js";
import { long } from "../shared/numbers.js";
import { edited, hasWordColumns, picture } from "../shared/steps.js";

export const TITLES = { query: "Q", key: "K", value: "V", scores: "scores", weights: "weights", output: "output" };

export function scene(panel, demo) {
  const scroller = panel.append("div").attr("class", "scroller");
  const cross = scroller.append("div").attr("class", "cross");
  const [above, left, result] = ["above", "left", "result"].map((name) => cross.append("table").attr("class", name));
  result.attr("role", "grid");
  listen(result, demo);
  listenToEntries(above, demo);
  let revealed;
  const draw = (view) => {
    const { stage, all, row, column, chosen } = view;
    const shown = picture(stage, all, row);
    place(panel, cross, shown, stage);
    drawBlocks({ above, left, result }, shown, all.words, stage);
    light(above, -1, column);
    light(left, row, -1);
    light(result, row, column);
    nameCells(result, view);
    nameEntries(above, view);
    if (revealed !== `${stage} ${chosen.row} ${chosen.column}`) reveal(scroller.node(), cellAt(result, chosen));
    revealed = `${stage} ${chosen.row} ${chosen.column}`;
  };
  return { cross, draw };
}

// The explanation is in the empty corner if there is room for it; the style sheet asks for a wide page too.
const WORDS = 68; // the words' width and the arcs', as in the style sheet
const ARCS = 68;
const SHADED = 34; // the width of a weight, whose digits the style sheet makes smaller

const leftWidth = (matrix, stage) => (stage === "output" ? SHADED : cellWidth(matrix));

function place(panel, cross, { left, above, columnWords }, stage) {
  const cell = left ? leftWidth(left.matrix, stage) : 0;
  const width = left ? ARCS + WORDS + left.matrix[0].length * cell : 0;
  const isHigh = above.matrix.length >= (columnWords ? 3 : 7);
  panel.classed("roomy", width >= 210 && isHigh).style("--corner", `${width}px`);
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
    drawMatrix(left, { ...shown.left, rowHeads: words, width: leftWidth(shown.left.matrix, stage), shade });
  }
  above.classed("worded", Boolean(shown.columnWords));
  left.classed("worded", stage === "output");
}

function nameCells(result, { stage, all, chosen }) {
  const heads = hasWordColumns(stage) ? all.words : null;
  result.attr("aria-label", `${TITLES[stage]}, ${shapeOf(all[stage])}: choose a cell with the arrow keys`);
  nameEach(result, (value, i, j) => ({
    label: `${all.words[i]}, ${heads ? heads[j] : `column ${j}`}: ${long(value)}`,
    isChosen: i === chosen.row && j === chosen.column,
  }));
}

// In the step of the queries, the matrix above is W_Q: a grid of entries to pick.
function nameEntries(above, { stage, all, entry, chosen }) {
  const isGrid = stage === "query";
  above.classed("entries", isGrid).attr("role", isGrid ? "grid" : null);
  const keys = "pick an entry with the arrow keys, change it with plus and minus";
  above.attr("aria-label", isGrid ? `W_Q, ${shapeOf(all.w_q)}: ${keys}` : null);
  if (!isGrid) return forgetEach(above);
  const changed = new Set(edited(all).map(String));
  nameEach(above, (value, i, j) => {
    const isChanged = changed.has(`${i},${j}`);
    const was = isChanged ? `, was ${long(all.start[i][j])}` : "";
    const label = `W_Q, row ${i}, column ${j}: ${long(value)}${was}`;
    return { label, isChanged, isChosen: i === entry && j === chosen.column };
  });
}

function nameEach(grid, nameOf) {
  grid.selectAll("tbody tr").each(function (_, i) {
    select(this).selectAll("td").each(function (value, j) {
      const { label, isChosen, isChanged = false } = nameOf(value, i, j);
      put(this, "aria-label", label);
      put(this, "aria-selected", isChosen);
      put(this, "tabindex", isChosen ? 0 : -1);
      this.classList.toggle("changed", isChanged);
    });
  });
}

function forgetEach(table) {
  if (!table.select("td[aria-selected]").empty()) {
    const cells = table.selectAll("td").classed("changed", false);
    for (const name of ["aria-label", "aria-selected", "tabindex"]) cells.attr(name, null);
  }
}

const cellAt = (grid, { row, column }) => grid.node().tBodies[0].rows[row].cells[column + 1];

function cellOf(event) {
  const cell = event.target.closest("td");
  return cell && { row: cell.parentNode.sectionRowIndex, column: cell.cellIndex - 1 };
}

function listen(result, demo) {
  result.on("pointerover", (event) => event.pointerType === "mouse" && hover(demo, cellOf(event)));
  result.on("pointerleave", () => hover(demo, null));
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

const STEPS = { "+": 1, "=": 1, "-": -1, "−": -1 };

function listenToEntries(above, demo) {
  const isGrid = () => above.attr("role") === "grid";
  above.on("click", (event) => isGrid() && cellOf(event) && pick(demo, cellOf(event)));
  above.on("keydown", (event) => {
    const { all, entry, chosen } = look(demo);
    const to = move(event.key, { row: entry, column: chosen.column }, all.w_q.length, all.w_q[0].length);
    if (!isGrid() || !(to || STEPS[event.key])) return;
    event.preventDefault();
    if (!to) return changeEntry(demo, STEPS[event.key]);
    pick(demo, to);
    cellAt(above, to).focus();
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
