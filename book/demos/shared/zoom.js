// The dive into a number: it flies from where it was clicked to the top of its own card and grows, while the card that it
// was on passes by and the new one comes out of that point. The way back is the reverse.
import { wantsNone } from "./motion.js";

const TIMES = { duration: 620, easing: "cubic-bezier(0.65, 0, 0.35, 1)", fill: "both" }; // the curve is that of motion.js
const [PAST, FAR] = [3.2, 0.1]; // how large a card is that one has passed, and one that is still far away

const ends = new WeakMap(); // card: what ends its zoom early

// From an element, such as a number's button or a ribbon, to the card that `change()` puts into the same place. Where a
// hand has opened it, the new number is scrolled into view; a page does not move below a button that is pressed again.
export function zoom(from, card, change, isOpened = true) {
  ends.get(card)?.();
  const small = numberIn(from);
  const outer = pictureOf(card, from);
  change();
  if (isOpened) reveal(valueOf(card));
  if (!wantsNone()) fly(card, { outer, inner: pictureOf(card), small, big: numberIn(valueOf(card)) });
}

// Back to the card that `change()` puts into the place of this one. The number goes to the element that change() returns,
// or else to the button of that card which shows the same.
export function zoomOut(card, change) {
  ends.get(card)?.();
  const big = numberIn(valueOf(card));
  const inner = pictureOf(card);
  const to = change() ?? buttonWith(card, big.text) ?? valueOf(card);
  if (!wantsNone()) fly(card, { outer: pictureOf(card, to), inner, small: numberIn(to), big, direction: "reverse" });
}

const valueOf = (card) => card.querySelector(".value");
const buttonWith = (card, text) => [...card.querySelectorAll("button")].find((button) => button.textContent.trim() === text);
const reveal = (element) => element.scrollIntoView({ block: "nearest", behavior: "instant" }); // it never leaves the screen
const middle = ({ left, top, width, height }) => [left + width / 2, top + height / 2];

// The first text of an element, where it is on the screen and how it is set. A ribbon has none: the number comes out of
// its middle.
function numberIn(element) {
  const { fontSize, fontWeight, color } = getComputedStyle(element);
  const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
  const range = document.createRange();
  range.selectNodeContents(text ?? element);
  return { text: text?.data.trim(), size: parseFloat(fontSize), fontWeight, color, at: middle((text ? range : element).getBoundingClientRect()) };
}

// What the card shows, as a picture that nothing can find or touch; the number that flies is left out of it.
function pictureOf(card, flying = valueOf(card)) {
  const picture = card.cloneNode(true);
  const copy = picture.querySelectorAll("*")[[...card.querySelectorAll("*")].indexOf(flying)];
  if (copy) copy.style.color = "transparent";
  for (const node of [picture, ...picture.querySelectorAll("[id], [name]")]) {
    node.removeAttribute("id");
    node.removeAttribute("name"); // the card's radio buttons would lose their choice to these
  }
  return { picture, ...boxOf(card) };
}

function boxOf(card) {
  const { left, top } = card.getBoundingClientRect();
  return { left, top, width: card.offsetWidth, height: card.offsetHeight };
}

const put = (node, [left, top], style) => Object.assign(node.style, { left: `${left}px`, top: `${top}px`, ...style });

// A layer over the card, and the places of the screen in it: a demo that fills the window is drawn larger than it is.
function layerOver(card) {
  const { left, top, width, height } = boxOf(card);
  const scale = card.getBoundingClientRect().width / width || 1;
  const here = ([x, y]) => [(x - left) / scale, (y - top) / scale];
  const layer = document.createElement("div");
  layer.className = "zoom";
  layer.inert = true;
  layer.setAttribute("aria-hidden", "true");
  card.parentNode.append(layer);
  const began = layer.getBoundingClientRect();
  put(layer, here([began.left, began.top]).map((along) => -along), { width: `${width}px`, height: `${height}px` });
  return { layer, here, within: ([x, y]) => [Math.min(Math.max(x, 0), width), Math.min(Math.max(y, 0), height)] };
}

function fly(card, { outer, inner, small, big, direction = "normal" }) {
  const { layer, here, within } = layerOver(card);
  const times = { ...TIMES, direction };
  const point = within(here(small.at));
  const passage = layer.appendChild(document.createElement("div"));
  const passes = ({ picture, width, height, left, top }, frames) => {
    const at = here([left, top]);
    const transformOrigin = point.map((along, axis) => `${along - at[axis]}px`).join(" ");
    put(picture, at, { width: `${width}px`, height: `${height}px`, transformOrigin });
    passage.append(picture);
    return picture.animate(frames, times);
  };
  const number = layer.appendChild(document.createElement("span"));
  number.textContent = big.text;
  put(number, here(big.at), { fontSize: `${big.size}px`, fontWeight: big.fontWeight });

  const animations = [
    card.animate({ opacity: [0, 0] }, TIMES),
    passes(outer, { transform: ["none", `scale(${PAST})`], opacity: [1, 0] }),
    passes(inner, { transform: [`scale(${FAR})`, "none"], opacity: [0, 1, 1, 1] }),
    number.animate({ transform: flight(here(small.at), here(big.at), small.size / big.size), color: [small.color, big.color] }, times),
  ];
  const end = () => {
    animations.forEach((animation) => animation.cancel());
    layer.remove();
    ends.delete(card);
  };
  animations.at(-1).onfinish = end;
  ends.set(card, end);
}

// The transforms of a number that lies at `to`, from where it is small; both are middles.
export function flight(from, to, size) {
  const way = from.map((along, axis) => `${along - to[axis]}px`).join(", ");
  return [`translate(${way}) translate(-50%, -50%) scale(${size})`, "translate(0px, 0px) translate(-50%, -50%) scale(1)"];
}
