// Temperature: the probabilities of the next word, from greedy to wild, and twenty draws that follow the slider.
import { select } from "d3-selection";
import { softmax } from "../shared/attention.js";
import { choice, controlBar, slider } from "../shared/controls.js";
import { follow, frame, sentence, valuesOf } from "../shared/widget.js";

const TRAITS = ["moments", "place", "temperature"];
const [SHOWN, DRAWS] = [7, 20];
// Evenly spread and never in order: steps of the golden ratio. The same for every temperature, so that draws can be compared.
const U = Array.from({ length: DRAWS }, (_, i) => ((i + 1) * 0.6180339887498949) % 1);

// --- the numbers ---

export function probabilities(logits, temperature) {
  if (temperature === 0) return logits.map((_, i) => (i === logits.indexOf(Math.max(...logits)) ? 1 : 0));
  return softmax(logits.map((logit) => logit / temperature));
}

// The first word whose running sum exceeds u.
export function draw(p, u) {
  let end = 0;
  const found = p.findIndex((share) => (end += share) > u);
  return found < 0 ? p.length - 1 : found;
}

// The likeliest words with their shares, and the share of all others together. The order is that of temperature 1.
export function rows({ words, logits }, temperature) {
  const p = probabilities(logits, temperature);
  const order = logits.map((_, i) => i).sort((a, b) => logits[b] - logits[a] || a - b);
  const top = order.slice(0, SHOWN).map((i) => ({ word: words[i], share: p[i] }));
  const rest = order.slice(SHOWN).reduce((sum, i) => sum + p[i], 0);
  return order.length > SHOWN ? [...top, { word: `${order.length - SHOWN} others`, share: rest }] : top;
}

export const drawn = ({ words, logits }, temperature) => {
  const p = probabilities(logits, temperature);
  return U.map((u) => words[draw(p, u)]);
};

export const percent = (share) => (share > 0.9999 && share < 1 ? ">99.99%" : `${(100 * share).toFixed(2)}%`);

export function describe({ moments, place, temperature }) {
  const moment = moments[place];
  const [{ word, share }] = rows(moment, temperature);
  const same = drawn(moment, temperature).filter((one) => one === word).length;
  const how = temperature === 0 ? "greedy" : temperature === 1 ? "the model's own probabilities" : temperature < 1 ? "more certain than the model" : "bolder than the model";
  return `Temperature ${temperature}, ${how}: ${word} has ${percent(share)}, and ${same} of ${DRAWS} draws are ${word}.`;
}

// --- the drawing ---

function render({ model, el }) {
  const root = frame(select(el), "temperature", "Temperature");
  const controls = controlBar(root);
  const named = model.get("moments").map(({ said }, i) => [i, said]);
  const drawPlace = choice(controls, model, "place", "The model has written", named);
  const drawSlider = slider(controls, model, "temperature", "Temperature:", { lowest: 0, highest: 4, step: 0.1, ends: ["0, greedy", "4, wild"] });
  const bars = root.append("div").attr("class", "bars");
  root.append("p").attr("class", "title").text("Twenty draws");
  const chips = root.append("p").attr("class", "draws");
  const say = sentence(root);
  return follow(model, TRAITS, () => {
    const state = valuesOf(model, TRAITS);
    const moment = state.moments[state.place];
    [drawPlace, drawSlider].forEach((redraw) => redraw(state));
    const shown = rows(moment, state.temperature);
    const line = bars.selectAll(".line").data(shown).join((enter) => {
      const made = enter.append("div").attr("class", "line");
      for (const part of ["word", "bar", "share"]) made.append("span").attr("class", part);
      return made;
    });
    line.select(".word").text(({ word }) => word);
    line.select(".bar").style("--size", ({ share }) => share).attr("data-value", ({ share }) => share);
    line.select(".share").text(({ share }) => percent(share));
    const likeliest = shown[0].word;
    chips.selectAll("span").data(drawn(moment, state.temperature)).join("span")
      .attr("class", (word) => (word === likeliest ? null : "other")).text((word) => word);
    say(describe(state));
  });
}

export default { render };
