// Works the native controls of any demo inside its page, and reads what they then show.
const all = (selector) => [...demo.querySelectorAll(selector)];
const fire = (node, kind) => node.dispatchEvent(new Event(kind, { bubbles: true }));
const isSeen = (node) => node.checkVisibility() || node.type === "radio";

// What can be set: of each control the ways to set it, from the first to the last.
function controls() {
  const groups = new Map();
  for (const node of all("input:not([type=text], [type=number]), select").filter(isSeen)) {
    const name = node.type === "radio" ? node.name : groups.size;
    groups.set(name, [...(groups.get(name) ?? []), node]);
  }
  const tabs = all("[role=tab]").map((tab) => () => tab.click());
  const ways = [...groups.values()].map(([node, ...others]) => {
    const set = (property, value, kind) => () => fire(Object.assign(node, { [property]: value }), kind);
    if (node.type === "radio") return [node, ...others].map((one) => () => one.click());
    if (node.type === "checkbox") return [false, true].map((on) => () => node.checked === on || node.click());
    if (node.type === "range") return [node.min, (+node.min + +node.max) / 2, node.max].map((x) => set("value", x, "input"));
    return [...node.options].map((option) => set("value", option.value, "change"));
  });
  return tabs.length ? [...ways, tabs] : ways;
}

// Puts the demo into its first state, its last, and so many drawn ones; returns what it shows in each.
function walk({ states, group }) {
  let seed = 20240206;
  const draw = (n) => Math.floor((n * (seed = (seed * 16807) % 2147483647)) / 2147483647);
  return Array.from({ length: states }, (_, i) => {
    for (let k = 0; k < controls().length; k++) {
      const ways = controls()[k]; // looked for anew: one control may exchange another
      ways[i === 0 ? 0 : i === 1 ? ways.length - 1 : draw(ways.length)]();
    }
    demo.getAnimations({ subtree: true }).forEach((animation) => animation.finish());
    return {
      height: demo.offsetHeight,
      group: group && demo.querySelector(group)?.value,
      wide: document.documentElement.scrollWidth,
      text: demo.innerText,
    };
  });
}

// What Tab has to reach: each control, of options that belong together one.
function stops() {
  const nodes = all("input, select, button, summary").filter((node) => isSeen(node) && !node.role && !node.disabled && node.tabIndex >= 0);
  const isFirst = (node, i) => node.type !== "radio" || nodes.findIndex(({ name }) => name === node.name) === i;
  return nodes.filter(isFirst).length;
}

// What the keyboard is on.
function focus() {
  const node = document.activeElement;
  if (!demo.contains(node)) return null;
  const group = node.type === "radio" ? all("input").filter(({ name }) => name === node.name) : [node];
  const rings = [node, node.nextElementSibling].filter((one) => one && getComputedStyle(one).outlineStyle !== "none");
  return {
    kind: node.role ?? node.type ?? node.tagName,
    isNative: !node.role && /INPUT|SELECT|BUTTON|SUMMARY/.test(node.tagName),
    state: node.type === "checkbox" ? node.checked : group.findIndex((one) => one.checked) + node.value,
    isLast: node.type === "range" ? node.value === node.max : node.selectedIndex === node.length - 1,
    isRinged: rings.length > 0,
    text: demo.textContent,
  };
}

// Cells whose number is wider than they are.
function crowded() {
  const range = document.createRange();
  return all("td:not(:has(*))").filter((cell) => {
    range.selectNodeContents(cell);
    return cell.checkVisibility() && range.getBoundingClientRect().width > cell.offsetWidth + 0.5;
  }).map((cell) => cell.textContent);
}

// What a finger has to hit, where it is lower than so many pixels.
function low(pixels) {
  const touched = all("button, select, summary, input[type=range], input[type=text], .option, .switch, tbody label");
  return touched.filter((node) => node.checkVisibility() && node.offsetHeight < pixels).map((node) => node.outerHTML);
}
