// Translator: the trained model runs here. A sentence is picked or typed; every head shows what it looks at; parts are
// switched off, and the translation follows.
import { select } from "d3-selection";
import { tabs } from "../shared/controls.js";
import { percent } from "../shared/numbers.js";
import { nextWords } from "../shared/next_words.js";
import { panel } from "./heads_panel.js";
import { chooser } from "../shared/sentence_chooser.js";
import { PARTS, nameOf, offOf, toggle } from "../shared/translator_parts.js";
import { describe } from "./translator_words.js";
import { SOS, translate, unpacked } from "../shared/transformer.js";
import { assign, follow, frame, sentence, valuesOf } from "../shared/widget.js";

export const TRAITS = ["sentence", "off", "view", "head", "row", "column"];
const MOST_NEXT = 12; // words, as many as there is room for beside the heads
const VIEWS = { encoder: "reads", decoder: "looks back", cross: "looks across", next: "next word" };

// A translation is computed once for each sentence and each set of parts; what is only looked at costs nothing.
function remembered(model) {
  const kept = new Map();
  return (sentence, names) => {
    const key = `${sentence} ${names}`;
    if (!kept.has(key)) {
      if (kept.size > 50) kept.clear();
      kept.set(key, translate(model, sentence.split(" "), offOf(names)));
    }
    return kept.get(key);
  };
}

// All that is on show: the translation, the whole model's one, the heads of the view, and the chosen weight in them.
// In the decoder a row is named for the word that is written there.
export function look({ ask, trained }, state) {
  const now = ask(state.sentence, state.off);
  const source = state.sentence.split(" ");
  const shown = [SOS, ...now.words].slice(0, now.written.length);
  const target = now.written.map(({ token }) => trained.target[token]);
  const heads = headsOf(now, state.view);
  const [rows, columns] = { encoder: [source, source], decoder: [target, shown] }[state.view] ?? [target, source];
  const head = Math.min(state.head, trained.h - 1);
  const row = Math.min(state.row, rows.length - 1);
  const seen = state.view === "decoder" && !state.off.includes("mask") ? row + 1 : columns.length;
  const column = Math.min(state.column, seen - 1);
  return { ...state, now, whole: ask(state.sentence, []), shown, target, heads, rows, columns, head, row, column };
}

function headsOf({ source, written }, view) {
  if (view === "encoder") return source.steps.at(-1).attention.heads;
  return written.at(-1).steps.at(-1)[view === "decoder" ? "back" : "across"].heads;
}

function render({ model, el }) {
  const root = frame(select(el), "translator", "Translator");
  const trained = unpacked(model.get("trained"));
  const demo = { model, trained, ask: remembered(trained) };
  const drawChooser = chooser(root, { ...demo, choose: (sentence) => assign(model, { sentence, row: 0, column: 0 }) });
  const drawResult = result(root, demo);
  const drawSwitches = switches(root, demo);
  const steps = tabs(root, Object.entries(VIEWS), (view) => assign(model, { view }));
  const drawHeads = panel(steps.panel, demo);
  const drawNext = nextWords(steps.panel, demo, MOST_NEXT);
  const say = sentence(root);
  return follow(model, TRAITS, () => {
    const seen = look(demo, valuesOf(model, TRAITS));
    steps.draw(seen.view);
    for (const draw of [drawChooser, drawResult, drawSwitches, drawHeads, drawNext]) draw(seen);
    say(describe(seen, trained));
  });
}

// Short, because it is below a word.
const sureness = (share) => (share > 0.999 ? ">99.9%" : percent(share));

// The translation, a button for each word: the chosen one is what the steps below explain.
function result(root, { model }) {
  const box = root.append("div").attr("class", "result");
  const place = box.append("div").attr("class", "written");
  // On a telephone the whole model's translation keeps its room, whatever is switched off.
  const room = place.append("div").attr("class", "room").attr("aria-hidden", "true");
  const line = place.append("div").attr("class", "words").attr("role", "group").attr("aria-label", "The translation");
  const before = box.append("p").attr("class", "before");
  return (seen) => {
    const shares = seen.now.written.map(({ probabilities, token }) => probabilities[token]);
    room.selectAll("span").data([...seen.whole.words, "end"]).join("span").text((word) => word);
    const words = seen.target.map((word, t) => ({ t, word, share: shares[t] }));
    const button = line.selectAll("button").data(words).join((enter) => {
      const made = enter.append("button").attr("type", "button");
      made.append("span").attr("class", "word");
      made.append(() => document.createTextNode(" "));
      made.append("small");
      return made;
    });
    button.classed("end", ({ word }) => word === "<eos>");
    button.attr("aria-pressed", ({ t }) => seen.view !== "encoder" && t === seen.row);
    button.attr("aria-label", ({ t, word, share }) => `Word ${t + 1}: ${nameOf(word)} ${sureness(share)} sure`);
    button.select(".word").text(({ word }) => nameOf(word));
    button.select("small").text(({ share }) => sureness(share)).attr("data-value", ({ share }) => share);
    button.on("click", (event, { t }) => chooseWord(model, seen, t));
    const [now, whole] = [seen.now, seen.whole].map(({ words: said }) => said.join(" "));
    before.text(seen.off.length ? (now === whole ? "as the whole model says it" : `the whole model: ${whole}`) : "");
    box.classed("changed", now !== whole);
  };
}

// A word brings its strongest weight with it; the encoder's rows are other words, so there it opens the last step.
function chooseWord(model, { view, heads, head }, t) {
  if (view === "encoder") return assign(model, { view: "next", row: t });
  assign(model, { row: t, column: strongest(heads[head].weights[t]) });
}

const strongest = (weights) => weights.indexOf(Math.max(...weights));

function switches(root, { model }) {
  const group = root.append("fieldset").attr("class", "switches");
  group.append("legend").text("Switch a part off");
  const label = group.selectAll("label").data(Object.keys(PARTS)).join("label").attr("class", "switch");
  const input = label.append("input").attr("type", "checkbox");
  label.append("span").text((part) => PARTS[part]);
  input.on("change", (event, part) => toggle(model, part));
  const back = group.append("button").attr("type", "button").attr("class", "plain").text("All on");
  back.on("click", () => back.attr("aria-disabled") === "true" || assign(model, { off: [] }));
  return ({ off }) => {
    input.property("checked", (part) => !off.includes(part));
    back.attr("aria-disabled", off.length === 0);
  };
}

export default { render };
