// Gravity: three words in a plane, each pulled towards the words that its vector agrees with.
import { pointer, select } from "d3-selection";
import { matmul, softmax, transpose } from "./attention.js";
import { choice, controlBar } from "./controls.js";
import { drawMatrix, light } from "./matrix.js";
import { percent, setting, short, vector } from "./numbers.js";
import { FARTHEST, arrow, distance, nearest, nudge, placeLabels, plane } from "./plane.js";
import { assign, follow, frame, sentence, valuesOf } from "./widget.js";

const SENTENCES = { money: ["money", "bank", "grows"], river: ["river", "bank", "flows"] };
const OTHER = { money: "river", river: "money" };
const AXES = ["money", "water"];
const TRAITS = ["sentence", "chosen", "money", "bank", "grows", "river", "flows"];

// Self-attention with nothing learned: the rows of x ask, answer and are mixed.
export function selfAttention(x) {
  const scores = matmul(x, transpose(x));
  const weights = scores.map((row) => softmax(row));
  return { x, scores, weights, output: matmul(weights, x) };
}

// A sentence as it stands in the plane: its words, their vectors, and what attention makes of them.
export function look(state, name = state.sentence) {
  const words = SENTENCES[name];
  return { words, ...selfAttention(words.map((word) => state[word])) };
}

export function describe(state) {
  const { chosen } = state;
  const view = look(state);
  const what = `“${view.words[chosen]}” ${takes(view, chosen)}, and ${moves(view, chosen)}.`;
  return [what, ...besides(state, view)].join(" ");
}

function moves({ words, x, weights, output }, i) {
  const far = distance(x[i], output[i]);
  if (far < 1e-9) return `stays at ${vector(x[i])}`;
  if (far < 1e-4) return `hardly moves from ${vector(x[i])}`;
  const hardest = hardestPull({ x, weights }, i).map((j) => `“${words[j]}”`);
  return `moves to ${vector(output[i])}, towards ${hardest.join(" and ")}`;
}

function takes({ words, x, weights }, i) {
  if (isOrigin(x[i])) return "is at the origin: its score with every word is 0, so it takes a third from each";
  const from = words.map((word, j) => `${percent(weights[i][j])} from ${i === j ? "itself" : `“${word}”`}`);
  return `takes ${from[0]}, ${from[1]} and ${from[2]}`;
}

const isOrigin = (place) => place.every((value) => value === 0);

// A word moves by the sum of its pulls, each a weight times a distance, so it goes to the side of the hardest one.
export function hardestPull({ x, weights }, i) {
  const pulls = x.map((other, j) => weights[i][j] * distance(x[i], other));
  return [0, 1, 2].filter((j) => Math.max(...pulls) - pulls[j] < 1e-9);
}

// What else there is to say, if anything: words in one place, or where the other sentence takes the same bank.
function besides(state, { words, x }) {
  const pairs = [[0, 1], [1, 2], [0, 2]].filter(([i, j]) => distance(x[i], x[j]) === 0);
  if (pairs.length === 3) return ["All three words are in one place, so nothing can pull them away."];
  if (pairs.length) {
    const [one, two] = pairs[0].map((i) => words[i]);
    return [`“${one}” and “${two}” are in one place: their rows are the same, and they move together.`];
  }
  if (words[state.chosen] !== "bank") return [];
  const other = look(state, OTHER[state.sentence]);
  return [`Between “${other.words[0]}” and “${other.words[2]}” the same vector ${moves(other, 1)}.`];
}

function render({ model, el }) {
  const root = frame(select(el), "gravity", "Gravity");
  const drawControls = controls(controlBar(root), model);
  const stage = root.append("div").attr("class", "stage");
  const box = stage.append("div").attr("class", "plane");
  const drawing = picture(box, model);
  legend(box, model);
  const drawMatrices = matrices(stage);
  const say = sentence(root);
  const draw = () => {
    const state = valuesOf(model, TRAITS);
    const view = look(state);
    drawControls(view, state);
    drawMatrices(view, state.chosen);
    drawing.draw(view, state.chosen); // last, since it takes the room that the matrices leave
    say(describe(state));
  };
  // A frame later, since drawing changes the height of what is observed.
  const resized = new ResizeObserver(() => requestAnimationFrame(() => drawing.fit() && draw()));
  const leave = follow(model, TRAITS, draw);
  resized.observe(box.node());
  return () => {
    leave();
    resized.disconnect();
  };
}

