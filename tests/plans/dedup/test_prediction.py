"""A deduplication is predicted from all documents of a small input."""

import pytest

from ibidem.corpus import read
from ibidem.documents.dedup import Choices
from ibidem.plans.dedup.prediction import predict_dedup
from ibidem.plans.sampling import BASE_BYTES
from ibidem.plans.shards import describe_shards
from ibidem.resources import Resources

from ..samples import count_words


@pytest.fixture
def predict(inputs):
    def predict_with(memory=1 << 30, **choices):
        shards = describe_shards([str(inputs)], Resources.of("64M", 1, None))
        return predict_dedup(shards, read([str(inputs)]), Choices(**choices), memory)

    return predict_with


def test_all_documents_and_tokens_of_a_small_input_are_counted(predict, inputs):
    found = predict()
    assert (found.documents, found.tokens) == count_words(inputs)
    assert found.seconds > 0
    assert f"{found.tokens:,} tokens in a sample" in found.basis


def test_more_hash_functions_take_more_disk_and_memory_within_its_bound(predict):
    few, many = predict(num_hashes=32), predict(num_hashes=256)
    assert many.disk - few.disk >= 4 * (256 - 32) * few.documents
    assert BASE_BYTES < few.memory < many.memory
    assert predict(memory=4, num_hashes=256).memory <= BASE_BYTES + 250 * few.documents + 1
