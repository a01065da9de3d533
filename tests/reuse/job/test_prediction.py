"""A search for reuse is predicted from all documents of a small input."""

import json
import random

import pytest

from ibidem.corpus import read
from ibidem.jobs.sampling import BASE_BYTES
from ibidem.jobs.shards import describe_shards
from ibidem.resources import Resources
from ibidem.reuse.bands import Bands, Sample
from ibidem.reuse.collection import Comparable
from ibidem.reuse.job.prediction import KERNEL_BYTES, expect_candidates, predict_reuse
from ibidem.reuse.question import Question
from ibidem.reuse.windows import WindowJoin, find_boxes
from ibidem.text import make_tokenizer
from tests.reuse.small_collections import read_collection

from ...jobs.samples import count_words


def predict(inputs, memory=1 << 30, **question):
    shards = describe_shards([str(inputs)], Resources.of("64M", 1, None))
    return predict_reuse(shards, read([str(inputs)]), Question(**question), memory)


@pytest.mark.parametrize("recall", [0.99, 1.0])
def test_all_documents_and_tokens_of_a_small_input_are_counted(inputs, recall):
    found = predict(inputs, recall=recall)
    assert (found.documents, found.tokens) == count_words(inputs)
    assert found.seconds > 0
    assert found.disk > 2 * 4 * found.tokens  # each token stands there twice, and its text and records besides


def test_records_of_a_band_stand_on_disk_where_memory_does_not_hold_them(inputs):
    filed, held = predict(inputs, memory=1000), predict(inputs)
    assert filed.disk == held.disk + filed.disk_of_rank > held.disk
    assert filed.most_ranks > 1  # each rank has those of a band
    assert held.most_ranks == 1 or held.disk_of_rank == 0


def test_memory_is_that_of_the_program_and_the_tokens_within_its_bound(inputs):
    found = predict(inputs, memory=100)
    program = BASE_BYTES + KERNEL_BYTES
    assert program < found.memory <= program + 25 + 5 * found.tokens + 430 * found.documents


def test_documents_count_beside_their_tokens(tmp_path):
    for name, size in (("few", 100), ("many", 10_000)):
        lines = (json.dumps({"id": str(number), "text": "of few words"}) for number in range(size))
        (tmp_path / f"{name}.jsonl").write_text("".join(f"{line}\n" for line in lines))
    few, many = predict(tmp_path / "few.jsonl"), predict(tmp_path / "many.jsonl")
    assert many.memory - few.memory > 9_900 * 400
    assert many.disk - few.disk > 9_900 * 180


def test_an_input_without_a_token_is_predicted(tmp_path):
    (tmp_path / "empty.jsonl").touch()
    found = predict(tmp_path / "empty.jsonl")
    assert (found.documents, found.tokens, found.disk) == (0, 0, 0)


BANDS = Bands(bands=5, functions=2, window=8)
RESOURCES = Resources.of("64M", 1, None)


def collect(folder, documents):
    folder.mkdir()
    named = [(f"{number:04d}", text) for number, text in enumerate(documents)]
    return read_collection([named], make_tokenizer("words"), folder, RESOURCES)


def sample_of(collection):
    """All of it."""
    return Sample(collection.tokens, collection.bounds, collection.vocabulary, collection.idf)


def count_compared(collection, join, folder):
    found = find_boxes(collection, Comparable.of(collection, join.window), join, folder, RESOURCES)
    return found.candidates / BANDS.bands


def random_texts(documents, words, seed=1):
    source = random.Random(seed)
    return [" ".join(f"w{int(source.paretovariate(0.9)) % 300}" for _ in range(words)) for _ in range(documents)]


def test_a_sample_that_is_the_collection_counts_what_is_compared(tmp_path):
    collection = collect(tmp_path / "all", random_texts(40, 200))
    join = WindowJoin(window=BANDS.window, bands=BANDS, most=10**6)
    expected = count_compared(collection, join, tmp_path)
    assert expected > 100
    assert expect_candidates(sample_of(collection), BANDS, join, len(collection.tokens)) == pytest.approx(expected)


def test_what_stands_everywhere_is_compared_with_two_others(tmp_path):
    phrase = "once upon a time there was a king"
    collection = collect(tmp_path / "all", [f"{phrase} {text}" for text in random_texts(60, 8)])
    join = WindowJoin(window=BANDS.window, bands=BANDS, most=20)
    every = count_compared(collection, join._replace(most=10**6), tmp_path)
    some = count_compared(collection, join, tmp_path)
    assert some < every / 4
    assert expect_candidates(sample_of(collection), BANDS, join, len(collection.tokens)) == pytest.approx(some, rel=0.1)


def test_pairs_grow_with_the_square_of_the_tokens_until_they_crowd(tmp_path):
    collection = collect(tmp_path / "all", random_texts(20, 200))
    sample, tokens = sample_of(collection), len(collection.tokens)
    free, bounded = (WindowJoin(window=BANDS.window, bands=BANDS, most=most) for most in (10**9, 16))
    one = expect_candidates(sample, BANDS, free, tokens)
    assert expect_candidates(sample, BANDS, free, 10 * tokens) == pytest.approx(100 * one)
    assert one < expect_candidates(sample, BANDS, bounded, 10 * tokens) < 50 * one


def test_nothing_is_compared_of_a_sample_without_a_pair(tmp_path):
    collection = collect(tmp_path / "all", ["one text alone has no other to be compared with"])
    assert expect_candidates(sample_of(collection), BANDS, WindowJoin(bands=BANDS), 10**9) == 0
