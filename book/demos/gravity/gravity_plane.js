// Gravity's plane: five words that can be moved, where attention takes them, and how hard bank is drawn to each.
import { select } from "d3-selection";
import { BANK, SENTENCES, selfAttention } from "./falling.js";
import { setting, short } from "../shared/numbers.js";
import { HIGHEST, LOWEST, arrow, distance, nearest, nudge, placeLabels, plane } from "./plane.js";
import { assign, pointerIn } from "../shared/widget.js";

export const WORDS = ["money", "bank", "grows", "river", "flows"];
const AXES = ["money", "water"];
// The words of one sentence, then of the other. Before the first step both banks are in one place.
const BODIES = Object.entries(SENTENCES).flatMap(([of, words]) => words.map((word, i) => ({ of, word, i })));

// As wide as its box. fit tells whether the width has changed, and with it everything that is drawn.
export function picture(box, model) {
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
  const draw = (points, state) => {
    if (!field) fit();
    const bodies = bodiesAt(points, state, field);
    drawPulls(pulls, bodies);
    drawArrows(arrows, bodies);
    drawLabels(labels, bodies, state, field);
    drawWords(bodies, state, field);
  };
  return { fit, draw };
}

// What attention makes of the points on show, which in a flight are on their way. weight: what bank takes of the word.
function bodiesAt(points, state, { toPixels }) {
  const views = { money: selfAttention(points.slice(0, 3)), river: selfAttention(points.slice(3)) };
  return BODIES.map((body, k) => {
    const { weights, output } = views[body.of];
    const next = output[body.i];
    const seen = { dot: toPixels(points[k]), tip: toPixels(next), next, weight: weights[BANK][body.i] };
    return { ...body, ...seen, isBank: body.i === BANK, chosen: body.of === state.sentence };
  });
}

function drawAxes(group, { toPixels, width }) {
  const ticks = Array.from({ length: HIGHEST - LOWEST + 1 }, (_, i) => LOWEST + i);
  const lines = ticks.flatMap((t) => [[[t, LOWEST], [t, HIGHEST], t], [[LOWEST, t], [HIGHEST, t], t]]);
  const line = group.selectAll("line").data(lines).join("line").classed("zero", ([, , t]) => t === 0);
  line.each(function ([from, to]) {
    place(select(this), toPixels(from), toPixels(to));
  });
  const [left, bottom] = toPixels([LOWEST, LOWEST]);
  const texts = [
    ...ticks.map((t) => ({ x: toPixels([t, 0])[0], y: bottom + 15, text: setting(t), anchor: "middle" })),
    ...ticks.map((t) => ({ x: left - 7, y: toPixels([0, t])[1] + 4, text: setting(t), anchor: "end" })),
    { x: width - 14, y: bottom + 31, text: `${AXES[0]} →`, anchor: "end" },
    { x: left, y: 11, text: `↑ ${AXES[1]}`, anchor: "start" },
    { x: left, y: bottom + 31, text: "lines, ring: bank’s weights", anchor: "start" },
  ];
  const text = group.selectAll("text").data(texts).join("text").text((d) => d.text);
  text.attr("x", (d) => d.x).attr("y", (d) => d.y).attr("text-anchor", (d) => d.anchor);
}

const place = (line, [x1, y1], [x2, y2]) => line.attr("x1", x1).attr("y1", y1).attr("x2", x2).attr("y2", y2);

// The weights of bank add up to so many pixels: lines to the others, and a ring for what it keeps.
const ALL_OF_IT = 16;
const DOT = 6;

// A triangle for each sentence, which no new vector can leave; lines and ring for the chosen one.
function drawPulls(group, bodies) {
  const sentences = Object.keys(SENTENCES).map((name) => bodies.filter(({ of }) => of === name));
  const triangle = group.selectAll("polygon").data(sentences).join((enter) => enter.insert("polygon", "line"));
  triangle.attr("class", ([{ of }]) => of).attr("points", (three) => three.map(({ dot }) => dot));
  const three = sentences.find(([{ chosen }]) => chosen);
  const line = group.selectAll("line").data(three).join("line");
  line.style("stroke-width", ({ weight }) => ALL_OF_IT * weight);
  const { dot: from, weight } = three[BANK];
  line.each(function ({ dot }) {
    place(select(this), from, dot);
  });
  const ring = group.selectAll("circle").data([ALL_OF_IT * weight]).join("circle");
  ring.attr("cx", from[0]).attr("cy", from[1]);
  ring.attr("r", (wide) => DOT + wide / 2).style("stroke-width", (wide) => wide);
}

function drawArrows(group, bodies) {
  const path = group.selectAll("path").data(bodies).join("path");
  path.attr("class", ({ of }) => of).classed("on", ({ isBank }) => isBank).attr("d", ({ dot, tip }) => arrow(dot, tip));
}

