// Saturation: the scores of wider and wider keys, and what softmax makes of them, divided by √d_k or not.
import { select } from "d3-selection";
import { softmax, total } from "../shared/attention.js";
import { controlBar, onOff, slider } from "../shared/controls.js";
import { roleOfHead } from "../shared/matrix.js";
import { fading, long, percent, setting, share, short } from "../shared/numbers.js";
import { assign, follow, frame, sentence, valuesOf } from "../shared/widget.js";

const TRAITS = ["scores", "n_k", "d_k", "scaled", "row"];
const MEASURES = ["largest", "entropy", "slope"];
const TITLES = { largest: "largest weight", entropy: "entropy", slope: "slope" };
const BAND = 4; // to either side of 0
const FARTHEST = 100; // to either side of 0: the axis never changes, so that one sees the scores spread
const BIN = 4; // the band is two bins
const TICKS = [-100, -50, 0, 50, 100];
const SHARES = [0.01, 0.1, 0.5]; // of all scores, beside the bars

// --- the numbers ---

export const mean = (numbers) => total(numbers) / numbers.length;

export function deviation(numbers) {
  const middle = mean(numbers);
  return Math.sqrt(mean(numbers.map((number) => (number - middle) ** 2)));
}

// In nats, with 0 · ln 0 = 0; 0 − keeps a −0 away.
export const entropy = (weights) => 0 - total(weights.map((p) => (p > 0 ? p * Math.log(p) : 0)));

// The largest entry in size of the row's Jacobian diag(p) − ppᵀ: off the diagonal it is p_i p_j, and p_j ≤ 1 − p_i.
export const slope = (weights) => Math.max(...weights.map((p) => p * (1 - p)));

// Every number on show: all scores, and for each query its scores, its weights, and how decided they are.
export function measure({ scores, n_k, d_k, scaled }) {
  const divisor = scaled ? Math.sqrt(d_k) : 1;
  const all = scores[exponent(d_k)].map((score) => score / divisor);
  const queries = Array.from({ length: all.length / n_k }, (_, i) => weigh(all.slice(i * n_k, (i + 1) * n_k)));
  const means = Object.fromEntries(MEASURES.map((name) => [name, mean(queries.map((query) => query[name]))]));
  return { all, queries, means, spread: deviation(all), inBand: all.filter((s) => Math.abs(s) <= BAND).length };
}

function weigh(scores) {
  const weights = softmax(scores);
  return { scores, weights, largest: Math.max(...weights), entropy: entropy(weights), slope: slope(weights) };
}

const exponent = (d_k) => Math.round(Math.log2(d_k));

// How many numbers are in each bin of the axis, and how many are outside of it. One on an edge counts to its right.
export function histogram(numbers) {
  const half = FARTHEST / BIN;
  const counts = new Array(2 * half).fill(0);
  const inside = numbers.filter((number) => Math.abs(number) <= FARTHEST);
  for (const number of inside) counts[Math.min(Math.floor(number / BIN) + half, 2 * half - 1)] += 1;
  return { counts, outside: numbers.length - inside.length };
}

// The height of a bar, from 0 to 1. With the root, a needle of half the scores and a hill of a few in a hundred can
// both be read, and nothing has to be cut off.
export const height = (share) => Math.sqrt(share);

// --- the words ---

export function describe({ n_k, d_k, scaled, row }, { all, queries, means, inBand }) {
  const { weights, largest } = queries[row];
  const slope = fading(means.slope).replace("<", "less than ");
  return (
    `Keys ${d_k} wide, scores ${scaled ? `divided by √${d_k}` : "as they are"}: ` +
    `${inBand} of ${all.length} scores lie between −4 and 4, ` +
    `and query ${row} gives ${percent(largest)} of its weight to key ${weights.indexOf(largest)}. ` +
    `On average the strongest key takes ${percent(means.largest)} and the slope is ${slope}: ` +
    verdict(means.entropy / Math.log(n_k))
  );
}

// Of the entropy that even weights have, so that it means the same for two keys as for twelve.
function verdict(evenness) {
  if (evenness <= 1 / 8) return "one key takes nearly everything.";
  return evenness <= 1 / 2 ? "one key begins to take over." : "the weight is shared.";
}

const ODD = "Only the first d<sub>k</sub> numbers of each query and key count. A wider key brings in new ones, so another key may win.";

