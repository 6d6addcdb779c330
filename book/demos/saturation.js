// Saturation: the scores of wider and wider keys, and what softmax makes of them, divided by √d_k or not.
import { select } from "d3-selection";
import { softmax, total } from "./attention.js";
import { controlBar, onOff, slider } from "./controls.js";
import { fading, long, percent, setting, share, short } from "./numbers.js";
import { assign, follow, frame, sentence, valuesOf } from "./widget.js";

const TRAITS = ["scores", "n_k", "d_k", "scaled", "row"];
const MEASURES = ["largest", "entropy", "slope"];
const BAND = 4; // to either side of 0: always the same, so that one sees the scores spread
const MOST_BINS = 20; // to either side of 0
const MOST_TICKS = 4;

// --- the numbers ---

export const mean = (numbers) => total(numbers) / numbers.length;

export function deviation(numbers) {
  const middle = mean(numbers);
  return Math.sqrt(mean(numbers.map((number) => (number - middle) ** 2)));
}

// In nats, with 0 · ln 0 = 0; 0 − keeps a −0 away.
export const entropy = (weights) => 0 - total(weights.map((p) => (p > 0 ? p * Math.log(p) : 0)));

// The largest entry in size of the row's Jacobian diag(p) − ppᵀ: off the diagonal stands p_i p_j, and p_j ≤ 1 − p_i.
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

// The smallest of 1, 2, 5, 10, 20, … and of .1, .2, .5, … that is no less.
export function nice(number) {
  const unit = 10 ** Math.floor(Math.log10(number));
  return [1, 2, 5, 10].map((times) => times * unit).find((candidate) => candidate >= number);
}

// Bins of a nice width around 0, wide enough for all numbers and always for the band.
export function histogram(numbers) {
  const farthest = Math.max(BAND + 1, ...numbers.map(Math.abs));
  const width = nice(farthest / MOST_BINS);
  const half = Math.floor(farthest / width) + 1;
  const edges = Array.from({ length: 2 * half + 1 }, (_, i) => (i - half) * width);
  const counts = new Array(2 * half).fill(0);
  for (const number of numbers) counts[edges.findLastIndex((edge) => edge <= number)] += 1;
  return { edges, counts, limit: half * width };
}

export function ticks(limit) {
  const step = nice(limit / MOST_TICKS);
  const half = Math.floor(limit / step);
  return Array.from({ length: 2 * half + 1 }, (_, i) => (i - half) * step);
}

// --- the words ---

export function describe({ n_k, d_k, scaled, row }, { all, queries, means, inBand }) {
  const { weights, largest } = queries[row];
  const gradient = fading(means.slope).replace("<", "less than ");
  return (
    `Keys ${d_k} wide, scores ${scaled ? `divided by √${d_k}` : "as they are"}: ` +
    `${inBand} of ${all.length} scores lie between −4 and 4, ` +
    `and query ${row} gives ${percent(largest)} of its weight to key ${weights.indexOf(largest)}. ` +
    `On average the strongest key takes ${percent(means.largest)} and the gradient is ${gradient}: ` +
    verdict(means.entropy / Math.log(n_k))
  );
}

// Of the entropy that even weights have, so that it means the same for two keys as for twelve.
function verdict(evenness) {
  if (evenness <= 1 / 8) return "one key takes nearly everything.";
  return evenness <= 1 / 2 ? "one key begins to take over." : "the weight is shared.";
}

// --- the drawing ---

function render({ model, el }) {
  const root = frame(select(el), "saturation", "Saturation");
  const drawControls = controls(controlBar(root), model);
  const panels = root.append("div").attr("class", "panels");
  const drawScores = scorePanel(panels.append("div"));
  const drawWeights = weightPanel(panels.append("div"), model);
  const drawMeasures = measureTable(root);
  const say = sentence(root);
  return follow(model, TRAITS, () => {
    const state = valuesOf(model, TRAITS);
    const seen = measure(state);
    drawControls(state);
    drawScores(state, seen);
    drawWeights(state, seen);
    drawMeasures(state, seen);
    say(describe(state, seen));
  });
}

