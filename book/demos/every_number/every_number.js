// Every number explained: a trained Transformer in the page. Its words hang on threads of attention; a word, and any
// number below it, is asked why: rather than another word, or than in another sentence, or without a part of the model.
import { asking, deciders, decidingHeads, rather } from "../shared/asking.js";
import { parse } from "../shared/graph.js";
import { goTo } from "../shared/number_card.js";
import { numberWalk } from "../shared/number_walk.js";
import { likeliest } from "../shared/next_words.js";
import { chooser } from "../shared/sentence_chooser.js";
import { PARTS, nameOf, offOf } from "../shared/translator_parts.js";
import { EOS, PAD, SOS, decode, encode, translate, unpacked } from "../shared/transformer.js";
import { assign } from "../shared/widget.js";
import { translationGraph } from "./nodes.js";
import { thread } from "./thread.js";
import { tour } from "./tour.js";

const TRAITS = ["sentence", "against", "own", "off", "trail", "tour", "all"];
const RIVALS = 6;
const LONGEST = 14; // words of what the other side says
const PLACES = { encoder: "the encoder", decoder: "the decoder", cross: "cross-attention" };

const start = ({ written }, t = 0) => `d${t}.p:${t}:${written[t].token}`;

// A run of the model and its graph, with the first card; `said` are the words that it is shown instead of its own.
export function opened(trained, sentence, off, said = null) {
  const words = sentence.split(" ");
  const run = translate(trained, words, offOf(off), said);
  run.words_in = words;
  run.tokens_in = words.map((word) => trained.source.indexOf(word));
  return { run, graph: translationGraph(trained, run, offOf(off)), first: start(run) };
}

// The other side of a question: another sentence, or this one without a part, or both. It is shown the words that this
// side has written, unless it writes its own; what it would have said, and where it would have gone another way, is told.
export function compared(ask, { sentence, against, own, off }, run, turn = 0) {
  if (!against && !off.length) return null;
  const free = ask(against || sentence, off, null);
  const { graph } = own ? free : ask(against || sentence, off, run.written.map(({ token }) => token));
  const words = [against ? `with “${differing(sentence, against)}”` : "", off.length ? `without ${off.map(partName).join(", ")}` : ""].filter(Boolean).join(", ");
  const fork = run.written.findIndex(({ token }, t) => token !== free.run.written[t]?.token);
  return {
    graph,
    words,
    none: "not there",
    shown: run.words.slice(0, turn).join(" "),
    tokens: free.run.written.map(({ token }) => token),
    said: free.run.words.slice(0, LONGEST).join(" ") || "nothing at all",
    fork: fork < 0 || !free.run.written[fork] ? null : { turn: fork, word: run.written[fork].token, rival: free.run.written[fork].token },
  };
}

// The first word that is another one, or the whole sentence where more than one is.
function differing(sentence, other) {
  const [mine, theirs] = [sentence.split(" "), other.split(" ")];
  const changed = theirs.filter((word, i) => word !== mine[i]);
  return mine.length === theirs.length && changed.length === 1 ? changed[0] : other;
}

function render({ model, el }) {
  const trained = unpacked(model.get("trained"));
  const kept = new Map();
  const ask = (words, off, said) => {
    const key = `${words}|${off}|${said}`;
    if (!kept.has(key)) {
      if (kept.size > 20) kept.clear();
      kept.set(key, opened(trained, words, off, said));
    }
    return kept.get(key);
  };
  const look = ({ sentence }) => ask(sentence, [], null);
  return numberWalk(el, model, {
    title: "Every number explained",
    traits: TRAITS,
    levels: LEVELS,
    boxOf,
    above: (root, now) => above(root, model, trained, now),
    tour: tour(trained),
    look,
    other: (state) => compared(ask, state, look(state).run, parse(state.trail[0] ?? "").turn ?? 0),
  });
}

