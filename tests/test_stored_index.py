"""What is read from the store of an index is checked before it is used."""

from pathlib import Path

import pytest

from ibidem import SketchIndex
from ibidem.errors import ConfigurationError, DamagedError
from ibidem.passages.configuration import Configuration
from ibidem.sketches.index.configuration import SketchConfiguration
from ibidem.store import Store
from ibidem.stored_index import read_configuration, require_functions


def test_an_index_of_another_kind_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="an index of documents, not of passages"):
        read_configuration(Configuration, {"kind": "documents"})
    with pytest.raises(ConfigurationError, match="an index of passages, not of sketches"):
        read_configuration(SketchConfiguration, {"tokenizer": {}})
    with pytest.raises(ConfigurationError, match="another version of ibidem"):
        read_configuration(Configuration, {"tokenizer": {}, "scheme": "guess"})


def test_postings_of_another_number_of_functions_are_damage(tmp_path: Path) -> None:
    SketchIndex.build(tmp_path / "index", ["one two three"], num_hashes=3, min_length=2).close()
    with Store.open(tmp_path / "index") as store:
        require_functions(store, 3)
        with pytest.raises(DamagedError, match="has 4 functions, and its segment 000001 has 3"):
            require_functions(store, 4)
