// What test_gravity.py does inside the page, so that many states cost one round trip. Each function gets the demo.

// The buttons leave the demo as it came.
function reset(demo) {
  document.activeElement.blur();
  choose(demo, "money");
  buttons(demo).restart.click();
  scrollTo(0, demo.getBoundingClientRect().top + scrollY - 100);
}

function buttons(demo) {
  const [again, restart] = demo.querySelectorAll(".actions button");
  return { again, restart };
}

const choose = (demo, sentence) => demo.querySelector(`.sentence input[value=${sentence}]`).click();

const press = (demo, word, key, shiftKey = false) =>
  demo
    .querySelector(`[aria-label=${word}]`)
    .dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey, bubbles: true, cancelable: true }));

// What the demo shows, in the picture's own pixels where it is drawn.
function read(demo) {
  const all = (selector) => [...demo.querySelectorAll(selector)];
  const numbers = (selector) => all(selector).map((node) => Number(node.dataset.value));
  const within = (text) => (text ?? "").match(/-?[\d.]+/g)?.map(Number) ?? [];
  const line = (node) => ["x1", "y1", "x2", "y2"].map((end) => Number(node.getAttribute(end)));
  return {
    weights: numbers(".weights td"),
    masses: numbers(".masses td"),
    shares: ["money", "river"].map((of) => numbers(`.card.${of} .shares span`)),
    steps: Number(buttons(demo).again.dataset.steps),
    over: buttons(demo).again.ariaDisabled === "true",
    axes: all(".axes line").map(line),
    discs: ["money", "river", "both"].map((of) =>
      all(`.word > .${of}`).map((node) => [...within(node.getAttribute("transform")), Number(node.querySelector(".disc").getAttribute("r"))]),
    ),
    tips: all(".tips circle").map((node) => [...within(node.dataset.value), ...["cx", "cy"].map((name) => Number(node.getAttribute(name)))]),
    labels: all(".labels g").map((node) => [...node.children].map((text) => text.textContent)),
  };
}

// Moves each word with the arrow keys, by so many tenths; then applies attention again and again, and reads what is
// shown of each sentence.
function walk(demo, [states, steps]) {
  const { again, restart } = buttons(demo);
  const go = (word, keys, tenths) => {
    const key = keys[tenths > 0 ? 1 : 0];
    for (let left = Math.abs(tenths); left > 0; left -= left >= 5 ? 5 : 1) press(demo, word, key, left >= 5);
  };
  return states.map((moves) => {
    restart.click();
    for (const [word, [right, up]] of Object.entries(moves)) {
      go(word, ["ArrowLeft", "ArrowRight"], right);
      go(word, ["ArrowDown", "ArrowUp"], up);
    }
    return Array.from({ length: steps + 1 }, (_, step) => {
      if (step) again.click();
      return ["money", "river"].map((sentence) => {
        choose(demo, sentence);
        return read(demo);
      });
    });
  });
}

// All names in the plane, sentence by sentence and step by step, as boxes on the screen, and the plane's box.
function labels(demo) {
  const { again, restart } = buttons(demo);
  const box = (node) => node.getBoundingClientRect().toJSON();
  return ["money", "river"].flatMap((sentence) => {
    restart.click();
    choose(demo, sentence);
    return [0, 1].map((step) => {
      if (step) again.click();
      const texts = [...demo.querySelectorAll(".labels text")].filter((node) => node.textContent);
      return [texts.map(box), box(demo.querySelector(".plane"))];
    });
  });
}

// Presses "Apply again" more often than it can be applied.
function applyToTheEnd(demo) {
  for (let press = 0; press < 60; press++) buttons(demo).again.click();
}
