// Every number of our small GPT: what it would write next, each number open down to its weights, word after word.
import { asking, deciders } from "../shared/asking.js";
import { parse } from "../shared/graph.js";
import { MANY, read, textGraph } from "./gpt_nodes.js";
import { opener, ownText } from "./own_text.js";
import { likeliest } from "../shared/next_words.js";
import { choices, goTo } from "../shared/number_card.js";
import { numberWalk } from "../shared/number_walk.js";
import { MOST_WORDS, chooser } from "../shared/sentence_chooser.js";
import { nameOf } from "../shared/translator_parts.js";
import { EOS, PAD, SOS, unpacked } from "../shared/transformer.js";
import { assign } from "../shared/widget.js";

const TRAITS = ["sentence", "against", "trail", "all"];
const OFFERED = 5; // next words
const [INSTEAD, TRIED] = [20, 2]; // of a file's tokens: what may stand in a place, and how many of them are tried there

const card = (row, token) => `g.p:${row}:${token}`;

// What the model computes of a text, with the card of its likeliest next word first.
export function opened(model, text) {
  const words = [SOS, ...text.split(" ")];
  const graph = textGraph(model, words);
  const row = words.length - 1;
  const offered = likeliest(graph.run.probabilities[row], OFFERED);
  return { graph, row, offered, first: card(row, offered[0]) };
}

// The next word that the trail begins with, or the likeliest.
export function chosen({ row, offered }, trail) {
  const { side, key, row: of, column } = parse(trail[0]);
  return side === "g" && "pl".includes(key) && of === row ? column : offered[0];
}

// What a beginning is compared with: another one, and what it would go on with.
export function compared(ask, { against }, model) {
  if (!against) return null;
  const { graph, offered } = ask(against);
  return { graph, words: `after “${against}”`, none: "not there", said: `“${nameOf(model.target[offered[0]])}” next`, fork: null };
}

const isWord = (word) => ![PAD, SOS, EOS].includes(word);

// What is drawn is the page's model, or a file of the reader's, which has a state of its own that no link leads to.
function render({ model, el }) {
  let stop = () => {};
  let own = null;
  const show = (file) => {
    stop();
    el.replaceChildren();
    own = file;
    const state = own ? held({ examples: own.examples, sentence: own.examples[0], against: "", trail: [], all: false }) : model;
    const set = (name, value) => own === file && state.set(name, value); // a walk may still be on its way
    stop = draw({ ...bound(state), set }, el, own?.trained ?? unpacked(model.get("trained")), { own, show });
  };
  show(null);
  const back = () => own && show(null); // a link of the page sets its own model
  for (const trait of TRAITS) model.on(`change:${trait}`, back);
  return () => {
    stop();
    for (const trait of TRAITS) model.off(`change:${trait}`, back);
  };
}

const bound = (model) => Object.fromEntries(["get", "on", "off", "save_changes"].map((name) => [name, (...given) => model[name](...given)]));

// Traits that are the page's alone.
function held(traits) {
  const heard = new Map(Object.keys(traits).map((name) => [`change:${name}`, new Set()]));
  return {
    get: (name) => traits[name],
    set(name, value) {
      traits[name] = value;
      heard.get(`change:${name}`).forEach((listener) => listener());
    },
    on: (event, listener) => heard.get(event).add(listener),
    off: (event, listener) => heard.get(event).delete(listener),
    save_changes() {},
  };
}

function draw(page, el, trained, { own, show }) {
  const kept = new Map();
  const ask = (text) => {
    if (kept.size > 20) kept.clear();
    if (!kept.has(text)) kept.set(text, opened(trained, text));
    return kept.get(text);
  };
  const { get } = page;
  const model = own ? { ...page, get: (name) => (name === "exchanges" ? standIns(ask(get("sentence")).graph.run, get("sentence"), trained) : get(name)) } : page;
  return numberWalk(el, model, {
    title: "Every number of a small GPT",
    traits: TRAITS,
    levels: levelsOf(trained.layers),
    boxOf: (id) => boxOf(id, trained.layers),
    above: (root) => above(root, model, trained, ask, { own, show }),
    tools: (root, button) => writing(button, model, trained, own?.most ?? MOST_WORDS),
    look: ({ sentence }) => ask(sentence),
    other: (state) => compared(ask, state, trained),
  });
}

