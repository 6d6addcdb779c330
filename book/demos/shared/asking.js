// The question above the card: why this word rather than that one; and what if: another word in the sentence, or a part
// of the model left out. Each choice is a side of the question, which the card divides. Which word decides, or which head,
// is found by trying: each word is exchanged for those that stand in its place in the corpus, each head is switched off.
import { parse } from "./graph.js";
import { goTo } from "./number_card.js";
import { assign, toldApart } from "./widget.js";
import { nameOf } from "./translator_parts.js";

const SHOWN = 3; // of what was tried
const HINT = "The page tries another word in each place, or leaves out each head.";
const LINE = "–"; // between the likely words and all others

// What the trail asks about: { prefix: "d0", row, word, rival }, or null where it does not begin with a word.
function askedAbout(id) {
  const { array, key, row, column, rival } = parse(id);
  return key === "p" || key === "l" ? { prefix: array.slice(0, -2), row, word: column, rival } : null;
}

const likely = ({ prefix, row }, word) => `${prefix}.p:${row}:${word}`;
export const rather = ({ prefix, row }, word, other) => `${prefix}.l:${row}:${word}-${other}`;

// `trial` answers with how far a sentence speaks for the word rather than the rival. The exchanges that change most.
export function deciders(words, trial, exchanges) {
  const usual = trial(words);
  const tries = words.flatMap((word, j) => {
    const changes = (exchanges[word] ?? []).map((other) => {
      const sentence = words.map((one, i) => (i === j ? other : one));
      const after = trial(sentence);
      return { j, word, other, sentence: sentence.join(" "), change: after - usual, turns: after * usual < 0 };
    });
    const most = changes.reduce((best, one) => (Math.abs(one.change) > Math.abs(best?.change ?? -1) ? one : best), null);
    return most ? [most] : [];
  });
  return tries.sort(bySize).slice(0, SHOWN);
}

const bySize = (a, b) => Math.abs(b.change) - Math.abs(a.change);

// The same of the heads: what the model would say without each. `trial` is told what is switched off.
export function decidingHeads(heads, trial) {
  const usual = trial([]);
  const tries = heads.map((head) => {
    const after = trial([head]);
    return { head, change: after - usual, turns: after * usual < 0 };
  });
  return tries.sort(bySize).slice(0, SHOWN);
}