// --- the drawing ---

function render({ model, el }) {
  const root = frame(select(el), "saturation", "Saturation");
  const drawControls = controls(controlBar(root), model);
  root.append("p").attr("class", "odd").html(ODD);
  const drawTwins = twins(root.append("div").attr("class", "twins").attr("aria-hidden", "true"), model); // the table has the numbers
  const numbers = root.append("details").attr("class", "numbers");
  numbers.append("summary").text("All scores, and how decided the weights are");
  const panels = numbers.append("div").attr("class", "panels");
  const [left, right] = [panels.append("div"), panels.append("div")];
  const drawScores = scorePanel(left.append("div").attr("class", "scores"));
  const drawWeights = weightPanel(right.append("div"), model);
  const drawMeasures = measureTable(right.append("table").attr("class", "measures"));
  const say = sentence(root);
  return follow(model, TRAITS, () => {
    const state = valuesOf(model, TRAITS);
    const seen = measure(state);
    const switched = measure({ ...state, scaled: !state.scaled });
    drawControls(state);
    drawTwins(state, state.scaled ? [switched, seen] : [seen, switched]);
    drawScores(state, seen);
    drawWeights(state, seen, switched);
    drawMeasures(state, seen);
    say(describe(state, seen));
  });
}

function controls(parent, model) {
  const drawWidth = slider(parent, model, "d_k", "Width of a key, d<sub>k</sub> =", {
    lowest: 0,
    highest: model.get("scores").length - 1,
    step: 1,
    ends: [],
    toValue: (position) => 2 ** position,
    toPosition: exponent,
  });
  const drawScaled = onOff(parent, model, "scaled");
  return (state) => {
    parent.select(".slider input").attr("max", state.scores.length - 1);
    drawWidth(state);
    drawScaled(state, `divide by √${state.d_k} = ${long(Math.sqrt(state.d_k))}`);
  };
}

// The weights of one query twice: of the scores as they are, and of the scores divided. The largest has its number. A
// click on either sets it.
function twins(box, model) {
  const twin = box.selectAll(".twin").data([false, true]).join("div").attr("class", "twin");
  twin.on("click", (_, scaled) => assign(model, { scaled }));
  const title = twin.append("p").attr("class", "title");
  const plot = twin.append("div").attr("class", "weights-drawn");
  twin.append("p").attr("class", "keys").text("key");
  return ({ d_k, scaled, row }, both) => {
    twin.classed("on", (isScaled) => isScaled === scaled);
    title.html((isScaled) => `weights, scores ${isScaled ? `÷ √${d_k}` : "as they are"}`);
    const found = (isScaled) => both[Number(isScaled)].queries[row];
    const bars = (isScaled) => found(isScaled).weights.map((weight) => ({ weight, most: weight === found(isScaled).largest }));
    plot.selectAll("span").data(bars).join("span")
      .style("--weight", ({ weight }) => weight)
      .classed("most", ({ most }) => most)
      .attr("data-said", ({ weight, most }) => (most ? percent(weight).replace("more than ", ">") : ""))
      .attr("data-key", (_, key) => key);
  };
}

function scorePanel(panel) {
  const title = panel.append("p").attr("class", "title");
  const text = panel.append("p").attr("class", "spread");
  const drawPlot = plot(panel.append("div").attr("class", "plot").attr("role", "img"));
  const legend = panel.append("p").attr("class", "legend").selectAll("span").data(["band", "marks"]).join("span");
  legend.attr("class", (name) => name);
  return ({ d_k, scaled, n_k, row }, { all, queries, spread, inBand }) => {
    const theory = scaled ? "1" : `√${d_k}<span class="more"> = ${short(Math.sqrt(d_k))}</span>`;
    title.html(`All ${all.length} scores <small>${queries.length} queries × ${n_k} keys</small>`);
    text.html(`standard deviation <strong></strong>, in theory ${theory}`);
    text.select("strong").text(short(spread)).attr("data-value", spread);
    drawPlot(all, queries[row].scores, inBand);
    legend.data([`−4 to 4: ${inBand} scores`, `those of query ${row}`]).text((words) => words);
  };
}

