// What a demo does besides drawing: follow its model, speak, and tell its controls apart from its neighbour's.

// What waits to be drawn until all traits of an assignment are set.
let waiting = null;

// Draw now and whenever one of the traits changes; returns the way to stop.
export function follow(model, traits, draw) {
  const redraw = () => (waiting ? waiting.add(draw) : draw());
  for (const trait of traits) model.on(`change:${trait}`, redraw);
  draw();
  return () => traits.forEach((trait) => model.off(`change:${trait}`, redraw));
}

export const valuesOf = (model, traits) => Object.fromEntries(traits.map((trait) => [trait, model.get(trait)]));

// A part of a trait that is too large to be loaded whole: in a page it has a separate file, loaded when it is needed.
export async function partOf(model, trait, name) {
  const part = model.get(trait)?._parts?.[name];
  return part !== undefined && model.load ? model.load(part) : part;
}

// Several traits that are set at once are drawn once.
export function assign(model, values) {
  const drawings = (waiting = new Set());
  try {
    for (const [trait, value] of Object.entries(values)) model.set(trait, value);
  } finally {
    waiting = null;
  }
  drawings.forEach((draw) => draw());
  model.save_changes();
}

// The sentence below a demo. A drag changes it sixty times a second: the eye follows, and a screen reader hears where
// it ended. What only the mouse looks at is seen and not spoken.
export function sentence(root, wait = 250) {
  const seen = root.append("p").attr("class", "says").attr("aria-hidden", "true");
  const heard = root.append("p").attr("class", "unseen").attr("aria-live", "polite");
  let timer;
  return (text, spoken = text) => {
    seen.text(text);
    clearTimeout(timer);
    if (!heard.text()) heard.text(spoken);
    else timer = setTimeout(() => heard.text(spoken), wait);
  };
}

// The box that a demo is drawn in. Plain keys stay inside: JupyterLab would take an x typed on a button of the demo
// for "cut this cell".
export function frame(parent, className, title) {
  const root = parent.append("div").attr("class", `demo ${className}`);
  root.on("keydown", (event) => event.ctrlKey || event.metaKey || event.altKey || event.stopPropagation());
  return root.attr("role", "group").attr("aria-label", title);
}

// Where the mouse or a finger is, in a drawing's own units: d3's pointer goes wrong in Safari where a demo is enlarged.
export function pointerIn(event, svg) {
  const { left, top, width, height } = svg.getBoundingClientRect();
  const own = svg.viewBox.baseVal?.width ? svg.viewBox.baseVal : { width: svg.clientWidth, height: svg.clientHeight };
  return [((event.clientX - left) * own.width) / width, ((event.clientY - top) * own.height) / height];
}

// What a screen reader is told of options with the same words, such as "the" at two places; null for all others.
export function toldApart(texts) {
  const places = (text) => texts.flatMap((other, i) => (other === text ? [i] : []));
  return texts.map((text, i) => {
    const same = places(text);
    return same.length > 1 ? `${text}, ${same.indexOf(i) + 1} of ${same.length}` : null;
  });
}

let drawn = 0;

export const uniqueName = (stem) => `${stem}-${++drawn}`;
