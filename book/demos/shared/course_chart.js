// The course of a learned number through training: six moments, from 0 on, so that a small change looks small.
import { parse } from "./graph.js";
import { numbersOf } from "./transformer.js";
import { partOf } from "./widget.js";

const [WIDTH, HEIGHT, MARGIN] = [260, 70, 6];

// A number's value at each moment, out of the packed matrices of all moments.
export function courseOf(packs, { row, column }) {
  return packs.map(numbersOf).map((numbers) => (Array.isArray(numbers[0]) ? numbers[row][column] : numbers[column]));
}

// Where the moments are in the chart: x by step, y by value with 0 in view.
export function pointsOf(steps, values) {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const y = (value) => MARGIN + ((high - value) / (high - low || 1)) * (HEIGHT - 2 * MARGIN);
  const points = values.map((value, i) => [MARGIN + (steps[i] / steps.at(-1)) * (WIDTH - 2 * MARGIN), y(value)]);
  return { points, zero: y(0) };
}

export function courseChart(section, model) {
  const figure = section.append("figure").attr("class", "course").attr("hidden", "");
  const svg = figure.append("svg").attr("viewBox", `0 0 ${WIDTH} ${HEIGHT}`).attr("aria-hidden", "true");
  const zero = svg.append("line").attr("class", "zero").attr("x1", 0).attr("x2", WIDTH);
  const line = svg.append("polyline");
  const caption = figure.append("figcaption");
  let wanted = null;
  return async (id) => {
    wanted = id;
    figure.attr("hidden", "");
    const packs = id && (await partOf(model, "moments", parse(id).key));
    if (!packs || wanted !== id) return; // nothing is recorded, or the reader has gone on
    const { steps } = model.get("moments");
    const values = courseOf(packs, parse(id));
    const { points, zero: level } = pointsOf(steps, values);
    zero.attr("y1", level).attr("y2", level);
    line.attr("points", points.map((point) => point.join()).join(" "));
    svg.selectAll("circle").data(points).join("circle").attr("r", 3).attr("cx", ([x]) => x).attr("cy", ([, y]) => y);
    const [from, to] = [values[0], values.at(-1)].map((value) => value.toFixed(4).replace("-", "−"));
    caption.text(`Its course through training: ${from} before the first step, ${to} after ${steps.at(-1)} steps.`);
    figure.attr("hidden", null);
  };
}
