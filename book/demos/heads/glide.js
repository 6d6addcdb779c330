// Lets numbers glide from their old places to their new ones, unless the reader prefers reduced motion.

const LASTS = 600; // milliseconds

// pairs: [[node it comes from, node it is written in], ...]. All places are read before anything moves.
export function glide(pairs) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const places = pairs.map((pair) => pair.map((node) => node.getBoundingClientRect()));
  pairs.forEach(([, node], k) => {
    const [from, to] = places[k];
    const start = `translate(${from.x + from.width / 2 - to.x - to.width / 2}px, ${from.y - to.y}px)`;
    node.getAnimations().forEach((animation) => animation.cancel());
    node.animate([{ transform: start }, { transform: "none" }], { duration: LASTS, easing: "ease-in-out" });
  });
}
