// Row by row: a row slides along the columns of a matrix, and its products make a sum; from the words to the outputs.
import { select } from "d3-selection";
import { drawBubble, drawFigures, figuresOf } from "./figures.js";
import { bandsOf, corner, extent, layout, tileAt } from "./layout.js";
import { columnsOf, countOf, marks, placeOf, stopAt } from "./stops.js";
import { drawSlide, slideOf } from "./slide.js";
import { drawTiles, fade, tilesOf } from "./tiles.js";
import { move } from "../shared/cells.js";
import { onOff } from "../shared/controls.js";
import { holdable, paintable } from "../shared/hand.js";
import { glide, wantsNone } from "../shared/motion.js";
import { long, near } from "../shared/numbers.js";
import { account, arrange, changes, describe, edit, edited, exchange, masked, matrices } from "./steps.js";
import { assign, follow, frame, sentence, toldApart, valuesOf } from "../shared/widget.js";

const TRAITS = ["words", "x", "w_q", "w_k", "w_v", "scaled", "order", "start", "mask", "paint", "stage", "row", "column", "whole"];
const TITLES = { query: "ask", key: "offer", value: "give", scores: "compare", weights: "softmax", output: "mix" };
const LETTERS = { x: "x", w_q: ["W", "Q"], w_k: ["W", "K"], w_v: ["W", "V"], query: "Q", key: "K", value: "V", scores: "scores S", weights: "weights A", output: "out" };
const PACE = { column: 420, whole: 1500, weights: 1900, output: 1100, first: 600 }; // milliseconds that a stop takes while it plays
const READS = 1800; // milliseconds in which the first view can be read before it goes on
const FLIGHT = 650; // milliseconds in which Q, K and V go to their places in the second picture
const STILL = 0; // milliseconds, for a reader who wants no motion
const LARGEST = 9; // that an entry of W_Q can be changed to
const PIXELS = 14; // of a drag for one more

function render({ model, el }) {
  const root = frame(select(el), "row-by-row", "Row by row");
  const demo = { model, bar: false, entry: null, looked: null, first: null, ends: () => {} };
  const bar = controls(root, demo);
  const scene = drawing(root, demo);
  const line = root.append("p").attr("class", "sum");
  const film = scrubber(root, demo);
  const say = sentence(root);
  demo.draw = (isStill) => {
    const view = look(demo);
    bar(view);
    scene.draw(view, isStill);
    if (!scene.isMade(demo.looked)) demo.looked = null;
    line.call(writeSum, view, demo.looked);
    film.draw(view);
    const said = `${describe(view.stage, view.all, view.row, view.column)} ${changes(view.all)}`.trim();
    if (demo.first && !demo.first.bar) return; // on its way by itself: the sentence waits for its end
    say(said);
    root.select(".says").call(withSubs, said);
  };
  demo.write = () => {
    line.call(writeSum, look(demo), demo.looked);
    scene.point(demo.looked);
  };
  let opening;
  const leave = follow(model, TRAITS, () => {
    opening?.stop();
    demo.draw();
  });
  opening = firstLook(root, demo);
  const resized = new ResizeObserver(() => requestAnimationFrame(() => scene.fit() && demo.draw(true)));
  resized.observe(root.node());
  return () => [leave, opening.stop, film.stop, demo.ends, () => resized.disconnect()].forEach((end) => end());
}

// When the demo is first seen, and nobody has touched it, the row goes on from where the state has it: to the end of the
// keys, and into softmax's bar. Nothing is stored until a hand takes it up there.
function firstLook(root, demo) {
  let timer;
  const stop = () => {
    clearTimeout(timer);
    watch.disconnect();
    demo.first = null;
  };
  const play = () => {
    const view = look(demo);
    const isLast = view.column === view.all.words.length - 1;
    demo.first = isLast ? { stage: "weights", bar: true, column: strongest(view) } : { column: view.column + 1 };
    demo.draw();
    if (!isLast) timer = setTimeout(play, PACE.first);
  };
  const watch = new IntersectionObserver(([{ isIntersecting }]) => {
    if (!isIntersecting) return;
    watch.disconnect();
    const { stage, whole } = look(demo);
    if (stage === "scores" && !whole && !wantsNone()) timer = setTimeout(play, READS);
  }, { threshold: 0.6 });
  watch.observe(root.select(".picture").node());
  const end = () => {
    const { stage, column, bar } = look(demo);
    const isOn = demo.first !== null;
    stop();
    if (!isOn) return;
    demo.bar = bar;
    assign(demo.model, { stage, column });
  };
  root.node().addEventListener("pointerdown", end, { capture: true });
  root.node().addEventListener("keydown", end, { capture: true });
  return { stop };
}

