// Lines of training, loss over steps, on an axis that never changes: a tenth of the loss is one mark further down.
import { fading, setting } from "./numbers.js";

const MARKS = [10, 1, 0.1, 0.01, 0.001];
const MOST_TICKS = 4;
const APART = 0.18; // of the plot's height: room for one label under the other

const [most, least] = [MARKS[0], MARKS.at(-1)].map(Math.log10);

const between = (number, lowest, highest) => Math.min(Math.max(number, lowest), highest);

// How high a loss stands, from 0 to 1; one that lies outside of the axis is drawn on its border.
export const height = (loss) => between((Math.log10(loss) - least) / (most - least), 0, 1);

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

// Two labels stand where their lines end, or so far from each other that both can be read.
export function labelHeights([one, other]) {
  if (Math.abs(one - other) >= APART) return [one, other];
  const middle = between((one + other) / 2, APART / 2, 1 - APART / 2);
  const away = one < other ? -APART / 2 : APART / 2;
  return [middle + away, middle - away];
}

// names: what each curve is called. strong: the one that stands out.
export function curvePlot(box, names) {
  box.attr("role", "img");
  const layer = (name) => box.append("div").attr("class", name);
  layer("grid").selectAll("span").data(MARKS).join("span").style("bottom", up).text(setting);
  const svg = box.append("svg").attr("viewBox", "0 0 100 100").attr("preserveAspectRatio", "none");
  svg.attr("aria-hidden", "true");
  const [labels, axis] = ["labels", "axis"].map(layer);
  return (curves, strong) => {
    const last = Math.max(...Object.values(curves).map((line) => line.at(-1)[0]));
    const lines = Object.entries(curves).map(([name, line]) => ({ name, line, loss: line.at(-1)[1] }));
    const heights = labelHeights(lines.map(({ loss }) => height(loss)));
    const isStrong = ({ name }) => name === strong;
    box.attr("aria-label", describe(lines, names, last));
    const path = svg.selectAll("path").data(lines).join("path").classed("strong", isStrong);
    path.attr("d", ({ line }) => outline(line, last));
    const label = labels.selectAll("span").data(lines).join("span").classed("strong", isStrong);
    label.style("bottom", (_, i) => percentage(heights[i])).attr("data-value", ({ loss }) => loss);
    label.text(({ name, loss }) => `${names[name]} ${fading(loss)}`);
    const tick = axis.selectAll("span").data(ticks(last)).join("span").style("left", (step) => percentage(step / last));
    tick.text((step, i, all) => setting(step) + (i === all.length - 1 ? " steps" : ""));
  };
}

const percentage = (share) => `${100 * share}%`;

const up = (loss) => percentage(height(loss));

function describe(lines, names, last) {
  const ends = lines.map(({ name, loss }) => `${names[name]}, it ends at ${fading(loss)}`);
  return `The loss over ${setting(last)} steps of training: ${ends.join("; ")}`;
}
