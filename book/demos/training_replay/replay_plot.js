// The loss of every step, on an axis that counts in tens, with points for the held-out sentences that came out right.
import { ticks } from "../shared/curves.js";
import { holdable } from "../shared/hand.js";
import { percent, setting } from "../shared/numbers.js";

const MARKS = [10, 1, 0.1, 0.01, 0.001, 0.0001];
const SHARES = [0, 0.5, 1];
const RECENT = 10; // steps: single batches are easier or harder

const [most, least] = [MARKS[0], MARKS.at(-1)].map(Math.log10);

// The height of a loss, from 0 to 1; one outside the axis is drawn on its border.
export const height = (loss) => Math.min(Math.max((Math.log10(Math.max(loss, 1e-9)) - least) / (most - least), 0), 1);

// The mean of the last losses up to a step; before the first step, the loss that this one began with.
export function recent(losses, step) {
  const last = losses.slice(Math.max(0, step - RECENT), Math.max(1, step));
  return last.reduce((sum, loss) => sum + loss, 0) / last.length;
}

export function outline(losses) {
  const at = (_, i) => `${((100 * (i + 1)) / losses.length).toFixed(2)} ${(100 - 100 * height(recent(losses, i + 1))).toFixed(2)}`;
  return `M0 ${(100 - 100 * height(losses[0])).toFixed(2)}L${losses.map(at).join("L")}`;
}

// The moment whose step is nearest.
export function nearest(checkpoints, step) {
  const far = checkpoints.map((moment) => Math.abs(moment.step - step));
  return far.indexOf(Math.min(...far));
}

// A click or a drag goes to the nearest moment: go(moment).
export function plot(box, go) {
  const layer = (name) => box.append("div").attr("class", name);
  layer("grid").selectAll("span").data(MARKS).join("span").style("bottom", (loss) => part(height(loss))).text(setting);
  layer("shares").selectAll("span").data(SHARES).join("span").style("bottom", part).text((share) => `${100 * share}%`);
  layer("names").selectAll("span").data(["loss", "right"]).join("span").text((name) => name);
  const svg = box.append("svg").attr("viewBox", "0 0 100 100").attr("preserveAspectRatio", "none").attr("aria-hidden", "true");
  const curve = svg.append("path");
  const [now, points, axis] = ["now", "points", "axis"].map(layer);
  now.append("span");
  let drawn;
  const goTo = (clientX) => {
    const { left, width } = box.node().getBoundingClientRect();
    go(nearest(drawn.checkpoints, (drawn.loss.length * (clientX - left)) / width));
  };
  box.on("click", ({ clientX }) => goTo(clientX));
  const byMouse = ({ pointerType }) => pointerType === "mouse" && { carry: (_, { clientX }) => goTo(clientX) };
  holdable(box, () => svg.node(), byMouse, "pan-y");
  return ({ record, moment }) => {
    const { loss, checkpoints } = record;
    const { step, held_out } = checkpoints[moment];
    if (drawn !== record) {
      drawn = record;
      curve.attr("d", outline(loss));
      const tick = axis.selectAll("span").data(ticks(loss.length)).join("span");
      tick.style("left", (at) => part(at / loss.length)).text((at) => (at === loss.length ? `${at} steps` : at));
      const point = points.selectAll("span").data(checkpoints).join("span").attr("data-value", (at) => at.held_out);
      point.style("left", (at) => part(at.step / loss.length)).style("bottom", (at) => part(at.held_out));
    }
    points.selectAll("span").classed("on", (_, i) => i === moment);
    now.style("left", part(step / loss.length));
    now.select("span").style("bottom", part(height(recent(loss, step))));
    const ends = `it falls from ${setting(loss[0])} to ${setting(recent(loss, loss.length))}`;
    box.attr("aria-label", `The loss over ${loss.length} steps: ${ends}. At step ${step}, ${percent(held_out)} of the held-out sentences are right`);
  };
}

const part = (share) => `${(100 * share).toFixed(2)}%`;
