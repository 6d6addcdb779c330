// Gravity's plane: words as discs whose area is their mass, a halo of what bank takes of each, and the two new banks on
// springs.
import { select } from "d3-selection";
import { BANK, NAMES, SENTENCES, TRAY, guestsOf, massAndPull, selfAttention, stations, wordsOf } from "./falling.js";
import { holdable, looked } from "../shared/hand.js";
import { setting } from "../shared/numbers.js";
import { HIGHEST, LARGEST, LOWEST, OUTSIDE, coil, distance, nudge, placeLabels, plane } from "./plane.js";
import { assign } from "../shared/widget.js";

export const WORDS = [...new Set(Object.values(SENTENCES).flat())];
const AXES = ["money", "water"];
const HALO = 0.95; // units around the edge of a word that bank takes from
const SOFT = 14; // pixels in which a halo fades before the edge
const THICK = 15; // pixels of a line that carries all of the weight

// A disc has so many pixels around its middle; the heaviest would cover the plane.
const radius = (vector, unit) => Math.min((unit / 16) * Math.sqrt(massAndPull([vector], 0).mass[0]), LARGEST * unit);

export const bodiesOf = (state) =>
  NAMES.flatMap((of) => wordsOf(state, of).map((word, i) => ({ of, word, i, isBank: i === BANK })));

// look(word) is told which word is looked at, null when none is.
export function picture(box, model, look) {
  const svg = box.append("svg").attr("role", "group").attr("aria-label", "Plane: move a word with the arrow keys");
  gradients(svg);
  const layer = (name) => svg.append("g").attr("class", name).attr("aria-hidden", "true");
  const [axes, halos, trails, threads, coils] = ["axes", "halos", "trails", "threads", "coils"].map(layer);
  halos.attr("mask", "url(#gravity-ground)");
  const drawWords = words(svg, model, look, () => field);
  const [tips, labels] = ["tips", "labels"].map(layer);
  let field;
  const fit = () => {
    const width = box.node().clientWidth || 340; // not yet in the page
    if (width === field?.width) return false;
    field = plane(width);
    svg.attr("width", width).attr("height", field.height);
    drawAxes(axes, field);
    const { left, right, top, bottom } = field.ground;
    placed(svg.select("mask rect"), { left: left + SOFT, right: right - SOFT, top: top + SOFT, bottom: bottom - SOFT });
    return true;
  };
  // points: every word of both sentences; ends: the two new banks. In a flight both are on their way.
  const draw = (points, ends, state) => {
    if (!field) fit();
    const shown = seen(points, ends, state, field);
    drawHalos(halos, shown, field);
    drawTrails(trails, state, field);
    drawThreads(threads, shown);
    drawCoils(coils, shown, (tip) => look(tip && { newBankOf: tip.of }));
    drawWords(shown.bodies, state);
    drawTips(tips, shown);
    drawLabels(labels, shown, field);
  };
  return { fit, draw, node: () => svg.node(), at: (place) => field.toVector(place), isInside: (place) => field.holds(place) };
}

// What the points come to: each body with its place in pixels, its size, and what bank takes of it.
function seen(points, ends, state, { toPixels, unit }) {
  const all = bodiesOf(state);
  const views = Object.fromEntries(
    NAMES.map((name) => [name, selfAttention(points.filter((_, k) => all[k].of === name))]),
  );
  const bodies = all.map((body, k) => ({
    ...body,
    dot: toPixels(points[k]),
    size: radius(points[k], unit),
    weight: views[body.of].weights[BANK][body.i],
    chosen: body.of === state.sentence,
  }));
  const banks = NAMES.map((of) => bodies.find((body) => body.of === of && body.isBank));
  const tips = NAMES.map((of, k) => ({ of, bank: banks[k], dot: toPixels(ends[k]), size: radius(ends[k], unit), vector: ends[k] }));
  return { bodies, banks, tips, areOne: distance(banks[0].dot, banks[1].dot) < 1 };
}

