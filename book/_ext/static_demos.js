// Mounts the widgets of a published page: reads their saved state, loads their code, draws them in place. One on the
// first screen is drawn at once, where this script stands, before the rest of the page is read; the others are loaded
// shortly before they are seen.
// There is no kernel: a change goes to the other views of the same model and no further. A demo's state can be part of an
// address, such as #demo=soft_dictionary&booster=10: links in the text set a demo that way, and readers copy such links.
// A demo with a trail is walked through: each step is an entry of the browser's history, so that Back goes one step back.
(() => {
  const STATE = 'script[type="application/vnd.jupyter.widget-state+json"]';
  const VIEW = 'script[type="application/vnd.jupyter.widget-view+json"]';
  const SETTLED = 400; // ms without a change: browsers count how often an address changes
  const imported = new Map();
  const styled = new Set();
  const loaded = new Map();
  const top = new URL(document.documentElement.dataset.content_root ?? "./", location.href);
  const inStatic = (path) => new URL(`_static/${path}.js`, top);

  class Model {
    #state;
    #listeners = new Map();

    constructor(state) {
      this.#state = state;
      this.first = { ...state };
    }

    // What differs from how the page shows it at first.
    changed() {
      const differs = ([name, value]) => value !== this.first[name] && JSON.stringify(value) !== JSON.stringify(this.first[name]);
      return Object.entries(this.#state).filter(differs);
    }

    get(name) {
      return this.#state[name];
    }

    set(name, value) {
      if (Object.is(this.#state[name], value)) return;
      this.#state[name] = value;
      this.#emit(`change:${name}`, value);
      this.#emit("change");
    }

    on(event, listener) {
      if (!this.#listeners.has(event)) this.#listeners.set(event, new Set());
      this.#listeners.get(event).add(listener);
    }

    off(event, listener) {
      if (listener) this.#listeners.get(event)?.delete(listener);
      else this.#listeners.delete(event);
    }

    save_changes() {}

    send() {}

    // A part of a trait that stands in a file of its own.
    load(name) {
      return dataOf(name);
    }

    // All are told, even if one fails.
    #emit(event, value) {
      const failed = [];
      for (const listener of [...(this.#listeners.get(event) ?? [])]) {
        try {
          listener(value);
        } catch (error) {
          failed.push(error);
        }
      }
      if (failed.length) throw failed[0];
    }
  }

  function importOnce(code) {
    if (!imported.has(code)) {
      const address = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
      imported.set(code, import(address).finally(() => URL.revokeObjectURL(address)));
    }
    return imported.get(code);
  }

  function styleOnce(css) {
    if (!css || styled.has(css)) return;
    styled.add(css);
    document.head.append(Object.assign(document.createElement("style"), { textContent: css }));
  }

  const hasRun = (path) => document.querySelector(`article script[src*="_static/${path}.js"]`); // before this one, in the page

  // Code and what is large in a state stand in scripts of their own: a page opened from disk may load no other file.
  function loadOnce(path) {
    if (hasRun(path)) return;
    if (!loaded.has(path)) {
      // Not async: what several demos share runs before the demo that asked for it next.
      const script = Object.assign(document.createElement("script"), { src: inStatic(path), async: false });
      const done = new Promise((resolve, reject) => {
        script.onload = resolve;
        script.onerror = () => reject(new Error(`expected a part of a demo in ${script.src}, found none`));
      });
      document.head.append(script);
      loaded.set(path, done);
    }
    return loaded.get(path);
  }

  const isThere = (name) => name in (globalThis.demoData ?? {});
  const isLoaded = (name) => loaded.has(`demos/${name}`) || hasRun(`demos/${name}`);
  const needsNothing = ({ _later = {}, _code = { files: [] } }) => Object.values(_later).every(isThere) && _code.files.every(isLoaded);

  async function dataOf(name) {
    if (!isThere(name)) await loadOnce(`demo_data/${name}`);
    return globalThis.demoData[name];
  }

  async function whole({ _later = {}, ...state }) {
    for (const [trait, name] of Object.entries(_later)) state[trait] = await dataOf(name);
    return state;
  }

  // The course's own demos come in files; any other anywidget brings its code along.
  async function codeOf({ _code, _esm, _css, _model_module }) {
    if (_code) {
      await Promise.all(_code.files.map((name) => loadOnce(`demos/${name}`)));
      if (!globalThis.demoCode[_code.demo]) throw new Error(`expected the demo ${_code.demo}, found none`);
      const { widget, css } = globalThis.demoCode[_code.demo];
      styleOnce(globalThis.demoCode.shared.css);
      styleOnce(css);
      return widget;
    }
    if (_model_module !== "anywidget") throw new Error(`expected an anywidget, got ${_model_module}`);
    styleOnce(_css);
    return (await importOnce(_esm)).default;
  }

  const stemOf = ({ state }) => state._code?.demo;
  let places = [...document.querySelectorAll(VIEW)]; // the first; the others are further down, and not read yet
  const saved = document.querySelector(STATE);
  const entries = saved ? JSON.parse(saved.textContent).state : {};
  const viewOf = (place) => entries[JSON.parse(place.textContent).model_id];

  // The demo that an address names, and the values it gives to traits; null where it names none.
  function asked(hash) {
    const given = new URLSearchParams(hash.slice(1));
    const stem = given.get("demo");
    const place = stem && places.find((one) => viewOf(one) && stemOf(viewOf(one)) === stem);
    given.delete("demo");
    return place ? { place, values: Object.fromEntries(given) } : null;
  }

  // Whether a value is of a kind with another: a finite number, a table of as many numbers, a list of texts.
  function isAlike(value, other) {
    if (Array.isArray(value) !== Array.isArray(other) || typeof value !== typeof other) return false;
    if (!Array.isArray(value)) return typeof value !== "number" || Number.isFinite(value);
    if (!other.length) return true;
    const isTable = typeof other[0] !== "string";
    return (!isTable || value.length === other.length) && value.every((one) => isAlike(one, other[0]));
  }

  // A value from an address is taken where it is of the kind that the trait has at first, and holds no markup.
  function valueLike(text, first) {
    let value;
    try {
      value = JSON.parse(text);
    } catch {
      value = text;
    }
    return isAlike(value, first) && text.length < 2000 && !text.includes("<") ? value : undefined;
  }

  const taken = (first, values) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => name in first && !name.startsWith("_"))
      .map(([name, text]) => [name, valueLike(text, first[name])]));

  // Sets traits, and says whether the demo could be drawn with all these values.
  let isBeingSet = false;
  function put(model, values) {
    let isDrawn = true;
    isBeingSet = true;
    for (const [name, value] of Object.entries(values)) {
      try {
        if (value !== undefined) model.set(name, value);
      } catch {
        isDrawn = false;
      }
    }
    isBeingSet = false;
    return isDrawn;
  }

  // A link in the text was followed, or an address typed.
  async function follow(hash, atFirst = false) {
    const wanted = asked(hash);
    if (!wanted) return;
    const { place, values } = wanted;
    layOut(place);
    const ready = mountOnce(place); // one that waits to be seen, or for an idle moment, has not started
    const el = place.nextElementSibling;
    el.dispatchEvent(new Event("wanted"));
    const calm = atFirst || matchMedia("(prefers-reduced-motion: reduce)").matches;
    el.scrollIntoView({ behavior: calm ? "auto" : "smooth", block: "nearest" });
    const isLeft = document.activeElement?.matches("a"); // who followed a link goes on in the demo, by the keyboard too
    const id = JSON.parse(place.textContent).model_id;
    await ready;
    if (!starts[id]) return;
    if (isLeft) Object.assign(el.querySelector(".demo"), { tabIndex: -1 }).focus({ preventScroll: true });
    const { model } = await starts[id];
    const before = Object.fromEntries(Object.keys(values).map((name) => [name, model.get(name)]));
    if (!put(model, taken(model.first, values))) put(model, before); // a damaged link, or one to an older demo, changes nothing
    write("replaceState", touched.has(model) ? addressOf(place, model) : location.href);
    if (atFirst || el.querySelector("[data-arrive]")) requestAnimationFrame(() => arriveAt(el)); // it is as high as it will be now
  }

  // A demo that is higher than the window says where a reader arrives; on a telephone, the last of such places.
  function arriveAt(el) {
    const place = [...el.querySelectorAll("[data-arrive]")].at(innerWidth < 700 ? -1 : 0);
    place ? place.scrollIntoView({ block: "start" }) : el.scrollIntoView({ block: "nearest" });
  }

  function addressOf(place, model) {
    const fragment = new URLSearchParams({ demo: stemOf(viewOf(place)) });
    for (const [name, value] of model.changed()) {
      fragment.set(name, typeof value === "string" ? value : JSON.stringify(value));
    }
    return `${location.href.split("#")[0]}#${fragment}`;
  }

  const models = new Map(); // of the demos that are drawn, by id
  const touched = new Set(); // those that a reader has worked

  // An entry of the browser's history holds what is changed in the demos of the page: { id: { trait: value } }. `last`
  // is what was changed when a demo last did something, and `due` waits to be written into the entry.
  const changes = () => Object.fromEntries([...models].map(([id, model]) => [id, Object.fromEntries(model.changed())]));
  let [last, due] = [{}, null];

  function write(how, address, demos = changes()) {
    clearTimeout(due?.timer);
    due = null;
    last = demos;
    history[how]({ demos }, "", address);
  }

  // An entry that is about to be left gets what it is to show when the reader comes back.
  const leave = (demos) => (due || !history.state?.demos) && write("replaceState", due?.address ?? location.href, demos);

  // A step of a trail is a new entry at once; any other change is in the entry a moment after the last one.
  function record(address, isStep) {
    if (address === location.href) return write("replaceState", address);
    if (isStep) {
      leave(last);
      history.scrollRestoration = "manual"; // of this entry and of the next: Back moves the demo, not the page
      return write("pushState", address);
    }
    clearTimeout(due?.timer);
    last = changes();
    const here = location.href;
    const note = () => (location.href === here ? write("replaceState", address) : (due = null)); // else a reader has typed another address since
    due = { address, timer: setTimeout(note, SETTLED) };
  }

  // What a reader does to a demo is in the address.
  function keepAddress(el, place, model) {
    const trailOf = () => JSON.stringify(model.get("trail"));
    let trail = trailOf();
    let isNoted = false;
    const touch = () => touched.add(model);
    for (const kind of ["pointerdown", "keydown", "input", "click"]) el.addEventListener(kind, touch, { capture: true, passive: true });
    const note = () => {
      const before = trail;
      [trail, isNoted] = [trailOf(), false];
      record(addressOf(place, model), trail !== before);
    };
    model.on("change", () => {
      if (isBeingSet) trail = trailOf();
      else if (touched.has(model) && !isNoted) (isNoted = true), queueMicrotask(note); // when all its traits are set
    });
  }

  // Back or Forward: each demo gets what the entry holds of it, and is as at first in all else.
  let restored;
  function restore(demos) {
    clearTimeout(due?.timer);
    due = null;
    restored = demos;
    places.forEach(async (place) => {
      const id = JSON.parse(place.textContent).model_id;
      if (!models.has(id)) {
        if (!Object.keys(demos[id] ?? {}).length) return;
        await mountOnce(place);
      }
      const model = models.get(id);
      if (!model || restored !== demos) return; // it could not start, or the reader has gone on
      for (let time = 0; time < 2; time++) put(model, { ...model.first, ...demos[id] }); // again what a demo sets with another trait
      last = changes();
    });
  }

  // Makes a demo in the whole window as large as fits; one that is higher than the window keeps its size, and scrolls.
  // What happens in it may make it smaller, since all of it is to be seen, but larger only with the window.
  function fitWindow(el) {
    const [edge, demo] = [8, el.querySelector(".demo")];
    let scale;
    const observer = new ResizeObserver((entries) => {
      if (entries.some(({ target }) => target === el)) scale = Infinity;
      const room = [el.clientWidth - 2 * edge, el.clientHeight - demo.offsetTop - edge];
      scale = Math.max(1, Math.min(scale, room[0] / demo.offsetWidth, room[1] / demo.offsetHeight));
      demo.style.setProperty("--fit", scale);
    });
    for (const box of [el, demo]) observer.observe(box);
    return observer;
  }

  // Below each demo: the whole window for a lecture hall, and a link to what is to be seen now.
  function addTools(el, place, model) {
    const tools = Object.assign(document.createElement("div"), { className: "demo-tools" });
    const add = (text) => {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: text });
      tools.append(button);
      return button;
    };
    const large = add("⤢ Whole window");
    const copy = add("Copy link to this state");
    const topOf = () => el.getBoundingClientRect().top;
    let fitting, before;
    const turn = (isLarge) => {
      if (isLarge) before = topOf(), el.setAttribute("popover", "manual"), el.showPopover();
      else el.hidePopover(), el.removeAttribute("popover"), fitting.disconnect();
      el.classList.toggle("demo-large", isLarge);
      large.textContent = isLarge ? "Back to the page" : "⤢ Whole window";
      large.setAttribute("aria-pressed", String(isLarge));
      el[isLarge ? "prepend" : "append"](tools); // in the whole window the way back is the first thing, for Tab too
      large.focus({ preventScroll: true });
      if (isLarge) fitting = fitWindow(el);
      else scrollBy(0, topOf() - before); // without the demo, the page had another height
    };
    large.setAttribute("aria-pressed", "false");
    large.addEventListener("click", () => turn(!el.classList.contains("demo-large")));
    el.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && el.classList.contains("demo-large")) turn(false);
    }, true); // ahead of the demo, which keeps plain keys to itself
    copy.addEventListener("click", async () => {
      const address = addressOf(place, model);
      write("replaceState", address);
      const done = await globalThis.copyText?.(address);
      copy.textContent = done ? "Copied" : "It is in the address line";
      setTimeout(() => (copy.textContent = "Copy link to this state"), 2000);
    });
    el.append(tools);
  }

  const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const inView = (el) =>
    new Promise((resolve) => {
      const observer = new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && done(), { rootMargin: "800px" });
      const done = () => (observer.disconnect(), resolve());
      observer.observe(el);
      el.addEventListener("wanted", done, { once: true }); // a link leads here, wherever the page has got to
      addEventListener("beforeprint", done, { once: true }); // paper has no place further down
    });

  // Every view of one model shares the model, and the model is initialized once.
  async function start(entry) {
    const [state, code] = await Promise.all([whole(entry.state), codeOf(entry.state)]);
    const widget = typeof code === "function" ? await code() : code;
    const model = new Model(state);
    await widget.initialize?.({ model, experimental: {} });
    return { model, widget };
  }

  async function mount(place, starts, entries) {
    const id = JSON.parse(place.textContent).model_id;
    const el = Object.assign(document.createElement("div"), { className: "demo-place" });
    place.after(el);
    try {
      if (!entries[id]) throw new Error(`the page holds no state for the widget ${id}`);
      let waits;
      if (!needsNothing(entries[id].state)) {
        waits = Object.assign(document.createElement("p"), { className: "demo-waits", textContent: "Loading …" });
        el.append(waits);
        await inView(el);
      }
      starts[id] ??= start(entries[id]);
      const { model, widget } = await starts[id];
      await widget.render?.({ model, el, experimental: {} });
      waits?.remove();
      models.set(id, model);
      if (stemOf(entries[id])) addTools(el, place, model), keepAddress(el, place, model);
      if (document.readyState !== "loading") await painted(); // a demo that is smaller than its place moves no text then
    } catch (error) {
      console.error("A demo could not start.", error);
      el.textContent = "This demo could not start in your browser; the rest of the page does not need it.";
      el.setAttribute("role", "note");
    }
    el.classList.remove("demo-place");
  }

  // From now on the section of a demo is laid out wherever it stands, which costs nothing that a reader waits for.
  function layOut(place) {
    for (let el = place; (el = el.parentElement?.closest("section")); ) el.setAttribute("data-alive", "");
  }

  const starts = {};
  const mounted = new Map();
  const mountOnce = (place) => {
    if (!mounted.has(place)) mounted.set(place, mount(place, starts, entries));
    return mounted.get(place);
  };
  const idle = (timeout) => new Promise((resolve) => (globalThis.requestIdleCallback ?? setTimeout)(resolve, { timeout }));
  for (const place of places) layOut(place), mountOnce(place);
  addEventListener("DOMContentLoaded", async () => {
    places = [...document.querySelectorAll(VIEW)];
    // The browser keeps the text in place, but not in a frame in which the section that is read changes its style.
    for (const place of places) await idle(2000), layOut(place), await painted();
    for (const place of places.slice(1)) await idle(2000), mountOnce(place);
  });
  addEventListener("popstate", ({ state }) => state?.demos && restore(state.demos));
  addEventListener("hashchange", ({ newURL }) => history.state?.demos || follow(new URL(newURL).hash)); // the address may be the demo's again
  addEventListener("click", ({ target }) => {
    const link = target.closest?.("a[href*='#demo=']");
    if (!link) return;
    if (link.href === location.href) setTimeout(() => follow(link.hash)); // the address stays, though the demo has moved on
    else leave(changes());
  });
  addEventListener("pagehide", () => (history.scrollRestoration = "auto")); // a page that is opened again shows what was read
  addEventListener("load", () => setTimeout(() => follow(location.hash, true)));
})();
