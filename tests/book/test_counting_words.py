"""Counting words as readers meet it: in the published page, in Chromium, with no kernel and no network."""

from itertools import product

import numpy as np
from demos import CountingWords

from attention.chapters.embeddings import bag_of_words, cosine_similarity, one_hot, tf_idf, vocabulary

CHAPTER = "02_embeddings"
DEMO = "counting-words"
MOST_WORDS = 12


# --- in Python ---


def test_start_again_has_what_it_came_with():
    """The sentences that a demo is made with are kept, whatever is typed later."""
    demo = CountingWords(["a b", "", "c"])
    demo.sentences = ["x", "y", "z"]
    assert demo.start == ["a b", "", "c"]


# --- the numbers on the page ---

WALK = """(demo, states) => {
    const inputs = [...demo.querySelectorAll("input")];
    const values = (selector) => [...demo.querySelectorAll(selector)].map((node) => Number(node.dataset.value));
    const texts = (selector) => [...demo.querySelectorAll(selector)].map((node) => node.textContent);
    return JSON.stringify(states.map(([sentences, chosen]) => {
        inputs.forEach((input, i) => {
            input.value = sentences[i];
            input.dispatchEvent(new Event("input", { bubbles: true }));
        });
        inputs[chosen].dispatchEvent(new Event("focus"));
        const shown = demo.querySelector(".scroll").checkVisibility();
        return {
            shown,
            words: shown ? texts(".counts thead span").slice(1) : [],
            heads: demo.querySelector(".vectors").hidden ? [] : texts(".vectors tbody th"),
            vectors: demo.querySelector(".vectors").hidden ? [] : values(".vectors td"),
            counts: shown ? values(".counts td") : [],
            weighed: shown ? values(".weighed td") : [],
            alike: values(".alike .number"),
            bags: [1, 2, 3].map((n) => texts(`.sentences > :nth-child(${n}) .bag :is(p:first-child, span)`)),
            says: demo.querySelector(".says").textContent,
            wide: document.documentElement.scrollWidth,
            height: demo.offsetHeight,
        };
    }));
}"""
TEXTS = ["", "dog bites man", "Man bites DOG", "the the the the cat", "  spaces \t between ", "x"]
STATES = [(list(three), turn % 3) for turn, three in enumerate(product(TEXTS, TEXTS[1:4], TEXTS))]
ODD = [
    "constructor __proto__ toString",
    "<img src=x onerror=alert(1)> <b>bold</b> &amp;",
    "שלום 你好 🙂 naïve ΑΣ",
    "a" * 120,
    " ".join("abcdefghijklmnopqrstuvwxyz"),
]


def assert_counted(shown, sentences, chosen):
    """Compare all tables with the reference's, of the first twelve words of each sentence."""
    lines = [sentence.split()[:MOST_WORDS] for sentence in sentences]
    vocab = vocabulary(" ".join(line) for line in lines)
    assert sorted(shown["words"]) == sorted(vocab)
    vocab = {word: column for column, word in enumerate(shown["words"])}  # a column may have been there before
    counts = np.stack([bag_of_words([" ".join(line)], vocab)[0] if line else np.zeros(len(vocab)) for line in lines])
    vectors = one_hot(lines[chosen], vocab) if lines[chosen] else np.empty((0, len(vocab)))
    assert shown["heads"] == [word.lower() for word in lines[chosen]]
    np.testing.assert_array_equal(shown["vectors"], vectors.ravel())
    np.testing.assert_array_equal(shown["counts"], counts.ravel())
    np.testing.assert_allclose(shown["weighed"], tf_idf(counts).ravel(), rtol=1e-9, atol=1e-12)
    tables = [cosine_similarity(table, table)[[0, 0, 1], [1, 2, 2]] for table in (counts, tf_idf(counts))]
    np.testing.assert_allclose(shown["alike"], np.stack(tables, axis=-1).ravel(), rtol=1e-9, atol=1e-12)


def test_every_number_is_the_references(walked):
    """One-hot vectors, counts, TF-IDF and cosines follow what is typed, empty sentences and capitals included."""
    for (sentences, chosen), shown in walked:
        assert_counted(shown, sentences, chosen)


def test_equal_bags_are_marked_and_hold_words_in_no_order(demo, walk):
    """A bag holds each word once, with its number; sentences of the same words have equal bags, empty ones do not."""
    (shown,) = walk(demo, (["dog bites man", "man bites dog", "the dog bites the cat"], 1))
    same = ["bites", "dog", "man"]
    assert shown["bags"] == [
        ["bag 1 = bag 2", *same],
        ["bag 2 = bag 1", *same],
        ["bag 3", "bites", "cat", "dog", "the ×2"],
    ]
    (shown,) = walk(demo, (["", "", "man"], 2))
    assert shown["bags"] == [["bag 1"], ["bag 2"], ["bag 3", "man"]]


