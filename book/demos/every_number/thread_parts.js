// What the thread is made of: two lines of words, the ribbons between them, the label at a ribbon, the legend.
import { select } from "d3-selection";
import { band, bow, SEEN } from "./ribbons.js";
import { wantsNone } from "../shared/motion.js";

const HAIR = 0.3; // pixels: a ribbon that is thinner is not drawn
const SIDEWAYS = 8; // pixels: a finger that is drawn along the words

const ARROWS = { ArrowLeft: -1, ArrowRight: 1 };

const keep = (event) => {
  event.preventDefault();
  event.stopPropagation(); // the arrows mean something else on the card
};

// A line of words, each a button of which one is in the tab order. `look(i)` hears which word is near the pointer or has
// the focus, `click(i)` which one is chosen; `enter()` goes to its ribbons.
export function lineOfWords(stage, name, label, { look, click, enter }) {
  const line = stage.append("div").attr("class", name).attr("role", "group").attr("aria-label", label);
  let button = line.selectAll("button");
  let pressed; // where a finger went down
  const focus = (i) => button.nodes()[i]?.focus();
  line.on("pointermove", (event) => look(nearest(event, button.nodes())));
  line.on("pointerdown", (event) => look((pressed = nearest(event, button.nodes()))));
  line.on("pointerup", (event) => {
    const i = nearest(event, button.nodes());
    if (event.pointerType === "touch" && i !== pressed) click(i); // dragged along: no click follows
  });
  line.on("focusin", ({ target }) => look(button.nodes().indexOf(target.closest("button"))));
  line.on("keydown", (event) => {
    const i = button.nodes().indexOf(document.activeElement);
    const step = ARROWS[event.key];
    if (step) focus(Math.min(Math.max(i + step, 0), button.size() - 1));
    else if (enter && (event.key === "ArrowUp" || event.key === "ArrowDown")) enter();
    else return;
    keep(event);
  });
  return {
    line,
    focus,
    node: (i) => button.nodes()[i],
    draw(words) {
      line.style("--count", words.length);
      button = button.data(words).join((enter) => {
        const made = enter.append("button").attr("type", "button");
        made.append("b");
        made.append("small");
        return made;
      });
      button.on("click", (event) => click(button.nodes().indexOf(event.currentTarget)));
      button.classed("end", ({ end }) => !!end).select("b").text(({ word }) => word);
      button.select("small").text(({ share }) => share);
    },
    // How much each word is looked at, the one that is pressed, and the one that is looked at: it is in the tab order.
    mark({ shares = [], pressed, looked }) {
      button.style("--share", (_, i) => shares[i] ?? null).classed("looked", (_, i) => i === looked);
      button.attr("aria-pressed", pressed === undefined ? null : (_, i) => i === pressed);
      button.attr("tabindex", (_, i) => (i === looked ? 0 : -1));
    },
    fade: (opacity) => button.style("opacity", (_, i) => opacity(i)),
    move: (by) => line.style("transform", `translateY(${by}px)`),
    places: () => button.nodes().map((node) => placeOf(node, line.node())),
  };
}

// As it is laid out in the stage, wherever the line has been moved since.
function placeOf(node, { offsetLeft, offsetTop }) {
  const top = offsetTop + node.offsetTop;
  return { x: offsetLeft + node.offsetLeft + node.offsetWidth / 2, top, bottom: top + node.offsetHeight, wide: node.offsetWidth };
}

function nearest({ clientX, clientY }, nodes) {
  const away = nodes.map((node) => {
    const { left, right, top, bottom } = node.getBoundingClientRect();
    return Math.max(left - clientX, clientX - right, 0) + 4 * Math.max(top - clientY, clientY - bottom, 0);
  });
  return away.indexOf(Math.min(...away));
}

