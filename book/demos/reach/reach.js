// Reach: one word of a sentence, and the outputs that can know of it through convolutions, recurrence or attention.
import { select } from "d3-selection";
import { choice, controlBar, slider } from "../shared/controls.js";
import { holdable } from "../shared/hand.js";
import { assign, follow, frame, pointerIn, sentence, valuesOf } from "../shared/widget.js";

const TRAITS = ["words", "architecture", "depth", "token"];
const NAMES = { cnn: "CNN", rnn: "RNN", attention: "Attention" };
const HEIGHT = 220; // of the drawing, in its own units
const COLUMN = 60;
const FLOW = [{ strokeDashoffset: 24 }, { strokeDashoffset: 0 }]; // two dashes further
const FLOWING = 700; // milliseconds
const NOT_YET = "…";
const NEVER = "–";

// --- the numbers ---

// How many products with weights it takes from word i to output j; null where no path leads there.
export function hops(architecture, i, j) {
  if (architecture === "attention") return 1;
  if (architecture === "cnn") return Math.max(1, Math.abs(i - j));
  return j < i ? null : 1 + j - i;
}

// For each output the hops to it, null where the word cannot get. A recurrent network has only read `depth` words.
export function reached({ words, architecture, depth, token }) {
  return words.map((_, j) => {
    const far = hops(architecture, token, j);
    const late = architecture === "rnn" ? j >= depth : far > depth;
    return far === null || late ? null : far;
  });
}

// How many layers or steps until the word has got wherever it can.
export function needed({ words, architecture, token }) {
  if (architecture === "rnn") return words.length;
  return Math.max(...words.map((_, j) => hops(architecture, token, j)));
}

// With how many layers, or words read, a network is first shown.
export const begun = (architecture, words) => ({ cnn: 3, rnn: words.length, attention: 1 })[architecture];

// The connections, each [from, to, kind]: "lit" for a hop, "stays" where a word that has heard only carries on, else
// "pale". A place is [column, row], rows counted upwards from the words.
export function connections(state) {
  const { words, architecture, depth, token } = state;
  if (architecture === "rnn") {
    const steps = words.map((_, j) => j).slice(0, depth);
    const kind = (isLit) => (isLit ? "lit" : "pale");
    const reads = steps.map((j) => [[j, 0], [j, 1], kind(j === token)]);
    const carries = steps.slice(1).map((j) => [[j - 1, 1], [j, 1], kind(j > token)]);
    return [...reads, ...carries];
  }
  const far = architecture === "cnn" ? 1 : words.length;
  const isNear = (a, b) => Math.abs(a - b) <= far;
  const all = words.map((_, j) => j);
  const layers = Array.from({ length: depth }, (_, layer) => layer);
  return layers.flatMap((layer) =>
    all.flatMap((a) => all.filter((b) => isNear(a, b)).map((b) => [[a, layer], [b, layer + 1], tells(state, a, b, layer)])),
  );
}

// Lit is what brings news: the sender has heard, and the receiver has not.
function tells({ architecture, token }, a, b, layer) {
  const heard = layer === 0 ? a === token : hops(architecture, token, a) <= layer;
  if (heard && (layer === 0 || hops(architecture, token, b) > layer)) return "lit";
  return heard && a === b ? "stays" : "pale";
}

export const rows = ({ architecture, depth }) => (architecture === "rnn" ? 1 : depth);

// --- the words ---

export function describe(state) {
  const { words, architecture, depth, token } = state;
  const far = reached(state);
  const count = far.filter((hop) => hop !== null).length;
  const most = Math.max(0, ...far.filter((hop) => hop !== null));
  const name = `“${words[token]}”, word ${token + 1},`;
  if (architecture === "rnn") {
    const read = `An RNN that has read ${depth} of ${words.length} words: ${name}`;
    if (!count) return `${read} has not been read yet.`;
    return `${read} reaches ${outputs(count)}, the last in ${hop(most)}. Words before it never hear of it.`;
  }
  const layers = depth === 1 ? "1 layer" : `${depth} layers`;
  const start = architecture === "cnn" ? `${layers} of convolution, three wide:` : `${layers} of attention:`;
  const more = needed(state);
  const missing = more > depth ? `The farthest would need ${more} layers.` : "It gets everywhere.";
  return `${start} ${name} reaches ${outputs(count)}, the farthest in ${hop(most)}. ${missing}`;
}

const outputs = (count) => (count === 1 ? "1 output" : `${count} outputs`);

const hop = (count) => (count === 1 ? "1 hop" : `${count} hops`);

// --- the drawing ---

