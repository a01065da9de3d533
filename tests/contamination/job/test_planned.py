from pathlib import Path

from ibidem.contamination.job.planned import read_items, write_items
from tests.contamination.samples import EVALS


def test_items_are_read_back_as_they_were_written(tmp_path: Path) -> None:
    write_items(tmp_path / "evals.json", [EVALS])
    assert read_items(tmp_path / "evals.json") == [EVALS._replace(items=list(EVALS.items), recognized=[])]
