// A demo of numbers that open: what is asked above, how deep one is at the side, the card, and the ways through the
// numbers. With another side to compare with, the way down is that of the largest change.
import { select } from "d3-selection";
import { wantsNone } from "./motion.js";
import { card, goTo, shownOf, written } from "./number_card.js";
import { question, ruleInWords, shortName } from "./number_words.js";
import { ruler } from "./ruler.js";
import { sidesOf } from "./sides.js";
import { assign, follow, frame, sentence, valuesOf } from "./widget.js";
import { zoom, zoomOut } from "./zoom.js";

const PAUSE = 1800; // ms between the steps of a walk

// The trail as it can be shown: what this run does not have is dropped with all that follows it.
export function trailIn({ first }, sides, trail) {
  const { length } = sides.resolve(trail);
  return length ? trail.slice(0, length) : [first];
}

// `look` gives what a state shows: { graph, first, … }, and `other` what it is compared with: { graph, words, none,
// … } or null. `above(root, now)` draws what is a demo's own, over the ways and the card;
// `levels` and `boxOf` are the ruler's, `tour` is the walk that the demo offers, or nothing.
export function numberWalk(el, model, { title, traits, look, other, above, levels, boxOf, tools = () => () => {}, tour = null }) {
  const root = frame(select(el), "every-number", title);
  let held = {}; // the two sides of the last look: what they have explained is not divided anew
  const now = () => {
    const state = valuesOf(model, traits);
    const shown = look(state);
    const comparison = other(state);
    const [graph, was] = [shown.graph, comparison?.graph ?? null];
    if (held.graph !== graph || held.was !== was) held = { graph, was, sides: sidesOf(graph, was) };
    const { sides } = held;
    return { ...state, now: shown, comparison, sides, trail: trailIn(shown, sides, state.trail) };
  };
  const drawAbove = above(root, now);
  const walk = walking(model, now, () => arriveAt(root));
  const bar = ways(root, model, walk, tour);
  const drawTools = tools(root, bar.button, now);
  const body = root.append("div").attr("class", "body");
  const drawRuler = ruler(body, levels, (i) => goTo(model, now().trail.slice(0, i + 1)));
  const section = body.append("section").attr("class", "card").attr("tabindex", -1);
  const drawTour = tour ? tour.text(section.append("p").attr("class", "stop"), model) : () => {};
  const drawCard = card(section, model);
  const say = sentence(root);
  keys(root, model, walk);
  let last = null;
  let clicked = null;
  root.on("click.zoom", ({ target }) => (clicked = target.closest?.("[data-node]")), true);
  return follow(model, traits, () => {
    const seen = now();
    const { trail, sides } = seen;
    const pair = sides.resolve(trail).at(-1);
    const shown = { ...seen, pair, made: sides.explain(pair), id: trail.at(-1) };
    const draw = () => {
      const isHere = section.node().contains(document.activeElement);
      for (const one of [drawAbove, bar.draw, drawTools, drawTour, drawCard, drawRulerOf]) one(shown); // the ruler measures, so it comes last
      if (isHere && !section.node().contains(document.activeElement)) section.node().focus({ preventScroll: true }); // its number is gone
    };
    const drawRulerOf = () => {
      const passed = levelsPassed(trail, sides, boxOf);
      drawRuler({ passed, here: passed.at(-1).box });
    };
    const isDive = last && trail.length > last.length && last.every((id, i) => id === trail[i]);
    const isReturn = last && trail.length === last.length - 1 && trail.every((id, i) => id === last[i]);
    const from = isDive ? clicked ?? largestOf(section, trail[last.length]) : null;
    if (from) zoom(from, section.node(), draw, from === clicked);
    else if (isReturn) zoomOut(section.node(), draw);
    else draw();
    [last, clicked] = [trail, null];
    say(`${question(shown.now.graph, trail)} ${written(shown.made.now.value)}. ${ruleInWords(shown.made.now)}`);
  });
}

// Where each number of the trail is met: what is learned at the bottom, a position with the vectors that it is added to.
function levelsPassed(trail, sides, boxOf) {
  const passed = [];
  sides.resolve(trail).forEach((pair, i) => {
    const { now } = pair;
    const made = sides.explain(pair);
    const box = now.id && /^~?L\./.test(now.id) ? "parameters" : boxOf(trail[i]) ?? passed.at(-1)?.box;
    passed.push({ box, text: shortName(trail[i]), value: shownOf(made) });
  });
  return passed;
}