function drawLabels(group, bodies, state, field) {
  const labels = labelsOf(bodies, state);
  const sizes = labels.map(({ name, below }) => [Math.max(9 * name.length, 7.5 * below.length), below ? 28 : 16]);
  const bank = bodies.find(({ isBank, chosen }) => isBank && chosen);
  const lines = bodies.flatMap(({ dot, tip, chosen }) => [[dot, tip], ...(chosen ? [[dot, bank.dot]] : [])]);
  const [at, away] = ["at", "away"].map((key) => labels.map((label) => label[key]));
  const centres = placeLabels(at, away, sizes, lines, field.edges);
  const label = group.selectAll("g").data(labels).join((enter) => enter.append("g").each(emptyLabel));
  label.attr("class", ({ of }) => of).attr("transform", (_, i) => `translate(${centres[i]})`);
  label.select(".name").text(({ name }) => name).attr("y", ({ below }) => (below ? -3 : 5));
  label.select(".below").text(({ below }) => below);
}

function emptyLabel() {
  const label = select(this);
  label.append("text").attr("class", "name");
  label.append("text").attr("class", "below").attr("y", 13);
}

// Under the words of the chosen sentence is what bank takes of each. The new banks are named where the arrows end,
// and after a step, where they are.
export function labelsOf(bodies, { steps }) {
  const [first, second] = [bodies.slice(0, 3), bodies.slice(3)];
  if (steps) return [first, second].flatMap((three) => (areOne(three) ? [together(three)] : three.map(named)));
  const banks = bodies.filter(({ isBank }) => isBank);
  const shared = (body) => (body.isBank ? { ...named(body), of: "both", name: body.word } : named(body));
  return [...banks.map(ofNew), ...bodies.filter(({ isBank, chosen }) => !isBank || chosen).map(shared)];
}

const BESIDE = 14; // pixels from the middle of a dot

const named = ({ of, word, isBank, chosen, dot, weight }) => ({
  of,
  name: isBank ? `${of} ${word}` : word,
  below: chosen ? short(weight) : "",
  at: dot,
  away: isBank && chosen ? Math.max(BESIDE, DOT + 4 + ALL_OF_IT * weight) : BESIDE,
});

const ofNew = ({ of, word, next, tip }) => ({
  of,
  name: `${of} ${word}`,
  below: `[${next.map(short).join(", ")}]`,
  at: tip,
  away: 6,
});

// Dots that cover each other are named together.
const areOne = ([one, two, three]) =>
  [[one, two], [two, three], [one, three]].every(([a, b]) => distance(a.dot, b.dot) < 2 * DOT);

const together = (three) => ({
  of: three[0].of,
  name: three.map(({ word }) => word).join(" "),
  below: "",
  at: three[BANK].dot,
  away: BESIDE + ALL_OF_IT,
});

function wordHandles(svg, model) {
  const handle = svg.append("g").selectAll("g").data(WORDS).join("g").attr("class", "word").attr("tabindex", 0);
  handle.attr("role", "slider").attr("aria-roledescription", "movable word").attr("aria-label", (word) => word);
  handle.attr("aria-valuemin", LOWEST).attr("aria-valuemax", HIGHEST);
  const drawn = {};
  letDrag(handle, svg, model, drawn);
  handle.on("keydown", (event, word) => {
    const to = nudge(event.key, event.shiftKey, model.get(word));
    if (!to) return;
    event.preventDefault();
    assign(model, { steps: 0, [word]: to });
  });
  return (bodies, state, field) => {
    Object.assign(drawn, { bodies, field });
    const spot = handle.selectAll("g").data((word) => bodies.filter((body) => body.word === word));
    const both = spot.join((enter) => enter.append("g").each(emptySpot));
    both.attr("transform", ({ dot }) => `translate(${dot})`).attr("class", ({ of }) => of);
    handle.attr("aria-valuenow", (word) => state[word][0]);
    handle.attr("aria-valuetext", (word) => state[word].map((value, i) => `${AXES[i]} ${setting(value)}`).join(", "));
  };
}

function emptySpot() {
  const spot = select(this);
  spot.append("circle").attr("class", "hit").attr("r", 22);
  spot.append("circle").attr("class", "ring").attr("r", DOT + 5);
  spot.append("circle").attr("class", "dot").attr("r", DOT);
}

// The mouse or a finger takes the dot that is nearest, even where two are close together, and keeps its word until it
// is lifted, wherever it goes. What is dragged after a step begins where it is let go, and so does its sentence.
function letDrag(handle, svg, model, drawn) {
  let held = null;
  handle.on("pointerdown", (event) => {
    if (held || event.button !== 0) return;
    const [x, y] = pointerIn(event, svg.node());
    const { word, dot } = drawn.bodies[nearest(drawn.bodies.map((body) => body.dot), [x, y])];
    held = { id: event.pointerId, word, right: dot[0] - x, down: dot[1] - y };
    const node = handle.nodes()[WORDS.indexOf(word)];
    node.setPointerCapture(event.pointerId);
    node.focus({ preventScroll: true });
  });
  handle.on("pointermove", (event) => {
    if (held?.id !== event.pointerId) return;
    const [x, y] = pointerIn(event, svg.node());
    assign(model, { steps: 0, [held.word]: drawn.field.toVector([x + held.right, y + held.down]) });
  });
  handle.on("lostpointercapture", (event) => {
    if (held?.id === event.pointerId) held = null;
  });
  // Not the dot under the mouse but the nearest is to have the focus.
  handle.on("mousedown", (event) => event.preventDefault());
  // Not every browser heeds the style sheet's touch-action inside a picture.
  handle.on("touchstart", (event) => event.preventDefault(), { passive: false });
}
