"""A run that updates another one: it finds what a run from nothing finds, and compares no old pair again."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ibidem import ConfigurationError, CorpusError, FormatVersionError, find_reuse
from ibidem.resources import Resources
from ibidem.reuse import steps
from ibidem.reuse.find import find_reuse_in_files
from ibidem.reuse.outputs.earlier import EarlierRun
from ibidem.reuse.outputs.result import TABLES, Reuse, write_reuse
from ibidem.reuse.pairs import Pairs
from ibidem.reuse.question import Question
from tests.reuse.small_collections import find_in

RESOURCES = Resources.of("64M", 1, None)


def words(generator: random.Random, count: int) -> list[str]:
    return [f"{chr(97 + generator.randrange(26))}{int(900 ** generator.random())}" for _ in range(count)]


def made_documents(seed: int, count: int = 14) -> list[dict[str, Any]]:
    """Documents that quote each other, with changes, and sometimes themselves."""
    generator = random.Random(seed)
    passages = [words(generator, generator.randint(30, 90)) for _ in range(4)]
    documents = []
    for number in range(count):
        parts = [words(generator, generator.randint(20, 120))]
        for passage in generator.choices(passages, k=generator.randint(0, 3)):
            parts += [[generator.choice(passage) if generator.random() < 0.1 else word for word in passage]]
            parts += [words(generator, generator.randint(5, 80))]
        text = " ".join(word for part in parts for word in part)
        documents.append({"id": f"d{number:02}", "text": text, "paper": number % 5, "year": 1900 + number})
    generator.shuffle(documents)
    return documents


def run(documents: list[dict[str, Any]], folder: Path, earlier: EarlierRun | None, **options: Any) -> Reuse:
    folder.mkdir()
    if earlier is not None:
        earlier.write(_new(folder / "earlier") / "state")
    update = None if earlier is None else folder / "earlier"
    return find_in([documents], Question(**options), folder, RESOURCES, update)


def forget(earlier: EarlierRun) -> EarlierRun:
    """The same weights and hash functions without a document: what a run from nothing begins with."""
    pairs, series = earlier.pairs.take(np.zeros(0, np.int64)), tuple(column[:0] for column in earlier.series)
    return earlier._replace(ids=[], digests=earlier.digests[:0], pairs=pairs, series=series)


ASKED: list[dict[str, Any]] = [
    {},
    {"within": True, "series": "paper"},
    {"recall": 1.0, "min_pair_length": 12, "phrases": ("a1 b1 c1",)},
]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("options", ASKED, ids=["plain", "within", "exact"])
def test_an_update_finds_what_a_run_from_nothing_finds(tmp_path: Path, seed: int, options: dict[str, Any]) -> None:
    documents = made_documents(seed)
    old = documents[: random.Random(seed).randrange(len(documents))]
    first = run(old, tmp_path / "first", None, **options)
    (tmp_path / "run").mkdir()
    write_reuse(first, tmp_path / "run")
    earlier = EarlierRun.read(tmp_path / "run")
    changed = [
        document | {"text": document["text"] + " and more"} if document["id"] == "d03" else document
        for document in documents[1:]
    ]
    updated = run(changed, tmp_path / "updated", earlier, date="year", **options)
    anew = run(changed, tmp_path / "anew", forget(earlier), date="year", **options)
    assert anew.pairs.num_rows > 0
    assert anew.summary["crowded_groups"] == 0
    for table in TABLES:
        assert getattr(updated, table).equals(getattr(anew, table)), table
    assert updated.run is not None
    assert anew.run is not None
    assert updated.run.ids == anew.run.ids
    assert np.array_equal(updated.run.digests, anew.run.digests)
    for column in Pairs._fields:
        expected = getattr(anew.run.pairs, column)
        assert np.array_equal(getattr(updated.run.pairs, column), expected, equal_nan=expected.dtype.kind == "f")


def test_old_pairs_are_not_compared_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    documents = made_documents(7)
    first = run(documents, tmp_path / "first", None)
    assert first.pairs.num_rows
    aligned: list[int] = []
    align = steps.align_boxes

    def spy(collection: Any, boxes: Any, *rest: Any, **more: Any) -> Any:
        aligned.append(len(boxes.pairs))
        return align(collection, boxes, *rest, **more)

    monkeypatch.setattr(steps, "align_boxes", spy)
    again = run(documents, tmp_path / "again", first.run)
    assert aligned == []
    assert again.pairs.equals(first.pairs)


def test_from_python_a_run_is_named_by_its_folder(tmp_path: Path) -> None:
    documents = made_documents(3)
    write_reuse(find_reuse(documents[:9]), _new(tmp_path / "run"))
    reuse = find_reuse(documents, update=tmp_path / "run")
    assert reuse.summary["documents"] == len(documents)
    with pytest.raises(ConfigurationError, match=r"made with threshold 0\.3, not 0\.4"):
        find_reuse(documents, threshold=0.4, update=tmp_path / "run")
    with pytest.raises(ValueError, match="leave out against"):
        find_reuse(documents, against=[("x", "y")], update=tmp_path / "run")


def _new(folder: Path) -> Path:
    folder.mkdir()
    return folder


def test_two_collections_leave_no_run_to_update(tmp_path: Path) -> None:
    reuse = find_reuse([("a", "one two")], against=[("b", "one two")])
    assert reuse.run is None
    write_reuse(reuse, _new(tmp_path / "run"))
    with pytest.raises(CorpusError, match="no folder of a run that can be updated"):
        EarlierRun.read(tmp_path / "run")


def test_a_run_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    write_reuse(find_reuse([("a", "one two")]), _new(tmp_path / "run"))
    record = tmp_path / "run/state/run.json"
    content = record.read_text()
    record.write_text(content.replace('"version": 4', '"version": 5'))
    with pytest.raises(FormatVersionError, match="made by a newer ibidem"):
        EarlierRun.read(tmp_path / "run")
    record.write_text(content)
    earlier = EarlierRun.read(tmp_path / "run")
    wrong = earlier._replace(series=(np.array([[0, 7]]), np.zeros((1, 4), np.int64)))
    wrong.write(_new(tmp_path / "wrong") / "state")
    with pytest.raises(CorpusError, match="pairs of documents that are not in it"):
        EarlierRun.read(tmp_path / "wrong")
    record.write_text(content[:50])
    with pytest.raises(CorpusError, match="damaged"):
        EarlierRun.read(tmp_path / "run")


@pytest.mark.parametrize(
    ("old", "more"),
    [
        pytest.param(["a", "b"], "c", id="files of one name in several folders, named from the folder of all"),
        pytest.param(["letters"], "reports", id="files of different names, named from their own folders"),
    ],
)
def test_an_update_of_files_knows_the_documents_of_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: list[str], more: str
) -> None:
    for name in (*old, more):
        write_texts(tmp_path / "in" / name, "1.txt" if len(old) > 1 else f"{name}.txt")
    inputs = [tmp_path / "in" / name for name in (*old, more)]
    find_reuse_in_files(inputs[:-1], tmp_path / "first", memory="64M")
    first = EarlierRun.read(tmp_path / "first").ids
    assert first == (["a/1.txt", "b/1.txt"] if len(old) > 1 else ["letters.txt"])
    aligned: list[list[int]] = []
    align = steps.align_boxes

    def spy(collection: Any, boxes: Any, *rest: Any, **more: Any) -> Any:
        aligned.extend(boxes.pairs.tolist())
        return align(collection, boxes, *rest, **more)

    monkeypatch.setattr(steps, "align_boxes", spy)
    find_reuse_in_files(inputs, tmp_path / "second", memory="64M", update=tmp_path / "first")
    documents = EarlierRun.read(tmp_path / "second").ids
    assert documents[: len(first)] == first
    assert aligned  # the new document with the old ones
    assert all(len(first) in pair for pair in aligned)


def write_texts(folder: Path, name: str) -> None:
    """A file of a text that holds the passage of all."""
    folder.mkdir(parents=True)
    generator = random.Random(folder.name)
    shared = " ".join(words(random.Random(1), 60))
    folder.joinpath(name).write_text(f"{' '.join(words(generator, 80))} {shared} {' '.join(words(generator, 80))}")
