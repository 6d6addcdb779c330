// Counting words: type three sentences, and see what one-hot vectors, counts and TF-IDF keep of them.
import { select } from "d3-selection";
import { PAIRS, cosine, count, describe, turnedRound } from "./counts.js";
import { drawMatrix, put, roleOfHead, setShare } from "../shared/matrix.js";
import { long } from "../shared/numbers.js";
import { assign, follow, frame, sentence, uniqueName, valuesOf } from "../shared/widget.js";

const TRAITS = ["sentences", "chosen", "start"];
const LONGEST = 120; // letters; the trait in Python has the same limit
const CELL = 46; // pixels: room for six letters, and for four digits
const ROW = 1.875; // rem, as in the style sheet
const MOST_FLASHES = 80; // more than that at once is a flicker

function render({ model, el }) {
  const root = frame(select(el), "counting-words", "Counting words");
  const sentences = root.append("div").attr("class", "sentences").selectAll("div").data([0, 1, 2]).join("div");
  const drawFields = fields(sentences.append("div").attr("class", "field"), model);
  const drawBags = bags(sentences.append("div").attr("class", "bag").attr("aria-hidden", "true")); // the tables have the numbers
  const stage = root.append("div").attr("class", "stage");
  const drawTables = tables(stage);
  const side = stage.append("div");
  const drawAlike = alike(side.append("table").attr("class", "alike"));
  const again = side.append("button").attr("type", "button").attr("class", "plain again").text("Start again");
  again.on("click", () => assign(model, { sentences: [...model.get("start")] }));
  const say = sentence(root);
  let before = null;
  return follow(model, TRAITS, () => {
    const state = valuesOf(model, TRAITS);
    const seen = count(state, before);
    drawFields(state);
    drawBags(seen);
    drawTables(state, seen);
    drawAlike(seen);
    say(describe(seen, before));
    before = seen;
  });
}

// --- what is typed ---

function fields(rows, model) {
  const name = uniqueName("sentence");
  rows.append("label").attr("for", (i) => `${name}-${i}`).text((i) => `Sentence ${i + 1}`);
  const input = rows.append("input").attr("type", "text").attr("id", (i) => `${name}-${i}`);
  input.attr("maxlength", LONGEST).attr("autocomplete", "off").attr("spellcheck", "false").attr("dir", "auto");
  input.attr("autocapitalize", "off");
  input.on("input", ({ target }, i) => set(model, i, target.value));
  input.on("focus", (_, i) => assign(model, { chosen: i }));
  const turn = rows.append("button").attr("type", "button").attr("class", "plain turn").text("⇄");
  turn.append("span").text(" reverse");
  turn.attr("aria-label", (i) => `Reverse the words of sentence ${i + 1}`);
  turn.on("click", (_, i) => {
    assign(model, { chosen: i });
    set(model, i, turnedRound(model.get("sentences")[i]));
  });
  return ({ sentences, chosen }) => {
    rows.classed("on", (i) => i === chosen);
    input.each(function (i) {
      if (this.value !== sentences[i]) this.value = sentences[i]; // the caret stays where it is
    });
  };
}

const set = (model, i, text) =>
  assign(model, { sentences: model.get("sentences").map((old, j) => (j === i ? text : old)) });

// --- the bags ---

// What the counts keep of each sentence: its words in no order. A word is as pale as TF-IDF finds it, and equal bags match.
function bags(bag) {
  const title = bag.append("p");
  const inside = bag.append("p").attr("class", "inside");
  return ({ words, counts, weighed }) => {
    const twin = (i) => counts.findIndex((row, j) => j !== i && row.some(Boolean) && `${row}` === `${counts[i]}`);
    const largest = Math.max(...weighed.flat(), 1e-9);
    title.text((i) => (twin(i) < 0 ? `bag ${i + 1}` : `bag ${i + 1} = bag ${twin(i) + 1}`));
    bag.classed("same", (i) => twin(i) >= 0);
    const held = (i) => words.map((word, j) => ({ word, count: counts[i][j], weight: weighed[i][j] / largest }));
    inside.selectAll("span").data((i) => held(i).filter(({ count }) => count).sort(byWord)).join("span")
      .text(({ word, count }) => (count > 1 ? `${word} ×${count}` : word))
      .attr("class", "shaded").style("--share", ({ weight }) => weight);
  };
}

