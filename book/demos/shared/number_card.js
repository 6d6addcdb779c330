// The card of one number: the question, the value, the rule, and the terms that made it; of two sides, what each term had
// to do with the difference.
import { courseChart } from "./course_chart.js";
import { parse } from "./graph.js";
import { factor, headsOf, labelOf, question, ruleInWords, shortName } from "./number_words.js";
import { assign } from "./widget.js";

export const goTo = (model, trail) => assign(model, { trail, all: false });

const SHOWN = 7; // terms; the others are one row until they are asked for
const SHOWN_ROWS = 5; // of a row, or of a difference, whose lines say more
const SLIGHT = 0.01; // of the largest: of a row, or of a difference, what is less waits among the smaller ones
const PRINTED = 5e-5; // what four decimals can show
const FEW = 0.25; // of all that the terms do: below it, no single one decides

const signed = (text) => text.replace("-", "−").replace(/^−(0\.?0*)$/, "$1");

// Enough digits that a shown sum can be checked; the digits that a tiny number has.
export const written = (value, digits = 4) => {
  const size = Math.abs(value);
  return signed(size >= 1e7 ? value.toExponential(3) : value.toFixed(size !== 0 && size < 0.0001 ? 7 : digits));
};
const fixed = (value, digits) => signed(Math.abs(value) >= 1e7 ? value.toExponential(3) : value.toFixed(digits));
const asNumber = (text) => Number(text.replace("−", "-"));

// Two decimals where a row is asked, or two sides are compared, and the numbers are not small; else four.
function digitsOf({ now, was, difference }) {
  const size = Math.max(...[now.value, difference ?? 0].map(Math.abs));
  return (now.direction || was || now.rival !== undefined) && size >= 1 && now.key !== "p" ? 2 : 4;
}

// The lines of a card, with every number as it is printed: the largest terms, the smaller ones as one line until they
// are unfolded, what rounding leaves between the printed terms and their printed sum, and that sum.
export function linesOf(made, all = false) {
  const { now, was, shares: terms } = made;
  const digits = digitsOf(made);
  const isWeighed = now.rule !== "norm" || was; // of a norm alone, the operands are no terms
  const sorted = isWeighed ? [...terms].sort((a, b) => Math.abs(b.share) - Math.abs(a.share)) : terms;
  const isPlain = !was && !now.direction; // of a single number, every term of a short sum is shown
  const kept = all || (isPlain && sorted.length <= SHOWN + 1) ? sorted : mostAnd(sorted, isPlain);
  const rest = sorted.filter((one) => !kept.includes(one));
  const lines = kept.map((one) => ({ ...one, text: isWeighed ? fixed(one.share, digits) : "" }));
  const left = rest.reduce((sum, { share }) => sum + share, 0);
  if (rest.length) lines.push({ more: rest.length, share: left, text: fixed(left, digits) });
  if (all && mostAnd(sorted, isPlain).length < sorted.length && !(isPlain && sorted.length <= SHOWN + 1)) lines.push({ fold: true, text: "" });
  const total = terms.reduce((added, { share }) => added + share, 0);
  const sum = was ? changeOf(made, digits) : fixed(total, digits);
  const rounding = asNumber(sum) - lines.reduce((added, { text }) => added + asNumber(text || "0"), 0);
  const hasSum = isWeighed && terms.length > (was ? 0 : 1);
  if (hasSum && Math.abs(rounding) > 0.1 ** digits / 2) lines.push({ isRounding: true, share: 0, text: fixed(rounding, digits) });
  if (hasSum) lines.push({ total: was ? "difference" : "sum", text: sum });
  const last = was || !now.terms.length || now.rule === "learned" ? null : lastStep(now, total);
  if (last) lines.push({ total: last, text: written(now.value, digits) });
  const scale = Math.max(...[...kept.map(({ share }) => Math.abs(share)), Math.abs(left), 1e-12]);
  return { lines, scale: isWeighed ? scale : Infinity, digits };
}

