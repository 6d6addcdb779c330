// Clock hands: two positions as two hands on each clock of the encoding, and the dot product that does not move.
import { select } from "d3-selection";
import { choice, controlBar, slider } from "../shared/controls.js";
import { springs } from "../shared/motion.js";
import { setting, vector } from "../shared/numbers.js";
import { assign, follow, frame, sentence, valuesOf } from "../shared/widget.js";

const TRAITS = ["d_model", "position", "offset"];
const BASE = 10000;
const POSITIONS = 64;
const LAST = { position: 40, offset: 23 }; // together the last row
const WIDTHS = [4, 8, 16];
const NEAR = 4; // rows from the second marker in which a press takes hold of it
const HAND = 42; // in a clock face of 100
const SLOW = 1; // radians through all positions: less is not seen

// --- the numbers ---

const range = (n) => Array.from({ length: n }, (_, i) => i);

export const speeds = (d) => range(d / 2).map((i) => BASE ** ((-2 * i) / d));

// PE(p): a sine and a cosine for each clock, side by side.
export const encoding = (p, d) => speeds(d).flatMap((speed) => [Math.sin(p * speed), Math.cos(p * speed)]);

export const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);

// The two hands of each clock, what each clock adds to the dot product, and the first row's dot product with every row.
export function look({ d_model, position, offset }) {
  const [first, second] = [position, position + offset].map((p) => encoding(p, d_model));
  const clocks = speeds(d_model).map((speed, i) => {
    const [from, to] = [first, second].map((row) => row.slice(2 * i, 2 * i + 2));
    return { speed, from, to, cosine: dot(from, to) };
  });
  const profile = range(POSITIONS).map((p) => dot(first, encoding(p, d_model)));
  return { clocks, profile, product: profile[position + offset] };
}

// What a press on a row of the heat map takes hold of: the second marker where it is near, and no farther than the
// first, which moves to any other row. Where both lie on one row, a press below takes the second.
export function held(row, { position, offset }) {
  const near = Math.min(NEAR, Math.abs(row - position));
  return row > position && Math.abs(row - position - offset) <= near ? "offset" : "position";
}

export function dragged(row, name, { position }) {
  const value = name === "offset" ? row - position : row;
  return { [name]: Math.min(Math.max(value, 0), LAST[name]) };
}

// --- the words ---

const fixed = (value) => value.toFixed(4).replace(/^-(?=0\.0000$)/, "").replace("-", "−");

// What is on show; where the reader has just changed one thing, what came of it.
export function describe(state, before) {
  const { d_model, position, offset } = state;
  const product = fixed(look(state).product);
  const changed = TRAITS.filter((trait) => before && before[trait] !== state[trait]);
  if (changed.length === 1) return CHANGED[changed[0]](state, product);
  return (
    `Positions ${position} and ${position + offset}, ${d_model} numbers each: on every clock the second hand is ` +
    `${offset === 1 ? "1 step" : `${offset} steps`} ahead, and the dot product of the two rows is ${product}.`
  );
}

const CHANGED = {
  position: ({ position, offset }, product) =>
    `Position ${position}: all hands have turned, and the angle between the two of a clock has not. ` +
    `So PE(${position}) · PE(${position + offset}) stays ${product}.` +
    (position === LAST.position ? " The first row goes no further, to leave room for the second." : ""),
  offset: ({ position, offset }, product) =>
    offset
      ? `Offset ${offset}: only the second hands have turned, each at its own speed, and the dot product is now ${product}.` +
        (offset === LAST.offset ? " The second row goes no further ahead." : "")
      : `Offset 0: the hands of position ${position} coincide, and the dot product is as large as it gets, ` +
        `${product}. Press below the row to take the second one.`,
  d_model: ({ d_model }, product) =>
    `${d_model} numbers make ${d_model / 2} clocks, each slower than the one before. The dot product is now ${product}, ` +
    `of ${d_model / 2} at most.`,
};

