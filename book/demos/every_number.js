// Every number explained: a trained Transformer in the page, in which any number opens into the sum that made it.
import { select } from "d3-selection";
import { courseChart } from "./course_chart.js";
import { parse } from "./graph.js";
import { translationGraph } from "./nodes.js";
import { keys, start, tools, trailIn } from "./number_walk.js";
import { headsOf, labelOf, question, ruleInWords, shortName } from "./number_words.js";
import { chooser } from "./sentence_chooser.js";
import { PARTS, nameOf, offOf, toggle } from "./translator_parts.js";
import { translate, unpacked } from "./transformer.js";
import { assign, follow, frame, sentence, valuesOf } from "./widget.js";

const TRAITS = ["sentence", "against", "off", "trail", "tour", "all"];
const SHOWN = 7; // terms; the others are one row until they are asked for

// Enough digits that a shown sum can be checked.
export const written = (value) => {
  const size = Math.abs(value);
  return (size >= 1e4 ? value.toExponential(3) : value.toFixed(size !== 0 && size < 0.0001 ? 7 : 4)).replace("-", "−");
};
const rounded = (value) => Number(value.toFixed(4));
const fixed = (value) => (Math.abs(value) >= 1e4 ? written(value) : value.toFixed(4).replace("-", "−").replace(/^−(0\.0+)$/, "$1"));

// The rows of a card: the largest terms, the rest as one, and what rounding leaves between the shown terms and their sum.
export function rowsOf({ terms, rule }, all) {
  const order = rule === "sum" || rule === "neuron";
  const sorted = order ? [...terms].sort((a, b) => Math.abs(b.term) - Math.abs(a.term)) : terms;
  const few = all || sorted.length <= SHOWN + 1 || rule === "norm";
  const kept = few ? sorted : mostAnd(sorted, rule);
  const rest = sorted.filter((one) => !kept.includes(one));
  const smaller = rest.length ? { count: rest.length, term: rest.reduce((sum, { term }) => sum + term, 0) } : null;
  const total = terms.reduce((sum, { term }) => sum + term, 0);
  const shown = kept.reduce((sum, { term }) => sum + rounded(term), 0) + (smaller ? rounded(smaller.term) : 0);
  const rounding = rounded(rounded(total) - shown);
  return { kept, smaller, total, rounding: order && Math.abs(rounding) >= 0.00005 ? rounding : null };
}

// Of a softmax over many words, those with the largest shares, and the one that is asked about.
function mostAnd(terms, rule) {
  if (rule !== "softmax") return terms.slice(0, SHOWN);
  const sorted = [...terms].sort((a, b) => b.term - a.term).slice(0, SHOWN);
  return sorted.some(({ own }) => own) ? sorted : [...sorted.slice(0, SHOWN - 1), terms.find(({ own }) => own)];
}

// A run of the model, and its graph, with the words that its nodes are named by.
export function opened(trained, sentence, off) {
  const words = sentence.split(" ");
  const run = translate(trained, words, offOf(off));
  run.words_in = words;
  run.tokens_in = words.map((word) => trained.source.indexOf(word));
  const graph = translationGraph(trained, run, offOf(off));
  const target = (t) => trained.target[run.written[t]?.token];
  return { run, graph: Object.assign(graph, { target, words_out: trained.target, words_in: trained.source }) };
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
  const root = frame(select(el), "every-number", "Every number explained");
  const open = (id, from) => assign(model, { trail: [...from, id], all: false });
  const drawWords = wordButtons(root, model);
  const drawTrail = trailBar(root, model);
  const body = root.append("div").attr("class", "body");
  const drawCard = card(body.append("section").attr("class", "card"), model, open);
  const drawMap = map(body.append("div").attr("class", "drawing").attr("aria-hidden", "true"));
  const drawTools = tools(root, model, ask);
  const say = sentence(root);
  const more = root.append("details").attr("class", "more");
  more.append("summary").text("Another sentence, or a part switched off");
  const drawMore = whenOpened(more, () => [chooser(more, { model, trained }), switches(more, model)]);
  keys(root, model, ask);
  let last = model.get("sentence");
  return follow(model, TRAITS, () => {
    const state = valuesOf(model, TRAITS);
    if (state.sentence !== last) {
      [state.against, last] = [more.node().contains(document.activeElement) ? last : "", state.sentence];
      model.set("against", state.against); // a sentence that the reader has chosen is compared with the one before
    }
    const now = ask(state.sentence, state.off);
    const trail = trailIn(now, state.trail);
    const id = trail.at(-1);
    const seen = { ...state, now, trail, id, made: now.graph.explain(id), other: otherOf(state, ask) };
    for (const draw of [drawWords, drawTrail, drawCard, drawMap, drawTools, drawMore]) draw(seen);
    say(`${question(now.graph, id)} ${written(seen.made.value)}. ${ruleInWords(seen.made)}`);
  });
}