// The largest, and the one that is asked about; a single smaller one is not worth a line that says so.
function mostAnd(sorted, isPlain) {
  const own = sorted.find(({ now }) => now?.own);
  const isSoftmax = sorted[0]?.now?.own !== undefined && sorted.length > SHOWN + 1;
  const counts = (one, i) => (isPlain ? !isSoftmax || i < 2 || one.share >= PRINTED : Math.abs(one.share) >= SLIGHT * Math.abs(sorted[0].share));
  const most = isPlain ? SHOWN : SHOWN_ROWS;
  const first = sorted.slice(0, most).filter(counts);
  if (own && !first.includes(own)) first.splice(Math.min(first.length, most - 1), 1, own);
  return sorted.length - first.length === 1 ? sorted : first;
}

// What a reader is told where single numbers explain little.
function remark({ now, was, shares }) {
  const sizes = shares.map(({ share }) => Math.abs(share));
  const all = sizes.reduce((sum, size) => sum + size, 0);
  const most = Math.max(0, ...sizes) / all;
  if (now.rule === "softmax" || now.rule === "norm" || sizes.length < 9 || !(most < FEW)) return "";
  return `No single number decides here: the largest of ${sizes.length} is ${Math.round(100 * most)}% of ${was ? "all changes, up and down" : "them all"}. `;
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


// What a button on a card is: a number to open, violet where it is learned.
const isLearned = (id) => /^~?L\./.test(id);

export function card(section, model) {
  const title = section.append("p").attr("class", "asked");
  const value = section.append("p").attr("class", "value");
  const number = value.append("b");
  const compared = value.append("small");
  const rule = section.append("p").attr("class", "rule");
  const table = section.append("table");
  table.attr("aria-label", "What went in");
  const head = table.append("thead").append("tr");
  head.append("td");
  const heads = [1, 2].map((columns) => head.append("th").attr("scope", "col").attr("colspan", columns)); // bar and term share one
  const body = table.append("tbody");
  const rows = section.append("p").attr("class", "rows");
  const place = section.append("p").attr("class", "place");
  const drawCourse = courseChart(section, model);
  return (seen) => {
    const { now, made, trail, id, all, comparison, pair, sides } = seen;
    const { lines, scale, digits } = linesOf(made, all);
    title.text(question(now.graph, trail));
    number.text(made.was ? fixed(made.now.value, digits) : written(made.now.value, digits)).attr("data-value", made.now.value);
    compared.text(made.was ? comparedWith(made, comparison.words, digits) : "");
    rule.text(`${ruleInWords(made.now)}${made.was ? onThisWay(sides, trail) : ""}`);
    const columns = made.was ? [`here; small: ${comparison.words}`, "share of the difference"] : headsOf(made.now);
    head.attr("hidden", columns && lines.length ? null : "");
    heads.forEach((cell, i) => cell.text(columns?.[i] ?? ""));
    body.selectAll("tr").remove();
    body.classed("signed", lines.some(({ share }) => share < 0) && lines.some(({ share }) => share >= 0));
    const act = { open: (to) => goTo(model, [...trail, to]), unfold: (on) => assign(model, { all: on }), comparison };
    for (const line of lines) drawLine(body.append("tr"), line, made, scale, digits, act);
    table.attr("hidden", lines.length ? null : "");
    drawRows(rows, sides.wholes(pair), made, act);
    place.text(made.now.rule === "learned" && !made.now.direction ? standing(now.graph, id) : "");
    drawCourse(made.now.rule === "learned" ? id : null, made.now.direction);
  };
}

// The difference of the two numbers as they are printed.
const changeOf = ({ now, was }, digits) => fixed(asNumber(fixed(now.value, digits)) - asNumber(fixed(was.value, digits)), digits);

// The number that a card is about, as it is printed: the difference of two sides, or the value.
export const shownOf = (made) => (made.was ? asNumber(changeOf(made, digitsOf(made))) : made.now.value);

const comparedWith = (made, words, digits) => `${words} ${fixed(made.was.value, digits)}; the difference is ${changeOf(made, digits)}`;

// Of the difference that was asked about, how much the way down to here accounts for.
function onThisWay(sides, trail) {
  if (trail.length < 2) return "";
  const share = sides.carried(trail);
  return Number.isFinite(share) && Math.abs(share) > 0.005 ? ` This way carries ${signed((100 * share).toFixed(0))}% of the difference that was asked about.` : "";
}

function drawRows(box, pairs, made, { open }) {
  box.attr("hidden", pairs.length ? null : "").text(pairs.length ? remark(made) : "");
  const isNetwork = made.now.direction;
  pairs.forEach(({ now }, i) => {
    const text = isNetwork ? "All neurons at once" : pairs.length > 1 ? ["The query as a whole", "The key as a whole"][i] : "The row as a whole";
    const button = box.append("button").attr("type", "button").attr("class", "plain").attr("data-node", now.id);
    const bias = made.now.terms.some(({ label }) => label === "bias") && !isNetwork && made.now.rule === "sum" ? ", without the bias" : "";
    button.text(`${text}${bias}: ${written(now.value, 2)}`).on("click", () => open(now.id));
  });
}

function drawLine(row, line, made, scale, digits, { open, unfold, comparison }) {
  const head = row.append("th").attr("scope", "row");
  const fold = line.more ? `+ ${line.more} smaller` : line.fold ? "fold the smaller ones" : "";
  const one = line.now ?? line.was;
  if (fold) head.append("button").attr("type", "button").attr("class", "unfold").text(fold).on("click", () => unfold(!line.fold));
  else head.text(line.total ?? (line.isRounding ? "rounding" : labelOf(one.label, one.factors)));
  row.classed("own", !!one?.own).classed("total", !!line.total).classed("rounding", !!line.isRounding);
  const factors = row.append("td").attr("class", "factors");
  (line.now?.factors ?? []).forEach((each, i) => drawFactor(factors, each, i, digits, open));
  if (made.was && one) factors.append("small").text(thenText(line, comparison, digits));
  const bar = row.append("td").attr("class", "bars").append("span").attr("class", line.share < 0 ? "bar less" : "bar");
  bar.style("--size", line.share === undefined ? 0 : Math.abs(line.share) / scale);
  const quotient = made.now.rule === "softmax" && !made.was && line.now?.own; // as many digits as the value has
  row.append("td").attr("class", "term").text(quotient ? written(line.share) : line.text);
}

function drawFactor(box, { id, value, over, isRoot }, i, digits, open) {
  if (i || over) box.append("span").attr("class", "times").text(over ? "÷" : isRoot ? `× ${factor(value)}` : "·");
  if (isRoot) return;
  const shown = over ? 1 / value : value;
  if (!id) return void box.append("span").attr("class", "fixed").text(written(shown, digits));
  const text = written(shown, id[0] === "~" ? digits : Math.abs(shown) < 1 ? 4 : digits);
  const button = box.append("button").attr("type", "button").attr("class", isLearned(id) ? "learned" : "number").attr("data-node", id);
  button.text(text).attr("aria-label", `${text}, ${shortName(id)}: open`).attr("title", written(shown)).on("click", () => open(id));
}

// The same term on the other side.
function thenText({ was }, { none }, digits) {
  if (!was) return none;
  return was.factors.map(({ value, over, isRoot }, i) => `${over ? "÷ " : isRoot ? "× " : i ? "· " : ""}${isRoot ? factor(value) : written(over ? 1 / value : value, digits)}`).join(" ");
}

// A sum to divide by, with as many digits as make the shown quotient come out.
function divisorOf(own, total, value) {
  const texts = [4, 5, 6, 7].map((digits) => total.toFixed(digits));
  const above = asNumber(written(own));
  return (Math.abs(total) < 1e4 && texts.find((text) => written(above / Number(text)) === written(value))) || fixed(total, 4);
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
