// Lines of training, loss over steps, on an axis that never changes: a tenth of the loss is one mark further down.
import { setting } from "./numbers.js";

const MARKS = [10, 1, 0.1, 0.01, 0.001, 0.0001];
const MOST_TICKS = 4;

const [most, least] = [MARKS[0], MARKS.at(-1)].map(Math.log10);

// The height of a loss, from 0 to 1; one outside the axis is drawn on its border.
export const height = (loss) => Math.min(Math.max((Math.log10(Math.max(loss, 1e-9)) - least) / (most - least), 0), 1);

// The smallest of 1, 2, 5, 10, 20, … and of 0.1, 0.2, 0.5, … that is no less.
export function nice(number) {
  const unit = 10 ** Math.floor(Math.log10(number));
  return [1, 2, 5, 10].map((times) => times * unit).find((candidate) => candidate >= number);
}

export function ticks(last) {
  const step = nice(last / MOST_TICKS);
  return Array.from({ length: Math.floor(last / step) + 1 }, (_, i) => i * step);
}

// In a box of 100 by 100, stretched to the room there is.
export function outline(line, last) {
  const at = ([step, loss]) => `${((100 * step) / last).toFixed(2)} ${(100 - 100 * height(loss)).toFixed(2)}`;
  return `M${line.map(at).join("L")}`;
}

const percentage = (share) => `${100 * share}%`;

// Draws lines [{ name, slot, line: [[step, loss], ...] }] over the steps of the longest, in the order that they are given.
export function curvePlot(box) {
  const layer = (name) => box.append("div").attr("class", name);
  layer("grid").selectAll("span").data(MARKS).join("span").style("bottom", (loss) => percentage(height(loss))).text(setting);
  const svg = box.append("svg").attr("viewBox", "0 0 100 100").attr("preserveAspectRatio", "none").attr("aria-hidden", "true");
  const axis = layer("axis");
  return (lines) => {
    const last = Math.max(1, ...lines.map(({ line }) => line.at(-1)[0]));
    svg.selectAll("path").data(lines, ({ name }) => name).join("path").attr("class", ({ slot }) => `line-${slot}`).attr("d", ({ line }) => outline(line, last));
    const tick = axis.selectAll("span").data(ticks(last)).join("span").style("left", (step) => percentage(step / last));
    tick.text((step, i, all) => setting(step) + (i === all.length - 1 ? " steps" : ""));
  };
}
