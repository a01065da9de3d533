"""A plan deduplicates as one process does, to the byte, whatever the parts."""

import gzip
import json
import shutil

import pytest

from ibidem.documents.choices import Choices
from ibidem.documents.index import DocumentIndex
from ibidem.documents.job.files import deduplicate_files
from ibidem.documents.job.planning import plan_dedup
from ibidem.errors import ConfigurationError, CorpusError, PlanError
from ibidem.jobs import result
from ibidem.jobs.engines.processes import rehearse
from ibidem.jobs.run import run_rank, run_task
from ibidem.jobs.stage import stages_of, tasks_of
from ibidem.jobs.workspace import Workspace
from ibidem.resources import Resources
from ibidem.sketches.banding import Banding

from ...jobs.samples import deduplicate_plainly, digest

CHOICES = [
    {},
    {"threshold": 0.5, "cluster_mode": "connected", "keep": "longest"},
    {"threshold": 0.4, "keep": "max(year)", "shingle": "characters:9"},
    {"verify": False, "num_hashes": 64},
    {"recall": 1.0},  # all documents share one bucket, which is a large one
]


def plan_and_run(inputs, tmp_path, **settings):
    plan_dedup([str(inputs)], tmp_path / "made", tmp_path / "plan", **{"memory": "64M", **settings})
    run_rank(tmp_path / "plan")
    return digest(tmp_path / "made")


@pytest.mark.parametrize("parts", [1, 3, None])
@pytest.mark.parametrize("choices", CHOICES, ids=str)
def test_a_plan_writes_the_bytes_of_a_deduplication(inputs, tmp_path, choices, parts):
    expected = deduplicate_plainly(inputs, tmp_path / "plain", **choices)
    assert plan_and_run(inputs, tmp_path, parts=parts, **choices) == expected
    assert (tmp_path / "made" / "removed.jsonl").stat().st_size


