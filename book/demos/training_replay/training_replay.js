// Training replay: a training run, moment by moment, as it was recorded when the book was built.
import { select } from "d3-selection";
import { choice, controlBar, slider } from "../shared/controls.js";
import { drawMatrix, write } from "../shared/matrix.js";
import { percent } from "../shared/numbers.js";
import { plot, recent } from "./replay_plot.js";
import { nameOf } from "../shared/translator_parts.js";
import { assign, follow, frame, sentence, uniqueName, valuesOf } from "../shared/widget.js";

const TRAITS = ["record", "moment", "sentence", "head"];
const PACE = 900; // milliseconds a moment
const CELL = 33; // eight words fit
const MOST_WORDS = 7; // of a translation; a longer one has lost its way

// --- the numbers ---

// All that is on show of one moment.
export function look({ record, moment, sentence, head }) {
  const { step, held_out, watched } = record.checkpoints[moment];
  const seen = watched[sentence];
  const wanted = seen.target.slice(0, -1);
  const guess = seen.guess ? seen.guess.split(" ") : [];
  return {
    ...{ step, held_out, loss: recent(record.loss, step), seen, wanted },
    guess: guess.map((word, t) => ({ word, isRight: word === wanted[t] })),
    isRight: guess.join(" ") === wanted.join(" "),
    weights: seen.attention.at(-1)[head],
    hardest: seen.loss.indexOf(Math.max(...seen.loss)),
  };
}

// The record keeps three decimals: what is rounded to nothing there is below half a thousandth.
export const lossText = (loss) => (loss < 0.0005 ? "<0.001" : loss.toFixed(loss < 9.995 ? 2 + (loss < 0.995) : 1));

// The loss of a word is −ln of the probability that it was given.
export const given = (loss) => Math.exp(-loss);

const brief = (share) => percent(share).replace("less than ", "<").replace("more than ", ">");

const twoDecimals = (weight) => weight.toFixed(2);

// --- the words ---

export function describe(state) {
  const { step, held_out, loss, seen, guess, isRight, hardest } = look(state);
  const last = state.record.loss.length;
  const said = guess.length ? `“${shortened(guess.map(({ word }) => word))}”` : "nothing";
  const verdict = isRight ? "which is right" : "which is wrong";
  const before = nameOf(seen.shown[hardest]);
  return (
    `Step ${step} of ${last}: the loss is ${lossText(loss)}, and ${share(held_out)} of the held-out sentences come out right. ` +
    `“${seen.source.join(" ")}” becomes ${said}, ${verdict}. ` +
    `Under teacher forcing the hardest word is “${nameOf(seen.target[hardest])}” after “${before}”: ` +
    `it gets ${percent(given(seen.loss[hardest]))}.`
  );
}

const share = (held_out) => (held_out === 0 ? "none" : percent(held_out));

const shortened = (words) => words.slice(0, MOST_WORDS).join(" ") + (words.length > MOST_WORDS ? " …" : "");

// --- the drawing ---

function render({ model, el }) {
  const root = frame(select(el), "training-replay", "Training replay");
  const bar = controlBar(root);
  const { checkpoints } = model.get("record");
  const drawSentence = chooser(bar, model, checkpoints[0].watched);
  const drawStep = slider(bar, model, "moment", "Step", {
    ...{ lowest: 0, highest: checkpoints.length - 1, step: 1, ends: ["moment 1", `moment ${checkpoints.length}`] },
    say: (moment) => String(model.get("record").checkpoints[moment].step),
  });
  const player = play(bar, model);
  const panels = root.append("div").attr("class", "panels");
  const drawRun = runPanel(panels.append("div"), model);
  const drawMap = mapPanel(panels.append("div"), model);
  const drawGrid = grid(root);
  const say = sentence(root);
  const leave = follow(model, TRAITS, () => {
    const state = valuesOf(model, TRAITS);
    const shown = look(state);
    for (const draw of [drawSentence, drawStep, player.draw]) draw(state);
    for (const draw of [drawRun, drawMap, drawGrid]) draw(shown, state);
    say(describe(state));
  });
  return () => {
    player.stop();
    leave();
  };
}

function chooser(bar, model, watched) {
  const id = uniqueName("sentence");
  const box = bar.append("div").attr("class", "sentence");
  box.append("label").attr("for", id).text("Sentence");
  const list = box.append("select").attr("id", id);
  list.selectAll("option").data(watched).join("option").attr("value", (_, i) => i).text(({ source }) => source.join(" "));
  list.on("change", (event) => assign(model, { sentence: Number(event.target.value) }));
  return (state) => list.property("value", state.sentence);
}