// `rivals(seen)` are the tokens that a word is likeliest compared with, `words` all, `wordOf` names one; `known` can be
// put into a sentence, `parts` what can be left out: { name: text }; `about(seen)` the word that is
// offered first; `fork` names the question where both sides part; `find(seen)` finds the deciders, `findHead(seen)` heads.
export function asking(root, model, { rivals, words, wordOf, known, about: first = () => 0, fork = null, parts = {}, find, findHead }) {
  const box = root.append("div").attr("class", "asking");
  const why = box.append("p").attr("class", "why");
  why.append("span").text("Why ");
  const word = why.append("b");
  why.append("span").text(" rather than ");
  const other = why.append("select").attr("aria-label", "rather than which word");
  const tries = { word: find, ...(findHead ? { head: findHead } : {}) };
  const decide = why.selectAll(".decide").data(Object.keys(tries)).join("button").attr("type", "button").attr("class", "plain decide").text((kind) => `Which ${kind} decides?`);
  const what = box.append("p").attr("class", "what");
  what.append("span").text("What if ");
  const from = what.append("select").attr("aria-label", "which word of the sentence");
  what.append("span").text(" were ");
  const to = what.append("select").attr("aria-label", "the word in its place");
  const isLeaving = Object.keys(parts).length > 0;
  if (isLeaving) what.append("span").text(" or without ");
  const without = isLeaving ? what.append("select").attr("aria-label", "without which part") : null;
  const clear = what.append("button").attr("type", "button").attr("class", "plain clear").text("Clear");
  const answers = box.append("div").attr("class", "answers");
  const found = answers.append("p").attr("class", "found").attr("role", "status").text(HINT);
  const then = answers.append("div").attr("class", "then");
  let [shown, asked] = [null, null];

  const options = (select, values, chosen) => {
    select.selectAll("option").data(values).join("option").attr("value", ([value]) => value).property("disabled", ([value]) => value === LINE).text(([, text]) => text);
    select.property("value", chosen);
  };
  const exchange = () => {
    const words = shown.sentence.split(" ");
    if (to.property("value") === "") return;
    assign(model, { against: words.map((one, j) => (String(j) === from.property("value") ? to.property("value") : one)).join(" ") });
  };
  other.on("change", () => {
    const rival = other.property("value");
    const { about } = shown;
    goTo(model, [rival === "" ? likely(about, about.word) : rather(about, about.word, rival)]);
  });
  from.on("change", () => options(to, placed(shown.sentence), ""));
  to.on("change", exchange);
  without?.on("change", () => assign(model, { against: "", off: without.property("value") === "" ? [] : [without.property("value")] }));
  clear.on("click", () => assign(model, { against: "", off: [], ...(model.get("own") ? { own: false } : {}) }));
  decide.on("click", (event, kind) => {
    const about = shown.about;
    const rival = about.rival ?? rivals(shown)[0];
    if (about.rival === undefined) goTo(model, [rather(about, about.word, rival)]);
    const best = tries[kind]({ ...shown, about: { ...about, rival } });
    found.text(saidOf(kind, best));
    for (const one of best) {
      const button = found.append("button").attr("type", "button").attr("class", "plain");
      const turned = one.turns ? ", turns it round" : "";
      button.text(`${one.head ? parts[one.head] : `${nthOf(shown.sentence.split(" "))[one.j]} → ${one.other}`} (${one.change < 0 ? "−" : "+"}${Math.abs(one.change).toFixed(1)}${turned})`);
      button.on("click", () => assign(model, one.head ? { off: [one.head], against: "" } : { against: one.sentence, off: [] }));
    }
  });
  const placed = (sentence) => {
    const now = sentence.split(" ")[Number(from.property("value"))];
    const first = model.get("exchanges")[now] ?? [];
    return [["", "…"], ...[...first, ...known.filter((one) => one !== now && !first.includes(one))].map((one) => [one, one])];
  };

  return (seen) => {
    const about = askedAbout(seen.trail[0]);
    const question = String([seen.sentence, seen.against, seen.off, seen.own, seen.trail[0]]);
    if (asked === question) return; // only the card has changed
    asked = question;
    const isNew = shown?.sentence !== seen.sentence || String([shown?.about?.word, shown?.about?.row, shown?.about?.rival]) !== String([about?.word, about?.row, about?.rival]);
    shown = { ...seen, about };
    box.attr("hidden", about ? null : "");
    if (!about) return;
    if (isNew) found.text(HINT);
    word.text(nameOf(wordOf(about.word)));
    const choices = [...new Set([...rivals(shown), ...(about.rival === undefined ? [] : [about.rival])])];
    const named = (tokens) => tokens.map((token) => [token, nameOf(wordOf(token))]);
    const others = named(words.filter((token) => token !== about.word && !choices.includes(token))).sort((a, b) => a[1].localeCompare(b[1]));
    options(other, [["", "all other words"], ...named(choices), [LINE, "────"], ...others], about.rival ?? "");
    const said = seen.sentence.split(" ");
    const against = seen.against.split(" ");
    const differs = seen.against && against.length === said.length ? said.findIndex((one, j) => one !== against[j]) : -1;
    const held = from.property("value");
    const offered = nthOf(said).map((one, j) => [j, one]);
    options(from, offered, differs >= 0 ? differs : said[held] === undefined || isNew ? first(shown) : held);
    options(to, placed(seen.sentence), differs >= 0 ? against[differs] : "");
    if (without) options(without, [["", "no part"], ...Object.entries(parts)], seen.off.length === 1 && parts[seen.off[0]] ? seen.off[0] : "");
    clear.attr("aria-disabled", !seen.comparison);
    drawThen(then, seen);
  };

  // What the other side says, where it would have gone another way, and which words it goes on from.
  function drawThen(box, { comparison, trail, own }) {
    box.text("");
    if (!comparison) return;
    const line = box.append("p").text(`Then it says: ${comparison.said}. `);
    const button = (parent, text, act) => parent.append("button").attr("type", "button").attr("class", "plain").text(text).on("click", act);
    const node = comparison.fork && fork(comparison.fork);
    if (node && node !== trail[0]) {
      const [mine, theirs] = [comparison.fork.word, comparison.fork.rival].map((token) => nameOf(wordOf(token)));
      button(line, `Ask where they part: why ${mine} rather than ${theirs}?`, () => goTo(model, [node]));
    }
    if (!comparison.shown) return;
    line.append("span").text(own ? " On the card it goes on from its own words." : ` On the card it goes on from the same words, “${comparison.shown}”.`);
    button(line, own ? "Let it go on from the same" : "Let it go on from its own", () => assign(model, { own: !own }));
  }
}

// Words as they are told apart: the second of two banks is “bank (2)”.
const nthOf = (words) => toldApart(words).map((apart, j) => (apart ? `${words[j]} (${apart.match(/, (\d+) of/)[1]})` : words[j]));

// What a try of all words, or of all heads, has found.
function saidOf(kind, best) {
  if (kind === "word") return "Exchanged for a word that may stand there, these change it most: ";
  return best.some(({ turns }) => turns) ? "Switched off one at a time, these change it most: " : "No single head turns it round. Switched off one at a time, these change it most: ";
}