def test_documents_of_a_large_bucket_are_compared_where_all_links_are_known(tmp_path):
    (tmp_path / "in").mkdir()
    text = " ".join(f"word{number}" for number in range(200))
    for part in range(2):
        lines = [{"id": f"{part}-{row}", "text": f"{text} {part}{row} {row // 9}"} for row in range(50)]
        (tmp_path / "in" / f"{part}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert Banding.for_recall(0.97, 128, 0.99).rows > 1
    choices = {"threshold": 0.97}
    expected = deduplicate_plainly(tmp_path / "in", tmp_path / "plain", **choices)
    assert plan_and_run(tmp_path / "in", tmp_path, parts=2, **choices) == expected


@pytest.fixture
def seen(inputs, tmp_path):
    """An index of some of the documents, of a short one and of one without a token."""
    lines = [json.loads(line) for line in (inputs / "1.jsonl").read_text().splitlines()[::3]]
    documents = [(f"seen-{row}", line["text"] + " more") for row, line in enumerate(lines)]
    with DocumentIndex.build(tmp_path / "seen", [*documents, ("short", "one two"), ("empty", "...")], threshold=0.5):
        pass
    extra = [{"id": f"extra-{row}", "text": text} for row, text in enumerate(["one two", "...", "a b", "", "!", "c d"])]
    (inputs / "3.jsonl").write_text("".join(json.dumps(line) + "\n" for line in extra))
    return tmp_path / "seen"


@pytest.mark.parametrize("parts", [1, 4])
@pytest.mark.parametrize("alone", [False, True])
def test_documents_of_an_index_are_left_out_as_by_one_process(inputs, seen, tmp_path, parts, alone):
    settings = {"against": str(seen), "against_only": alone}
    files = [str(inputs)], tmp_path / "plain", Choices(threshold=0.5), Resources.of("64M", 1, None)
    written = deduplicate_files(*files, **settings)
    assert written.summary["in_index"] > 9
    removed = [json.loads(line)["ibidem"] for line in (tmp_path / "plain" / "removed.jsonl").read_text().splitlines()]
    assert {("extra-0", "short"), ("extra-1", "empty")} <= {(each["id"], each["duplicate_of"]) for each in removed}
    assert {"extra-0", "extra-2"} < set(written.summary["short"])
    assert plan_and_run(inputs, tmp_path, parts=parts, threshold=0.5, **settings) == digest(tmp_path / "plain")


def test_an_index_that_changed_under_a_plan_is_refused(inputs, seen, tmp_path):
    plan_dedup([str(inputs)], tmp_path / "made", tmp_path / "plan", against=seen, threshold=0.5)
    with DocumentIndex.open(seen) as index:
        index.remove(["short"])
    with pytest.raises(PlanError, match="seen: changed since the plan was made"):
        run_rank(tmp_path / "plan")


def add_plainly(inputs, tmp_path, index):
    choices, resources = Choices(threshold=0.5), Resources.of("64M", 1, None)
    deduplicate_files([str(inputs)], tmp_path / "plain", choices, resources, against=index, add=True)
    return digest(tmp_path / "plain"), digest(index)


def plan_addition(inputs, tmp_path, index):
    settings = {"against": index, "add": True, "threshold": 0.5, "memory": "64M", "parts": 3}
    plan_dedup([str(inputs)], tmp_path / "made", tmp_path / "plan", **settings)


@pytest.mark.parametrize("is_there", [True, False])
def test_what_is_kept_is_added_to_the_index_as_by_one_process(inputs, seen, tmp_path, is_there):
    index = seen if is_there else tmp_path / "new"
    if is_there:
        shutil.copytree(seen, tmp_path / "copy")
    expected = add_plainly(inputs, tmp_path, tmp_path / "copy")
    plan_addition(inputs, tmp_path, index)
    run_rank(tmp_path / "plan")
    assert (digest(tmp_path / "made"), digest(index)) == expected
    assert run_rank(tmp_path / "plan").tasks == 0


@pytest.mark.parametrize("is_there", [True, False])
def test_a_rank_that_dies_after_the_addition_is_followed_by_one_that_adds_nothing(
    inputs, seen, tmp_path, monkeypatch, is_there
):
    index = seen if is_there else tmp_path / "new"
    if is_there:
        shutil.copytree(seen, tmp_path / "copy")
    expected = add_plainly(inputs, tmp_path, tmp_path / "copy")
    plan_addition(inputs, tmp_path, index)
    rename = result.disk.rename

    def die(source, target):
        if target == tmp_path / "made":
            raise KeyboardInterrupt
        rename(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(result.disk, "rename", die)
        with pytest.raises(KeyboardInterrupt):
            run_rank(tmp_path / "plan")
    assert not (tmp_path / "made").exists()
    assert digest(index) == expected[1]
    run_rank(tmp_path / "plan")
    assert (digest(tmp_path / "made"), digest(index)) == expected


def test_an_index_that_changed_before_the_addition_is_refused(inputs, seen, tmp_path):
    plan_addition(inputs, tmp_path, seen)
    workspace, resources = Workspace(tmp_path / "plan"), Resources.of("64M", 1, None)
    workspace.prepare()
    *stages, commit = stages_of(workspace)
    for stage in stages:
        for task in tasks_of(workspace, stage):
            run_task(workspace, stage, task, resources)
    with DocumentIndex.open(seen) as index:
        index.remove(["short"])
    before = digest(seen)
    with pytest.raises(PlanError, match="seen: changed since the plan was made"):
        run_task(workspace, commit, *tasks_of(workspace, commit), resources)
    assert digest(seen) == before
    assert not (tmp_path / "made").exists()


def test_a_rehearsal_adds_nothing(inputs, seen, tmp_path):
    plan_addition(inputs, tmp_path, seen)
    before = digest(seen)
    rehearse(Workspace(tmp_path / "plan"))
    assert digest(seen) == before


def test_an_index_of_other_shingles_and_one_that_is_wanting_are_refused(inputs, seen, tmp_path):
    with pytest.raises(ConfigurationError, match="made for the shingles"):
        plan_dedup([str(inputs)], tmp_path / "made", tmp_path / "plan", against=seen, shingle="words:3")
    with pytest.raises(ValueError, match="against_only needs an index"):
        plan_dedup([str(inputs)], tmp_path / "made", tmp_path / "plan", against_only=True)
    assert not (tmp_path / "plan").exists()


def test_files_keep_their_folders_formats_and_compression(inputs, tmp_path):
    (inputs / "deeper").mkdir()
    lines = (inputs / "1.jsonl").read_text().splitlines()
    with gzip.open(inputs / "deeper" / "more.jsonl.gz", "wt") as file:
        file.write(
            "".join(json.dumps({**json.loads(line), "id": f"more-{row}"}) + "\n" for row, line in enumerate(lines))
        )
    (inputs / "poem.txt").write_text(json.loads(lines[3])["text"])
    expected = deduplicate_plainly(inputs, tmp_path / "plain", threshold=0.5)
    assert plan_and_run(inputs, tmp_path, parts=4, threshold=0.5) == expected
    assert "kept/deeper/more.jsonl.gz" in expected
    assert "kept/poem.txt" not in expected


def test_files_without_a_document_are_deduplicated(tmp_path):
    (tmp_path / "in").mkdir()
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / "in" / name).touch()
    expected = deduplicate_plainly(tmp_path / "in", tmp_path / "plain")
    assert plan_and_run(tmp_path / "in", tmp_path, parts=2) == expected


def test_an_id_that_occurs_in_two_parts_is_an_error(inputs, tmp_path):
    (inputs / "5.jsonl").write_text('{"id": "1-7", "text": "again"}\n')
    with pytest.raises(CorpusError, match="document id '1-7' occurs twice: documents 8 and 50"):
        plan_and_run(inputs, tmp_path, parts=6)


def test_a_column_that_no_document_has_is_an_error(inputs, tmp_path):
    with pytest.raises(CorpusError, match="no document has a value in 'quality'"):
        plan_and_run(inputs, tmp_path, keep="max(quality)")


def test_an_input_that_changed_between_reading_and_writing_is_refused(inputs, tmp_path):
    def change(phase, done, total):
        if phase == "write" and done == 0:
            (inputs / "2.jsonl").write_text('{"id": "2-0", "text": "another"}\n')

    plan_dedup([str(inputs)], tmp_path / "made", tmp_path / "plan", memory="64M", parts=3)
    with pytest.raises(PlanError, match=r"2\.jsonl: changed since the plan was made"):
        run_rank(tmp_path / "plan", progress=change)
    assert not (tmp_path / "made").exists()


def test_an_output_that_came_meanwhile_is_left_alone(inputs, tmp_path):
    plan_dedup([str(inputs)], tmp_path / "made", tmp_path / "plan", memory="64M")
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "mine.txt").write_text("mine")
    with pytest.raises(CorpusError, match="made: this output exists already"):
        run_rank(tmp_path / "plan")
    assert digest(tmp_path / "made").keys() == {"mine.txt"}
