// What the model would write next: its likeliest words, with how sure it is of each.
import { percent } from "./numbers.js";
import { nameOf } from "./translator_parts.js";

const MOST = 6;

export function likeliest(probabilities, most = MOST) {
  const order = probabilities.map((_, token) => token).sort((a, b) => probabilities[b] - probabilities[a]);
  return order.slice(0, most);
}

export function nextWords(box, { trained }, most = MOST) {
  const part = box.append("div").attr("class", "next-words");
  const before = part.append("p").attr("class", "who");
  const list = part.append("ol");
  return (seen) => {
    part.attr("hidden", seen.view === "next" ? null : "");
    if (seen.view !== "next") return;
    const { probabilities } = seen.now.written[seen.row];
    before.text(`After “${seen.shown.slice(0, seen.row + 1).map(nameOf).join(" ")}” the model would write:`);
    const item = list.selectAll("li").data(likeliest(probabilities, most)).join((enter) => {
      const made = enter.append("li");
      made.append("b");
      made.append("span").attr("class", "track").append("span").attr("class", "bar");
      made.append("span").attr("class", "number");
      return made;
    });
    item.select("b").text((token) => nameOf(trained.target[token]));
    item.select(".bar").style("width", (token) => `${100 * probabilities[token]}%`);
    item.select(".number").text((token) => percent(probabilities[token])).attr("data-value", (token) => probabilities[token]);
  };
}
