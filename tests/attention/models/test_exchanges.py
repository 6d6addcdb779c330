"""Which words stand in one another's place."""

from attention.models.exchanges import exchanges


def test_words_that_make_two_sentences_of_one_stand_in_each_others_place():
    """Counted by hand: dog stands where cat does in two sentences, bird in one; old stands beside nothing else."""
    found = exchanges(["the cat sleeps", "the dog sleeps", "the bird sleeps", "a cat runs", "a dog runs", "an old man"])
    assert found["cat"] == ["dog", "bird"]
    assert found["bird"] == ["cat", "dog"]
    assert found["old"] == []
    assert exchanges(["the cat sleeps", "the dog sleeps", "the bird sleeps"], most=1)["cat"] == ["bird"]
