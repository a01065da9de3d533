"""A search for reuse is predicted from all documents of a small input."""

import json

import pytest

from ibidem.corpus import read
from ibidem.plans.reuse.prediction import KERNEL_BYTES, predict_reuse
from ibidem.plans.sampling import BASE_BYTES
from ibidem.plans.shards import describe_shards
from ibidem.resources import Resources
from ibidem.reuse.find import Question

from ..samples import count_words


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
    assert filed.disk_of(2) == filed.disk + filed.disk_of_rank  # each rank has those of a band
    assert held.disk_of(2) == held.disk


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