function render({ model, el }) {
  const root = frame(select(el), "reach", "Reach");
  const bar = controlBar(root);
  const drawKind = choice(bar, model, "architecture", "Network", Object.entries(NAMES), (kind) => ({
    depth: begun(kind, model.get("words")),
  }));
  const drawDepth = slider(bar, model, "depth", '<span class="what"></span>', {
    lowest: 1,
    highest: model.get("words").length,
    step: 1,
    ends: [],
  });
  const drawNumbers = numbers(root);
  const drawNet = net(root.append("div").attr("class", "net").attr("aria-hidden", "true"), model);
  const legend = root.append("p").attr("class", "legend").attr("aria-hidden", "true");
  for (const [kind, text] of LEGEND) legend.append("span").attr("class", kind).text(text);
  const columns = root.append("div").attr("class", "columns").attr("aria-hidden", "true");
  const picker = root.append("div").attr("class", "picker");
  let drawWords = () => {};
  let shown = "";
  const say = sentence(root);
  return follow(model, TRAITS, () => {
    const state = fitting(valuesOf(model, TRAITS));
    if (shown !== state.words.join("\n")) {
      shown = state.words.join("\n");
      picker.selectAll("*").remove();
      drawWords = choice(picker, model, "token", "Follow a word", state.words.map((word, i) => [i, word]));
    }
    root.style("--count", state.words.length);
    columns.selectAll("span").data(state.words).join("span").text((_, i) => i + 1);
    bar.select(".what").text(state.architecture === "rnn" ? "Words read:" : "Layers:");
    bar.select(".depth input").attr("max", state.words.length);
    [drawKind, drawDepth, drawWords, drawNumbers, drawNet].forEach((draw) => draw(state));
    say(describe(state));
  });
}

// While Python changes one trait after the other, a token or a depth may not fit yet.
const fitting = (state) => ({
  ...state,
  depth: Math.min(state.depth, state.words.length),
  token: Math.min(state.token, state.words.length - 1),
});

function numbers(root) {
  const list = root.append("ol").attr("class", "hops");
  return (state) => {
    const far = reached(state).map((hop, j) => ({
      hop,
      word: state.words[j],
      isNever: hops(state.architecture, state.token, j) === null,
    }));
    const item = list.selectAll("li").data(far).join("li");
    item.classed("lit", ({ hop }) => hop !== null).attr("data-value", ({ hop }) => hop ?? 0);
    item.text(({ hop, isNever }) => hop ?? (isNever ? NEVER : NOT_YET)).append("span").attr("class", "unseen").text(heard);
  };
}

function heard({ hop, word, isNever }) {
  if (hop !== null) return ` ${hop === 1 ? "hop" : "hops"} to “${word}”`;
  return isNever ? ` “${word}” is never reached` : ` “${word}” is not reached yet`;
}

// The lit lines flow once, upwards, after a change.
function flow(path) {
  path.getAnimations().forEach((animation) => animation.cancel());
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) path.animate(FLOW, FLOWING);
}

const KINDS = ["pale", "stays", "lit"];
const LEGEND = [["lit", "a hop"], ["stays", "straight up, a word keeps what it knows: no hop"]];

// A click follows the word of its column, and the mouse can be drawn along the words.
function steer(box, svg, model) {
  const last = () => model.get("words").length - 1;
  const choose = ([x]) => assign(model, { token: Math.min(Math.max(Math.floor(x / COLUMN), 0), last()) });
  box.on("click", (event) => choose(pointerIn(event, svg.node())));
  holdable(box, () => svg.node(), ({ pointerType }) => pointerType === "mouse" && { carry: choose }, "pan-y");
}

function net(box, model) {
  const svg = box.append("svg").attr("preserveAspectRatio", "none");
  const path = svg.selectAll("path").data(KINDS).join("path").attr("class", (kind) => kind);
  const lit = path.filter((kind) => kind === "lit");
  steer(box, svg, model);
  const nodes = box.append("div").attr("class", "nodes");
  let shown = null;
  return (state) => {
    const at = placing(state);
    const every = connections(state);
    svg.attr("viewBox", `0 0 ${COLUMN * state.words.length} ${HEIGHT}`);
    path.attr("d", (kind) => outline(every.filter(([, , own]) => own === kind), at));
    const news = lit.attr("d");
    if (shown !== null && shown !== news) flow(lit.node());
    shown = news;
    const node = nodes.selectAll("span").data(places(state)).join("span");
    node.classed("lit", ({ on }) => on).style("left", ({ place }) => `${(100 * at(place)[0]) / (COLUMN * state.words.length)}%`);
    node.style("top", ({ place }) => `${(100 * at(place)[1]) / HEIGHT}%`);
  };
}

const placing = (state) => ([column, row]) => [COLUMN * (column + 0.5), HEIGHT - 10 - ((HEIGHT - 20) * row) / rows(state)];

function places(state) {
  const { words, architecture, depth, token } = state;
  const levels = Array.from({ length: rows(state) + 1 }, (_, row) => row);
  return levels.flatMap((row) => words.map((_, column) => {
    const far = hops(architecture, token, column);
    const inTime = architecture === "rnn" ? column < depth && far !== null : far <= row;
    return { place: [column, row], on: row === 0 ? column === token : inTime };
  }));
}

const outline = (lines, at) => lines.map(([from, to]) => `M${at(from).join(" ")}L${at(to).join(" ")}`).join("");

export default { render };
