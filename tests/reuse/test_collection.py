"""A collection numbers documents and tokens by what they are, whatever the order of the input and the batches."""

import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem import CorpusError, deduplicate_passages, find_reuse
from ibidem.resources import Resources
from ibidem.reuse import collection as module
from ibidem.reuse.collection import Collection, Rarity
from ibidem.reuse.documents import InputRows
from ibidem.text import Texts, make_tokenizer
from ibidem.weights import DocumentFrequencies
from tests.reuse.small_collections import read_collection

RESOURCES = Resources.of("64M", 2, None)

contents = st.lists(st.lists(st.sampled_from("abcdeü"), max_size=8).map(" ".join), max_size=6)


def read_sides(*sides: list[tuple[str, str]]) -> Collection:
    """The collection, as it stands when its files are gone."""
    with tempfile.TemporaryDirectory() as folder:
        return read_collection(sides, make_tokenizer("words"), Path(folder), RESOURCES)


@given(contents, st.randoms(use_true_random=False))
def test_tokens_are_those_of_the_texts_in_the_order_of_the_ids(texts: list[str], random: "np.random.Generator") -> None:
    documents = [(f"d{number}", text) for number, text in enumerate(texts)]
    given_documents = list(documents)
    random.shuffle(given_documents)  # type: ignore[arg-type]
    collection = read_sides(given_documents)
    assert collection.ids == [name for name, _ in documents]
    assert np.all(np.diff(collection.vocabulary.astype(np.int64)) > 0)
    tokenizer = make_tokenizer("words")
    for number, text in enumerate(texts):
        inside = slice(*collection.bounds[number : number + 2])
        expected = tokenizer.encode(Texts.from_strings([text])).ids
        assert collection.vocabulary[collection.tokens[inside]].tolist() == expected.tolist()
        assert collection.text(number) == text
        starts, ends = collection.places(number)
        assert [text[start:end] for start, end in zip(starts, ends, strict=True)] == text.split()


@given(contents)
def test_a_running_token_weighs_one_on_the_average_and_a_rare_one_more(texts: list[str]) -> None:
    collection = read_sides([(str(number), text) for number, text in enumerate(texts)])
    if len(collection.tokens):
        assert collection.idf[collection.tokens].mean() == pytest.approx(1.0)
    counts = Counter(collection.tokens.tolist())
    by_frequency = sorted(counts, key=lambda token: (counts[token], -collection.idf[token]))
    weights = [collection.idf[token] for token in by_frequency]
    assert weights == sorted(weights, reverse=True)


def test_a_token_that_stands_nowhere_weighs_as_one_that_stands_once() -> None:
    vocabulary = np.array([3, 7, 9], np.uint32)
    rarity = Rarity.of(vocabulary, np.array([1, 5, 50]))
    once, other = rarity.weights(np.array([3, 8], np.uint32)).tolist()
    assert once == other
    assert isinstance(rarity.frequencies, DocumentFrequencies)
    assert rarity.frequencies.num_documents == 56


def test_weights_may_follow_from_another_collection(tmp_path: Path) -> None:
    first = read_sides([("a", "to be or not to be")])
    again = read_collection([[("b", "be there")]], make_tokenizer("words"), tmp_path, RESOURCES, first.rarity)
    assert again.idf.tolist() == first.rarity.weights(again.vocabulary).tolist()
    assert again.rarity is first.rarity


def test_documents_of_two_collections_know_their_side() -> None:
    collection = read_sides([("b", "one"), ("d", "two")], [("a", "three"), ("c", "")])
    assert collection.ids == ["a", "b", "c", "d"]
    assert collection.side.tolist() == [1, 0, 1, 0]


def test_a_caller_may_ask_for_another_order(tmp_path: Path) -> None:
    def longest_first(ids: list[str], rows: InputRows) -> np.ndarray:
        return np.argsort(-rows.lengths("numbers"), kind="stable")

    documents = [("a", "one"), ("b", "one two three"), ("c", "two three")]
    collection = read_collection([documents], make_tokenizer("words"), tmp_path, RESOURCES, order=longest_first)
    assert (collection.ids, collection.bounds.tolist()) == (["b", "c", "a"], [0, 3, 5, 6])
    assert [collection.text(number) for number in range(3)] == ["one two three", "two three", "one"]


@pytest.mark.parametrize("size", [1, 4, 100])
def test_the_size_of_a_run_changes_nothing(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    documents = [(f"d{number}", " ".join("abcde"[: number % 5]) + " x" * (number == 7) * 9) for number in range(12)]
    expected = read_sides(documents).tokens.tolist()
    monkeypatch.setattr(module, "_RUN", size)
    assert read_sides(documents).tokens.tolist() == expected


def test_single_letters_are_no_evidence_and_that_is_said() -> None:
    texts = [(name, f"{name} so many letters are the same in any two texts " * 50) for name in ("north", "south")]
    for compare in (find_reuse, deduplicate_passages):
        with pytest.raises(CorpusError, match=r"different characters.*runs of them by the tokenizer"):
            compare(texts, tokenizer="characters")
        compare(texts, tokenizer="characters:4")
