"""A collection that one task has prepared is opened by others as it was."""

from pathlib import Path

import numpy as np
import pytest

from ibidem.engine import Here
from ibidem.resources import Resources
from ibidem.reuse.bands import Bands
from ibidem.reuse.collection import Comparable, assemble_collection
from ibidem.reuse.documents import ReadPart, open_part, read_documents
from ibidem.reuse.prepared_collection import (
    PreparedCollection,
    add_documents,
    leave_absent_out,
    open_prepared,
    prepare_collection,
    save_prepared,
)
from ibidem.reuse.question import Question
from ibidem.text import make_tokenizer
from tests.reuse.small_collections import make_parts

RESOURCES = Resources.of("64M", 1, None)

SHEET = " " + " ".join(f"sheet{word}" for word in range(40))

DOCUMENTS = [
    (f"né {number}", " ".join(f"w{number * word % 13}" for word in range(number)) + SHEET * (number > 3))
    for number in (7, 3, 0, 9, 8, 5, 6, 4)
]


def read(tokenizer: str, folder: Path) -> list[Path]:
    """Documents in two parts; of single characters, runs are compared."""
    parts = make_parts([DOCUMENTS[:3], DOCUMENTS[3:]])
    return [
        path
        for number, part in enumerate(parts)
        for path in Here(RESOURCES).map(
            "reading",
            lambda part, *rest: read_documents(make_tokenizer(tokenizer), part, *rest),
            [part],
            folder / f"read-{number}",
        )
    ]


def prepare(parts: list[ReadPart], folder: Path, bands: Bands) -> PreparedCollection:
    folder.mkdir()
    collection = leave_absent_out(assemble_collection(parts, folder), Question(), folder)
    lightest = Comparable.of(collection, 4).lightest
    return PreparedCollection(collection, np.arange(len(collection)) % 3 == 0, lightest, bands, apart=True)


@pytest.mark.parametrize("tokenizer", ["words", "characters"])
@pytest.mark.parametrize("bands", [Bands(12, 3, 32), Bands.exact(32)])
def test_what_is_opened_is_what_was_made(tokenizer: str, bands: Bands, tmp_path: Path) -> None:
    parts = [open_part(each) for each in read(tokenizer, tmp_path)]
    made = prepare(parts, tmp_path / "prepared", bands)
    save_prepared(made, tmp_path / "prepared")
    prepared = open_prepared(tmp_path / "prepared")
    without_texts, expected = prepared.collection, made.collection
    opened = add_documents(without_texts, parts)
    assert opened.ids == expected.ids == sorted(name for name, _ in DOCUMENTS)
    assert [opened.text(number) for number in range(8)] == [text for _, text in sorted(DOCUMENTS)]
    assert without_texts.ids == []
    for collection in (opened, without_texts):
        assert collection.rarity.mean == expected.rarity.mean
        for name in ("tokens", "bounds", "vocabulary", "idf", "side", "ranks"):
            assert np.array_equal(getattr(collection, name), getattr(expected, name)), name
        for taken, other in zip(collection.subtracted, expected.subtracted, strict=True):
            assert np.array_equal(taken, other)
        assert np.array_equal(
            collection.rarity.weights(expected.vocabulary), expected.rarity.weights(expected.vocabulary)
        )
    assert prepared.unchanged.tolist() == made.unchanged.tolist()
    assert prepared.lightest.tolist() == made.lightest.tolist()
    assert (prepared.bands, prepared.apart) == (bands, True)


def test_the_join_reads_what_was_prepared_as_kernels_are_compiled_for(tmp_path: Path) -> None:
    question = Question().require_valid()
    prepare_collection(question, False, None, read("words", tmp_path), tmp_path, RESOURCES)
    comparable = open_prepared(tmp_path).compare(question)
    for array in (comparable.lightest, comparable.idf, comparable.bounds, comparable.ranks):
        assert type(array) is np.ndarray
        assert array.flags.writeable
        assert array.flags.c_contiguous


def test_two_collections_are_kept_apart_even_if_one_is_empty(tmp_path: Path) -> None:
    question = Question().require_valid()
    sides = []
    for apart in (False, True):
        folder = tmp_path / str(apart)
        folder.mkdir()
        prepare_collection(question, apart, None, read("words", folder), folder, RESOURCES)
        sides.append(open_prepared(folder).compare(question).side.tolist())
    assert sides[0] == [-1] * 8
    assert sorted(sides[1]) == [0] * 3 + [1] * 5
