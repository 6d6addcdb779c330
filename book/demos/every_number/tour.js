// A tour as a contrast: why the first word is "l'" and not "la", down to "river" and the heads that brought it; and why
// "vecchio" and not "vecchia", back to a word that is already written. Each stop is inside the sum of the one before.
import { assign } from "../shared/widget.js";

const RIVER = "the bank of the river is older than the bank in the city";
const CITY = "the bank of the city is older than the bank in the city";
const FIRST = { sentence: RIVER, against: CITY, own: false };
const SECOND = { sentence: RIVER, against: CITY, own: true };

// The stops in a model's words: what is set, the trail, what is said (a function of the card), and where it is taught.
export function stopsOf(model) {
  const word = (text) => model.target.indexOf(text);
  const river = `~L.source_embedding:${model.source.indexOf("river")}`;
  const article = [`d0.l:0:${word("l'")}-${word("la")}`, "~d0.n2:0", "~d0.ca:0", "~d0.co.1:0", "~e.n2:1", "~e.f:1", "~e.n1:1", "~e.a:1", "~e.o.2:1", "~e.x:4", river];
  const adjective = [`d6.l:6:${word("vecchio")}-${word("vecchia")}`, "~d6.f:6", "~d6.n2:6", "~d6.n1:6", "~d6.a:6", "~d6.o.0:6"];
  const down = (trail, count) => trail.slice(0, count);
  return [
    [FIRST, down(article, 1), "“L'” goes with “argine”, the bank of a river, and “la” with “banca”, where the money is. With “city” in place of “river”, the answer turns round. Where does that one word come in?", "10_training"],
    [FIRST, down(article, 3), "Most of it was added by cross-attention, which looks at the English words. Of its four heads, one brings two thirds.", "06_multi_head"],
    [FIRST, down(article, 4), "Head 1 mixes what the English words offer, and nearly all comes from “bank”. But “bank” stands in both sentences: so its row must have changed.", "04_query_key_value"],
    [FIRST, down(article, 5), "This is the encoder's row of “bank”: in one sentence it speaks for “l'”, in the other for “la”. The table of words has one “bank”; the encoder has made two of it.", "03_context"],
    [FIRST, down(article, 6), "The feed-forward network says much of it. No single neuron decides, but all can be asked at once: how much do they make of what they read?", "08_layer_norm"],
    [FIRST, down(article, 8), "What it reads was changed by self-attention: in it, “bank” looked at the other words.", "03_context"],
    [FIRST, down(article, 9), "Here it is. Head 2 of the encoder looks from “bank” at “river”, and brings what “river” offers. This head asks: which bank?", "06_multi_head"],
    [FIRST, down(article, 11), "And here it ends, at the learned vector of “river”: 64 parameters. The chart shows what training made of them.", "02_embeddings"],
    [SECOND, down(adjective, 1), "A second question, six words later: why “vecchio” and not “vecchia”? Here the other side writes its own words: “la banca della città è più …”.", "12_inference"],
    [SECOND, down(adjective, 5), "Now hardly anything comes from the English words. The decoder's own self-attention brings it: it looks back at what is already written.", "09_masking"],
    [SECOND, down(adjective, 6), "Head 0 asks for the article. Where it is “la”, it holds the head's look; “l'” lets it go, and the look moves on to “più”. So the adjective agrees with a word that the model wrote itself. You have seen both self-attentions, and the cross-attention between them.", "09_masking"],
  ].map(([set, trail, text, chapter]) => ({ set, trail, text, chapter }));
}

const isAt = (model, { set, trail }) => Object.entries(set).every(([name, value]) => model.get(name) === value) && String(model.get("trail")) === String(trail);

// What numberWalk needs of a tour. A detour loses nothing: the button leads back to the stop that one left.
export function tour(trained) {
  const stops = stopsOf(trained);
  const visit = (model, n) => {
    const { set, trail } = stops[n - 1];
    assign(model, { ...set, off: [], all: false, tour: n, trail });
  };
  return {
    button(button, model, walk, arrive) {
      const next = button("", () => {
        walk.pause();
        arrive();
        const n = model.get("tour");
        visit(model, !n || n === stops.length ? (n && !isAt(model, stops[n - 1]) ? n : 1) : isAt(model, stops[n - 1]) ? n + 1 : n);
      }).attr("class", "plain tour");
      return ({ tour: n }) => {
        const here = n && isAt(model, stops[n - 1]);
        next.attr("data-stop", here ? n : 0);
        if (!n) next.text(`Tour: which bank? (${stops.length} stops)`);
        else if (!here) next.text(`Back to the tour (stop ${n})`);
        else next.text(n < stops.length ? `Next stop (${n + 1} of ${stops.length})` : "The tour again");
      };
    },
    text(box, model) {
      return ({ tour: n }) => {
        const here = n && isAt(model, stops[n - 1]);
        box.attr("hidden", here ? null : "").text(here ? `${n} of ${stops.length}. ${stops[n - 1].text} ` : "");
        if (here) box.append("a").attr("href", `${stops[n - 1].chapter}.html`).text(`Chapter ${Number(stops[n - 1].chapter.slice(0, 2))}`);
      };
    },
  };
}
