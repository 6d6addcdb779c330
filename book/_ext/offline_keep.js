// The button "Keep for the train": the service worker sw.js fetches the whole book. Pressed again, it is forgotten.
(() => {
  const box = document.querySelector(".offline");
  if (location.protocol === "file:") {
    box.textContent = "This copy was opened from a disk: it needs no network.";
    return;
  }
  if (!navigator.serviceWorker) return; // an old browser, or an address without https
  const place = box.querySelector(".keep");
  const button = place.querySelector("button");
  const status = place.querySelector("[role=status]");

  function show(isKept, said) {
    button.textContent = isKept ? "Forget it" : "Keep for the train";
    button.disabled = false;
    status.textContent = said;
  }

  const own = () => navigator.serviceWorker.getRegistration(new URL(".", location.href));

  // Resolves once every file is there; a worker that could not fetch one of them becomes redundant.
  function settled(worker) {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (worker.state === "activated") resolve();
        if (worker.state === "redundant") reject(new Error("a file of the book could not be fetched"));
      };
      worker.addEventListener("statechange", look);
      look();
    });
  }

  async function keep() {
    button.disabled = true;
    status.textContent = "Keeping …";
    try {
      const { installing, waiting, active } = await navigator.serviceWorker.register("sw.js");
      await settled(installing ?? waiting ?? active);
      show(true, "Kept: this browser opens every page without a network.");
    } catch (error) {
      show(false, `It could not be kept (${error.message}). The zip above needs no browser's help.`);
    }
  }

  async function forget() {
    await (await own())?.unregister();
    for (const name of await caches.keys()) if (name.startsWith("attention-row-by-row ")) await caches.delete(name);
    show(false, "Forgotten.");
  }

  button.addEventListener("click", async () => ((await own()) ? forget() : keep()));
  own().then((known) => {
    show(Boolean(known), known ? "Kept in this browser." : "");
    place.hidden = false;
  });
})();
