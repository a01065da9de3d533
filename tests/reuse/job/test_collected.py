"""A collection that was left by one task is opened by others as it was."""

import numpy as np
import pytest

from ibidem.engine.outputs import map_zeros
from ibidem.resources import Resources
from ibidem.reuse.bands import Bands
from ibidem.reuse.collection import TOKENS, Comparable, assemble_collection, weigh_windows
from ibidem.reuse.job.collected import (
    LIGHTEST_FILE,
    Collected,
    add_documents,
    open_collected,
    prepare_collection,
    read_facts,
    save_collected,
)
from ibidem.reuse.question import Question
from ibidem.reuse.reading.parts import PartReader
from ibidem.store.files.columns import ColumnWriter
from ibidem.text import as_batches, make_tokenizer

SHEET = " " + " ".join(f"sheet{word}" for word in range(40))

DOCUMENTS = [
    (f"né {number}", " ".join(f"w{number * word % 13}" for word in range(number)) + SHEET * (number > 3))
    for number in (7, 3, 0, 9, 8, 5, 6, 4)
]


@pytest.fixture(params=["words", "characters"])
def parts(request, tmp_path):
    """Documents in two parts; of single characters, runs are compared."""
    read = []
    for number, documents in enumerate((DOCUMENTS[:3], DOCUMENTS[3:])):
        (tmp_path / str(number)).mkdir()
        reader = PartReader(tmp_path / str(number), make_tokenizer(request.param))
        reader.read(as_batches(documents), number, Resources.of("64M", 1, None))
        read.append(reader.part())
    return read


def collect(parts, folder, bands=None):
    folder.mkdir()
    writer = ColumnWriter(folder, TOKENS)
    read = assemble_collection(parts, writer)
    writer.finish()
    collection = prepare_collection(read, Question(), folder)
    expected = Comparable.of(collection, 4).lightest
    lightest = map_zeros(folder / LIGHTEST_FILE, np.float64, len(expected))
    weigh_windows(collection.tokens, collection.bounds, collection.idf, 4, lightest)
    assert lightest.tolist() == expected.tolist()
    return Collected(collection, np.arange(len(collection)) % 3 == 0, lightest, bands, 3)


@pytest.mark.parametrize("bands", [Bands(12, 3, 32), None])
def test_what_is_opened_is_what_was_made(parts, tmp_path, bands):
    folder = tmp_path / "collected"
    made = collect(parts, folder, bands)
    save_collected(made, folder)
    without_texts, unchanged, lightest, *facts = open_collected(folder)
    opened = add_documents(without_texts, parts)
    expected = made.collection
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
    assert unchanged.tolist() == made.unchanged.tolist()
    assert lightest.tolist() == made.lightest.tolist()
    assert facts == [bands, 3] == [read_facts(folder).bands, read_facts(folder).ranges]


def test_least_weights_that_are_mapped_have_the_type_of_those_in_memory(parts, tmp_path):
    made = collect(parts, tmp_path / "collected")
    save_collected(made, tmp_path / "collected")
    for lightest in (made.lightest, open_collected(tmp_path / "collected").lightest):
        assert type(lightest) is np.ndarray
        assert lightest.flags.writeable  # kernels are compiled for such arrays
        assert lightest.flags.c_contiguous
