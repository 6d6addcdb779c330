// The course of a learned number through training: where chance began, what training made of it, and the moments between.
import { dot, parse } from "./graph.js";
import { share } from "./numbers.js";
import { numbersOf } from "./transformer.js";
import { partOf } from "./widget.js";

const [WIDTH, HEIGHT] = [324, 128];
const [LEFT, RIGHT, TOP, BOTTOM] = [66, 266, 12, 104]; // of the points; beside them are 0 and the first and the last value
const FEW = 0.1; // of where it began: a smaller move leaves the number mostly to chance

// A number's value at each moment, out of the packed matrices of all moments; of a row, what it is along a direction.
export function courseOf(packs, { row, column }, direction = null) {
  return packs.map(numbersOf).map((numbers) => {
    const own = Array.isArray(numbers[0]) ? numbers[row] : numbers;
    return direction ? dot(own, direction) : own[column];
  });
}

// A number is what it was before the first step, and what training has added to that.
export const madeBy = (values) => ({ chance: values[0], training: values.at(-1) - values[0] });

// Gammas begin at 1 and biases at 0: these are chosen, and the others drawn.
export const isDrawn = (pack) => new Set(numbersOf(pack).flat()).size > 1;

// Where the moments are in the chart: x by step, y by value with 0 in view.
export function pointsOf(steps, values) {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const y = (value) => TOP + ((high - value) / (high - low || 1)) * (BOTTOM - TOP);
  const points = values.map((value, i) => [LEFT + (steps[i] / steps.at(-1)) * (RIGHT - LEFT), y(value)]);
  return { points, zero: y(0) };
}

const rounded = (value) => Math.round(value * 1e4) / 1e4;
const written = (value) => share(rounded(value)); // with four decimals, as on the card
const signed = (value) => (value > 0 ? `+${written(value)}` : written(value));

// The shares as the shown values have them, so that they add up.
export function told(steps, values, drawn, isRow = false) {
  const shown = values.map(rounded);
  const { chance, training } = madeBy(shown);
  const began = isRow && drawn ? `The row that chance began with gives ${written(chance)}` : drawn ? `Chance began it at ${written(chance)}` : `Like all of its kind, it began at ${written(chance)}`;
  const move = rounded(training) ? `moved it by ${signed(training)}, to ${written(values.at(-1))}` : "left it there";
  const verdict = drawn && Math.abs(training) < FEW * Math.abs(chance) ? " So chance chose this number more than training did." : "";
  return `${isRow ? "What the row gives when it is asked the same," : "Its value"} at ${steps.length} moments. ${began}; ${steps.at(-1)} steps of training ${move}.${verdict}`;
}

export function courseChart(section, model) {
  const figure = section.append("figure").attr("class", "course").attr("hidden", "");
  const draw = chart(figure);
  const caption = figure.append("figcaption");
  let wanted = null;
  return async (id, direction = null) => {
    wanted = id;
    figure.attr("hidden", "");
    const packs = id && (await partOf(model, "moments", parse(id).key));
    if (!packs || wanted !== id) return; // nothing is recorded, or the reader has gone on
    const { steps } = model.get("moments");
    const values = courseOf(packs, parse(id), direction);
    draw(steps, values);
    caption.text(told(steps, values, isDrawn(packs[0]), Boolean(direction)));
    figure.attr("hidden", null);
  };
}

function chart(figure) {
  const svg = figure.append("svg").attr("viewBox", `0 0 ${WIDTH} ${HEIGHT}`).attr("role", "img");
  const write = (text, name, x, y) => svg.append("text").attr("class", name).text(text).attr("x", x).attr("y", y);
  const guides = svg.append("g").attr("class", "guides");
  const zero = svg.append("line").attr("class", "zero").attr("x1", 12).attr("x2", WIDTH);
  const line = svg.append("polyline");
  const dots = svg.append("g");
  const labels = svg.append("g").attr("class", "steps");
  const nought = write("0", "nought", 0, 0);
  const ends = [write("", "first", LEFT - 8, 0), write("", "last", RIGHT + 8, 0)];
  return (steps, values) => {
    const { points, zero: level } = pointsOf(steps, values);
    svg.attr("aria-label", values.map((value, i) => `step ${steps[i]}: ${written(value)}`).join(", "));
    zero.attr("y1", level).attr("y2", level);
    nought.attr("y", level + 4);
    line.attr("points", points.map((point) => point.join()).join(" "));
    const each = (parent, kind) => parent.selectAll(kind).data(points).join(kind);
    each(dots, "circle").attr("r", 3).attr("cx", ([x]) => x).attr("cy", ([, y]) => y);
    each(guides, "line").attr("x1", ([x]) => x).attr("x2", ([x]) => x).attr("y1", ([, y]) => y).attr("y2", BOTTOM + 6);
    each(labels, "text").attr("x", ([x]) => x).attr("y", HEIGHT - 4).text((_, i) => (i ? steps[i] : `step ${steps[i]}`));
    ends.forEach((text, i) => text.text(written(values.at(-i))).attr("y", points.at(-i)[1] + 4)); // at(0), at(−1)
  };
}