const strongest = ({ all, row }) => all.weights[row].indexOf(Math.max(...all.weights[row]));

// W_Q as it is written: its letter below the line.
function withSubs(node, text) {
  node.text("");
  text.split(/_([QKV])/).forEach((part, i) => node.append(i % 2 ? "sub" : "span").text(part));
}

// What is on show: the model's state and its matrices, in the order of the words' places.
function look({ model, bar, first }) {
  const state = { ...arrange(valuesOf(model, TRAITS)), ...first };
  const all = matrices(state);
  const row = Math.min(state.row, all.words.length - 1);
  const width = all[state.stage][0].length;
  return { all, stage: state.stage, row, column: Math.min(state.column, width - 1), whole: state.whole, bar: (first?.bar ?? bar) && state.stage === "weights" && !state.whole };
}

function go(demo, place) {
  const view = look(demo);
  const { stage, column, whole, bar } = stopAt(place, view.all, view.column);
  const row = view.all[stage][view.row].map(Math.abs);
  demo.bar = bar;
  // Where all is shown, the line below tells the row's largest number.
  const told = whole || stage === "weights" ? row.indexOf(Math.max(...row)) : column;
  assign(demo.model, { stage, column: told, whole });
  demo.draw();
}

const choose = (demo, values) => {
  demo.bar = false;
  assign(demo.model, { whole: false, ...values });
};

function controls(root, demo) {
  const box = root.append("div").attr("class", "bar");
  box.append("span").attr("class", "hint");
  const drawSwitch = onOff(box, demo.model, "scaled");
  const back = box.append("button").attr("type", "button").attr("class", "plain back").text("Put back");
  const scaled = demo.model.get("scaled");
  const mask = demo.model.get("mask");
  const isChanged = (all) => changes(all) !== "" || all.scaled !== scaled || `${all.mask ?? []}` !== `${mask}`;
  back.on("click", () => {
    const { all } = look(demo);
    if (isChanged(all)) assign(demo.model, { w_q: all.start, order: all.words.map((_, i) => i), scaled, mask });
  });
  return ({ all, stage }) => {
    drawSwitch(all, `scores ÷ √${all.query[0].length}`);
    back.attr("aria-disabled", !isChanged(all));
    box.select(".hint").call(withSubs, HINTS[stage]);
  };
}

const HINTS = {
  query: "Carry the row along W_Q. Drag a violet tile up or down to change it.",
  key: "Every word offers a key in the same way.",
  value: "And what it gives to those that look at it.",
  scores: "Carry the word’s query along the keys.",
  weights: "e to the score, less the largest so that it stays small, divided by the row’s sum.",
  output: "Carry the weights down the values.",
};

// --- the picture ---

