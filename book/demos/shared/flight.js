// Points that fly to where they belong: fast at first, and there after 300 milliseconds. A reader who wants no motion
// sees them jump.

const TAKES = 300;

const easeOut = (share) => 1 - (1 - share) ** 3;

export const between = (from, to, share) =>
  from.map((point, i) => point.map((value, axis) => value + share * (to[i][axis] - value)));

// show draws the points wherever they are. jump and fly end the flight that is on its way.
export function flight(show) {
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let shown;
  let frame;
  const draw = (points) => show((shown = points));
  const stop = () => cancelAnimationFrame(frame);
  const jump = (to) => {
    stop();
    draw(to);
  };
  const fly = (to) => {
    if (still.matches) return jump(to);
    stop();
    const from = shown;
    let began;
    const step = (now) => {
      began ??= now;
      const share = Math.min((now - began) / TAKES, 1);
      draw(share < 1 ? between(from, to, easeOut(share)) : to);
      if (share < 1) frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
  };
  return { jump, fly, stop };
}
