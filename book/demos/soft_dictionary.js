// Soft dictionary: tokens A and B, one query, and how much of each comes back.
import { select } from "d3-selection";
import { dot, matmul, softmax, total } from "./attention.js";
import { choice, controlBar, slider } from "./controls.js";
import { long, percent, setting, short, vector } from "./numbers.js";
import { assign, follow, frame, sentence, valuesOf } from "./widget.js";

const TRAITS = ["tokens", "query", "booster", "base"];
const MOST_TOKENS = 12;
const EMBEDDINGS = { A: [1, 0], B: [0, 1] };
const BASES = { 3: 3, e: Math.E };
const OTHER = { A: "B", B: "A" };

export function lookUp({ tokens, query, booster, base }) {
  const embeddings = [...tokens].map((token) => EMBEDDINGS[token]);
  const scores = embeddings.map((embedding) => booster * dot(embedding, EMBEDDINGS[query]));
  const powers = scores.map((score) => BASES[base] ** score);
  const weights = softmax(scores, BASES[base]);
  return { embeddings, scores, powers, sum: total(powers), weights, output: matmul([weights], embeddings)[0] };
}

export function describe(state) {
  const { tokens, query, booster } = state;
  const { output } = lookUp(state);
  const share = output[query === "A" ? 0 : 1];
  return (
    `Looking for ${query} in ${[...tokens].join(" ")} with booster ${setting(booster)}: ` +
    `${part(tokens, query, share)} of the weight is on ${query}, so the output is ${vector(output)}. ` +
    softness(tokens, query, booster, share)
  );
}

function part(tokens, query, share) {
  if (!tokens.includes(query)) return "none";
  return tokens.includes(OTHER[query]) ? percent(share) : "all";
}

function softness(tokens, query, booster, share) {
  if (!tokens.includes(query)) return `There is no ${query} to find, so every token counts the same.`;
  if (!tokens.includes(OTHER[query])) return `Every token is ${query}, so every token counts the same.`;
  if (booster === 0) return "Booster 0 makes all scores equal, so every token counts the same.";
  if (share > 0.999) return "The lookup is nearly hard: almost nothing else comes back.";
  return "The lookup is soft: the rest of the weight is on the other tokens.";
}

function render({ model, el }) {
  const root = frame(select(el), "soft-dictionary", "Soft dictionary");
  const drawControls = controls(controlBar(root), model);
  const drawTokens = tokenTable(root, model);
  const drawOutput = mixture(root);
  const say = sentence(root);
  return follow(model, TRAITS, () => {
    const state = valuesOf(model, TRAITS);
    const found = lookUp(state);
    drawControls(state);
    drawTokens(state, found);
    drawOutput(state, found);
    say(describe(state));
  });
}

function controls(parent, model) {
  const drawQuery = choice(parent, model, "query", "Look for", ["A", "B"]);
  const drawBooster = slider(parent, model, "booster", "Booster", {
    lowest: 0,
    highest: 12,
    step: 0.1,
    ends: ["all count the same", "the match alone"],
  });
  const drawBase = choice(parent, model, "base", "Base", ["3", "e"]);
  return (state) => [drawQuery, drawBooster, drawBase].forEach((draw) => draw(state));
}

function tokenTable(root, model) {
  const table = root.append("table").attr("class", "tokens");
  table.append("caption").attr("class", "unseen").text("Each token with its embedding, its score and its weight");
  const head = table.append("thead").append("tr");
  const body = table.append("tbody");
  const drawTotals = totals(table.append("tfoot").append("tr"), model);
  return (state, found) => {
    const power = `${state.base}<sup>score</sup>`;
    const titles = ["token", "embedding", "score", power, `weight<span class="rule"> = ${power} ÷ sum</span>`];
    head.selectAll("th").data(titles).join("th").attr("scope", "col").html((title) => title);
    const rows = [...state.tokens].map((token, i) => ({ token, i, ...at(i, found) }));
    body.selectAll("tr").data(rows).join((enter) => enter.append("tr").each(emptyRow)).each(fillRow);
    body.selectAll("button").on("click", (event, { i }) => assign(model, { tokens: flip(state.tokens, i) }));
    drawTotals(state, found);
  };
}

const at = (i, { embeddings, scores, powers, weights }) => ({
  embedding: embeddings[i],
  score: scores[i],
  power: powers[i],
  weight: weights[i],
});

export const flip = (tokens, i) => tokens.slice(0, i) + OTHER[tokens[i]] + tokens.slice(i + 1);

function emptyRow() {
  const row = select(this);
  row.append("th").attr("scope", "row").append("button").attr("type", "button");
  for (const name of ["embedding", "score", "power"]) row.append("td").attr("class", name);
  const weight = row.append("td").attr("class", "weight").append("div");
  weight.append("span").attr("class", "track").append("span").attr("class", "bar");
  weight.append("span").attr("class", "number");
}

function fillRow({ token, i, embedding, score, power, weight }) {
  const row = select(this).attr("class", `token-${token}`);
  const button = row.select("button").text(token);
  button.attr("aria-label", `Token ${i + 1} is ${token}, change it to ${OTHER[token]}`);
  row.select(".embedding").text(vector(embedding));
  row.select(".score").text(short(score)).attr("data-value", score);
  row.select(".power").text(short(power)).attr("data-value", power);
  row.select(".bar").style("width", `${100 * weight}%`);
  row.select(".number").text(long(weight)).attr("data-value", weight);
}

function totals(row, model) {
  const buttons = row.append("td").attr("class", "count").attr("colspan", 3).append("div");
  const drawAdd = countButton(buttons, "Add", "a token", (tokens) => tokens + "A", MOST_TOKENS, model);
  const drawRemove = countButton(buttons, "Remove", "the last token", (tokens) => tokens.slice(0, -1), 1, model);
  const sum = row.append("td").attr("class", "power");
  sum.append("small").text("sum ");
  const number = sum.append("span").attr("class", "sum");
  row.append("td");
  return ({ tokens }, found) => {
    number.text(short(found.sum)).attr("data-value", found.sum);
    drawAdd(tokens);
    drawRemove(tokens);
  };
}

// At its limit a button stays focusable, so that a keyboard does not lose its place.
function countButton(parent, verb, what, change, limit, model) {
  const button = parent.append("button").attr("type", "button").attr("class", "plain").text(verb);
  button.append("span").attr("class", "unseen").text(` ${what}`);
  button.on("click", () => {
    const tokens = model.get("tokens");
    if (tokens.length !== limit) assign(model, { tokens: change(tokens) });
  });
  return (tokens) => button.attr("aria-disabled", tokens.length === limit);
}

function mixture(root) {
  const box = root.append("div").attr("class", "mixture");
  const sum = box.append("p").attr("class", "sum-of-all");
  const strip = box.append("div").attr("class", "strip").attr("aria-hidden", "true");
  const shares = box.append("p").attr("class", "shares");
  return ({ tokens }, { weights, output }) => {
    sum.text("output = weights · embeddings = ");
    sum.append("strong").text(vector(output));
    const parts = strip.selectAll("span").data([...tokens].map((token, i) => ({ token, weight: weights[i] })));
    parts.join("span").attr("class", (d) => `token-${d.token}`).style("flex-grow", (d) => d.weight)
      .text((d) => (d.weight > 0.05 ? d.token : ""));
    const share = shares.selectAll("span").data(["A", "B"]).join("span");
    share.attr("class", (token) => `share token-${token}`);
    share.attr("data-value", (_, i) => output[i]).text((token, i) => `share of ${token}: ${long(output[i])}`);
  };
}

export default { render };
