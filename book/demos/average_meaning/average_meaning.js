// Average meaning: two senses of "apple" in a plane, and the one vector that all its sentences together make of it.
import { select } from "d3-selection";
import { dot } from "../shared/attention.js";
import { controlBar, slider } from "../shared/controls.js";
import { flight } from "../shared/motion.js";
import { roleOfHead } from "../shared/matrix.js";
import { long, setting } from "../shared/numbers.js";
import { assign, follow, frame, pointerIn, sentence, valuesOf } from "../shared/widget.js";

const TRAITS = ["fruit"];
export const ALL = 10000; // sentences; the trait in Python has the same limit
const STEP = 100;
const SENSES = [
  { name: "fruit", vector: [1, 0], says: "an apple a day keeps the doctor away" },
  { name: "company", vector: [0, 1], says: "apple makes great phones" },
];

// --- the numbers ---

export function averageMeaning(senses, counts) {
  const all = counts.reduce((sum, count) => sum + count, 0);
  return senses[0].map((_, axis) => senses.reduce((sum, sense, s) => sum + counts[s] * sense[axis], 0) / all);
}

// The word's vector, and how each sense lies to it.
export function look({ fruit }) {
  const counts = [fruit, ALL - fruit];
  const apple = averageMeaning(SENSES.map((sense) => sense.vector), counts);
  const length = Math.sqrt(dot(apple, apple));
  const senses = SENSES.map((sense, s) => ({
    ...sense,
    count: counts[s],
    share: counts[s] / ALL,
    cosine: dot(sense.vector, apple) / length, // both senses have length 1, and apple is never 0
    distance: Math.hypot(sense.vector[0] - apple[0], sense.vector[1] - apple[1]),
  }));
  return { apple, senses };
}

// Where on the line between the senses a place of the plane is nearest to, in sentences on fruit.
export function nearestCount([x, y]) {
  const share = Math.min(Math.max((x - y + 1) / 2, 0), 1);
  return Math.round((share * ALL) / STEP) * STEP;
}

// With steps of a hundred sentences, a number of the vector never has more than two decimals.
const written = (values) => `[${values.map((value) => setting(Math.round(100 * value) / 100)).join(", ")}]`;

const thousands = (n) => String(n).replace(/\B(?=(\d{3})+$)/, ",");

export function describe(state) {
  const { apple, senses } = look(state);
  const [fruit, company] = senses;
  const counts = `${thousands(fruit.count)} sentences on the fruit and ${thousands(company.count)} on the company`;
  const where = `${counts} make “apple” ${written(apple)}`;
  if (!fruit.count || !company.count) return `${where}: one sense only, and the vector is right for every sentence.`;
  const far = senses.map(({ distance, name }) => `${long(distance)} from the ${name}`).join(" and ");
  return `${where}: ${far}. ${verdict(fruit, company)}`;
}

function verdict(fruit, company) {
  if (fruit.count === company.count) return "It is right for no sentence at all.";
  const [more, less] = fruit.count > company.count ? [fruit, company] : [company, fruit];
  return `In “${less.says}” it is still mostly a ${more.name}.`;
}

// --- the drawing ---

const PRESETS = [[9000, "9,000 to 1,000"], [5000, "half and half"], [1000, "1,000 to 9,000"]];

function render({ model, el }) {
  const root = frame(select(el), "average-meaning", "Average meaning");
  let flies = false;
  const drawControls = controls(controlBar(root), model, (fruit) => {
    flies = true;
    assign(model, { fruit });
    flies = false;
  });
  const stage = root.append("div").attr("class", "stage");
  const box = stage.append("div").attr("class", "plane");
  const drawPlane = plane(box, model);
  box.append("p").attr("class", "key").text("Drag “apple”, or move the slider. The thicker a line, the more sentences.");
  const side = stage.append("div").attr("class", "side");
  const hundred = side.append("div").attr("aria-hidden", "true");
  const drawDots = dots(hundred.append("div").attr("class", "dots"));
  hundred.append("p").attr("class", "key").text("Each dot is a hundred sentences.");
  const drawTable = table(side.append("table"));
  const say = sentence(root);
  const { fly, jump, stop } = flight(([apple]) => drawPlane(apple));
  const leave = follow(model, TRAITS, () => {
    const state = valuesOf(model, TRAITS);
    const { apple, senses } = look(state);
    drawControls(state);
    drawDots(state);
    drawTable(senses);
    say(describe(state));
    (flies ? fly : jump)([apple]);
  });
  return () => {
    leave();
    stop();
  };
}

function controls(bar, model, flyTo) {
  const drawSlider = slider(bar, model, "fruit", "Sentences on the fruit:", {
    lowest: 0,
    highest: ALL,
    step: STEP,
    ends: ["all on the company", "all on the fruit"],
    say: thousands,
  });
  const presets = bar.append("div").attr("class", "presets").attr("role", "group").attr("aria-label", "Fruit to company");
  const button = presets.selectAll("button").data(PRESETS).join("button").attr("type", "button").attr("class", "plain");
  button.text(([, text]) => text).on("click", (_, [fruit]) => flyTo(fruit));
  return (state) => {
    drawSlider(state);
    button.attr("aria-pressed", ([fruit]) => fruit === state.fruit);
  };
}

