// The button that opens a file of the reader's own, and the field for texts that its model reads.
import { readFile, refused } from "./own_file.js";
import { uniqueName } from "../shared/widget.js";

// `show` is told what was opened, or null to return to the page's model.
export function opener(root, own, show) {
  const bar = root.append("div").attr("class", "own-file");
  const button = (text, act) => bar.append("button").attr("type", "button").attr("class", "plain").text(text).on("click", act);
  const input = bar.append("input").attr("type", "file").attr("accept", ".json").attr("hidden", "").attr("aria-label", "A file of your own");
  const place = root.node().parentNode;
  const opens = button("Open a file of your own", () => input.node().click());
  const arrive = () => place.querySelector(".own-file button").focus({ preventScroll: true });
  if (own) {
    button("Close it", () => {
      show(null);
      arrive();
    });
  }
  const said = bar.append("p").attr("role", "status");
  if (own) {
    const { layers, h, target } = own.trained;
    said.text(`${own.name}: ${target.length.toLocaleString("en")} tokens, the start included, ${layers} ${layers === 1 ? "layer" : "layers"} of ${h} heads. ␣ is a space, ↵ a new line.`);
  } else said.text("It is one that own_text.py has written; it stays on your computer.");
  input.on("change", async ({ target: { files: [file] } }) => {
    try {
      show(readFile(await file.text()));
      arrive();
    } catch (error) {
      said.text(error.message);
      opens.node().focus();
    }
    input.property("value", ""); // the same file may be chosen again
  });
}

// Pick a beginning, or type one: it is cut as the file cuts texts. A new line is typed as ↵.
export function ownText(root, model, own, choose) {
  const box = root.append("div").attr("class", "chooser");
  const label = box.append("label").attr("class", "pick");
  label.append("span").text("Pick a beginning");
  const list = label.append("select").on("change", ({ target }) => choose(target.value));
  const part = box.append("div").attr("class", "field");
  const id = uniqueName("beginning");
  part.append("label").attr("for", id).text("or type one");
  const input = part.append("input").attr("id", id).attr("type", "text").attr("autocomplete", "off").attr("autocapitalize", "off").attr("spellcheck", "false");
  const help = part.append("div").attr("class", "help").attr("id", `${id}-help`).attr("role", "status");
  input.attr("aria-describedby", `${id}-help`).on("change", () => {
    const text = input.property("value").replaceAll("↵", "\n");
    const wrong = refused(own, text);
    help.text(wrong ?? "");
    input.attr("aria-invalid", wrong && "true");
    if (!wrong) choose(own.cut(text).join(" "));
  });
  const all = box.append("details").attr("class", "own-tokens");
  all.append("summary").text(`All ${own.trained.target.length.toLocaleString("en")} tokens that it knows`);
  all.append("p").attr("tabindex", 0).text(own.trained.target.slice(1).join("  "));
  return ({ sentence }) => {
    const examples = model.get("examples");
    const plain = own.plain(sentence).replaceAll("\n", "↵");
    list.selectAll("option").data(examples.includes(sentence) ? examples : [sentence, ...examples]).join("option").attr("value", (text) => text).text((text) => text);
    list.property("value", sentence);
    if (input.property("value") === plain && !help.text()) return;
    input.property("value", plain).attr("aria-invalid", null);
    help.text("");
  };
}
