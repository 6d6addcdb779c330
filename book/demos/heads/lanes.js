// Lanes: one for each head, all above one another. Arcs lead from the word that asks to the words it looks at.
import { total } from "../shared/attention.js";
import { share } from "../shared/numbers.js";
import { assign } from "../shared/widget.js";

export const SEEN = 0.01; // a weight below has no arc
const LABELLED = 0.1; // a weight from which on its number is written
const ALONE = 0.99; // of a number: what the other heads add is then not seen in it

// The arcs of one row of weights: from, to, the weight, and the path in a box as wide as there are words and 1 high.
export function arcs(weights, row) {
  const longest = Math.max(row, weights.length - 1 - row, 1);
  return weights.flatMap((weight, to) => (weight < SEEN ? [] : [{ from: row, to, weight, path: arc(row, to, longest) }]));
}

// Higher the farther it leads; a loop for a word that looks at itself.
function arc(from, to, longest) {
  const [start, end] = [from + 0.5, to + 0.5];
  if (from === to) return `M${start - 0.22} 1C${start - 0.3} 0.35 ${start + 0.3} 0.35 ${start + 0.22} 1`;
  const top = 1 - (0.35 + (0.9 * Math.abs(to - from)) / longest);
  return `M${start} 1C${start} ${top.toFixed(3)} ${end} ${top.toFixed(3)} ${end} 1`;
}

// Of each number of an output, the head that adds it: none where nothing is added, or where two add to one number.
export function writers(added, silent) {
  return added[0].map((_, column) => {
    const sizes = added.map((vector, head) => (silent.includes(head) ? 0 : Math.abs(vector[column])));
    const most = Math.max(...sizes);
    return most > ALONE * total(sizes) ? sizes.indexOf(most) : null;
  });
}

export function lanes(root, model) {
  const box = root.append("div").attr("class", "lanes");
  const list = box.append("div").attr("class", "stack");
  const words = box.append("div").attr("class", "words").attr("aria-hidden", "true"); // the buttons above say them
  return (state, { heads }) => {
    const { names, row, head, silent, reshaped } = state;
    box.style("--words", state.words.length);
    const data = names.map((name, i) => ({ i, name: reshaped ? "" : name, weights: heads[i].weights[row] }));
    const lane = list.selectAll(".lane").data(data).join((enter) => enter.append("div").call(emptyLane));
    lane.attr("class", ({ i }) => `lane of-${i}`).classed("on", ({ i }) => i === head);
    lane.classed("off", ({ i }) => silent.includes(i)).on("click", (_, { i }) => assign(model, { head: i }));
    lane.select(".label").text(({ i, name }) => `head ${i}${name && ` · ${name}`}${silent.includes(i) ? " · off" : ""}`);
    lane.select("svg").attr("viewBox", `0 0 ${state.words.length} 1`);
    lane.select("svg").selectAll("path").data(({ weights }) => arcs(weights, row)).join("path")
      .attr("d", ({ path }) => path)
      .style("stroke-width", ({ weight }) => `${1 + 9 * weight}px`)
      .style("opacity", ({ weight }) => 0.3 + 0.7 * weight);
    lane.select(".shares").selectAll("span").data(({ weights }) => weights).join("span")
      .text((weight) => (weight >= LABELLED ? share(weight) : ""));
    const word = words.selectAll("span").data(state.words.map((text, i) => ({ text, i }))).join("span");
    word.text(({ text }) => text).classed("asks", ({ i }) => i === row).on("click", (_, { i }) => assign(model, { row: i }));
  };
}

function emptyLane(lane) {
  lane.append("p").attr("class", "label");
  lane.append("svg").attr("preserveAspectRatio", "none").attr("aria-hidden", "true");
  lane.append("div").attr("class", "shares").attr("aria-hidden", "true");
}
