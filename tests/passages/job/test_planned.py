"""An index that a plan makes in an object store has the bytes of a build, and no machine needs to hold all of it."""

import pytest

from ibidem import PassageIndex
from ibidem.errors import IndexExistsError
from ibidem.jobs.run import run_rank
from ibidem.passages.job import planned, stages
from ibidem.passages.job.planning import plan_index
from ibidem.remote.storage import Storage
from ibidem.text import make_tokenizer

from ...jobs.samples import OPTIONS, WEIGHTED, build_plainly, digest


def open_and_digest(url):
    with PassageIndex.open(url) as index:
        return digest(index.path)


@pytest.mark.parametrize("options", [WEIGHTED, {"scheme": "minhash", "num_hashes": 4}], ids=["exact", "sketches"])
def test_a_plan_makes_the_bytes_of_a_build_in_several_segments(inputs, tmp_path, object_store, monkeypatch, options):
    monkeypatch.setattr(stages, "segment_tokens", lambda memory, token_bytes: 500)
    expected = build_plainly(inputs, tmp_path / "plain", **options)
    plan_index([str(inputs)], f"{object_store}/i", tmp_path / "plan", parts=3, **OPTIONS, **options)
    run_rank(tmp_path / "plan")
    assert not (tmp_path / "cache").exists()  # the ranks copied nothing back
    assert open_and_digest(f"{object_store}/i") == expected


def test_the_files_of_a_tokenizer_go_along(inputs, tmp_path, object_store, bpe_files):
    made = make_tokenizer("bpe", **bpe_files)
    expected = build_plainly(inputs, tmp_path / "plain", tokenizer=made)
    plan_index([str(inputs)], f"{object_store}/i", tmp_path / "plan", tokenizer=made, **OPTIONS)
    run_rank(tmp_path / "plan")
    assert open_and_digest(f"{object_store}/i") == expected


def test_files_without_a_document_make_an_empty_index(tmp_path, object_store):
    (tmp_path / "empty.jsonl").touch()
    plan_index([str(tmp_path / "empty.jsonl")], f"{object_store}/i", tmp_path / "plan", **OPTIONS)
    run_rank(tmp_path / "plan")
    assert open_and_digest(f"{object_store}/i") == build_plainly(tmp_path / "empty.jsonl", tmp_path / "plain")


@pytest.mark.parametrize("method", ["upload", "create"])
def test_a_rank_that_dies_in_an_upload_leaves_no_index_and_another_goes_on(
    inputs, tmp_path, object_store, monkeypatch, method
):
    plan_index([str(inputs)], f"{object_store}/i", tmp_path / "plan", parts=2, **OPTIONS)
    whole, calls = getattr(Storage, method), []

    def die(*given):
        calls.append(given)
        if method == "create" or len(calls) > 9:
            raise KeyboardInterrupt
        whole(*given)

    with monkeypatch.context() as patch:
        patch.setattr(Storage, method, die)
        with pytest.raises(KeyboardInterrupt):
            run_rank(tmp_path / "plan")
    assert "manifest.json" not in Storage(f"{object_store}/i").list()
    run_rank(tmp_path / "plan")
    assert open_and_digest(f"{object_store}/i") == build_plainly(inputs, tmp_path / "plain")


def test_a_rank_that_died_after_the_commit_is_followed_by_one_that_finds_it(
    inputs, tmp_path, object_store, monkeypatch
):
    plan_index([str(inputs)], f"{object_store}/i", tmp_path / "plan", parts=2, **OPTIONS)
    commit = planned.commit_remotely

    def die_afterwards(*given):
        commit(*given)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(planned, "commit_remotely", die_afterwards)
        with pytest.raises(KeyboardInterrupt):
            run_rank(tmp_path / "plan")
    assert run_rank(tmp_path / "plan").tasks == 1


def test_an_index_that_stands_at_the_output_is_refused_when_planned_and_when_committed(inputs, tmp_path, object_store):
    url = f"{object_store}/i"
    plan_index([str(inputs)], url, tmp_path / "plan", **OPTIONS)
    PassageIndex.build(url, ["another index was made meanwhile"], min_length=4).close()
    with pytest.raises(IndexExistsError, match="an index exists there already"):
        plan_index([str(inputs)], url, tmp_path / "other", **OPTIONS)
    with pytest.raises(IndexExistsError, match="another index exists there"):
        run_rank(tmp_path / "plan")
