import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ibidem
from ibidem.text import Document, Documents
from tests.contamination.samples import EVALS, QUESTIONS, pages

INDEX = ibidem.EvalIndex(EVALS, pages())


def make_train(seed: int) -> list[str]:
    """Pages, of which some hold an item with a word changed."""
    source = random.Random(seed)
    train = pages(12, seed=seed)
    for at in source.sample(range(12), 5):
        words = source.choice(QUESTIONS).split()
        words[source.randrange(len(words))] = "zebra"
        train[at] += " " + " ".join(words)
    return train


@settings(max_examples=30)
@given(st.integers(0, 1000))
def test_prepared_items_are_found_as_in_one_call_over_the_same_documents(seed: int) -> None:
    train = make_train(seed)
    prepared, plain = ibidem.EvalIndex(EVALS, train).find(train), ibidem.find_contamination(train, EVALS)
    assert prepared.contamination == plain.contamination
    assert prepared.left_out == plain.left_out
    assert prepared.items == plain.items
    assert prepared.summary == plain.summary


@settings(max_examples=30)
@given(st.integers(0, 1000))
def test_a_document_has_the_same_leaks_alone_as_among_others(seed: int) -> None:
    train = make_train(seed)
    together = INDEX.find([(str(at), text) for at, text in enumerate(train)]).contamination.to_pylist()
    alone = [row for at, text in enumerate(train) for row in INDEX.find([(str(at), text)]).contamination.to_pylist()]
    assert alone == together


def test_judging_gives_the_rows_of_the_tables() -> None:
    train = make_train(3)
    documents = Documents.of([Document(str(at), text) for at, text in enumerate(train)])
    judged, tokens = INDEX.judge(documents)
    occurrences = INDEX.find(train)
    assert tokens == occurrences.summary["tokens"]
    assert [(each.occurrence.document.id, each.occurrence.start) for each in judged if each.kind == "leak"] == [
        (row["document"], row["start"]) for row in occurrences.contamination.to_pylist()
    ]
    assert occurrences.contamination.num_rows


@pytest.mark.filterwarnings("ignore:every item is too short")
def test_more_training_data_asks_for_more_evidence() -> None:
    few, many = (ibidem.EvalIndex(EVALS, pages(), tokens=tokens) for tokens in (1_000, 10**300))
    found = few.find([QUESTIONS[2]]), many.find([QUESTIONS[2]])
    assert [each.contamination.num_rows for each in found] == [1, 0]
    assert set(found[1].items["status"].to_pylist()) == {"too short"}


def test_without_a_sample_other_items_weigh_the_words() -> None:
    index = ibidem.EvalIndex([{"question": f"Which number follows {word}?"} for word in pages(1)[0].split()])
    assert (index.tokens, len(index), repr(index)) == (1_000_000, 120, "EvalIndex(120 items)")
    weights = index.detector.surprise.weights[:4]
    assert weights[:3].sum() < weights[3]


def test_no_tokens_are_refused() -> None:
    with pytest.raises(ValueError, match="tokens must be 1 or more, not 0"):
        ibidem.EvalIndex(EVALS, tokens=0)
