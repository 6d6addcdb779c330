// The card of one number: the question, the value, the rule, and the terms that made it; with the trail that leads to it.
import { courseChart } from "./course_chart.js";
import { parse } from "./graph.js";
import { factor, headsOf, labelOf, question, ruleInWords, shortName } from "./number_words.js";
import { assign } from "./widget.js";

// Go to a card; a tour that the demo may have ends.
export const goTo = (model, trail) => assign(model, { trail, all: false, ...(model.get("tour") ? { tour: 0 } : {}) });

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

// Words with their shares, each a button: { word, share, pressed, act }.
export function choices(root, name) {
  const line = root.append("div").attr("class", "line");
  const source = line.append("span").attr("class", "source");
  const group = line.append("div").attr("class", "words").attr("role", "group").attr("aria-label", name);
  return (text, words) => {
    source.text(text);
    const button = group.selectAll("button").data(words).join((enter) => {
      const made = enter.append("button").attr("type", "button");
      made.append("b");
      made.append(() => document.createTextNode(" "));
      made.append("small");
      return made;
    });
    button.attr("aria-pressed", ({ pressed }) => pressed).on("click", (event, { act }) => act());
    button.select("b").text(({ word }) => word);
    button.select("small").text(({ share }) => percent(share));
  };
}

const percent = (share) => (share > 0.9999 ? ">99.99%" : `${(100 * share).toFixed(2)}%`);

export function trailBar(root, model) {
  const bar = root.append("nav").attr("class", "trail").attr("aria-label", "The way here");
  return ({ now, trail }) => {
    const steps = trail.map((id, i) => ({ id, i, text: `${shortName(id)} ${written(now.graph.value(id))}` }));
    const button = bar.selectAll("button").data(steps).join("button").attr("type", "button");
    button.text(({ text }) => text).attr("aria-current", ({ i }) => (i === trail.length - 1 ? "step" : null));
    button.on("click", (event, { i }) => goTo(model, trail.slice(0, i + 1)));
    if (trail.length > 1) bar.node().scrollLeft = bar.node().scrollWidth; // the width makes the page be laid out: not for a first card
  };
}

export function card(section, model) {
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
    for (const line of lines) drawLine(body.append("tr"), line, made, { open: (to) => goTo(model, [...trail, to]), unfold: () => assign(model, { all: true }) });
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
  if (line.times) factors.append("span").attr("class", "times").text(`× ${factor(line.times)}`);
  const bar = row.append("td").attr("class", "bars").append("span").attr("class", line.term < 0 ? "bar less" : "bar");
  bar.style("--size", made.rule === "norm" || line.total ? 0 : Math.abs(line.term) / line.scale);
  const quotient = made.rule === "softmax" && (line.own || (line.total && line.total !== "sum")); // as many digits as the value has
  const term = quotient ? written(line.term) : fixed(line.term);
  const end = row.append("td").attr("class", "term").text(made.rule === "norm" && !line.total ? "" : term);
  if (line.was !== undefined && rounded(line.was) !== rounded(line.term)) end.append("small").text(`was ${fixed(line.was)}`);
}

// A sum to divide by, with as many digits as make the shown quotient come out.
function divisorOf(own, total, value) {
  const texts = [4, 5, 6, 7].map((digits) => total.toFixed(digits));
  const above = Number(written(own).replace("−", "-"));
  return (Math.abs(total) < 1e4 && texts.find((text) => written(above / Number(text)) === written(value))) || fixed(total);
}

// What is still done to the sum.
function lastStep({ rule, divisor = 1, terms, hidden, value }, total) {
  if (rule === "softmax") return hidden ? "hidden: 0" : quotient(terms.find(({ own }) => own).term, total, value);
  if (rule === "norm") return "(sum − mean) ÷ spread · γ + β";
  if (rule === "mean") return `÷ ${terms.length}`;
  if (rule === "spread") return `÷ ${terms.length}, + 0.00001, root`;
  if (rule === "neuron") return value ? null : "below 0: the neuron is silent";
  return divisor === 1 ? null : `÷ ${divisor}`;
}

const quotient = (own, total, value) => `${written(own)} ÷ ${divisorOf(own, total, value)}`;

// The rank of a learned number in its matrix, by size.
function standing(graph, id) {
  const numbers = graph.matrix(parse(id).key).flat();
  const size = Math.abs(graph.value(id));
  const below = numbers.filter((one) => Math.abs(one) < size).length;
  return `It is one of ${numbers.length.toLocaleString("en")} numbers of its kind; ${Math.round((100 * below) / numbers.length)}% of them are nearer to 0.`;
}

// What is folded is made when it is opened: the first card does not wait for it.
export function whenOpened(details, make) {
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

// The drawing of the model: columns of boxes, { encoder: [["x", "word vectors"], …] }. What the trail has passed is lit.
export function map(box, columns, boxOf) {
  for (const [side, names] of Object.entries(columns)) {
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
