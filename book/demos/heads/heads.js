// Heads: several small attentions side by side. One head's slice of every word, whom it looks at, and the output as a
// sum with a term for each head.
import { select } from "d3-selection";
import { choice, controlBar, onOff } from "../shared/controls.js";
import { glide } from "./glide.js";
import { BIG, describe, look, sharesOf } from "./heads_maths.js";
import { lanes, writers } from "./lanes.js";
import { put, roleOfHead, setShare, write } from "../shared/matrix.js";
import { long, short } from "../shared/numbers.js";
import { assign, follow, frame, sentence, valuesOf } from "../shared/widget.js";

const TRAITS = ["words", "x", "w_q", "w_k", "w_v", "w_o", "names", "head", "row", "reshaped", "silent"];

function render({ model, el }) {
  const root = frame(select(el), "heads", "Heads");
  const drawControls = controls(root, model);
  const drawLanes = lanes(root, model);
  const drawTerms = terms(root, model);
  const numbers = root.append("details").attr("class", "numbers");
  numbers.append("summary").text("The numbers: slices of queries, keys and values, and all weights of one head");
  const panels = numbers.append("div").attr("class", "panels");
  const drawSlices = slices(panels.append("div"));
  const drawMap = map(panels.append("div"));
  const say = sentence(root);
  return follow(model, TRAITS, () => {
    const state = fitting(valuesOf(model, TRAITS));
    const seen = look(state);
    for (const draw of [drawControls, drawLanes, drawTerms, drawSlices, drawMap]) draw(state, seen);
    say(describe(state, seen));
  });
}

// While Python changes one trait after the other, a choice may not fit yet.
const fitting = (state) => ({
  ...state,
  head: Math.min(state.head, state.names.length - 1),
  row: Math.min(state.row, state.words.length - 1),
});

function controls(root, model) {
  const bar = controlBar(root);
  const heads = bar.append("div").attr("class", "which");
  const drawReshaped = onOff(bar, model, "reshaped");
  const picker = root.append("div").attr("class", "picker");
  const drawHeads = choices(heads, model, "head", "Pick a head", ({ names, reshaped }) => names.map((name, i) => [i, reshaped ? `head ${i}` : `${i} ${name}`]));
  const drawWords = choices(picker, model, "row", "Pick the word that asks", (state) => state.words.map((word, i) => [i, word]));
  return (state) => {
    drawHeads(state);
    drawReshaped(state, "cut by reshape only");
    drawWords(state);
  };
}

// A choice whose options are built again when there are others.
function choices(box, model, trait, title, optionsOf) {
  let shown;
  let draw;
  return (state) => {
    const options = optionsOf(state);
    if (shown !== String(options)) {
      shown = String(options);
      box.selectAll("*").remove();
      draw = choice(box, model, trait, title, options);
    }
    draw(state);
  };
}

// --- what the head is given ---

function slices(panel) {
  const title = panel.append("p").attr("class", "title");
  const table = panel.append("table").attr("class", "matrix slices");
  const head = table.append("thead").append("tr");
  const body = table.append("tbody");
  let shown;
  return (state, { query, heads, origins }) => {
    const { words, head: chosen, row, reshaped } = state;
    const one = heads[chosen];
    title.text(`What head ${chosen} is given of each word`);
    table.attr("aria-label", `What head ${chosen} is given of each word, a row for each of ${words.length}`);
    const names = [["", 1], ["all queries", query[0].length], ["query", one.query[0].length], ["key", one.key[0].length]];
    names.push(["value", one.value[0].length], ["cut from", 1]);
    head.selectAll("th").data(names).join("th").attr("scope", "col").attr("colspan", ([, span]) => span)
      .attr("role", ([name]) => roleOfHead(name)).each(function ([name]) { write(this, name); });
    const isGiven = lit(origins[chosen], query, heads.length);
    const rows = words.map((word, i) => ({ word, i, from: origins[chosen][i].word }));
    const line = body.selectAll("tr").data(rows).join("tr").classed("on", ({ i }) => i === row);
    line.selectAll("th").data(({ word }) => [word]).join("th").attr("scope", "row").each(writeDatum);
    line.selectAll("td").data(({ i, from }) => cells(i, from, { words, query, one, isGiven })).join("td").each(fill);
    const now = `${chosen} ${reshaped}`;
    if (shown !== undefined && shown !== now) glide(flights(body, origins[chosen], query[0].length, heads.length));
    shown = now;
  };
}

// Which numbers of the wide queries the head has: row and column -> true.
function lit(origin, query, h) {
  const width = query[0].length / h;
  const given = new Set(origin.map(({ word, slice }) => `${word} ${slice}`));
  return (i, column) => given.has(`${i} ${Math.floor(column / width)}`);
}

