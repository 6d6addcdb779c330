// Gradient through time: how large ∂h_T/∂h_t is, step by step back from the end, on a scale that counts in tens.
import { select } from "d3-selection";
import { matmul, transpose } from "../shared/attention.js";
import { controlBar, slider } from "../shared/controls.js";
import { fading, setting } from "../shared/numbers.js";
import { legend, placeOf, tenTo } from "../shared/ratio.js";
import { follow, frame, sentence, valuesOf } from "../shared/widget.js";

const TRAITS = ["rotation", "inputs", "radius", "length"];
const HIGHEST = 6; // tens, to either side of 1
const BEND = Math.log(0.5) / Math.log(1 / HIGHEST); // of the beads' scale: a ratio of ten is half-way
const MARKS = [6, 4, 2, 0, -2, -4, -6];
const MOST_TICKS = 5;
const LINES = ["straight", "bent"];
const TITLES = { straight: "slopes of 1, no tanh", bent: "with the slopes of tanh" };

// --- the numbers ---

export const scaled = (matrix, factor) => matrix.map((row) => row.map((value) => value * factor));

// The states of a network that begins with zeros: h_t = tanh(inputs_t + h_{t−1} w).
export function states(inputs, w) {
  let state = w.map(() => 0);
  return inputs.map((input) => {
    const [carried] = matmul([state], w);
    state = input.map((value, i) => Math.tanh(value + carried[i]));
    return state;
  });
}

// The Frobenius norm over √d: by how much a small push of the state is stretched, as a root mean square.
export const size = (matrix) => Math.sqrt(matrix.flat().reduce((sum, v) => sum + v * v, 0) / matrix.length);

// ∂h_T/∂h_t for T − t = 0, 1, … T, by its size: the factors are multiplied on from the right, the last step first.
export function sizes(w, h) {
  let gradient = w.map((row, i) => row.map((_, j) => (i === j ? 1 : 0)));
  const turned = transpose(w);
  const found = [size(gradient)];
  for (const state of [...h].reverse()) {
    gradient = matmul(gradient, turned.map((row, i) => row.map((value) => value * (1 - state[i] ** 2))));
    found.push(size(gradient));
  }
  return found;
}

export function measure({ rotation, inputs, radius, length }) {
  const w = scaled(rotation, radius);
  const h = states(inputs.slice(0, length), w);
  return { straight: sizes(w, h.map((state) => state.map(() => 0))), bent: sizes(w, h) };
}

// The height of a power of ten, from 0 to 1.
export const height = (tens) => (tens + HIGHEST) / (2 * HIGHEST);

const isOn = (tens) => Math.abs(tens) <= HIGHEST;

// What of a line lies on the axis: [steps back, tens] for each point, one more on the border where the line leaves or
// comes back, and null for each that is beyond.
export function visible(numbers) {
  const tens = numbers.map(Math.log10);
  return tens.flatMap((here, back) => {
    const point = isOn(here) ? [back, here] : null;
    return back > 0 && isOn(here) !== isOn(tens[back - 1]) ? [crossing(back, tens[back - 1], here), point] : [point];
  });
}

function crossing(back, before, here) {
  const border = HIGHEST * Math.sign(isOn(here) ? before : here);
  return [back - 1 + (Number.isFinite(before - here) ? (border - before) / (here - before) : 0), border];
}

// --- the words ---

export function describe({ radius, length }, { straight, bent }) {
  const steps = length === 1 ? "1 step" : `${length} steps`;
  const power = `${setting(radius)} to the power of ${length} is ${number(straight.at(-1))}`;
  return `${steps} back, spectral radius ${setting(radius)}: ${power}, and with tanh ${number(bent.at(-1))} is left. ${verdict(straight.at(-1), bent.at(-1))}`;
}

const number = (value) => fading(value).replace("<", "less than ");

export function verdict(straight, bent) {
  if (bent > 100) return "The gradient explodes.";
  if (bent < 0.01 && isSame(straight)) return "Without tanh it would stay as it is; with it, the gradient vanishes.";
  if (bent < 0.01) return straight > 1 ? "Without tanh it would grow; with it, the gradient vanishes." : "The gradient vanishes.";
  return straight > 100 ? "Without tanh it would explode; its slopes hold it back." : "The first word can still be heard.";
}

const isSame = (size) => Math.abs(size - 1) < 0.001;

// --- the drawing ---

