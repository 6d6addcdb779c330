// Ratios on a diverging scale that counts in tens: grey where nothing has changed, one hue for less, another for more.
import { setting } from "./numbers.js";

const MARKS = [-1, -0.5, 0, 0.5, 1];

// From −1 to 1, and 0 for a ratio of 1; what is beyond so many tens is on the border. A bend below 1 spreads what is near
// 1, so that a ratio of 2 can be seen beside one of a million.
export function placeOf(ratio, tens, bend = 1) {
  const place = Math.min(1, Math.max(-1, Math.log10(ratio) / tens));
  return Math.sign(place) * Math.abs(place) ** bend;
}

export const tenTo = (tens) => (Math.abs(tens) < 5 ? setting(10 ** tens) : `1e${String(tens).replace("-", "−")}`);

export function legend(root, tens, bend = 1) {
  const box = root.append("p").attr("class", "ratios").attr("aria-hidden", "true");
  const mark = box.selectAll("span").data(MARKS).join("span");
  mark.append("i").attr("class", "ratio").style("--place", (place) => place);
  mark.append("small").text((place) => tenTo(Math.sign(place) * Math.abs(place) ** (1 / bend) * tens));
}
