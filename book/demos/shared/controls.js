// What the demos are worked with: one of a few options, a slider, a switch. Each is named for a screen reader, follows
// its trait, and is a native control, so that mouse, touch and keyboard work it alike. Tabs are the exception: their
// arrow keys are here.
import { setting } from "./numbers.js";
import { assign, toldApart, uniqueName } from "./widget.js";

export const controlBar = (root) => root.append("div").attr("class", "controls");

// options: words, or [word, what is written on its button]. along: other traits that are set with a choice.
export function choice(parent, model, trait, title, options, along = () => ({})) {
  const named = options.map((option) => (Array.isArray(option) ? option : [option, option]));
  const group = parent.append("fieldset").attr("class", `choice ${trait}`);
  group.append("legend").text(title);
  const name = uniqueName(trait);
  const label = group.append("span").attr("class", "options").selectAll("label").data(named).join("label");
  const input = label.append("input").attr("type", "radio").attr("name", name).attr("value", ([value]) => value);
  const apart = toldApart(named.map(([, text]) => text));
  input.attr("aria-label", (_, i) => apart[i]);
  input.on("change", (event, [value]) => assign(model, { [trait]: value, ...along(value) }));
  label.append("span").attr("class", ([value]) => `option ${trait}-${value}`).text(([, text]) => text);
  return (state) => input.property("checked", ([value]) => value === state[trait]);
}

// The slider's own numbers go from lowest to highest; toValue and toPosition turn them into the trait's and back. The
// title may hold markup, such as d<sub>k</sub>.
export function slider(parent, model, trait, title, { lowest, highest, step, ends, ...settings }) {
  const { toValue = (position) => position, toPosition = (value) => value, say = setting } = settings;
  const id = uniqueName(trait);
  const box = parent.append("div").attr("class", `slider ${trait}`);
  const label = box.append("label").attr("for", id).html(`${title} `);
  const shown = label.append("output").attr("for", id);
  const input = box.append("input").attr("id", id).attr("type", "range");
  input.attr("min", lowest).attr("max", highest).attr("step", step);
  input.on("input", (event) => assign(model, { [trait]: toValue(event.target.valueAsNumber) }));
  const under = box.append("div").attr("class", "ends").attr("aria-hidden", "true");
  under.selectAll("span").data(ends).join("span").text((text) => text);
  return (state) => {
    shown.text(say(state[trait])).attr("data-value", state[trait]);
    input.property("value", toPosition(state[trait])).attr("aria-valuetext", say(state[trait]));
  };
}

export function onOff(parent, model, trait) {
  const label = parent.append("label").attr("class", `switch ${trait}`);
  const box = label.append("input").attr("type", "checkbox");
  const text = label.append("span");
  box.on("change", (event) => assign(model, { [trait]: event.target.checked }));
  return (state, title) => {
    box.property("checked", state[trait]);
    text.text(title);
  };
}

// Steps of which one is on show. named: [name, title] of each; open(name) is told which one was chosen. The panel below
// the tabs is the caller's to fill; draw(name) says which tab is open.
export function tabs(root, named, open) {
  const id = uniqueName("tabs");
  const list = root.append("div").attr("role", "tablist").attr("aria-label", "Step").attr("class", "tabs");
  const tab = list.selectAll("button").data(named).join("button").attr("type", "button").attr("role", "tab");
  tab.attr("aria-controls", `${id}-panel`).attr("id", ([name]) => `${id}-${name}`);
  tab.append("small").text((_, i) => i + 1);
  tab.append("span").text(([, title]) => title);
  tab.on("click", (event, [name]) => open(name));
  tab.on("keydown", (event, chosen) => {
    const at = named.indexOf(chosen);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: named.length - 1 }[event.key];
    if (!named[to]) return;
    event.preventDefault();
    open(named[to][0]);
    tab.nodes()[to].focus();
  });
  const panel = root.append("div").attr("role", "tabpanel").attr("id", `${id}-panel`).attr("class", "panel");
  const draw = (name) => {
    tab.attr("aria-selected", ([own]) => own === name).attr("tabindex", ([own]) => (own === name ? 0 : -1));
    panel.attr("aria-labelledby", `${id}-${name}`);
  };
  return { panel, draw };
}
