"""A folder that was written is read as it was, whatever its format."""

import json
from pathlib import Path

import pytest

from ibidem.corpus.writing.tables import FORMATS
from ibidem.errors import CorpusError
from ibidem.reuse.find import find_reuse
from ibidem.reuse.outputs.folder import write_reuse
from ibidem.reuse.outputs.reading import is_reuse_folder, read_summary, read_table

VERSE = "the curfew tolls the knell of parting day the lowing herd wind slowly over the lea"
DOCUMENTS = [
    {"id": "1", "text": f"{VERSE} and more", "year": 1751},
    {"id": "02", "text": f"he said {VERSE}", "year": 1790},
    {"id": "none", "text": "", "year": 1800},
]


@pytest.mark.filterwarnings("ignore:no document has a token")
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("documents", [DOCUMENTS, DOCUMENTS[2:]], ids=["some", "none"])
def test_tables_are_read_as_they_were_written(tmp_path: Path, format: str, documents: list[dict[str, object]]) -> None:
    reuse = find_reuse(documents, date="year", min_pair_length=8, texts=len(documents) > 1)
    write_reuse(reuse, tmp_path, format)
    assert is_reuse_folder(tmp_path)
    assert read_summary(tmp_path) == reuse.summary
    for name in ("pairs", "passages", "clusters"):
        assert read_table(tmp_path, name).to_pylist() == getattr(reuse, name).to_pylist()


def test_what_is_no_folder_of_reuse_is_told(tmp_path: Path) -> None:
    assert not is_reuse_folder(tmp_path)
    assert not is_reuse_folder(tmp_path / "none")
    with pytest.raises(CorpusError, match="cannot be read"):
        read_summary(tmp_path)
    (tmp_path / "summary.json").write_text(json.dumps({"kept": 1}))
    with pytest.raises(CorpusError, match="it is no summary of ibidem reuse"):
        read_summary(tmp_path)
    with pytest.raises(CorpusError, match=r"it has no pairs\.parquet"):
        read_table(tmp_path, "pairs")
    (tmp_path / "pairs.jsonl").write_text("{broken\n")
    with pytest.raises(CorpusError, match=r"pairs\.jsonl: cannot be read"):
        read_table(tmp_path, "pairs")
