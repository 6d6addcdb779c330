// Gravity: two sentences share a bank, attention pulls it two ways, and it can be applied again and again.
import { select } from "d3-selection";
import { BANK, NAMES, SENTENCES, TRAY, describe, isOver, look, massAndPull } from "./falling.js";
import { WORDS, bodiesOf, join, leave, picture } from "./gravity_plane.js";
import { holdable, repeats } from "../shared/hand.js";
import { drawMatrix, light } from "../shared/matrix.js";
import { flight, springs } from "../shared/motion.js";
import { long, vector } from "../shared/numbers.js";
import { assign, follow, frame, sentence, uniqueName, valuesOf } from "../shared/widget.js";

const TRAITS = ["sentence", "steps", ...WORDS, "guests"];

const LEGEND = "Drag a word. Disc: its mass. Spring: the way to a new bank.";

function render({ model, el }) {
  const root = frame(select(el), "gravity", "Gravity");
  const stage = root.append("div").attr("class", "stage");
  const box = stage.append("div").attr("class", "plane");
  let state;
  let points = [];
  let ends = [];
  let seen = false;
  const redraw = () => points.length && ends.length && drawing.draw(points, ends, state);
  const probe = stage.append("p").attr("class", "probe").attr("aria-hidden", "true");
  let looked = null;
  const side = stage.append("div").attr("class", "side");
  const drawProbe = () => probe.text((looked && whatPulls(state, looked)) || LEGEND);
  const drawing = picture(box, model, (word) => ((looked = word), drawProbe()));
  const words = flight((shown) => ((points = shown), redraw()));
  const banks = springs((shown) => ((ends = shown), redraw()));
  const parts = [actions(side, model), cards(side, model), tray(side, model, drawing), drawer(root)];
  const say = sentence(root);
  const draw = () => {
    const before = state;
    state = valuesOf(model, TRAITS);
    parts.forEach((part) => part(state));
    say(describe(state));
    drawProbe();
    const views = NAMES.map((name) => look(state, name));
    const isSame = before && bodiesOf(before).length === bodiesOf(state).length;
    (isSame && state.steps !== before.steps ? words.fly : words.jump)(views.flatMap(({ x }) => x));
    const goals = views.map(({ output }) => output[BANK]);
    if (ends.length && seen) banks.aim(goals);
    else banks.put(seen ? goals : views.map(({ x }) => x[BANK]));
  };
  const leaveModel = follow(model, TRAITS, draw);
  // The one bank becomes two when it is first seen.
  const watch = new IntersectionObserver(([{ isIntersecting }]) => {
    if (!isIntersecting) return;
    seen = true;
    watch.disconnect();
    banks.aim(NAMES.map((name) => look(state, name).output[BANK]));
  }, { threshold: 0.5 });
  watch.observe(box.node());
  // A frame later, since drawing changes the height of what is observed.
  const resized = new ResizeObserver(() => requestAnimationFrame(() => drawing.fit() && redraw()));
  resized.observe(box.node());
  return () => {
    leaveModel();
    [words, banks].forEach(({ stop }) => stop());
    [watch, resized].forEach((observer) => observer.disconnect());
  };
}

// What is looked at: its place, and why bank takes so much of it.
function whatPulls(state, word) {
  if (word.newBankOf) {
    const { words, output } = look(state, word.newBankOf);
    return `This spring leads to the new bank of “${words.join(" ")}”, ${vector(output[BANK])}.`;
  }
  return NAMES.flatMap((name) => {
    const { words, x, weights } = look(state, name);
    const i = words.indexOf(word);
    if (i < 0 || (i === BANK && name !== state.sentence)) return [];
    const { mass, pull } = massAndPull(x, BANK);
    return [`${word} ${vector(x[i])}: mass ${long(mass[i])} × pull ${long(pull[i])} ÷ sum = weight ${long(weights[BANK][i])}`];
  })[0] ?? "";
}

// A card a sentence: what its bank is made of, as one bar, and where that is.
function cards(side, model) {
  const group = side.append("fieldset").attr("class", "sentence");
  group.append("legend").text("Sentence that is looked at");
  const name = uniqueName("sentence");
  const card = group.selectAll("label").data(NAMES).join("label").attr("class", (of) => `card ${of}`);
  const input = card.append("input").attr("type", "radio").attr("name", name).attr("value", (of) => of);
  input.on("change", (_, of) => assign(model, { sentence: of }));
  const title = card.append("b").attr("class", "title");
  const bar = card.append("span").attr("class", "shares");
  const names = card.append("span").attr("class", "names").attr("aria-hidden", "true");
  const place = card.append("small").attr("class", "place");
  return (state) => {
    input.property("checked", (of) => of === state.sentence).attr("aria-label", (of) => look(state, of).words.join(" "));
    title.text((of) => look(state, of).words.join(" "));
    place.text((of) => `its bank: [${look(state, of).output[BANK].map((value) => value.toFixed(2)).join(", ")}]`);
    const partsOf = (of) => {
      const { words, weights } = look(state, of);
      return words.map((word, i) => ({ word, i, weight: weights[BANK][i] }));
    };
    const one = bar.selectAll("span").data(partsOf).join("span");
    one.style("--share", ({ weight }) => weight).attr("data-value", ({ weight }) => weight);
    one.attr("class", ({ i }) => (i === BANK ? "itself" : `part-${i > BANK ? i - 1 : i}`));
    const wide = bar.node().clientWidth || 210;
    const name = names.selectAll("small").data((of) => inLines(partsOf(of), wide)).join("small").text(({ text }) => text);
    name.style("left", ({ left }) => `${left}px`).style("top", ({ line }) => `${LINE * line}px`);
  };
}