const SIDE = 220; // of the unit square, in the drawing's own pixels
const ROOM = { left: 92, top: 38, right: 74, bottom: 46 };
const toPixels = ([x, y]) => [ROOM.left + x * SIDE, ROOM.top + (1 - y) * SIDE];
const toVector = ([left, top]) => [(left - ROOM.left) / SIDE, 1 - (top - ROOM.top) / SIDE];
const WIDE = 14; // of both lines together

function plane(box, model) {
  const svg = box.append("svg").attr("aria-hidden", "true");
  svg.attr("viewBox", `0 0 ${ROOM.left + SIDE + ROOM.right} ${ROOM.top + SIDE + ROOM.bottom}`);
  drawAxes(svg.append("g").attr("class", "axes"));
  const pull = svg.append("g").attr("class", "pulls").selectAll("line").data(SENSES).join("line");
  pull.attr("class", ({ name }) => name);
  drawSenses(svg.append("g").attr("class", "senses"));
  const apple = svg.append("g").attr("class", "apple");
  apple.append("circle").attr("class", "hit").attr("r", 24);
  apple.append("circle").attr("class", "handle").attr("r", 15);
  apple.append("circle").attr("class", "dot").attr("r", 8);
  const name = apple.append("text").attr("class", "name").text("apple").attr("y", -18);
  const numbers = apple.append("text").attr("class", "vector").attr("y", -2);
  letDrag(apple, svg, model);
  return (at) => {
    const [x, y] = toPixels(at);
    const senses = SENSES.map((sense) => toPixels(sense.vector));
    pull.attr("x1", x).attr("y1", y).attr("x2", (_, s) => senses[s][0]).attr("y2", (_, s) => senses[s][1]);
    pull.style("stroke-width", (_, s) => Math.max(WIDE * at[s], 1));
    apple.attr("transform", `translate(${x},${y})`);
    name.attr("x", 14);
    numbers.attr("x", 14).text(written(at));
  };
}

function drawAxes(group) {
  const [origin, right, top] = [[0, 0], [1.12, 0], [0, 1.14]].map(toPixels);
  for (const [x, y] of [right, top]) {
    group.append("line").attr("x1", origin[0]).attr("y1", origin[1]).attr("x2", x).attr("y2", y);
  }
  const text = (x, y, words, anchor) =>
    group.append("text").attr("x", x).attr("y", y).attr("text-anchor", anchor).text(words);
  text(right[0], right[1] + 38, "taste →", "end");
  text(top[0] - 8, top[1] + 4, "↑ technology", "end");
}

function drawSenses(group) {
  const sense = group.selectAll("g").data(SENSES).join("g").attr("class", ({ name }) => name);
  sense.attr("transform", ({ vector: at }) => `translate(${toPixels(at)})`);
  sense.append("circle").attr("r", 6);
  // The company's words are left of the axis in two lines, where the word never comes; the fruit's are below in one.
  const lines = ({ name, vector: [x, y] }) => (name === "fruit" ? [`${name} [${x}, ${y}]`] : [name, `[${x}, ${y}]`]);
  const text = sense.append("text").attr("text-anchor", ({ name }) => (name === "fruit" ? "middle" : "end"));
  const line = text.selectAll("tspan").data((one) => lines(one).map((words) => ({ words, one }))).join("tspan");
  line.attr("x", ({ one }) => (one.name === "fruit" ? 0 : -12)).text(({ words }) => words);
  line.attr("y", ({ one }, i) => (one.name === "fruit" ? 22 : 16 * i - 2));
}

// By mouse or finger the word slides along the line between its senses; the keyboard has the slider above.
function letDrag(apple, svg, model) {
  let held = null;
  const move = (event) => assign(model, { fruit: nearestCount(toVector(pointerIn(event, svg.node()))) });
  apple.on("pointerdown", (event) => {
    if (held !== null || event.button !== 0) return;
    held = event.pointerId;
    apple.node().setPointerCapture(held);
  });
  apple.on("pointermove", (event) => held === event.pointerId && move(event));
  apple.on("lostpointercapture", (event) => {
    if (held === event.pointerId) held = null;
  });
  apple.on("touchstart", (event) => event.preventDefault(), { passive: false });
}

// A hundred dots, one for each hundred sentences.
function dots(box) {
  const dot = box.selectAll("span").data(Array.from({ length: ALL / STEP }, (_, i) => i)).join("span");
  return ({ fruit }) => dot.classed("fruit", (i) => i < Math.round(fruit / STEP));
}

function table(parent) {
  parent.append("caption").text("The one vector of “apple”, seen from each sense");
  const heads = ["", "sentences", "cosine", "distance"];
  parent.append("thead").append("tr").selectAll("th").data(heads).join("th").attr("scope", "col").attr("role", roleOfHead)
    .text((text) => text);
  const row = parent.append("tbody").selectAll("tr").data(SENSES).join("tr").attr("class", ({ name }) => name);
  row.append("th").attr("scope", "row").text(({ name }) => name);
  return (senses) => {
    const values = ({ count, cosine, distance }) => [
      { value: count, text: thousands(count) },
      { value: cosine, text: long(cosine) },
      { value: distance, text: long(distance) },
    ];
    const cell = row.data(senses).selectAll("td").data(values).join("td");
    cell.attr("data-value", ({ value }) => value).text(({ text }) => text);
  };
}

export default { render };
