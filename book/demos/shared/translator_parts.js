// The parts of the Translator that can be switched off, and how its words are shown.
import { assign } from "./widget.js";

export const PARTS = {
  scaling: "scaling",
  positions: "positions",
  residual: "residual",
  norm: "norm",
  mask: "causal mask",
};

// Names as the model keeps them: switches apart, heads in a list.
export const offOf = (names) => ({
  ...Object.fromEntries(Object.keys(PARTS).map((part) => [part, names.includes(part)])),
  heads: names.filter((name) => name.includes(".")),
});

export function toggle(model, part) {
  const off = model.get("off");
  assign(model, { off: off.includes(part) ? off.filter((name) => name !== part) : [...off, part].sort() });
}

export const nameOf = (word) => ({ "<eos>": "end", "<sos>": "start", "<pad>": "padding" })[word] ?? word;