function plot(box) {
  const layer = (name) => box.append("div").attr("class", name);
  const [band, grid, bins, marks, axis, beyond] = ["band", "grid", "bins", "marks", "axis", "beyond"].map(layer);
  band.style("left", at(-BAND)).style("right", at(-BAND));
  grid.selectAll("span").data(SHARES).join("span").style("bottom", up).text((share) => `${100 * share}%`);
  axis.selectAll("span").data(TICKS).join("span").style("left", at).text(setting);
  return (all, ofQuery, inBand) => {
    const { counts, outside } = histogram(all);
    const ends = `from ${short(Math.min(...all))} to ${short(Math.max(...all))}`;
    box.attr("aria-label", `Histogram of ${all.length} scores ${ends}; ${inBand} of them lie between −4 and 4`);
    bins.selectAll("span").data(counts).join("span").attr("data-value", (count) => count)
      .style("height", (count) => up(count / all.length));
    marks.selectAll("span").data(ofQuery.filter(isOnAxis)).join("span").style("left", at);
    beyond.text(outside ? `beyond ±${FARTHEST}: ${outside}` : "");
  };
}

const isOnAxis = (score) => Math.abs(score) <= FARTHEST;

const at = (score) => `${50 + (50 * score) / FARTHEST}%`;

const up = (share) => `${100 * height(share)}%`;

function weightPanel(panel, model) {
  const head = panel.append("div").attr("class", "head");
  const title = head.append("p").attr("class", "title");
  const button = head.append("button").attr("type", "button").attr("class", "plain").text("Another query");
  const table = panel.append("table").attr("class", "weights");
  table.attr("aria-label", "Each key with its score and its weight");
  const names = table.append("thead").append("tr").selectAll("th").data(["key", "score", "weight"]).join("th");
  names.attr("scope", "col").text((name) => name);
  const hint = names.filter(":last-child").append("small").attr("class", "switched");
  hint.attr("aria-hidden", "true"); // the numbers under it are of the present setting
  const body = table.append("tbody");
  return ({ n_k, d_k, scaled, row }, { queries }, switched) => {
    title.text(`Query ${row}, ${n_k} keys`);
    hint.text(scaled ? "if not divided" : `if divided by √${d_k}`);
    button.on("click", () => assign(model, { row: (row + 1) % queries.length }));
    const { scores, weights } = queries[row];
    const others = switched.queries[row].weights;
    const rows = scores.map((score, key) => ({ key, score, weight: weights[key], other: others[key] }));
    body.selectAll("tr").data(rows).join((enter) => enter.append("tr").each(emptyRow)).each(fillRow);
  };
}

function emptyRow() {
  const row = select(this);
  row.append("th").attr("scope", "row");
  row.append("td").attr("class", "score");
  const weight = row.append("td").append("div");
  const track = weight.append("span").attr("class", "track");
  track.append("span").attr("class", "bar");
  track.append("span").attr("class", "other");
  weight.append("span").attr("class", "number");
}

function fillRow({ key, score, weight, other }) {
  const row = select(this);
  row.select("th").text(key);
  row.select(".score").text(short(score)).attr("data-value", score);
  row.select(".bar").style("width", `${100 * weight}%`);
  row.select(".other").style("left", `${100 * other}%`).attr("data-value", other);
  row.select(".number").text(share(weight)).attr("data-value", weight);
}

function measureTable(table) {
  table.attr("aria-label", "How decided the weights are");
  const head = table.append("thead").append("tr");
  const body = table.append("tbody").selectAll("tr").data(MEASURES).join("tr").attr("class", (name) => name);
  const titles = body.append("th").attr("scope", "row");
  return ({ n_k, row }, { queries, means }) => {
    const names = ["", `query ${row}`, `mean of ${queries.length}`];
    head.selectAll("th").data(names).join("th").attr("scope", "col").attr("role", roleOfHead).text((name) => name);
    titles.html((name) => `${TITLES[name]} <small>${limits(n_k)[name]}</small>`);
    const numbers = (name) => [queries[row], means].map((from) => [name, from[name]]);
    const cells = body.selectAll("td").data(numbers).join("td");
    cells.attr("class", (_, i) => (i ? "all" : "one")).attr("data-value", ([, value]) => value);
    cells.text(([name, value]) => (name === "largest" ? share(value) : fading(value)));
  };
}

const limits = (n_k) => ({
  largest: "≤ 1",
  entropy: `≤ ln ${n_k}<span class="more"> = ${long(Math.log(n_k))}</span>`,
  slope: "p(1 − p) ≤ 0.25",
});

export default { render };
