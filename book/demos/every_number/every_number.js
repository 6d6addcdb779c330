// Every number explained: a trained Transformer in the page, in which any number opens into the sum that made it.
import { parse } from "../shared/graph.js";
import { translationGraph } from "./nodes.js";
import { choices, goTo } from "../shared/number_card.js";
import { numberWalk } from "../shared/number_walk.js";
import { chooser } from "../shared/sentence_chooser.js";
import { tourButton } from "./tour.js";
import { PARTS, nameOf, offOf, toggle } from "../shared/translator_parts.js";
import { translate, unpacked } from "../shared/transformer.js";

const TRAITS = ["sentence", "against", "off", "trail", "tour", "all"];

const start = ({ written }, t = 0) => `d${t}.p:${t}:${written[t].token}`;

// A run of the model and its graph, with the first card; `said` are the words that it is shown instead of its own.
export function opened(trained, sentence, off, said = null) {
  const words = sentence.split(" ");
  const run = translate(trained, words, offOf(off), said);
  run.words_in = words;
  run.tokens_in = words.map((word) => trained.source.indexOf(word));
  return { run, graph: translationGraph(trained, run, offOf(off)), first: start(run) };
}

function render({ model, el }) {
  const trained = unpacked(model.get("trained"));
  const kept = new Map();
  const ask = (words, off) => {
    const key = `${words}|${off}`;
    if (!kept.has(key)) {
      if (kept.size > 20) kept.clear();
      kept.set(key, opened(trained, words, off));
    }
    return kept.get(key);
  };
  return numberWalk(el, model, {
    title: "Every number explained",
    traits: TRAITS,
    columns: BOXES,
    boxOf,
    words: (root) => wordButtons(root, model),
    tools: (root, button, now) => tourButton(root, button, model, now),
    more: { title: "Another sentence, or a part switched off", parts: (box) => [chooser(box, { model, trained }), switches(box, model)] },
    look: ({ sentence, off }) => ask(sentence, off),
    whole: ({ sentence, off }) => (off.length ? { ...ask(sentence, []), words: "with every part on" } : null),
  });
}

function wordButtons(root, model) {
  const draw = choices(root, "The translation");
  return ({ now: { run, graph }, sentence, id }) => {
    const { side, turn } = parse(id);
    const words = run.written.map(({ token, probabilities }, t) => ({
      word: nameOf(graph.target[token]),
      share: probabilities[token],
      pressed: side === "d" && t === turn,
      act: () => goTo(model, [start(run, t)]),
    }));
    draw(`${sentence} →`, words);
  };
}

const BOXES = {
  encoder: [["x", "word vectors"], ["a", "self-attention"], ["1", "add & norm"], ["f", "feed-forward"], ["2", "add & norm"]],
  decoder: [["x", "word vectors"], ["a", "masked self-attention"], ["1", "add & norm"], ["c", "cross-attention"], ["2", "add & norm"], ["f", "feed-forward"], ["3", "add & norm"], ["l", "linear + softmax"]],
};

// The box of the drawing that a node belongs to.
export function boxOf(id) {
  const { side, key } = parse(id);
  if (side === "pos") return null;
  if (side === "L") {
    if (key === "w_out" || key === "b_out") return "decoder l";
    if (key.endsWith("_embedding")) return `${key.startsWith("source") ? "encoder" : "decoder"} x`;
    const [of, , name] = key.split(".");
    const box = name.startsWith("cross_") ? "c" : /^(gamma|beta)/.test(name) ? name.at(-1) : /^[wb][12]$/.test(name) ? "f" : "a";
    return `${of} ${box}`;
  }
  const of = side === "e" ? "encoder" : "decoder";
  if (key === "l" || key === "p") return `${of} l`;
  if (key[0] === "c") return `${of} c`;
  if ("rnmd".includes(key[0]) && key.length === 2) return `${of} ${key[1]}`;
  return `${of} ${{ x: "x", h: "f", f: "f" }[key] ?? "a"}`;
}

function switches(parent, model) {
  const group = parent.append("fieldset").attr("class", "switches");
  group.append("legend").text("Switch a part off");
  const label = group.selectAll("label").data(Object.keys(PARTS)).join("label").attr("class", "switch");
  const input = label.append("input").attr("type", "checkbox");
  label.append("span").text((part) => PARTS[part]);
  input.on("change", (event, part) => toggle(model, part));
  return ({ off }) => input.property("checked", (part) => !off.includes(part));
}

export default { render };
