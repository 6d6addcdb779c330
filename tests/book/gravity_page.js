// What test_gravity.py does inside the page, so that many states cost one round trip. Each function gets the demo.

// The buttons leave the demo as it came.
function reset(demo) {
  document.activeElement.blur();
  choose(demo, "money");
  buttons(demo).restart.click();
  scrollTo(0, demo.getBoundingClientRect().top + scrollY - 100);
}

function buttons(demo) {
  const [again, restart] = demo.querySelectorAll("button");
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
    count: numbers(".count")[0],
    over: buttons(demo).again.ariaDisabled === "true",
    zeros: all(".axes .zero").map(line),
    dots: ["money", "river"].map((of) => all(`.word .${of}`).map((node) => within(node.getAttribute("transform")))),
    arrows: all(".arrows path").map((node) => [node.classList[0], within(node.getAttribute("d"))]),
    triangles: all(".pulls polygon").map((node) => within(node.getAttribute("points"))),
    thickness: all(".pulls line").map((node) => parseFloat(node.style.strokeWidth)),
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

// Flights whose frames come when this says so. Each entry is what is seen at one moment.
function fly(demo) {
  const real = [requestAnimationFrame, cancelAnimationFrame];
  let waiting = new Map();
  let last = 0;
  window.requestAnimationFrame = (draw) => (waiting.set(++last, draw), last);
  window.cancelAnimationFrame = (id) => waiting.delete(id);
  const frame = (now) => {
    const due = waiting;
    waiting = new Map();
    due.forEach((draw) => draw(now));
    return read(demo);
  };
  const { again, restart } = buttons(demo);
  const flight = (...times) => (again.click(), times.map(frame));
  const whole = flight(1000, 1150, 1300);
  const twice = [...flight(2000, 2150), ...flight(3000, 3300)];
  restart.click();
  const stopped = [...flight(4000, 4100), (restart.click(), read(demo)), frame(4200)];
  const moved = [...flight(5000, 5100), (press(demo, "money", "ArrowRight"), read(demo)), frame(5200)];
  const left = waiting.size;
  [window.requestAnimationFrame, window.cancelAnimationFrame] = real;
  return { whole, twice, stopped, moved, left };
}

// All that is written in the plane, sentence by sentence and step by step, as boxes on the screen, and the plane's box.
function labels(demo) {
  const { again, restart } = buttons(demo);
  const box = (node) => node.getBoundingClientRect().toJSON();
  return ["money", "river"].flatMap((sentence) => {
    restart.click();
    choose(demo, sentence);
    return [0, 1, 2, 3].map((step) => {
      if (step) again.click();
      const texts = [...demo.querySelectorAll("svg text")].filter((node) => node.textContent);
      return [texts.map(box), box(demo.querySelector(".plane"))];
    });
  });
}

// Presses "Apply again" more often than it can be applied.
function applyToTheEnd(demo) {
  for (let press = 0; press < 60; press++) buttons(demo).again.click();
}