// The light on each disc, the halves of a bank that both sentences share, and halos.
function gradients(svg) {
  const defs = svg.append("defs");
  for (const of of NAMES) {
    const disc = defs.append("radialGradient").attr("id", `disc-${of}`).attr("cx", 0.35).attr("cy", 0.3).attr("class", of);
    disc.append("stop").attr("offset", 0).attr("class", "light");
    disc.append("stop").attr("offset", 1).attr("class", "full");
    const halo = defs.append("radialGradient").attr("id", `halo-${of}`).attr("class", of);
    for (let i = 0; i <= 8; i++) {
      halo.append("stop").attr("offset", i / 8).attr("class", "full").attr("stop-opacity", (1 - i / 8) ** 2);
    }
  }
  // Halos end softly before the edge of the ground.
  const blur = defs.append("filter").attr("id", "gravity-soft");
  blur.append("feGaussianBlur").attr("stdDeviation", SOFT / 2);
  const mask = defs.append("mask").attr("id", "gravity-ground").attr("maskUnits", "userSpaceOnUse");
  for (const [key, value] of [["x", 0], ["y", 0], ["width", "100%"], ["height", "100%"]]) mask.attr(key, value);
  mask.append("rect").attr("fill", "white").attr("filter", "url(#gravity-soft)");
  const both = defs.append("linearGradient").attr("id", "disc-both");
  const halves = [["money", 0.5], ["river", 0.5]];
  both.selectAll("stop").data(halves).join("stop").attr("offset", ([, at]) => at).attr("class", ([of]) => `full ${of}`);
}

const placed = (rect, { left, right, top, bottom }) =>
  rect.attr("rx", 8).attr("x", left).attr("y", top).attr("width", right - left).attr("height", bottom - top);

function drawAxes(group, { toPixels, edges, ground, unit }) {
  const whole = Array.from({ length: HIGHEST - LOWEST + 1 }, (_, i) => LOWEST + i);
  const [x, y] = toPixels([0, 0]);
  const lines = [[edges.left, y, edges.right, y], [x, edges.top, x, edges.bottom]];
  const line = group.selectAll("line").data(lines).join("line");
  line.attr("x1", ([a]) => a).attr("y1", ([, b]) => b).attr("x2", ([, , c]) => c).attr("y2", ([, , , d]) => d);
  const places = whole.flatMap((right) => whole.map((up) => toPixels([right, up])));
  group.selectAll("circle").data(places).join("circle").attr("cx", ([a]) => a).attr("cy", ([, b]) => b).attr("r", 1.5);
  placed(group.selectAll("rect").data([0]).join((enter) => enter.insert("rect", ":first-child")), ground);
  // The names of the axes run along the outside of the plane, where no word can cover them.
  const below = (value) => [toPixels([value, 0])[0], ground.bottom + OUTSIDE - 4];
  const beside = (value) => [OUTSIDE - 7, toPixels([0, value])[1]];
  const ticks = whole.flatMap((value) => [{ text: setting(value), at: below(value) }, { text: setting(value), at: [beside(value)[0], beside(value)[1] + 4] }]);
  const between = HIGHEST - 0.5;
  const names = [{ text: `${AXES[0]} →`, at: below(between) }, { text: `${AXES[1]} →`, at: [beside(between)[0] + 3, beside(between)[1]], turn: " rotate(-90)" }];
  const text = group.selectAll("text").data([...ticks, ...names]).join("text").text((one) => one.text);
  text.attr("transform", ({ at, turn = "" }) => `translate(${at})${turn}`).attr("text-anchor", "middle");
  group.style("font-size", unit < 70 ? "0.6875rem" : null);
}

// Around each word, the stronger the more bank takes of it.
function drawHalos(group, { bodies }, { unit }) {
  const others = bodies.filter(({ isBank }) => !isBank);
  const circle = group.selectAll("circle").data(others).join("circle").attr("fill", ({ of }) => `url(#halo-${of})`);
  circle.attr("cx", ({ dot }) => dot[0]).attr("cy", ({ dot }) => dot[1]).attr("r", ({ size }) => size + HALO * unit);
  circle.style("opacity", ({ weight, chosen }) => Math.min(1, 1.3 * weight) * (chosen ? 1 : 0.45));
}

// Where each word has been: its first place as a ring, and its way from there.
function drawTrails(group, state, { toPixels }) {
  const ways = NAMES.flatMap((of) => {
    const all = stations(state, of);
    return all[0].map((_, i) => ({ of, way: all.map((points) => toPixels(points[i])) }));
  });
  const trail = group.selectAll("g").data(state.steps ? ways : []).join((enter) => {
    const added = enter.append("g");
    added.append("circle").attr("class", "ghost").attr("r", 6);
    added.append("polyline");
    return added;
  });
  trail.attr("class", ({ of }) => of);
  trail.select("circle").attr("cx", ({ way }) => way[0][0]).attr("cy", ({ way }) => way[0][1]);
  trail.select("polyline").attr("points", ({ way }) => way.join(" "));
}

// From bank to the other words, as thick as what it takes of them.
function drawThreads(group, { bodies, banks }) {
  const others = bodies.filter(({ isBank }) => !isBank);
  const line = group.selectAll("line").data(others).join("line").attr("class", ({ of, chosen }) => `${of}${chosen ? " chosen" : ""}`);
  const from = ({ of }) => banks[NAMES.indexOf(of)].dot;
  line.attr("x1", (body) => from(body)[0]).attr("y1", (body) => from(body)[1]);
  line.attr("x2", ({ dot }) => dot[0]).attr("y2", ({ dot }) => dot[1]);
  line.style("stroke-width", ({ weight }) => THICK * weight).attr("data-value", ({ weight }) => weight);
}

