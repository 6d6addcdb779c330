// Normalise: one token brought to one scale, step by step, beside its neighbour.
import { select } from "d3-selection";
import { total } from "../shared/attention.js";
import { choice, onOff } from "../shared/controls.js";
import { setting, short } from "../shared/numbers.js";
import { follow, frame, sentence, valuesOf } from "../shared/widget.js";

const TRAITS = ["words", "x", "affine", "token", "stage", "over", "loud"];
const EPS = 1e-5;
const STAGES = [["given", "as it is"], ["centred", "− mean"], ["divided", "÷ spread"], ["stretched", "· γ + β"]];
const OVER = [["token", "of the token"], ["column", "of each column"]];
const LOUDER = 10;

const percentage = (number) => `${number}%`;

// --- the numbers ---

export const mean = (numbers) => total(numbers) / numbers.length;

export const variance = (numbers) => mean(numbers.map((number) => (number - mean(numbers)) ** 2));

// The token after this one, and after the last the first: it is the one that becomes loud.
export const neighbour = ({ words, token }) => (token + 1) % words.length;

// For each number of the chosen token: what becomes of it, step by step, and what its mean and spread are taken over.
export function normalise({ words, x, affine: [gamma, beta], token, over, loud }) {
  const rows = x.map((numbers, i) => (loud && i === neighbour({ words, token }) ? numbers.map((v) => LOUDER * v) : numbers));
  return rows[token].map((given, j) => {
    const group = over === "token" ? rows[token] : rows.map((numbers) => numbers[j]);
    const middle = mean(group);
    const spread = Math.sqrt(variance(group) + EPS);
    const centred = given - middle;
    const divided = centred / spread;
    return { given, centred, divided, stretched: gamma[j] * divided + beta[j], middle, spread, gamma: gamma[j], beta: beta[j] };
  });
}

// From where to where one spread to either side of the mean reaches, after each step.
export function band({ middle, spread, gamma, beta }, stage) {
  const [at, wide] = { given: [middle, spread], centred: [0, spread], divided: [0, 1], stretched: [beta, Math.abs(gamma)] }[stage];
  return [at - wide, at + wide];
}

// To either side of 0: the axis does not change from step to step, so that one sees the bars move.
export const reach = ({ x }) => Math.max(4, Math.ceil(Math.max(...x.flat().map(Math.abs))));

// --- the words ---

const DONE = {
  given: "as it is",
  centred: "minus the mean",
  divided: "minus the mean, divided by the spread",
  stretched: "normalised, times γ, plus β",
};

export function describe(state) {
  const { words, token, stage, over, loud } = state;
  const numbers = normalise(state).map((number) => number[stage]);
  const size = `mean ${inBrief(mean(numbers))} and spread ${inBrief(Math.sqrt(variance(numbers)))}`;
  const told = `“${words[token]}” ${DONE[stage]}: its numbers have ${size}.`;
  if (!loud) return stage === "given" || over === "token" ? told : `${told} Each was compared with those of the other words in its column.`;
  const next = `“${words[neighbour(state)]}” is ${LOUDER} times as large`;
  if (stage === "given") return `${told} ${next}; now subtract the mean.`;
  return `${told} ${next}, and ${over === "token" ? "none of these numbers has noticed." : "every number here has changed with it."}`;
}

// --- the drawing ---

function render({ model, el }) {
  const root = frame(select(el), "normalise", "Normalise");
  const draw = token(root, model);
  return follow(model, TRAITS, () => {
    const state = valuesOf(model, TRAITS);
    draw({ ...state, token: Math.min(state.token, state.words.length - 1) }); // while Python changes one after the other
  });
}

