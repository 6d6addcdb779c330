(() => {
  let mode = "auto";
  try {
    mode = localStorage.getItem("mode") || mode;
  } catch {
    // a reader who lets nobody store anything
  }
  const dark = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  Object.assign(document.documentElement.dataset, { mode, theme: mode === "auto" ? dark : mode });
})();
