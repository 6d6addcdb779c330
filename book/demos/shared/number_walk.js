// A demo of numbers that open: words above, the trail, the card beside the drawing, and the ways through the numbers.
import { select } from "d3-selection";
import { largest } from "./graph.js";
import { card, goTo, map, trailBar, whenOpened, written } from "./number_card.js";
import { question, ruleInWords } from "./number_words.js";
import { assign, follow, frame, sentence, valuesOf } from "./widget.js";

const PAUSE = 700; // ms between the steps of "follow the largest"

// The trail as it can be shown: names that this run does not have are dropped with all that follows them.
export function trailIn({ graph, first }, trail) {
  const end = trail.findIndex((id) => !graph.exists(id));
  const kept = end < 0 ? trail : trail.slice(0, end);
  return kept.length ? kept : [first];
}

// `look` gives what a state shows: { graph, first, … }. The numbers are compared with what `whole` gives, if it does, or
// with those of the sentence `against`. `words`, `tools` and `more.parts` make what is a demo's own: functions that draw.
export function numberWalk(el, model, { title, traits, look, whole = () => null, words, columns, boxOf, tools, more }) {
  const root = frame(select(el), "every-number", title);
  const now = () => look(valuesOf(model, traits));
  let last = valuesOf(model, ["sentence", "against"]);
  const drawWords = words(root);
  const drawTrail = trailBar(root, model);
  const body = root.append("div").attr("class", "body");
  const drawCard = card(body.append("section").attr("class", "card"), model);
  const drawMap = map(body.append("div").attr("class", "drawing").attr("aria-hidden", "true"), columns, boxOf);
  const drawWays = ways(root, model, now);
  const drawTools = tools(root, drawWays.button, now);
  const say = sentence(root);
  const details = root.append("details").attr("class", "more");
  details.append("summary").text(more.title);
  const drawMore = whenOpened(details, () => more.parts(details));
  keys(root, model, now);
  return follow(model, traits, () => {
    const state = valuesOf(model, traits);
    if (state.sentence !== last.sentence && state.against === last.against) { // a link sets both
      state.against = details.node().contains(document.activeElement) ? last.sentence : "";
      model.set("against", state.against); // a sentence that the reader has chosen is compared with the one before
    }
    last = state;
    const other = whole(state) ?? (state.against ? { ...look({ ...state, sentence: state.against }), words: `in “${state.against}”` } : null);
    const shown = look(state);
    const trail = trailIn(shown, state.trail);
    const id = trail.at(-1);
    const seen = { ...state, now: shown, other, trail, id, made: shown.graph.explain(id) };
    for (const draw of [drawWords, drawTrail, drawCard, drawMap, drawWays.draw, drawTools, drawMore]) draw(seen);
    say(`${question(shown.graph, id)} ${written(seen.made.value)}. ${ruleInWords(seen.made)}`);
  });
}

function ways(root, model, now) {
  const bar = root.append("div").attr("class", "tools");
  const button = (text, act) => bar.append("button").attr("type", "button").attr("class", "plain").text(text).on("click", act);
  const back = button("← Back", () => goBack(model));
  button("Follow the largest (L)", () => followLargest(model, now));
  return { button, draw: ({ trail }) => back.attr("aria-disabled", trail.length < 2) };
}

function goBack(model) {
  const trail = model.get("trail");
  if (trail.length > 1) goTo(model, trail.slice(0, -1));
}

// Step by step to a learned number; all at once where nothing should move.
function followLargest(model, now) {
  const { graph } = now();
  const trail = [...trailIn(now(), model.get("trail"))];
  const next = () => largest(graph.explain(trail.at(-1)));
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
    for (let id = next(); id; id = next()) trail.push(id);
    return goTo(model, trail);
  }
  const step = () => {
    const id = next();
    if (!id || model.get("trail").at(-1) !== trail.at(-1)) return; // at the bottom, or the reader went elsewhere
    trail.push(id);
    goTo(model, [...trail]);
    setTimeout(step, PAUSE);
  };
  assign(model, { trail: [...trail] });
  step();
}

// Arrow keys choose an operand, Enter opens it as any button, Backspace returns, Home goes to the word, L follows.
function keys(root, model, now) {
  root.on("keydown.walk", (event) => {
    const { target, key } = event;
    if (target.matches("input, select") || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = {
      Backspace: () => goBack(model),
      Home: () => goTo(model, model.get("trail").slice(0, 1)),
      l: () => followLargest(model, now),
      L: () => followLargest(model, now),
      ArrowDown: () => move(root, target, 1),
      ArrowUp: () => move(root, target, -1),
    }[key];
    if (!act) return;
    event.preventDefault();
    act();
    if (!document.contains(target)) inCard(root).focus();
  });
  root.on("click.walk", ({ target }) => {
    if (!document.contains(target)) inCard(root).focus({ preventScroll: true });
  });
}

// What takes the focus when its button is gone with the card: the new card's first number, or else the end of the trail.
const inCard = (root) => root.select(".card table button").node() ?? root.select(".trail [aria-current]").node();

function move(root, from, by) {
  const all = root.selectAll(".card table button").nodes();
  const at = all.indexOf(from);
  (all[at + by] ?? all[at < 0 ? 0 : at])?.focus();
}
