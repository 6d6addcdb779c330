// Beam tree: which beginnings a search keeps and which it drops, turn after turn, in a tree of words.
import { select } from "d3-selection";
import { controlBar, choice, slider } from "../shared/controls.js";
import { drawnTree } from "./drawn_tree.js";
import { roleOfHead } from "../shared/matrix.js";
import { long, share } from "../shared/numbers.js";
import { assign, follow, frame, sentence, valuesOf } from "../shared/widget.js";

const TRAITS = ["trees", "which", "width", "turn"];
const EOS = "<eos>";
const WIDEST = 4;
const DROPPED = 4; // so many of the beginnings that this turn has dropped are shown

// --- the search ---

export function childrenOf({ parents }) {
  const children = parents.map(() => []);
  parents.forEach((parent, node) => node && children[parent].push(node));
  return children;
}

// One entry a turn: the beams that are kept, best first, and all candidates; entry 0 is the beginning. A beam is
// { node, total }, total in nats.
export function search(tree, width) {
  const children = childrenOf(tree);
  const ends = ({ node }) => tree.words[node] === EOS;
  const turns = [{ beams: [{ node: 0, total: 0 }], candidates: [] }];
  while (!turns.at(-1).beams.every((beam) => ends(beam) || !children[beam.node].length)) {
    const candidates = turns.at(-1).beams.flatMap((beam) =>
      ends(beam) ? [beam] : children[beam.node].map((node) => ({ node, total: beam.total + tree.log_p[node] })),
    );
    candidates.sort((a, b) => b.total - a.total);
    turns.push({ beams: candidates.slice(0, width), candidates });
  }
  return turns;
}

export function pathTo({ words, parents }, node) {
  const path = [];
  for (let at = node; at; at = parents[at]) path.unshift(words[at]);
  return path.map(nameOf);
}

export const nameOf = (word) => (word === EOS ? "end" : word === "<sos>" ? "start" : word);

// The rows of the drawing, each word under the one that it follows: those that are kept now, those that led there,
// the last that was kept of those left behind, and the best of those that this turn has dropped.
export function rowsOf(tree, turns, turn) {
  const totals = new Map([[0, 0]]);
  const kept = new Set([0]);
  for (const { beams, candidates } of turns.slice(1, turn + 1)) {
    candidates.forEach(({ node, total }) => totals.set(node, total));
    beams.forEach(({ node }) => kept.add(node));
  }
  const now = new Set(turns[turn].beams.map(({ node }) => node));
  const alive = new Set();
  const withAncestors = (node, among) => {
    for (let at = node; !among.has(at); at = tree.parents[at]) among.add(at);
  };
  now.forEach((node) => withAncestors(node, alive));
  const shown = new Set([...alive, ...[...kept].filter((node) => alive.has(tree.parents[node]))]);
  const lost = turns[turn].candidates.filter(({ node }) => !now.has(node));
  lost.slice(0, DROPPED).forEach(({ node }) => withAncestors(node, shown));
  const children = childrenOf(tree);
  const rows = [];
  const visit = (node, depth) => {
    const state = now.has(node) ? "kept" : alive.has(node) ? "way" : kept.has(node) ? "left" : "dropped";
    rows.push({ node, depth, state, word: nameOf(tree.words[node]), p: Math.exp(tree.log_p[node]), total: totals.get(node) });
    const seen = children[node].filter((child) => shown.has(child)).sort((a, b) => totals.get(b) - totals.get(a));
    seen.forEach((child) => visit(child, depth + 1));
  };
  visit(0, 0);
  return rows;
}

// What keeps a node: its turn, and a beam as wide as now, or as wide as it takes. Where none is wide enough, the turn.
export function keeping(tree, node, width) {
  const turn = pathTo(tree, node).length;
  const isKept = (width) => search(tree, width)[turn]?.beams.some((beam) => beam.node === node);
  const wider = Array.from({ length: WIDEST + 1 - width }, (_, i) => width + i);
  return { turn, width: wider.find(isKept) ?? width };
}

// The nodes that always taking the likeliest next word has led through.
export function greedyPath(tree, turn) {
  const turns = search(tree, 1);
  const path = new Set();
  for (let at = turns[Math.min(turn, turns.length - 1)].beams[0].node; at; at = tree.parents[at]) path.add(at);
  return path;
}

// --- the words ---

// A tree's name, and in brackets behind it whose guesses it holds.
export function named({ name }) {
  const [, title, whose = ""] = name.match(/^(.*?)(?: \((.*)\))?$/);
  return { title, whose };
}

const quoted = (tree, node) => `“${pathTo(tree, node).join(" ")}”`;

export function describe(tree, turns, turn, width) {
  if (turn === 0) return "Nothing is said yet. Move “Words chosen” to the right: each turn adds one word to each beginning.";
  const { beams, candidates } = turns[turn];
  const [best] = beams;
  const size = `${quoted(tree, best.node)} with ${probability(best.total)}`;
  if (turn === turns.length - 1) {
    return `Width ${width} ends with ${size}, log-probability ${long(best.total)}. ${compared(tree, best, width)}`;
  }
  const lost = candidates.length - beams.length;
  const most = lost ? ` Dropped: ${lost}, the best of them ${quoted(tree, candidates[beams.length].node)} with ${probability(candidates[beams.length].total)}.` : "";
  return `After turn ${turn} the likeliest of ${beams.length === 1 ? "1 beginning" : `${beams.length} beginnings`} is ${size}.${most}`;
}