function cells(i, from, { words, query, one, isGiven }) {
  const wide = query[i].map((value, column) => ({ value, kind: isGiven(i, column) ? "all given" : "all" }));
  const own = ["query", "key", "value"].flatMap((name) => one[name][i].map((value) => ({ value, kind: `own ${name}` })));
  return [...wide, ...own, { text: words[from], kind: from === i ? "from" : "from other" }];
}

function fill({ value, kind, text }) {
  write(this, text ?? short(value));
  put(this, "class", kind);
  if (text === undefined) this.dataset.value = value;
}

// From where among the wide queries each number of the head's own queries comes: [[from, to], ...].
function flights(body, origin, width, h) {
  const lines = body.selectAll("tr").nodes();
  const each = width / h;
  return origin.flatMap(({ word, slice }, i) => Array.from({ length: each }, (_, c) => [
    lines[word].cells[1 + slice * each + c], lines[i].cells[1 + width + c],
  ]));
}

function writeDatum(text) {
  write(this, text);
}

// --- whom it looks at ---

function map(panel) {
  const title = panel.append("p").attr("class", "title");
  const table = panel.append("table").attr("class", "matrix map");
  const top = table.append("thead").append("tr");
  const body = table.append("tbody");
  const caption = table.append("caption");
  return ({ words, head, row, names, reshaped }, { heads }) => {
    title.text(`Whom head ${head} looks at${reshaped ? "" : ` (${names[head]})`}`);
    const alike = short(1 / words.length);
    caption.text(`rows ask, columns are looked at; weights below 0.1 are not written, and a pale row shares alike, ${alike} each`);
    const columns = top.selectAll("th").data(["", ...words]).join("th").attr("scope", "col").attr("role", roleOfHead);
    columns.selectAll("span").data((word) => [word]).join("span").each(writeDatum);
    const line = body.selectAll("tr").data(heads[head].weights).join("tr").classed("on", (_, i) => i === row);
    line.selectAll("th").data((_, i) => [words[i]]).join("th").attr("scope", "row").each(writeDatum);
    line.selectAll("td").data((weights) => weights).join("td").attr("class", "shaded").each(shade);
  };
}

const twoDigits = (weight) => weight.toFixed(weight < 0.995 ? 2 : 1);

function shade(weight) {
  this.dataset.value = weight;
  setShare(this, weight);
  write(this, weight >= BIG ? twoDigits(weight) : "");
}

// --- what it adds ---

function terms(root, model) {
  const box = root.append("div").attr("class", "terms");
  const title = box.append("p").attr("class", "title");
  const list = box.append("ul");
  const total = box.append("p").attr("class", "total");
  total.append("span").text("output, their sum");
  const sum = total.append("span").attr("class", "sum");
  return (state, { heads, output }) => {
    const { words, names, row, silent, reshaped } = state;
    title.text(`What each head finds for “${words[row]}”, and what it adds to the output`);
    const data = names.map((name, i) => ({ name: reshaped ? "" : ` ${name}`, i, isOn: !silent.includes(i), ...heads[i] }));
    const item = list.selectAll("li").data(data).join((enter) => enter.append("li").each(function (datum) {
      emptyTerm(select(this), model, datum.i);
    }));
    item.attr("class", ({ i }) => `of-${i}`).classed("off", ({ isOn }) => !isOn).each(function (datum) {
      fillTerm(select(this), datum, words, row);
    });
    sum.call(vector, output[row]);
    const written = writers(heads.map(({ added }) => added[row]), silent);
    sum.selectAll("span").attr("class", (_, i) => (written[i] === null ? null : `by of-${written[i]}`));
  };
}

function emptyTerm(item, model, i) {
  const label = item.append("label").attr("class", "switch");
  label.append("input").attr("type", "checkbox").on("change", ({ target }) => {
    const others = model.get("silent").filter((head) => head !== i);
    assign(model, { silent: target.checked ? others : [...others, i].sort((a, b) => a - b) });
  });
  label.append("span");
  for (const name of ["looks", "found", "adds"]) item.append("span").attr("class", name);
}

function fillTerm(item, { name, i, isOn, weights, found, added }, words, row) {
  item.select("input").property("checked", isOn);
  item.select(".switch span").text(`head ${i}${name}`);
  item.select(".looks").text(sharesOf(words, weights[row]));
  item.select(".found").call(vector, found[row]);
  item.select(".adds").call(vector, isOn ? added[row] : added[row].map(() => 0));
}

// The numbers of a vector, each in a separate span, so that what is written can be compared with what is meant.
function vector(box, values) {
  const last = values.length - 1;
  const text = (value, i) => `${i ? "" : "["}${long(value)}${i < last ? ", " : "]"}`;
  box.selectAll("span").data(values).join("span").attr("data-value", (value) => value).text(text);
}

export default { render };