function drawCoils(group, { tips }, look) {
  const path = group.selectAll("path.spring").data(tips).join("path").attr("class", ({ of }) => `spring ${of}`);
  path.attr("d", ({ bank, dot, size }) => coil(bank.dot, dot, bank.size, size));
  const hit = group.selectAll("path.near").data(tips).join((enter) => looked(enter.append("path").attr("class", "near"), look));
  hit.attr("d", ({ bank, dot }) => `M${bank.dot}L${dot}`);
}

function drawTips(group, { tips }) {
  const tip = group.selectAll("circle").data(tips).join("circle").attr("class", ({ of }) => of);
  tip.attr("cx", ({ dot }) => dot[0]).attr("cy", ({ dot }) => dot[1]).attr("r", ({ size }) => size);
  tip.attr("fill", ({ of }) => `url(#disc-${of})`).attr("data-value", ({ vector }) => vector);
}

// Names beside the discs; what bank keeps of itself stands below its own.
export function labelsOf({ bodies, tips, areOne }) {
  const isNear = ({ of, dot }) => distance(dot, bankOf(bodies, of).dot) < CLOSE;
  const fallen = areOne ? [] : NAMES.filter((of) => bodies.filter((body) => body.of === of).every(isNear));
  const together = fallen.map((of) => {
    const { dot, size } = bankOf(bodies, of);
    const name = bodies.filter((body) => body.of === of).map(({ word }) => word).join(" ");
    return { of, name, below: "", at: dot, away: size + 4 };
  });
  const left = { bodies: bodies.filter(({ of }) => !fallen.includes(of)), tips: tips.filter(({ of }) => !fallen.includes(of)) };
  return [...together, ...labelsApart(left, areOne)];
}

const CLOSE = 14; // pixels: words nearer than that are named together
const bankOf = (bodies, of) => bodies.find((body) => body.of === of && body.isBank);

function labelsApart({ bodies, tips }, areOne) {
  const isShown = ({ isBank, chosen }) => !isBank || (areOne && chosen);
  const named = bodies.filter(isShown).map(({ of, word, isBank, dot, size, weight }) => ({
    of: isBank ? "both" : of,
    name: word,
    below: isBank ? `keeps ${weight.toFixed(2)}` : "",
    at: dot,
    away: size + 3,
    heading: isBank ? null : awayFrom(bankOf(bodies, of).dot, dot),
  }));
  // A word's name is on the side away from bank. A new bank's is beside its spring.
  const ends = tips.map(({ of, bank, dot, size }) => {
    const others = bodies.filter((body) => body.of === of && !body.isBank).map((body) => body.dot);
    return { of, name: `${of} bank`, below: "", at: dot, away: size + 3, heading: bank ? asideOf(bank.dot, dot, others) : null };
  });
  return [...named, ...ends, ...taken({ bodies })];
}

const awayFrom = (from, to) => (distance(from, to) > 1 ? [to[0] - from[0], to[1] - from[1]] : null);

// Beside the line to each word of the chosen sentence, what bank takes of it; the largest says what the number is.
function taken({ bodies }) {
  const others = bodies.filter(({ isBank, chosen }) => chosen && !isBank);
  const most = Math.max(...others.map(({ weight }) => weight));
  return others.map(({ of, dot, size, weight }, i) => {
    const from = bankOf(bodies, of).dot;
    const long = distance(from, dot);
    const share = long ? Math.max(0.5, (long - size - 16) / long) : 1; // near the word, clear of the new bank
    const isFirst = others.findIndex((other) => other.weight === most) === i;
    const text = `${isFirst ? "takes " : ""}${weight.toFixed(2)}`;
    const heading = asideOf(from, dot, others.map((other) => other.dot));
    return { of, name: "", below: text, at: from.map((value, axis) => value + share * (dot[axis] - value)), away: 5, heading };
  });
}

// Straight off a line, to the side on which fewer other lines leave from the same place.
function asideOf(from, to, ends) {
  const way = awayFrom(from, to);
  if (!way) return null;
  const ways = ends.map((end) => awayFrom(from, end)).filter((other) => other);
  const onRight = ways.reduce((sum, [x, y]) => sum + (way[0] * y - way[1] * x) / Math.hypot(x, y), 0);
  return onRight > 0 ? [way[1], -way[0]] : [-way[1], way[0]];
}

