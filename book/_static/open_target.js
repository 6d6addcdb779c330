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