// --- the drawing ---

function render({ model, el }) {
  const root = frame(select(el), "clock-hands", "Clock hands");
  const drawControls = controls(controlBar(root), model);
  const panels = root.append("div").attr("class", "panels");
  const drawMap = heatMap(panels.append("div").attr("class", "map-panel"), model);
  const clocks = clockPanel(panels.append("div").attr("class", "clock-panel"));
  const say = sentence(root);
  let before;
  const leave = follow(model, TRAITS, () => {
    const state = valuesOf(model, TRAITS);
    const seen = look(state);
    drawControls(state);
    drawMap(state, seen);
    clocks.draw(state, seen);
    say(describe(state, before));
    before = state;
  });
  return () => {
    leave();
    clocks.stop();
  };
}

function controls(bar, model) {
  const whole = { lowest: 0, step: 1, ends: [] };
  const titles = { position: "Position p =", offset: "Offset k =" };
  const draws = Object.entries(titles).map(([trait, title]) =>
    slider(bar, model, trait, title, { ...whole, highest: LAST[trait] }),
  );
  draws.push(choice(bar, model, "d_model", "Numbers, d<sub>model</sub>", WIDTHS));
  bar.select(".d_model legend").html("Numbers, d<sub>model</sub>");
  return (state) => draws.forEach((draw) => draw(state));
}

const KEY = `<span class="shade">1</span><span class="shade light">−1</span><span>PE(p) · each row</span>`;

function heatMap(panel, model) {
  const title = panel.append("p").attr("class", "title");
  const box = panel.append("div").attr("class", "box");
  const map = box.append("div").attr("class", "map").attr("role", "img");
  const cells = map.append("canvas").attr("class", "cells").attr("height", POSITIONS);
  const marker = map.selectAll(".marker").data(["first", "second"]).join("div").attr("class", (name) => `marker ${name}`);
  marker.append("span");
  const bars = box.append("div").attr("class", "bars").attr("aria-hidden", "true");
  panel.append("p").attr("class", "under").html(KEY);
  listen(map, model);
  let drawn;
  return ({ d_model, position, offset }, { profile }) => {
    title.html(`PE <small>a row a position, from 0 down to ${POSITIONS - 1}</small>`);
    if (drawn !== d_model) shade(cells.node(), (drawn = d_model));
    const rows = [position, position + offset];
    marker.style("top", (_, i) => `${(100 * rows[i]) / POSITIONS}%`).select("span").text((_, i) => rows[i]);
    map.attr("aria-label", `Heat map of the encoding, ${POSITIONS} rows of ${d_model}; rows ${rows.join(" and ")} are marked`);
    const bar = bars.selectAll("span").data(profile).join("span").classed("on", (_, p) => p === rows[1]);
    bar.style("transform", (value) => `scaleX(${((2 * value) / d_model).toFixed(4)})`).attr("data-value", (value) => value);
  };
}

// A pixel for each number: dark is 1 and light is −1. At night the style sheet turns that round.
const INK = [31, 35, 40];

function shade(canvas, d) {
  canvas.width = d;
  const image = new ImageData(d, POSITIONS);
  range(POSITIONS).flatMap((p) => encoding(p, d)).forEach((value, i) => {
    const [red, green, blue] = INK.map((ink) => 255 + ((ink - 255) * (1 + value)) / 2);
    image.data.set([red, green, blue, 255], 4 * i);
  });
  canvas.getContext("2d").putImageData(image, 0, 0);
}

// The mouse drags a marker; a finger taps a row, since its drag scrolls the page.
function listen(map, model) {
  const rowAt = (event) => {
    const { top, height } = map.node().getBoundingClientRect();
    return Math.floor((POSITIONS * (event.clientY - top)) / height);
  };
  const move = (event, name) => assign(model, dragged(rowAt(event), name, valuesOf(model, TRAITS)));
  let name = null;
  map.on("pointerdown", (event) => {
    if (event.pointerType !== "mouse") return;
    event.preventDefault();
    map.node().setPointerCapture(event.pointerId);
    name = held(rowAt(event), valuesOf(model, TRAITS));
    move(event, name);
  });
  map.on("pointermove", (event) => name && move(event, name));
  map.on("pointerup pointercancel", () => (name = null));
  map.on("click", (event) => event.pointerType === "touch" && move(event, held(rowAt(event), valuesOf(model, TRAITS))));
}

