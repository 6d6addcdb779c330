// The ways through the numbers: the trail, the tour, "follow the largest", and the keys.
import { largest, parse } from "./graph.js";
import { stops } from "./tour.js";
import { assign } from "./widget.js";

const PAUSE = 700; // ms between the steps of "follow the largest"

export const start = ({ run }, t = 0) => `d${t}.p:${t}:${run.written[t].token}`;

// The trail as it can be shown: names that this translation does not have are dropped with all that follows them.
export function trailIn(now, trail) {
  const end = trail.findIndex((id) => !now.graph.exists(id));
  const kept = end < 0 ? trail : trail.slice(0, end);
  return kept.length ? kept : [start(now)];
}

export function tools(root, model, ask) {
  const bar = root.append("div").attr("class", "tools");
  const button = (text, act) => bar.append("button").attr("type", "button").attr("class", "plain").text(text).on("click", act);
  const back = button("← Back", () => goBack(model));
  button("Follow the largest (L)", () => followLargest(model, ask));
  const tour = button("Tour", () => visit(model, ask, Math.min(model.get("tour") + 1, 12)));
  const stop = root.append("p").attr("class", "stop");
  return ({ trail, tour: n, now, id }) => {
    back.attr("aria-disabled", trail.length < 2);
    const [node, text, chapter] = n ? stopsOf(now, id)[n - 1] : [];
    const here = n && node === id;
    tour.text(!here ? "Tour in 12 stops" : n < 12 ? `Next stop (${n + 1} of 12)` : "The tour again").attr("data-stop", here ? n : 0);
    stop.attr("hidden", here ? null : "").text(here ? `${n} of 12. ${text} ` : "");
    if (here) stop.append("a").attr("href", `${chapter}.html`).text(`Chapter ${Number(chapter.slice(0, 2))}`);
  };
}

// The tour is about the word that the present node helps to write; about the first one in the encoder.
function stopsOf({ graph, run }, id) {
  const { side, turn } = parse(id);
  const t = side === "d" ? turn : run.tour ?? 0;
  run.tour = t;
  return stops(graph, t, run.written[t].token);
}

function visit(model, ask, next) {
  const now = ask(model.get("sentence"), model.get("off"));
  const trail = trailIn(now, model.get("trail"));
  const all = stopsOf(now, trail.at(-1));
  const last = model.get("tour");
  const on = last && all[last - 1][0] === trail.at(-1);
  const n = on ? (last === 12 ? 1 : next) : 1;
  assign(model, { tour: n, trail: n === 1 ? [all[0][0]] : [...trail, all[n - 1][0]], all: false });
}

function goBack(model) {
  const trail = model.get("trail");
  if (trail.length > 1) assign(model, { trail: trail.slice(0, -1), tour: 0, all: false });
}

// Step by step to a learned number; all at once where nothing should move.
function followLargest(model, ask) {
  const now = ask(model.get("sentence"), model.get("off"));
  const trail = [...trailIn(now, model.get("trail"))];
  const next = () => largest(now.graph.explain(trail.at(-1)));
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
    for (let id = next(); id; id = next()) trail.push(id);
    return assign(model, { trail, tour: 0, all: false });
  }
  const step = () => {
    const id = next();
    if (!id || model.get("trail").at(-1) !== trail.at(-1)) return; // at the bottom, or the reader went elsewhere
    trail.push(id);
    assign(model, { trail: [...trail], tour: 0, all: false });
    setTimeout(step, PAUSE);
  };
  assign(model, { trail: [...trail] });
  step();
}

// Arrow keys choose an operand, Enter opens it as any button, Backspace returns, Home goes to the word, L follows.
export function keys(root, model, ask) {
  root.on("keydown.walk", (event) => {
    const { target, key } = event;
    if (target.matches("input, select") || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = {
      Backspace: () => goBack(model),
      Home: () => assign(model, { trail: model.get("trail").slice(0, 1), tour: 0, all: false }),
      l: () => followLargest(model, ask),
      L: () => followLargest(model, ask),
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