// What is folded is made when it is opened: the first card does not wait for it.
function whenOpened(details, make) {
  let seen;
  let draws = [];
  const draw = () => draws.forEach((each) => each(seen));
  details.on("toggle", () => {
    if (!draws.length) draws = make();
    draw();
  });
  return (now) => {
    seen = now;
    draw();
  };
}

// What the numbers are compared with: the whole model where a part is off, or the sentence that was there before.
function otherOf({ sentence: text, against, off }, ask) {
  if (off.length) return { ...ask(text, []), words: "with every part on" };
  return against ? { ...ask(against, []), words: `in “${against}”` } : null;
}

const percent = (share) => (share > 0.9999 ? ">99.99%" : `${(100 * share).toFixed(2)}%`);

function wordButtons(root, model) {
  const line = root.append("div").attr("class", "line");
  const source = line.append("span").attr("class", "source");
  const group = line.append("div").attr("class", "words").attr("role", "group").attr("aria-label", "The translation");
  return ({ now, sentence: text, id }) => {
    source.text(`${text} →`);
    const { side, turn } = parse(id);
    const words = now.run.written.map(({ token, probabilities }, t) => ({ t, word: nameOf(now.graph.words_out[token]), share: probabilities[token] }));
    const button = group.selectAll("button").data(words).join((enter) => {
      const made = enter.append("button").attr("type", "button");
      made.append("b");
      made.append(() => document.createTextNode(" "));
      made.append("small");
      return made;
    });
    button.attr("aria-pressed", ({ t }) => side === "d" && t === turn);
    button.select("b").text(({ word }) => word);
    button.select("small").text(({ share }) => percent(share));
    button.on("click", (event, { t }) => assign(model, { trail: [start(now, t)], tour: 0, all: false }));
  };
}

function trailBar(root, model) {
  const bar = root.append("nav").attr("class", "trail").attr("aria-label", "The way here");
  return ({ now, trail }) => {
    const steps = trail.map((id, i) => ({ id, i, text: `${shortName(id)} ${written(now.graph.value(id))}` }));
    const button = bar.selectAll("button").data(steps).join("button").attr("type", "button");
    button.text(({ text }) => text).attr("aria-current", ({ i }) => (i === trail.length - 1 ? "step" : null));
    button.on("click", (event, { i }) => assign(model, { trail: trail.slice(0, i + 1), tour: 0, all: false }));
    if (trail.length > 1) bar.node().scrollLeft = bar.node().scrollWidth; // the width makes the page be laid out: not for a first card
  };
}

function card(section, model, open) {
  const title = section.append("p").attr("class", "asked");
  const value = section.append("p").attr("class", "value");
  const rule = section.append("p").attr("class", "rule");
  const table = section.append("table");
  table.attr("aria-label", "What went in");
  const head = table.append("thead").append("tr");
  head.append("td");
  const heads = [1, 2].map((columns) => head.append("th").attr("scope", "col").attr("colspan", columns)); // bar and term share one
  const body = table.append("tbody");
  const place = section.append("p").attr("class", "place");
  const drawCourse = courseChart(section, model);
  return (seen) => {
    const { now, made, other, trail, id, all } = seen;
    title.text(question(now.graph, id));
    const before = other?.graph.exists(id) ? other.graph.explain(id) : null;
    value.text(written(made.value)).attr("data-value", made.value);
    if (before && before.value !== made.value) value.append("small").text(`${other.words}: ${written(before.value)}`);
    rule.text(ruleInWords(made));
    const { kept, smaller, total, rounding } = rowsOf(made, all);
    const scale = Math.max(...kept.map(({ term }) => Math.abs(term)), Math.abs(smaller?.term ?? 0), 1e-12);
    const lines = kept.map((one) => ({ ...one, scale, was: before?.terms[made.terms.indexOf(one)]?.term }));
    if (smaller) lines.push({ smaller, term: smaller.term, scale, factors: [] });
    if (rounding !== null) lines.push({ rounding, term: rounding, scale, factors: [] });
    if (made.terms.length > 1 && made.rule !== "norm") lines.push({ total: "sum", term: total, scale, factors: [] });
    const last = made.terms.length ? lastStep(made, total) : null;
    if (last) lines.push({ total: last, term: made.value, scale, factors: [] });
    const columns = headsOf(made);
    head.attr("hidden", columns ? null : "");
    heads.forEach((cell, i) => cell.text(columns?.[i] ?? ""));
    body.selectAll("tr").remove();
    for (const line of lines) drawLine(body.append("tr"), line, made, { open: (to) => open(to, trail), unfold: () => assign(model, { all: true }) });
    table.attr("hidden", lines.length ? null : "");
    place.text(made.rule === "learned" ? standing(now.graph, id) : "");
    drawCourse(made.rule === "learned" ? id : null);
  };
}

