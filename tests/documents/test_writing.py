"""What became of a collection is written file by file, several at a time."""

import json
from pathlib import Path
from typing import Any, cast

import msgspec
import numpy as np
import pytest

from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import Source
from ibidem.corpus.writing.removed import separate_rows
from ibidem.documents import writing
from ibidem.documents.choice import Choice
from ibidem.documents.deduplicate import deduplicate
from ibidem.documents.digests import Digests
from ibidem.documents.index import Nearest
from ibidem.documents.result import Deduplication
from ibidem.documents.writing import InputFile, PartChoice, write_files
from ibidem.errors import CorpusError
from ibidem.resources import Progress, Resources

from .samples import DOCUMENTS, digest

VERSE = "tyger tyger burning bright in the forests of the night"


class Outcome:
    """What became of documents, as a ``Deduplication`` has it."""

    def __init__(self, result: Deduplication) -> None:
        self.result, self.kept = result, result.kept

    def describe(self, row: int) -> dict[str, object] | None:
        if self.kept[row]:
            return None
        of = self.result.ids[self.result.duplicate_of[row]]
        return {"id": self.result.ids[row], "duplicate_of": of, "similarity": 1.0, "exact": False}


def write_inputs(folder: Path, names: list[str]) -> tuple[list[InputFile], Outcome]:
    """Files of three documents each: one that stands in every file, one of its own, and one that stands twice."""
    files, documents = [], []
    (folder / "kept").mkdir()
    for number, name in enumerate(names):
        texts = [VERSE, f"{name} alone, {number} and no other", f"{VERSE} {name} {VERSE}"]
        rows = [(f"{name}-{row}", text) for row, text in enumerate([*texts, texts[2]])]
        records = [json.dumps({"id": one, "text": text}) for one, text in rows]
        lines = f"[{','.join(records)}]" if name.endswith(".json") else "\n".join(records)
        (folder / name).write_text(lines)
        files.append(InputFile(Source(str(folder / name), name), len(documents), len(rows), folder / "kept" / name))
        documents += rows
    return files, Outcome(deduplicate(documents))


def write(folder: Path, files: list[InputFile], outcome: Outcome, threads: int, tell: Progress | None = None) -> None:
    resources = Resources.of("1G", threads, tell)
    write_files(files, Columns("text", "id"), cast(Any, outcome), folder / "removed.jsonl", resources)


@pytest.mark.parametrize("threads", [1, 3])
def test_removed_documents_stand_in_the_order_of_the_input(tmp_path: Path, threads: int) -> None:
    files, outcome = write_inputs(tmp_path, [f"{number}.jsonl" for number in range(9)])
    write(tmp_path, files, outcome, threads)
    removed = [json.loads(line)["ibidem"]["id"] for line in (tmp_path / "removed.jsonl").read_text().splitlines()]
    assert removed == outcome.result.removed
    assert len(removed) == 8 + 9
    kept = [json.loads(line)["id"] for file in files for line in file.target.read_text().splitlines()]
    assert sorted(kept + removed) == sorted(outcome.result.ids)
    assert sorted(path.name for path in tmp_path.iterdir() if not path.name[0].isdigit()) == ["kept", "removed.jsonl"]


def test_files_that_are_read_whole_are_written_one_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files, outcome = write_inputs(tmp_path, [f"{number}.json" for number in range(6)])
    under_way, most = [], []

    def note(*given) -> None:
        under_way.append(given)
        most.append(len(under_way))
        separate_rows(*given)
        under_way.pop()

    monkeypatch.setattr(writing, "separate_rows", note)
    write(tmp_path, files, outcome, 3)
    assert most == [1] * 6


def test_of_files_that_changed_the_first_is_named(tmp_path: Path) -> None:
    files, outcome = write_inputs(tmp_path, ["a.jsonl", "b.jsonl", "c.jsonl"])
    for file in files[1:]:
        Path(file.source.path).write_text("")
    with pytest.raises(CorpusError, match=r"b\.jsonl: it had 4 documents when it was read first, and has 0 now"):
        write(tmp_path, files, outcome, 2)


def test_an_interruption_ends_the_files_that_are_being_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files, outcome = write_inputs(tmp_path, ["a.jsonl", "b.jsonl"])
    ended = []

    def wait(source: Source, *given) -> None:
        if source.name == "b.jsonl":
            assert source.stopped is not None
            ended.append(source.stopped.wait(timeout=600))
        separate_rows(source, *given)

    def interrupt(phase: str, done: int, total: int | None) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(writing, "separate_rows", wait)
    with pytest.raises(KeyboardInterrupt):
        write(tmp_path, files, outcome, 2, interrupt)
    assert ended in ([], [True])  # the second file was not begun, or was told


CHOICE = {
    "duplicate_of": np.array([0, -1, 2, 3, 9, 5, 2, 7, 8, 9, 10, 9]),
    "similarity": np.array([1.0, 1.0, 1.0, 1.0, 0.8, 1.0, 0.9, 1.0, 1.0, 1.0, 1.0, 1.0]),
    "exact": np.arange(12) == 11,
}
"""Documents 4 and 11 duplicate 9, 6 duplicates 2, and 1 resembles one of an index."""


@pytest.mark.parametrize("block", [1, 2, 100])
def test_each_part_has_its_own_rows_and_the_ids_of_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(writing, "_BLOCK", block)
    digests = digest(tmp_path, [DOCUMENTS[:5], DOCUMENTS[5:]])
    choice: Any = Choice(**CHOICE, clusters=None, weakest=None, best=None, links=None, compared=0)  # type: ignore[arg-type]
    known = {1: Nearest("other", 0.7, exact=False)}
    (digests[0] / "known.json").write_bytes(msgspec.json.encode(list(known.items())))
    ids = [document["id"] for document in DOCUMENTS]
    first, second = (PartChoice(Digests(digests), choice, part) for part in range(2))
    assert first.kept.tolist() == [True, False, True, True, False]
    assert np.flatnonzero(~second.kept).tolist() == [1, 6]
    assert [first.describe(row) for row in (1, 4)] == [
        {"id": ids[1], "duplicate_of": "other", "similarity": 0.7, "exact": False},
        {"id": ids[4], "duplicate_of": ids[9], "similarity": 0.8, "exact": False},
    ]
    assert second.describe(1) == {"id": ids[6], "duplicate_of": ids[2], "similarity": 0.9, "exact": False}
    assert second.describe(6) == {"id": ids[11], "duplicate_of": ids[9], "similarity": 1.0, "exact": True}
