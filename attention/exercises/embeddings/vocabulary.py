"""The different words of some sentences, each with a number."""

from typing import Any

from attention.chapters import embeddings as reference
from autograder.diagnosis import Case, Exercise, mistake

from ..draw import made_up, text

NOTE = ["mat cat mat", "cat rat rat"]
CAPITALS = ["The mat", "cat the RAT"]
SIGNS = ["the well-known cat, 3 dogs", "the cat. A dog"]
SPACES = ["  the  cat ", "", "the\tdog"]


def unseen(rng: Any) -> list[Case]:
    """Made-up words, several times each, some with capitals; a word that comes late is the most frequent."""
    return [
        Case("three sentences", (with_a_late_favourite(rng, 5, 3, 4, 6),)),
        Case("seven sentences", (with_a_late_favourite(rng, 11, 2, 5, 3, 7, 4, 6, 1),)),
        Case("two sentences", (with_a_late_favourite(rng, 7, 13, 2),)),
    ]


def with_a_late_favourite(rng: Any, words: int, *lengths) -> list[str]:
    """Draw sentences, and say a word of its own at the end more often than all others."""
    *drawn, favourite = made_up(rng, words + 1)
    return [*text(rng, drawn, *lengths), " ".join([favourite] * (sum(lengths) + 1))]


def edges(rng: Any) -> list[Case]:
    """A single word, no sentence between two others, spaces, tabs and line breaks in any number, and other signs."""
    one, *words = made_up(rng, 6)
    return [
        Case("one word, three times", ([f"{one} {one.upper()}", one],)),
        Case("empty sentences", (["", *text(rng, words, 7), " ", *text(rng, words, 6)],)),
        Case("spaces, tabs and line breaks", ([f"\t{words[2]}  {words[0]}\n", f"{words[1]} \t {words[2]} "],)),
        Case("commas, digits and hyphens", ([f"{words[0]}, {words[1]}-{words[2]} 7", f"{words[0]} {words[3]}."],)),
    ]


@mistake(
    "The words were put in alphabetical order. "
    "Then each new word would change the numbers of all words after it, and with them the columns of every table. "
    "Go through the words in order, and give the next number to each new one.",
)
def by_the_alphabet(sentences):
    words = sorted({word for sentence in sentences for word in sentence.lower().split()})
    return {word: index for index, word in enumerate(words)}


@mistake(
    "A word with a capital counts as a different word. "
    "*The* at the beginning of a sentence is *the*; with two numbers, its uses would be split. "
    "Convert each sentence to lower case before you split it.",
)
def capitals_counted(sentences):
    words = [word for sentence in sentences for word in sentence.split()]
    return {word: index for index, word in enumerate(dict.fromkeys(words))}


@mistake(
    "Words are matched whatever their case, but stored as they were first written. "
    "Looking up *the* later does not find *The*. "
    "Store the word in lower case.",
)
def first_spelling_kept(sentences):
    vocab, known = {}, set()
    for word in (word for sentence in sentences for word in sentence.split()):
        if word.lower() not in known:
            known.add(word.lower())
            vocab[word] = len(vocab)
    return vocab


@mistake(
    "The words were numbered before they were converted to lower case. "
    "*The* and *the* got two numbers, and the second overwrote the first. "
    "Convert first, then number.",
)
def lower_case_too_late(sentences):
    words = dict.fromkeys(word for sentence in sentences for word in sentence.split())
    return {word.lower(): index for index, word in enumerate(words)}


@mistake(
    "Each word has the number of its last place in the text, so some numbers are missing. "
    "The numbers of |V| words must be 0 to |V| − 1. "
    "Number only new words, each with the number of words you already have: `len(vocab)`.",
)
def last_place_in_the_text(sentences):
    words = [word for sentence in sentences for word in sentence.lower().split()]
    return {word: index for index, word in enumerate(words)}


@mistake(
    "A word that occurs again was numbered again. "
    "There was no check whether it is already there, so its first number was overwritten. "
    "Check first: if word not in vocab.",
)
def numbered_again(sentences):
    vocab = {}
    for sentence in sentences:
        for word in sentence.lower().split():
            vocab[word] = len(vocab)
    return vocab


@mistake(
    "Each new word has the number of its place in its sentence. "
    "Then the first word of every sentence is 0, and several words would share a column. "
    "Use the number of words you already have: `len(vocab)`.",
)
def place_in_its_sentence(sentences):
    vocab = {}
    for sentence in sentences:
        for place, word in enumerate(sentence.lower().split()):
            vocab.setdefault(word, place)
    return vocab


@mistake(
    "Each word has the number of its first place in the text, so some numbers are missing. *rat* is the third new "
    "word, but the fifth word of all. "
    "Count the different words, not all of them: the next number is `len(vocab)`.",
)
def first_place_in_the_text(sentences):
    vocab = {}
    for index, word in enumerate(word for sentence in sentences for word in sentence.lower().split()):
        vocab.setdefault(word, index)
    return vocab


@mistake(
    "The count starts again in each sentence. "
    "Then two words can have the same number, and would share a column. "
    "Number the words of all sentences together.",
)
def numbered_in_each_sentence(sentences):
    return {word: index for sentence in sentences for index, word in enumerate(sentence.lower().split())}


