// The heads of one attention: a small map and a switch for each, the chosen one large, and the chosen weight in numbers.
import { select } from "d3-selection";
import { move } from "../shared/cells.js";
import { drawMatrix, light, put, shapeOf, write } from "../shared/matrix.js";
import { long, near, share, short } from "../shared/numbers.js";
import { nameOf, toggle } from "../shared/translator_parts.js";
import { assign } from "../shared/widget.js";

const CELL = 40;
const NUMBER = 39;
const WHO = {
  encoder: "The encoder: every word of the source looks at all of them.",
  decoder: "The decoder, before it writes a word, looks back at what is there so far.",
  cross: "Then it looks across, at the source.",
};

export function panel(box, demo) {
  const part = box.append("div").attr("class", "heads-panel");
  const who = part.append("p").attr("class", "who");
  const drawHeads = thumbnails(part, demo);
  const scroller = part.append("div").attr("class", "scroller framed");
  const table = scroller.append("table").attr("role", "grid").attr("class", "map worded");
  const drawNumbers = numbers(part, demo);
  listen(table, demo);
  return (seen) => {
    part.attr("hidden", seen.view === "next" ? "" : null); // it keeps its room
    who.text(WHO[seen.view] ?? WHO.cross);
    drawHeads(seen);
    drawMap(table, seen);
    drawNumbers(seen);
  };
}

function thumbnails(part, { model }) {
  const list = part.append("div").attr("class", "thumbnails");
  return (seen) => {
    const item = list.selectAll(".thumbnail").data(seen.heads).join((enter) => emptyThumbnail(enter, model));
    const name = (i) => `${seen.view}.0.${i}`;
    item.classed("off", (_, i) => seen.off.includes(name(i)));
    const button = item.select("button").attr("aria-pressed", (_, i) => i === seen.head);
    button.attr("aria-label", (_, i) => `Head ${i}${seen.off.includes(name(i)) ? ", switched off" : ""}: show its map`);
    button.on("click", (event, head) => assign(model, { head: seen.heads.indexOf(head) }));
    item.select("svg").attr("viewBox", `0 0 ${seen.columns.length} ${seen.rows.length}`);
    item.select("svg").each(function ({ weights }) {
      drawCells(this, weights);
    });
    item.select("input").property("checked", (_, i) => !seen.off.includes(name(i)));
    item.select("input").attr("aria-label", (_, i) => `Head ${i} is on`);
    item.select("input").on("change", (event, head) => toggle(model, name(seen.heads.indexOf(head))));
    item.select("label span").text((_, i) => `head ${i}`);
  };
}

function emptyThumbnail(enter) {
  const item = enter.append("div").attr("class", "thumbnail");
  item.append("button").attr("type", "button").append("svg").attr("aria-hidden", "true").attr("preserveAspectRatio", "none");
  const label = item.append("label").attr("class", "switch");
  label.append("input").attr("type", "checkbox");
  label.append("span");
  return item;
}

const SVG = "http://www.w3.org/2000/svg";

function drawCells(svg, weights) {
  const cells = weights.flatMap((row, i) => row.map((weight, j) => ({ weight, i, j })));
  while (svg.childNodes.length > cells.length) svg.lastChild.remove();
  while (svg.childNodes.length < cells.length) svg.append(document.createElementNS(SVG, "rect"));
  cells.forEach(({ weight, i, j }, k) => {
    const rect = svg.childNodes[k];
    for (const [name, value] of [["x", j], ["y", i], ["width", 1], ["height", 1]]) put(rect, name, value);
    put(rect, "fill-opacity", weight.toFixed(2));
  });
}

// What a reader sees of words: the start of the translation has a name, too.
function drawMap(table, seen) {
  const matrix = seen.heads[seen.head].weights;
  const [rowHeads, columnHeads] = [seen.rows, seen.columns].map((words) => words.map(nameOf));
  const who = seen.view === "encoder" ? "a row for each word" : "a row for each word that is written";
  const name = `head ${seen.head}: ${who}, a column for what it looks at`;
  drawMatrix(table, { matrix, rowHeads, columnHeads, width: CELL, name, shade: true });
  table.attr("aria-label", `Weights, ${shapeOf(matrix)}: choose one with the arrow keys`);
  light(table, seen.row, seen.column);
  const rows = table.node().tBodies[0].rows;
  matrix.forEach((row, i) => row.forEach((weight, j) => nameCell(rows[i].cells[j + 1], weight, i, j)));
  function nameCell(cell, weight, i, j) {
    const isChosen = i === seen.row && j === seen.column;
    const isHidden = seen.view === "decoder" && j > i && !seen.off.includes("mask");
    put(cell, "aria-label", `${rowHeads[i]} looks at ${columnHeads[j]}: ${isHidden ? "hidden" : short(weight)}`);
    put(cell, "aria-selected", isChosen);
    put(cell, "tabindex", isChosen ? 0 : -1);
    cell.classList.toggle("hidden", isHidden);
  }
}

function listen(table, { model }) {
  const place = (cell) => ({ row: cell.parentNode.sectionRowIndex, column: cell.cellIndex - 1 });
  const canBeSeen = (cell) => cell && !cell.classList.contains("hidden");
  table.on("click", (event) => {
    const cell = event.target.closest("td");
    if (canBeSeen(cell)) assign(model, place(cell));
  });
  table.on("keydown", (event) => {
    const cell = event.target.closest("td");
    const { rows } = table.node().tBodies[0];
    const to = cell && move(event.key, place(cell), rows.length, rows[0].cells.length - 1);
    if (!to) return;
    event.preventDefault();
    const next = rows[to.row].cells[to.column + 1];
    if (!canBeSeen(next)) return;
    assign(model, to);
    next.focus();
  });
}

// The query of the row, the key of the column, number by number, and the sum that becomes the weight.
function numbers(part) {
  const box = part.append("div").attr("class", "numbers");
  const title = box.append("p").attr("class", "title");
  const halves = box.append("div").attr("class", "halves").selectAll("table").data([0, 1]).join("table").attr("class", "products");
  const sum = box.append("p").attr("class", "sum");
  return (seen) => {
    const { heads, head, row, column, rows, columns, off } = seen;
    const { query, key, scores, weights } = heads[head];
    const products = query[row].map((value, k) => value * key[column][k]);
    const [from, to] = [nameOf(rows[row]), nameOf(columns[column])];
    title.text(seen.view === "encoder" ? `How much does ${from} look at ${to}?` : `How much does it look at ${to}, to write ${from}?`);
    const size = Math.ceil(products.length / 2);
    halves.each(function (half) { // side by side, or below one another where there is no room
      const matrix = [query[row], key[column], products].map((all) => all.slice(half * size, (half + 1) * size));
      drawMatrix(select(this), { matrix, rowHeads: ["query", "key", "product"], width: NUMBER }).each(function (value) {
        write(this, near(Math.abs(value) < 0.005 ? 0 : value)); // no −0.00
      });
      put(this, "aria-label", `Query, key and product, ${shapeOf(matrix)}`);
    });
    const total = products.reduce((all, value) => all + value, 0);
    const divided = off.includes("scaling") ? "" : ` ÷ √${products.length} = ${long(scores[row][column])}`;
    sum.html("").append("span").text(`The ${products.length} products sum to ${long(total)}${divided}. `);
    sum.append("span").text(`Softmax over the row turns it into ${share(weights[row][column])}.`);
    sum.attr("data-value", weights[row][column]);
  };
}