function compared(tree, best, width) {
  const others = Array.from({ length: WIDEST }, (_, i) => search(tree, i + 1).at(-1).beams[0].total);
  const greedy = others[0];
  if (width === 1) {
    const better = others.findIndex((total) => total > greedy + 1e-9);
    return better < 0 ? "It is greedy, and no width up to 4 finds a likelier one." : `It is greedy; width ${better + 1} finds a likelier one.`;
  }
  const gain = best.total - greedy;
  if (Math.abs(gain) < 1e-9) return "Greedy finds one as likely.";
  return `Greedy ends with ${probability(greedy)}, which is ${gain > 0 ? "less" : "more"} likely.`;
}

const probability = (total) => shareOf(Math.exp(total));

const shareOf = (p) => (p < 0.00005 ? "<0.0001" : p > 0.99995 ? "1" : share(p));

// --- the drawing ---

function render({ model, el }) {
  const root = frame(select(el), "beam-tree", "Beam tree");
  const trees = model.get("trees");
  const bar = controlBar(root);
  const settings = { lowest: 1, highest: WIDEST, step: 1, ends: ["1, greedy", String(WIDEST)] };
  const drawWidth = slider(bar, model, "width", "Width:", settings);
  const drawTurn = slider(bar, model, "turn", "Words chosen:", { lowest: 0, highest: 1, step: 1, ends: ["0", "the end"] });
  const next = bar.append("button").attr("type", "button").attr("class", "plain next");
  const whose = root.append("p").attr("class", "whose");
  const drawTree = drawnTree(root, probability, (node) => {
    const { which, width } = valuesOf(model, TRAITS);
    assign(model, keeping(model.get("trees")[which], node, width));
  });
  const legend = root.append("p").attr("class", "legend").attr("aria-hidden", "true");
  for (const [kind, text] of LEGEND) legend.append("span").attr("class", kind).text(text);
  const picker = root.append("div").attr("class", "picker");
  const drawWhich = choice(picker, model, "which", "Search in", trees.map((tree, i) => [i, named(tree).title]), () => ({ turn: 2 }));
  const numbers = root.append("details").attr("class", "numbers");
  numbers.append("summary").text("The same as a table");
  const scroller = numbers.append("div").attr("class", "scroller").attr("tabindex", 0).attr("role", "region");
  scroller.attr("aria-label", "Words of the tree");
  const drawRows = rowTable(scroller);
  const say = sentence(root);
  return follow(model, TRAITS, () => {
    const state = valuesOf(model, TRAITS);
    const tree = state.trees[state.which];
    const turns = search(tree, state.width);
    const turn = Math.min(state.turn, turns.length - 1);
    bar.select(".turn input").attr("max", turns.length - 1);
    drawWhich(state);
    whose.text(named(tree).whose);
    drawWidth(state);
    drawTurn({ ...state, turn });
    const isOver = turn === turns.length - 1;
    next.text(isOver ? "Begin again" : "Choose the next words");
    next.on("click", () => assign(model, { turn: isOver ? 0 : turn + 1 }));
    const rows = rowsOf(tree, turns, turn);
    drawTree(rows, state.width > 1 ? greedyPath(tree, turn) : new Set());
    drawRows(rows);
    say(describe(tree, turns, turn, state.width));
  });
}

const LEGEND = [["kept", "kept"], ["dropped", "dropped or left behind: click one to keep it"], ["greedy", "greedy"]];
const STATES = { kept: "kept", way: "", left: "left behind", dropped: "dropped" };
const HEADS = ["word", "probability", "so far", ""];

function rowTable(root) {
  const table = root.append("table").attr("class", "tree");
  table.attr("aria-label", "Each word under the one that it follows, and what became of it");
  const head = table.append("thead").append("tr").selectAll("th").data(HEADS).join("th").attr("scope", "col")
    .attr("role", roleOfHead);
  head.text((name) => name);
  const body = table.append("tbody");
  return (rows) => {
    const row = body.selectAll("tr").data(rows).join((enter) => enter.append("tr").each(emptyRow));
    row.attr("class", ({ state }) => state);
    row.select("th").style("--depth", ({ depth }) => depth);
    row.select("th span").text(({ word }) => word);
    row.select(".p").text(({ depth, p }) => (depth ? shareOf(p) : "")).attr("data-value", ({ p }) => p);
    row.select(".total span").text(({ total }) => probability(total)).attr("data-value", ({ total }) => total);
    row.select(".bar").style("width", ({ total }) => `${100 * Math.exp(total)}%`);
    row.select(".state").text(({ state, depth }) => (depth || state === "kept" ? STATES[state] : ""));
  };
}

function emptyRow() {
  const row = select(this);
  row.append("th").attr("scope", "row").append("span");
  row.append("td").attr("class", "p");
  const total = row.append("td").attr("class", "total");
  total.append("span");
  total.append("i").attr("class", "bar").attr("aria-hidden", "true");
  row.append("td").attr("class", "state");
}

export default { render };
