"""What is read from the store of an index is checked before it is used."""

import itertools
from pathlib import Path
from typing import NamedTuple

import pytest

from ibidem import SketchIndex
from ibidem.documents.index_builder import DocumentConfiguration
from ibidem.errors import ConfigurationError, DamagedError
from ibidem.passages.configuration import Configuration
from ibidem.sketches.index.configuration import SketchConfiguration
from ibidem.store import Store
from ibidem.stored_index import read_configuration, require_functions


class Stored(NamedTuple):
    """A store of which only the configuration is looked at."""

    config: dict[str, object]
    given: str = "place"


KINDS = {
    "passages": (Configuration, {"tokenizer": {"name": "words"}}),
    "sketches": (SketchConfiguration, {"tokenizer": {"name": "words"}, "kind": "sketches"}),
    "documents": (DocumentConfiguration, {"shingles": {}, "kind": "documents"}),
}


@pytest.mark.parametrize(("kind", "other"), list(itertools.permutations(KINDS, 2)))
def test_an_index_of_another_kind_is_refused(kind: str, other: str) -> None:
    with pytest.raises(ConfigurationError, match=f"^place: an index of {other}, not of {kind}"):
        read_configuration(KINDS[kind][0], Stored(KINDS[other][1]))


@pytest.mark.parametrize(
    ("kind", "stored"),
    [
        *(("passages", stored) for stored in ({"scheme": "exact"}, {"min_length": "many"}, {"family": "sets"})),
        *(("sketches", stored) for stored in ({"sketch": "two permutations"}, {"num_hashes": "many"}, {"scheme": "k"})),
        *(("sketches", stored) for stored in ({"num_hashes": 0}, {"tokenizer": 1})),
        ("documents", {"threshold": 0}),
    ],
)
def test_a_stored_configuration_that_makes_no_sense_is_refused(kind: str, stored: dict[str, object]) -> None:
    configuration_type, sound = KINDS[kind]
    assert read_configuration(configuration_type, Stored(sound))
    with pytest.raises(ConfigurationError, match=r"^place: the index was built by another version.*build it again"):
        read_configuration(configuration_type, Stored(sound | stored))


def test_postings_of_another_number_of_functions_are_damage(tmp_path: Path) -> None:
    SketchIndex.build(tmp_path / "index", ["one two three"], num_hashes=3, min_length=2).close()
    with Store.open(tmp_path / "index") as store:
        require_functions(store, 3)
        with pytest.raises(DamagedError, match="has 4 functions, and its segment 000001 has 3"):
            require_functions(store, 4)