function above(root, model, trained, ask, { own, show }) {
  const choose = (sentence) => assign(model, { sentence, against: "", trail: [], all: false });
  const drawChooser = own ? ownText(root, model, own, choose) : chooser(root, { model, trained, enter: "Enter reads it", choose });
  opener(root, own, show);
  const drawWords = nextWords(root, model, trained);
  const words = trained.target.length > MANY ? [] : trained.target.filter(isWord); // of many, the likeliest are offered
  const drawAsking = asking(root, model, {
    words: words.length ? trained.target.flatMap((word, token) => ([PAD, SOS].includes(word) ? [] : [token])) : [],
    wordOf: (token) => trained.target[token],
    known: [...words].sort(),
    about: ({ sentence }) => sentence.split(" ").length - 1,
    rivals: ({ now: { graph }, about: { row, word } }) => likeliest(graph.run.probabilities[row], OFFERED + 1).filter((token) => token !== word),
    find: ({ sentence, about: { row, word, rival } }) => {
      const trial = (text) => {
        const { logits } = read(trained, [SOS, ...text].map((one) => trained.target.indexOf(one)));
        return logits[row][word] - logits[row][rival];
      };
      const tried = Object.entries(model.get("exchanges")).map(([one, others]) => [one, own ? others.slice(0, TRIED) : others]);
      return deciders(sentence.split(" "), trial, Object.fromEntries(tried));
    },
  });
  return (seen) => {
    drawChooser(seen);
    drawWords(seen);
    drawAsking(seen);
  };
}

// What the model of a file would rather have written in the place of each word.
function standIns({ probabilities }, sentence, { target }) {
  const others = (word, j) => likeliest(probabilities[j], INSTEAD).map((token) => target[token]).filter((one) => one !== word && isWord(one));
  return Object.fromEntries(sentence.split(" ").map((word, j) => [word, others(word, j)]));
}

function nextWords(root, model, trained) {
  const draw = choices(root, "The likeliest next words");
  return ({ now, sentence, trail }) => {
    const { probabilities } = now.graph.run;
    const on = chosen(now, trail);
    const offered = now.offered.includes(on) ? now.offered : [...now.offered, on]; // a link may be about an unlikely word
    draw(`${sentence} →`, offered.map((token) => ({
      word: nameOf(trained.target[token]),
      share: probabilities[now.row][token],
      pressed: token === on,
      act: () => goTo(model, [card(now.row, token)]),
    })));
  };
}

// Write the chosen word, and take the last one back.
function writing(button, model, trained, most) {
  const to = (words) => assign(model, { sentence: words.join(" "), against: "", trail: [], all: false });
  let next = null;
  const write = button("Write", () => next && to([...model.get("sentence").split(" "), next]));
  const back = button("Take a word back", () => {
    const words = model.get("sentence").split(" ");
    if (words.length > 1) to(words.slice(0, -1));
  });
  return ({ now, sentence, trail }) => {
    const word = trained.target[chosen(now, trail)];
    const length = sentence.split(" ").length;
    next = !isWord(word) || length >= most ? null : word;
    write.text(`Write “${nameOf(word)}”`).attr("aria-disabled", !next);
    back.attr("aria-disabled", length < 2);
  };
}

const LAYER = [["r2", "add"], ["f", "feed-forward"], ["n2", "norm"], ["r1", "add"], ["a", "masked self-attention"], ["n1", "norm"]];
const levelsOf = (layers) => Array.from({ length: layers }, (_, i) => ({
  side: `layer ${layers - i}`,
  boxes: [...(i ? [] : [["l", "next word"], ["n", "last norm"]]), ...LAYER, ...(i === layers - 1 ? [["x", "word vectors"]] : [])],
}));

// The level of the ruler that a node belongs to.
export function boxOf(id, layers = 2) {
  const { side, turn, key } = parse(id);
  if (side === "pos") return null;
  if (side === "L") return learnedBox(key, layers);
  if (turn === null) return key === "x" ? "layer 1 x" : `layer ${layers} ${"lp".includes(key) ? "l" : "n"}`;
  const box = "md".includes(key[0]) ? `n${key[1]}` : { h: "f" }[key] ?? (/^([nr]\d|f)$/.test(key) ? key : "a");
  return `layer ${turn + 1} ${box}`;
}

function learnedBox(key, layers) {
  if (key === "embedding") return "layer 1 x";
  const [, layer, name] = key.split(".");
  if (!name) return `layer ${layers} n`;
  const box = /^(gamma|beta)/.test(name) ? `n${name.at(-1)}` : /^[wb][12]$/.test(name) ? "f" : "a";
  return `layer ${Number(layer) + 1} ${box}`;
}

export default { render };
