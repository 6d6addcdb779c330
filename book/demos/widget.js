// What a demo does besides drawing: follow its model, speak, and tell its controls apart from its neighbour's.

// Draw now and whenever one of the traits changes; returns the way to stop.
export function follow(model, traits, draw) {
  for (const trait of traits) model.on(`change:${trait}`, draw);
  draw();
  return () => traits.forEach((trait) => model.off(`change:${trait}`, draw));
}

export function assign(model, values) {
  for (const [trait, value] of Object.entries(values)) model.set(trait, value);
  model.save_changes();
}

// A drag changes the state sixty times a second; a screen reader should hear where it ended.
export function speaker(node, wait = 250) {
  let timer;
  return (text) => {
    clearTimeout(timer);
    if (!node.textContent) node.textContent = text;
    else timer = setTimeout(() => (node.textContent = text), wait);
  };
}

// The box that a demo is drawn in. Plain keys stay inside: JupyterLab would take an x typed on a button of the demo
// for "cut this cell".
export function frame(parent, className, title) {
  const root = parent.append("div").attr("class", `demo ${className}`);
  root.on("keydown", (event) => event.ctrlKey || event.metaKey || event.altKey || event.stopPropagation());
  return root.attr("role", "group").attr("aria-label", title);
}

let drawn = 0;

export const uniqueName = (stem) => `${stem}-${++drawn}`;
