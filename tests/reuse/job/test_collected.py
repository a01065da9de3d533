"""A collection that was left by one task is opened by others as it was."""

import numpy as np
import pytest

from ibidem.resources import Resources
from ibidem.reuse.bands import Bands
from ibidem.reuse.collection import Comparable
from ibidem.reuse.find import Question
from ibidem.reuse.job.collected import (
    CollectedFacts,
    add_documents,
    open_collection,
    read_facts,
    read_lightest,
    write_collection,
    write_facts,
    write_lightest,
)
from ibidem.reuse.reading.parts import PartReader
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


@pytest.mark.parametrize("bands", [(12, 3, 32), None])
def test_what_is_opened_is_what_was_made(parts, tmp_path, bands):
    folder = tmp_path / "collected"
    folder.mkdir()
    made = write_collection(parts, Question(), folder)
    write_facts(folder, CollectedFacts(mean=made.rarity.mean.hex(), least=made.subtracted.least, bands=bands, ranges=3))
    without_texts = open_collection(folder)
    opened = add_documents(without_texts, parts)
    assert opened.ids == made.ids == sorted(name for name, _ in DOCUMENTS)
    assert [opened.text(number) for number in range(8)] == [text for _, text in sorted(DOCUMENTS)]
    assert without_texts.ids == []
    for found in (opened, without_texts):
        assert found.rarity.mean == made.rarity.mean
        for name in ("tokens", "bounds", "vocabulary", "idf", "side", "ranks"):
            assert np.array_equal(getattr(found, name), getattr(made, name)), name
        for taken, other in zip(found.subtracted, made.subtracted, strict=True):
            assert np.array_equal(taken, other)
        assert found.rarity.weights(made.vocabulary).tolist() == made.rarity.weights(made.vocabulary).tolist()


def test_least_weights_that_are_mapped_are_those_of_memory_and_of_their_type(parts, tmp_path):
    folder = tmp_path / "collected"
    folder.mkdir()
    collection = write_collection(parts, Question(), folder)
    write_lightest(folder, collection, 4)
    read = read_lightest(folder)
    assert np.array_equal(read, Comparable.of(collection, 4).lightest)
    assert type(read) is np.ndarray
    assert read.flags.writeable  # kernels are compiled for such arrays
    assert read.flags.c_contiguous


def test_facts_say_how_windows_are_hashed(tmp_path):
    facts = CollectedFacts(mean=(0.1).hex(), least=5, bands=(12, 3, 32), ranges=3)
    write_facts(tmp_path, facts)
    assert read_facts(tmp_path) == facts
    assert (facts.windows, facts.num_bands) == (Bands(12, 3, 32), 12)
    exact = CollectedFacts(mean=facts.mean, least=5, bands=None, ranges=3)
    assert (exact.windows, exact.num_bands) == (None, 1)
