// Gravity: two sentences in one plane share a bank, and each moves it another way; apply that again and again.
import { select } from "d3-selection";
import { choice } from "../shared/controls.js";
import { BANK, SENTENCES, describe, isOver, look, massAndPull } from "./falling.js";
import { flight } from "../shared/flight.js";
import { WORDS, picture } from "./gravity_plane.js";
import { drawMatrix, light } from "../shared/matrix.js";
import { assign, follow, frame, sentence, valuesOf } from "../shared/widget.js";

const TRAITS = ["sentence", "steps", ...WORDS];

function render({ model, el }) {
  const root = frame(select(el), "gravity", "Gravity");
  const stage = root.append("div").attr("class", "stage");
  const box = stage.append("div").attr("class", "plane");
  const drawing = picture(box, model);
  const drawActions = actions(stage, model);
  const drawNumbers = numbers(stage, model);
  const say = sentence(root);
  let state;
  const { fly, jump, stop } = flight((points) => drawing.draw(points, state));
  const draw = () => {
    const before = state?.steps;
    state = valuesOf(model, TRAITS);
    root.classed("money", state.sentence === "money").classed("river", state.sentence === "river");
    drawActions(state);
    drawNumbers(state);
    say(describe(state));
    const points = Object.keys(SENTENCES).flatMap((name) => look(state, name).x);
    (state.steps > before ? fly : jump)(points); // last, since the plane takes the room that the matrices leave
  };
  // A frame later, since drawing changes the height of what is observed.
  const resized = new ResizeObserver(() => requestAnimationFrame(() => drawing.fit() && draw()));
  const leave = follow(model, TRAITS, draw);
  resized.observe(box.node());
  return () => {
    leave();
    stop();
    resized.disconnect();
  };
}

function actions(stage, model) {
  const bar = stage.append("div").attr("class", "actions");
  const button = (name) => bar.append("button").attr("type", "button").attr("class", "plain").text(name);
  const again = button("Apply again");
  again.on("click", () => isOver(valuesOf(model, TRAITS)) || assign(model, { steps: model.get("steps") + 1 }));
  button("Start again").on("click", () => assign(model, { steps: 0, ...model.get("start") }));
  const count = bar.append("p").attr("class", "count");
  return (state) => {
    again.attr("aria-disabled", isOver(state));
    count.text(`Applied ${state.steps} time${state.steps === 1 ? "" : "s"}`).attr("data-value", state.steps);
  };
}

const AT_FIRST = "Drag a word, or go to it with Tab and press the arrow keys.";
const LATER = "Moving a word puts the others back and starts again at 0.";

function numbers(stage, model) {
  const side = stage.append("div").attr("class", "side");
  const sentences = Object.entries(SENTENCES).map(([name, words]) => [name, words.join(" ")]);
  const drawSentence = choice(side, model, "sentence", "Weights of", sentences);
  const [weights, masses] = ["weights", "masses"].map((name) => side.append("table").attr("class", name));
  const note = side.append("p").attr("class", "note");
  return (state) => {
    drawSentence(state);
    const { words, ...view } = look(state);
    const { mass, pull } = massAndPull(view.x, BANK);
    const columns = { columnHeads: words, width: 46 }; // room for four digits, so that no column moves in a drag
    const name = "weights = softmax(x x<sup>T</sup>)";
    drawMatrix(weights, { ...columns, rowHeads: words, matrix: view.weights, name, shade: true });
    light(weights, BANK, -1);
    const made = "bank’s row = mass × pull ÷ sum";
    drawMatrix(masses, { ...columns, rowHeads: ["mass", "pull"], matrix: [mass, pull], name: made });
    note.text(state.steps ? LATER : AT_FIRST);
  };
}

export default { render };