// Goes from moment to moment until the last, and then begins again; moving the slider stops it.
function play(bar, model) {
  const button = bar.append("button").attr("type", "button").attr("class", "plain play");
  let timer, put;
  const last = () => model.get("record").checkpoints.length - 1;
  const go = (moment) => assign(model, { moment: (put = moment) });
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
    button.text("Play");
  };
  const start = () => {
    button.text("Stop");
    timer = setInterval(() => go(put + 1), PACE);
    go(model.get("moment") === last() ? 0 : model.get("moment"));
  };
  button.on("click", () => (timer ? stop() : start()));
  stop();
  return { stop, draw: ({ moment }) => timer && (moment !== put || moment === last()) && stop() };
}

function runPanel(panel, model) {
  const title = panel.append("p").attr("class", "title").text("The run");
  const line = title.append("small");
  const drawPlot = plot(panel.append("div").attr("class", "run").attr("role", "img"), (moment) => assign(model, { moment }));
  const legend = panel.append("p").attr("class", "legend");
  const loss = legend.append("span").attr("class", "loss");
  const right = legend.append("span").attr("class", "right");
  const before = panel.append("p").attr("class", "title").text("Its translation now");
  const wanted = panel.append("p").attr("class", "wanted");
  const guess = panel.append("p").attr("class", "guess");
  before.append("small").text("written on its own");
  return (shown, state) => {
    line.text(`${state.record.loss.length} steps`);
    drawPlot(state);
    loss.text(`loss ${lossText(shown.loss)}`).attr("data-value", shown.loss);
    right.text(`held-out sentences right: ${shown.held_out === 0 ? "0%" : percent(shown.held_out)}`);
    right.attr("data-value", shown.held_out);
    const words = guess.selectAll("span").data(shown.guess.slice(0, MOST_WORDS)).join("span").text(({ word }) => word);
    words.classed("wrong", ({ isRight }) => !isRight);
    guess.classed("longer", shown.guess.length > MOST_WORDS);
    wanted.text(`wanted: ${shown.wanted.join(" ")}`);
  };
}

function mapPanel(panel, model) {
  const head = panel.append("div").attr("class", "head");
  head.append("p").attr("class", "title").text("Where it looks");
  const heads = model.get("record").checkpoints[0].watched[0].attention.at(-1).map((_, i) => [i, i]);
  const drawHead = choice(head, model, "head", "Head", heads);
  const scroller = panel.append("div").attr("class", "scroller framed").attr("tabindex", 0).attr("role", "region");
  scroller.attr("aria-label", "Cross-attention: a row for each word to be written, a column for each word of the source");
  const table = scroller.append("table").attr("class", "map worded");
  return ({ seen, weights }, state) => {
    drawHead(state);
    const rowHeads = seen.target.map(nameOf);
    const name = "a row for each word to be written, a column for each word of the source";
    const cells = drawMatrix(table, { matrix: weights, rowHeads, columnHeads: seen.source, width: CELL, name, shade: true });
    cells.each(function (weight) {
      write(this, twoDecimals(weight));
    });
  };
}

const ROWS = [
  ["shown", "it is shown"],
  ["target", "it must predict"],
  ["given", "probability it gives"],
  ["loss", "loss, −ln of that"],
];

function grid(root) {
  const box = root.append("div").attr("class", "forcing");
  const title = box.append("p").attr("class", "title").text("Teacher forcing ");
  title.append("small").text("the right words are shown, whatever it would have written; all positions at once");
  const scroller = box.append("div").attr("class", "scroller").attr("tabindex", 0).attr("role", "region");
  scroller.attr("aria-label", "What the decoder is shown, what it must predict, and the loss of each word");
  const table = scroller.append("table");
  table.attr("aria-label", "Teacher forcing, a column for each place");
  const body = table.append("tbody").selectAll("tr").data(ROWS).join("tr").attr("class", ([name]) => name);
  body.append("th").attr("scope", "row").text(([, text]) => text);
  return ({ seen }) => {
    const texts = {
      shown: seen.shown.map(nameOf),
      target: seen.target.map(nameOf),
      loss: seen.loss.map(lossText),
      given: seen.loss.map((loss) => brief(given(loss))),
    };
    const cells = body.selectAll("td").data(([name]) => texts[name].map((text, t) => ({ text, loss: seen.loss[t] }))).join("td");
    cells.text(({ text }) => text);
    table.style("--places", seen.target.length);
    table.selectAll(".loss td").attr("data-value", ({ loss }) => loss);
    table.selectAll(".loss td").style("--share", ({ loss }) => (1 - given(loss)).toFixed(2));
  };
}

export default { render };
