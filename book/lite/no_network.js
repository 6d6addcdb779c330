// Without a network JupyterLite shows a red sign and no words: this says what it needs.
fetch(PYODIDE, { mode: "no-cors" }).catch(() => {
  const box = Object.assign(document.createElement("div"), {
    textContent:
      `Python could not be loaded: JupyterLite fetches it from ${new URL(PYODIDE, location).hostname} when it starts. ` +
      "Connect to the internet and reload this page, or download the assignment from its chapter and open it in JupyterLab.",
  });
  box.setAttribute("role", "alert");
  box.style.cssText =
    "position: fixed; inset: auto 0 0; z-index: 10000; padding: 12px 16px; background: #fff3cd; color: #1f2328; font: 15px/1.5 system-ui, sans-serif";
  document.body.append(box);
});