function clockPanel(panel) {
  const legend = panel.append("p").attr("class", "legend");
  const names = legend.selectAll("span").data(["first", "second"]).join("span").attr("class", (name) => name);
  const list = panel.append("ol").attr("class", "clocks");
  panel.append("p").attr("class", "key").html("below each clock its speed ω, and <strong>cos kω</strong>, for the angle between its hands");
  const sum = panel.append("p").attr("class", "sum");
  sum.append("span");
  sum.append("strong");
  sum.append("small");
  const turned = springs(([[position, offset]]) => list.selectAll("li").each(turn(position, offset)));
  let drawn;
  const draw = ({ d_model, position, offset }, { clocks, product }) => {
    names.data([`position ${position}`, `position ${position + offset}`]).text((text) => text);
    list.style("--across", d_model === 16 ? 4 : 2);
    list.selectAll("li").data(clocks).join((enter) => enter.append("li").each(emptyClock)).each(fillClock);
    (drawn === d_model ? turned.aim : turned.put)([[position, offset]]);
    drawn = d_model;
    sum.select("span").text(`PE(${position}) · PE(${position + offset}) = `);
    sum.select("strong").text(fixed(product)).attr("data-value", product);
    sum.select("small").text(`these ${d_model / 2} numbers added up; at most ${d_model / 2}`);
  };
  return { draw, stop: turned.stop };
}

function emptyClock() {
  const item = select(this);
  const svg = item.append("svg").attr("viewBox", "-50 -50 100 100").attr("role", "img");
  svg.append("circle").attr("class", "face").attr("r", 47);
  svg.append("path").attr("class", "twelve").attr("d", "M0 -47V-40");
  svg.append("path").attr("class", "between");
  for (const name of ["first", "second"]) svg.append("line").attr("class", name);
  item.append("span").attr("class", "speed");
  item.append("strong");
  item.append("span").attr("class", "slow");
}

function fillClock({ speed, from, to, cosine }, i) {
  const item = select(this);
  item.select("svg").attr("aria-label", `Clock ${i + 1}: hands at ${vector(from)} and ${vector(to)}`);
  item.select(".speed").text(`ω = ${setting(speed)}`).attr("data-value", speed);
  item.select("strong").text(fixed(cosine)).attr("data-value", cosine);
  item.select(".slow").text(speed * (POSITIONS - 1) < SLOW ? "too slow to see" : "");
}

// Clockwise from the top, so that a hand's tip has the sine to the right and the cosine upwards.
function turn(position, offset) {
  return function ({ speed }) {
    const item = select(this);
    const tips = [position, position + offset].map((p) => [HAND * Math.sin(p * speed), -HAND * Math.cos(p * speed)]);
    ["first", "second"].forEach((name, j) => {
      const [x, y] = tips[j].map((value) => value.toFixed(3));
      item.select(`line.${name}`).attr("x2", x).attr("y2", y);
    });
    item.select(".between").attr("d", offset < 0 ? "" : wedge(tips, offset * speed)); // a spring swings over
  };
}

// The piece of cake from the first hand on to the second, whole turns left out.
function wedge([[x, y], [u, v]], turned) {
  const angle = turned % (2 * Math.PI);
  const [a, b, c, d] = [x, y, u, v].map((value) => (value / 2).toFixed(3));
  return `M0 0L${a} ${b}A${HAND / 2} ${HAND / 2} 0 ${angle > Math.PI ? 1 : 0} 1 ${c} ${d}Z`;
}

export default { render };
