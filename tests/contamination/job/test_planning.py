import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from ibidem.contamination.job.files import decontaminate_files
from ibidem.contamination.job.planning import plan_contamination
from ibidem.errors import CorpusError, PlanError
from ibidem.jobs.run import run_rank
from ibidem.jobs.workspace import Workspace
from ibidem.resources import Resources
from ibidem.text import make_tokenizer
from tests.contamination.samples import QUESTIONS, pages


@pytest.fixture
def world(tmp_path: Path) -> Path:
    texts = pages(90)
    for number, place in enumerate((5, 50, 85)):
        texts[place] += f" {QUESTIONS[number]}"
    (tmp_path / "train").mkdir()
    for name, rows in (("a", texts[:60]), ("b", texts[60:])):
        lines = [json.dumps({"text": text}) for text in rows]
        lines.insert(20, "{no json")
        (tmp_path / f"train/{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "quiz.jsonl").write_text(
        "".join(json.dumps({"question": text}) + "\n" for text in QUESTIONS), encoding="utf-8"
    )
    return tmp_path


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("action", ["report", "annotate", "remove", "mask"])
@pytest.mark.parametrize("parts", [1, 5])
def test_a_plan_writes_the_bytes_of_the_command_whatever_the_parts(world: Path, action: str, parts: int) -> None:
    from ibidem.corpus.failures import Failures

    resources = Resources.of("64M", 1, None)
    decontaminate_files(
        [world / "train"], [world / "quiz.jsonl"], world / "plain", resources, action=action, failures=Failures()
    )
    plan = plan_contamination(
        [str(world / "train")],
        world / "planned",
        world / "plan",
        evals=[str(world / "quiz.jsonl")],
        action=action,
        on_error="skip",
        parts=parts,
    )
    assert len(plan.parts) == parts
    run_rank(str(world / "plan"), rank=1, of=2)
    assert files_of(world / "planned") == files_of(world / "plain")
    assert json.loads((world / "planned/summary.json").read_text("utf-8"))["contaminated_items"] == 3


def test_an_encoding_and_normalization_are_those_of_the_readers_in_a_plan_too(world: Path) -> None:
    shutil.rmtree(world / "train")
    text = f"Caf\u00e9 {QUESTIONS[0]}".replace("river", "r\u00edver").replace("flows", "fl\u00f3ws")
    (world / "train.csv").write_bytes(f'id,text\n1,"{text}"\n'.encode("cp1252"))
    given: dict[str, Any] = {"encoding": "cp1252", "action": "mask"}
    given["tokenizer"] = make_tokenizer("words", normalize="diacritics")
    resources = Resources.of("64M", 1, None)
    decontaminate_files([world / "train.csv"], [world / "quiz.jsonl"], world / "plain", resources, **given)
    evals = [str(world / "quiz.jsonl")]
    plan_contamination([str(world / "train.csv")], world / "planned", world / "plan", evals=evals, **given)
    run_rank(str(world / "plan"))
    assert files_of(world / "planned") == files_of(world / "plain")
    [row] = map(json.loads, (world / "plain/contamination.jsonl").read_text("utf-8").splitlines())
    assert (row["containment"], row["similarity"]) == (1.0, 1.0)
    assert (world / "plain/kept/train.csv").read_text("utf-8").startswith("id,text\n1,Caf\u00e9 *")


def test_a_plan_writes_the_fields_of_decon_as_the_command_does(world: Path) -> None:
    resources = Resources.of("64M", 1, None)
    given: dict[str, Any] = {"also": ["decon"], "format": "csv"}
    (world / "train/a.jsonl").write_text(json.dumps({"text": QUESTIONS[0]}) + "\n", encoding="utf-8")
    (world / "train/b.jsonl").unlink()
    decontaminate_files([world / "train"], [world / "quiz.jsonl"], world / "plain", resources, **given)
    evals = [str(world / "quiz.jsonl")]
    plan_contamination([str(world / "train")], world / "planned", world / "plan", evals=evals, **given)
    run_rank(str(world / "plan"))
    assert files_of(world / "planned") == files_of(world / "plain")
    [row] = map(json.loads, (world / "planned/decon/report.jsonl").read_text("utf-8").splitlines())
    assert (row["training_line"], row["eval_instance_index"]) == (0, 0)
    with pytest.raises(ValueError, match="also is of decon, not 'marin'"):
        decontaminate_files([world / "train"], [world / "quiz.jsonl"], world / "x", resources, also=["marin"])


def test_a_rank_goes_on_where_a_killed_one_stopped(world: Path) -> None:
    given = {"evals": [str(world / "quiz.jsonl")], "action": "remove", "on_error": "skip", "parts": 4}
    for name in ("whole", "killed"):
        plan_contamination([str(world / "train")], world / f"{name}.out", world / name, **given)
    run_rank(str(world / "whole"))
    run_rank(str(world / "killed"))
    shutil.rmtree(world / "killed.out")
    workspace = Workspace(world / "killed")
    for stage in ("judge", "write", "commit"):
        shutil.rmtree(workspace.output(stage).parent)
    shutil.rmtree(workspace.output("read", 1))
    (world / "killed/work/cleared").unlink()
    for part in (0, 2, 3):  # what a rank frees in the end, and a killed one had not freed
        shutil.rmtree(workspace.output("read", part))
    run_rank(str(world / "killed"))
    assert files_of(world / "killed.out") == files_of(world / "whole.out")


def test_the_items_are_those_of_the_time_when_the_plan_was_made(world: Path) -> None:
    plan_contamination(
        [str(world / "train")], world / "out", world / "plan", evals=[str(world / "quiz.jsonl")], on_error="skip"
    )
    (world / "quiz.jsonl").unlink()
    run_rank(str(world / "plan"))
    assert json.loads((world / "out/summary.json").read_text("utf-8"))["items"] == 3


def test_what_cannot_be_planned_is_refused_and_nothing_is_written(world: Path) -> None:
    train, evals = [str(world / "train")], [str(world / "quiz.jsonl")]
    with pytest.raises(PlanError, match="a plan is run by other processes"):
        plan_contamination(train, world / "out", world / "plan", evals=evals, tokenizer=str.split)
    with pytest.raises(CorpusError, match="the output is an input"):
        plan_contamination(train, evals[0], world / "plan", evals=evals)
    with pytest.raises(ValueError, match="action is one of"):
        plan_contamination(train, world / "out", world / "plan", evals=evals, action="burn")
    assert not (world / "plan").exists()