function render({ model, el }) {
  const root = frame(select(el), "gradient-through-time", "Gradient through time");
  const bar = controlBar(root);
  const ranges = [["radius", "Spectral radius", 0.5, 1.5, 0.01], ["length", "Length", 1, model.get("inputs").length, 1]];
  const drawSliders = ranges.map(([trait, title, lowest, highest, step]) =>
    slider(bar, model, trait, title, { lowest, highest, step, ends: [] }),
  );
  const drawBeads = beads(root.append("div").attr("class", "strings"));
  legend(root, HIGHEST, BEND);
  const curve = root.append("details").attr("class", "numbers");
  curve.append("summary").text("The same as a curve");
  const drawPlot = plot(curve.append("div").attr("class", "plot").attr("role", "img"));
  const say = sentence(root);
  return follow(model, TRAITS, () => {
    const all = valuesOf(model, TRAITS);
    const state = { ...all, length: Math.min(all.length, all.inputs.length) };
    const seen = measure(state);
    bar.select(".length input").attr("max", state.inputs.length);
    drawSliders.forEach((draw) => draw(state));
    drawBeads(seen);
    drawPlot(state, seen);
    say(describe(state, seen));
  });
}

// A string of beads for each line, the first word at the left: as large as the gradient that is left there.
function beads(box) {
  const string = box.selectAll(".string").data(LINES).join("div").attr("class", (name) => `string ${name}`);
  const head = string.append("p");
  head.append("span").text((name) => TITLES[name]);
  const left = head.append("span").attr("class", "left").text("left at the first word: ").append("strong");
  const row = string.append("div").attr("class", "beads").attr("aria-hidden", "true"); // the sentence says its ends
  const ends = box.append("p").attr("class", "ends").attr("aria-hidden", "true");
  for (const end of ["first word", "last word"]) ends.append("span").text(end);
  return (seen) => {
    left.attr("data-value", (name) => seen[name].at(-1)).text((name) => fading(seen[name].at(-1)));
    box.style("--beads", seen.bent.length);
    row.selectAll("i").data((name) => [...seen[name]].reverse()).join("i").attr("class", "ratio")
      .style("--place", (value) => placeOf(value, HIGHEST, BEND).toFixed(3));
  };
}

function plot(box) {
  const layer = (name) => box.append("div").attr("class", name);
  layer("grid").selectAll("span").data(MARKS).join("span").style("bottom", up).text(tenTo);
  const svg = box.append("svg").attr("viewBox", "0 0 100 100").attr("preserveAspectRatio", "none");
  svg.attr("aria-hidden", "true");
  svg.append("path").attr("class", "one").attr("d", "M0 50H100");
  const line = svg.selectAll(".line").data(LINES).join("path").attr("class", (name) => `line ${name}`);
  const [beyond, axis] = ["beyond", "axis"].map(layer);
  return ({ length }, seen) => {
    line.attr("d", (name) => outline(seen[name]));
    const leaving = LINES.map((name) => ({ name, end: leaves(seen[name]) })).filter(({ end }) => end);
    const arrow = beyond.selectAll("span").data(leaving).join("span").text(({ end }) => (end[1] > 0 ? "↑" : "↓"));
    arrow.attr("class", ({ name, end }) => `${name} ${end[1] > 0 ? "up" : "down"}`);
    arrow.style("right", ({ end }) => `${(100 * end[0]) / length}%`);
    const ends = LINES.map((name) => `${TITLES[name]}, ${number(seen[name].at(-1))}`).join("; ");
    box.attr("aria-label", `Size of the gradient, from the last step back over ${length}, where it is: ${ends}`);
    const tick = axis.selectAll("span").data(ticks(length)).join("span");
    tick.style("right", (back) => `${(100 * back) / length}%`).text(setting);
  };
}

const up = (tens) => `${100 * height(tens)}%`;

// Where a line leaves the axis for good, or null.
function leaves(numbers) {
  const points = visible(numbers);
  return points.at(-1) ? null : points.filter((point) => point).at(-1);
}

// The end of the sentence is at the right, and the gradient runs to the left.
function outline(numbers) {
  const last = numbers.length - 1;
  const at = ([back, tens]) => `${(100 - (100 * back) / last).toFixed(2)} ${(100 - 100 * height(tens)).toFixed(2)}`;
  return visible(numbers).map((point, i, all) => (point ? `${all[i - 1] ? "L" : "M"}${at(point)}` : "")).join("");
}

export function ticks(length) {
  const step = [1, 2, 5, 10, 20, 50].find((candidate) => length / candidate <= MOST_TICKS);
  return Array.from({ length: Math.floor(length / step) + 1 }, (_, i) => i * step);
}

export default { render };