function drawing(root, demo) {
  const box = root.append("div").attr("class", "picture");
  const svg = box.append("svg").attr("role", "group").attr("aria-label", "Matrices of attention");
  const layer = (name) => svg.append("g").attr("class", name);
  const [frames, tiles, lit] = ["frames", "tiles", "lit"].map((name) => layer(name).attr("aria-hidden", "true"));
  const [heads, figures, slides] = ["heads", "figures", "slides"].map((name) => layer(name).attr("aria-hidden", "true"));
  const parts = layer("parts").attr("aria-hidden", "true");
  const formula = layer("formula").attr("aria-hidden", "true").append("text");
  const words = wordList(layer("words"), demo);
  const editor = entries(layer("entries"), demo);
  const bubble = layer("bubble").attr("aria-hidden", "true");
  let seen = { scene: null, order: "" };
  let landing;
  let tiles_ = [];
  let place;
  let width;
  let shown;
  const fit = () => {
    const now = box.node().clientWidth || 340;
    if (now === width) return false;
    width = now;
    return true;
  };
  fit();
  const tileOf = (looked) => looked && tiles_.find(({ name, row, column }) => String([name, row, column]) === String(looked));
  const isMade = (looked) => Boolean(tileOf(looked)?.shown);
  listen(svg, demo, () => place, isMade);
  const draw = (view, isStill = shown === undefined) => {
    const { all, stage, row, column, whole } = view;
    const scene = /^(query|key|value)$/.test(stage) ? "projections" : "attention";
    place = layout(scene, all, width);
    const isCut = seen.scene !== null && seen.scene !== scene;
    const flies = !wantsNone() && (isCut || (seen.order !== "" && seen.order !== String(all.order)));
    seen = { scene, order: String(all.order) };
    svg.attr("viewBox", `0 0 ${Math.max(place.width, 1)} ${place.height}`).attr("width", place.width).attr("height", place.height);
    if (flies) {
      clearTimeout(landing);
      landing = setTimeout(() => svg.classed("flying", false), FLIGHT);
    }
    svg.attr("class", `${scene} at-${stage}${flies || svg.classed("flying") ? " flying" : ""}`);
    tiles_ = tilesOf(all, place, view, row);
    drawFrames(frames, place, view);
    drawTiles(tiles, tiles_);
    drawFigures(figures, figuresOf(tiles_, view, row));
    point(demo.looked);
    drawHeads(heads, place, view);
    drawFormula(formula, place, view);
    drawParts(parts, place, view);
    words(place, view, demo);
    editor(place, view, demo);
    const step = [stage, row, column, whole, String(all.order)].join();
    const isNext = shown && step !== shown && !whole && shown.split(",")[0] === stage;
    shown = step;
    demo.ends();
    const at = (u) => drawSlide(slides, slideOf(all, place, view, row, u), all);
    if (stage === "weights" || whole || isStill) return at(1);
    const takes = demo.first !== null ? PACE.first : isNext || !wantsNone() ? PACE.column : STILL;
    demo.ends = after(flies && isCut ? FLIGHT : STILL, () => glide(at, takes), () => at(0));
  };
  const point = (looked) => {
    const tile = tileOf(looked);
    drawBubble(bubble, tile?.shown ? tile : null, tile ? (tile.hidden ? "hidden" : long(tile.value)) : "", place);
    drawLit(lit, tile?.shown ? looked : null, place);
  };
  return { draw, fit, point, isMade };
}

// Begin now or after a while; returns the way to end what has begun.
function after(wait, begin, meanwhile) {
  if (!wait) return begin();
  let end = () => {};
  meanwhile();
  const timer = setTimeout(() => (end = begin()), wait);
  return () => {
    clearTimeout(timer);
    end();
  };
}

const SUBSCRIPT = (text, [letter, sub]) => {
  text.text(letter);
  text.append("tspan").attr("dy", 3).attr("font-size", "0.75em").text(sub);
};

// An outline and a name for each matrix; what the step multiplies and makes is drawn stronger.
function drawFrames(group, { blocks }, { stage }) {
  const PARTS = { query: ["x", "w_q", "query"], key: ["x", "w_k", "key"], value: ["x", "w_v", "value"], scores: ["query", "key", "scores"], weights: ["scores"], output: ["scores", "value", "output"] };
  const one = group.selectAll("g:not(.leaving)").data(Object.entries(blocks), ([name]) => name).join((enter) => {
    const added = enter.append("g");
    added.append("rect").attr("rx", 4).attr("x", -2).attr("y", -2);
    added.append("text");
    return added;
  }, (found) => found, fade);
  one.attr("class", ([name]) => `${name}${PARTS[stage].includes(name) ? " on" : ""}`);
  one.style("transform", ([, { x, y }]) => `translate(${x}px, ${y}px)`);
  one.select("rect").style("width", ([, block]) => `${extent(block)[0] + 4}px`).style("height", ([, block]) => `${extent(block)[1] + 4}px`);
  one.select("text").each(function ([name, block]) {
    const text = select(this);
    const [wide, high] = extent(block);
    const isWeights = name === "scores" && (stage === "weights" || stage === "output");
    const letters = isWeights ? LETTERS.weights : LETTERS[name];
    if (Array.isArray(letters)) SUBSCRIPT(text, letters);
    else text.text(letters + (block.transposed ? "ᵀ" : ""));
    const isLeft = block.transposed;
    text.attr("text-anchor", isLeft ? "end" : "middle");
    text.style("transform", `translate(${isLeft ? -8 : wide / 2}px, ${isLeft ? high / 2 + 4 : name === "scores" ? high + 16 : -6}px)`);
  });
}

