// How deep one is: the model from the word at the top to the learned numbers at the bottom, and a plumb line that reaches
// the level of the number on the card. Each level that was passed carries the number met there, which leads back to it.
import { short } from "./numbers.js";

const LEARNED = { side: "", boxes: [["", "parameters"]] };

// `levels` are [{ side, boxes: [[box, name], …] }, …] from the top; `go(i)` goes back to the number passed[i]. Returns
// draw({ passed: [{ box, text, value }], here }). A box is "decoder l", or "parameters"; the number on the card is the last.
export function ruler(parent, levels, go) {
  const root = parent.append("div").attr("class", "ruler").attr("role", "group").attr("aria-label", "How deep you are");
  const side = root.selectAll("div").data([...levels, LEARNED]).join("div").attr("class", "side");
  side.append("b").text(({ side }) => side);
  const levelsOf = ({ side, boxes }) => boxes.map(([box, name]) => ({ box: side ? `${side} ${box}` : name, name, side }));
  const level = side.append("ol").selectAll("li").data(levelsOf).join("li");
  const all = root.selectAll("li").nodes();
  level.style("--depth", (_, i, nodes) => all.indexOf(nodes[i]) / (all.length - 1));
  level.append("i");
  level.append("span").text(({ name }) => name);
  const count = level.append("small");
  const back = level.append("button").attr("type", "button");
  const shown = level.append("strong");
  const where = root.append("p").attr("aria-hidden", "true");
  root.append("div").attr("class", "line");
  root.append("div").attr("class", "weight");

  const hang = () => {
    const mark = root.select("[aria-current] i").node();
    if (!mark) return;
    const [own, box] = [mark, root.node()].map((node) => node.getBoundingClientRect());
    const scale = box.width / root.node().offsetWidth || 1; // of a demo that fills the window
    const at = (from, to, size) => (from + size / 2 - to) / scale;
    root.style("--x", `${at(own.left, box.left, own.width)}px`).style("--y", `${at(own.top, box.top, own.height)}px`);
  };
  new ResizeObserver(hang).observe(root.node());

  return ({ passed, here }) => {
    const met = new Map(level.data().map(({ box }) => [box, metAt(passed, box)]));
    const numberOf = ({ box }) => written(passed[met.get(box).last]?.value ?? "");
    const leadsBack = ({ box }) => met.get(box).count > 0 && !met.get(box).isPresent;
    level.classed("passed", ({ box }) => met.get(box).count > 0).attr("aria-current", ({ box }) => (box === here ? "step" : null));
    count.text(({ box }) => (met.get(box).count > 1 ? `${met.get(box).count} ×` : ""));
    shown.text((one) => (leadsBack(one) ? "" : numberOf(one)));
    back.attr("hidden", (one) => (leadsBack(one) ? null : "")).text(numberOf).on("click", (_, { box }) => go(met.get(box).last));
    back.attr("aria-label", (one) => (leadsBack(one) ? `back to ${passed[met.get(one.box).last].text}, ${numberOf(one)}` : null));
    const [present] = level.filter(({ box }) => box === here).data();
    where.text(present ? [present.side, present.name].filter(Boolean).join(" · ") : "");
    hang();
  };
}

// What was met on a level: how many numbers, the last of them, and whether it is the one on the card.
export function metAt(passed, box) {
  const last = passed.findLastIndex((one) => one.box === box);
  return { last, count: passed.filter((one) => one.box === box).length, isPresent: last >= 0 && last === passed.length - 1 };
}

const written = (value) => (typeof value === "number" ? short(value) : value);
