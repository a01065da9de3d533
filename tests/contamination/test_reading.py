from pathlib import Path

import pytest

import ibidem
from ibidem.contamination.reading import is_contamination_folder, read_rows
from ibidem.corpus.writing.tables import write_table
from ibidem.errors import CorpusError
from tests.contamination.samples import EVALS, QUESTIONS, pages

FOUND = ibidem.find_contamination([*pages(5), QUESTIONS[0], QUESTIONS[1].replace("48", "90")], EVALS)
NAMES = ("document", "start", "eval_end", "similarity", "evidence", "text", "eval_key")


@pytest.mark.parametrize("format", ["jsonl", "parquet", "csv"])
def test_rows_are_read_back_from_every_format(tmp_path: Path, format: str) -> None:
    (tmp_path / "summary.json").write_text("{}")
    assert not is_contamination_folder(tmp_path)
    for name in ("contamination", "left_out"):
        write_table(getattr(FOUND, name), tmp_path / f"{name}.{format}", format)
    assert is_contamination_folder(tmp_path)
    for name in ("contamination", "left_out"):
        expected = getattr(FOUND, name).select(NAMES).to_pylist()
        assert [{column: row[column] for column in NAMES} for row in read_rows(tmp_path, name)] == expected
    assert read_rows(tmp_path, "left_out")[0]["reason"] == "template"


def test_a_missing_or_damaged_table_is_named(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="no table contamination"):
        read_rows(tmp_path, "contamination")
    (tmp_path / "contamination.jsonl").write_text("{")
    with pytest.raises(CorpusError, match=r"contamination\.jsonl: cannot be read"):
        read_rows(tmp_path, "contamination")
