import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.sketches.bottom_s import BottomS
from ibidem.sketches.rabin import pair_collision_bound
from ibidem.sketches.shingling import Shingling, containment, distance, resemblance
from ibidem.text import Texts, make_tokenizer

ROSE = "a rose is a rose is a rose"
FLOWER = "a rose is a flower which is a rose"

words = st.lists(st.sampled_from(["a", "rose", "is", "which"]), max_size=9)
shinglings = st.builds(Shingling, st.integers(1, 4), st.sampled_from(["words", "characters"]), st.sampled_from("AB"))


@pytest.mark.parametrize(
    ("option", "width", "percent"),
    [("A", 1, 70), ("A", 2, 50), ("A", 3, 30), ("B", 1, 60), ("B", 2, 50), ("B", 3, 42.85)],
)
def test_a_rose_is_as_like_a_flower_as_broder_says(option, width, percent):
    # On the resemblance and containment of documents, section 2; 42.85 is 3/7, cut off.
    assert resemblance(ROSE, FLOWER, width, option=option) == pytest.approx(percent / 100, abs=1e-4)
    assert distance(ROSE, FLOWER, width, option=option) == pytest.approx(1 - percent / 100, abs=1e-4)


def test_the_shinglings_of_a_rose_are_those_of_broder():
    # Five runs of four words, of which "a rose is a" and "rose is a rose" stand there twice.
    assert len(Shingling(4).shingles(ROSE)) == 5
    assert len(Shingling(4, option="A").elements(ROSE)) == 5
    assert len(Shingling(4, option="B").elements(ROSE)) == 3


def test_containment_says_how_much_of_one_is_in_the_other():
    assert containment("is a rose", ROSE, 2) == 1
    assert containment(ROSE, "is a rose", 2) == 2 / 3
    assert containment(ROSE, FLOWER, 1, option="A") == 7 / 8


def by_definition(tokens, shingling):
    width = min(shingling.width, len(tokens))
    runs = [tuple(tokens[i : i + width]) for i in range(len(tokens) - width + 1)] if tokens else []
    return Counter(runs) if shingling.option == "A" else Counter(set(runs))


@given(a=words, b=words, shingling=shinglings)
def test_resemblance_and_containment_are_those_of_the_definition(a, b, shingling):
    texts = ["".join(each)[:9] if shingling.unit == "characters" else " ".join(each) for each in (a, b)]
    in_a, in_b = (by_definition(text if shingling.unit == "characters" else text.split(), shingling) for text in texts)
    both, either = (in_a & in_b).total(), (in_a | in_b).total()
    assert shingling.resemblance(*texts) == (both / either if either else 1)
    assert shingling.containment(*texts) == (both / in_a.total() if in_a else 1)


@given(a=words, b=words, shingling=shinglings)
def test_elements_are_what_a_sketch_needs_to_give_the_same_resemblance(a, b, shingling):
    a, b = " ".join(a), " ".join(b)
    one, other = (BottomS.of(shingling.elements(text), 1000) for text in (a, b))
    assert one.resemblance(other) == shingling.resemblance(a, b)


@given(texts=st.tuples(words, words, words), shingling=shinglings)
def test_the_distance_is_a_metric(texts, shingling):
    a, b, c = (" ".join(each) for each in texts)
    assert shingling.distance(a, a) == 0
    assert shingling.distance(a, b) == shingling.distance(b, a)
    assert shingling.distance(a, c) <= shingling.distance(a, b) + shingling.distance(b, c) + 1e-12


def test_a_short_document_is_like_its_equal_alone():
    assert resemblance("a rose", "A rose.") == 1
    assert resemblance("a rose", "a flower") == 0
    assert resemblance("a rose", ROSE) == 0
    assert resemblance("", "a rose") == 0
    assert resemblance("", "") == 1


@pytest.mark.parametrize("arguments", [(0,), (5, "sentences"), (5, "words", "C")])
def test_an_unknown_choice_is_an_error(arguments):
    with pytest.raises(ValueError):
        Shingling(*arguments)


def test_elements_are_ascending_and_distinct():
    for option in "AB":
        elements = Shingling(1, option=option).elements("rose " * 50 + "is")
        assert elements.dtype == np.uint64
        assert len(elements) == len(set(elements.tolist())) == (51 if option == "A" else 2)
        assert elements.tolist() == sorted(elements.tolist())


