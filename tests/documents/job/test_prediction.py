"""A deduplication is predicted from all documents of a small input."""

import gzip

import pytest

from ibidem.corpus import read
from ibidem.documents.choices import Choices
from ibidem.documents.job import planning
from ibidem.documents.job.planning import predict_dedup
from ibidem.jobs.shards import choose_parts, describe_shards
from ibidem.resources import Resources

from ...jobs.samples import count_words


@pytest.fixture
def predict(inputs):
    def predict_with(memory=1 << 30, parts=1, **choices):
        shards = describe_shards([str(inputs)], Resources.of("64M", 1, None))
        return predict_dedup(shards, choose_parts(shards, parts), read([str(inputs)]), Choices(**choices), memory)

    return predict_with


def test_all_documents_and_tokens_of_a_small_input_are_counted(predict, inputs):
    found = predict()
    assert (found.documents, found.tokens) == count_words(inputs)
    assert found.seconds > 0
    assert f"{found.tokens:,} tokens in a sample" in found.basis


def test_more_hash_functions_take_more_disk(predict):
    few, many = predict(num_hashes=32), predict(num_hashes=256)
    assert many.disk - few.disk >= 4 * (256 - 32) * few.documents


def test_memory_is_that_of_batches_within_what_is_given(predict):
    whole, parts, little = predict(), predict(parts=4), predict(memory=1)
    program = planning._PROGRAM_BYTES + planning._DOCUMENT_BYTES * whole.documents
    assert program + planning._BATCHES == little.memory < parts.memory < whole.memory


def test_what_is_kept_of_compressed_files_takes_time_to_be_compressed_again(tmp_path, monkeypatch):
    words = b" ".join(b"word%d" % number for number in range(500))
    with gzip.open(tmp_path / "a.jsonl.gz", "wb") as file:
        file.write(b'{"text": "' + words + b'"}\n')
    monkeypatch.setattr(planning, "_COMPRESSING_SECONDS", 1.0)
    shards = describe_shards([str(tmp_path)], Resources.of("64M", 1, None))
    found = predict_dedup(shards, [(0, 1)], read([str(tmp_path)]), Choices(), 1 << 30)
    assert len(words) < found.seconds < len(words) + 60
