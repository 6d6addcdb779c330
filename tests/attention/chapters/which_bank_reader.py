"""The same translation made in another way: read from the English words alone, with forms written out by hand."""

ARTICLES = {  # before a consonant: one and many, m and f
    "": {"m": ("il", "i"), "f": ("la", "le")},
    "di": {"m": ("del", "dei"), "f": ("della", "delle")},
    "a": {"m": ("al", "ai"), "f": ("alla", "alle")},
    "in": {"m": ("nel", "nei"), "f": ("nella", "nelle")},
}
BEFORE_ARGINE = {"": ("l'", "gli"), "di": ("dell'", "degli"), "a": ("all'", "agli"), "in": ("nell'", "negli")}
MEANINGS = {  # what is said of each, and the words that mean it
    "bank": {"argine argini m": "river flow", "banca banche f": "city village station open grow"},
    "bat": {"pipistrello pipistrelli m": "forest valley lake feed", "mazza mazze f": "school use repair"},
    "plant": {"pianta piante f": "forest chop", "fabbrica fabbriche f": "glass open"},
    "spring": {"sorgente sorgenti f": "forest valley lake discover", "molla molle f": "clock repair"},
    "seal": {"foca foche f": "lake river feed", "sigillo sigilli m": "letter use repair"},
    "trunk": {"tronco tronchi m": "forest chop", "baule bauli m": "school open use"},
}
PLAIN = {
    "boy": "ragazzo ragazzi m",
    "girl": "ragazza ragazze f",
    "doctor": "medico medici m",
    "queen": "regina regine f",
    "cat": "gatto gatti m",
    "dog": "cane cani m",
    "book": "libro libri m",
    "money": "denaro - m",
    "forest": "foresta - f",
    "valley": "valle - f",
    "lake": "lago - m",
    "river": "fiume - m",
    "city": "città - f",
    "village": "villaggio - m",
    "station": "stazione - f",
    "school": "scuola - f",
    "letter": "lettera - f",
    "clock": "orologio - m",
    "glass": "vetro - m",
}
ADJECTIVES = {
    "old": "vecchio vecchi vecchia vecchie",
    "older": "vecchio vecchi vecchia vecchie",
    "white": "bianco bianchi bianca bianche",
    "black": "nero neri nera nere",
    "bigger": "grande grandi grande grandi",
}
PLACES = {
    ("in", "forest"): "nella foresta",
    ("in", "valley"): "nella valle",
    ("in", "city"): "in città",
    ("in", "village"): "nel villaggio",
    ("near", "lake"): "vicino al lago",
    ("near", "river"): "vicino al fiume",
    ("near", "station"): "vicino alla stazione",
    ("behind", "school"): "dietro la scuola",
    ("in", "bank"): "in banca",
    ("along", "bank"): "lungo l' argine",
    ("along", "river"): "lungo il fiume",
}
VERBS = {  # io, tu, lui, noi, loro; participle
    "are is -": "- - è - sono -",
    "love loves -": "amo ami ama amiamo amano -",
    "see sees saw": "vedo vedi vede vediamo vedono visto",
    "find finds found": "trovo trovi trova troviamo trovano trovato",
    "discover discovers discovered": "scopro scopri scopre scopriamo scoprono scoperto",
    "use uses used": "uso usi usa usiamo usano usato",
    "repair repairs repaired": "riparo ripari ripara ripariamo riparano riparato",
    "open opens opened": "apro apri apre apriamo aprono aperto",
    "feed feeds fed": "nutro nutri nutre nutriamo nutrono nutrito",
    "chop chops chopped": "taglio tagli taglia tagliamo tagliano tagliato",
    "read reads read": "leggo leggi legge leggiamo leggono letto",
    "grow grows -": "- - cresce - - -",
    "flow flows -": "- - scorre - - -",
}
BY_FORM = {form: forms.split()[0] for forms in VERBS for form in forms.split()}
ITALIAN = {forms.split()[0]: italian.split() for forms, italian in VERBS.items()}
PAST = {forms.split()[2] for forms in VERBS} - {"read"}
HAVE = ["ho", "hai", "ha", "abbiamo", "hanno"]
LIKING = {"like": ("piace", "piacciono"), "likes": ("piace", "piacciono")}
LIKING |= {"miss": ("manca", "mancano"), "misses": ("manca", "mancano")}
SUBJECTS = {"i": ("", 0), "you": ("", 1), "he": ("lui", 2), "she": ("lei", 2), "we": ("", 3), "they": ("", 4)}
OBJECTS = {"me": "mi", "you": "ti", "him": "lo", "her": "la", "us": "ci", "them": "li"}
DATIVE = {"i": "mi", "you": "ti", "we": "ci"}


