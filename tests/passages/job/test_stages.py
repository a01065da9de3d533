"""A plan makes the index that one process makes, to the byte, whatever the parts."""

import pytest

from ibidem.errors import CorpusError, IndexExistsError, PlanError
from ibidem.jobs.run import run_rank, run_task
from ibidem.jobs.stage import stages_of, tasks_of
from ibidem.jobs.status import read_status
from ibidem.jobs.workspace import Workspace
from ibidem.passages.job import stages as index_stages
from ibidem.passages.job.planning import plan_index
from ibidem.resources import Resources
from ibidem.text import make_tokenizer

from ...jobs.samples import OPTIONS, build_plainly, digest

CHOICES = [
    {},
    {"family": "weighted", "idf": "smooth"},
    {"scheme": "minhash", "num_hashes": 4},
    {"scheme": "minhash", "num_hashes": 4, "family": "weighted", "idf": "standard"},
    {"scheme": "oph", "num_hashes": 4, "family": "set"},
    {"layout": "compact"},
    {"layout": "compact", "scheme": "minhash", "num_hashes": 4, "family": "weighted", "idf": "standard"},
]


@pytest.mark.parametrize("parts", [1, 3, None])
@pytest.mark.parametrize("choices", CHOICES, ids=str)
def test_a_plan_makes_the_bytes_of_a_build(inputs, tmp_path, choices, parts):
    expected = build_plainly(inputs, tmp_path / "plain", **choices)
    plan_index([str(inputs)], tmp_path / "made", tmp_path / "plan", parts=parts, **OPTIONS, **choices)
    run_rank(tmp_path / "plan")
    assert digest(tmp_path / "made") == expected


def test_a_plan_keeps_the_files_of_a_tokenizer_in_the_index(inputs, tmp_path, bpe_files):
    made = make_tokenizer("bpe", **bpe_files)
    expected = build_plainly(inputs, tmp_path / "plain", tokenizer=made)
    plan_index([str(inputs)], tmp_path / "made", tmp_path / "plan", tokenizer=made, **OPTIONS)
    run_rank(tmp_path / "plan")
    assert digest(tmp_path / "made") == expected
    assert any(name.startswith("attachments/") for name in expected)


@pytest.mark.parametrize("layout", ["plain", "compact"])
def test_segments_are_dealt_out_as_a_build_deals_them_out(inputs, tmp_path, monkeypatch, layout):
    monkeypatch.setattr(index_stages, "segment_tokens", lambda memory, token_bytes: 300)
    choices = {"family": "weighted", "idf": "smooth", "layout": layout}
    expected = build_plainly(inputs, tmp_path / "plain", **choices)
    assert len({name.split("/")[1] for name in expected if name.startswith("segments/")}) > 3
    plan_index([str(inputs)], tmp_path / "made", tmp_path / "plan", parts=4, **choices, **OPTIONS)
    run_rank(tmp_path / "plan")
    assert digest(tmp_path / "made") == expected


def test_a_part_is_freed_as_soon_as_all_segments_that_need_it_are_there(inputs, tmp_path, monkeypatch):
    monkeypatch.setattr(index_stages, "segment_tokens", lambda memory, token_bytes: 300)
    expected = build_plainly(inputs, tmp_path / "plain")
    plan_index([str(inputs)], tmp_path / "made", tmp_path / "plan", parts=4, **OPTIONS)
    workspace, resources = Workspace(tmp_path / "plan"), Resources.of("64M", 1, None)
    workspace.prepare()
    read, reduce, segments, _ = stages_of(workspace)
    for stage in (read, reduce):
        for task in tasks_of(workspace, stage):
            run_task(workspace, stage, task, resources)
    users = [{run.part for run in runs} for runs in workspace.load(index_stages.REDUCE).segments]
    assert any(len(parts) > 1 for parts in users)
    left = tasks_of(workspace, segments)
    while left:
        run_task(workspace, segments, left.pop(), resources)
        workspace.finish_discarding()
        needed = {part for task in left for part in users[task.number]}
        held = {part for part in range(4) if (workspace.output("read", part) / "store").exists()}
        assert held == needed
    run_rank(tmp_path / "plan")
    assert digest(tmp_path / "made") == expected


def test_files_without_a_document_make_an_empty_index(tmp_path):
    (tmp_path / "empty.jsonl").touch()
    expected = build_plainly(tmp_path / "empty.jsonl", tmp_path / "plain")
    plan_index([str(tmp_path / "empty.jsonl")], tmp_path / "made", tmp_path / "plan", **OPTIONS)
    run_rank(tmp_path / "plan")
    assert digest(tmp_path / "made") == expected
    assert read_status(tmp_path / "plan").is_done


@pytest.mark.parametrize("change", ["gone", "grown", "replaced"])
def test_an_input_that_changed_under_a_plan_is_refused(inputs, tmp_path, change):
    plan_index([str(inputs)], tmp_path / "made", tmp_path / "plan", **OPTIONS)
    file = inputs / "1.jsonl"
    data = file.read_bytes()
    {
        "gone": file.unlink,
        "grown": lambda: file.write_bytes(data + data),
        "replaced": lambda: file.write_bytes(data.replace(b"word1", b"word2")),
    }[change]()
    with pytest.raises((PlanError, CorpusError), match=r"1\.jsonl: (changed since|cannot be read)"):
        run_rank(tmp_path / "plan")
    assert not (tmp_path / "made").exists()
    file.write_bytes(data)  # mended, the plan goes on
    run_rank(tmp_path / "plan")
    assert digest(tmp_path / "made") == build_plainly(inputs, tmp_path / "plain")


def test_an_id_that_occurs_in_two_parts_is_an_error(inputs, tmp_path):
    (inputs / "5.jsonl").write_text('{"id": "1-7", "text": "again"}\n')
    plan_index([str(inputs)], tmp_path / "made", tmp_path / "plan", parts=6, **OPTIONS)
    with pytest.raises(CorpusError, match="document id '1-7' occurs twice: documents 8 and 50"):
        run_rank(tmp_path / "plan")


def test_an_index_that_came_meanwhile_is_left_alone(inputs, tmp_path):
    plan_index([str(inputs)], tmp_path / "made", tmp_path / "plan", **OPTIONS)
    before = build_plainly(inputs / "2.jsonl", tmp_path / "made")
    with pytest.raises(IndexExistsError, match="another index exists there"):
        run_rank(tmp_path / "plan")
    assert digest(tmp_path / "made") == before


def test_what_only_the_work_needed_is_removed_when_all_is_done(inputs, tmp_path):
    plan_index([str(inputs)], tmp_path / "made", tmp_path / "plan", **OPTIONS)
    run_rank(tmp_path / "plan")
    left = [path for path in (tmp_path / "plan").rglob("*") if path.is_file() and path.stat().st_size > 10_000]
    assert not left
    assert run_rank(tmp_path / "plan").tasks == 0