function above(root, model, trained, now) {
  const drawChooser = chooser(root, { model, trained, choose: (sentence) => assign(model, { sentence, against: "", off: [], own: false, trail: [], all: false }) });
  const drawAsking = asking(root, model, {
    words: trained.target.flatMap((word, token) => ([PAD, SOS].includes(word) ? [] : [token])),
    wordOf: (token) => trained.target[token],
    known: trained.source.filter((word) => word !== PAD).sort(),
    parts: { ...PARTS, ...headsOf(trained) },
    rivals: ({ now: { run }, about: { row, word }, comparison }) => {
      const there = comparison?.graph.exists(`d${row}.p:${row}:0`) ? likeliest(trained.target.map((_, token) => comparison.graph.value(`d${row}.p:${row}:${token}`)), 1) : [];
      const said = run.written.map(({ token }) => token);
      return [...new Set([...there, ...likeliest(run.written[row]?.probabilities ?? [], RIVALS), ...said])].filter((token) => token !== word && trained.target[token] !== EOS);
    },
    about: ({ now: { run }, about: { row } }) => mostLookedAt(run, row),
    fork: ({ turn, word, rival }) => rather({ prefix: `d${turn}`, row: turn }, word, rival),
    find: (seen) => deciders(seen.sentence.split(" "), (words) => preferred(trained, seen, words, []), model.get("exchanges")),
    findHead: (seen) => decidingHeads(Object.keys(headsOf(trained)), (off) => preferred(trained, seen, seen.sentence.split(" "), off)),
  });
  const drawThread = thread(root, {
    wait: () => model.get("trail").length > 0 || model.get("against") !== "", // it writes only until something is asked
    choose: (t) => {
      const word = start(now().now.run, t);
      if (String(now().trail) !== word) goTo(model, [word]);
    },
    dive: ({ place, head, row, column }) => {
      const { now: { run }, trail: [first] } = now();
      const { side, turn } = parse(first);
      const t = place === "cross" ? row : side === "d" ? turn : 0;
      const node = { cross: `d${row}.cw`, decoder: `d${t}.w`, encoder: "e.w" }[place];
      goTo(model, [side === "d" && t === turn ? first : start(run, t), `${node}.${head}:${row}:${column}`]); // of the question that is asked
    },
  });
  return (seen) => {
    const { sentence, now: { run, graph }, id } = seen;
    drawChooser({ sentence });
    const { side, turn } = parse(id[0] === "d" || id[1] === "d" ? id : seen.trail[0]);
    const last = ({ heads }) => heads.map(({ weights }) => weights.at(-1));
    drawThread({
      source: run.words_in,
      written: run.written.map(({ token, probabilities }, t) => ({ other: otherWord(seen.comparison, t, token, graph.target), word: nameOf(graph.target[token]), share: probabilities[token], end: graph.target[token] === "<eos>" })),
      cross: run.written.map(({ steps: [{ across }] }) => last(across)),
      encoder: run.source.steps[0].attention.heads.map(({ weights }) => weights),
      decoder: run.written[side === "d" ? turn : 0].steps[0].back.heads.map(({ weights }) => weights),
      turn: side === "d" ? turn : 0,
      look: lookOf(id, seen.made),
    });
    drawAsking(seen);
  };
}

// What the other side says in the place of a word, where that is another one.
function otherWord(comparison, t, token, target) {
  const other = comparison?.tokens[t];
  return other === undefined || other === token ? null : nameOf(target[other]);
}

const headsOf = ({ h }) => Object.fromEntries(Object.entries(PLACES).flatMap(([place, name]) =>
  Array.from({ length: h }, (_, i) => [`${place}.0.${i}`, `head ${i} of ${name}`])));

const partName = (name) => PARTS[name] ?? `head ${name.split(".")[2]} of ${PLACES[name.split(".")[0]]}`;

// What of the attention a card is about: { place, head, row, column }, or null. Of what a head finds, the column is the
// word that has most to do with it.
function lookOf(id, { shares }) {
  const { side, key, head, row, column } = parse(id);
  if (head === null || head === undefined || side === "L") return null;
  const place = side === "e" ? "encoder" : key[0] === "c" ? "cross" : "decoder";
  if ("ws".includes(key.at(-1))) return { place, head, row, column };
  const words = shares.filter((one) => one.now?.label.at !== undefined);
  const most = words.reduce((best, one) => (Math.abs(one.share) > Math.abs(best?.share ?? 0) ? one : best), null);
  return { place, head, row, column: most?.now.label.at ?? null };
}

// The English word that all heads together look at most, when a word is written.
function mostLookedAt({ words_in, written }, t) {
  const sums = words_in.map((_, j) => written[t].steps[0].across.heads.reduce((sum, { weights }) => sum + weights.at(-1)[j], 0));
  return sums.indexOf(Math.max(...sums));
}

// How much a sentence makes the model prefer the word that is asked about, after the same Italian words.
function preferred(trained, { now: { run }, about: { row, word, rival } }, words, off) {
  const shown = [trained.target.indexOf(SOS), ...run.written.slice(0, row).map(({ token }) => token)];
  const { output } = encode(trained, words.map((one) => trained.source.indexOf(one)), offOf(off));
  const logits = decode(trained, shown, output, offOf(off)).logits.at(-1);
  return logits[word] - logits[rival];
}

const LEVELS = [
  { side: "decoder", boxes: [["l", "next word"], ["3", "add & norm"], ["f", "feed-forward"], ["2", "add & norm"], ["c", "cross-attention"], ["1", "add & norm"], ["a", "masked self-attention"], ["x", "word vectors"]] },
  { side: "encoder", boxes: [["2", "add & norm"], ["f", "feed-forward"], ["1", "add & norm"], ["a", "self-attention"], ["x", "word vectors"]] },
];

// The level of the ruler that a node belongs to.
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

export default { render };