def test_odd_and_long_text_is_counted_like_any_other(demo, walk):
    """Words that JavaScript has a use for, other scripts, and long sentences cut to twelve words, which is said."""
    states = [([odd, "the cat", odd], 0) for odd in ODD]
    shown = walk(demo, *states)
    for (sentences, chosen), seen in zip(states, shown, strict=True):
        assert_counted(seen, sentences, chosen)
        assert seen["wide"] <= 1280
    assert "Of sentence 1 and 3 the first 12 words count." in shown[-1]["says"]
    demo.get_by_text("There are more words on the right").wait_for()
    walk(demo, (["the cat", "the cat", "the cat"], 0))
    demo.get_by_text("There are more words on the right").wait_for(state="hidden")


def test_what_is_typed_is_shown_as_text(opened, demo, walk):
    """Tags are letters like others: nothing is made of them, and nothing runs."""
    elements = "demo => demo.querySelectorAll('img, b, script').length"
    walk(demo, ([ODD[1], ODD[1], "<b>bold</b>"], 2))
    assert demo.evaluate(elements) == 0
    assert "<b>bold</b>" in demo.locator(".counts thead").text_content()
    assert "<b>bold</b>" in demo.locator(".says").text_content()
    assert opened.visit.errors == []


def test_nothing_typed_is_said_to_be_nothing(demo, walk):
    """Three empty sentences show no table and no number but 0, and an invitation to type."""
    (shown,) = walk(demo, (["", "  ", ""], 1))
    assert not shown["shown"]
    assert shown["alike"] == [0] * 6
    assert demo.locator(".nothing").is_visible()
    assert shown["says"].startswith("Nothing is typed")


def test_turning_the_second_sentence_round_changes_no_count(demo, walk):
    """Man bites dog becomes dog bites man: its one-hot rows change places, counts and TF-IDF stay as they are."""
    demo.get_by_role("button", name="Start again").click()
    before = walk(demo, (["dog bites man", "man bites dog", "the dog bites the cat"], 1))[0]
    assert "Sentences 1 and 2 say the same words in another order" in before["says"]
    demo.get_by_role("button", name="Reverse the words of sentence 2").click()
    assert "only the one-hot table has changed" in demo.locator(".says").text_content()
    assert demo.get_by_label("Sentence 2", exact=True).input_value() == "dog bites man"
    after = walk(demo, (["dog bites man", "dog bites man", "the dog bites the cat"], 1))[0]
    assert (after["counts"], after["weighed"]) == (before["counts"], before["weighed"])
    assert after["vectors"] != before["vectors"]
    demo.get_by_role("button", name="Start again").click()
    assert demo.get_by_label("Sentence 2", exact=True).input_value() == "man bites dog"


def test_turning_the_third_sentence_round_moves_no_column(demo):
    """Its first word is the second of the vocabulary then, and still the table keeps its columns and its height."""
    demo.get_by_role("button", name="Start again").click()
    shown = """demo => [
        [...demo.querySelectorAll(".counts thead span")].map((node) => node.textContent), demo.offsetHeight]"""
    before = demo.evaluate(shown)
    demo.get_by_role("button", name="Reverse the words of sentence 3").click()
    assert demo.evaluate(shown) == before
    demo.get_by_role("button", name="Start again").click()


def test_the_keyboard_alone_works_it(opened, demo):
    """Tab goes through fields and buttons in order; typing, Enter and the arrows in the box of tables work."""
    opened.enter_from_above(demo)
    opened.press("Tab")
    assert opened.focused().startswith("text")
    assert "on" in demo.locator(".field").first.get_attribute("class")
    opened.page.keyboard.press("ControlOrMeta+a")
    opened.page.keyboard.type("cats chase mice")
    assert demo.locator(".vectors tbody th").all_inner_texts() == ["cats", "chase", "mice"]
    opened.press("Tab", "Enter")
    assert demo.get_by_label("Sentence 1", exact=True).input_value() == "mice chase cats"
    opened.press("Tab")
    assert "on" in demo.locator(".field").nth(1).get_attribute("class")
    opened.tab_to("region Tables")
    demo.get_by_role("button", name="Start again").click()


def test_long_tables_scroll_in_their_box_on_a_telephone(telephone, walk):
    """Whatever is typed, the page never scrolls sideways; a tap turns a sentence round."""
    demo = telephone.demo("counting-words")
    demo.get_by_role("button", name="Reverse the words of sentence 3").tap()
    assert demo.get_by_label("Sentence 3", exact=True).input_value() == "cat the bites dog the"
    for shown in walk(demo, *[([odd, "the cat", odd], 0) for odd in ODD]):
        assert shown["wide"] <= 375
    box = demo.locator(".scroll").evaluate("box => [box.scrollWidth, box.clientWidth]")
    assert box[0] > box[1]