def test_the_bigrams_of_jack_london_are_those_of_the_course():
    """Gambosi's course on near-duplicate detection: 3 of 8 bigrams, and none."""
    one, two, three = (
        "Jack London traveled to Oakland",
        "Jack London traveled to the city of Oakland",
        "Jack traveled from Oakland to London",
    )
    assert resemblance(one, two, 2) == 3 / 8
    assert resemblance(one, three, 2) == resemblance(two, three, 2) == 0


def test_the_shingles_of_a_hobbit_are_those_of_the_course():
    hobbit = "In a hole in the ground there lived a hobbit"
    assert len(Shingling(5).elements(hobbit)) == 6
    was = hobbit.replace("lived", "was")
    both = np.intersect1d(Shingling(3).elements(hobbit), Shingling(3).elements(was))
    assert len(Shingling(3).elements(hobbit)) - len(both) == 3  # one word changes three shingles of three


@pytest.mark.parametrize("fingerprint", ["rabin", "rabin:40"])
def test_shingles_are_fingerprints_by_the_name_that_is_given(fingerprint):
    text = "in the same place in the same place again"
    made, mixed = Shingling(3, fingerprint=fingerprint), Shingling(3)
    assert (made.shingles(text) < 2**40).all() == (fingerprint == "rabin:40")
    assert len(np.unique(made.shingles(text))) == len(np.unique(mixed.shingles(text)))
    assert made.resemblance(ROSE, FLOWER) == mixed.resemblance(ROSE, FLOWER)
    assert len(Shingling(3, option="A", fingerprint=fingerprint).elements(text)) == 7
    assert Shingling(3, fingerprint=fingerprint, seed=1).shingles(text).tolist() != made.shingles(text).tolist()
    assert BottomS.of(made.elements(ROSE)).resemblance(BottomS.of(made.elements(FLOWER))) == pytest.approx(3 / 7)


@pytest.mark.parametrize("fingerprint", ["md5", "rabin:7", "mix:40", "rabin:x"])
def test_a_fingerprint_that_is_none_is_an_error(fingerprint):
    with pytest.raises(ValueError, match=r"finger"):
        Shingling(3, fingerprint=fingerprint)


SAME_ID = ("w118801", "w228708")
"""Two words whose hashes of 32 bits, the ids of the tokenizer, are the same."""


@pytest.mark.parametrize(("width", "unit"), [(5, "words"), (1, "words:5"), (3, "words:2")])
def test_the_bound_on_collisions_holds_for_words_whose_ids_are_the_same(width, unit):
    """Broder 1997, section 4.1: max(|s1|, |s2|) / 2^(l - 1) for any two strings, here with l = 40."""
    ids = make_tokenizer("words").encode(Texts.from_strings([" ".join(SAME_ID)])).ids
    assert ids[0] == ids[1]
    texts = [f"we met {word} in the harbour" for word in SAME_ID]
    shared = sum(
        Shingling(width, unit, fingerprint="rabin:40", seed=seed).resemblance(*texts) > 0 for seed in range(200)
    )
    assert shared <= math.ceil(200 * pair_collision_bound(8 * max(map(len, texts)) + 48, 40))
    assert shared == 0
    assert Shingling(width, unit).resemblance(*texts) == 1.0  # by their ids, they are one


@given(
    a=st.lists(words, max_size=4),
    b=st.lists(words, max_size=4),
    unit=st.sampled_from(["words", "characters", "words:2", "characters:3"]),
)
def test_shingles_of_bytes_are_the_same_where_the_tokens_are(a, b, unit):
    texts = [" ".join(" ".join(each) for each in side) for side in (a, b)]
    by_bytes, by_ids = Shingling(2, unit, fingerprint="rabin"), Shingling(2, unit)
    assert by_bytes.resemblance(*texts) == by_ids.resemblance(*texts)


@pytest.mark.parametrize(("a", "b"), [("Éa ß", "e\u0301A SS"), ("a\t\n b", "a b"), ("STRAẞE", "strasse")])
def test_shingles_of_bytes_fold_as_the_tokenizer_does(a, b):
    assert Shingling(1, fingerprint="rabin").resemblance(a, b) == 1.0
    assert (
        Shingling(1, fingerprint="rabin").shingles(a).tolist() == Shingling(1, fingerprint="rabin").shingles(b).tolist()
    )


def test_a_token_is_not_the_join_of_two():
    made = Shingling(2, "characters", fingerprint="rabin")
    assert made.resemblance("ß", "ss") == 0.0  # one token of two letters, and two of one
