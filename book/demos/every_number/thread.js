// The thread: English words above, Italian words below, and between them ribbons as wide as the attention weights, one
// hue a head. Until it is touched, it writes the translation once before the reader's eyes.
import { cycleOf, writing, writtenAt, within } from "./ribbons.js";
import { drawing, label, legend, lineOfWords, untilTouched } from "./thread_parts.js";
import { arcsOf, emsOf, liftFor, linesIn, percent, ribbonNumbers, ribbonsOf, sharesOf, turnOf, unitOf, wovenOf } from "./thread_scene.js";
import { springs } from "../shared/motion.js";

const LEGEND = "The four heads of cross-attention: ribbons as wide as their weights. Click one to see why.";
const FAINT = 0.3; // opacity of the English words before their sentence is written

// `choose(t)` hears which Italian word is chosen, `dive({ place, head, row, column }, element)` which weight is opened;
// while `wait()` holds, nothing is written by itself. Returns draw(seen); draw.stop() ends what goes on.
//   seen  { source: [words], written: [{ word, share, end, other }], cross: [t][head][j], turn, look }; for looks at the other
//         places also encoder: [head][i][j] and decoder: [head][i][j], whose column 0 is the start
//   look  null, or { place: "cross" | "encoder" | "decoder", head, row, column }
export function thread(parent, { choose, dive, wait = () => false, tells = () => {} }) {
  const root = parent.append("div").attr("class", "thread").attr("data-arrive", "");
  const stage = root.append("div").attr("class", "stage");
  const now = { seen: null, places: null, turn: null, from: null, single: null, lift: [0, 0] };

  const look = (words) => {
    if (idle.isWriting() || Object.keys(words).every((name) => words[name] === now[name])) return;
    Object.assign(now, words);
    update();
  };
  // Of what is woven, a ribbon opens the largest weight of its head, for its word.
  const openWoven = (t, head, element) => {
    const row = now.seen.cross[t][head];
    dive({ place: "cross", head, row: t, column: row.indexOf(Math.max(...row)) }, element);
  };
  const lookAt = (t) => look({ turn: t, from: null });
  const english = lineOfWords(stage, "english", "English", { look: (j) => look({ from: j }), click: (j) => look({ from: j }) });
  const picture = drawing(stage, { open: dive, openWoven, point: () => tell(), leave: () => italian.focus(turnOf(now)) });
  const italian = lineOfWords(stage, "italian", "Italian, word by word", { look: lookAt, click: choose, enter: picture.enter });
  const tip = label(stage);
  const tell = () => {
    const told = picture.told();
    tip(idle.isWriting() || (told && now.single !== null && told.head !== now.single) ? null : told);
  };
  const drawHeads = legend(root, LEGEND, (single) => look({ single }));
  english.line.on("pointerleave.thread focusout.thread", () => look({ from: null }));
  italian.line.on("focusout.thread", ({ relatedTarget }) => stage.node().contains(relatedTarget) || look({ turn: null }));
  root.on("pointerleave", () => look({ turn: null, from: null }));

  const weave = () => {
    const turns = picture.drawWoven(now.seen.written.map((_, t) => wovenOf(now, t)));
    picture.drawArcs(arcsOf(now));
    return turns;
  };
  const flight = springs((points) => {
    const lift = points.at(-1);
    const isMoved = lift.some((by, i) => by !== now.lift[i]);
    now.lift = [...lift]; // springs move their points in place
    [english, italian].forEach((line, i) => line.move(lift[i]));
    picture.drawRibbons(points);
    if (isMoved) weave();
    tell();
  });

  function update(glides = true) {
    if (!now.places || idle.isWriting()) return;
    const t = turnOf(now);
    tells(t);
    root.classed("looks", now.from !== null).classed("lights", now.turn === null && !!now.seen.look).attr("data-head", now.single);
    english.mark({ shares: sharesOf(now, t), looked: now.from ?? 0 });
    italian.mark({ pressed: now.seen.turn, looked: t });
    drawHeads(now.seen.cross[0].length, now.single);
    picture.name(ribbonNumbers(now), now.from);
    weave().attr("class", (_, each) => (each === t ? "now" : null));
    flight[glides ? "aim" : "put"]([...ribbonsOf(now, t, liftFor(now)), liftFor(now)]);
  }

  // What is seen at a time of the writing, which begins where all is written and about to go; true when it is all there
  // again, and stays.
  function write(time) {
    const { source, written } = now.seen;
    const at = writing(time + writtenAt(written.length), written.length);
    if (root.attr("data-turn") !== String(at.turn)) begin(at.turn);
    if (at.turn < written.length) picture.drawWoven(written.map((_, t) => (t === at.turn ? wovenOf(now, t) : null)), at.reach);
    english.fade((j) => FAINT + (1 - FAINT) * (within(at.source * (source.length + 3) - j, 0, 3) / 3 - at.gone));
    italian.fade((t) => (t < at.turn ? 1 : t === at.turn ? at.word : 0) - at.gone);
    picture.svg.style("opacity", 1 - at.gone);
    return time >= cycleOf(written.length);
  }

  function begin(turn) {
    const isOver = turn === now.seen.written.length;
    tells(isOver ? now.seen.turn : turn);
    root.attr("data-turn", turn).classed("rests", isOver);
    weave().attr("class", (_, t) => (t < turn ? "was" : t === turn ? "now" : null));
    english.mark({ shares: isOver ? [] : sharesOf(now, turn), looked: 0 });
    italian.mark({ pressed: isOver ? now.seen.turn : turn, looked: turn });
  }

  const idle = untilTouched(root, {
    wait: () => !now.places || wait(),
    begin: () => {
      flight.put([...ribbonsOf(now, turnOf(now), [0, 0]), [0, 0]]);
      root.classed("writes", true);
    },
    frame: write,
    end: () => {
      root.classed("writes rests", false).attr("data-turn", null);
      [english, italian].forEach((line) => line.fade(() => null));
      picture.svg.style("opacity", null);
      update(false);
    },
  });

  function fit() {
    const wide = stage.node().clientWidth;
    if (!now.seen || !wide) return;
    const ems = emsOf(now.seen);
    stage.style("--ems", ems).style("--lines", linesIn(wide, ems));
    const [above, below] = [english.places(), italian.places()];
    now.places = { above, below, unit: unitOf([above, below], now.seen.cross[0].length) };
    root.attr("data-turn", null);
    update(false);
    idle.check();
  }
  const resized = new ResizeObserver(fit);
  resized.observe(stage.node());
  document.fonts?.ready.then(fit); // other letters, other places

  function draw(seen) {
    const isSame = now.seen && textOf(now.seen) === textOf(seen);
    Object.assign(now, { seen, turn: null, from: null });
    english.draw(seen.source.map((word) => ({ word })));
    italian.draw(seen.written.map(({ word, share, end, other }) => ({ word, end, share: other ? `then ${other}` : percent(share) })));
    if (isSame) update();
    else if (now.places) fit();
    idle.check();
  }
  draw.stop = () => {
    resized.disconnect();
    flight.stop();
    idle.stop();
  };
  return draw;
}

const textOf = ({ source, written }) => [...source, "→", ...written.map(({ word, other }) => word + (other ?? ""))].join(" ");