function controls(parent, model) {
  const drawWidth = slider(parent, model, "d_k", "Width of a key, d<sub>k</sub> =", {
    lowest: 0,
    highest: model.get("scores").length - 1,
    step: 1,
    ends: ["narrow keys", "wide keys"],
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
    legend.data([`from −4 to 4: ${inBand} scores`, `the ${n_k} scores of query ${row}`]);
    legend.text((words) => words);
  };
}

function plot(box) {
  const layer = (name) => box.append("div").attr("class", name);
  const [band, bins, marks, axis] = ["band", "bins", "marks", "axis"].map(layer);
  return (all, ofQuery, inBand) => {
    const { edges, counts, limit } = histogram(all);
    const tallest = Math.max(...counts);
    const at = (score) => `${50 + (50 * score) / limit}%`;
    const ends = `from ${short(Math.min(...all))} to ${short(Math.max(...all))}`;
    box.attr("aria-label", `Histogram of ${all.length} scores ${ends}; ${inBand} of them lie between −4 and 4`);
    band.style("left", at(-BAND)).style("right", at(-BAND));
    bins.selectAll("span").data(counts).join("span").attr("data-value", (count) => count)
      .attr("data-from", (_, i) => edges[i]).attr("data-to", (_, i) => edges[i + 1])
      .style("height", (count) => `${(100 * count) / tallest}%`);
    marks.selectAll("span").data(ofQuery).join("span").style("left", at);
    axis.selectAll("span").data(ticks(limit)).join("span").style("left", at).text(setting);
  };
}

function weightPanel(panel, model) {
  const head = panel.append("div").attr("class", "head");
  const title = head.append("p").attr("class", "title");
  const button = head.append("button").attr("type", "button").attr("class", "plain").text("Another query");
  const table = panel.append("table").attr("class", "weights");
  table.append("caption").attr("class", "unseen").text("Each key with its score and its weight");
  const names = table.append("thead").append("tr").selectAll("th").data(["key", "score", "weight"]).join("th");
  names.attr("scope", "col").text((name) => name);
  const body = table.append("tbody");
  return ({ n_k, row }, { queries }) => {
    title.text(`Query ${row}, ${n_k} keys`);
    button.on("click", () => assign(model, { row: (row + 1) % queries.length }));
    const { scores, weights } = queries[row];
    const rows = scores.map((score, key) => ({ key, score, weight: weights[key] }));
    body.selectAll("tr").data(rows).join((enter) => enter.append("tr").each(emptyRow)).each(fillRow);
  };
}

function emptyRow() {
  const row = select(this);
  row.append("th").attr("scope", "row");
  row.append("td").attr("class", "score");
  const weight = row.append("td").append("div");
  weight.append("span").attr("class", "track").append("span").attr("class", "bar");
  weight.append("span").attr("class", "number");
}

function fillRow({ key, score, weight }) {
  const row = select(this);
  row.select("th").text(key);
  row.select(".score").text(short(score)).attr("data-value", score);
  row.select(".bar").style("width", `${100 * weight}%`);
  row.select(".number").text(share(weight)).attr("data-value", weight);
}

function measureTable(root) {
  const table = root.append("table").attr("class", "measures");
  table.append("caption").attr("class", "unseen").text("How decided the weights are");
  const head = table.append("thead").append("tr");
  const body = table.append("tbody");
  return ({ n_k, row }, { queries, means }) => {
    const titles = ["", ...MEASURES.map((name) => `${TITLES[name]} <small>${limits(n_k)[name]}</small>`)];
    head.selectAll("th").data(titles).join("th").attr("scope", "col").html((title) => title);
    const rows = [{ name: `query ${row}`, ...queries[row] }, { name: `mean of ${queries.length}`, ...means }];
    const lines = body.selectAll("tr").data(rows).join("tr").attr("class", (_, i) => (i ? "all" : "one"));
    lines.selectAll("th").data(({ name }) => [name]).join("th").attr("scope", "row").text((name) => name);
    const cells = lines.selectAll("td").data((numbers) => MEASURES.map((name) => [name, numbers[name]])).join("td");
    cells.attr("class", ([name]) => name).attr("data-value", ([, value]) => value);
    cells.text(([name, value]) => (name === "largest" ? share(value) : fading(value)));
  };
}

const TITLES = { largest: "largest weight", entropy: "entropy", slope: "gradient" };

const limits = (n_k) => ({
  largest: "up to 1",
  entropy: `up to ln ${n_k}<span class="more"> = ${long(Math.log(n_k))}</span>`,
  slope: '<span class="more">max p(1 − p), </span>up to .25',
});

export default { render };