// Whose each larger part of the row's bar is.
function drawParts(group, { blocks }, { all, row, bar }) {
  const weights = bar ? all.weights[row] : [];
  const long = weights.length * (blocks.scores?.cell ?? 0);
  const starts = weights.map((_, j) => weights.slice(0, j).reduce((sum, weight) => sum + weight, 0));
  const named = weights.map((weight, j) => ({ word: all.words[j], weight, start: starts[j] }));
  const wide = named.filter(({ word, weight }) => weight * long > 7.5 * word.length);
  const text = group.selectAll("text").data(wide).join("text");
  text.text(({ word, weight }) => (weight * long > 7.5 * (word.length + 6) ? `${word} ${near(weight)}` : word));
  text.attr("class", ({ weight }) => (weight > 0.45 ? "on-dark" : null));
  text.attr("x", ({ start, weight }) => blocks.scores.x + (start + weight / 2) * long).attr("text-anchor", "middle");
  text.attr("y", () => blocks.scores.y + (row + 0.5) * blocks.scores.high + 4);
}

// The row and the column of the cell that is looked at, and those of the matrices that it was made of.
function drawLit(group, looked, { blocks }) {
  const rect = group.selectAll("rect").data(looked ? bandsOf(looked, blocks) : []).join("rect").attr("rx", 4);
  for (const key of ["x", "y", "width", "height"]) rect.attr(key, (band) => band[key]);
}

// The formula of the step, in the colours of its matrices.
function drawFormula(text, { names }, { all, stage }) {
  const parts = {
    query: [["query", "Q"], " = ", ["x", "x"], ["w_q", " W"], ["w_q sub", "Q"]],
    key: [["key", "K"], " = ", ["x", "x"], ["w_k", " W"], ["w_k sub", "K"]],
    value: [["value", "V"], " = ", ["x", "x"], ["w_v", " W"], ["w_v sub", "V"]],
    scores: [["scores", "S"], " = ", ["query", "Q"], ["key", " Kᵀ"], all.scaled ? ` ÷ √${all.query[0].length}` : ""],
    weights: [["weights", "A"], " = softmax(", ["scores", "S"], ")"],
    output: [["output", "out"], " = ", ["weights", "A"], ["value", " V"]],
  }[stage];
  const part = text.selectAll("tspan").data(parts).join("tspan").attr("class", (one) => (Array.isArray(one) ? one[0] : "plain-sign"));
  part.text((one) => (Array.isArray(one) ? one[1] : one)).attr("dy", (one, i) => (/sub/.test(one[0]) ? 4 : /sub/.test(parts[i - 1]?.[0]) ? -4 : 0));
  text.attr("x", names.x).attr("y", 24);
}

// The words above the columns, in the steps where a column is a word.
function drawHeads(group, { heads }, { all, column, stage, whole }) {
  const shown = heads ? all.words : [];
  const text = group.selectAll("text").data(shown).join("text").text((word) => word);
  text.attr("transform", (_, j) => `translate(${heads?.x + (j + 0.5) * heads?.cell + 4}, ${heads?.y}) rotate(-60)`);
  text.classed("on", (_, j) => stage === "scores" && !whole && j === column);
  group.style("font-size", heads ? `${Math.min(13, Math.max(10, heads.cell * 0.62))}px` : null);
}