// The number on the card that a walk opens by itself.
const largestOf = (section, id) => section.selectAll("[data-node]").filter(function () { return this.dataset.node === id; }).node();

// Who walks sees the card: where it reaches below the window, the page moves to where a reader arrives, see static_demos.js.
function arriveAt(root) {
  const place = root.selectAll("[data-arrive]").nodes().at(innerWidth < 700 ? -1 : 0);
  const isBelow = root.select(".body > .card").node().getBoundingClientRect().bottom > innerHeight;
  if (isBelow && place.getBoundingClientRect().top > innerHeight / 8) place.scrollIntoView({ block: "start", behavior: "instant" });
}

// Down the largest change, step by step: { step, go, pause, isGoing }.
function walking(model, now, arrive) {
  let timer = null;
  let expected = null;
  let told = () => {};
  const pause = () => {
    clearTimeout(timer);
    timer = null;
    told();
  };
  const step = () => {
    arrive();
    const { sides, trail } = now();
    const next = sides.largest(sides.resolve(trail).at(-1));
    if (next) goTo(model, [...trail, next]);
    expected = String(next ? [...trail, next] : trail);
    return Boolean(next);
  };
  const go = () => {
    if (wantsNone()) {
      while (step());
      return;
    }
    const walkOn = () => {
      timer = step() ? setTimeout(() => (String(now().trail) === expected ? walkOn() : pause()), PAUSE) : null; // or the reader went elsewhere
      told();
    };
    walkOn();
  };
  return { step, pause, go, toggle: () => (timer ? pause() : go()), isGoing: () => timer !== null, tell: (draw) => (told = draw) };
}

function ways(root, model, walk, tour) {
  const bar = root.append("div").attr("class", "tools").attr("data-arrive", "");
  const button = (text, act) => bar.append("button").attr("type", "button").attr("class", "plain").text(text).on("click", act);
  const back = button("← Back", () => goBack(model, walk));
  const one = button("One step", () => (walk.pause(), walk.step()));
  const along = button("", walk.toggle).attr("class", "plain along").attr("aria-keyshortcuts", "L");
  const drawTour = tour?.button(button, model, walk, () => arriveAt(root)) ?? (() => {});
  let isCompared = false;
  const name = () => along.text(walk.isGoing() ? "❚❚ Pause" : `▶ Follow the largest ${isCompared ? "change" : "term"}`);
  walk.tell(name);
  return {
    button,
    draw: (seen) => {
      const { trail, sides, pair, comparison } = seen;
      isCompared = Boolean(comparison);
      name();
      const isBottom = sides.largest(pair) === null;
      back.attr("aria-disabled", trail.length < 2);
      for (const each of [along, one]) each.attr("aria-disabled", isBottom && !walk.isGoing());
      drawTour(seen);
    },
  };
}

function goBack(model, walk) {
  walk.pause();
  const trail = model.get("trail");
  if (trail.length > 1) goTo(model, trail.slice(0, -1));
}

// Arrow keys choose an operand, Enter opens it as any button, Backspace returns, Home goes to the word, L follows.
function keys(root, model, walk) {
  root.on("keydown.walk", (event) => {
    const { target, key } = event;
    if (target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const act = {
      Backspace: () => goBack(model, walk),
      Home: () => (walk.pause(), goTo(model, model.get("trail").slice(0, 1))),
      l: walk.toggle,
      L: walk.toggle,
      ArrowDown: () => move(root, target, 1),
      ArrowUp: () => move(root, target, -1),
      ArrowRight: () => aside(target, 1),
      ArrowLeft: () => aside(target, -1),
    }[key];
    if (!act) return;
    event.preventDefault();
    act();
    keepFocus(root, target);
  });
  root.on("click.walk", ({ target }) => keepFocus(root, target));
}

// What takes the focus when its button is gone with the card, or hidden: the new card's first number, or at the bottom
// the card.
function keepFocus(root, target) {
  if (document.contains(target) && target.checkVisibility()) return;
  (root.select(".card :is(table, .rows) button").node() ?? root.select(".card").node()).focus({ preventScroll: true });
}

// Down and up go from line to line, left and right from number to number.
function move(root, from, by) {
  const lines = root.selectAll(".card tr:has(button)").nodes();
  const at = lines.indexOf(from.closest?.(".card tr"));
  (lines[at + by] ?? lines[at < 0 ? 0 : at])?.querySelector("button").focus();
}

function aside(from, by) {
  const own = [...(from.closest?.(".card tr, .words, .rows")?.querySelectorAll("button") ?? [])];
  own[own.indexOf(from) + by]?.focus();
}
