"""A plan never changes, and whatever is no plan of this version is refused."""

import json

import pytest

from ibidem.errors import PlanError
from ibidem.jobs.plan import Plan, Prediction, Shard, read_plan, require_rebuildable, write_plan
from ibidem.jobs.run import run_rank, run_task
from ibidem.jobs.shards import require_unchanged
from ibidem.jobs.stage import stages_of
from ibidem.jobs.status import read_status
from ibidem.jobs.workspace import Task, Workspace
from ibidem.passages.job.planning import plan_index
from ibidem.resources import Resources
from ibidem.text import make_tokenizer

from .samples import JOBS, OPTIONS, build_plainly, digest


def test_a_plan_that_was_edited_is_refused(inputs, tmp_path):
    plan_index([str(inputs)], tmp_path / "made", tmp_path / "plan", **OPTIONS)
    file = tmp_path / "plan" / "plan.json"
    file.write_text(file.read_text().replace('"memory": 67108864', '"memory": 67108865'))
    with pytest.raises(PlanError, match=r"plan\.json: the plan was altered"):
        run_rank(tmp_path / "plan")


def test_a_plan_of_another_version_is_refused(inputs, tmp_path):
    plan_index([str(inputs)], tmp_path / "made", tmp_path / "plan", **OPTIONS)
    file = tmp_path / "plan" / "plan.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "version": 2, "written_by": "ibidem 9"}))
    with pytest.raises(PlanError, match="a plan of version 2, written by ibidem 9"):
        read_plan(tmp_path / "plan")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"version": 1}', "\xff"])
def test_a_file_that_is_no_plan_is_refused(tmp_path, text):
    (tmp_path / "plan.json").write_text(text, "latin-1")
    with pytest.raises(PlanError, match=r"plan\.json: (not a plan|a plan of version)"):
        read_plan(tmp_path)


def test_a_folder_without_a_plan_says_how_to_make_one(tmp_path):
    with pytest.raises(PlanError, match="'ibidem plan' makes one"):
        run_rank(tmp_path)


@pytest.mark.parametrize("job", JOBS.values(), ids=JOBS)
def test_a_plan_is_not_written_to_a_url_nor_over_something(job, inputs, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    before = set(tmp_path.iterdir())
    with pytest.raises(PlanError, match=r"s3://bucket/plan: a URL, and ranks need a file system"):
        job.plan(inputs, tmp_path / "made", "s3://bucket/plan", 2)
    with pytest.raises(PlanError, match=r"inputs: this folder exists already"):
        job.plan(inputs, tmp_path / "made", inputs, 2)
    assert set(tmp_path.iterdir()) == before


@pytest.mark.parametrize("use", [run_rank, read_plan, read_status])
def test_a_url_is_no_folder_of_a_plan(use):
    with pytest.raises(PlanError, match="memory://plan: a URL, and ranks need a file system"):
        use("memory://plan")


def test_a_plan_that_is_moved_goes_on(inputs, tmp_path):
    plan_index([str(inputs)], tmp_path / "made", tmp_path / "plan", parts=3, **OPTIONS)
    workspace = Workspace(tmp_path / "plan")
    workspace.prepare()
    [read, *_] = stages_of(workspace)
    run_task(workspace, read, Task("read", 1), Resources.of("64M", 1, None))
    (tmp_path / "plan").rename(tmp_path / "elsewhere")
    assert run_rank(tmp_path / "elsewhere").tasks == JOBS["index"].tasks - 1
    assert digest(tmp_path / "made") == build_plainly(inputs, tmp_path / "plain")


PREDICTION = Prediction(documents=2, tokens=10, seconds=0.5, memory=1 << 20, disk=1000, basis="a guess")


def make_plan(**changes):
    shards = [Shard(f"/in/ü {number}.jsonl", f"ü {number}.jsonl", number, f"{number:032x}") for number in range(4)]
    fields = {
        "kind": "dedup",
        "output": "/out",
        "shards": shards,
        "parts": [(0, 1), (1, 4)],
        "settings": {"choices": {"threshold": 0.8}},
        "memory": 1 << 30,
        "prediction": PREDICTION,
    }
    return Plan(**{**fields, **changes}).sign()


def test_a_plan_is_read_as_it_was_written_with_what_stands_beside_it(tmp_path):
    plan = make_plan()
    write_plan(tmp_path / "deep" / "plan", plan, {"more": lambda path: path.write_text("beside")})
    assert read_plan(tmp_path / "deep" / "plan") == plan
    assert (tmp_path / "deep" / "plan" / "more").read_text() == "beside"
    assert [shard.name for shard in plan.shards_of(1)] == ["ü 1.jsonl", "ü 2.jsonl", "ü 3.jsonl"]


@pytest.mark.parametrize(
    "changes", [{"memory": 1}, {"output": "/other"}, {"settings": {}}, {"parts": [(0, 4)]}, {"kind": "reuse"}]
)
def test_the_checksum_of_a_plan_depends_on_all_that_it_says(changes):
    assert make_plan().checksum == make_plan().checksum != make_plan(**changes).checksum


def test_a_plan_that_cannot_be_written_leaves_no_folder_of_its_name(tmp_path):
    def fail(path):
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="the disk is full"):
        write_plan(tmp_path / "plan", make_plan(), {"more": fail})
    assert not (tmp_path / "plan").exists()
    write_plan(tmp_path / "plan", make_plan())
    assert [entry.name for entry in tmp_path.iterdir()] == ["plan"]
    assert [entry.name for entry in (tmp_path / "plan").iterdir()] == ["plan.json"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"parts": [(0, 100)]}, r"its parts \[\(0, 100\)\] are not those of 4 files"),
        ({"parts": [(0, 2), (1, 4)]}, "its parts"),
        ({"parts": []}, "its parts"),
        ({"parts": [(0, 2), (2, 2), (2, 4)]}, "a part of it is empty"),
        ({"output": "../../x"}, "'../../x' is neither an absolute path nor a URL"),
        ({"output": "/out/../../x"}, "is neither an absolute path nor a URL"),
        ({"shards": [Shard("in.jsonl", "in.jsonl", 1, "0")], "parts": [(0, 1)]}, "'in.jsonl' is neither"),
    ],
)
def test_a_plan_that_no_ibidem_writes_is_refused_though_its_checksum_is_right(tmp_path, changes, message):
    write_plan(tmp_path / "plan", make_plan(**changes))
    for use in (read_plan, run_rank, read_status):
        with pytest.raises(PlanError, match=f"no plan that ibidem writes: .*{message}"):
            use(tmp_path / "plan")


def test_settings_of_another_kind_are_refused_in_one_line(tmp_path):
    write_plan(tmp_path / "plan", make_plan(settings={"colour": "red"}))
    with pytest.raises(PlanError, match="the settings of the plan are not those of dedup"):
        run_rank(tmp_path / "plan")


def test_a_device_in_the_place_of_a_file_is_not_read():
    with pytest.raises(PlanError, match="/dev/zero: no file"):
        require_unchanged([Shard("/dev/zero", "zero", 10, "0" * 32)])


def test_a_function_is_refused_by_its_name_and_nothing_else_is(tmp_path):
    config = {"name": "bpe", "file": str(tmp_path / "callable.json")}
    assert require_rebuildable(config) == config
    with pytest.raises(PlanError, match=r"no function .*split.*: name a tokenizer"):
        require_rebuildable(make_tokenizer(str.split).config)
