// A link may lead into a closed toggle, to a row of "Where people slip": open it, then go there.
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const toggle = target?.closest("details:not([open])");
  if (!toggle) return;
  toggle.open = true;
  target.scrollIntoView();
}

addEventListener("hashchange", openTarget);
addEventListener("DOMContentLoaded", openTarget);

// JupyterLite needs a server: in a book opened from disk what leads there is left out.
if (location.protocol === "file:") {
  addEventListener("DOMContentLoaded", () => document.querySelectorAll(".from-a-server").forEach((node) => node.remove()));
}