const byWord = (a, b) => (a.word < b.word ? -1 : 1);

// --- what is counted ---

// All tables in one box that scrolls, so that a word's column is one column in each of them.
function tables(stage) {
  const root = stage.append("div").attr("class", "tables");
  const box = root.append("div").attr("class", "scroll").attr("tabindex", 0).attr("role", "region");
  box.attr("aria-label", "Tables: one-hot vectors, counts and TF-IDF, a column for each word");
  const [vectors, counts, weighed] = ["vectors", "counts", "weighed"].map((name) =>
    box.append("table").attr("class", name),
  );
  const hint = root.append("p").attr("class", "hint").text("There are more words on the right: scroll the tables.");
  const resized = new ResizeObserver(() => hint.attr("hidden", overflows(box.node()) ? null : ""));
  for (const one of [box, counts]) resized.observe(one.node());
  const nothing = root.append("p").attr("class", "nothing").text("Type a word into one of the three fields.");
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  return ({ chosen }, seen) => {
    const none = !seen.words.length;
    box.attr("hidden", none ? "" : null);
    nothing.attr("hidden", none ? null : "");
    if (none) return;
    const before = still.matches ? null : new Map(cellsOf(box).map((cell) => [cell, cell.dataset.value]));
    draw(vectors, seen.words, seen.lines[chosen], seen.vectors, `one-hot, sentence ${chosen + 1}:`);
    const rest = Math.max(...seen.lines.map((line) => line.length)) - seen.lines[chosen].length;
    vectors.style("margin-bottom", `${rest * ROW}rem`); // as high for each sentence
    draw(counts, seen.words, ROWS, seen.counts, "counts");
    draw(weighed, seen.words, ROWS, seen.weighed, "TF-IDF");
    if (before) flash(cellsOf(box).filter((cell) => before.has(cell) && before.get(cell) !== cell.dataset.value));
  };
}

const overflows = (box) => box.scrollWidth > box.clientWidth;

const ROWS = ["1", "2", "3"];

const cellsOf = (box) => box.selectAll("td").nodes();

function draw(table, words, rowHeads, matrix, title) {
  table.attr("hidden", matrix.length ? null : "");
  if (!matrix.length) return;
  const cells = drawMatrix(table, { matrix, rowHeads, columnHeads: words, width: CELL, name: title, shade: true });
  const largest = Math.max(...matrix.flat(), 1e-9);
  cells.each(function (value) {
    setShare(this, value / largest);
  });
  table.selectAll("th").each(function (text) {
    put(this, "title", text);
    put(this, "dir", "auto");
  });
}

// What has changed lights up for a moment: turn a sentence round, and the counts stay dark.
function flash(cells) {
  if (cells.length > MOST_FLASHES) return;
  for (const cell of cells) {
    cell.animate([{ boxShadow: "inset 0 0 0 3px var(--hue-other)" }, { boxShadow: "inset 0 0 0 3px transparent" }], 700);
  }
}

function alike(table) {
  table.append("caption").text("How alike are two sentences? The cosine of their rows");
  const heads = table.append("thead").append("tr").selectAll("th").data(["", "counts", "TF-IDF"]).join("th");
  heads.attr("scope", "col").attr("role", roleOfHead).text((text) => text);
  const row = table.append("tbody").selectAll("tr").data(PAIRS).join("tr");
  row.append("th").attr("scope", "row").text(([i, j]) => `${i + 1} and ${j + 1}`);
  return ({ counts, weighed }) => {
    const values = ([i, j]) => [counts, weighed].map((rows) => cosine(rows[i], rows[j]));
    const cell = row.selectAll("td").data(values).join((enter) => enter.append("td").each(emptyShare));
    cell.select(".bar").style("width", (value) => `${100 * value}%`);
    cell.select(".number").attr("data-value", (value) => value).text(long);
  };
}

function emptyShare() {
  const cell = select(this).append("div");
  cell.append("span").attr("class", "track").append("span").attr("class", "bar");
  cell.append("span").attr("class", "number");
}

export default { render };
