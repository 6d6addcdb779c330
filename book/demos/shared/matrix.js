// A matrix drawn as a table of small cells; heads and words are outside, so that blocks line up edge to edge.
import { select } from "d3-selection";
import { short } from "./numbers.js";

// In sixteenths of a rem, wide enough for the longest number, so that a column of decimals does not wobble.
export function cellWidth(matrix) {
  const longest = Math.max(...matrix.flat().map((value) => short(value).length));
  return longest <= 2 ? 30 : longest <= 4 ? 36 : 12 + 8 * longest;
}

// Only what differs is written, and into the text that is there already: the browser lays out anew all that is touched.
export function write(node, text) {
  const now = node.firstChild;
  if (!now || now !== node.lastChild || now.nodeType !== Node.TEXT_NODE) node.textContent = text;
  else if (now.data !== String(text)) now.data = text;
}

export function writeHtml(node, html) {
  if (node.drawn !== html) node.innerHTML = html;
  node.drawn = html;
}

export function put(node, name, value) {
  if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

// What a heading is to who listens: the empty corner above row headings heads nothing.
export function roleOfHead(text) {
  return text === "" ? "cell" : null;
}

export const shapeOf = (matrix) => `${matrix.length} × ${matrix[0].length}`;

// How dark a node is shaded: in steps finer than the eye sees, so that most of what changes stays the same.
export function setShare(node, share) {
  const text = share === null ? "" : share.toFixed(2);
  if (node.style.getPropertyValue("--share") !== text) node.style.setProperty("--share", text);
}

export function drawMatrix(table, { matrix, rowHeads, columnHeads, name, width, shade = false }) {
  table.classed("matrix", true).style("--cell-width", `${width / 16}rem`).style("--columns", matrix[0].length).style("--rows", matrix.length);
  drawHeads(table, columnHeads);
  const rows = table.selectAll("tbody").data([0]).join("tbody").selectAll("tr").data(matrix).join("tr");
  const heads = rows.selectAll("th").data((_, i) => [rowHeads ? rowHeads[i] : ""]);
  heads.join((enter) => enter.insert("th", ":first-child").attr("scope", "row")).attr("role", roleOfHead).each(writeDatum);
  const cells = rows.selectAll("td").data((row) => row).join("td");
  cells.each(function (value) {
    drawCell(this, value, shade);
  });
  drawCaption(table, name && `<span>${name} <small>${shapeOf(matrix)}</small></span>`);
  return cells;
}

function writeDatum(text) {
  write(this, text);
}

function drawCell(cell, value, shade) {
  const drawn = `${value} ${shade}`;
  if (cell.drawn === drawn) return;
  cell.drawn = drawn;
  write(cell, short(value));
  cell.dataset.value = value;
  cell.classList.toggle("zero", value === 0);
  cell.classList.toggle("shaded", shade);
  setShare(cell, shade ? value : null);
}

function drawCaption(table, html) {
  table.selectAll("caption").data(html ? [html] : []).join("caption").each(function () {
    writeHtml(this, html);
  });
}

function drawHeads(table, columnHeads) {
  const head = table.selectAll("thead").data(columnHeads ? [columnHeads] : []).join("thead");
  const row = head.selectAll("tr").data((heads) => [["", ...heads]]).join("tr");
  row.selectAll("th").data((heads) => heads).join("th").attr("scope", "col").attr("role", roleOfHead).each(function (text) {
    select(this).selectAll("span").data([text]).join("span").each(writeDatum);
  });
}

// The row on the left and the column above that meet in the chosen cell.
export function light(table, row, column) {
  mark(table.select("tbody").selectAll("tr"), (i) => i === row).selectAll("td").call(mark, (j) => j === column);
  mark(table.select("thead").selectAll("th"), (j) => j === column + 1);
}

// Unlike d3's classed, toggle leaves alone what has the class already.
function mark(nodes, isOn) {
  return nodes.each(function (_, i) {
    this.classList.toggle("on", isOn(i));
  });
}
