"""A spool gives back what was appended, and another process can open it again."""

from pathlib import Path

import numpy as np
import pytest

from ibidem.documents.column_spool import Digester, Spool
from ibidem.documents.digests import Digests
from ibidem.documents.signatures import Functions, Shingler
from ibidem.sketches.banding import Banding
from ibidem.system import disk
from ibidem.text import Document, Documents

BANDING = Banding(2, 4)
BATCH = [Document("a", "one two three", {"year": 1903}), Document("b", "", {}), Document("c", "vier", {"year": ""})]


def fill(folder: Path, documents: list[Document]) -> Spool:
    spool = Spool(folder, 8, BANDING, 1)
    digester = Digester(Shingler("words:2"), Functions.of(8), BANDING, ("year",))
    spool.append(digester.digest(Documents.of(documents[:1])))
    spool.append(digester.digest(Documents.of(documents[1:])))
    return spool


def test_columns_hold_the_documents_in_the_order_in_which_they_came(tmp_path: Path) -> None:
    spool = fill(tmp_path, BATCH)
    assert (spool.rows, Digests([spool]).ids(), spool.present.tolist()) == (3, ["a", "b", "c"], [1])
    assert np.diff(spool.column("tokens_bounds")).tolist() == [3, 0, 1]
    assert spool.column("sizes").tolist() == [13, 0, 4]
    assert Digests([spool]).values(np.array([2, 0])) == [[""], [1903]]


def test_a_finished_spool_is_opened_again(tmp_path: Path) -> None:
    spool = fill(tmp_path, BATCH)
    spool.counts = [3]
    assert Spool.reopen(tmp_path) is None
    spool.finish()
    again = Spool.reopen(tmp_path)
    assert again is not None
    assert (again.rows, Digests([again]).ids(), again.counts) == (3, ["a", "b", "c"], [3])
    assert (again.column("signatures") == spool.column("signatures")).all()


def test_all_names_are_on_the_disk_before_the_record_of_a_spool_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    for name in ("create", "rename", "sync_folder"):
        real = getattr(disk, name)
        monkeypatch.setattr(disk, name, lambda *paths, name=name, real=real: (asked.append(name), real(*paths))[1])
    fill(tmp_path, BATCH).finish()
    assert asked.count("create") > 5
    assert asked[-3:] == ["sync_folder", "rename", "sync_folder"]
