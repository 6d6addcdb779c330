// Lines over the layers of a stack, on a logarithmic axis, with a mark at one depth and their numbers there.
import { roleOfHead } from "./matrix.js";
import { fading, setting, short } from "./numbers.js";

const NAMES = { post: "post-norm", pre: "pre-norm", no_norm: "no norm", no_residual: "no residual" };
const LEAST = 1e-12; // below, rounding is all there is
const LOWEST = 1e-6; // of the axis: what is less is as good as nothing, and drawn on the border
const MOST_TICKS = 5;

export const percentage = (number) => `${number}%`;

export const amount = (value) => (value <= LEAST ? "<1e−12" : value < 0.001 ? fading(value) : short(value));

// What each arrangement shows at a depth, in one order.
export function row(lines, depth) {
  return Object.keys(NAMES).map((name) => {
    const value = lines[name][depth - 1][1];
    return { name, value, text: amount(value) };
  });
}

// Powers of ten: the lowest and the highest of the axis, a mark for each, or for every second, third, … of them.
export function marks(lines) {
  const all = Object.values(lines).flat().map(([, value]) => Math.max(value, LOWEST));
  const low = Math.floor(Math.log10(Math.min(...all)) + 1e-9);
  const high = Math.max(Math.ceil(Math.log10(Math.max(...all)) - 1e-9) + 0, low + 1); // + 0 makes −0 a 0
  const step = Math.ceil((high - low) / MOST_TICKS);
  const below = Object.values(lines).flat().some(([, value]) => value < LOWEST); // drawn on the border
  return { low, high, below, ticks: Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, i) => low + i * step) };
}

// How high a number stands, in hundredths.
export function height(value, { low, high }) {
  const log = Math.log10(Math.max(value, LOWEST));
  return (100 * (Math.min(Math.max(log, low), high) - low)) / (high - low);
}

// In a box of 100 by 100, stretched to the room there is; one layer stands at the left edge.
export function outline(line, axis, layers) {
  const at = ([depth, value]) => `${across(depth, layers).toFixed(2)} ${(100 - height(value, axis)).toFixed(2)}`;
  return `M${line.slice(0, layers).map(at).join("L")}`;
}

const across = (depth, layers) => (layers > 1 ? (100 * (depth - 1)) / (layers - 1) : 0);

const written = (exponent) => (Math.abs(exponent) <= 2 ? setting(10 ** exponent) : `1e${exponent}`.replace("-", "−"));

export function stackPlot(box) {
  const layer = (name) => box.append("div").attr("class", name);
  const grid = layer("grid");
  const svg = box.append("svg").attr("viewBox", "0 0 100 100").attr("preserveAspectRatio", "none").attr("aria-hidden", "true");
  const [here, axis] = ["here", "axis"].map(layer);
  return ({ measure, depth, layers, ...state }) => {
    const lines = state[measure];
    const range = marks(lines);
    const ends = row(lines, layers).map(({ name, text }) => `${NAMES[name]} ${text}`);
    box.attr("aria-label", `Four lines over ${layers} layers, which end at: ${ends.join(", ")}`);
    grid.selectAll("span").data(range.ticks).join("span").style("bottom", (e) => percentage(height(10 ** e, range))).text((e) => (e === range.low && range.below ? "<" : "") + written(e));
    const path = svg.selectAll("path").data(Object.keys(NAMES)).join("path").attr("class", (name) => name);
    path.attr("d", (name) => outline(lines[name], range, layers));
    here.style("left", percentage(across(depth, layers)));
    axis.selectAll("span").data([1, layers]).join("span").text((count) => (count === 1 ? "1 layer" : count));
  };
}

// A row for each arrangement, with the line that it is drawn with; a column for each measure.
export function table(parent, measures) {
  parent.append("caption").attr("class", "unseen").text("The three measures at this depth");
  const head = parent.append("thead").append("tr");
  const titles = head.selectAll("th").data(["", ...measures.map(([, title]) => title)]).join("th").attr("scope", "col").text((t) => t);
  titles.attr("role", roleOfHead);
  const body = parent.append("tbody").selectAll("tr").data(Object.keys(NAMES)).join("tr");
  const name = body.append("th").attr("scope", "row");
  name.append("svg").attr("viewBox", "0 0 28 8").attr("aria-hidden", "true").append("path").attr("class", (n) => n).attr("d", "M0 4L28 4");
  name.append("span").text((n) => NAMES[n]);
  return (state) => {
    titles.classed("drawn", (_, i) => i > 0 && measures[i - 1][0] === state.measure);
    const columns = measures.map(([measure]) => ({ measure, cells: row(state[measure], state.depth) }));
    const cells = (which) => columns.map(({ measure, cells: all }) => ({ measure, ...all.find((cell) => cell.name === which) }));
    const cell = body.selectAll("td").data(cells).join("td").classed("drawn", ({ measure }) => measure === state.measure);
    cell.text(({ text }) => text).attr("data-value", ({ value }) => value);
  };
}