function token(root, model) {
  const panel = root.append("div").attr("class", "one");
  const picker = panel.append("div").attr("class", "picker");
  const drawStage = choice(panel, model, "stage", "Step", STAGES);
  const charts = panel.append("div").attr("class", "charts");
  const drawBars = bars(charts.append("div").attr("class", "own"));
  const drawBeside = beside(charts.append("div").attr("class", "beside").attr("aria-hidden", "true"));
  const legend = panel.append("p").attr("class", "legend");
  const drawOver = choice(panel, model, "over", "Mean and spread", OVER);
  const drawLoud = onOff(panel, model, "loud");
  const say = sentence(panel);
  let drawWords = () => {};
  let shown = "";
  return (state) => {
    if (shown !== state.words.join("\n")) {
      shown = state.words.join("\n");
      picker.selectAll("*").remove();
      drawWords = choice(picker, model, "token", "Token", state.words.map((word, i) => [i, word]));
    }
    [drawWords, drawStage, drawOver, drawBars, drawBeside].forEach((draw) => draw(state));
    drawLoud(state, `make “${state.words[neighbour(state)]}” ${LOUDER} times as large`);
    legend.text(state.over === "token" ? "shaded: mean ± spread of the token" : "shaded: mean ± spread of each column; bars that fade out go on");
    say(describe(state));
  };
}

function bars(own) {
  const title = own.append("p").attr("class", "name").attr("aria-hidden", "true");
  const chart = own.append("div").attr("class", "chart").attr("role", "img");
  const plot = chart.append("div").attr("class", "bars");
  const axis = chart.append("div").attr("class", "axis");
  return (state) => {
    const limit = reach(state);
    title.text(`“${state.words[state.token]}”`);
    const numbers = normalise(state).map((number) => ({ value: number[state.stage], ends: band(number, state.stage) }));
    const within = (value) => Math.min(Math.max(value, -limit), limit);
    const up = (value) => 50 + (50 * value) / limit;
    chart.attr("aria-label", `The numbers of ${state.words[state.token]}: ${numbers.map(({ value }) => short(value)).join(", ")}`);
    axis.selectAll("span").data([limit, 0, -limit]).join("span").text(short);
    const column = plot.selectAll(".place").data(numbers).join((enter) => enter.append("div").attr("class", "place").each(emptyPlace));
    column.select(".band").style("bottom", ({ ends: [low] }) => percentage(up(low))).style("top", ({ ends: [, high] }) => percentage(100 - up(high)));
    column.select(".number").text(({ value }) => inBrief(value)).attr("data-value", ({ value }) => value);
    const bar = column.select(".bar-up").classed("below", ({ value }) => value < 0).classed("cut", ({ value }) => within(value) !== value);
    bar.style("bottom", ({ value }) => percentage(Math.min(up(within(value)), 50)));
    bar.style("top", ({ value }) => percentage(100 - Math.max(up(within(value)), 50)));
  };
}

// The neighbour on the same scale, so that one sees how loud it is, and whether it still is after each step.
function beside(chart) {
  const title = chart.append("p").attr("class", "name");
  const plot = chart.append("div").attr("class", "small-bars");
  return (state) => {
    const limit = reach(state);
    const other = neighbour(state);
    title.text(`its neighbour “${state.words[other]}”${state.loud ? `, ${LOUDER} times as large` : ""}`);
    const numbers = normalise({ ...state, token: other, loud: false });
    const louder = state.loud ? numbersWhenLoud(state, other) : numbers;
    const up = (value) => 50 + (50 * Math.min(Math.max(value, -limit), limit)) / limit;
    const bar = plot.selectAll("span").data(louder.map((number) => number[state.stage])).join("span");
    bar.classed("cut", (value) => Math.abs(value) > limit).classed("below", (value) => value < 0);
    bar.style("bottom", (value) => percentage(Math.min(up(value), 50))).style("top", (value) => percentage(100 - Math.max(up(value), 50)));
    bar.style("left", (_, i) => percentage((100 * (i + 0.2)) / louder.length)).style("width", percentage(60 / louder.length));
  };
}

// The neighbour's own numbers when it is louder: whatever is drawn of it, the others are as they were.
function numbersWhenLoud(state, other) {
  const x = state.x.map((numbers, i) => (i === other ? numbers.map((v) => LOUDER * v) : numbers));
  return normalise({ ...state, x, token: other, loud: false });
}

// Two decimals at most: under eight bars there is no room for more. What is 0 up to rounding is 0, without a sign.
const inBrief = (value) => (Math.abs(value) < 10 ? setting(+value.toFixed(2) + 0) : short(value));

function emptyPlace() {
  const place = select(this);
  const track = place.append("div").attr("class", "track");
  track.append("span").attr("class", "band");
  track.append("span").attr("class", "bar-up");
  place.append("span").attr("class", "number");
}

export default { render };