// The words on the left: one is chosen, and carried to another place.
function wordList(group, demo) {
  group.attr("role", "radiogroup").attr("aria-label", "Word that asks");
  const shift = (from, to) => {
    const { all, row, column, stage } = look(demo);
    if (to < 0 || to >= all.words.length || to === from) return;
    const order = exchange(all.order, from, to);
    const now = (place) => order.indexOf(all.order[place]);
    assign(demo.model, { order, row: now(row), ...(stage === "scores" || stage === "weights" ? { column: now(column) } : {}) });
  };
  let place;
  const take = function () {
    let i = group.selectAll("g.name").nodes().indexOf(this);
    this.focus({ preventScroll: true });
    choose(demo, { row: i });
    return {
      carry: ([, y]) => {
        const to = Math.floor((y - place.names.y) / place.names.cell);
        if (to === i || to < 0 || to >= look(demo).all.words.length) return;
        shift(i, to);
        i = to;
      },
    };
  };
  return (now, { all, row }) => {
    place = now;
    const { x, y, cell, width } = place.names;
    const name = group.selectAll("g.name").data(all.words).join((enter) => {
      const added = enter.append("g").attr("role", "radio");
      added.append("rect").attr("rx", 4);
      added.append("text");
      added.on("keydown", function (event) {
        const from = group.selectAll("g.name").nodes().indexOf(this);
        const to = { ArrowDown: from + 1, ArrowUp: from - 1, Home: 0, End: all.words.length - 1 }[event.key];
        if (to === undefined || to < 0 || to >= look(demo).all.words.length) return;
        event.preventDefault();
        if (event.shiftKey) shift(from, to);
        else choose(demo, { row: to });
        group.selectAll("g.name").nodes()[to].focus();
      });
      return holdable(added, () => group.node().ownerSVGElement, take);
    });
    const apart = toldApart(all.words);
    name.attr("class", (_, i) => `name${i === row ? " on" : ""}${all.order[i] !== i ? " moved" : ""}`);
    name.attr("tabindex", (_, i) => (i === row ? 0 : -1)).attr("aria-checked", (_, i) => i === row);
    name.attr("aria-label", (word, i) => `${apart[i] ?? word}${all.order[i] === i ? "" : `, moved from place ${all.order[i] + 1} to ${i + 1}`}`);
    name.style("transform", (_, i) => `translate(${x}px, ${y + i * cell}px)`);
    name.select("rect").attr("y", 0.5).attr("width", width).attr("height", cell - 1);
    name.select("text").text((word) => word).attr("x", width - 4).attr("y", cell / 2 + 4).attr("text-anchor", "end");
    name.select("text").style("font-size", `${Math.min(13, Math.max(10, cell * 0.62))}px`);
  };
}

const inRange = (value) => Math.min(Math.max(value, -LARGEST), LARGEST);

// W_Q's entries for the keyboard: arrows choose one, + and − change it. The hand drags tiles up and down.
function entries(group, demo) {
  const node = group.attr("tabindex", 0).attr("role", "spinbutton");
  node.append("rect").attr("rx", 3);
  node.on("keydown", (event) => {
    const { all, column } = look(demo);
    const by = { "+": 1, "=": 1, "-": -1, "−": -1 }[event.key];
    const to = move(event.key, { row: demo.entry, column }, all.w_q.length, all.w_q[0].length);
    if (!by && !to) return;
    event.preventDefault();
    if (by) return setEntry(demo, all.w_q[demo.entry][column] + by);
    demo.entry = to.row;
    choose(demo, { column: to.column });
    demo.draw();
  });
  return ({ blocks }, { all, row, column, stage }) => {
    demo.entry = Math.min(demo.entry ?? Math.max(all.x[row].findIndex((number) => number !== 0), 0), all.w_q.length - 1);
    node.style("display", stage === "query" ? null : "none");
    if (stage !== "query") return;
    const value = all.w_q[demo.entry][column];
    const [x, y] = corner(blocks.w_q, demo.entry, column);
    node.select("rect").attr("x", x - 1).attr("y", y - 1).attr("width", blocks.w_q.cell + 2).attr("height", blocks.w_q.high + 2);
    node.attr("aria-label", `W_Q, row ${demo.entry}, column ${column}; plus and minus change it`);
    node.attr("aria-valuemin", inRange(-Infinity)).attr("aria-valuemax", inRange(Infinity)).attr("aria-valuenow", value);
  };
}

function setEntry(demo, value) {
  const { all, column } = look(demo);
  assign(demo.model, { w_q: edit(all.w_q, demo.entry, column, inRange(value) + 0) }); // + 0 makes −0 a 0
}

