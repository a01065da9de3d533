"""The segments of an index, without opening it."""

import pytest

from ibidem import PassageIndex
from ibidem.errors import NotAnIndexError
from ibidem.store.remote.entries import read_entries


def test_segments_are_those_of_the_manifest_here_and_in_a_store(object_store, tmp_path):
    for place in (tmp_path / "i", f"{object_store}/i"):
        with PassageIndex.build(place, [("a", "one two three four five")], min_length=2):
            [entry] = read_entries(place)
            assert (entry.name, entry.documents) == ("000001", 1)
        with pytest.raises(NotAnIndexError):
            read_entries(f"{place}-none")