function controls(bar, model) {
  const sentences = Object.entries(SENTENCES).map(([name, words]) => [name, words.join(" ")]);
  const drawSentence = choice(bar, model, "sentence", "Sentence", sentences);
  const drawChosen = choice(bar, model, "chosen", "Show the pull on", [0, 1, 2]);
  return ({ words }, state) => {
    drawSentence(state);
    drawChosen(state);
    bar.selectAll(".chosen .option").text((_, i) => words[i]);
  };
}

// The plane, as wide as its box. fit tells whether the width has changed, and with it everything that is drawn.
function picture(box, model) {
  const svg = box.append("svg").attr("role", "group").attr("aria-label", "Plane: move a word with the arrow keys");
  const layer = (name) => svg.append("g").attr("class", name).attr("aria-hidden", "true");
  const [axes, pulls] = ["axes", "pulls"].map(layer);
  const drawWords = wordHandles(svg, model);
  const [arrows, labels] = ["arrows", "labels"].map(layer);
  let field;
  const fit = () => {
    const width = box.node().clientWidth || 340; // not yet in the page
    if (width === field?.width) return false;
    field = plane(width);
    svg.attr("width", width).attr("height", field.height);
    drawAxes(axes, field);
    return true;
  };
  const draw = (view, chosen) => {
    if (!field) fit();
    const at = { dots: view.x.map(field.toPixels), tips: view.output.map(field.toPixels) };
    drawPulls(pulls, at, view.weights[chosen], chosen);
    const arrowTo = arrows.selectAll("path").data(at.dots).join("path").classed("on", (_, i) => i === chosen);
    arrowTo.attr("d", (dot, i) => arrow(dot, at.tips[i]));
    drawLabels(labels, view, at, chosen, field);
    drawWords(view, at.dots, chosen, field);
  };
  return { fit, draw };
}

const NOTE =
  "Drag a word, or go to it with Tab and press the arrow keys, with Shift for larger steps. " +
  '<b class="first">Arrows</b> lead from the old vectors to the new ones. ' +
  'The <b class="second">lines and the ring</b> are as thick as the weights. ' +
  "The directions are called money and water for this picture only.";

function legend(box, model) {
  box.append("p").attr("class", "note").html(NOTE);
  const again = box.append("button").attr("type", "button").attr("class", "plain").text("Start again");
  again.on("click", () => assign(model, model.get("start")));
}

function drawAxes(group, { toPixels, width }) {
  const ticks = Array.from({ length: 2 * FARTHEST + 1 }, (_, i) => i - FARTHEST);
  const lines = ticks.flatMap((t) => [[[t, -FARTHEST], [t, FARTHEST], t], [[-FARTHEST, t], [FARTHEST, t], t]]);
  const line = group.selectAll("line").data(lines).join("line").classed("zero", ([, , t]) => t === 0);
  line.each(function ([from, to]) {
    place(select(this), toPixels(from), toPixels(to));
  });
  const [left, bottom] = toPixels([-FARTHEST, -FARTHEST]);
  const texts = [
    ...ticks.map((t) => ({ x: toPixels([t, 0])[0], y: bottom + 16, text: setting(t), anchor: "middle" })),
    ...ticks.map((t) => ({ x: left - 7, y: toPixels([0, t])[1] + 4, text: setting(t), anchor: "end" })),
    { x: width - 14, y: bottom + 35, text: `${AXES[0]} →`, anchor: "end" },
    { x: left, y: 16, text: `↑ ${AXES[1]}`, anchor: "start" },
  ];
  const text = group.selectAll("text").data(texts).join("text").text((d) => d.text);
  text.attr("x", (d) => d.x).attr("y", (d) => d.y).attr("text-anchor", (d) => d.anchor);
}

const place = (line, [x1, y1], [x2, y2]) => line.attr("x1", x1).attr("y1", y1).attr("x2", x2).attr("y2", y2);

// The weights of the chosen word add up to so many pixels: lines to the others, and a ring for what it keeps.
const ALL_OF_IT = 16;
const DOT = 6;

// No new vector can leave the triangle of the old ones.
function drawPulls(group, { dots }, weights, chosen) {
  group.selectAll("polygon").data([dots]).join((enter) => enter.insert("polygon", ":first-child")).attr("points", String);
  const [x, y] = dots[chosen];
  const line = group.selectAll("line").data(dots).join("line").style("stroke-width", (_, j) => ALL_OF_IT * weights[j]);
  line.each(function (dot) {
    place(select(this), [x, y], dot);
  });
  const ring = group.selectAll("circle").data([ALL_OF_IT * weights[chosen]]).join("circle");
  ring.attr("cx", x).attr("cy", y).attr("r", (wide) => DOT + wide / 2).style("stroke-width", (wide) => wide);
}