function drawLabels(group, shown, field) {
  const labels = labelsOf(shown);
  const sizes = labels.map(({ name, below }) => [Math.max(8.6 * name.length, 7 * below.length) + 4, name && below ? 30 : name ? 17 : 14]);
  const lines = [...shown.bodies.map(({ of, dot }) => [shown.banks[NAMES.indexOf(of)].dot, dot]), ...shown.tips.map(({ bank, dot }) => [bank.dot, dot])];
  const [at, away, headings] = ["at", "away", "heading"].map((key) => labels.map((label) => label[key]));
  const { left, right, top, bottom } = field.ground;
  const room = { left: left + 4, right: right - 4, top: top + 2, bottom: bottom - 2 };
  const centres = placeLabels(at, away, sizes, lines, room, [...shown.bodies, ...shown.tips], headings);
  const label = group.selectAll("g").data(labels).join((enter) => {
    const added = enter.append("g");
    added.append("text").attr("class", "name");
    added.append("text").attr("class", "below");
    return added;
  });
  label.attr("class", ({ of }) => of).attr("transform", (_, i) => `translate(${centres[i]})`);
  label.select(".name").text(({ name }) => name).attr("y", ({ below }) => (below ? -3 : 5));
  label.select(".below").text(({ below }) => below).attr("y", ({ name }) => (name ? 13 : 5));
}

// The discs, which are grabbed, and moved with the arrow keys. A word that joined leaves when it is carried out.
function words(svg, model, look, field) {
  const group = svg.append("g");
  const guest = (word) => model.get("guests").find(([name]) => name === word);
  const vectorOf = (word) => guest(word)?.slice(2) ?? model.get(word);
  const moveTo = (word, to) => assign(model, { steps: 0, ...moved(model, word, to) });
  const take = function () {
    const word = select(this).datum();
    this.focus({ preventScroll: true });
    look(word);
    return {
      carry: (place) => moveTo(word, field().toVector(place)),
      drop: (event) => {
        const { left, right, top, bottom } = svg.node().getBoundingClientRect();
        const isOut = event.clientX < left || event.clientX > right || event.clientY < top || event.clientY > bottom;
        if (guest(word) && isOut) leave(model, word);
      },
    };
  };
  return (bodies, state) => {
    const names = [...WORDS, ...NAMES.flatMap((name) => guestsOf(state, name).map(([word]) => word))];
    const handle = group.selectAll("g.word").data(names, (word) => word).join((enter) => {
      const added = enter.append("g").attr("class", "word").attr("tabindex", 0).attr("role", "slider");
      added.attr("aria-roledescription", "movable word").attr("aria-label", (word) => word);
      added.attr("aria-valuemin", LOWEST).attr("aria-valuemax", HIGHEST);
      added.on("keydown", (event, word) => {
        if (guest(word) && /^(Delete|Backspace)$/.test(event.key)) return leave(model, word);
        const to = nudge(event.key, event.shiftKey, vectorOf(word));
        if (!to) return;
        event.preventDefault();
        moveTo(word, to);
      });
      added.on("focus", (_, word) => look(word)).on("blur", () => look(null));
      return looked(holdable(added, () => svg.node(), take), look);
    });
    const areOne = state.steps === 0;
    const spot = handle.selectAll("g").data((word) => bodies.filter((body) => body.word === word && (body.of === NAMES[0] || !body.isBank || !areOne)));
    const disc = spot.join((enter) => {
      const added = enter.append("g");
      added.append("circle").attr("class", "hit");
      added.append("circle").attr("class", "disc");
      return added;
    });
    disc.attr("transform", ({ dot }) => `translate(${dot})`).attr("class", (body) => (body.isBank && areOne ? "both" : body.of));
    disc.select(".hit").attr("r", ({ size }) => Math.max(size, 20));
    disc.select(".disc").attr("r", ({ size }) => size).attr("fill", (body) => `url(#disc-${body.isBank && areOne ? "both" : body.of})`);
    const now = (word) => vectorOf(word);
    handle.attr("aria-valuenow", (word) => now(word)[0]);
    handle.attr("aria-valuetext", (word) => now(word).map((value, i) => `${AXES[i]} ${setting(value)}`).join(", "));
  };
}

function moved(model, word, to) {
  const guests = model.get("guests");
  if (!guests.some(([name]) => name === word)) return { [word]: to };
  return { guests: guests.map((guest) => (guest[0] === word ? [word, guest[1], ...to] : guest)) };
}

export const leave = (model, word) =>
  assign(model, { steps: 0, guests: model.get("guests").filter(([name]) => name !== word) });

// A word joins the chosen sentence, at its own place or where it is let go.
export function join(model, word, at = TRAY[word]) {
  const others = model.get("guests").filter(([name]) => name !== word);
  assign(model, { steps: 0, guests: [...others, [word, model.get("sentence"), ...at]] });
}
