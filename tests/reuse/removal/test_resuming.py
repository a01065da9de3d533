"""Steps that are done once: what they gave is the same when it is read again."""

import json
from pathlib import Path

import numpy as np
import pytest

from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import list_sources
from ibidem.corpus.writing.filtering import CountedDocuments
from ibidem.resources import Resources
from ibidem.reuse.removal.duplicates import Duplicates
from ibidem.reuse.removal.repeated import PassageChoices
from ibidem.reuse.removal.resuming import PassageSteps

PAIRS = Duplicates(np.array([[0, 1]]), np.array([[2, 5, 7, 10]]))


@pytest.fixture
def reading(tmp_path: Path) -> CountedDocuments:
    path = tmp_path / "a.jsonl"
    rows = [{"id": name, "text": f"A text of {name}, née Müller.", "year": 1} for name in "ab"]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return CountedDocuments(list_sources([path]), Columns.of("text", "id"))


def steps_in(tmp_path: Path, reading: CountedDocuments, choices: PassageChoices | None = None) -> PassageSteps:
    return PassageSteps(tmp_path / "steps", reading, choices or PassageChoices())


def find_none() -> Duplicates:
    raise AssertionError("the step had been done")


def test_what_a_step_gave_is_read_again(tmp_path: Path, reading: CountedDocuments) -> None:
    resources = Resources.of("64M", 1, None)
    first = steps_in(tmp_path, reading)
    part = first.read(resources)
    first.compare(lambda: PAIRS)
    assert first.resumed == []
    again = steps_in(tmp_path, CountedDocuments(reading.files, reading.columns))
    same = again.read(resources)
    assert same.ids == part.ids == ["a", "b"]
    for name, values in part.columns.items():
        np.testing.assert_array_equal(same.columns[name], values)
    found = again.compare(find_none)
    np.testing.assert_array_equal(found.documents, PAIRS.documents)
    np.testing.assert_array_equal(found.ranges, PAIRS.ranges)
    assert again.resumed == ["reading", "comparing"]


def test_the_number_of_documents_of_each_file_is_known_again(tmp_path: Path, reading: CountedDocuments) -> None:
    resources = Resources.of("64M", 1, None)
    steps_in(tmp_path, reading).read(resources)
    other = CountedDocuments(reading.files, reading.columns)
    steps_in(tmp_path, other).read(resources)
    assert other.counts == reading.counts == [2]


def test_a_step_that_was_not_finished_is_done_again(tmp_path: Path, reading: CountedDocuments) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        steps_in(tmp_path, reading).read(Resources.of("64M", 1, interrupt))
    again = steps_in(tmp_path, reading)
    assert again.read(Resources.of("64M", 1, None)).ids == ["a", "b"]
    assert again.resumed == []


def test_other_choices_begin_anew(tmp_path: Path, reading: CountedDocuments) -> None:
    resources = Resources.of("64M", 1, None)
    steps_in(tmp_path, reading).read(resources)
    other = steps_in(tmp_path, reading, PassageChoices(tokenizer="characters"))
    other.read(resources)
    assert other.resumed == []
