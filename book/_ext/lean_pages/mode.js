(() => {
  let mode = "auto";
  try {
    mode = localStorage.getItem("mode") || mode;
  } catch {
    // a reader who lets nobody store anything
  }
  const dark = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const shown = document.documentElement.dataset;
  Object.assign(shown, { mode, theme: mode === "auto" ? dark : mode });

  // Paper is white, whatever the screen was.
  let theme;
  addEventListener("beforeprint", () => {
    theme = shown.theme;
    shown.theme = "light";
  });
  addEventListener("afterprint", () => {
    shown.theme = theme;
  });
})();
