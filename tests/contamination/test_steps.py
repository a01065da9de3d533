"""The steps of ``decontaminate_files`` write the same bytes in any number of parts and after interruptions."""

import json
from pathlib import Path
from typing import Any

import pytest

from ibidem.contamination import result, steps
from ibidem.contamination.find import decontaminate_files
from ibidem.corpus import inputs
from ibidem.corpus.failures import Failures
from ibidem.engine import Here
from ibidem.errors import CorpusError
from ibidem.remote.storage import Storage
from tests.contamination.samples import QUESTIONS, pages
from tests.ray_clusters import run_beside_cluster

MASK: dict[str, Any] = {"action": "mask"}


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """Files of training data, one of them larger than all others together, and items."""
    texts = pages(40, seed=3)
    for number in range(0, 40, 6):
        texts[number] += " " + QUESTIONS[number % 3]
    (tmp_path / "train").mkdir()
    for name, rows in (("a", range(0)), ("b", range(28)), ("c", range(28, 34)), ("d", range(34, 40))):
        lines = [json.dumps({"id": f"{name}{row}", "text": texts[row]}) + "\n" for row in rows]
        (tmp_path / f"train/{name}.jsonl").write_text("".join(lines), encoding="utf-8")
    evals = "".join(json.dumps({"question": text}) + "\n" for text in QUESTIONS)
    (tmp_path / "quiz.jsonl").write_text(evals, encoding="utf-8")
    return tmp_path


def run(world: Path, name: str, train: str = "train", **options: Any) -> dict[str, bytes]:
    """The files of a result."""
    decontaminate_files([world / train], [world / "quiz.jsonl"], world / name, memory="64M", threads=1, **options)
    return read(world / name)


def read(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("action", ["report", "annotate", "remove", "cut"])
def test_many_parts_give_the_bytes_of_one(world: Path, monkeypatch: pytest.MonkeyPatch, action: str) -> None:
    expected = run(world, "one", action=action)
    monkeypatch.setattr(inputs, "PART_BYTES", 2500)
    assert run(world, "many", action=action) == expected


def test_a_giant_file_is_read_in_pieces(world: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a byte order mark, blank lines, no ids, a line that is no JSON, and no end of the last line."""
    lines = [line.replace(b'"id"', b'"name"') for line in (world / "train/b.jsonl").read_bytes().splitlines()]
    lines.insert(9, b"{no json")
    (world / "giant.jsonl").write_bytes(b"\xef\xbb\xbf" + b"\n\n".join(lines))
    first, second = Failures(), Failures()
    expected = run(world, "one", "giant.jsonl", failures=first, **MASK)
    monkeypatch.setattr(inputs, "PART_BYTES", 2500)
    assert run(world, "many", "giant.jsonl", failures=second, **MASK) == expected
    assert [failure.message for failure in second] == [failure.message for failure in first]
    assert len(first) == 1


def test_the_same_call_resumes_after_every_task(world: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "PART_BYTES", 2500)
    expected = run(world, "whole", **MASK)
    do_all, done = Here._run, list[str]()

    def do_one(engine: Here, step: Any, tasks: Any) -> Any:
        for _ in do_all(engine, step, tasks[:1]):
            done.append(str(tasks[0][1]))
            raise KeyboardInterrupt
        return []

    monkeypatch.setattr(Here, "_run", do_one)
    attempts = 0
    while not (world / "out").exists():
        attempts += 1
        try:
            run(world, "out", **MASK)
        except KeyboardInterrupt:
            assert (world / "out.partial").is_dir()
    assert read(world / "out") == expected
    assert len(set(done)) == len(done) == attempts - 1
    assert not (world / "out.partial").exists()


@pytest.mark.parametrize("change", ["option", "file", "items"])
def test_work_of_other_files_or_options_begins_anew(world: Path, monkeypatch: pytest.MonkeyPatch, change: str) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(result, "judge_findings", interrupt)
        with pytest.raises(KeyboardInterrupt):
            run(world, "out", **MASK)
    if change == "file":
        with (world / "train/d.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps({"id": "new", "text": QUESTIONS[1]}) + "\n")
    if change == "items":
        (world / "quiz.jsonl").write_text(json.dumps({"question": QUESTIONS[2]}) + "\n", encoding="utf-8")
    options = MASK | ({"threshold": 0.4} if change == "option" else {})
    read_again = []
    look = steps.look_through
    monkeypatch.setattr(steps, "look_through", lambda *each: read_again.append(1) or look(*each))
    made = run(world, "out", **options)
    assert read_again
    assert made == run(world, "expected", **options)


def test_a_file_that_changes_meanwhile_is_an_error(world: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judge = result.judge_findings

    def change(*arguments: Any) -> Any:
        (world / "train/c.jsonl").write_text("")
        return judge(*arguments)

    monkeypatch.setattr(result, "judge_findings", change)
    with pytest.raises(CorpusError, match=r"c\.jsonl: it was changed while it was read"):
        run(world, "out")
    assert not list(world.glob("out*"))


def test_input_and_output_may_be_at_urls(
    world: Path, object_store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = run(world, "plain", **MASK)
    monkeypatch.chdir(tmp_path)
    for file in (world / "train").iterdir():
        Storage(f"{object_store}/train").upload(file, file.name)
    decontaminate_files([f"{object_store}/train"], [world / "quiz.jsonl"], f"{object_store}/made", **MASK)
    made = Storage(f"{object_store}/made")
    assert {name: made.read(name) for name in made.list()} == expected
    with pytest.raises(CorpusError, match="this folder is not empty"):
        decontaminate_files([world / "train"], [world / "quiz.jsonl"], f"{object_store}/made")


def test_a_cluster_writes_the_bytes_of_one_process(world: Path, tmp_path: Path) -> None:
    command = "ibidem decontaminate train --evals quiz.jsonl --action mask"
    done = run_beside_cluster([f"{command} -o plain", f"{command} -o made --ray auto"], tmp_path)
    assert done.returncode == 0, done.stderr
    assert read(world / "made") == read(world / "plain")