// The hand on the tiles: a row is carried along the columns, an entry of W_Q dragged, a cell chosen, the mask painted.
function listen(svg, demo, placed, isMade) {
  const LEFT = { query: "x", key: "x", value: "x", scores: "query", output: "scores", weights: "" };
  const OTHER = { query: "w_q", key: "w_k", value: "w_v", scores: "key", output: "value", weights: "" };
  const where = (event) => tileAt(placed(), inDrawing(svg.node(), event));
  const carryTo = ([x, y]) => {
    const { all, stage, column } = look(demo);
    const block = placed().blocks[stage === "output" ? "value" : stage];
    if (stage === "weights") return;
    const to = stage === "output" ? (y - block.y) / (block.high + block.lane) : (x - placed().blocks[OTHER[stage]].x) / block.cell;
    const next = Math.min(Math.max(Math.floor(to), 0), columnsOf(stage, all) - 1);
    if (next !== column) choose(demo, { column: next });
  };
  const take = function (event) {
    const { all, stage, column } = look(demo);
    demo.looked = null; // what is carried is told, not what it passes
    const hit = where(event);
    if (!hit) return null;
    const [name, row, at] = hit;
    if (name === "w_q" && stage === "query") {
      demo.entry = row;
      choose(demo, { column: at });
      const first = all.w_q[row][at];
      const from = event.clientY;
      return { carry: (_, moved) => setEntry(demo, first + Math.round((from - moved.clientY) / PIXELS)) };
    }
    if (name === "scores" && stage === "scores" && demo.model.get("paint")) return null;
    if (name === LEFT[stage]) {
      choose(demo, { row, ...(stage === "output" ? {} : { column: Math.min(column, columnsOf(stage, all) - 1) }) });
      return { carry: carryTo };
    }
    if (name === OTHER[stage]) {
      choose(demo, { column: stage === "scores" ? row : at });
      return { carry: carryTo };
    }
    if (name === stage || (name === "scores" && stage === "weights")) {
      choose(demo, { row, column: at });
      return { carry: (place, moved) => {
        const now = where(moved);
        if (now?.[0] === name) choose(demo, { row: now[1], column: now[2] });
      } };
    }
    return null;
  };
  const surface = svg.insert("rect", ":first-child").attr("class", "surface").attr("width", "100%").attr("height", "100%");
  holdable(svg.select(".tiles"), () => svg.node(), take);
  holdable(surface, () => svg.node(), take, "pan-y");
  paintable(svg.select(".tiles"), (target) => {
    const [name, row, column] = target?.dataset?.at?.split(" ") ?? [];
    return demo.model.get("paint") && name === "scores" ? [+row, +column] : null;
  }, ([row, column], isFirst) => {
    const { all } = look(demo);
    const mask = all.mask ?? all.words.map(() => all.words.map(() => true));
    if (isFirst) demo.brush = !mask[row][column];
    assign(demo.model, { mask: mask.map((cells, i) => cells.map((open, j) => (i === row && j === column ? demo.brush : open))) });
  });
  let pressed = null;
  svg.on("pointerdown.look", (event) => (pressed = [event.clientX, event.clientY]));
  svg.on("pointermove.look", (event) => {
    if (event.pointerType !== "mouse" || event.buttons) return;
    if (pressed && Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) < 24) return; // as it was left
    pressed = null;
    const hit = where(event);
    demo.looked = isMade(hit) ? hit : null; // what is still to come tells nothing
    demo.write();
  });
  svg.on("pointerleave.look", () => {
    demo.looked = null;
    demo.write();
  });
}

function inDrawing(node, event) {
  const { left, top, width, height } = node.getBoundingClientRect();
  const { width: w, height: h } = node.viewBox.baseVal;
  return [((event.clientX - left) * w) / width, ((event.clientY - top) * h) / height];
}

// --- the numbers, in one line ---

