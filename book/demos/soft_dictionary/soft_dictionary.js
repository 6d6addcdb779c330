// Soft dictionary: tokens A and B, one query, how much of each comes back, and the guess that follows from it.
import { select } from "d3-selection";
import { dot, matmul, softmax, total } from "../shared/attention.js";
import { choice, controlBar, slider } from "../shared/controls.js";
import { long, percent, setting, short, vector } from "../shared/numbers.js";
import { assign, follow, frame, sentence, valuesOf } from "../shared/widget.js";

const TRAITS = ["tokens", "query", "booster", "base"];
const MOST_TOKENS = 12;
const EMBEDDINGS = { A: [1, 0], B: [0, 1] };
const BASES = { 3: 3, e: Math.E };
const OTHER = { A: "B", B: "A" };
const EVEN = 1e-9; // shares that differ by less are the same: what is left is rounding

// The one step of the slider that is no tenth: at ln 3 a B is worth three A, exactly.
const STEP_OF_LN_3 = 1.1;
const isLn3 = (booster) => Math.abs(booster - Math.log(3)) < EVEN;

export function lookUp({ tokens, query, booster, base }) {
  const embeddings = [...tokens].map((token) => EMBEDDINGS[token]);
  const scores = embeddings.map((embedding) => booster * dot(embedding, EMBEDDINGS[query]));
  const powers = scores.map((score) => BASES[base] ** score);
  const weights = softmax(scores, BASES[base]);
  return { embeddings, scores, powers, sum: total(powers), weights, output: matmul([weights], embeddings)[0] };
}

// The game: the larger share is the guess; the next letter is B if there is a B anywhere, else A.
export function play(tokens, [a, b]) {
  const next = tokens.includes("B") ? "B" : "A";
  if (Math.abs(a - b) < EVEN) return { guess: null, next, result: "tie" };
  const guess = a > b ? "A" : "B";
  return { guess, next, result: guess === next ? "won" : "lost" };
}

export function describe(state) {
  const { tokens, query, booster } = state;
  const { output } = lookUp(state);
  const share = output[query === "A" ? 0 : 1];
  return [
    `Looking for ${query} in ${[...tokens].join(" ")} with booster ${named(booster)}: ` +
      `${part(tokens, query, share)} of the weight is on ${query}, so the output is ${vector(output)}.`,
    ...remark(tokens, query, booster, share),
    outcome(tokens, output),
  ].join(" ");
}

const named = (booster) => (isLn3(booster) ? `ln 3 = ${setting(booster)}` : setting(booster));

function part(tokens, query, share) {
  if (!tokens.includes(query)) return "none";
  return tokens.includes(OTHER[query]) ? percent(share) : "all";
}

// What is special about this lookup, if anything.
function remark(tokens, query, booster, share) {
  if (!tokens.includes(query)) return [`There is no ${query} to find, so every token counts the same.`];
  if (!tokens.includes(OTHER[query])) return [`Every token is ${query}, so every token counts the same.`];
  if (booster === 0) return ["Booster 0 makes all scores equal, so every token counts the same."];
  return share > 0.999 ? ["The lookup is nearly hard: almost nothing else comes back."] : [];
}

function outcome(tokens, output) {
  const { guess, next, result } = play(tokens, output);
  if (!guess) return "Both shares are the same: a tie, and no guess.";
  const rule = next === "B" ? "there is a B" : "there is no B";
  return `The larger share guesses ${guess}, ${result === "won" ? "and" : "but"} ${rule}: ${result}.`;
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
    toValue: (step) => (step === STEP_OF_LN_3 ? Math.log(3) : step),
    say: named,
  });
  const drawBase = choice(parent, model, "base", "Base", ["3", "e"]);
  return (state) => [drawQuery, drawBooster, drawBase].forEach((draw) => draw(state));
}

function tokenTable(root, model) {
  const table = root.append("table").attr("class", "tokens");
  table.attr("aria-label", "Each token with its embedding, its score and its weight");
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
  const line = box.append("p").attr("class", "sum-of-all");
  const sum = line.append("span").html('output = <span class="rule">weights · embeddings = </span>').append("strong");
  const share = line.selectAll(".share").data(["A", "B"]).join("span").attr("class", (token) => `share token-${token}`);
  const strip = box.append("div").attr("class", "strip").attr("aria-hidden", "true");
  const drawGame = game(box);
  return ({ tokens }, { weights, output }) => {
    sum.text(vector(output));
    share.attr("data-value", (_, i) => output[i]).text((token, i) => `${token}: ${long(output[i])}`);
    // All A are on the left and all B on the right, so the middle of the strip shows which share is larger.
    const all = [...tokens].map((token, i) => ({ token, weight: weights[i] }));
    const parts = ["A", "B"].flatMap((letter) => all.filter(({ token }) => token === letter));
    strip.selectAll("span").data(parts).join("span").attr("class", ({ token }) => `token-${token}`)
      .style("flex-grow", ({ weight }) => weight).text(({ token, weight }) => (weight > 0.05 ? token : ""));
    drawGame(play(tokens, output));
  };
}

// Guess and next letter side by side, with a sign between them: not by colour alone.
function game(box) {
  box.append("p").attr("class", "told").text("The game: guess the larger share. The next letter is B if there is any B, and A if there is none.");
  const line = box.append("p").attr("class", "game");
  const letter = (text) => line.append("span").text(`${text} `).append("b");
  const guessed = letter("guess");
  const sign = line.append("span").attr("class", "sign");
  const coming = letter("next letter");
  const verdict = line.append("strong").attr("class", "verdict");
  return ({ guess, next, result }) => {
    guessed.attr("class", guess ? `token-${guess}` : "none").text(guess ?? "none");
    sign.text(guess ? (guess === next ? "=" : "≠") : "–");
    coming.attr("class", `token-${next}`).text(next);
    line.attr("data-result", result);
    verdict.text(result);
  };
}

export default { render };
