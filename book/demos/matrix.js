// A matrix drawn as a table of small cells; heads and words stand outside, so that blocks line up edge to edge.
import { select } from "d3-selection";
import { short } from "./numbers.js";

// Wide enough for the longest number, so that a column of decimals does not wobble.
export function cellWidth(matrix) {
  const longest = Math.max(...matrix.flat().map((value) => short(value).length));
  return longest <= 2 ? 30 : longest <= 4 ? 38 : 12 + 8 * longest;
}

export function drawMatrix(table, { matrix, rowHeads, columnHeads, name, width, shade }) {
  table.classed("matrix", true).style("--cell-width", `${width}px`).style("--columns", matrix[0].length);
  drawHeads(table, columnHeads);
  const rows = table.selectAll("tbody").data([0]).join("tbody").selectAll("tr").data(matrix).join("tr");
  const heads = rows.selectAll("th").data((_, i) => [rowHeads ? rowHeads[i] : ""]);
  heads.join((enter) => enter.insert("th", ":first-child").attr("scope", "row")).text((head) => head);
  const cells = rows.selectAll("td").data((row) => row).join("td");
  cells.text(short).attr("data-value", (value) => value).classed("zero", (value) => value === 0);
  cells.classed("shaded", Boolean(shade)).style("--share", (value) => (shade ? value : null));
  table.selectAll("caption").data(name ? [name] : []).join("caption").html(caption(matrix));
  return cells;
}

const caption = (matrix) => (name) => `<span>${name} <small>${matrix.length} × ${matrix[0].length}</small></span>`;

function drawHeads(table, columnHeads) {
  const head = table.selectAll("thead").data(columnHeads ? [columnHeads] : []).join("thead");
  const row = head.selectAll("tr").data((heads) => [["", ...heads]]).join("tr");
  row.selectAll("th").data((heads) => heads).join("th").attr("scope", "col").each(function (text) {
    select(this).selectAll("span").data([text]).join("span").text(text);
  });
}

// The row on the left and the column above that meet in the chosen cell.
export function light(table, row, column) {
  table.selectAll("tr").classed("on", false);
  const rows = table.select("tbody").selectAll("tr").classed("on", (_, i) => i === row);
  rows.selectAll("td").classed("on", (_, j) => j === column);
  table.select("thead").selectAll("th").classed("on", (_, j) => j === column + 1);
}
