// The hand: mouse, finger and pen take hold of what is drawn, carry it, and paint over cells.
import { pointerIn } from "./widget.js";

const A_CLICK = 5; // pixels that a hand may tremble

// take(event) is asked what is taken hold of: null for nothing, else { carry(place, event), drop(event, wasCarried) },
// with places in the drawing's own units. The keyboard's way is for the caller, on the same nodes.
// touch: what a finger may still do here, such as "pan-y", to scroll the page.
export function holdable(nodes, svg, take, touch = "none") {
  nodes.style("touch-action", touch).on("pointerdown.hold", function (event) {
    if (event.button > 0) return;
    const held = take.call(this, event);
    if (!held) return;
    if (touch === "none") event.preventDefault();
    this.setPointerCapture(event.pointerId);
    const from = [event.clientX, event.clientY];
    let carried = false;
    const mine = (happened) => happened.pointerId === event.pointerId;
    const move = (moved) => {
      carried ||= Math.hypot(moved.clientX - from[0], moved.clientY - from[1]) > A_CLICK;
      if (mine(moved) && carried) held.carry?.(pointerIn(moved, svg()), moved);
    };
    const end = (ended) => {
      if (!mine(ended)) return;
      this.removeEventListener("pointermove", move);
      this.removeEventListener("lostpointercapture", end);
      held.drop?.(ended, carried);
    };
    this.addEventListener("pointermove", move);
    this.addEventListener("lostpointercapture", end);
  });
  // Not every browser heeds touch-action inside a picture; and not the node under the mouse may be the one to focus.
  if (touch === "none") nodes.on("touchstart.hold", (event) => event.preventDefault(), { passive: false });
  return nodes.on("mousedown.hold", (event) => event.preventDefault());
}

// One stroke over cells: paint(cell, isFirst) once for each that the pointer comes to. cellOf(element) is null for what
// is no cell.
export function paintable(box, cellOf, paint) {
  box.style("touch-action", "none").on("pointerdown.paint", (event) => {
    const first = event.button > 0 ? null : cellOf(event.target);
    if (first === null) return;
    event.preventDefault();
    const node = box.node();
    node.setPointerCapture(event.pointerId);
    let last = String(first);
    paint(first, true);
    const move = (moved) => {
      const cell = cellOf(document.elementFromPoint(moved.clientX, moved.clientY));
      if (cell === null || String(cell) === last) return;
      last = String(cell);
      paint(cell, false);
    };
    node.addEventListener("pointermove", move);
    node.addEventListener("lostpointercapture", () => node.removeEventListener("pointermove", move), { once: true });
  });
}

// What the mouse is over, or null when it has left; a finger looks by touching.
export function looked(nodes, look) {
  nodes.on("pointerenter.look", (event, datum) => event.pointerType === "mouse" && look(datum));
  return nodes.on("pointerleave.look", (event) => event.pointerType === "mouse" && look(null));
}

// A button that works on for as long as it is held down.
export function repeats(button, act, pause = 750) {
  let timer;
  const stop = () => clearInterval(timer);
  button.on("click", (event) => event.detail > 0 && button.node().dataset.held ? delete button.node().dataset.held : act());
  button.on("pointerdown", (event) => {
    if (event.button > 0) return;
    timer = setInterval(() => {
      button.node().dataset.held = "true"; // the click that follows is not one more
      act();
    }, pause);
  });
  for (const end of ["pointerup", "pointerleave", "pointercancel"]) button.on(end, stop);
  return stop;
}
