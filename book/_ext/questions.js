// Questions that take an answer, a number or a choice: it is compared here, and stored nowhere.
(() => {
  const DIGITS = "(?:\\d+\\.?\\d*|\\.\\d+)(?:e[+-]?\\d+)?";
  const NUMBER = new RegExp(`^([+-]?)(${DIGITS})?(?:/(${DIGITS}))?(?:&(\\d+)/(\\d+))?$`, "i"); // 1½ is 1&1/2 here
  const THOUSANDS = /^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/;

  function valueOf(text) {
    const [, sign, whole, below = 1, over = 0, under = 1] = text.match(NUMBER) ?? [];
    if (whole === undefined && !over) return NaN;
    return (sign === "-" ? -1 : 1) * ((whole ?? 0) / below + over / under);
  }

  // The numbers that somebody may mean by what is typed: 1,024 is more than a thousand here, and a little more than one
  // elsewhere; 16 of a hundred are 16 % and 0.16.
  function meantBy(typed, isShare) {
    const text = typed.replace(/[\s%]/g, "").replace(/[−–]/g, "-").replace(/[⁄∕]/g, "/")
      .replace(/[¼-¾⅐-⅞]/g, (one) => `&${one.normalize("NFKC").replace("⁄", "/")}`);
    const readings = [text.replace(",", "."), ...(THOUSANDS.test(text) ? [text.replaceAll(",", "")] : [])];
    const values = readings.map(valueOf).filter(Number.isFinite);
    return isShare || typed.includes("%") ? values.flatMap((value) => [value / 100, value]) : values;
  }

  function check(form) {
    const { answer, tolerance, percent } = form.dataset;
    const field = form.elements.answer; // or all choices
    const values = meantBy(field.value, percent !== undefined);
    const isNear = (number) => values.some((value) => Math.abs(value - number) <= tolerance);
    const said = [...form.querySelectorAll("[data-for]")].find((one) => isNear(one.dataset.for));
    const toggle = form.querySelector("details.toggle");
    const isRight = isNear(answer);
    if (isRight) toggle.open = true;
    tell(form, isRight ? "right" : "", ...wordsFor(isRight, said, values, field));
  }

  function wordsFor(isRight, said, values, field) {
    const sentence = said ? [...said.cloneNode(true).childNodes] : [];
    if (isRight) return ["Yes, that is right. ", ...sentence];
    if (said) return ["Not yet. ", ...sentence];
    if (values.length) return ["Not yet. Try again, or open the answer below."];
    return [field instanceof RadioNodeList ? "Choose one first." : "Type a number, such as 0.25, 25 % or 1/4."];
  }

  function tell(form, kind, ...words) {
    const told = form.querySelector(".told");
    told.classList.toggle("right", kind === "right");
    told.replaceChildren(...words);
  }

  for (const form of document.querySelectorAll("form.predict")) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      check(form);
    });
    form.addEventListener("input", () => tell(form, ""));
  }
})();