@mistake(
    "This says how often each word occurs. "
    "A vocabulary says which column belongs to a word; counting comes in `bag_of_words`. "
    "Give every new word the next number, once.",
)
def counted_words(sentences):
    words = [word for sentence in sentences for word in sentence.lower().split()]
    return {word: words.count(word) for word in words}


@mistake(
    "Only the words of the first sentence are there. "
    "A `return` inside the loop ends the function in its first round. "
    "Return after the loop, with one level of indentation less.",
)
def first_sentence_only(sentences):
    for sentence in sentences:
        return {word: index for index, word in enumerate(dict.fromkeys(sentence.lower().split()))}


@mistake(
    "Only the words of the last sentence are there. "
    "A new dictionary was made in each round of the loop, and its earlier contents were lost. "
    "Make it once, before the loop.",
)
def last_sentence_only(sentences):
    for sentence in sentences:
        vocab = {word: index for index, word in enumerate(dict.fromkeys(sentence.lower().split()))}
    return vocab


@mistake(
    "Each sentence has its own dictionary. "
    "Then *cat* has different numbers in different sentences, and the tables can't be compared. "
    "Put the words of all sentences into one dictionary.",
)
def one_for_each_sentence(sentences):
    return [{w: i for i, w in enumerate(dict.fromkeys(sentence.lower().split()))} for sentence in sentences]


@mistake(
    "The words were returned as a list. "
    "In a list you have to search for a word; a dictionary gives its number at once. "
    "Return a dictionary: `{word: index for index, word in enumerate(words)}`.",
)
def list_of_words(sentences):
    return list(dict.fromkeys(word for sentence in sentences for word in sentence.lower().split()))


@mistake(
    "The letters were numbered, not the words. "
    "A loop over a sentence goes letter by letter. "
    "Split the sentence first: `sentence.split()`.",
)
def letters_numbered(sentences):
    return {letter: i for i, letter in enumerate(dict.fromkeys(x for sentence in sentences for x in sentence.lower()))}


@mistake(
    "Whole sentences were numbered, not words. "
    "Two sentences are hardly ever the same, so nothing could be counted. "
    "Split each sentence into words, with a loop inside the loop.",
)
def sentences_numbered(sentences):
    return {sentence: i for i, sentence in enumerate(dict.fromkeys(sentence.lower() for sentence in sentences))}


@mistake(
    "Right, until there are two spaces in a row: then the empty word '' gets a number. "
    "`split(' ')` cuts at each single space, and between two of them there is nothing. "
    "`split()` without an argument cuts at any run of spaces, tabs and line breaks.",
)
def cut_at_each_space(sentences):
    words = [word for sentence in sentences for word in sentence.lower().split(" ")]
    return {word: index for index, word in enumerate(dict.fromkeys(words))}


@mistake(
    "Right, until there is a tab: it separates words too, but here two words stayed together. "
    "`split(' ')` cuts only at spaces. "
    "`split()` without an argument cuts at any run of spaces, tabs and line breaks.",
)
def tab_not_seen(sentences):
    words = [word for sentence in sentences for word in sentence.lower().split(" ") if word]
    return {word: index for index, word in enumerate(dict.fromkeys(words))}


@mistake(
    "The sentences were joined with nothing between them. "
    "The last word of one and the first of the next became one word. "
    "Join with a space, or go through the sentences one by one.",
)
def sentences_glued_together(sentences):
    return {word: index for index, word in enumerate(dict.fromkeys("".join(sentences).lower().split()))}


@mistake(
    "Commas, full stops or digits were removed from the words. "
    "In this course, a word is everything between two spaces, so *cat,* includes its comma. "
    "Leave out strip, isalpha and the like.",
)
def signs_taken_off(sentences):
    words = [word.strip(".,;:!?") for sentence in sentences for word in sentence.lower().split()]
    return {word: index for index, word in enumerate(dict.fromkeys(words))}


@mistake(
    "The sentences after an empty one were not read. "
    "`break` and `return` end the whole loop at the first sentence without words. "
    "An empty sentence has no words, so the inner loop skips it anyway.",
)
def ended_at_an_empty_sentence(sentences):
    vocab = {}
    for sentence in sentences:
        if not sentence.split():
            break
        for word in sentence.lower().split():
            vocab.setdefault(word, len(vocab))
    return vocab


@mistake(
    "The most frequent word has the number 0. "
    "Large models often number their words like that, but here the first word to appear comes first. "
    "Leave out the counting, and number the words as they come.",
    sees="right on the examples, where no late word is frequent",
    edge=True,
)
def most_frequent_first(sentences):
    words = [word for sentence in sentences for word in sentence.lower().split()]
    return {word: index for index, word in enumerate(sorted(dict.fromkeys(words), key=lambda w: -words.count(w)))}


EXERCISE = Exercise(
    name="vocabulary",
    reference=reference.vocabulary,
    returns=("vocab",),
    examples=(
        Case("mat cat mat, cat rat rat", (NOTE,)),
        Case("capitals", (CAPITALS,)),
        Case("spaces and an empty sentence", (SPACES,), edge=True),
        Case("commas, digits and hyphens belong to their words", (SIGNS,), edge=True),
    ),
    unseen=unseen,
    edges=edges,
)
