// Motion: what changes gets there in 850 milliseconds, along one curve; what hangs on a spring swings in. A reader who
// wants no motion sees the end at once.

export const TAKES = 850; // milliseconds
const STIFF = 130; // of a spring, per second squared
const DAMPED = 14; // per second: it swings over by a tenth, and is at rest after half a second
const AT_REST = 1e-3; // units, and units a second

export const ease = (share) => (share < 0.5 ? 4 * share ** 3 : 1 - (2 - 2 * share) ** 3 / 2);

export const between = (from, to, share) =>
  from.map((point, i) => point.map((value, axis) => value + share * (to[i][axis] - value)));

export const wantsNone = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// A share that goes from 0 to 1, and what is drawn with each; returns the way to end it early, at its end or where it is.
export function glide(draw, takes = TAKES) {
  let frame;
  let began;
  const step = (now) => {
    began ??= now;
    const share = Math.min((now - began) / takes, 1);
    frame = share < 1 ? requestAnimationFrame(step) : undefined;
    draw(ease(share));
  };
  if (wantsNone() || takes === 0) draw(1);
  else frame = requestAnimationFrame(step);
  return () => cancelAnimationFrame(frame);
}

// Nodes that a change puts elsewhere slide down or up to their new places.
export function slides(nodes, change) {
  const topOf = (node) => node.getBoundingClientRect().top;
  const before = nodes.map(topOf);
  change();
  if (wantsNone()) return;
  nodes.forEach((node, i) => {
    const by = before[i] - topOf(node);
    if (by) node.animate([{ transform: `translateY(${by}px)` }, { transform: "none" }], { duration: TAKES, easing: "ease-in-out" });
  });
}

// Points that fly to where they belong. jump and fly end the flight that is on its way.
export function flight(show) {
  let shown;
  let stop = () => {};
  const draw = (points) => show((shown = points));
  const jump = (to) => {
    stop();
    draw(to);
  };
  const fly = (to) => {
    stop();
    const from = shown;
    stop = glide((share) => draw(share < 1 ? between(from, to, share) : to));
  };
  return { jump, fly, stop: () => stop() };
}

// One frame of a spring: the place and the speed of each point, after so many seconds. Small steps keep it stable.
export function swing(points, speeds, goals, seconds) {
  const steps = Math.max(1, Math.ceil(seconds / 0.008));
  for (let step = 0; step < steps; step++) {
    points.forEach((point, i) => {
      point.forEach((value, axis) => {
        speeds[i][axis] += ((goals[i][axis] - value) * STIFF - speeds[i][axis] * DAMPED) * (seconds / steps);
        point[axis] += speeds[i][axis] * (seconds / steps);
      });
    });
  }
  const rests = (point, i) =>
    point.every((value, axis) => Math.abs(goals[i][axis] - value) < AT_REST && Math.abs(speeds[i][axis]) < AT_REST);
  return points.every(rests);
}

// Points on springs. aim sets where they are drawn to; put lays them somewhere, at rest.
export function springs(show) {
  let [points, speeds, goals] = [[], [], []];
  let frame;
  let last;
  const step = (now) => {
    const rests = swing(points, speeds, goals, Math.min((now - (last ?? now - 16)) / 1000, 0.05));
    last = now;
    if (rests) points = goals.map((goal) => [...goal]);
    frame = rests ? undefined : requestAnimationFrame(step);
    show(points);
  };
  const stop = () => {
    cancelAnimationFrame(frame);
    frame = last = undefined;
  };
  const put = (to) => {
    stop();
    [points, goals] = [to, to].map((all) => all.map((point) => [...point]));
    speeds = to.map((point) => point.map(() => 0));
    show(points);
  };
  const aim = (to) => {
    if (wantsNone() || to.length !== points.length) return put(to);
    goals = to;
    if (frame === undefined) frame = requestAnimationFrame(step);
  };
  return { put, aim, stop };
}
