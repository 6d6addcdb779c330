// The laboratory: every model that was trained on the translator's sentences, to sort, to compare and to read.
import { select } from "d3-selection";
import { curvePlot } from "../shared/curves.js";
import { slides } from "../shared/motion.js";
import { short } from "../shared/numbers.js";
import { assign, follow, frame, sentence, uniqueName, valuesOf } from "../shared/widget.js";

const TRAITS = ["models", "sentences", "chosen", "order", "sentence"];
const BASELINE = "translator";
export const MOST = 3; // models beside the baseline whose lines can be told apart
const COLUMNS = [
  ["changed", "What was changed", (one) => one.changed],
  ["chapter", "Chapter", (one) => one.chapter],
  ["loss", "Last loss", (one) => one.loss],
  ["right", "Right, five seeds", (one) => one.right],
];

// --- the numbers ---

// By a column, "-loss" for the largest first; equal ones stay in the order of the chapters.
export function sorted(models, order) {
  const read = COLUMNS.find(([name]) => name === order.replace("-", ""))[2];
  const sign = order.startsWith("-") ? -1 : 1;
  const compare = (a, b) => (typeof a === "string" ? a.localeCompare(b, "en") : a - b);
  return [...models].sort((one, other) => sign * compare(read(one), read(other)));
}

// Clicking a column again reverses it. Shares begin with the largest, because readers look for the best.
export function turned(order, column) {
  const first = column === "right" ? `-${column}` : column;
  if (order.replace("-", "") !== column) return first;
  return order.startsWith("-") ? column : `-${column}`;
}

// What is chosen when a box is ticked or cleared: at most three, the one that was chosen first makes room.
export function toggled(chosen, name) {
  return chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name].slice(-MOST);
}

// Which line each model has: the baseline 0, and a model keeps its line for as long as it is chosen.
export function slotted(before, chosen) {
  const kept = Object.fromEntries(chosen.filter((name) => name in before).map((name) => [name, before[name]]));
  for (const name of chosen) kept[name] ??= [1, 2, 3].find((slot) => !Object.values(kept).includes(slot));
  return { ...kept, [BASELINE]: 0 };
}

const picked = ({ models, chosen }) => [BASELINE, ...chosen].map((name) => models.find((one) => one.name === name));

export const spread = (shares) => [Math.min(...shares), Math.max(...shares)].map(share).join(" to ");

export const share = (part) => `${(100 * part).toFixed(1)}%`;

export const loss = (value) => (value < 1 ? value.toFixed(4) : short(value));

// --- the words ---

export function describe(state) {
  const models = picked(state);
  const ends = models.map((one) => `${one.changed}: ${share(one.right)} right (${spread(one.shares)})`).join("; ");
  return models.length === 1 ? `${ends}. Tick up to three others in the table.` : `${ends}.`;
}

// --- the drawing ---

function render({ model, el }) {
  const root = frame(select(el), "laboratory", "The laboratory");
  const drawCurves = curvePlot(root.append("div").attr("class", "curves").attr("aria-hidden", "true")); // said in words below
  const drawTranslations = translations(root.append("div").attr("class", "written"), model);
  const say = sentence(root);
  const drawTable = table(root.append("table"), model);
  let slots = {};
  return follow(model, TRAITS, () => {
    slots = slotted(slots, model.get("chosen"));
    const state = { ...valuesOf(model, TRAITS), slots };
    drawCurves(picked(state).map((one) => ({ ...one, slot: slots[one.name] })));
    drawTranslations(state);
    drawTable(state);
    say(describe(state));
  });
}

function translations(box, model) {
  const id = uniqueName("asked");
  box.append("label").attr("for", id).text("They translate");
  const list = box.append("select").attr("id", id);
  list.on("change", ({ target }) => assign(model, { sentence: Number(target.value) }));
  const answers = box.append("ul");
  return (state) => {
    list.selectAll("option").data(state.sentences).join("option").attr("value", (_, i) => i).text(({ source }) => source);
    list.property("value", state.sentence);
    const { wanted } = state.sentences[state.sentence];
    const item = answers.selectAll("li").data(picked(state)).join((enter) => enter.append("li").each(emptyAnswer));
    item.select(".key").attr("class", ({ name }) => `key line-${state.slots[name]}`);
    item.select(".changed").text((one) => one.changed);
    const said = item.select(".said").classed("wrong", (one) => one.written[state.sentence] !== wanted);
    said.text((one) => `${one.written[state.sentence] === wanted ? "✓" : "✗"} ${one.written[state.sentence] || "(nothing)"}`);
  };
}

function emptyAnswer() {
  const item = select(this);
  item.append("span").attr("class", "key");
  item.append("span").attr("class", "changed");
  item.append("b").attr("class", "said").attr("lang", "it");
}

function table(box, model) {
  box.attr("aria-label", "All models; choose up to three to compare with the translator, sort by a column");
  const head = box.append("thead").append("tr").selectAll("th").data(COLUMNS).join("th").attr("scope", "col").attr("class", ([name]) => name);
  const button = head.append("button").attr("type", "button").text(([, title]) => title);
  button.on("click", (event, [column]) => assign(model, { order: turned(model.get("order"), column) }));
  const body = box.append("tbody");
  return (state) => {
    const column = state.order.replace("-", "");
    head.attr("aria-sort", ([name]) => (name !== column ? null : state.order.startsWith("-") ? "descending" : "ascending"));
    const row = body.selectAll("tr").data(sorted(state.models, state.order), ({ name }) => name);
    let drawn;
    slides(body.selectAll("tr").nodes(), () => (drawn = row.join((enter) => enter.append("tr").each(emptyRow)).order()));
    drawn.attr("class", ({ name }) => (name in state.slots ? `chosen line-${state.slots[name]}` : null));
    drawn.select("input").property("checked", ({ name }) => name in state.slots)
      .on("change", (event, { name }) => assign(model, { chosen: toggled(model.get("chosen"), name) }));
  };
}

function emptyRow(one) {
  const row = select(this);
  const label = row.append("th").attr("scope", "row").append("label");
  if (one.name === BASELINE) label.append("span").attr("class", "key"); // which is always drawn
  else label.append("input").attr("type", "checkbox");
  label.append("span").text(one.changed);
  row.append("td").attr("class", "chapter").append("a").attr("href", one.link).text(one.chapter);
  row.append("td").attr("class", "loss").text(loss(one.loss)).attr("data-value", one.loss);
  const right = row.append("td").attr("class", "right").attr("data-value", one.right);
  right.append("span").attr("class", "points").attr("aria-hidden", "true").selectAll("i").data(one.shares).join("i").style("left", (part) => `${100 * part}%`);
  right.append("span").attr("class", "mean").text(share(one.right));
  right.append("span").attr("class", "visually-hidden").text(`, from ${spread(one.shares)}`);
}

export default { render };
