"""An index is predicted from all documents of a small input."""

import pytest

from ibidem.corpus import read
from ibidem.jobs.plan import read_plan
from ibidem.jobs.sampling import BASE_BYTES
from ibidem.jobs.shards import describe_shards
from ibidem.passages.configuration import Configuration
from ibidem.passages.job.planning import plan_index, predict_index
from ibidem.resources import Resources

from ...jobs.samples import OPTIONS, count_words


@pytest.fixture
def predict(inputs, tmp_path):
    def predict_with(memory=1 << 30, **options):
        name = "-".join(map(str, (memory, *options.values())))
        plan_index([str(inputs)], tmp_path / f"out-{name}", tmp_path / f"plan-{name}", **OPTIONS, **options)
        written = read_plan(tmp_path / f"plan-{name}").settings["configuration"]
        shards = describe_shards([str(inputs)], Resources.of("64M", 1, None))
        return predict_index(shards, read([str(inputs)]), Configuration.read(dict(written)), memory)

    return predict_with


def test_all_documents_and_tokens_of_a_small_input_are_counted(predict, inputs):
    found = predict()
    assert (found.documents, found.tokens) == count_words(inputs)
    assert found.seconds > 0


def test_an_index_of_more_hash_functions_takes_more_disk(predict):
    exact, few, many = predict(), predict(scheme="minhash", num_hashes=4), predict(scheme="minhash", num_hashes=32)
    assert exact.disk < few.disk < many.disk


def test_a_compact_index_takes_less_disk_and_as_much_for_each_rank(predict):
    plain, compact = predict(memory=8_000), predict(memory=8_000, layout="compact")
    assert compact.disk_of_rank == plain.disk_of_rank
    assert 0.5 < compact.disk / plain.disk < 0.8


def test_no_more_memory_is_predicted_than_a_rank_may_take(predict):
    assert BASE_BYTES < predict(memory=100).memory <= BASE_BYTES + 100


def test_with_one_segment_all_parts_are_on_disk_beside_it_whatever_the_ranks(predict):
    found = predict()
    assert found.most_ranks == 1


def test_each_rank_takes_the_disk_of_a_segment_more_but_all_no_more_than_parts_and_index(predict):
    found, whole = predict(memory=8_000), predict()
    assert found.most_ranks > 3
    assert 0 < found.disk < found.disk + 2 * found.disk_of_rank < whole.disk
    assert found.disk + (found.most_ranks - 1) * found.disk_of_rank == pytest.approx(whole.disk, rel=0.01)


def test_the_time_in_which_a_rank_starts_is_a_part_of_the_whole(predict):
    found = predict()
    assert 0 < found.starting < found.seconds
