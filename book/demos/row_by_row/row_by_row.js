// Row by row: each number of attention beside the row and the column that made it, and who looks at whom. An entry of
// W_Q can be changed, and two words swapped.
import { select } from "d3-selection";
import { arcs } from "./arcs.js";
import { TRAITS, choose, hover, look, move, open, opened, partnerOf, putBack, remember, swap } from "../shared/choices.js";
import { onOff, tabs } from "../shared/controls.js";
import { TITLES, scene } from "./cross.js";
import { explanation } from "./explanation.js";
import { STAGES, changes, describe } from "../shared/steps.js";
import { follow, frame, sentence } from "../shared/widget.js";

const NARROW = 620; // pixels; below, the arcs come first, and the style sheet takes over

function render({ model, el }) {
  const root = frame(select(el), "row-by-row", "Row by row");
  const demo = opened(model);
  const top = root.append("div").attr("class", "top");
  const titled = STAGES.map((stage) => [stage, TITLES[stage]]);
  const { panel, draw: drawTabs } = tabs(root, titled, (stage) => open(demo, stage));
  const drawText = explanation(panel, demo);
  const { cross, draw: drawScene } = scene(panel, demo);
  const { block, draw: drawArcs } = wordArcs(cross, demo);
  const drawBar = bar(top, demo);
  const say = sentence(root);
  demo.draw = () => {
    const view = look(demo);
    drawBar(view);
    drawTabs(view.stage);
    drawArcs(view.all, view.row, view.chosen.row);
    drawText(view);
    drawScene(view);
    const sayOf = ({ row, column }) => `${describe(view.stage, view.all, row, column)} ${changes(view.all)}`.trim();
    say(sayOf(view), sayOf(view.chosen));
  };
  const forget = follow(model, ["column"], () => remember(demo));
  const leave = follow(model, TRAITS, demo.draw);
  const unplace = placeArcs(root.node(), block.node(), top.node(), cross.node());
  return () => [forget, leave, unplace].forEach((stop) => stop());
}

// On a wide screen the arcs are beside the rows of the matrices; on a phone they come first.
function placeArcs(root, block, first, beside) {
  const observer = new ResizeObserver(([{ contentRect }]) => {
    const parent = contentRect.width < NARROW ? first : beside;
    if (block.parentNode !== parent) parent.prepend(block);
  });
  observer.observe(root);
  return () => observer.disconnect();
}

function wordArcs(parent, demo) {
  const columnOf = () => look(demo).chosen.column;
  return arcs(
    parent,
    (row) => choose(demo, { row, column: columnOf() }),
    (row) => hover(demo, row === null ? null : { row, column: columnOf() }),
  );
}

function bar(top, demo) {
  const box = top.append("div").attr("class", "bar");
  const drawSwap = swapper(box, demo);
  const drawSwitch = onOff(box, demo.model, "scaled");
  const back = box.append("button").attr("type", "button").attr("class", "plain back").text("Put back");
  back.on("click", () => back.attr("aria-disabled") === "true" || putBack(demo));
  return (view) => {
    drawSwap(view);
    drawSwitch(view.all, `scores ÷ √${view.all.query[0].length}`);
    back.attr("aria-disabled", changes(view.all) === "");
  };
}

// The chosen word and another exchange their places when the button is pressed.
function swapper(box, demo) {
  const group = box.append("div").attr("class", "swap");
  const label = group.append("label");
  label.append("span").text("swap ").append("b");
  label.append("span").text(" with ");
  const list = label.append("select").on("change", ({ target }) => {
    demo.partner = Number(target.value);
  });
  const button = group.append("button").attr("type", "button").attr("class", "plain").text("Swap");
  button.on("click", () => swap(demo));
  let drawn;
  return (view) => {
    const { all: { words, order }, chosen } = view;
    group.style("display", words.length > 1 ? null : "none");
    label.select("b").text(words[chosen.row]);
    const others = order.flatMap((given, i) => (i === chosen.row ? [] : [[given, `${i + 1} ${words[i]}`]]));
    if (String(others) !== drawn) {
      const option = list.selectAll("option").data(others).join("option");
      option.attr("value", ([given]) => given).text(([, text]) => text);
      drawn = String(others);
    }
    list.property("value", partnerOf(demo, view));
  };
}

export default { render };
