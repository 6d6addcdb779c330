// Towers: what becomes of a signal on its way up through many layers, with and without the norm and the residual.
import { select } from "d3-selection";
import { choice, controlBar, slider } from "../shared/controls.js";
import { fading, short } from "../shared/numbers.js";
import { legend, placeOf } from "../shared/ratio.js";
import { assign, follow, frame, sentence, valuesOf } from "../shared/widget.js";

const TRAITS = ["size", "difference", "gradient", "depth", "measure"];
const MEASURES = [["size", "size"], ["difference", "differences"], ["gradient", "gradient"]];
const NAMES = { no_norm: "no norm", no_residual: "no residual", post: "post-norm", pre: "pre-norm" };
const LEAST = 1e-12; // below, rounding is all there is
const TENS = 4; // to either side of 1 on the scale

// --- the numbers ---

export const amount = (value) => (value <= LEAST ? "<1e−12" : value < 0.001 ? fading(value) : short(value));

// What each tower shows at a height, in one order.
export const row = (lines, depth) => Object.keys(NAMES).map((name) => amount(lines[name][depth - 1][1]));

const SAID = {
  size: ([without, , post, pre]) => `the numbers have a spread of ${without} without a norm, ${post} with post-norm and ${pre} with pre-norm.`,
  difference: ([, lost, post, pre]) => `the share of the spread that tells the words apart is ${lost} without the residual connection, ${post} with post-norm and ${pre} with pre-norm.`,
  gradient: ([without, , post, pre]) => `a gradient of 1 at the top arrives at the bottom as ${without} without a norm, ${post} with post-norm and ${pre} with pre-norm.`,
};

export function describe({ depth, measure, ...lines }) {
  return `After ${depth === 1 ? "one untrained layer" : `${depth} untrained layers`}, ${SAID[measure](row(lines[measure], depth))}`;
}

// --- the drawing ---

function render({ model, el }) {
  const layers = Math.min(...MEASURES.flatMap(([name]) => Object.values(model.get(name)).map((line) => line.length)));
  const root = frame(select(el), "towers", "Towers");
  const controls = controlBar(root);
  const drawMeasure = choice(controls, model, "measure", "Colour shows", MEASURES);
  const drawDepth = slider(controls, model, "depth", "Layers:", { lowest: 1, highest: layers, step: 1, ends: [1, layers] });
  const row = root.append("div").attr("class", "row");
  const drawAxis = axis(row, layers);
  const drawTowers = towers(row, model);
  legend(root, TENS);
  const say = sentence(root);
  return follow(model, TRAITS, () => {
    const state = valuesOf(model, TRAITS);
    [drawMeasure, drawDepth, drawAxis, drawTowers].forEach((draw) => draw(state));
    say(describe(state));
  });
}

// Which layer is where: the lowest, the highest, and the one that the numbers are read after.
function axis(box, layers) {
  const column = box.append("div").attr("class", "axis").attr("aria-hidden", "true");
  column.append("b").text("layer");
  const marks = column.append("div");
  return ({ depth }) => {
    const shown = [depth, ...[1, layers].filter((end) => Math.abs(end - depth) > 1)];
    marks.selectAll("span").data(shown).join("span").text((layer) => layer)
      .classed("here", (layer) => layer === depth)
      .style("--height", (layer) => (layer - 0.5) / layers);
  };
}

// A swatch for each layer, the first at the bottom, wider for more and narrower for less, and under the tower its
// number at the chosen height.
function towers(box, model) {
  const tower = box.selectAll(".tower").data(Object.keys(NAMES)).join("div").attr("class", "tower");
  tower.append("b").text((name) => NAMES[name]);
  const stack = tower.append("div").attr("class", "swatches").attr("aria-hidden", "true");
  const number = tower.append("span").attr("class", "number");
  return (state) => {
    const lines = state[state.measure];
    stack.selectAll("i").data((name) => [...lines[name]].reverse()).join(swatch)
      .classed("above", ([layer]) => layer > state.depth)
      .classed("here", ([layer]) => layer === state.depth)
      .style("--place", ([, value]) => placeOf(value, TENS).toFixed(3))
      .on("click", (event, [layer]) => assign(model, { depth: layer })); // the slider does the same by keyboard
    number.data(Object.keys(NAMES)).text((name, i) => row(lines, state.depth)[i]).attr("data-value", (name) => lines[name][state.depth - 1][1]);
  };
}

function swatch(enter) {
  const made = enter.append("i");
  made.append("b").attr("class", "ratio");
  return made;
}

export default { render };