function writeSum(line, view, looked) {
  const { all, stage, row, column, bar } = view;
  line.text("");
  if (looked) {
    const [name, i, j] = looked;
    const isWeight = name === "scores" && (stage === "weights" || stage === "output");
    const matrix = isWeight ? "weights" : name;
    const other = matrix === "scores" || matrix === "weights" ? all.words[j] : j;
    const row_ = /^w_/.test(name) ? i : all.words[i];
    const [letter, sub] = [LETTERS[matrix]].flat();
    line.append("span").text(letter).append("sub").text(sub ?? "");
    line.append("span").text(` [${row_}, ${other}] = `);
    return line.append("b").text(masked(all, matrix, i, j) ? "hidden" : long(all[matrix][i][j]));
  }
  const numbers = account(stage, all, row, column);
  if (stage === "weights") {
    const isLarge = numbers.largest > 6; // then the largest is taken off, as programs do, or nobody can read the powers
    const score = Number.isFinite(numbers.score) ? near(numbers.score) : "−∞";
    const power = isLarge ? `${score} − ${near(numbers.largest)}` : score;
    const scale = isLarge ? 1 : Math.exp(numbers.largest);
    line.append("span").text(bar ? "the row as one bar of length 1; " : "");
    line.append("span").text(`${all.words[row]} → ${all.words[column]}: e`).append("sup").text(power);
    line.append("span").text(` ÷ the row’s sum = ${near(scale * numbers.power)} ÷ ${near(scale * numbers.sum)} = `);
    return line.append("b").text(near(numbers.value)).attr("data-value", numbers.value);
  }
  const name = { scores: `${all.words[row]} · ${all.words[column]}`, output: `output of ${all.words[row]}` }[stage] ?? `${[LETTERS[stage]].flat().join("")} of ${all.words[row]}`;
  line.append("span").text(`${name}: `);
  const told = numbers.pairs.map((pair, k) => [...pair, k]).filter(([a, b]) => Math.abs(a * b) >= 5e-3);
  told.slice(0, 6).forEach(([a, b], k) => {
    if (k) line.append("span").text(" + ");
    line.append("i").attr("class", PAIR[stage][0]).text(near(a));
    line.append("span").text(" × ");
    line.append("i").attr("class", PAIR[stage][1]).text(near(b));
  });
  if (told.length > 6) line.append("span").text(` + ${told.length - 6} more`);
  if (!told.length) line.append("span").text("only zeros");
  const divided = numbers.width ? ` = ${near(numbers.sum)}, ÷ √${numbers.width}` : "";
  line.append("span").text(`${divided} = `);
  return line.append("b").text(masked(all, stage, row, column) ? "hidden" : near(numbers.value)).attr("data-value", numbers.value);
}

const PAIR = { query: ["x", "w_q"], key: ["x", "w_k"], value: ["x", "w_v"], scores: ["query", "key"], output: ["weights", "value"] };

// --- the film ---

function scrubber(root, demo) {
  const box = root.append("div").attr("class", "film");
  const play = box.append("button").attr("type", "button").attr("class", "plain play");
  const track = box.append("div").attr("class", "track");
  const range = track.append("input").attr("type", "range").attr("min", 0).attr("step", 1).attr("aria-label", "Way from the words to the outputs");
  const labels = track.append("div").attr("class", "marks");
  let timer;
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
    play.text("▶").attr("aria-label", "Play");
  };
  const next = () => {
    const view = look(demo);
    const place = placeOf(view, view.all);
    if (place >= countOf(view.all) - 1) return stop();
    go(demo, place + 1);
    const now = look(demo);
    const flight = view.stage === "value" && now.stage === "scores" ? FLIGHT : 0;
    timer = setTimeout(next, flight + (now.whole ? PACE.whole : (PACE[now.stage] ?? PACE.column)));
  };
  play.on("click", () => {
    if (timer !== undefined) return stop();
    const view = look(demo);
    if (placeOf(view, view.all) >= countOf(view.all) - 1) go(demo, 0);
    play.text("❚❚").attr("aria-label", "Pause");
    timer = setTimeout(next, 0);
  });
  range.on("input", ({ target }) => {
    stop();
    go(demo, target.valueAsNumber);
  });
  stop();
  const draw = (view) => {
    const { all, stage, whole, row } = view;
    const place = placeOf(view, all);
    range.attr("max", countOf(all) - 1).property("value", place);
    range.attr("aria-valuetext", `${TITLES[stage]}, ${whole ? "all rows" : `row of ${all.words[row]}`}`);
    const one = labels.selectAll("button").data(marks(all)).join("button").attr("type", "button");
    one.style("flex-grow", ({ first, last }) => last - first + 1).text(({ stage: name }) => TITLES[name]);
    one.attr("aria-current", ({ stage: name }) => (name === stage ? "step" : null));
    one.on("click", (_, { first, last, stage: name }) => (stop(), go(demo, name === "weights" ? first : last)));
  };
  return { draw, stop };
}

export default { render };