const [LETTER, LINE] = [6, 13]; // pixels of the names below a bar
const NARROW = 180; // pixels: there they have two lines, elsewhere three

// The name and the share of every part, below its beginning, in as few lines as keep them apart; where there is no room
// for all shares, the names alone.
export function inLines(parts, wide) {
  const both = laid(parts.map(({ word, weight }) => ({ weight, text: `${word} ${weight.toFixed(2)}` })), wide);
  return both.every(({ text }) => text) ? both : laid(parts.map(({ word, weight }) => ({ weight, text: word })), wide);
}

function laid(parts, wide) {
  const ends = [];
  const lines = Array.from({ length: wide < NARROW ? 2 : 3 }, (_, i) => i);
  let from = 0;
  return parts.map(({ text, weight }) => {
    const start = from * wide;
    from += weight;
    const long = LETTER * text.length;
    const at = (end) => Math.min(Math.max(start, end === undefined ? 0 : end + 6), wide - long);
    const fits = (end) => end === undefined || at(end) >= end + 6;
    const chosen = lines.find((i) => fits(ends[i]) && at(ends[i]) <= start + 12) ?? lines.find((i) => fits(ends[i]));
    if (chosen === undefined) return { text: "", left: 0, line: 0 };
    const left = at(ends[chosen]);
    ends[chosen] = left + long;
    return { text, left, line: chosen };
  });
}

function actions(side, model) {
  const bar = side.append("div").attr("class", "actions");
  const button = (text) => bar.append("button").attr("type", "button").attr("class", "plain").text(text);
  const again = button("").attr("title", "Hold it down to let the words settle");
  const next = () => isOver(valuesOf(model, TRAITS)) || assign(model, { steps: model.get("steps") + 1 });
  repeats(again, next);
  const restart = button("Start again").on("click", () => assign(model, { steps: 0, guests: [], ...model.get("start") }));
  return (state) => {
    const isFirst = state.steps === 0 && state.guests.length === 0 && WORDS.every((word) => String(state[word]) === String(model.get("start")[word]));
    again.text(state.steps ? "Apply again" : "Apply attention").attr("aria-disabled", isOver(state)).attr("data-steps", state.steps);
    restart.attr("aria-disabled", isFirst);
  };
}

// Words that a click or the hand drops into the chosen sentence.
function tray(side, model, drawing) {
  const group = side.append("div").attr("class", "tray").attr("role", "group").attr("aria-label", "Words to drop in");
  const into = group.append("span").text("Drop a word into ");
  const name = into.append("b");
  into.append("span").text(":");
  const chips = group.append("span").attr("class", "chips");
  const chip = chips.selectAll("button").data(Object.keys(TRAY)).join("button").attr("type", "button").text((word) => word);
  const isIn = (word) => model.get("guests").some(([name]) => name === word);
  const toggle = (word) => (isIn(word) ? leave(model, word) : join(model, word));
  holdable(chip, drawing.node, function () {
    const word = select(this).datum();
    return {
      carry: (place) => (drawing.isInside(place) ? join(model, word, drawing.at(place)) : isIn(word) && leave(model, word)),
      drop: (event, wasCarried) => wasCarried || toggle(word),
    };
  });
  chip.on("keydown", (event, word) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    toggle(word);
  });
  chip.on("click", (event, word) => event.detail === 0 && toggle(word)); // a screen reader's own click
  return (state) => {
    const of = (word) => state.guests.find(([name]) => name === word)?.[1] ?? "";
    name.attr("class", state.sentence).text(SENTENCES[state.sentence].join(" "));
    chip.attr("aria-pressed", (word) => of(word) !== "").attr("class", of);
  };
}

// All numbers, in a drawer below the picture.
function drawer(root) {
  const box = root.append("details").attr("class", "drawer");
  box.append("summary").text("All numbers");
  const panel = box.append("div").attr("class", "panel");
  const [weights, masses] = ["weights", "masses"].map((name) => panel.append("table").attr("class", name));
  return (state) => {
    const { words, ...view } = look(state);
    const { mass, pull } = massAndPull(view.x, BANK);
    const columns = { columnHeads: words, width: 46 };
    drawMatrix(weights, { ...columns, rowHeads: words, matrix: view.weights, name: "weights = softmax(x x<sup>T</sup>)", shade: true });
    light(weights, BANK, -1);
    drawMatrix(masses, { ...columns, rowHeads: ["mass", "pull"], matrix: [mass, pull], name: "bank’s row = mass × pull ÷ sum" });
  };
}

export default { render };