// The ribbons. A number is { place, head, row, column, weight, text }: `open(number, element)` opens it, `point()` hears
// that another one is pointed at, `leave()` goes back to the word.
export function drawing(stage, { open, openWoven, point, leave }) {
  const svg = stage.append("svg").attr("role", "group").attr("aria-label", "Attention weights");
  const [woven, ribbons, arcs] = ["woven", "ribbons", "arcs"].map((name) => svg.append("g").attr("class", name));
  woven.attr("aria-hidden", "true");
  let pointed = null;
  const aim = (number) => point((pointed = number));
  const alive = (path) => {
    path.attr("class", ({ head }) => `of-${head % 4}`).classed("lit", ({ isLit }) => isLit);
    path.attr("role", "button").attr("tabindex", -1).attr("aria-label", ({ text }) => text);
    path.attr("aria-hidden", ({ weight }) => (weight < SEEN ? true : null)); // it is not drawn, and cannot be reached
    path.on("pointerenter focus", (_, number) => aim(number)).on("pointerleave blur", () => aim(null));
    path.on("click", (event, number) => open(number, event.currentTarget));
    path.on("keydown", (event, number) => {
      const steps = { ArrowDown: 1, ArrowUp: -1 };
      if (event.key === "Enter" || event.key === " ") open(number, event.currentTarget);
      else if (steps[event.key]) go(event.currentTarget, steps[event.key]);
      else if (event.key === "Escape" || ARROWS[event.key]) leave();
      else return;
      keep(event);
    });
    return path;
  };
  const sorted = () => {
    const seen = (path) => path.__data__.weight >= SEEN && getComputedStyle(path).pointerEvents !== "none";
    return ribbons.selectAll("path").nodes().filter(seen).sort((a, b) => b.__data__.weight - a.__data__.weight);
  };
  const go = (path, step) => {
    const all = sorted();
    const next = all.indexOf(path) + step;
    if (next < 0 || !all.length) leave();
    else all[Math.min(next, all.length - 1)].focus();
  };
  const lit = () => svg.selectAll(".lit").data()[0];
  return {
    svg,
    enter: () => sorted()[0]?.focus(),
    told: () => pointed ?? lit() ?? null,
    name(numbers, from) {
      const path = alive(ribbons.selectAll("path").data(numbers).join("path"));
      path.classed("from", ({ column }) => column === from);
    },
    drawRibbons(ends) {
      ribbons.selectAll("path").attr("d", (number, i) => {
        const [x0, y0, x1, y1, wide] = ends[i];
        number.at = [(x0 + x1) / 2, (y0 + y1) / 2];
        return wide < HAIR ? null : band(ends[i]);
      });
    },
    drawArcs({ numbers, ends }) {
      alive(arcs.selectAll("path").data(numbers).join("path")).attr("d", (number, i) => {
        const [x0, x1, y, high] = ends[i];
        number.at = [(x0 + x1) / 2, y - high];
        return bow(ends[i]);
      });
    },
    // The ribbons of all words, `turns[t][head]`, one path a head; null leaves a word as it is.
    drawWoven(turns, reach = 1) {
      const turn = woven.selectAll("g").data(turns).join("g");
      const changed = turn.filter((heads) => heads);
      changed.selectAll("path").data((heads) => heads).join("path").attr("class", (_, head) => `of-${head % 4}`)
        .attr("d", (ends) => ends.map((one) => band(one, reach)).join(""))
        .on("click", ({ currentTarget: path }) => {
          const placeOf = (node) => [...node.parentNode.children].indexOf(node);
          openWoven(placeOf(path.parentNode), placeOf(path), path);
        });
      return turn;
    },
  };
}

// The label near a ribbon; it stays on the stage.
export function label(stage) {
  const tip = stage.append("p").attr("class", "tip").attr("aria-hidden", "true").attr("hidden", "");
  return (number) => {
    tip.attr("hidden", number?.at ? null : "");
    if (!number?.at) return;
    tip.text(number.text).style("left", `${number.at[0]}px`).style("top", `${number.at[1]}px`);
  };
}

// The heads, each a button that singles its ribbons out, and a text: `single(head)` hears which one, or null for all.
export function legend(root, text, single) {
  const box = root.append("div").attr("class", "legend");
  const group = box.append("div").attr("class", "heads").attr("role", "group").attr("aria-label", "Show one head alone");
  box.append("span").text(text);
  return (heads, chosen) => {
    const button = group.selectAll("button").data(Array.from({ length: heads }, (_, head) => head)).join("button");
    button.attr("type", "button").attr("class", (head) => `of-${head % 4}`).text((head) => `head ${head}`);
    button.attr("aria-pressed", (head) => head === chosen).on("click", (_, head) => single(head === chosen ? null : head));
  };
}

// Plays until the reader does something in the demo, or `frame(milliseconds)`, which draws, says that it is over; `end()`
// shows what is there. Only while
// it is in view, and only to a reader who wants motion.
export function untilTouched(root, { wait, begin, frame, end }) {
  const box = root.node().closest(".demo") ?? root.node();
  let [isTouched, isSeen, next, began] = [false, false];
  const step = (time) => {
    next = requestAnimationFrame(step);
    if (frame(time - (began ??= time))) touch();
  };
  const check = () => {
    const plays = isSeen && !isTouched && !wantsNone() && !wait();
    if (plays === !!next) return;
    if (plays) {
      next = requestAnimationFrame(step);
      return begin();
    }
    cancelAnimationFrame(next);
    next = began = undefined;
    end();
  };
  const touch = () => {
    isTouched = true;
    check();
  };
  const watch = new IntersectionObserver((entries) => {
    isSeen = entries.at(-1).isIntersecting;
    check();
  }, { threshold: 0.3 });
  watch.observe(root.node());
  // Before the thread hears it itself. A page that scrolls under a mouse at rest does not move the mouse, and a finger
  // that scrolls is neither lifted nor drawn sideways.
  select(box).on("keydown.untouched focusin.untouched pointerup.untouched", touch, true);
  let first;
  root.on("pointerdown.untouched pointermove.untouched", ({ type, pointerType, clientX, clientY }) => {
    if (type === "pointerdown") first = null;
    first ??= [clientX, clientY];
    const by = [clientX - first[0], clientY - first[1]];
    if (pointerType === "mouse" ? Math.hypot(...by) > 0 : Math.abs(by[0]) > SIDEWAYS) touch();
  }, true);
  return {
    check,
    isWriting: () => !!next,
    stop() {
      watch.disconnect();
      touch();
    },
  };
}