class _Reader:
    """Reads an English sentence word by word, and says it in Italian."""

    def __init__(self, sentence):
        self.words, self.time = sentence.split(), ""
        for english, italian in ("yesterday", "ieri"), ("every day", "ogni giorno"):
            if sentence.startswith(f"{english} "):
                self.time, self.words = italian, self.words[len(english.split()) :]

    def see(self, *words):
        """Say whether the next word is one of these."""
        return bool(self.words) and self.words[0] in words

    def next(self):
        """Return the next word."""
        return self.words.pop(0)

    def sentence(self):
        """Translate the whole sentence."""
        if not self.see("the"):
            pronoun = self.next()
            return self.predicate(*SUBJECTS[pronoun], DATIVE.get(pronoun))
        said, form = self.phrase()
        if self.see("is", "are"):
            return self.comparison(said, form)
        return self.predicate(said, form, None)

    def comparison(self, said, form):
        """X is older than Y."""
        self.next()
        adjective = agreeing(self.next(), said("gender") == "m", form == 4)
        assert self.next() == "than"
        return join(said(""), "sono" if form == 4 else "è", "più", adjective, self.phrase()[0]("di"))

    def predicate(self, subject, form, dative):
        """Read the verb, and what stands behind it."""
        if self.see(*LIKING):
            one, many = LIKING[self.next()]
            what, number = self.phrase()
            likes = many if number == 4 else one
            return join(dative, likes, what("")) if dative else join(what(""), likes, subject("a"))
        lemma, group = self.verb(form)
        object_ = self.phrase(lemma)[0]("") if self.see("the") else ""
        _, place = self.place()
        much = {(): "", ("very", "much"): "molto"}[tuple(self.words)]
        return join(self.time, subject if isinstance(subject, str) else subject(""), group, much, object_, place)

    def verb(self, form):
        """Read a verb, with not before it and a pronoun behind it: its base form, and all that in Italian."""
        helper = self.next() if self.see("do", "does", "did") else ""
        non = "non" if helper and self.next() else ""
        english = self.next()
        lemma = BY_FORM[english]
        past = helper == "did" or english in PAST or (self.time == "ieri" and lemma == "read")
        said = f"{HAVE[form]} {ITALIAN[lemma][5]}" if past else ITALIAN[lemma][form]
        return lemma, join(non, OBJECTS[self.next()] if self.see(*OBJECTS) else "", said)

    def phrase(self, verb=""):
        """Read a noun with all that belongs to it: how to say it behind a preposition, and its verb's form."""
        assert self.next() == "the"
        adjective = before = of = ""
        owners = []
        while self.words[1:2] == ["'s"]:
            owners.insert(0, self.next())
            self.next()
        if self.see("old", "white", "black"):
            adjective = self.next()
        if self.words[1:] and singular(self.words[1]) in MEANINGS:
            before = self.next()
        english = self.next()
        if self.see("of"):
            _, _, of = self.next(), self.next(), self.next()
        is_many = english != singular(english)
        clues, behind = self.behind(4 if is_many else 2)
        one, many, gender = entry(english, {verb, before, of, *clues})
        di = [
            f"{'dell' + chr(39) if noun == 'clock' else article('di', noun)} {PLAIN[noun].split()[0]}"
            for noun in (before, of, *owners)
            if noun
        ]

        def said(preposition):
            if preposition == "gender":
                return gender
            noun = many if is_many else one
            words = [agreeing(adjective, gender == "m", is_many) if adjective else "", noun]
            starts_with_a_vowel = noun.startswith("argin") and adjective != "old"
            the = (BEFORE_ARGINE[preposition] if starts_with_a_vowel else ARTICLES[preposition][gender])[is_many]
            return join(the, *(words if adjective == "old" else words[::-1]), *di, behind)

        return said, 4 if is_many else 2

    def behind(self, form):
        """Read what stands behind a noun: words that may tell its meaning, and it in Italian."""
        if not self.see("that"):
            clue, place = self.place()
            return {clue}, place
        self.next()
        if not self.see("the"):
            lemma, group = self.verb(form)
            object_ = self.phrase(lemma)[0]("") if self.see("the") else ""
            return set(), join("che", group, object_, self.place()[1])
        who, number = self.phrase()
        lemma, group = self.verb(number)
        clue, place = self.place()
        return {lemma, clue}, join("che", who(""), group, place)

    def place(self):
        """Read a place, if there is one."""
        if not self.see("in", "near", "behind", "along"):
            return "", ""
        preposition, _, noun = self.next(), self.next(), self.next()
        return noun, PLACES[preposition, noun]


def singular(english):
    """Return a noun's form for one."""
    return english if english in PLAIN or english in MEANINGS else english.removesuffix("s")


def entry(english, clues):
    """Return a noun's Italian forms and its gender."""
    one = singular(english)
    if one in PLAIN:
        return PLAIN[one].split()
    (meant,) = [forms for forms, words in MEANINGS[one].items() if clues & set(words.split())]
    return meant.split()


def article(preposition, noun):
    """Return the article of one, with its preposition."""
    return ARTICLES[preposition][PLAIN[noun].split()[2]][0]


def agreeing(adjective, masculine, many):
    """Return an adjective's form."""
    return ADJECTIVES[adjective].split()[many + 2 * (not masculine)]


def join(*words):
    """Put the words that are there side by side."""
    return " ".join(word for word in words if word)


def read_aloud(english):
    """Say an English sentence in Italian. Errors: ValueError unless one meaning of each word is told, and only one."""
    return _Reader(english).sentence()
