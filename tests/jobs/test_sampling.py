"""What a sample says of the whole input."""

from ibidem.corpus.reading import read_sources
from ibidem.corpus.rows import Columns
from ibidem.jobs import sampling
from ibidem.jobs.sampling import sample_input
from ibidem.jobs.shards import describe_shards, sources_of
from ibidem.resources import Resources


def take_sample(inputs):
    shards = describe_shards([str(inputs)], Resources.of("64M", 1, None))
    batches = read_sources(sources_of(shards), Columns("text", "id"), batch_bytes=1000)
    return sample_input(shards, batches, lambda batch: batch.texts.nbytes)


def test_a_sample_that_is_all_of_the_input_is_not_scaled(inputs):
    sample = take_sample(inputs)
    assert (sample.documents, sample.scale) == (52, 1.0)
    assert sample.tokens == sample.text_bytes


def test_a_sample_is_scaled_by_the_bytes_of_all_records(inputs, monkeypatch):
    whole = take_sample(inputs).text_bytes
    monkeypatch.setattr(sampling, "_SAMPLE_BYTES", whole // 3)
    sample = take_sample(inputs)
    assert sample.documents < 52
    assert 0.7 * whole < sample.scale * sample.text_bytes < 1.3 * whole