function drawLabels(group, { words, weights }, { dots, tips }, chosen, field) {
  const sizes = words.map((word) => [10 * word.length, 28]);
  const away = words.map((_, i) => (i === chosen ? Math.max(14, DOT + 4 + ALL_OF_IT * weights[i][i]) : 14));
  const lines = [...dots.map((dot, i) => [dot, tips[i]]), ...dots.map((dot) => [dot, dots[chosen]])];
  const centres = placeLabels(dots, away, sizes, lines, field.edges);
  const label = group.selectAll("g").data(words).join((enter) => enter.append("g").each(emptyLabel));
  label.attr("transform", (_, i) => `translate(${centres[i]})`);
  label.select(".name").text((word) => word);
  label.select(".weight").data(weights[chosen]).text(short).attr("data-value", (weight) => weight);
}

function emptyLabel() {
  const label = select(this);
  label.append("text").attr("class", "name").attr("y", -3);
  label.append("text").attr("class", "weight").attr("y", 13);
}

function wordHandles(svg, model) {
  const handle = svg.append("g").selectAll("g").data([0, 1, 2]).join("g").attr("class", "word").attr("tabindex", 0);
  handle.attr("role", "slider").attr("aria-roledescription", "movable word");
  handle.attr("aria-valuemin", -FARTHEST).attr("aria-valuemax", FARTHEST);
  handle.append("circle").attr("class", "hit").attr("r", 22);
  handle.append("circle").attr("class", "ring").attr("r", DOT + 5);
  handle.append("circle").attr("class", "dot").attr("r", DOT);
  const drawn = {};
  letDrag(handle, svg, model, drawn);
  handle.on("keydown", (event, i) => {
    const to = nudge(event.key, event.shiftKey, drawn.x[i]);
    if (!to) return;
    event.preventDefault();
    assign(model, { [drawn.words[i]]: to });
  });
  return ({ words, x }, dots, chosen, field) => {
    Object.assign(drawn, { words, x, dots, field });
    handle.attr("transform", (i) => `translate(${dots[i]})`).classed("on", (i) => i === chosen);
    handle.attr("aria-label", (i) => words[i]).attr("aria-valuenow", (i) => x[i][0]);
    handle.attr("aria-valuetext", (i) => x[i].map((value, axis) => `${AXES[axis]} ${setting(value)}`).join(", "));
  };
}

// The mouse or a finger takes the dot that is nearest, even where two are close together, and keeps it until it is
// lifted, wherever it goes.
function letDrag(handle, svg, model, drawn) {
  let held = null;
  handle.on("pointerdown", (event) => {
    if (held || event.button !== 0) return;
    const [x, y] = pointer(event, svg.node());
    const i = nearest(drawn.dots, [x, y]);
    held = { id: event.pointerId, word: drawn.words[i], right: drawn.dots[i][0] - x, down: drawn.dots[i][1] - y };
    handle.nodes()[i].setPointerCapture(event.pointerId);
    handle.nodes()[i].focus({ preventScroll: true });
  });
  handle.on("pointermove", (event) => {
    if (held?.id !== event.pointerId) return;
    const [x, y] = pointer(event, svg.node());
    assign(model, { [held.word]: drawn.field.toVector([x + held.right, y + held.down]) });
  });
  handle.on("lostpointercapture", (event) => {
    if (held?.id === event.pointerId) held = null;
  });
  // Not the dot under the mouse but the nearest is to have the focus.
  handle.on("mousedown", (event) => event.preventDefault());
  // Not every browser heeds the style sheet's touch-action inside a picture.
  handle.on("touchstart", (event) => event.preventDefault(), { passive: false });
}

function matrices(stage) {
  const box = stage.append("div").attr("class", "matrices");
  const [old, scores, weights, output] = ["old", "scores", "weights", "output"].map((name) =>
    box.append("table").attr("class", name),
  );
  return ({ words, ...view }, chosen) => {
    const rows = { rowHeads: words, width: 46 }; // room for −2.15, so that no column moves in a drag
    const [toWords, toAxes] = [words, AXES].map((columnHeads) => ({ ...rows, columnHeads }));
    drawMatrix(old, { ...toAxes, matrix: view.x, name: "old: x" });
    drawMatrix(scores, { ...toWords, matrix: view.scores, name: "scores = x x<sup>T</sup>" });
    drawMatrix(weights, { ...toWords, matrix: view.weights, name: "weights = softmax", shade: true });
    drawMatrix(output, { ...toAxes, matrix: view.output, name: "new = weights x" });
    for (const table of [old, scores, weights, output]) light(table, chosen, -1);
  };
}

export default { render };