function drawLine(row, line, made, { open, unfold }) {
  const label = line.total ? line.total : line.rounding ? "rounding" : line.smaller ? null : labelOf(line.label);
  const head = row.append("th").attr("scope", "row");
  if (label) head.text(label);
  else head.append("button").attr("type", "button").attr("class", "unfold").text(`+ ${line.smaller.count} smaller`).on("click", unfold);
  row.classed("own", !!line.own).classed("total", !!line.total).classed("rounding", !!line.rounding);
  const factors = row.append("td").attr("class", "factors");
  line.factors.forEach(({ id, value }, i) => {
    if (i) factors.append("span").attr("class", "times").text("·");
    const learnt = id.startsWith("L.") || id.startsWith("pos");
    const button = factors.append("button").attr("type", "button").attr("class", learnt ? "learned" : "number").attr("data-node", id);
    button.text(written(value)).attr("aria-label", `${written(value)}, ${shortName(id)}: open`).on("click", () => open(id));
  });
  if (line.times) factors.append("span").attr("class", "times").text(`× ${line.times}`);
  const bar = row.append("td").attr("class", "bars").append("span").attr("class", line.term < 0 ? "bar less" : "bar");
  bar.style("--size", made.rule === "norm" || line.total ? 0 : Math.abs(line.term) / line.scale);
  const quotient = made.rule === "softmax" && (line.own || (line.total && line.total !== "sum")); // as many digits as the value has
  const term = quotient ? written(line.term) : fixed(line.term);
  const end = row.append("td").attr("class", "term").text(made.rule === "norm" && !line.total ? "" : term);
  if (line.was !== undefined && rounded(line.was) !== rounded(line.term)) end.append("small").text(`was ${fixed(line.was)}`);
}

// What is still done to the sum.
function lastStep({ rule, divisor = 1, terms, hidden, value }, total) {
  if (rule === "softmax") return hidden ? "hidden: 0" : `${written(terms.find(({ own }) => own).term)} ÷ ${fixed(total)}`;
  if (rule === "norm") return "(sum − mean) ÷ spread · γ + β";
  if (rule === "mean") return `÷ ${terms.length}`;
  if (rule === "spread") return `÷ ${terms.length}, + 0.00001, root`;
  if (rule === "neuron") return value ? null : "below 0: the neuron is silent";
  return divisor === 1 ? null : `÷ ${divisor}`;
}

// The rank of a learned number in its matrix, by size.
function standing(graph, id) {
  const numbers = graph.matrix(parse(id).key).flat();
  const size = Math.abs(graph.value(id));
  const below = numbers.filter((one) => Math.abs(one) < size).length;
  return `It is one of ${numbers.length.toLocaleString("en")} numbers of its kind; ${Math.round((100 * below) / numbers.length)}% of them are nearer to 0.`;
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

function map(box) {
  for (const [side, names] of Object.entries(BOXES)) {
    const column = box.append("div");
    column.append("b").text(side);
    for (const [name, text] of names) column.append("span").attr("data-box", `${side} ${name}`).text(text);
  }
  return ({ id, trail }) => {
    const passed = new Set(trail.map(boxOf));
    box.selectAll("[data-box]").attr("class", function () {
      return this.dataset.box === boxOf(id) ? "here" : passed.has(this.dataset.box) ? "passed" : null;
    });
  };
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
