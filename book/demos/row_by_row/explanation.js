// What one cell of Row by row is made from, in numbers; and in the step of the queries, the entry of W_Q to change.
import { changeEntry, chooseNext, inRange, setEntry } from "../shared/choices.js";
import { write, writeHtml } from "../shared/matrix.js";
import { long } from "../shared/numbers.js";
import { account, picture } from "../shared/steps.js";

export function explanation(panel, demo) {
  const box = panel.append("div").attr("class", "explanation");
  const formula = box.append("p").attr("class", "formula");
  stepButtons(box, demo);
  const title = box.append("p").attr("class", "title");
  const name = title.append("span");
  const place = title.append("span");
  const value = title.append("strong");
  const sum = box.append("p").attr("class", "sum");
  const drawStepper = stepper(box, demo);
  return (view) => {
    const { stage, all, row, column } = view;
    const { formula: text, columnWords, result } = picture(stage, all, row);
    const numbers = account(stage, all, row, column);
    writeHtml(formula.node(), text);
    writeHtml(name.node(), result.name);
    write(place.node(), ` [${all.words[row]}, ${columnWords ? columnWords[column] : column}] = `);
    write(value.node(), long(numbers.value));
    value.attr("data-value", numbers.value);
    sum.text("").call(stage === "weights" ? writeShare : writePairs, numbers);
    drawStepper(view);
  };
}

function stepButtons(box, demo) {
  const buttons = box.append("div").attr("class", "steps");
  for (const [sign, name, by] of [["‹", "Previous cell", -1], ["›", "Next cell", 1]]) {
    const button = buttons.append("button").attr("type", "button").attr("class", "plain").attr("aria-label", name);
    button.text(sign).on("click", () => chooseNext(demo, by));
  }
}

function writePairs(line, { value, pairs, sum, width }) {
  if (width) line.append("span").text("( ");
  pairs.forEach(([a, b], k) => {
    if (k) line.append("span").text(" + ");
    const pair = line.append("span").attr("class", Math.abs(a * b) < 5e-5 ? "pair zero" : "pair");
    pair.append("b").attr("class", "first").text(long(a));
    pair.append("span").text(" · ");
    pair.append("b").attr("class", "second").text(long(b));
  });
  const divided = width ? ` ) ÷ √${width} = ${long(sum)} ÷ ${long(Math.sqrt(width))}` : "";
  line.append("span").attr("class", "total").text(`${divided} = ${long(value)}`);
}

function writeShare(line, { value, score, largest, power, sum }) {
  line.append("span").text("exp( ");
  line.append("b").attr("class", "second").text(long(score));
  line.append("span").text(` − ${long(largest)} ) ÷ sum of the row’s exp = `);
  line.append("b").attr("class", "second").text(long(power));
  line.append("span").text(" ÷ ");
  line.append("b").attr("class", "first row-sum").text(long(sum)).attr("data-value", sum);
  line.append("span").attr("class", "total").text(` = ${long(value)}`);
}

// One less, the number itself, one more. At its end a button stays focusable, so that a keyboard does not lose its place.
function stepper(box, demo) {
  const line = box.append("div").attr("class", "stepper").attr("role", "group");
  const name = line.append("span");
  const less = changer(line, demo, "−", "One less", -1);
  const input = line.append("input").attr("type", "number").attr("step", "any");
  input.attr("min", inRange(-Infinity)).attr("max", inRange(Infinity));
  input.on("input", ({ target }) => {
    if (target.value && target.validity.valid) setEntry(demo, target.valueAsNumber);
  });
  input.on("change", () => demo.draw());
  const more = changer(line, demo, "+", "One more", 1);
  line.append("small").text("pick any entry of W").append("sub").text("Q");
  return ({ stage, all, entry, chosen }) => {
    line.style("display", stage === "query" ? null : "none");
    if (stage !== "query") return;
    const value = all.w_q[entry][chosen.column];
    const place = `row ${entry}, column ${chosen.column}`;
    name.html(`W<sub>Q</sub> [${entry}, ${chosen.column}]`);
    line.attr("aria-label", `Change W_Q, ${place}`);
    input.attr("aria-label", `W_Q, ${place}`).attr("data-value", value);
    if (input.property("valueAsNumber") !== value) input.property("value", value);
    less.attr("aria-disabled", value <= inRange(-Infinity));
    more.attr("aria-disabled", value >= inRange(Infinity));
  };
}

function changer(line, demo, sign, name, by) {
  const button = line.append("button").attr("type", "button").attr("class", "plain").attr("aria-label", name).text(sign);
  return button.on("click", () => button.attr("aria-disabled") === "true" || changeEntry(demo, by));
}
